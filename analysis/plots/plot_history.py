# SPDX-License-Identifier: Apache-2.0
"""A problem over builds: each measurement's time over that of its first build, its changes marked."""

from __future__ import annotations

from matplotlib.axes import Axes

from .. import table
from ..change import Change
from ..history import Chart, Line, Mark, name_of
from ..records.record import Record
from . import sheet, style
from .drawing import Drawing, tip
from .palette import colour, light

ALL = 4  # so many lines have colours and names; of more those that changed
TICKS = 4
INKS = {"slower": light("bad"), "faster": light("good")}
MARKS = {"slower": "^", "faster": "v"}
End = tuple[float, float, str, str]


def draw(chart: Chart, name: str) -> Drawing:
    """A mark names the ratio of its build over the one before; its tip the builds."""
    figure, (axes,) = style.new(2.5)
    place = {run.id: i for i, run in enumerate(chart.runs)}
    named = [line for line in chart.lines if line.marks or len(chart.lines) <= ALL]
    for line in chart.lines:
        _line(axes, line, place, colour(line.last.family) if line in named else style.EDGE)
    _finish(axes, chart)
    style.label_ends(axes, [_end(line, place) for line in named])
    style.label_ends(axes, [_mark(axes, mark, line, place) for line in named for mark in line.marks], side=-1)
    last = chart.lines[0].last
    style.title(figure, f"{chart.case.label}, {last.device.slug}, {last.mode_shown}")
    rows = [row for line in chart.lines for row in _numbers(line)]
    return Drawing(name, _said(chart), figure, rows)


def _line(axes: Axes, line: Line, place: dict[str, int], ink: str) -> None:
    """With published intervals."""
    first = line.records[0].median_s
    at = [place[record.run.id] for record in line.records]
    times = [record.median_s / first for record in line.records]
    axes.plot(at, times, color=ink, linewidth=1.4)
    for x, y, record in zip(at, times, line.records):
        low, high = record.published or record.interval
        axes.plot([x, x], [low / first, high / first], color=ink, linewidth=3, alpha=.35, solid_capstyle="butt")
        axes.plot(x, y, style.marker(record.backend), color=ink, markersize=4, markeredgewidth=0,
                  gid=tip(record, f"build {name_of(record.run)}"))


def _end(line: Line, place: dict[str, int]) -> End:
    last = line.last
    return (place[last.run.id], last.median_s / line.records[0].median_s,
            f"{last.variant_name} {table.seconds(last.median_s)}", colour(last.family))


def _mark(axes: Axes, mark: Mark, line: Line, place: dict[str, int]) -> End:
    """The mark itself; where it is, and what stands beside it."""
    ink, after = INKS[mark.verdict], mark.after
    x, y = place[after.run.id], after.median_s / line.records[0].median_s
    axes.plot(x, y, MARKS[mark.verdict], color=ink, markersize=8, markeredgewidth=0, zorder=5,
              gid=tip(after, f"{mark.verdict}: {_words(mark)}"))
    return x, y, f"{mark.ratio.value:.3g}x", ink


def _words(mark: Mark) -> str:
    """By how much, and between which builds."""
    ratio = mark.ratio
    return f"{ratio.value:.4f} times the time ({ratio.low:.4f} to {ratio.high:.4f}), {mark.builds}"


def _finish(axes: Axes, chart: Chart) -> None:
    runs = chart.runs
    shown = range(0, len(runs), -(-len(runs) // TICKS))
    axes.set_xticks(list(shown), [name_of(runs[i]).replace(" ", "\n") for i in shown], fontsize=7.5)
    axes.set_xlim(-.3, len(runs) - .7 + .35 * len(runs))
    axes.margins(y=.2)
    axes.yaxis.set_major_locator(style.few_ticks())
    axes.set_ylabel("time over the first")


def _said(chart: Chart) -> str:
    changes = "; ".join(f"{mark.after.id} {mark.verdict}, {_words(mark)}" for mark in chart.marks)
    return f"Time over {len(chart.runs)} builds of {chart.case.label}: {changes or 'no change'}."


def _numbers(line: Line) -> list[sheet.Row]:
    steps = [None, *line.steps]
    return [_row(record, step) for record, step in zip(line.records, steps)]


def _row(record: Record, step: Change | None) -> sheet.Row:
    ratio = step and step.ratio
    return sheet.row(record, build=name_of(record.run), build_id=record.build_id, clock=record.clock,
                     change=step and step.verdict, ratio=ratio and ratio.value, low=ratio and ratio.low,
                     high=ratio and ratio.high)
