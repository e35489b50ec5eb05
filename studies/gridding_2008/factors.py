# SPDX-License-Identifier: Apache-2.0
"""Fig. 5: by how much the convolution is faster on the GPU than on the CPU, at the best configurations."""

from __future__ import annotations

from pathlib import Path
from typing import Callable

from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from analysis.plots import palette, style

from .ours import PLACES, Place, Times
from .printed import SIZES
from .tables import best_factor, printed_best

FILE = "factors.png"
INKS = {line: palette.light(f"spare-{i + 1}") for i, line in enumerate(
    (trajectory, op) for op in ("forward", "adjoint") for trajectory in ("spiral", "radial"))}


def picture(times: Times) -> Figure:
    """Two panels of one scale: printed, and here."""
    figure = Figure(figsize=(2 * style.WIDTH, 3.2), layout="constrained")
    panels = figure.subplots(1, 2, sharey=True)
    ends = [_lines(axes, of) for axes, of in zip(panels, (printed_best, lambda p: best_factor(times, p)))]
    panels[0].set_ylabel("CPU's time over GPU's")
    panels[0].set_yscale("log")
    style.log_ticks(panels[0].yaxis, lambda v: f"{v:g}")
    for axes, title, own in zip(panels, ("printed in 2008", _here(times)), ends):
        axes.set_title(title, fontsize=9)
        axes.set_xscale("log", base=2)
        axes.set_xticks(SIZES, [f"{n}²" for n in SIZES])
        axes.set_xlim(SIZES[0] * .9, SIZES[-1] * 2.2)
        style.label_ends(axes, own)
    return figure


def _lines(axes: Axes, of: Callable[[Place], float | None]) -> list[tuple[float, float, str, str]]:
    """Their ends, to be labelled."""
    ends = []
    for (trajectory, op), ink in INKS.items():
        line = [(p.nx, of(p)) for p in PLACES if (p.op, p.trajectory) == (op, trajectory) and of(p)]
        if line:
            axes.plot(*zip(*line), marker="o", color=ink)
            ends.append((*line[-1], f"{op}, {trajectory}", ink))
    return ends


def _here(times: Times) -> str:
    return f"{times.devices.get('cuda', 'no GPU')} over {times.devices.get('cpu', 'no CPU')}"


def draw(times: Times, folder: Path) -> str:
    """The picture's line of markdown; nothing where one side is missing."""
    if len(times.devices) < 2:
        return ""
    figure = picture(times)
    FigureCanvasAgg(figure)
    figure.savefig(folder / FILE, dpi=80, metadata={"Software": None})
    return f"![factors by which the convolution is faster on the GPU than on the CPU]({FILE})"
