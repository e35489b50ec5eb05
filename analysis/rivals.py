# SPDX-License-Identifier: Apache-2.0
"""Ours beside other people's libraries, case by case, plans and set-points counted."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Iterable

from . import rank, table
from .records.record import Record

CALLS = (1, 10, 100)
OURS = "ndft"
Contest = dict[str, Record]  # by library its fastest record of one case in one mode
HEAD = ("plan and set-points, theirs", "plan, ours", "execution, theirs", "execution, ours",
        *(f"times as fast, N = {n}" for n in CALLS), "without end", "passes from N")


@dataclass
class Duel:
    """The fastest of ours and of theirs on one case in one mode."""

    ours: Record
    theirs: Record

    @property
    def ratio(self) -> float:
        """How many times as fast ours is, execution alone; below 1 it loses."""
        return self.theirs.median_s / self.ours.median_s

    def after(self, calls: int) -> float:
        """The same with plans and so many executions."""
        return ((before(self.theirs) + calls * self.theirs.median_s)
                / (before(self.ours) + calls * self.ours.median_s))

    @property
    def passes_from(self) -> int | None:
        """From how many executions on ours takes less, plans included; None: never."""
        gain = self.theirs.median_s - self.ours.median_s
        plan = before(self.ours) - before(self.theirs)
        if gain <= 0:
            return None
        return max(1, math.floor(plan / gain) + 1)

    @property
    def cells(self) -> list[str]:
        """What stands below HEAD."""
        times = (before(self.theirs), before(self.ours), self.theirs.median_s, self.ours.median_s)
        ratios = (*map(self.after, CALLS), self.ratio)
        return [*map(table.seconds, times), *map(table.figures, ratios), str(self.passes_from or "never")]


def before(r: Record) -> float:
    """Seconds before the first execution; of ours the points are in the plan."""
    return (r.plan_s or 0) + (r.setpts_s or 0)


def library(r: Record) -> str:
    """FINUFFT, of "FINUFFT, Flatiron Institute"."""
    return str(r.peer["who"]).partition(",")[0] if r.peer else OURS


def contests(records: Iterable[Record]) -> list[Contest]:
    """One for each case and mode that we and somebody else have."""
    groups = rank.grouped((r for r in records if r.ranks), lambda r: (r.device.slug, r.backend, r.case, r.how))
    found = [rank.fastest(group, library) for group in groups.values()]
    return [contest for contest in found if OURS in contest and len(contest) > 1]


def duels(found: Iterable[Contest]) -> list[Duel]:
    """Ours and the fastest of theirs, what is lost most first."""
    def duel(contest: Contest) -> Duel:
        theirs = [r for name, r in contest.items() if name != OURS]
        return Duel(contest[OURS], min(theirs, key=lambda r: r.median_s))
    return sorted(map(duel, found), key=lambda d: (d.ratio, d.ours.case.text))


def summary(found: list[Duel]) -> str:
    """3 of 40 lost, least 0.91 times as fast, geometric mean 1.70 times, execution alone."""
    middle = math.exp(sum(math.log(d.ratio) for d in found) / len(found))
    return (f"{sum(d.ratio < 1 for d in found)} of {len(found)} lost, least "
            f"{table.figures(found[0].ratio)} times as fast, geometric mean {table.figures(middle)} "
            "times, execution alone.")
