# SPDX-License-Identifier: Apache-2.0
"""Who wins: passes grouped by problem class, ordered, with ties where timing cannot tell.

A class holds one or more cases. Variants are compared on the cases that both passed, by the
geometric mean of the ratio of their times; whoever passed more cases of the class ranks first, so
that a variant cannot win by being measured only where it is good.

Among dozens of knob settings the fastest one is partly the luckiest one. So everything that timing
cannot tell from the fastest is a tie, and a tie is broken by what does not change from run to run.
"""

from __future__ import annotations

import dataclasses
import math
from dataclasses import dataclass
from typing import Any, Callable, Hashable, Iterable

from .records.cases import Case
from .records.classes import ProblemClass, TransformClass, class_label, problem_class
from .records.load import Record
from .plots.style import family_rank

Key = Callable[[Record], Hashable]
Measured = tuple[float, tuple[float, float]]


RESOLUTION = 0.005  # relative; sampling stops at intervals this wide, so less is not told apart
NO_WINNER = "in doubt: no winner"  # what is said of Record.has_no_one_time
NEAR = 0.05  # relative; beyond it the slower one is no equal, however wide the intervals


@dataclass
class Registry:
    """What `ndft list --json` knows of the variants; empty where it was not asked."""

    order: dict[str, int] = dataclasses.field(default_factory=dict)  # NAME.BACKEND -> place
    deterministic: dict[str, bool] = dataclasses.field(default_factory=dict)
    presets: frozenset[str] = frozenset()  # ids with every knob at its default

    @staticmethod
    def of(listed: dict[str, Any]) -> "Registry":
        registry, presets = Registry(), set()
        for i, v in enumerate(listed["variants"]):
            name = f"{v['name']}.{v['backend']}"
            registry.order[name] = i
            if v.get("claim"):  # null where it was not built
                registry.deterministic[name] = v["claim"]["deterministic"]
                presets.add(v["id"])
        registry.presets = frozenset(presets)
        return registry


@dataclass
class Entry:
    """One variant id in one class, with the fastest pass of each case."""

    id: str
    records: dict[Case, Record]

    @property
    def first(self) -> Record:
        return next(iter(self.records.values()))

    @property
    def rate(self) -> float:
        """coil_pairs/s, geometric mean over the cases."""
        return geomean(r.coil_pairs_per_s for r in self.records.values())

    @property
    def rate_interval(self) -> tuple[float, float]:
        low = geomean(r.rate_at(r.interval[1]) for r in self.records.values())
        return low, geomean(r.rate_at(r.interval[0]) for r in self.records.values())

    @property
    def rel_l2(self) -> float | None:
        return max((r.rel_l2 for r in self.records.values() if r.rel_l2 is not None), default=None)

    @property
    def error(self) -> float:
        """What was promised or measured at worst, whichever is larger."""
        return max((e for r in self.records.values() for e in (r.rel_l2, r.claim)
                    if e is not None), default=math.inf)

    def simplicity(self, registry: Registry) -> tuple:
        """Tie-break: plan memory, determinism, the order of variants.def, defaults, the id."""
        memory = [r.plan_bytes for r in self.records.values()]
        bytes_ = math.inf if None in memory else max(memory)
        name = self.first.variant_name
        return (bytes_, not registry.deterministic.get(name, False),
                registry.order.get(name, len(registry.order)), family_rank(self.first.family),
                self.id not in registry.presets, self.id)


@dataclass
class Decision:
    """The pick of a class. runner_up is the best entry of another variant, if there is one."""

    problem: ProblemClass | TransformClass
    cases: list[Case]
    entries: list[Entry]  # best first
    ties: list[Entry]  # that timing cannot tell from the fastest, which is among them
    pick: Entry
    order: list[Entry]  # of preference: the pick, its ties, the best of every other variant

    @property
    def fastest(self) -> Entry:
        return self.entries[0]

    @property
    def runner_up(self) -> Entry | None:
        own = self.pick.first.variant_name
        return next((e for e in self.entries if e.first.variant_name != own), None)

    @property
    def tied(self) -> bool:
        return self.runner_up is not None and self.runner_up in self.ties

    @property
    def margin(self) -> float | None:
        """How much faster the pick is than the runner-up: 0.08 is 8 %."""
        ratio = speedup(self.pick, self.runner_up)
        return None if ratio is None else ratio - 1

    @property
    def margin_interval(self) -> tuple[float, float] | None:
        """The margin at the worst and at the best ends of both intervals."""
        low, high = (speedup_at(self.pick, self.runner_up, ends) for ends in ((1, 0), (0, 1)))
        return None if low is None else (low - 1, high - 1)

    @property
    def naive(self) -> Entry | None:
        """The plain kernel that the pick is compared with, of its own backend where measured."""
        plain = [e for e in self.entries if e.first.family in ("naive", "uniform_naive")]
        plain.sort(key=lambda e: e.first.backend != self.pick.first.backend)
        return plain[0] if plain else None

    @property
    def label(self) -> str:
        return self.cases[0].label if len(self.cases) == 1 else class_label(self.problem)


