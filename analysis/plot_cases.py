# SPDX-License-Identifier: Apache-2.0
"""Problems measured at one size only: the rate of every variant, one row each, small multiples."""

from __future__ import annotations

from pathlib import Path

from matplotlib.axes import Axes

from . import cases, style, table
from .plot_size import Series


def draw(groups: list[Series], folder: Path, name: str) -> Path:
    """Writes folder/name.png with one panel a case; dots are medians, bars the quartiles."""
    height = .24 * max(map(len, groups)) + 1.15
    return style.panels(groups, _panel, height, folder, name)


def _panel(axes: Axes, series: Series) -> None:
    lines = sorted((line[-1] for line in series.values()), key=lambda r: r.coil_pairs_per_s)
    for y, r in enumerate(lines):
        ink = style.colour(r.family)
        low, high = r.rate_at(r.q3_s), r.rate_at(r.q1_s)
        axes.plot([low, high], [y, y], color=ink, alpha=.35, linewidth=5, solid_capstyle="butt")
        axes.plot(r.coil_pairs_per_s, y, color=ink, marker=style.marker(r.backend), markersize=6)
        axes.annotate(table.rate(r.coil_pairs_per_s), (r.coil_pairs_per_s, y), xytext=(8, 0),
                      textcoords="offset points", va="center", color=ink, fontsize=8)
    axes.set_xscale("log")
    axes.set_yticks(range(len(lines)), [r.variant_name for r in lines])
    axes.set_ylim(-.6, len(lines) - .4)
    axes.margins(x=.25)
    style.log_ticks(axes.xaxis, table.rate)
    axes.grid(axis="y", visible=False)
    axes.set_xlabel("coil_pairs/s")
    style.title(axes, cases.label(lines[0].case), 48)
