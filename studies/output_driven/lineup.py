# SPDX-License-Identifier: Apache-2.0
"""Who spreads a case, and how long each takes: the output-driven scheme as written and as improved, the others
of this suite, cuFINUFFT's methods by their numbers, and FINUFFT's subproblems by what it was told."""

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
FINUFFT = "FINUFFT"  # on a processor: subproblems, each in a padded box, then added to the grid
# What it is told of its oversampling and of sorting its points, all else being its own choice.
TOLD = {FINUFFT: ("auto", "2"), "FINUFFT 2": ("200", "2"), "FINUFFT 2 sorted": ("200", "1"),
        "FINUFFT 2 unsorted": ("200", "0")}
COLUMNS = [IMPROVED, WRITTEN, *OURS.values(), *(f"cuFINUFFT {n}" for n in range(5)), *TOLD]


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
    def finufft(self) -> str:
        """The fastest of FINUFFT's, by whatever it was told; its own choice where there is none."""
        return min((name for name in TOLD if name in self.of), key=self.seconds, default=FINUFFT)

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
    if record.family == "finufft":
        told = tuple(str(record.knobs.get(knob)) for knob in ("upsampfac", "spread_sort"))
        return next((name for name, words in TOLD.items() if words == told), None)
    return OURS.get(record.family)


def has(record: Record, knobs: dict[str, object]) -> bool:
    return knobs.items() <= (record.knobs or {}).items()


def in_mode(records: list[Record]) -> list[Record]:
    """Those timed in the mode in which a device's are compared."""
    return [r for r in records if r.mode == MODES.get(r.backend)]


def lineups(records: list[Record], op: str = "adjoint") -> list[Lineup]:
    """Of the cases in which the scheme takes part, in the order of reading. Of records of one name, FINUFFT's of more
    tolerances than one, it is the fastest that counts."""
    cases = rank.grouped((r for r in in_mode(records) if r.case.op == op and name_of(r)),
                         lambda r: (r.device.slug, r.case))
    found = [Lineup(device, case, {name_of(r): r for r in sorted(some, key=lambda r: -r.median_s)})
             for (device, case), some in cases.items()]
    return sorted((l for l in found if IMPROVED in l.of), key=lambda l: (l.device, place(l.case)))


def place(case: Case) -> tuple:
    """By dimension, size and points, then from the largest tolerance to the least."""
    return (case.dim, case.pairs, case.traj or "", case.prec, -case.tol)
