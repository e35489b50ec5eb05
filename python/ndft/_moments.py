# SPDX-License-Identifier: Apache-2.0
"""Derivatives of Re(sum_j conj(s_j) (A m)_j) by what the plan was given, of images m and samples s.

Of forward and adjoint one of m and s is data, and the other the derivative of a loss by the conjugate of the result.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor

from ._axes import Axes
from ._dephasing import Points, Slopes, Voxels, slopes
from .plan import Plan


class Values(NamedTuple):
    """What the plan was given, where derivatives by it may be wanted."""

    k: Tensor | None
    t: Tensor | None
    field: Tensor | None
    gradient: Tensor | None


class Wants(NamedTuple):
    """By which of them."""

    k: bool
    t: bool
    field: bool
    gradient: bool


def packed(x: Tensor) -> Tensor:
    """Derivatives come in any layout."""
    return x.detach().resolve_conj().contiguous()


@lru_cache(maxsize=4)
def _turns_on_grid(shape: tuple[int, ...], dtype: torch.dtype, device: torch.device) -> Tensor:
    axes = [2 * np.pi / n * (torch.arange(n, dtype=torch.float64) - n // 2) for n in shape]
    return torch.stack(torch.meshgrid(*axes, indexing="ij")).to(device, dtype)


def _turns(plan: Plan, dtype: torch.dtype, device: torch.device) -> Tensor:
    """(dim, *shape), 2 pi times the positions along each axis of an image."""
    if plan.grid is None:
        return _turns_on_grid(plan.shape, dtype, device)
    turns = 2 * np.pi * torch.from_numpy(plan.grid).double() / torch.tensor(plan.shape)
    return turns.movedim(-1, 0).to(device, dtype)


def _sums(plan: Plan, axes: Axes, weights: list[Tensor], image: Tensor, samples: Tensor) -> list[Tensor]:
    """Im((A w image)_j conj(samples_j)) summed over coils, ([frames], *samples_shape, n), for weights (n, *shape)."""
    every = axes.of_grid(torch.cat(weights) if weights[1:] else weights[0]).contiguous()
    given = (each.to(plan.device) for each in (every, image, samples))
    sums: Tensor = plan.moments(*given).to(image.device)
    return list(sums.split_with_sizes([len(each) for each in weights], -1))


def _by_phases(plan: Plan, axes: Axes, values: Values, wants: Wants, image: Tensor, samples: Tensor,
               ) -> tuple[Tensor | None, Tensor | None]:
    """By k ([frames], *samples_shape, dim) and t ([frames], *samples_shape); None: not wanted, or 0."""
    weights = [_turns(plan, image.real.dtype, image.device)] if wants.k else []
    if wants.t and values.field is not None:
        weights.append(values.field.detach()[None].to(image.real.dtype))
    if not weights:
        return None, None
    sums = _sums(plan, axes, weights, image, samples)
    return sums[0] if wants.k else None, sums[-1].squeeze(-1) if len(weights) > wants.k else None


def _by_field(plan: Plan, axes: Axes, t: Tensor, image: Tensor, samples: Tensor) -> Tensor:
    """(*shape), Im(image_v conj((A^H t samples)_v)) summed over coils and frames."""
    times = axes.spread(t.detach().to(image.real.dtype).expand(*axes.frames, *axes.samples), samples)
    late = plan.adjoint(packed(times * samples))
    return axes.on_grid(axes.images((image * late.conj()).imag).sum((0, 1)).view(axes.voxels))


def _by_factors(plan: Plan, axes: Axes, values: Values, image: Tensor, samples: Tensor) -> Slopes:
    """Through the factors of gradient maps, by k ([frames], *samples_shape, dim), t without dim, and the maps."""
    k, t, field, gradient = (x if x is None else x.detach().to(image.real.dtype) for x in values)
    assert k is not None and t is not None and gradient is not None
    dim = len(plan.shape)
    turns = axes.of_grid(_turns(plan, torch.float64, image.device)).reshape(dim, -1)
    maps = axes.of_grid(gradient).reshape(dim, -1)
    flat_field = None if field is None else axes.of_grid(field).reshape(-1)
    images, columns = axes.images(image), axes.rows(samples)
    times = t.expand(*axes.frames, *axes.samples).reshape(len(images), -1)
    each = [slopes(Points(*points), Voxels(turns, flat_field, maps, voxels), plan.shape)
            for *points, voxels in zip(k.reshape(len(images), -1, dim), times, columns, images)]
    by_k, by_t, by_map = (torch.stack(found) for found in zip(*each))
    return Slopes(by_k.view(k.shape), by_t.view(k.shape[:-1]), axes.on_grid(by_map.sum(0).view(dim, *axes.voxels)))


def _plus(a: Tensor | None, b: Tensor) -> Tensor:
    return b if a is None else a + b


def derivatives(plan: Plan, values: Values, wants: Wants, image: Tensor, samples: Tensor) -> tuple[Tensor | None, ...]:
    """By k, t, field and gradient; None where it is not wanted."""
    axes = Axes(plan)
    by_k, by_t = _by_phases(plan, axes, values, wants, image, samples)
    by_gradient = None
    if "gradient" in plan.maps and (wants.k or wants.t or wants.gradient):
        through = _by_factors(plan, axes, values, image, samples)
        by_k, by_t, by_gradient = _plus(by_k, through.k), _plus(by_t, through.t), through.gradient
    if wants.t and values.t is not None:
        by_t = torch.zeros_like(values.t) if by_t is None else by_t.sum_to_size(values.t.shape)
    return (by_k if wants.k else None,
            by_t if wants.t else None,
            _by_field(plan, axes, values.t, image, samples) if wants.field and values.t is not None else None,
            by_gradient if wants.gradient else None)
