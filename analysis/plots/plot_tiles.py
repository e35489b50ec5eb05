# SPDX-License-Identifier: Apache-2.0
"""Heat map of a tile-like knob against size: each column's best is outlined, its ties dashed."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Rectangle

from .. import table
from ..records.cases import Case
from ..records.record import Record
from . import sheet, style
from .drawing import Drawing, tip

KNOBS = ("tile", "np", "outputs")


@dataclass
class Map:
    """One variant and knob over the sizes of one problem; a cell holds its fastest pass, or a
    failure where nothing passed."""

    variant: str
    knob: str
    values: list[int]
    sizes: list[Case]
    cells: dict[tuple[int, Case], Record]

    def rates(self) -> np.ndarray:
        """[values, sizes] in coil_pairs/s, NaN without a pass."""
        found = np.full((len(self.values), len(self.sizes)), np.nan)
        for (value, case), record in self.cells.items():
            if record.ranks:
                found[self.values.index(value), self.sizes.index(case)] = record.coil_pairs_per_s
        return found

    def winners(self) -> dict[Case, int]:
        """The knob's best value at each size that has a pass."""
        rates = self.rates()
        return {case: self.values[int(np.nanargmax(rates[:, i]))]
                for i, case in enumerate(self.sizes) if not np.isnan(rates[:, i]).all()}

    def ties(self, case: Case) -> set[int]:
        """Other values whose interval overlaps the winner's."""
        winner = self.winners().get(case)
        if winner is None:
            return set()
        low, high = self.cells[winner, case].interval
        tied = {v for v in self.values if (cell := self.cells.get((v, case))) and cell.ranks
                and cell.interval[0] <= high and low <= cell.interval[1]}
        return tied - {winner}


def maps(records: list[Record]) -> list[Map]:
    """A map for every variant and tile-like knob that can be compared at some size."""
    groups: dict[tuple, list[Record]] = {}
    for record in records:
        for knob in KNOBS:
            if isinstance((record.knobs or {}).get(knob), int):
                key = (record.device.slug, record.variant_name, knob,
                       *record.case.without_size)
                groups.setdefault(key, []).append(record)
    found = [_map(group, key[1], key[2]) for key, group in groups.items()]
    return [m for m in found if (~np.isnan(m.rates())).sum(axis=0).max() > 1]


def _map(group: list[Record], variant: str, knob: str) -> Map:
    cells: dict[tuple[int, Case], Record] = {}
    for record in group:
        at = (record.knobs[knob], record.case)
        known = cells.get(at)
        if known is None or (record.ranks and not (known.ranks
                                                   and known.median_s <= record.median_s)):
            cells[at] = record
    sizes = sorted({case for _, case in cells}, key=lambda c: (c.pairs, c.text))
    return Map(variant, knob, sorted({value for value, _ in cells}), sizes, cells)


def draw(heat: Map, name: str) -> Drawing:
    """The stronger a cell's colour, the nearer to its column's best; hatched: nothing passed."""
    rates = heat.rates()
    best = np.nanmax(np.where(np.isnan(rates), 0, rates), axis=0)
    share = rates / np.where(best > 0, best, 1)
    figure, (axes,) = style.new(.34 * len(heat.values) + 1.25)
    for (value, case), record in heat.cells.items():
        _cell(axes, record, heat.sizes.index(case), heat.values.index(value), share)
    _outline(axes, heat)
    style.cells(axes, heat.sizes, list(map(str, heat.values)))
    axes.set_ylabel(heat.knob)
    problem = heat.sizes[0].without("n", "m", "traj")
    style.title(figure, f"{heat.variant}, {heat.knob}: {problem}")
    wins = ", ".join(f"{v} at {c.size_label}" for c, v in heat.winners().items())
    alt = f"Rate of {heat.variant} by {heat.knob} and size: {problem}. Best {heat.knob}: {wins}."
    return Drawing(name, alt, figure, [sheet.row(r, **{heat.knob: value})
                                       for (value, _), r in heat.cells.items() if r.ranks])


def _cell(axes: Axes, record: Record, x: int, y: int, share: np.ndarray) -> None:
    box = (x - .5, y - .5), 1, 1
    if record.ranks:
        shade = .04 + .5 * max(0, (share[y, x] - .5) / .5)
        axes.add_patch(Rectangle(*box, facecolor=style.ACCENT, alpha=shade, linewidth=0,
                                 gid=tip(record)))
        axes.text(x, y, table.rate(record.coil_pairs_per_s), ha="center", va="center", fontsize=8)
        return
    axes.add_patch(Rectangle(*box, facecolor="none", hatch="////", edgecolor=style.GRID,
                             linewidth=0))
    axes.text(x, y, record.verdict, ha="center", va="center", color=style.FAINT, fontsize=7.5)


def _outline(axes: Axes, heat: Map) -> None:
    for case, winner in heat.winners().items():
        for value in {winner} | heat.ties(case):
            x, y = heat.sizes.index(case), heat.values.index(value)
            axes.add_patch(Rectangle((x - .46, y - .44), .92, .88, fill=False, zorder=3,
                                     edgecolor=style.INK, linewidth=2 if value == winner else 1,
                                     linestyle="-" if value == winner else (0, (3, 2))))
