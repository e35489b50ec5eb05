# SPDX-License-Identifier: Apache-2.0
"""Who wins: passes grouped by problem class, ordered, with ties where intervals overlap.

A class holds one or more cases. Variants are compared on the cases that both passed, by the
geometric mean of the ratio of their times; whoever passed more cases of the class ranks first, so
that a variant cannot win by being measured only where it is good.
"""

from __future__ import annotations

import dataclasses
import math
from dataclasses import dataclass
from typing import Any, Callable, Hashable, Iterable

from .cases import OPS, Case, label
from .load import Record
from .style import family_rank

Key = Callable[[Record], Hashable]


@dataclass(frozen=True)
class ProblemClass:
    """What a dispatcher would look at. size is the centre of a bucket of 16x, in log2(pairs)."""

    machine: str
    dim: int
    prec: str
    gradients: bool
    field: bool
    coils: str
    tol: float
    size: int
    op: str
    mode: str


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

    def simplicity(self) -> tuple:
        """Tie-break: plan memory, then the order of the families, then the id."""
        memory = [r.plan_bytes for r in self.records.values()]
        bytes_ = math.inf if None in memory else max(memory)
        return (bytes_, family_rank(self.first.family), self.id)


@dataclass
class Decision:
    """The pick of a class. runner_up is the best entry of another variant, if there is one."""

    problem: ProblemClass
    cases: list[Case]
    entries: list[Entry]  # best first
    ties: list[Entry]  # within the fastest one's interval, the fastest included
    pick: Entry

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
    def naive(self) -> Entry | None:
        """The plain kernel that the pick is compared with, of its own backend where measured."""
        plain = [e for e in self.entries if e.first.family == "naive"]
        plain.sort(key=lambda e: e.first.backend != self.pick.first.backend)
        return plain[0] if plain else None

    @property
    def label(self) -> str:
        return label(self.cases[0]) if len(self.cases) == 1 else class_label(self.problem)


def geomean(values: Iterable[float]) -> float:
    logs = [math.log(value) for value in values]
    return math.exp(sum(logs) / len(logs))


def speedup(a: Entry, b: Entry | None) -> float | None:
    """Time of b over time of a on the cases that both passed; None where there are none."""
    shared = [case for case in a.records if b and case in b.records]
    if not shared:
        return None
    return geomean(b.records[c].median_s / a.records[c].median_s for c in shared)


def coils_bucket(coils: int) -> str:
    return next(name for top, name in ((1, "1"), (8, "2-8"), (32, "9-32"), (math.inf, "33-256"))
                if coils <= top)


def problem_class(record: Record) -> ProblemClass:
    case = record.case
    return ProblemClass(
        machine=record.run.machine, dim=case.dim, prec=case.prec, gradients=case.grad[0] != "none",
        field=case.field[0] != "none", coils=coils_bucket(case.coils), tol=case.tol,
        size=4 * round(math.log2(case.pairs) / 4), op=case.op, mode=record.mode or "batch",
    )


def class_label(problem: ProblemClass) -> str:
    words = [problem.op, f"{problem.dim}d", f"~2^{problem.size} pairs"]
    words.append("field" if problem.field else "no field")
    words += ["gradients"] * problem.gradients
    words += [f"coils={problem.coils}"] * (problem.coils != "1")
    words += [problem.prec] * (problem.prec != "f32")
    return " ".join(words + [f"tol={problem.tol:g}"] * (problem.tol != 1e-4))


def decide(records: Iterable[Record]) -> list[Decision]:
    """One decision per problem class that has a pass, in the order of the classes."""
    classes = grouped((r for r in records if r.ranks), problem_class)
    return [_decide(problem, classes[problem]) for problem in sorted(classes, key=_reading_order)]


def _reading_order(problem: ProblemClass) -> tuple:
    return (*dataclasses.astuple(problem)[:-2], OPS.index(problem.op), problem.mode)


def _decide(problem: ProblemClass, records: list[Record]) -> Decision:
    found: dict[str, dict[Case, Record]] = {}
    for (id_, case), record in fastest(records, lambda r: (r.id, r.case)).items():
        found.setdefault(id_, {})[case] = record
    entries = [Entry(id_, mine) for id_, mine in found.items()]
    entries.sort(key=lambda e: (-len(e.records), -e.rate, e.id))
    ties = [e for e in entries if overlaps(e, entries[0])]
    all_cases = sorted({r.case for r in records}, key=lambda c: (c.pairs, c.text))
    return Decision(problem, all_cases, entries, ties, min(ties, key=Entry.simplicity))


def overlaps(a: Entry, b: Entry) -> bool:
    """Same cases passed and the intervals of the rate share a point."""
    if a.records.keys() != b.records.keys():
        return False
    (a_low, a_high), (b_low, b_high) = a.rate_interval, b.rate_interval
    return a_low <= b_high and b_low <= a_high


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
