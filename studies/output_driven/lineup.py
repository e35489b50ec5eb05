# SPDX-License-Identifier: Apache-2.0
"""Who spreads a case, and how long each takes: the output-driven scheme as written and as improved, the others
of this suite, and cuFINUFFT's methods by their numbers."""

from __future__ import annotations

from dataclasses import dataclass, field

from analysis import rank
from analysis.records.cases import Case
from analysis.records.record import Record

MODES = {"cuda": "graph", "cpu": "batch"}
WRITTEN, IMPROVED = "as written", "improved"
SCHEME = "nufft_output_driven"
SETTINGS = {
    "cuda": {IMPROVED: {"tile": 0, "np": 32, "barrier": "auto", "most": 0, "padding": "least"},
             WRITTEN: {"tile": 0, "np": 32, "barrier": "point", "most": 1024, "padding": "published"}},
    "cpu": {IMPROVED: {"tile": 0, "np": 64}},
}
OURS = {f"nufft_{name}": name for name in ("subproblem", "hybrid", "scatter", "interleaved")}
PUBLISHED = "cuFINUFFT 3"  # the scheme as its publishers have it
COLUMNS = [IMPROVED, WRITTEN, *OURS.values(), *(f"cuFINUFFT {n}" for n in range(5)), "FINUFFT"]


@dataclass(frozen=True)
class Lineup:
    """The contestants of a case on a device, by their names in COLUMNS."""

    device: str
    case: Case
    of: dict[str, Record] = field(compare=False)

    def seconds(self, name: str) -> float | None:
        return self.of[name].median_s if name in self.of else None

    def ratio(self, slow: str, fast: str) -> float | None:
        """How many times as long one takes as the other; None where one is missing."""
        one, other = self.seconds(slow), self.seconds(fast)
        return one / other if one and other else None

    @property
    def fastest(self) -> str:
        return min(self.of, key=self.seconds)

    @property
    def points(self) -> str:
        """How they lie: evenly, or crowded at the centre."""
        return "even" if self.case.traj == "random" else "crowded"


def name_of(record: Record) -> str | None:
    """The contestant's name; None for other settings of the scheme, and for who takes no part."""
    if record.family == SCHEME:
        settings = SETTINGS.get(record.backend, {})
        return next((name for name, knobs in settings.items() if has(record, knobs)), None)
    if record.family == "cufinufft":
        return f"cuFINUFFT {record.knobs.get('gpu_method')}"
    return "FINUFFT" if record.family == "finufft" else OURS.get(record.family)


def has(record: Record, knobs: dict[str, object]) -> bool:
    return knobs.items() <= (record.knobs or {}).items()


def in_mode(records: list[Record]) -> list[Record]:
    """Those timed in the mode in which a device's are compared."""
    return [r for r in records if r.mode == MODES.get(r.backend)]


def lineups(records: list[Record], op: str = "adjoint") -> list[Lineup]:
    """Of the cases in which the scheme takes part, in the order of reading."""
    cases = rank.grouped((r for r in in_mode(records) if r.case.op == op and name_of(r)),
                         lambda r: (r.device.slug, r.case))
    found = [Lineup(device, case, {name_of(r): r for r in some}) for (device, case), some in cases.items()]
    return sorted((l for l in found if IMPROVED in l.of), key=lambda l: (l.device, place(l.case)))


def place(case: Case) -> tuple:
    """By dimension, size and points, then from the largest tolerance to the least."""
    return (case.dim, case.pairs, case.traj or "", case.prec, -case.tol)
