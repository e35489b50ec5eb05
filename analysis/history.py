# SPDX-License-Identifier: Apache-2.0
"""A measurement over builds, and where it changed.

A build is that of the variant: of its sources, their headers and flags, and of a peer its library. What
successive builds took is compared as two sets of records are (change.py): by all runs and processes of
each, all comparisons of a history together. Times of two clocks never stand in one line.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from itertools import groupby, pairwise
from typing import Hashable, Iterable

from . import change, compare, rank, table
from .change import VERDICTS, Change
from .pairing import Pair
from .ratio import Ratio
from .records import load
from .records.cases import Case
from .records.current import build_of
from .records.record import Record, Records, Run
from .times import Times

CHANGED = ("slower", "faster")
HEAD = ["time", "after/before", "95 % interval", "before", "after", "builds", "variant", "mode", "device", "case"]


@dataclass(frozen=True)
class Mark:
    """A change from one build to the next; times of both."""

    verdict: str
    ratio: Ratio
    before: Record
    after: Record
    times: tuple[Times, ...]

    @property
    def builds(self) -> str:
        return f"{name_of(self.before.run)} -> {name_of(self.after.run)}"


@dataclass(eq=False)
class Line:
    """One id on one problem, device and clock, in one mode: a record for each build, oldest first, and what
    became of it from each to the next."""

    records: list[Record]
    steps: list[Change] = field(default_factory=list)

    @property
    def last(self) -> Record:
        return self.records[-1]

    @property
    def marks(self) -> list[Mark]:
        return [Mark(step.verdict, step.ratio, before, after, step.sides)
                for step, before, after in zip(self.steps, self.records, self.records[1:])
                if step.verdict in CHANGED and step.ratio]


@dataclass(eq=False)
class Chart:
    """All lines of a problem on a device in a mode."""

    lines: list[Line]

    @property
    def case(self) -> Case:
        return self.lines[0].last.case

    @property
    def marks(self) -> list[Mark]:
        return [mark for line in self.lines for mark in line.marks]

    @property
    def runs(self) -> list[Run]:
        """All that its builds were measured in, oldest first."""
        found = {record.run.id: record.run for line in self.lines for record in line.records}
        return sorted(found.values(), key=lambda run: (run.started, run.id))


def name_of(run: Run) -> str:
    """Of the build that was measured: commit and day, + for local changes."""
    return f"{run.commit[:8] or 'unknown'}{'+' * run.dirty} {run.started[:4]}-{run.started[4:6]}-{run.started[6:8]}"


def of(records: Records, gate: float) -> list[Chart]:
    """Those with at least two builds of something, the changed ones first, by how much they did; says in the
    notes what is left out, and which clocks are apart."""
    ranked = [record for record in records.every if record.ranks]
    lines = [Line(_builds(group)) for group in rank.grouped(ranked, _measurement).values()]
    several = [line for line in lines if len(line.records) > 1]
    _judge(several, gate)
    _tell(records, several, lines, gate)
    charts = [Chart(group) for group in rank.grouped(several, lambda line: _place(line.last)).values()]
    return sorted(charts, key=_order)


def _place(record: Record) -> tuple[Hashable, ...]:
    return record.device.slug, record.case, record.how


def _measurement(record: Record) -> tuple[Hashable, ...]:
    return *_place(record), record.id, record.native, record.clock


def _builds(group: list[Record]) -> list[Record]:
    """One record for each build that follows another, its earlier runs in it."""
    ordered = sorted(group, key=lambda record: record.run.started)
    return [load.newest(list(same), [])[-1] for _, same in groupby(ordered, build_of)]


def _judge(lines: Iterable[Line], gate: float) -> None:
    for line in lines:
        line.steps = [change.begin(Pair(a, b), gate, cycles=False) for a, b in pairwise(line.records)]
    change.finish([step for line in lines for step in line.steps], gate)


def _order(chart: Chart) -> tuple[Hashable, ...]:
    return -max((mark.ratio.size for mark in chart.marks), default=0.0), *_place(chart.lines[0].last)[:1], chart.case.place, chart.lines[0].last.how


def _tell(records: Records, several: list[Line], lines: list[Line], gate: float) -> None:
    clocks: dict[tuple[Hashable, ...], set[int]] = {}
    for line in lines:
        clocks.setdefault(_measurement(line.last)[:-1], set()).add(line.last.clock)
    apart = sum(len(found) > 1 for found in clocks.values())
    notes = ((apart, "measurements have records of two clocks or more: a line for each, never joined"),
             (len(lines) - len(several), "measurements left out: of one build by their clock"),
             (sum(record.has_no_one_time for record in records.every), "records left out: their times are in doubt"))
    records.notes += [f"{count} {why}" for count, why in notes if count]
    records.notes += compare.doubts([step for line in several for step in line.steps], gate, cycles=False)


def marks_of(charts: list[Chart]) -> list[Mark]:
    """All changes, the largest first."""
    return sorted((mark for chart in charts for mark in chart.marks), key=lambda mark: -mark.ratio.size)


def text_of(charts: list[Chart], gate: float) -> str:
    """Every change, and counts."""
    marks = marks_of(charts)
    parts = [table.text_table(HEAD, [_row(mark) for mark in marks])] if marks else []
    lines = [line for chart in charts for line in chart.lines]
    counts = Counter(step.verdict for line in lines for step in line.steps)
    parts.append(f"{len(charts)} problems with {len(lines)} measurements of two builds or more; from build to build "
                 + ", ".join(f"{counts[verdict]} {verdict}" for verdict in VERDICTS if counts[verdict])
                 + f", by a gate of {100 * gate:g} %")
    return "\n\n".join(parts)


def _row(mark: Mark) -> list[str]:
    ratio, after = mark.ratio, mark.after
    return [mark.verdict, f"{ratio.value:.4f}", f"{ratio.low:.4f} to {ratio.high:.4f}",
            *(table.seconds(side.middle) for side in mark.times), mark.builds, after.id, after.mode_shown,
            after.device.slug, after.case.label]
