# SPDX-License-Identifier: Apache-2.0
"""The map of choices: a panel for coils and tolerance, a cell for size and field x readout, a colour for an engine."""

from __future__ import annotations

from typing import Iterable

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Patch, Rectangle

from ..choice_map import Choice
from . import style
from .palette import colour, family_rank

ALPHA = .75  # of cells, on which dots are drawn in full


def draw(choices: list[Choice], title: str) -> Figure:
    """Dots are measured: of the colour of the fastest, ringed where another one was chosen."""
    axis = {name: sorted({getattr(c.place, name) for c in choices}) for name in ("size", "turns", "coils", "tol")}
    tolerances = axis["tol"][::-1]
    height = 2.4 * len(tolerances) + .6
    figure = Figure(figsize=(2 * style.WIDTH, height + .6), layout="constrained")
    map_, key = figure.subfigures(2, 1, height_ratios=[height, .6])
    panels = map_.subplots(len(tolerances), len(axis["coils"]), squeeze=False, sharex=True, sharey=True)
    for row, tol in zip(panels, tolerances):
        for axes, coils in zip(row, axis["coils"]):
            of_panel = [c for c in choices if (c.place.tol, c.place.coils) == (tol, coils)]
            _panel(axes, of_panel, axis["size"], axis["turns"])
            axes.set_title(f"{coils} coil{'s' * (coils > 1)}, tol={tol:g}", fontsize=8, color=style.FAINT)
    map_.supylabel("field x readout, turns", fontsize=9)
    map_.supxlabel("voxels along an axis of a square; as many samples as voxels", fontsize=9)
    families = sorted({c.family for c in choices} | {c.measured.family for c in choices if c.measured},
                      key=family_rank)
    key.legend(handles=[Patch(color=colour(f), alpha=ALPHA, label=f) for f in families], loc="center", ncols=5, frameon=False,
               fontsize=8)
    map_.suptitle(title, fontsize=10, fontweight="bold", x=.01, ha="left")
    return figure


def _panel(axes: Axes, choices: Iterable[Choice], sizes: list[int], turns: list[float]) -> None:
    for choice in choices:
        x, y = sizes.index(choice.place.size), turns.index(choice.place.turns)
        axes.add_patch(Rectangle((x - .5, y - .5), 1, 1, facecolor=colour(choice.family), alpha=ALPHA, linewidth=0))
        if choice.measured:
            other = choice.measured.family != choice.family
            axes.plot(x, y, "o", markersize=6, color=colour(choice.measured.family),
                      markeredgecolor=style.INK if other else style.PAPER, markeredgewidth=1.6 if other else .8)
    axes.grid(False)
    axes.set_xlim(-.5, len(sizes) - .5)
    axes.set_ylim(-.5, len(turns) - .5)
    axes.set_xticks(range(len(sizes)), map(str, sizes), fontsize=7, rotation=45)
    axes.set_yticks(range(len(turns)), [f"{t:g}" if t else "none" for t in turns], fontsize=7)
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)
