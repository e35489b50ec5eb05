# SPDX-License-Identifier: Apache-2.0
"""How many times as long others take as the scheme, a row for each kind of problem."""

from __future__ import annotations

from pathlib import Path

from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg

from analysis import table
from analysis.plots import style
from analysis.plots.palette import colour

from .lineup import FINUFFT, PUBLISHED, WRITTEN, Lineup

Groups = dict[str, list[Lineup]]
SHOWN = {"subproblem": "nufft_subproblem", "hybrid": "nufft_hybrid", "scatter": "nufft_scatter",
         PUBLISHED: "cufinufft", FINUFFT: "finufft", WRITTEN: "nufft_output_driven"}


def draw(groups: Groups, beside: str, device: str, into: Path) -> str:
    """Writes a dot for each case and contestant into the folder, right of 1 where the scheme wins; gives the line of
    markdown that shows it."""
    figure, (axes,) = style.new(.3 * len(groups) + 1.2)
    shown = [name for name in SHOWN if any(_name(name, line) in line.of for lines in groups.values() for line in lines)]
    for k, name in enumerate(shown):
        _dots(axes, groups, name, beside, (k + .5) / len(shown) - .5)
    axes.axvline(1, color=style.INK, linewidth=1)
    axes.set_xscale("log")
    style.log_ticks(axes.xaxis, lambda ratio: f"{table.figures(ratio)}x")
    axes.set_yticks(range(len(groups)), groups)
    axes.set_ylim(len(groups) - .5, -.5)
    axes.set_xlabel("times as long as the improved output-driven scheme")
    if shown:
        axes.legend(fontsize=7, ncols=len(shown), loc="lower center", bbox_to_anchor=(.4, 1), frameon=False,
                    handletextpad=.1, columnspacing=.8)
    figure.dpi = style.PNG_DPI
    name = f"wins-{device}.png"
    FigureCanvasAgg(figure).print_png(into / name, metadata={"Software": None})
    return f"![times beside the scheme's on {device}, right of 1 where it wins]({name})"


def _dots(axes: Axes, groups: Groups, name: str, beside: str, shift: float) -> None:
    """Of one contestant, in a lane of its own in each row."""
    places = [(ratio, y + .8 * shift) for y, lines in enumerate(groups.values()) for line in lines
              if (ratio := line.ratio(_name(name, line), beside))]
    axes.scatter(*zip(*places), s=11, color=colour(SHOWN[name]), label=name, zorder=3)


def _name(shown: str, line: Lineup) -> str:
    """The contestant's; FINUFFT's that is the fastest."""
    return line.finufft if shown == FINUFFT else shown
