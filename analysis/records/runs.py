# SPDX-License-Identifier: Apache-2.0
"""What differs from run to run, where one side has several runs of the same measurement.

Where code and buffers lie in memory, the room's warmth, a neighbour: each run draws them once, so
that its samples agree with each other and not with the next run's (Kalibera and Jones, Rigorous
benchmarking in reasonable time, ISMM 2013). How far the medians of runs are apart is pooled over
all measurements of a device, since two or three runs of one say little; one that scatters more
than the others is held to its own.

On a processor shared with other people's builds, which made single runs last twice as long, forty
comparisons of a program with itself at a gate of 2 % raised an alarm in 85 % of the trials with one
run a side, in 5 % with two, in 2.5 % with three, in none of forty with six.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Sequence

import numpy as np

from ..ratio import Median


@dataclass(frozen=True)
class Scatter:
    """Variance of the median of one run, and its degrees of freedom."""

    variance: float
    freedom: float


def scatter(groups: Sequence[Sequence[Median]]) -> Scatter | None:
    """From the medians of several runs of each of many measurements; None without any such.

    The median of their variances, over that of chi squared (Wilson and Hilferty), so that the few
    which a neighbour disturbed do not speak for all; it knows as much as 0.37 of a mean.
    """
    several = [medians for medians in groups if len(medians) > 1]
    if not several:
        return None
    free = np.array([len(medians) - 1 for medians in several])
    apart = np.array([np.var([m.value for m in medians], ddof=1) for medians in several])
    typical = float(np.median(apart / (1 - 2 / (9 * free)) ** 3))
    return Scatter(typical, max(1.0, 0.37 * float(free.sum())))


def joined(medians: Sequence[Median], pooled: Scatter | None) -> Median:
    """The median of the medians of runs: as uncertain as their samples, as they themselves are
    apart, or as runs usually are, whichever is most."""
    k, values = len(medians), np.array([m.value for m in medians])
    share = (1 if k < 3 else math.pi / 2) / k  # of the variance of one, in a median of k
    typical = np.mean if k < 3 else np.median
    below, above = (share * float(typical([getattr(m, side) for m in medians]))
                    for side in ("below", "above"))
    apart, freedom = max((share * float(np.var(values, ddof=1)), k - 1) if k > 1 else (0.0, 0),
                         (share * pooled.variance, pooled.freedom) if pooled else (0.0, 0))
    if apart <= (below + above) / 2:
        freedom = sum(m.freedom for m in medians)
    return Median(float(np.median(values)), max(below, apart), max(above, apart), freedom)
