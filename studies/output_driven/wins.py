# SPDX-License-Identifier: Apache-2.0
"""Where the scheme wins, and what the rest is due to: the idea or the code."""

from __future__ import annotations

import math
from pathlib import Path

from analysis import rank, table
from analysis.records.record import Record

from . import picture
from .lineup import COLUMNS, FINUFFT, IMPROVED, PUBLISHED, WRITTEN, Lineup, lineups

SAME = 1.05  # times that differ by less are called the same


def times(records: list[Record], op: str) -> str:
    """A table for each device: a case a row, a contestant a column, the fastest in bold."""
    parts = []
    for device, some in rank.grouped(lineups(records, op), lambda l: l.device).items():
        names = [name for name in COLUMNS if any(name in l.of for l in some)]
        parts += [f"**{device}**", table.markdown_table(["case", *names], [_row(l, names) for l in some],
                                                        range(1, len(names) + 1))]
    return "\n\n".join(parts)


def _row(line: Lineup, names: list[str]) -> list[str]:
    def cell(name: str) -> str:
        said = table.seconds(line.seconds(name))
        return f"**{said}**" if name == line.fastest else said
    return [label(line), *map(cell, names)]


def label(line: Lineup) -> str:
    case = line.case
    return f"{case.dim}D {case.size_label} {case.traj}, {case.prec} {table.error(case.tol)}"


def adjoint(records: list[Record], _: Path) -> str:
    return times(records, "adjoint")


def forward(records: list[Record], _: Path) -> str:
    return times(records, "forward")


def where(records: list[Record], into: Path) -> str:
    """By dimension, precision and points: how often the scheme is the fastest, how many times as long others take,
    and the answer."""
    parts = []
    for device, some in rank.grouped(lineups(records), lambda l: l.device).items():
        groups = rank.grouped(some, lambda l: f"{l.case.dim}D, {l.case.prec}, {l.points}")
        others = [n for n in (WRITTEN, "subproblem", "hybrid", "scatter", PUBLISHED) if any(n in l.of for l in some)]
        theirs = [FINUFFT] if any(l.finufft in l.of for l in some) else []
        head = ["points", "the fastest of all", *(f"{n}, times as long" for n in others + theirs), "so"]
        rows = [[kind, f"{sum(l.fastest == IMPROVED for l in group)} of {len(group)}",
                 *(span([l.ratio(n, IMPROVED) for l in group]) for n in others),
                 *(span(beside_finufft(group)) for _ in theirs), answer(group)]
                for kind, group in groups.items()]
        parts += [f"**{device}**", table.markdown_table(head, rows, range(1, len(head) - 1)),
                  picture.draw(groups, IMPROVED, device, into)]
    return "\n\n".join(parts)


def beside_finufft(group: list[Lineup]) -> list[float | None]:
    """How many times as long FINUFFT takes as the scheme, by what suits it best in each case."""
    return [l.ratio(l.finufft, IMPROVED) for l in group]


def answer(group: list[Lineup]) -> str:
    """The scheme wins; or its publishers' code is the faster, so it is our code; or ours is no slower than theirs
    and yet slower than other schemes, so it is the idea. FINUFFT's boxes of subproblems are the same idea on a
    processor: where they are faster on the mean, it is our code."""
    rivals = [mean([l.ratio(n, IMPROVED) for l in group]) for n in ("subproblem", "hybrid", "scatter")]
    rivals = [ratio for ratio in rivals if ratio]
    theirs = mean([l.ratio(PUBLISHED, IMPROVED) for l in group])
    if not rivals:
        return "open"
    if theirs and theirs < 1 / SAME:
        return "the code: cuFINUFFT's is faster"
    boxes = mean(beside_finufft(group))
    if boxes and boxes < 1 / SAME:
        return "the code: FINUFFT's is faster"
    if min(rivals) >= SAME:
        return "wins"
    if min(rivals) > 1 / SAME:
        return "ties"
    return "the idea" if theirs or boxes else "slower"


def mean(ratios: list[float | None]) -> float | None:
    """Geometric, of those that there are."""
    logs = [math.log(r) for r in ratios if r]
    return math.exp(sum(logs) / len(logs)) if logs else None


def span(ratios: list[float | None]) -> str:
    """0.61 to 1.30, '-' where none was measured."""
    known = sorted(r for r in ratios if r)
    if not known:
        return "-"
    low, high = (f"{known[i]:.2f}" for i in (0, -1))
    return low if low == high else f"{low} to {high}"
