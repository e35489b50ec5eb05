# SPDX-License-Identifier: Apache-2.0
"""Exact sums against nonuniform FFTs: which is faster over size and field x readout."""

from __future__ import annotations

import math
from dataclasses import dataclass

from . import rank
from .records.cases import Case
from .records.record import Record

NUFFT = "nufft"  # what the names of that family begin with
CELLS = 4  # fewer that both have passed make no map


@dataclass
class Cell:
    """The fastest pass of each side; None: none was measured, or none passed."""

    exact: Record | None
    nufft: Record | None

    @property
    def gain(self) -> float | None:
        """How many times faster the nufft is; below 1 the exact sum is."""
        return self.exact.median_s / self.nufft.median_s if self.exact and self.nufft else None

    @property
    def records(self) -> list[Record]:
        return [r for r in (self.exact, self.nufft) if r]


@dataclass
class Map:
    """Problems that differ in size and in field x readout alone, as many samples a voxel in all."""

    device: str
    title: str
    sizes: list[Case]  # one case of each size
    turns: list[float]  # ascending, 0 without a field map
    cells: dict[tuple[float, int], Cell]  # by turns and pairs

    def at(self, turns: float, size: Case) -> Cell | None:
        return self.cells.get((turns, size.pairs))

    @property
    def gains(self) -> list[float]:
        return [cell.gain for cell in self.cells.values() if cell.gain]


def is_nufft(record: Record) -> bool:
    return record.family.startswith(NUFFT)


HIDE = ("n", "m", "traj", "t", "field")  # what differs over a map


def _rest(case: Case) -> tuple:
    """What stays the same over a map."""
    ratio = round(2 * math.log2(case.m / math.prod(case.n)))
    return case.without(*HIDE), case.traj, ratio


def maps(records: list[Record]) -> list[Map]:
    """Those with two values or more on both axes, each of which has a cell that both sides have
    passed; problems without a field map are part of the map of every kind of field."""
    known = [r for r in records if r.ranks and r.case.turns is not None]
    groups = rank.grouped(known, lambda r: (r.device.slug, _rest(r.case)))
    found = [_map(group, kind) for group in groups.values() for kind in _kinds(group)]
    return [m for m in found if len(m.gains) >= CELLS and len(m.turns) > 1 and len(m.sizes) > 1]


def _kinds(group: list[Record]) -> list[str]:
    kinds = dict.fromkeys(r.case.field for r in group)
    return [kind for kind in kinds if kind != "none"]


def _map(group: list[Record], kind: str) -> Map:
    mine = [r for r in group if r.case.field in (kind, "none")]
    best = rank.fastest(mine, lambda r: (r.case.turns, r.case.pairs, is_nufft(r)))
    places = dict.fromkeys((turns, pairs) for turns, pairs, _ in best)
    cells = {place: Cell(best.get((*place, False)), best.get((*place, True))) for place in places}
    compared = [place for place, cell in cells.items() if cell.gain]
    turns, pairs = ({place[axis] for place in compared} for axis in (0, 1))
    cells = {place: cell for place, cell in cells.items()
             if place[0] in turns and place[1] in pairs}
    sizes = {r.case.pairs: r.case for r in mine if r.case.pairs in pairs}
    with_field = next(r for r in mine if r.case.field == kind)
    words = with_field.case.without(*HIDE)
    title = f"{words} traj={with_field.case.traj} field={kind}, {with_field.device.slug}"
    return Map(with_field.device.slug, title, [sizes[p] for p in sorted(sizes)], sorted(turns),
               cells)
