# SPDX-License-Identifier: Apache-2.0
"""Groups of devices beside the best plan of one: efficiencies, what was wanted, and the model of docs/scaling.md.

Lines of configs/scaling.def: CASE | VARIANT | GPUS | EFFICIENCY in % | DEVICE. {a,b} of words stands for one line
each; VARIANT is the name of the engine that the plain plan was held to, or `.*`; GPUS are devices, "2", or with what
else `bench` is told, "2 ranks", "2 cg=10". A group is judged by those of its arrays that did best: a caller has them
whole or in parts.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from pathlib import Path

from . import goals, table
from .program import ROOT, short
from .records import cases
from .records.errors import RecordsError
from .records.record import Records, Scaling

WANTED = ROOT / "configs/scaling.def"
GPUS = re.compile(r"(\d+)( ranks)?(?: cg=(\d+))?")
HEAD = ["case", "devices", "one", "all", "arrays", "split: engine", "bits", "wanted", "model", "found", "reached"]


@dataclass(frozen=True)
class Wanted:
    case: cases.Case
    variant: str  # expression over NAME.BACKEND
    gpus: int
    efficiency: float
    device: str
    ranks: bool = False
    iterations: int = 0

    def is_of(self, row: Scaling, plain: Scaling | None) -> bool:
        """Whether a group, beside its plain plan, is what was asked for."""
        return (_place(row)[1:] == (self.case, self.gpus, self.ranks, self.iterations)
                and bool(re.fullmatch(self.device, row.slug)) and bool(re.fullmatch(self.variant, _family(plain or row))))


@dataclass(frozen=True)
class Link:
    """bytes_s of one direction; step_s: a message's latency and a hand-over of threads."""

    bytes_s: float
    step_s: float
    measured: bool = False


# Of links that nobody measured: NVLink between H200, and processors that share their memory.
UNMEASURED = {"cuda": Link(300e9, 20e-6), "cpu": Link(8e9, 20e-6)}


@dataclass(frozen=True)
class Row:
    """What was found of a group; wanted None: nobody asked. found None: it was not measured."""

    wanted: Wanted | None
    found: Scaling | None
    plain: Scaling | None
    model: float | None

    @property
    def state(self) -> str:
        if self.wanted is None:
            return "-"
        if self.found is None:
            return "unmeasured"
        return "met" if self.found.efficiency >= self.wanted.efficiency else "missed"

    @property
    def label(self) -> str:
        one = self.found or self.wanted
        return one.case.label + (f", {one.iterations} iterations" if one.iterations else "")

    @property
    def devices(self) -> str:
        one = self.found or self.wanted
        return f"{one.gpus} ranks" if one.ranks else str(one.gpus)


def read(path: Path = WANTED) -> list[Wanted]:
    """RecordsError naming the line that is none."""
    lines = [line.partition("#")[0].strip() for line in path.read_text(encoding="utf-8").splitlines()]
    rows = [[part.strip() for part in line.split(" | ")] for line in lines if line]
    for row in rows:
        if len(row) != 5 or not GPUS.fullmatch(row[2]):
            raise RecordsError(f"{path}: '{' | '.join(row)}' is not CASE | VARIANT | GPUS | EFFICIENCY | DEVICE")
    cases.learn(text for row in rows for text in goals.expand(row[0], goals.WORDS))
    found = []
    for case, variant, gpus, value, device in rows:
        number, ranks, iterations = GPUS.fullmatch(gpus).groups()
        found += [Wanted(cases.parse(text), variant, int(number), float(value) / 100, device, bool(ranks), int(iterations or 0))
                  for text in goals.expand(case, goals.WORDS)]
    return found


def link(row: Scaling) -> Link:
    """That the group was planned with, where `peak` had measured it, else as is said above."""
    told = row.raw.get("link")
    return Link(told["bytes_s"], told["step_s"], True) if told else UNMEASURED[row.backend]


