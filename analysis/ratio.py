# SPDX-License-Identifier: Apache-2.0
"""The ratio of two medians from few, skewed, correlated samples: interval and significance.

Works on logarithms, where a ratio is a difference and noise of a constant percentage has a constant
size. Each median gets a standard error downwards and one upwards from the distance to the order
statistics that enclose it with a known probability, whatever the distribution (Price and Bonett,
Distribution-free confidence intervals for difference and ratio of medians, J. Stat. Comput. Simul.
72, 2002), never less than their mean, so that a median beside another mode is as uncertain as the
two are apart (MOVER: Zou and Donner, Stat. Med. 27, 2008). The two sides add in quadrature, with
Student's t at Welch and Satterthwaite's degrees of freedom, for samples as few as three.

Samples that follow each other are alike: the variance grows by (1 + r) / (1 - r), r being the
correlation of neighbouring ranks, taken half a standard error high, since few samples tell little
about it.

Chosen by measurement over Welch's test, Yuen's trimmed means, and rank tests, which never decide
three samples against three among a hundred comparisons: tests/analysis/test_ratio.py has the noise that it
must survive with at most 5 % false alarms. What differs between two runs but stays the same within
each is invisible in their samples; runs.py adds it where a side has several runs, and else the gate
has to be wider.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import NormalDist
from typing import Sequence

import numpy as np

from . import student

LEVEL = 0.05  # of intervals and of false alarms
ENOUGH = 3  # samples a side; two say too little about their own spread
ALIKE_AT_MOST = 0.9


@dataclass(frozen=True)
class Ratio:
    """B over A; p is how readily a change within the gate would look as large as this one."""

    value: float
    low: float
    high: float
    p: float

    @property
    def size(self) -> float:
        """How far from 1, whichever way, by logarithms."""
        return abs(math.log(self.value))


@dataclass(frozen=True)
class Median:
    """Of logarithms, with the variance of its error downwards and upwards."""

    value: float
    below: float
    above: float
    freedom: float


def usable(samples: Sequence[float | None] | None) -> np.ndarray:
    """The samples that are times: finite and above zero."""
    values = np.array([s for s in samples or () if s is not None], dtype=float)
    return values[np.isfinite(values) & (values > 0)]


def correlation(samples: np.ndarray) -> float:
    """Of neighbours, by ranks; from 0 to ALIKE_AT_MOST, half a standard error high."""
    n = len(samples)
    _, place, count = np.unique(samples, return_inverse=True, return_counts=True)
    ranks = (np.cumsum(count) - (count - 1) / 2)[place] - (n + 1) / 2
    spread = float(ranks @ ranks)
    if not spread:
        return 0.0
    r = float(ranks[1:] @ ranks[:-1]) / spread + 1 / n  # whose expectation is -1/n without any
    return min(max(r + 0.5 / math.sqrt(n), 0.0), ALIKE_AT_MOST)


def median(samples: np.ndarray) -> Median:
    """The median of the logarithms of at least ENOUGH samples, in the order they were taken."""
    n = len(samples)
    logs = np.sort(np.log(samples))
    rank = max(1, round((n + 1) / 2 - math.sqrt(n)))
    outside = sum(math.comb(n, i) for i in range(rank)) / 2**n
    z = NormalDist().inv_cdf(1 - outside)
    middle = float(np.median(logs))
    below, above = middle - logs[rank - 1], logs[n - rank] - middle
    mean = (below + above) / 2
    r = correlation(samples)
    alike = (1 + r) / (1 - r) / z**2
    return Median(middle, max(below, mean) ** 2 * alike, max(above, mean) ** 2 * alike, n - 1)


def freedom(parts: Sequence[tuple[float, float]]) -> float:
    """Welch and Satterthwaite's, of a sum of variances, each with its own."""
    total = sum(variance for variance, _ in parts)
    if not total:
        return float(sum(free for _, free in parts))
    return total**2 / sum(variance**2 / free for variance, free in parts)


def _chance(distance: float, variance: float, freedom: float) -> float:
    """P of an error of at least this distance."""
    if not variance:
        return 0.0 if distance > 0 else 1.0
    return student.tail(distance / math.sqrt(variance), freedom)


def of_medians(a: Median, b: Median, gate: float) -> Ratio:
    """b over a; gate is the share by which they may differ, 0.02 for 2 %."""
    shift, margin = b.value - a.value, math.log1p(gate)
    less, more = a.above + b.below, a.below + b.above
    free_less = freedom([(a.above, a.freedom), (b.below, b.freedom)])
    free_more = freedom([(a.below, a.freedom), (b.above, b.freedom)])
    low = shift - student.quantile(LEVEL / 2, free_less) * math.sqrt(less)
    high = shift + student.quantile(LEVEL / 2, free_more) * math.sqrt(more)
    one_sided = min(_chance(shift - margin, less, free_less),
                    _chance(-shift - margin, more, free_more))
    return Ratio(math.exp(shift), math.exp(low), math.exp(high), min(1.0, 2 * one_sided))


def adjusted(p: Sequence[float]) -> list[float]:
    """The p values of many comparisons, corrected for their number (Benjamini and Hochberg,
    J. R. Stat. Soc. B 57, 1995): of those at most LEVEL, at most that share are false alarms.

    Where nothing changed, the chance of any alarm is at most LEVEL, as with Holm's correction;
    where much changed, more of it is found. It holds for comparisons that move together, as those
    of one machine do (Benjamini and Yekutieli, Ann. Stat. 29, 2001).
    """
    order = np.argsort(p)
    scaled = np.asarray(p, dtype=float)[order] * len(p) / np.arange(1, len(p) + 1)
    result = np.empty(len(p))
    result[order] = np.minimum(1.0, np.minimum.accumulate(scaled[::-1])[::-1])
    return result.tolist()
