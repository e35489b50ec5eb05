# SPDX-License-Identifier: Apache-2.0
"""What a run cannot know of itself: how far it lies from others of the same build and case.

Processes of one run share a machine, its clocks and its hour. Machines of one kind and other hours
add an effect of their own, whose standard deviation is that of reproducibility beside repeatability
(ISO 5725-2). It is known from pairs of runs and no part of what any of them recorded: published
intervals have it added in squares. What was timed in the same rounds shares it, so that ranks and
goals, which compare within a run, go by the recorded interval.
"""

from __future__ import annotations

import math
from statistics import median
from typing import Iterable

# Relative standard deviation by device. h200: of the 51 points of published-20261123T174020Z and
# published-20261124T003115Z (tests/data/between-runs), 7 hours and a machine apart, 0.21 % by the median
# (`estimate`), 0.29 % by squares of which none counts more than nine times its expectation.
BETWEEN_RUNS = {"h200": 0.003}

NORMAL_95 = 1.96  # reach of 95 of 100, in standard deviations
NORMAL_50 = 0.6745


def widened(interval: tuple[float, float], middle: float, slug: str) -> tuple[float, float]:
    """The interval with what differs between runs on such a device."""
    reach = NORMAL_95 * BETWEEN_RUNS.get(slug, 0) * middle
    return (middle - math.hypot(middle - interval[0], reach),
            middle + math.hypot(interval[1] - middle, reach))


def estimate(pairs: Iterable[tuple[float, float, float]]) -> float:
    """The relative standard deviation of one run beside what its own interval covers, from pairs of
    runs, (ratio, half-width of either): that by which the distances' median is as expected."""
    seen = [(abs(math.log(ratio)), (a * a + b * b) / NORMAL_95 ** 2) for ratio, a, b in pairs]
    low, high = 0.0, 1.0
    for _ in range(60):
        trial = (low + high) / 2
        unit = median(d / math.sqrt(2 * trial * trial + own) for d, own in seen)
        low, high = (trial, high) if unit > NORMAL_50 else (low, trial)
    return high
