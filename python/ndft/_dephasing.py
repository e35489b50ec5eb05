# SPDX-License-Identifier: Apache-2.0
"""Derivatives of a plan's sums by what its factors of gradient maps are made of, as exact sums in PyTorch.

With a_d = k_jd / N_d + G_dv t_j and c the coils' images m and samples s, every pair of a sample and a voxel has

    F_djv = Re(sum_c conj(s_cj) m_cv exp(-i phi_jv)) sinc'(a_d) prod_(e != d) sinc(a_e)

and the derivatives through the factors alone are

    by k_jd    sum_v F_djv / N_d
    by t_j     sum_dv F_djv G_dv
    by G_dv    sum_j F_djv t_j

which are not of the operator's own form: no execution of a plan has sinc'. Pairs are evaluated a tile at a time.
"""

from __future__ import annotations

import math
from typing import Iterator, NamedTuple

import torch
from torch import Tensor

_PAIRS_CPU, _PAIRS_GPU = 1 << 18, 1 << 22  # of a tile: what caches hold, and what fills a device
_NEAR = .25  # below (pi a)^2 = _NEAR sinc' is a series: of x = pi a, x (c_0 + c_1 x^2 + ...), to rounding
_SERIES = [-math.pi / 3 * math.prod(-1 / (2 * n * (2 * n + 3)) for n in range(1, term + 1)) for term in range(7)]


class Points(NamedTuple):
    """Samples, or some of them."""

    k: Tensor  # (samples, dim)
    t: Tensor  # (samples,)
    data: Tensor  # (coils, samples)

    def part(self, which: slice) -> Points:
        return Points(self.k[which], self.t[which], self.data[:, which])


class Voxels(NamedTuple):
    """Those of the image, or some of them."""

    turns: Tensor  # (dim, voxels), 2 pi times positions, in double
    field: Tensor | None  # (voxels,)
    gradient: Tensor  # (dim, voxels)
    data: Tensor  # (coils, voxels)

    def part(self, which: slice) -> Voxels:
        field = None if self.field is None else self.field[which]
        return Voxels(self.turns[:, which], field, self.gradient[:, which], self.data[:, which])


class Slopes(NamedTuple):
    """Derivatives through the factors."""

    k: Tensor  # (samples, dim)
    t: Tensor  # (samples,)
    gradient: Tensor  # (dim, voxels)


def _parts(count: int, most: int) -> Iterator[slice]:
    return (slice(start, min(start + most, count)) for start in range(0, count, most))


def _sinc_and_slope(a: Tensor) -> tuple[Tensor, Tensor]:
    """sin(pi a) / (pi a), and its derivative, to rounding: near 0 the difference of which it is made cancels."""
    x = math.pi * a
    square = x * x
    sinc = torch.sin(x).div_(x).masked_fill_(x == 0, 1)
    slope = torch.cos(x).sub_(sinc).div_(a)
    series = torch.full_like(x, _SERIES[-1])
    for coefficient in reversed(_SERIES[:-1]):
        series.mul_(square).add_(coefficient)
    return sinc, torch.where(square < _NEAR, series.mul_(x), slope)


def _products(points: Points, voxels: Voxels) -> Tensor:
    """(samples, voxels), Re(sum_c conj(s_cj) m_cv exp(-i phi_jv)), of phases that are reduced in double."""
    pairs = points.data.conj().T @ voxels.data
    phase = points.k.double() @ voxels.turns
    if voxels.field is not None:
        phase.addr_(points.t.double(), voxels.field.double())
    phase = phase.sub_(phase.div(2 * math.pi).round_(), alpha=2 * math.pi).to(pairs.real.dtype)
    return torch.cos(phase).mul_(pairs.real).addcmul_(torch.sin(phase), pairs.imag)


def _tile(points: Points, voxels: Voxels, shape: tuple[int, ...]) -> Slopes:
    """What one tile of pairs adds."""
    products = _products(points, voxels)
    factors = [_sinc_and_slope(torch.addr(k[:, None] / n, points.t, gradient))
               for k, n, gradient in zip(points.k.T, shape, voxels.gradient)]
    by_k, by_gradient = [], []
    by_t = torch.zeros_like(points.t)
    for axis, (n, gradient) in enumerate(zip(shape, voxels.gradient)):
        here = products * factors[axis][1]
        for other, (sinc, _) in enumerate(factors):
            if other != axis:
                here.mul_(sinc)
        by_k.append(here.sum(1) / n)
        by_t.add_(here @ gradient)
        by_gradient.append(points.t @ here)
    return Slopes(torch.stack(by_k, 1), by_t, torch.stack(by_gradient))


def slopes(points: Points, voxels: Voxels, shape: tuple[int, ...]) -> Slopes:
    """Of all pairs, in memory that does not grow with them; shape is that of the image on the grid."""
    most = _PAIRS_GPU if points.t.is_cuda else _PAIRS_CPU
    found = Slopes(torch.zeros_like(points.k), torch.zeros_like(points.t), torch.zeros_like(voxels.gradient))
    wide = min(voxels.data.shape[1], math.isqrt(most))
    for columns in _parts(voxels.data.shape[1], wide):
        some = voxels.part(columns)
        for rows in _parts(len(points.t), most // wide):
            here = _tile(points.part(rows), some, shape)
            found.k[rows].add_(here.k)
            found.t[rows].add_(here.t)
            found.gradient[:, columns].add_(here.gradient)
    return found
