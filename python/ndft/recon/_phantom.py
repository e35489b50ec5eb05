# SPDX-License-Identifier: Apache-2.0
"""A scan that is made up: ellipses in a smooth field, seen by coils around them along a spiral, with noise. Its
samples are sums over a grid FINE times as fine as the image (_simulation.py)."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ._acquisition import Acquisition
from ._simulation import coils_on, means, measured, places, spiral, with_noise

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


def object_on(fine: int, n: int = N) -> Array:
    """Ellipses on fine x fine places in each voxel, each with the share of it that they cover."""
    y, x = places(n, _ABOVE * fine)
    found = np.zeros_like(x)
    for value, a, b, y0, x0 in _ELLIPSES:
        found[((y - y0) / a) ** 2 + ((x - x0) / b) ** 2 <= 1] += value
    return means(found, _ABOVE)


def field_on(fine: int, n: int = N) -> Array:
    """rad/s, within MOST_HZ: a hill, as above a cavity, and a slope."""
    y, x = places(n, fine)
    hill = np.exp(-((y + .3) ** 2 + (x - .02) ** 2) / .04)
    shape = 1.6 * hill - 1.1 * y - .5 * x - .4
    found: Array = 2 * np.pi * MOST_HZ * np.clip(shape, -1.5, 1.5) / 1.5
    return found


def phantom() -> Phantom:
    """The same at every call."""
    rng = np.random.default_rng(0)
    k, t = spiral(N, SHOTS, POINTS, READOUT_S)
    seen = coils_on(*places(N, FINE), COILS) * object_on(FINE)

    def samples(field: Array | None) -> Array:
        return with_noise(measured(seen, N, k, t, field), N, NOISE, rng)[None, None]

    scan = Acquisition((N, N), k, samples(field_on(FINE)), t=t, field=field_on(1).astype(np.float32),
                       fov=(FOV_M, FOV_M))
    homogeneous = Acquisition((N, N), k, samples(None), t=t, fov=(FOV_M, FOV_M))
    return Phantom(scan, homogeneous, np.sqrt((abs(means(seen, FINE)) ** 2).sum(0)))
