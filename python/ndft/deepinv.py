# SPDX-License-Identifier: Apache-2.0
"""A physics of deepinv: non-Cartesian MRI with coil maps and off-resonance."""

from __future__ import annotations

import math
from typing import Any, Sequence

import torch
from deepinv.physics import LinearPhysics
from torch import Tensor

from . import torch as ndft_torch
from ._operator import Operator, Values


def _complex(x: Tensor) -> Tensor:
    """(batch, 2, ...) -> (batch, ...)"""
    return torch.view_as_complex(x.movedim(1, -1).contiguous())


def _real(x: Tensor) -> Tensor:
    """(batch, ...) -> (batch, 2, ...)"""
    return torch.view_as_real(x.resolve_conj()).movedim(-1, 1).contiguous()


class NDFT(LinearPhysics):  # type: ignore[misc]
    """y = A x, with derivatives by x and y. Real and imaginary parts are channels, as deepinv has them:
    x is (batch, 2, *shape), y (batch, 2, n_coils, *samples_shape), both of the precision of k.

    shape      of the image, 1 to 3 sizes
    k          (*samples_shape, dim), position in cycles/FOV
    t          time since excitation in s; broadcasts to samples_shape
    field      off-resonance in rad/s, of the image's shape: samples are sums with exp(-i field t)
    coil_maps  complex tensor (n_coils, *shape); None: one coil, of ones
    options    of ndft.Plan: tol, device, mode and others

    The scale is 1 / sqrt(N) for N voxels.
    """

    def __init__(self, shape: Sequence[int], k: Any, t: Any = None, field: Any = None,
                 coil_maps: Tensor | None = None, **options: Any) -> None:
        super().__init__()
        self._operator = Operator(shape, Values.of(k, t, field), 1 / math.sqrt(math.prod(shape)), **options)
        self._dtype = getattr(torch, self._operator.dtype)
        maps = torch.ones((1, *shape)) if coil_maps is None else coil_maps
        self.register_buffer("coil_maps", maps.to(self._dtype))

    def A(self, x: Tensor, **kwargs: Any) -> Tensor:
        """Samples of images."""
        columns = (_complex(x)[:, None] * self.coil_maps).contiguous()
        plan = self._operator.plan(columns, len(self._operator.shape))
        return _real(ndft_torch.forward(plan, columns) * self._operator.scale)

    def A_adjoint(self, y: Tensor, **kwargs: Any) -> Tensor:
        """Images of samples."""
        columns = _complex(y)
        plan = self._operator.plan(columns, self._operator.values.k.ndim - 1)
        return _real((ndft_torch.adjoint(plan, columns) * self._operator.scale * self.coil_maps.conj()).sum(1))
