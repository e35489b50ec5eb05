# SPDX-License-Identifier: Apache-2.0
"""Where a machine stands beside another: problem by problem, by the fastest engine of each."""

from __future__ import annotations

from dataclasses import dataclass, field
from statistics import median
from typing import Any, Iterable

from .. import rank
from ..rank import Decision
from ..records.cases import Case
from ..records.record import Record


FAIL = ("wrong", "error", "crashed", "timeout")  # verdicts by which a sweep's exit status is 1


@dataclass(frozen=True)
class Side:
    """What one machine has of a problem: a decision, or the fastest of times that are all in doubt."""

    decision: Decision | None = None
    doubt: Record | None = None


@dataclass
class Problem:
    case: Case
    here: Side
    there: Side
    choice: dict[str, Any] | None = None  # what `best` takes from now on

    @property
    def decisions(self) -> tuple[Decision, Decision] | None:
        """Of both machines."""
        here, there = self.here.decision, self.there.decision
        return (here, there) if here and there else None

    @property
    def ratio(self) -> float | None:
        """How many times as long the fastest engine here takes."""
        if self.decisions is None:
            return None
        here, there = (decision.pick.median_s for decision in self.decisions)
        return float(here / there)

    @property
    def same(self) -> bool | None:
        """Whether one engine wins on both, ties counting as wins; None where one has no winner."""
        if self.decisions is None:
            return None
        here, there = ({record.variant_name for record in decision.ties} for decision in self.decisions)
        return bool(here & there)


@dataclass
class Failure:
    """What became of an engine, in so many problems."""

    engine: str
    verdict: str
    reason: str
    problems: int


@dataclass
class Standing:
    device: str  # its slug, and what it is called
    name: str
    beside: str
    problems: list[Problem]
    failures: list[Failure]
    unmeasured: int = 0  # results that were planned
    records: str = ""
    wisdom: str | None = None
    notes: list[str] = field(default_factory=list)

    @property
    def ratios(self) -> list[float]:
        return [problem.ratio for problem in self.problems if problem.ratio is not None]

    @property
    def ratio(self) -> float | None:
        return median(self.ratios) if self.ratios else None

    @property
    def same(self) -> tuple[int, int]:
        """In how many problems one engine wins on both, and of how many that have a winner on both."""
        known = [problem.same for problem in self.problems if problem.same is not None]
        return sum(known), len(known)

    @property
    def wise(self) -> int:
        return sum(problem.choice is not None for problem in self.problems)


def problems(here: list[Record], there: Iterable[Record]) -> list[Problem]:
    """Every problem that was tried here, in the order of reading; of the other machine what was measured of
    the same engines."""
    tried = {(record.case, record.id) for record in here}
    alike = [record for record in there if (record.case, record.id) in tried]
    mine, theirs = _sides(here), _sides(alike)
    cases = sorted(dict.fromkeys(record.case for record in here), key=lambda case: case.place)
    return [Problem(case, mine.get(case, Side()), theirs.get(case, Side())) for case in cases]


def _sides(records: list[Record]) -> dict[Case, Side]:
    found = {record.case: Side(doubt=record) for record in rank.undecided(records)}
    return found | {decision.case: Side(decision) for decision in rank.decide(records)}


def failures(here: list[Record]) -> list[Failure]:
    """What did not pass, and why, the gravest verdict first."""
    groups = rank.grouped((record for record in here if record.verdict != "pass"),
                          lambda record: (record.verdict, record.variant_name, record.reason or ""))
    found = [Failure(name, verdict, reason, len({record.case for record in of}))
             for (verdict, name, reason), of in groups.items()]
    return sorted(found, key=lambda failure: (failure.verdict not in FAIL, failure.verdict))
