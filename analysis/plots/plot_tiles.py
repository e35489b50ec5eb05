# SPDX-License-Identifier: Apache-2.0
"""Heat map of a tile-like knob against size: each column's best is outlined, its ties dashed. A cell
whose kernel was profiled says what limits it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Callable, Hashable, Iterable

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Rectangle

from .. import limits, table
from ..records.cases import Case
from ..records.record import Record
from . import sheet, style
from .drawing import Drawing, tip

KNOBS = ("tile", "np", "outputs")
Value = int | str


@dataclass
class Map:
    """One variant and knob over cases, or over the values of another knob, across; a cell holds its
    fastest pass, or a failure where nothing passed. preset: the knob's, where that is told."""

    variant: str
    knob: str
    values: list[Value]
    sizes: list[Case | Value]
    cells: dict[tuple[Value, Case | Value], Record]
    preset: Value | None = None
    across: str | None = None

    def rates(self) -> np.ndarray:
        """[values, sizes] in coil_pairs/s, NaN without a pass."""
        found = np.full((len(self.values), len(self.sizes)), np.nan)
        for (value, case), record in self.cells.items():
            if record.ranks:
                found[self.values.index(value), self.sizes.index(case)] = record.coil_pairs_per_s
        return found

    def winners(self) -> dict[Case | Value, Value]:
        """The knob's best value at each size that has a pass."""
        rates = self.rates()
        return {case: self.values[int(np.nanargmax(rates[:, i]))]
                for i, case in enumerate(self.sizes) if not np.isnan(rates[:, i]).all()}

    def ties(self, case: Case | Value) -> set[Value]:
        """Other values whose interval overlaps the winner's."""
        winner = self.winners().get(case)
        if winner is None:
            return set()
        low, high = self.cells[winner, case].interval
        tied = {v for v in self.values if (cell := self.cells.get((v, case))) and cell.ranks
                and cell.interval[0] <= high and low <= cell.interval[1]}
        return tied - {winner}

    @property
    def device(self) -> str:
        return next(iter(self.cells.values())).device.slug


def maps(records: list[Record], knobs: tuple[str, ...] = KNOBS,
         apart: Callable[[Case], Hashable] = lambda case: case.without_size) -> list[Map]:
    """A map for every variant and knob that can be compared at some size; cases that are apart are on
    maps of their own."""
    groups: dict[tuple, list[Record]] = {}
    for record in records:
        for knob in knobs:
            if isinstance((record.knobs or {}).get(knob), (int, str)):
                key = record.device.slug, record.variant_name, knob, apart(record.case)
                groups.setdefault(key, []).append(record)
    found = [_map(group, key[1], key[2]) for key, group in groups.items()]
    return [m for m in found if (~np.isnan(m.rates())).sum(axis=0).max() > 1]


def _map(group: list[Record], variant: str, knob: str) -> Map:
    cells = _fastest(group, lambda record: (record.knobs[knob], record.case))
    return Map(variant, knob, _sorted(value for value, _ in cells),
               sorted({case for _, case in cells}, key=lambda c: c.place), cells)


def grid(group: list[Record], knob: str, across: str, preset: Value | None = None) -> Map:
    """Two knobs of one variant against each other, on one case."""
    cells = _fastest(group, lambda record: (record.knobs[knob], record.knobs[across]))
    return Map(group[0].variant_name, knob, _sorted(value for value, _ in cells),
               _sorted(value for _, value in cells), cells, preset, across)


def _fastest(group: list[Record], place: Callable[[Record], tuple]) -> dict[tuple, Record]:
    cells: dict[tuple, Record] = {}
    for record in group:
        known = cells.get(place(record))
        if known is None or (record.ranks and not (known.ranks
                                                   and known.median_s <= record.median_s)):
            cells[place(record)] = record
    return cells


def _sorted(values: Iterable[Value]) -> list[Value]:
    """Numbers, then words."""
    return sorted(set(values), key=lambda value: (isinstance(value, str), value))


def draw(heat: Map, name: str) -> Drawing:
    """The stronger a cell's colour, the nearer to its column's best; hatched: nothing passed."""
    problem = heat.sizes[0].without("n", "m", "traj")
    return sheet_of([heat], name, f"{heat.variant}, {heat.knob}: {problem}",
                    style.sizes(heat.sizes))


def sheet_of(heats: list[Map], name: str, title: str, columns: list[str] | None = None) -> Drawing:
    """The maps of a variant one below the other; columns say which case, by default all that differs."""
    heights = [(.34 + .26 * _is_profiled(heat)) * len(heat.values) for heat in heats]
    figure, axes = style.new(sum(heights) + .65 * len(heats) + .6, len(heats), height_ratios=heights)
    for heat, place in zip(heats, axes):
        _panel(place, heat, columns or _columns(heat))
    style.title(figure, title)
    wins = "; ".join(f"{heat.knob} {', '.join(map(str, dict.fromkeys(heat.winners().values())))}"
                     for heat in heats if not heat.across)
    return Drawing(name, f"Rate by knob and case: {title}. Best: {wins}.", figure, [
        sheet.row(r, **{heat.knob: value}) for heat in heats for (value, _), r in heat.cells.items() if r.ranks])


def _panel(axes: Axes, heat: Map, columns: list[str]) -> None:
    rates = heat.rates()
    best = np.nanmax(np.where(np.isnan(rates), 0, rates), axis=None if heat.across else 0)
    share = rates / np.where(best > 0, best, 1)
    for (value, case), record in heat.cells.items():
        _cell(axes, record, heat.sizes.index(case), heat.values.index(value), share)
    _outline(axes, heat)
    style.cells(axes, columns, [f"preset {v}" if v == heat.preset else str(v) for v in heat.values])
    axes.set_ylabel(heat.knob)
    if heat.across:
        axes.set_xlabel(next(iter(heat.cells.values())).case.label, fontsize=7)


def _columns(heat: Map) -> list[str]:
    """A case's size, and in a line each what tells it from the others."""
    if heat.across:
        return [f"{heat.across}={value}" for value in heat.sizes]

    def words(case: Case) -> list[str]:
        return [] if case.is_uniform else [case.op, f"{case.coils} coil{'s' * (case.coils > 1)}"]
    told = [i for i in range(2) if len({words(c)[i] for c in heat.sizes if words(c)}) > 1]
    return ["\n".join([c.size_label, *(words(c)[i] for i in told if words(c))]) for c in heat.sizes]


def _limits(record: Record) -> list[str]:
    kernel = limits.longest(record.counter.kernels) if record.counter else None
    return limits.lines(kernel) if kernel else []


def _is_profiled(heat: Map) -> bool:
    return any(_limits(record) for record in heat.cells.values())


def _cell(axes: Axes, record: Record, x: int, y: int, share: np.ndarray) -> None:
    box = (x - .5, y - .5), 1, 1
    if record.ranks:
        shade = .04 + .5 * max(0, (share[y, x] - .5) / .5)
        axes.add_patch(Rectangle(*box, facecolor=style.ACCENT, alpha=shade, linewidth=0,
                                 gid=tip(record)))
        limited = _limits(record)
        axes.text(x, y + .3 * bool(limited), table.rate(record.coil_pairs_per_s), ha="center", va="center",
                  fontsize=8)
        axes.text(x, y - .13, "\n".join(limited), ha="center", va="center", fontsize=5.5)
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
