# SPDX-License-Identifier: Apache-2.0
"""A field map by time segments: exp(-i w t) ~ sum_l b_l(t) exp(-i w t_l), with t_l evenly spaced over the readout.

b are Hanning windows (Noll et al., IEEE Trans. Med. Imaging 10, 1991; Man et al., MRM 37, 1997), or the least squares
fit over the map's histogram (Sutton, Noll and Fessler, IEEE Trans. Med. Imaging 22, 2003). Each segment is a plain
transform of all coils.
"""

from __future__ import annotations

import math
import time
from typing import Any, Callable

import numpy as np

from ndft import recon

BINS = 1000  # of the histogram
ROUNDS, SOME = 7, 8  # of timing, and segments that are timed
Weights = Callable[[np.ndarray, np.ndarray, np.ndarray], np.ndarray]  # of t, t_l and the map: (*t, segments)


def hanning(t: np.ndarray, centres: np.ndarray, field: np.ndarray) -> np.ndarray:
    """Windows as wide as two segments, which sum up to 1."""
    away = np.abs(t[..., None] - centres) / (centres[1] - centres[0])
    return np.where(away < 1, .5 + .5 * np.cos(np.pi * away), 0)


def least_squares(t: np.ndarray, centres: np.ndarray, field: np.ndarray) -> np.ndarray:
    """What is best for the map's offsets."""
    share, edges = np.histogram(field, BINS)
    w = (edges[1:] + edges[:-1]) / 2
    root = np.sqrt(share)[:, None]
    inverse = np.linalg.pinv(root * np.exp(-1j * np.outer(w, centres)), 1e-6)
    return np.moveaxis(inverse @ (root * np.exp(-1j * w[:, None] * t.ravel())), 0, -1).reshape(*t.shape, -1)


class Segments:
    """The operator of all coils of a scan's first image: (*shape) -> (coils, *samples), and back."""

    def __init__(self, scan: recon.Acquisition, count: int, weights: Weights, **options: Any) -> None:
        centres = np.linspace(scan.t.min(), scan.t.max(), count)
        self.turns = np.exp(-1j * centres[:, None, None] * scan.field).astype(np.complex64)
        parts = np.moveaxis(weights(scan.t.astype(float), centres, scan.field), -1, 0).astype(np.complex64)
        self.parts = parts.reshape(count, *(1 + len(scan.samples) - scan.t.ndim) * (1,), *scan.t.shape)  # and coils
        self.plain = _plain(scan, **options)

    def forward(self, image: np.ndarray) -> np.ndarray:
        return (self.parts * self.plain.forward(self.turns * image)).sum(0)

    def adjoint(self, samples: np.ndarray) -> np.ndarray:
        return (self.turns.conj() * self.plain.adjoint(self.parts.conj() * samples)).sum(0)


def solved(scan: recon.Acquisition, weights: np.ndarray, iterations: int, operator: Segments) -> np.ndarray:
    """The image (*shape) by conjugate gradients, as ndft.recon has them."""
    right = operator.adjoint(weights * scan.data[0, 0])
    steps = recon.conjugate_gradients(lambda x: operator.adjoint(weights * operator.forward(x)), right, 2, iterations,
                                      0)
    for step in steps:
        image = step.image
    return image


def _timed(scan: recon.Acquisition, **options: Any) -> Any:
    """Of the first image, with its map and those of coils."""
    return recon.fourier(scan.shape, scan.k, scan.t, scan.field, scan.decay, **options).with_maps(scan.maps)


def engine_of(scan: recon.Acquisition, **options: Any) -> str:
    """That ndft takes for it, by its id."""
    plan = _timed(scan, **options).plan(np.empty(scan.shape, np.complex64), len(scan.shape))
    return str(plan.describe()["operations"][0]["variant"])


def _plain(scan: recon.Acquisition, **options: Any) -> Any:
    """The same without the field, by the same engine."""
    engine = engine_of(scan, **options)
    return recon.fourier(scan.shape, scan.k, variant=engine, **options).with_maps(scan.maps)


def _seconds(operator: Any, image: np.ndarray) -> float:
    """There and back."""
    started = time.perf_counter()
    operator.adjoint(operator.forward(image))
    return time.perf_counter() - started


def as_many_as_fit(scan: recon.Acquisition, **options: Any) -> tuple[int, int]:
    """Segments in the time of the map by rank: with the weighting that they have here, and plain transforms alone, as
    if weighting took no time. All are timed in turns, and the least of each counts, which other work on the machine
    disturbs least."""
    image = np.ones(scan.shape, np.complex64)
    each = _timed(scan, **options), _plain(scan, **options), Segments(scan, SOME, hanning, **options)
    rounds = [[_seconds(operator, image) for operator in each] for _ in range(ROUNDS + 1)][1:]
    timed, plain, some = map(min, zip(*rounds))
    return max(2, math.ceil(SOME * timed / some)), max(2, math.ceil(timed / plain))
