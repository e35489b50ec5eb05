# SPDX-License-Identifier: Apache-2.0
"""The map of exact sums and nonuniform FFTs: who is faster where, by how much, and the line."""

from __future__ import annotations

import math

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Rectangle

from .. import table
from ..crossover import Cell, Map
from . import sheet, style
from .drawing import Drawing, tip
from .palette import light

EXACT, NUFFT = light("hybrid_sincos"), light("good")  # as inks of the two sides
STRONGEST = 4.0  # octaves: from 16 times on, colours no longer grow


def draw(found: Map, name: str) -> Drawing:
    """Columns are sizes, rows are turns of field x readout; a cell holds the faster side, by how
    much, and its variant. Hatched cells were not measured."""
    figure, (axes,) = style.new(.52 * len(found.turns) + 1.35)
    for y, turns in enumerate(found.turns):
        for x, size in enumerate(found.sizes):
            _cell(axes, x, y, found.at(turns, size))
    _line(axes, found)
    style.cells(axes, style.sizes(found.sizes), [f"{t:.3g}" if t else "no field" for t in found.turns])
    axes.set_ylabel("field x readout, turns")
    style.title(figure, f"Exact or nufft: {found.title}")
    faster = sum(gain > 1 for gain in found.gains)
    alt = (f"Exact sums against nonuniform FFTs by size and field x readout: {found.title}. A "
           f"nufft is faster in {faster} of {len(found.gains)} cells.")
    return Drawing(name, alt, figure, [
        sheet.row(r, turns=turns, nufft_faster=cell.gain)
        for (turns, _), cell in sorted(found.cells.items()) for r in cell.records])


def _cell(axes: Axes, x: int, y: int, cell: Cell | None) -> None:
    box = (x - .5, y - .5), 1, 1
    if cell is None or not cell.records:
        axes.add_patch(Rectangle(*box, facecolor="none", hatch="////", edgecolor=style.GRID,
                                 linewidth=0))
        return
    if cell.gain is None:
        (alone,) = cell.records
        axes.add_patch(Rectangle(*box, facecolor=style.VOID, linewidth=0, gid=tip(alone)))
        _words(axes, x, y, "alone", alone.family, style.FAINT)
        return
    winner = cell.nufft if cell.gain > 1 else cell.exact
    ink = NUFFT if cell.gain > 1 else EXACT
    strength = min(abs(math.log2(cell.gain)) / STRONGEST, 1)
    axes.add_patch(Rectangle(*box, facecolor=ink, alpha=.06 + .4 * strength, linewidth=0,
                             gid=tip(winner)))
    times = max(cell.gain, 1 / cell.gain)
    _words(axes, x, y, f"{table.figures(times)}x", winner.family, style.INK)


def _words(axes: Axes, x: int, y: int, said: str, family: str, ink: str) -> None:
    for rise, text, size, weight in ((.14, said, 9, "bold"), (-.24, family, 7, "normal")):
        axes.text(x, y + rise, text, ha="center", va="center", fontsize=size, fontweight=weight,
                  color=ink, zorder=4)


def _line(axes: Axes, found: Map) -> None:
    """Where both take the same time: straight in the logarithms between measured cells."""
    gains = np.array([[cell.gain if (cell := found.at(turns, size)) and cell.gain else np.nan
                       for size in found.sizes] for turns in found.turns])
    octaves = np.ma.masked_invalid(np.log2(gains))
    if octaves.count() and octaves.min() < 0 < octaves.max():
        axes.contour(range(len(found.sizes)), range(len(found.turns)), octaves, levels=[0],
                     colors=[style.INK], linewidths=2, alpha=.55)
