# SPDX-License-Identifier: Apache-2.0
"""The grammar of marks: one colour per family, one marker per backend, labels at the lines."""

from __future__ import annotations

import textwrap
from typing import Callable

import matplotlib
from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.figure import Figure
from matplotlib.ticker import LogLocator, MaxNLocator, NullLocator

from .. import table
from ..records.cases import Case
from .palette import colour, family_rank, light

MARKERS = {"cpu": "s", "cuda": "o"}
PAPER, INK, FAINT, GRID, EDGE, VOID, TIE, ACCENT = map(light, (
    "paper", "ink", "faint", "line", "edge", "void", "tie", "accent"))
PNG_DPI = 130
WIDTH = 5.2  # inches: legible on a phone, two beside each other on a desk

matplotlib.rcParams.update({
    "font.family": "DejaVu Sans", "font.size": 9, "axes.edgecolor": EDGE, "axes.labelcolor": INK,
    "axes.spines.top": False, "axes.spines.right": False, "axes.grid": True, "axes.axisbelow": True,
    "axes.facecolor": PAPER, "grid.color": GRID, "grid.linewidth": .8, "text.color": INK,
    "text.parse_math": False, "xtick.color": EDGE, "ytick.color": EDGE, "xtick.labelcolor": INK,
    "ytick.labelcolor": INK, "lines.linewidth": 1.8, "figure.facecolor": PAPER, "svg.fonttype": "none", "svg.hashsalt": "ndft",
})


def new(height: float, rows: int = 1, **grid: object) -> tuple[Figure, list[Axes]]:
    """A figure of one column."""
    figure = Figure(figsize=(WIDTH, height), layout="constrained")
    figure.get_layout_engine().set(w_pad=.1, h_pad=.06)
    axes = figure.subplots(rows, 1, squeeze=False, **grid)
    return figure, list(axes[:, 0])


def marker(backend: str) -> str:
    return MARKERS.get(backend, "D")


def by_registry(variant_name: str) -> tuple[int, str]:
    return (family_rank(variant_name.rpartition(".")[0]), variant_name)


def spread(wanted: list[float], gap: float) -> list[float]:
    """Moves positions apart until neighbours are a gap away from each other, staying close."""
    order = sorted(range(len(wanted)), key=wanted.__getitem__)
    groups: list[tuple[float, list[int]]] = []  # centre, members in order
    for i in order:
        groups.append((wanted[i], [i]))
        while len(groups) > 1 and _touch(groups[-2], groups[-1], gap):
            members = groups[-2][1] + groups[-1][1]
            groups[-2:] = [(sum(wanted[k] for k in members) / len(members), members)]
    placed = [0.0] * len(wanted)
    for centre, members in groups:
        for rank, i in enumerate(members):
            placed[i] = centre + gap * (rank - (len(members) - 1) / 2)
    return placed


def _touch(low: tuple[float, list[int]], high: tuple[float, list[int]], gap: float) -> bool:
    return high[0] - low[0] < gap * (len(low[1]) + len(high[1])) / 2


def label_ends(axes: Axes, ends: list[tuple[float, float, str, str]], points: float = 10, side: int = 1) -> None:
    """Writes each (x, y, text, colour) right of its end point, or left with side -1, without overlap.

    Call when the limits of the axes are final. Their height need not be: what it will yet lose to
    titles moves neighbours by less than the room between them.
    """
    axes.get_ylim()  # autoscales
    pixels = [axes.transData.transform((x, y))[1] for x, y, _, _ in ends]
    dots = axes.figure.dpi / 72
    for (x, y, text, ink), pixel, place in zip(ends, pixels, spread(pixels, points * dots)):
        axes.annotate(text, (x, y), xytext=(7 * side, (place - pixel) / dots), annotation_clip=False, color=ink,
                      textcoords="offset points", ha="left" if side > 0 else "right", va="center", fontsize=8,
                      zorder=6)


def sizes(cases: list[Case]) -> list[str]:
    """What a column of a map says of a case along a sweep of sizes."""
    return [f"{c.size_label}\nm={c.m}" for c in cases]


def cells(axes: Axes, columns: list[str], rows: list[str]) -> None:
    """Frames a map whose cells lie about whole numbers."""
    axes.grid(False)
    axes.set_xlim(-.5, len(columns) - .5)
    axes.set_ylim(-.5, len(rows) - .5)
    axes.set_xticks(range(len(columns)), columns)
    axes.set_yticks(range(len(rows)), rows)
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)


def log_ticks(axis: Axis, text_of: Callable[[float], str]) -> None:
    """Decades, or 1-2-5 steps where the axis spans less than 500x; no minor ticks.

    Call when everything is drawn.
    """
    axis.axes.autoscale_view()
    low, high = axis.get_view_interval()
    axis.set_major_locator(LogLocator(10, subs=(1, 2, 5) if high < 500 * low else (1,)))
    axis.set_minor_locator(NullLocator())
    axis.set_major_formatter(table.tick(text_of))


def few_ticks() -> MaxNLocator:
    return MaxNLocator(5)


def title(figure: Figure, text: str) -> None:
    """Sets the title over the whole width, in lines that fit."""
    figure.suptitle("\n".join(textwrap.wrap(text, 58)), x=.02, ha="left", fontsize=9.5,
                    fontweight="bold")