@dataclass
class Undecided:
    """A class in which all that passed has times in doubt, so that nothing ranks."""

    problem: ProblemClass | TransformClass
    provisional: Record  # the fastest of them, for whoever has to take one

    @property
    def label(self) -> str:
        return self.provisional.case.label


def geomean(values: Iterable[float]) -> float:
    logs = [math.log(value) for value in values]
    return math.exp(sum(logs) / len(logs))


def speedup(a: Entry, b: Entry | None) -> float | None:
    """Time of b over time of a on the cases that both passed; None where there are none."""
    shared = [case for case in a.records if b and case in b.records]
    if not shared:
        return None
    return geomean(b.records[c].median_s / a.records[c].median_s for c in shared)


def speedup_at(a: Entry, b: Entry | None, ends: tuple[int, int]) -> float | None:
    """The same between these ends (0 the lower, 1 the upper) of the intervals of a and of b."""
    shared = [case for case in a.records if b and case in b.records]
    if not shared:
        return None
    return geomean(b.records[c].interval[ends[1]] / a.records[c].interval[ends[0]] for c in shared)


def decide(records: Iterable[Record], registry: Registry = Registry()) -> list[Decision]:
    """One decision per problem class that has a pass, in the order of the classes; of our own
    variants and the vendors', since no other peer is chosen."""
    classes = grouped((r for r in records if r.ranks and r.may_be_chosen), problem_class)
    return [_decide(problem, classes[problem], registry)
            for problem in sorted(classes, key=lambda problem: problem.place)]


def undecided(records: Iterable[Record]) -> list[Undecided]:
    """The classes that decide() has no decision for, since times are in doubt."""
    records = [r for r in records if not r.peer]
    known = {problem_class(r) for r in records if r.ranks}
    classes = grouped((r for r in records if r.has_no_one_time), problem_class)
    return [Undecided(problem, min(classes[problem], key=lambda r: r.median_s))
            for problem in sorted(classes.keys() - known, key=lambda problem: problem.place)]


def _decide(problem: ProblemClass | TransformClass, records: list[Record],
            registry: Registry) -> Decision:
    found: dict[str, dict[Case, Record]] = {}
    for (id_, case), record in fastest(records, lambda r: (r.id, r.case)).items():
        found.setdefault(id_, {})[case] = record
    entries = [Entry(id_, mine) for id_, mine in found.items()]
    entries.sort(key=lambda e: (-len(e.records), -e.rate, e.id))
    ties = [e for e in entries if tied(e, entries[0])]
    ranked = _representatives(ties, registry)
    all_cases = sorted({r.case for r in records}, key=lambda c: (c.pairs, c.text))
    best = {}
    for e in entries:
        best.setdefault(e.first.variant_name, e)
    order = ranked + [e for e in best.values() if e not in ties]
    return Decision(problem, all_cases, entries, ties, ranked[0], order)


def _representatives(ties: list[Entry], registry: Registry) -> list[Entry]:
    """The ties in order of preference: where a variant ties with its defaults, these alone count,
    since knobs that change nothing are better left alone."""
    plain = {e.first.variant_name for e in ties if e.id in registry.presets}
    kept = [e for e in ties
            if e.id in registry.presets or e.first.variant_name not in plain]
    return sorted(kept, key=lambda e: e.simplicity(registry))


def tied(a: Entry, b: Entry) -> bool:
    """Same cases passed, and timing cannot tell the two apart."""
    return a.records.keys() == b.records.keys() and alike((a.rate, a.rate_interval),
                                                          (b.rate, b.rate_interval))


def alike(a: Measured, b: Measured) -> bool:
    """Whether two medians, each with its interval, differ by less than sampling resolves, or have
    intervals that overlap and are near: noise makes no equals of the fast and the slow."""
    (a_middle, (a_low, a_high)), (b_middle, (b_low, b_high)) = a, b
    gap = abs(math.log(a_middle / b_middle))
    return gap <= RESOLUTION or (gap <= NEAR and a_low <= b_high and b_low <= a_high)


def grouped(records: Iterable[Record], key: Key) -> dict[Any, list[Record]]:
    """The records by their key, in order of first mention."""
    groups: dict[Any, list[Record]] = {}
    for record in records:
        groups.setdefault(key(record), []).append(record)
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
