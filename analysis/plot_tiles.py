# SPDX-License-Identifier: Apache-2.0
"""Heat map of a tile-like knob against size: each column's best is outlined, its ties dashed."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Rectangle

from . import cases, style, table
from .cases import Case
from .load import Record
from .style import plt

KNOBS = ("tile", "np", "outputs")
MAP = "YlGnBu"


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
                key = (record.run.machine, record.variant_name, knob,
                       *cases.without_size(record.case))
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


def draw(heat: Map, folder: Path, name: str) -> Path:
    """Writes folder/name.png; the colour is the share of the column's best rate."""
    rates = heat.rates()
    best = np.nanmax(np.where(np.isnan(rates), 0, rates), axis=0)
    share = rates / np.where(best > 0, best, 1)
    width = max(4.6, 1.05 * len(heat.sizes) + 2.4)
    figure, axes = plt.subplots(figsize=(width, .46 * len(heat.values) + 1.9))
    axes.set_facecolor("#f3f4f6")
    image = axes.imshow(share, cmap=MAP, vmin=min(.5, np.nanmin(share)), vmax=1.15,
                        aspect="auto", origin="lower")
    for (value, case), record in heat.cells.items():
        _cell(axes, record, heat.sizes.index(case), heat.values.index(value), share)
    _outline(axes, heat)
    axes.grid(False)
    axes.set_xticks(range(len(heat.sizes)),
                    [f"{c.size_label}\nm={c.m}" for c in heat.sizes])
    axes.set_yticks(range(len(heat.values)), heat.values)
    axes.set_ylabel(heat.knob)
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)
    first = heat.sizes[0]
    axes.set_title(f"{heat.variant}   " + cases.label(first, hide=("n", "m", "traj")), pad=8)
    _bar(figure, image, axes)
    figure.tight_layout()
    return style.save(figure, folder, name)


def _bar(figure: plt.Figure, image: object, axes: Axes) -> None:
    bar = figure.colorbar(image, ax=axes, fraction=.05, pad=.03)
    bar.outline.set_visible(False)
    bar.ax.set_ylim(bar.vmin, 1)
    bar.ax.yaxis.set_major_formatter(lambda v, _: f"{100 * v:.0f} %")
    bar.set_label("of the column's best", fontsize=8)


def _cell(axes: Axes, record: Record, x: int, y: int, share: np.ndarray) -> None:
    if record.ranks:
        ink = "white" if share[y, x] > .72 else style.INK
        axes.text(x, y, table.rate(record.coil_pairs_per_s), ha="center", va="center",
                  color=ink, fontsize=8)
        return
    axes.add_patch(Rectangle((x - .5, y - .5), 1, 1, facecolor="none", hatch="////",
                             edgecolor="#c9ced6", linewidth=0))
    axes.text(x, y, record.verdict, ha="center", va="center", color=style.FAINT, fontsize=7.5,
              bbox={"facecolor": "#f3f4f6", "edgecolor": "none", "pad": 1})


def _outline(axes: Axes, heat: Map) -> None:
    for case, winner in heat.winners().items():
        for value in {winner} | heat.ties(case):
            x, y = heat.sizes.index(case), heat.values.index(value)
            axes.add_patch(Rectangle((x - .46, y - .44), .92, .88, fill=False, zorder=3,
                                     edgecolor="#d1490c", linewidth=2.4 if value == winner else 1.2,
                                     linestyle="-" if value == winner else (0, (3, 2))))