def seconds(plain_s: float, gpus: int, moved: dict[str, float], of: Link) -> float:
    """t(P) of docs/scaling.md. moved: of a device other than the first, bytes."""
    if gpus == 1:
        return plain_s
    gathered = (gpus - 1) * (moved.get("in", 0) + moved.get("out", 0)) / of.bytes_s
    levels = math.ceil(math.log2(gpus)) if moved.get("sum") else 0
    return plain_s / gpus + gathered + levels * (of.step_s + moved.get("sum", 0) / of.bytes_s) + of.step_s


def predicted(row: Scaling, plain_s: float, gpus: int) -> float:
    """Efficiency by the model of the same arrays on so many devices. What is gathered of each becomes less. Of
    iterations each has one operation, and what else is done with vectors is thought to be none."""
    plain_s /= max(1, row.iterations)
    moved = row.raw.get("moved_bytes") or {}
    less = {name: value * row.gpus / gpus if name == "out" or name == "in" and _input_is_cut(row) else value
            for name, value in moved.items()}
    return plain_s / (gpus * seconds(plain_s, gpus, less, link(row)))


def _input_is_cut(row: Scaling) -> bool:
    if row.split == "coils":
        return row.case.op == "adjoint" or not (row.raw.get("problem") or {}).get("maps")
    return row.split == "samples" and row.case.op == "adjoint"


def newest(records: Records) -> list[Scaling]:
    """Of each case, engine, group and arrays the newest run's."""
    kept: dict[tuple, Scaling] = {}
    for row in sorted(records.scalings, key=lambda row: row.run.started):
        kept[*_place(row), _family(row), row.plain, row.arrays] = row
    return list(kept.values())


def _place(row: Scaling) -> tuple:
    return row.slug, row.case, row.gpus, row.ranks, row.iterations


def _family(row: Scaling) -> str:
    return row.engine.partition(":")[0]


def _plain_of(row: Scaling, every: list[Scaling]) -> Scaling | None:
    """Of the same run: efficiency is against it."""
    mine = (p for p in every if p.plain and p.run.id == row.run.id and p.case == row.case and p.slug == row.slug
            and p.iterations == row.iterations)
    return next(mine, None)


def judge(records: Records, wanted: list[Wanted]) -> list[Row]:
    """What was wanted of devices that there are, in its order, then what was found besides."""
    every = newest(records)
    groups = [row for row in every if row.gpus > 1]
    rows, seen = [], set()
    for want in wanted:
        if not any(re.fullmatch(want.device, row.slug) for row in every):
            continue
        mine = [row for row in groups if want.is_of(row, _plain_of(row, records.scalings))]
        best = max(mine, key=lambda row: row.efficiency, default=None)
        seen |= {_place(row) for row in mine}
        rows.append(_row(records, want, best))
    rest: dict[tuple, Scaling] = {}
    for row in groups:
        place = _place(row)
        if place not in seen and (place not in rest or row.efficiency > rest[place].efficiency):
            rest[place] = row
    return rows + [_row(records, None, row) for row in rest.values()]


def _row(records: Records, want: Wanted | None, found: Scaling | None) -> Row:
    plain = _plain_of(found, records.scalings) if found else None
    model = predicted(found, plain.median_s, found.gpus) if plain else None
    return Row(want, found, plain, model)


def percent(value: float | None) -> str:
    return "-" if value is None else f"{100 * value:.1f} %"


def bits(row: Scaling | None) -> str:
    same = row.raw.get("same_bits") if row else None
    return "-" if same is None else "same" if same else "OTHER"


def cells(row: Row) -> list[str]:
    f = row.found
    return [row.label, row.devices, table.seconds(row.plain.median_s if row.plain else None),
            table.seconds(f.median_s if f else None), f.arrays if f else "-",
            f"{f.split}: {short(f.engine)}" if f else "-", bits(f), percent(row.wanted.efficiency if row.wanted else None),
            percent(row.model), percent(f.efficiency if f else None), row.state]


def text_of(rows: list[Row]) -> str:
    counts = [f"{n} {state}" for state in ("met", "missed", "unmeasured") if (n := sum(r.state == state for r in rows))]
    return table.text_table(HEAD, [cells(row) for row in rows]) + ("\n\n" + ", ".join(counts) if counts else "")
