# SPDX-License-Identifier: Apache-2.0
"""Phantoms of ellipses, whose Fourier transforms are known."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np


class Ellipse(NamedTuple):
    """In halves of the field of view; angle in degrees, from x to y."""

    value: float
    a: float
    b: float
    x: float = 0
    y: float = 0
    angle: float = 0


SHAPES = ((.69, .92), (.6624, .874, 0, -.0184), (.11, .31, .22, 0, -18), (.16, .41, -.22, 0, 18), (.21, .25, 0, .35),
          (.046, .046, 0, .1), (.046, .046, 0, -.1), (.046, .023, -.08, -.605), (.023, .023, 0, -.606),
          (.023, .046, .06, -.605))
# Shepp and Logan's of 1974, and with the contrast that Toft and others gave it.
CLASSIC = (2, -.98, -.02, -.02, .01, .01, .01, .01, .01, .01)
MODIFIED = (1, -.8, -.2, -.2, .1, .1, .1, .1, .1, .1)
PHANTOMS = {"Shepp-Logan, more contrast": [Ellipse(v, *s) for v, s in zip(MODIFIED, SHAPES)],
            "Shepp-Logan of 1974": [Ellipse(v, *s) for v, s in zip(CLASSIC, SHAPES)],
            "a disc": [Ellipse(1, .7, .7)]}
STEP = .01  # of the table of the Bessel function


def _bessel_j1(x: np.ndarray) -> np.ndarray:
    """Bessel's integral on a table of steps, between them linear, to 1e-5."""
    table = np.arange(0, x.max() + 2 * STEP, STEP)
    nodes = max(64, int(x.max()) + 64)
    angle = np.pi * (np.arange(nodes) + .5) / nodes
    values = np.concatenate([np.cos(angle - part[:, None] * np.sin(angle)).mean(1)
                             for part in np.array_split(table, 1 + table.size // 1000)])
    return np.interp(x, table, values)


def samples(ellipses: list[Ellipse], k: np.ndarray) -> np.ndarray:
    """Their Fourier transform at k (m, 2) in cycles per field of view."""
    found = np.zeros(len(k), complex)
    for e in ellipses:
        turn, a, b = np.deg2rad(e.angle), e.a / 2, e.b / 2
        along = k @ [np.cos(turn), np.sin(turn)]
        across = k @ [-np.sin(turn), np.cos(turn)]
        q = np.maximum(np.hypot(a * along, b * across), 1e-9)
        found += e.value * a * b * _bessel_j1(2 * np.pi * q) / q * np.exp(-1j * np.pi * (k @ [e.x, e.y]))
    return found


def inside(ellipse: Ellipse, n: int) -> np.ndarray:
    """Voxels (n, n) of an upright ellipse."""
    y, x = np.meshgrid(*2 * [(np.arange(n) - n // 2) / (n / 2)], indexing="ij")
    return ((x - ellipse.x) / ellipse.a) ** 2 + ((y - ellipse.y) / ellipse.b) ** 2 <= 1
