# SPDX-License-Identifier: Apache-2.0
"""Who wins a case: its passes in the order of their times, with ties where timing cannot tell.

Among dozens of knob settings the fastest one is partly the luckiest one. So everything that timing
cannot tell from the fastest is a tie, and a tie is broken by what does not change from run to run.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Callable, Hashable, Iterable, TypeVar

from .plots.palette import family_rank
from .records.cases import Case
from .records.record import Record

Item = TypeVar("Item")
Key = Callable[[Record], Hashable]
Measured = tuple[float, tuple[float, float]]


RESOLUTION = 0.005  # relative; sampling stops at intervals this wide, so less is not told apart
NO_WINNER = "in doubt: no winner"  # what is said of Record.has_no_one_time
NEAR = 0.05  # relative; beyond it the slower one is no equal, however wide the intervals
PLAIN = ("naive", "uniform_naive")  # the kernels that a pick is compared with


@dataclass(eq=False)
class Decision:
    """The pick of a case on a device in a timing mode."""

    records: list[Record]  # the fastest pass of every id, best first
    ties: list[Record]  # that timing cannot tell from the fastest, which is among them
    pick: Record

    @property
    def device(self) -> str:
        """Its slug."""
        return self.pick.device.slug

    @property
    def case(self) -> Case:
        return self.pick.case

    @property
    def mode(self) -> str:
        return self.pick.mode or "-"

    @property
    def runner_up(self) -> Record | None:
        """The best of another variant, if there is one."""
        return next((r for r in self.records if r.variant_name != self.pick.variant_name), None)

    @property
    def tied(self) -> bool:
        return self.runner_up is not None and self.runner_up in self.ties

    @property
    def margin(self) -> float | None:
        """How much longer the runner-up takes than the pick: 0.08 is 8 %."""
        return self.runner_up.median_s / self.pick.median_s - 1 if self.runner_up else None

    @property
    def margin_interval(self) -> tuple[float, float] | None:
        """The margin at the worst and at the best ends of both intervals."""
        if self.runner_up is None:
            return None
        (low, high), (least, most) = self.pick.interval, self.runner_up.interval
        return least / high - 1, most / low - 1

    @property
    def naive(self) -> Record | None:
        return next((r for r in self.records if r.family in PLAIN), None)


def decide(records: Iterable[Record]) -> list[Decision]:
    """One decision per device, case and mode that has a pass, in the order of reading; of our own
    variants and the vendors', since no other peer is chosen."""
    groups = grouped((r for r in records if r.ranks and r.may_be_chosen), _problem)
    return sorted(map(_decide, groups.values()), key=lambda d: _place(d.pick))


def undecided(records: Iterable[Record]) -> list[Record]:
    """Where decide() has no decision since times are in doubt: the fastest of them, for whoever has
    to take one."""
    records = [r for r in records if r.may_be_chosen]
    decided = {_problem(r) for r in records if r.ranks}
    groups = grouped((r for r in records if r.has_no_one_time), _problem)
    return sorted((min(group, key=lambda r: r.median_s) for problem, group in groups.items()
                   if problem not in decided), key=_place)


def _decide(passes: list[Record]) -> Decision:
    best = fastest(passes, lambda r: r.id).values()
    ranked = sorted(best, key=lambda r: (r.median_s, r.id))
    ties = [r for r in ranked if tied(r, ranked[0])]
    return Decision(ranked, ties, min(ties, key=_simplicity))


def _problem(record: Record) -> tuple[str, Case, str | None]:
    """What a decision is made for."""
    return record.device.slug, record.case, record.mode


def _place(record: Record) -> tuple:
    """In the order of reading."""
    return record.device.slug, *record.case.place, record.mode or ""


def _simplicity(record: Record) -> tuple:
    """What breaks a tie: plan memory, the order of the families, the id."""
    memory = math.inf if record.plan_bytes is None else record.plan_bytes
    return memory, family_rank(record.family), record.id


def tied(a: Record, b: Record) -> bool:
    """Whether timing cannot tell the two apart."""
    return alike((a.median_s, a.interval), (b.median_s, b.interval))


def alike(a: Measured, b: Measured) -> bool:
    """Whether two medians, each with its interval, differ by less than sampling resolves, or have
    intervals that overlap and are near: noise makes no equals of the fast and the slow."""
    (a_middle, (a_low, a_high)), (b_middle, (b_low, b_high)) = a, b
    gap = abs(math.log(a_middle / b_middle))
    return gap <= RESOLUTION or (gap <= NEAR and a_low <= b_high and b_low <= a_high)


def grouped(items: Iterable[Item], key: Callable[[Item], Hashable]) -> dict[Any, list[Item]]:
    """The items by their key, in order of first mention."""
    groups: dict[Any, list[Item]] = {}
    for item in items:
        groups.setdefault(key(item), []).append(item)
    return groups


def fastest(records: Iterable[Record], key: Key) -> dict[Any, Record]:
    """The fastest pass of every key."""
    passes = grouped((r for r in records if r.ranks), key)
    return {k: min(group, key=lambda r: r.median_s) for k, group in passes.items()}


def best_of(records: Iterable[Record]) -> dict[str, Record]:
    """The fastest pass of each NAME.BACKEND."""
    return fastest(records, lambda r: r.variant_name)


def main_mode(records: list[Record]) -> list[Record]:
    """The records of one timing mode, so that a figure never mixes two: batch where it exists."""
    modes = [r.mode for r in records]
    mode = "batch" if "batch" in modes or not modes else max(sorted(set(modes)), key=modes.count)
    return [r for r in records if r.mode == mode]
