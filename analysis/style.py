# SPDX-License-Identifier: Apache-2.0
"""The grammar of marks: one colour per family, one marker per backend, labels at the lines."""

from __future__ import annotations

import math
import textwrap
from itertools import zip_longest
from pathlib import Path
from typing import Any, Callable

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402  (the backend comes first)
from matplotlib.axes import Axes  # noqa: E402
from matplotlib.axis import Axis  # noqa: E402
from matplotlib.figure import Figure  # noqa: E402
from matplotlib.ticker import LogLocator, NullLocator  # noqa: E402

from . import table  # noqa: E402

# In the order of the registry: simple first. Colours stay apart for the colour-blind and carry
# text on white.
FAMILIES = {
    "naive": "#6e6e6e", "tiled": "#0a66a8", "sincos_table": "#b87a00", "fast_math": "#c4401c",
    "output_driven": "#0b8262", "hybrid_sincos": "#8e3f86", "fixed_phase": "#3d97cf",
    "coil_gemm": "#5b4fb3", "line_gemm": "#86611f", "separable_gemm": "#c2478a",
}
SPARE = ("#3a7d92", "#94472f", "#5e7a1f", "#7a5aa6", "#a0522d")
MARKERS = {"cpu": "s", "cuda": "o"}
INK, FAINT, GRID = "#1f2328", "#6b7280", "#e5e7eb"
MAX_SERIES = 6

plt.rcParams.update({
    "font.family": "DejaVu Sans", "font.size": 9, "axes.titlesize": 9.5, "axes.titleweight": "bold",
    "axes.titlelocation": "left", "axes.edgecolor": "#9ca3af", "axes.labelcolor": INK,
    "axes.spines.top": False, "axes.spines.right": False, "axes.grid": True, "axes.axisbelow": True,
    "grid.color": GRID, "grid.linewidth": 0.8, "text.color": INK, "xtick.color": FAINT,
    "ytick.color": FAINT, "figure.dpi": 130, "savefig.facecolor": "white",
    "xtick.labelcolor": INK, "ytick.labelcolor": INK, "lines.linewidth": 1.8, "hatch.linewidth": .6,
})


def family_rank(family: str) -> int:
    """Place in the registry's order; families that it does not know come last."""
    order = list(FAMILIES)
    return order.index(family) if family in order else len(order)


def colour(family: str) -> str:
    """The family's colour; unknown families get a spare one, always the same."""
    return FAMILIES.get(family) or SPARE[sum(map(ord, family)) % len(SPARE)]


def marker(backend: str) -> str:
    return MARKERS.get(backend, "D")


def by_registry(variant_name: str) -> tuple[int, str]:
    return (family_rank(variant_name.rpartition(".")[0]), variant_name)


def chunks(items: list, size: int = MAX_SERIES) -> list[list]:
    """Even slices of at most size items: small multiples instead of crowded panels."""
    parts = max(1, math.ceil(len(items) / size))
    step = math.ceil(len(items) / parts) or 1
    return [items[i:i + step] for i in range(0, len(items), step)]


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


def label_ends(axes: Axes, ends: list[tuple[float, float, str, str]], points: float = 10) -> None:
    """Writes each (x, y, text, colour) right of its end point, without overlap.

    Call when the limits of the axes are final.
    """
    if not ends:
        return
    pixels = [axes.transData.transform((x, y))[1] for x, y, _, _ in ends]
    dots = axes.figure.dpi / 72
    for (x, y, text, ink), pixel, place in zip(ends, pixels, spread(pixels, points * dots)):
        axes.annotate(text, (x, y), xytext=(7, (place - pixel) / dots), annotation_clip=False,
                      textcoords="offset points", va="center", color=ink, fontsize=8, zorder=6,
                      bbox={"facecolor": "white", "alpha": .8, "edgecolor": "none", "pad": .5})


def log_ticks(axis: Axis, text_of: Callable[[float], str]) -> None:
    """Decades, or 1-2-5 steps where the axis spans less than 500x; no minor ticks.

    Call when everything is drawn.
    """
    axis.axes.autoscale_view()
    low, high = axis.get_view_interval()
    axis.set_major_locator(LogLocator(10, subs=(1, 2, 5) if high < 500 * low else (1,)))
    axis.set_minor_locator(NullLocator())
    axis.set_major_formatter(table.tick(text_of))


def title(axes: Axes, text: str, width: int) -> None:
    """Sets the title in lines of at most width characters."""
    axes.set_title("\n".join(textwrap.wrap(text, width)))


def panels(groups: list, panel: Callable[[Axes, Any], None], height: float, folder: Path,
           name: str) -> Path:
    """Writes folder/name.png: panel(axes, group) for each, in up to two columns, height inches."""
    columns = min(2, len(groups))
    rows = math.ceil(len(groups) / columns)
    figure, grid = plt.subplots(rows, columns, figsize=(5.2 * columns, height * rows),
                                squeeze=False)
    for axes, group in zip_longest(grid.flat, groups):
        if group is None:
            axes.set_visible(False)
        else:
            panel(axes, group)
    figure.tight_layout(w_pad=3, h_pad=2)
    return save(figure, folder, name)


def save(figure: Figure, folder: Path, name: str) -> Path:
    """Writes folder/name.png, the same bytes for the same figure."""
    path = folder / f"{name}.png"
    figure.savefig(path, bbox_inches="tight", pad_inches=.12, metadata={"Software": None})
    plt.close(figure)
    return path
