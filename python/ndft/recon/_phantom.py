# SPDX-License-Identifier: Apache-2.0
"""A scan that is made up: ellipses in a smooth field, seen by coils around them along a spiral.

Samples are exact sums over a grid FINE times as fine as the image, with field and coil maps on that grid: no
reconstruction of the image's own size has an operator that made them (the inverse crime), and what varies inside of
its voxels is in the data. Noise is added.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ..plan import Plan
from ._acquisition import Acquisition

Array = np.ndarray[Any, Any]

N, FINE, COILS, SHOTS, POINTS = 128, 3, 8, 8, 3200
READOUT_S, MOST_HZ, FOV_M, NOISE = 20e-3, 100, .22, .01
_ABOVE = 3  # places of an ellipse's edge inside of a fine voxel, along each axis
_ELLIPSES = ((1, .43, .33, 0, 0), (-.55, .38, .28, 0, 0), (.35, .12, .07, -.12, -.1), (.35, .12, .07, -.12, .1),
             (.3, .04, .13, .2, 0), (.5, .015, .015, .05, 0), (.5, .01, .01, .05, .05), (.5, .007, .007, .05, .09),
             (-.3, .06, .02, .02, -.15))  # value, height, width, centre's y and x, in fields of view


class Phantom(NamedTuple):
    """A scan, the same one in a homogeneous field, and what the images should be."""

    scan: Acquisition
    homogeneous: Acquisition
    truth: Array  # (N, N), the modulus that coil maps normalised by the sum of squares lead to


def _places(n: int) -> tuple[Array, Array]:
    """y and x of n x n voxels of an image of N, which has its middle at N // 2 and voxels as wide as 1 / N."""
    offset = ((n // N - 1) / 2 + (N // 2) * (n // N)) / n
    y, x = np.meshgrid(*2 * [np.arange(n) / n - offset], indexing="ij")
    return y, x


def _means(image: Array, width: int) -> Array:
    """Of width x width neighbours, of the last two axes."""
    n = image.shape[-1] // width
    found: Array = image.reshape(*image.shape[:-2], n, width, n, width).mean((-3, -1))
    return found


def object_on(n: int) -> Array:
    """Ellipses on n x n voxels, each with the share of it that they cover."""
    y, x = _places(_ABOVE * n)
    found = np.zeros_like(x)
    for value, a, b, y0, x0 in _ELLIPSES:
        found[((y - y0) / a) ** 2 + ((x - x0) / b) ** 2 <= 1] += value
    return _means(found, _ABOVE)


def field_on(n: int) -> Array:
    """rad/s, within MOST_HZ: a hill, as above a cavity, and a slope."""
    y, x = _places(n)
    hill = np.exp(-((y + .3) ** 2 + (x - .02) ** 2) / .04)
    shape = 1.6 * hill - 1.1 * y - .5 * x - .4
    found: Array = 2 * np.pi * MOST_HZ * np.clip(shape, -1.5, 1.5) / 1.5
    return found


def coils_on(n: int) -> Array:
    """(COILS, n, n), each strongest at its place around the object."""
    y, x = _places(n)
    angle = 2 * np.pi * np.arange(COILS)[:, None, None] / COILS
    distance = (y - .55 * np.sin(angle)) ** 2 + (x - .55 * np.cos(angle)) ** 2
    found: Array = np.exp(1j * (angle + 2 * x * np.cos(angle) - y)) / (1 + 8 * distance)
    return found


def spiral() -> tuple[Array, Array]:
    """k (SHOTS, POINTS, 2) in cycles/FOV, from the middle to N / 2, and t (POINTS) in s."""
    along = np.linspace(0, 1, POINTS)
    angle = 2 * np.pi * (N / 2 / SHOTS * along + np.arange(SHOTS)[:, None] / SHOTS)
    k = np.stack([np.sin(angle), np.cos(angle)], -1) * (N / 2 * along)[:, None]
    return k.astype(np.float32), (READOUT_S * along).astype(np.float32)


def _measured(seen: Array, k: Array, t: Array, field: Array, rng: np.random.Generator) -> Array:
    """Samples (1, 1, COILS, SHOTS, POINTS) of what coils see (COILS, n, n), scaled as if of N x N voxels."""
    n = seen.shape[-1]
    shift = np.exp(-2j * np.pi * k.sum(-1) * ((n // 2 - (FINE - 1) / 2) / n - (N // 2) / N)).astype(np.complex64)
    inside = abs(seen).max(0) > 0
    plan = Plan((n, n), k, t=t, field=field.astype(np.float32), mask=inside, coils=COILS, ops=("forward",),
                device="cpu", variant="coil_gemm.cpu")
    samples = plan.forward(np.ascontiguousarray(seen[:, inside], np.complex64)) * shift / FINE ** 2
    spread = NOISE * N / np.sqrt(2)
    noise = spread * (rng.standard_normal(samples.shape) + 1j * rng.standard_normal(samples.shape))
    found: Array = (samples + noise).astype(np.complex64)[None, None]
    return found


def phantom() -> Phantom:
    """The same at every call."""
    n, rng = FINE * N, np.random.default_rng(0)
    k, t = spiral()
    seen = coils_on(n) * object_on(n)
    field = field_on(n)
    scan = Acquisition((N, N), k, _measured(seen, k, t, field, rng), t=t, field=field_on(N).astype(np.float32),
                       fov=(FOV_M, FOV_M))
    homogeneous = Acquisition((N, N), k, _measured(seen, k, t, 0 * field, rng), t=t, fov=(FOV_M, FOV_M))
    return Phantom(scan, homogeneous, np.sqrt((abs(_means(seen, FINE)) ** 2).sum(0)))
