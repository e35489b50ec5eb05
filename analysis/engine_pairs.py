# SPDX-License-Identifier: Apache-2.0
"""What an engine for each operation gains: the fastest forward with the fastest adjoint, beside one engine for both."""

from __future__ import annotations

import statistics
from dataclasses import dataclass
from typing import Iterable

from . import rank, table
from .records.record import Record

WORTHWHILE = 1.1  # times as fast: what the median is to be at least


@dataclass
class Gain:
    """Of a problem on a device, forward and adjoint together."""

    problem: str
    pair: tuple[str, str]
    single: str
    pair_s: float
    single_s: float

    @property
    def times(self) -> float:
        return self.single_s / self.pair_s


def gains(records: Iterable[Record]) -> list[Gain]:
    """Of every problem that some engine served in both operations."""
    passes = rank.main_mode([r for r in records if r.ranks and r.may_be_chosen and not r.case.is_uniform])
    problems = rank.grouped(passes, lambda r: (r.device.slug, r.case.without("op")))
    found = []
    for (_, problem), group in problems.items():
        of = {op: rank.best_of(r for r in group if r.case.op == op) for op in ("forward", "adjoint")}
        both = {name: sum(best[name].median_s for best in of.values()) for name in of["forward"] if name in of["adjoint"]}
        if not both:
            continue
        pair = tuple(min(best.values(), key=lambda r: r.median_s) for best in of.values())
        single = min(both, key=both.get)
        found.append(Gain(problem, tuple(r.variant_name for r in pair), single, sum(r.median_s for r in pair),
                          both[single]))
    return found


def summary(found: list[Gain]) -> str:
    times = [gain.times for gain in found]
    return (f"Of {len(found)} problems: an engine for each operation is {statistics.median(times):.3f} times as fast "
            f"(median) as the fastest that has both, {WORTHWHILE} times aimed at; above that in "
            f"{sum(t > WORTHWHILE for t in times)}, at most {max(times):.2f} times.")


def text_of(found: list[Gain]) -> str:
    """Those that gain most, and the median."""
    if not found:
        return "no problem that an engine served in both operations"
    most = sorted(found, key=lambda g: -g.times)[:8]
    rows = [[f"{g.times:.2f}", g.problem, *g.pair, g.single] for g in most if g.times > 1]
    return "\n\n".join([table.text_table(["times", "problem", "forward", "adjoint", "single"], rows), summary(found)])
