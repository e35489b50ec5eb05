# SPDX-License-Identifier: Apache-2.0
"""Rate along one axis of the problem, one line a variant, with the crossovers marked and named."""

from __future__ import annotations

import math

from matplotlib.axes import Axes
from matplotlib.ticker import NullLocator

from .. import table
from ..records.record import Record
from ..sweeps import Sweep
from . import sheet, style
from .drawing import Drawing, tip

NAMED = 10  # so many lines, the fastest, have their colour and name; the others are faint


def draw(sweep: Sweep, name: str) -> Drawing:
    """Over size time and rate, one above the other; over the other axes the rate alone."""
    both = sweep.axis.name == "size"
    figure, axes = style.new(6.2 if both else 3.5, 2 if both else 1, sharex=True)
    for place, what in zip(axes, ("seconds", "rate") if both else ("rate",)):
        _panel(place, sweep, what)
        _crossings(place, sweep, names=place is axes[0])
    style.title(figure, sweep.title)
    axes[-1].set_xlabel("grid and samples" if both else sweep.axis.name)
    marks = ", ".join(f"{c.before.variant_name} to {c.after.variant_name}"
                      for c in sweep.crossings())
    alt = f"Rate against {sweep.axis.name} of {len(sweep.lines)} variants: {sweep.title}. " + (
        f"Crossover from {marks}." if marks else
        f"{sweep.winners()[0].variant_name} is fastest everywhere.")
    rows = [sheet.row(r, axis=sweep.axis.name, value=value)
            for line in sweep.lines.values() for value, r in line.items()]
    return Drawing(name, alt, figure, rows)


def _panel(axes: Axes, sweep: Sweep, what: str) -> None:
    axes.set_xscale("log" if min(sweep.values) > 0 else "symlog")
    axes.set_yscale("log")
    axes.set_ylabel("time of one execution" if what == "seconds" else "coil_pairs/s")
    named = _fastest(sweep)
    ends = []
    for name, line in sweep.lines.items():
        ink = style.colour(next(iter(line.values())).family) if name in named else style.EDGE
        ends.append(_line(axes, line, what, ink))
    _ticks(axes, sweep)
    style.log_ticks(axes.yaxis, table.seconds if what == "seconds" else table.rate)
    style.label_ends(axes, [end for end in ends if end[3] != style.EDGE])


def _fastest(sweep: Sweep) -> list[str]:
    """Names of the lines that come nearest to the best rate anywhere."""
    near = {name: max(sweep.at(value)[0].median_s / r.median_s for value, r in line.items())
            for name, line in sweep.lines.items()}
    return sorted(near, key=lambda name: -near[name])[:NAMED]


def _line(axes: Axes, line: dict[float, Record], what: str,
          ink: str) -> tuple[float, float, str, str]:
    """Draws the band of the quartiles, the line and a mark for each record; returns its end."""
    x = list(line)
    middle, low, high = zip(*(_values(r, what) for r in line.values()))
    axes.fill_between(x, low, high, color=ink, alpha=.2, linewidth=0)
    axes.plot(x, middle, color=ink, zorder=2)
    for value, y, record in zip(x, middle, line.values()):
        axes.plot(value, y, style.marker(record.backend), color=ink, markersize=5.5,
                  markeredgewidth=0, gid=tip(record), zorder=3)
    return x[-1], middle[-1], record.family, ink


def _values(record: Record, what: str) -> tuple[float, float, float]:
    """Middle, low, high: the median and the quartiles, as time or as rate."""
    q1, q3 = record.q1_s or record.median_s, record.q3_s or record.median_s
    if what == "seconds":
        return record.median_s, q1, q3
    return record.coil_pairs_per_s, record.rate_at(q3), record.rate_at(q1)


def _crossings(axes: Axes, sweep: Sweep, names: bool) -> None:
    """A dashed line where the winner changes; above, who wins between two of them."""
    crossings = sweep.crossings()
    places = [c.at or math.sqrt(max(c.low, 1e-30) * c.high) for c in crossings]
    for at in places:
        axes.axvline(at, color=style.INK, linewidth=1, linestyle=(0, (4, 3)), zorder=1)
    if not (names and crossings):
        return
    left, right = axes.get_xlim()
    edges = [max(left, 1e-30), *places, right]
    winners = [crossings[0].before, *(c.after for c in crossings)]
    rise = 10 if len(crossings) > 1 else 0  # of every second name, so that they keep apart
    for i, (low, high, winner) in enumerate(zip(edges, edges[1:], winners)):
        axes.annotate(f"{winner.family} wins", (math.sqrt(low * high), 1), ha="center",
                      xytext=(0, 3 + rise * (i % 2)), textcoords="offset points",
                      xycoords=("data", "axes fraction"), annotation_clip=False,
                      color=style.colour(winner.family), fontsize=7.5)


def _ticks(axes: Axes, sweep: Sweep) -> None:
    """Ticks at values that were measured, largest first, while there is room for a name."""
    values = [v for v in sweep.values if v > 0] or [1.0]
    room = math.log(max(values) / min(values)) / 6
    shown: list[float] = []
    for value in reversed(values):
        if not shown or math.log(shown[-1] / value) > room:
            shown.append(value)
    axes.set_xticks(shown, [sweep.say(v).replace(" m=", "\nm=") for v in shown])
    axes.xaxis.set_minor_locator(NullLocator())
