# SPDX-License-Identifier: Apache-2.0
"""One case in every timing mode side by side; end-to-end as its phases, stacked."""

from __future__ import annotations

from matplotlib.axes import Axes

from .. import rank, table
from ..records.record import Record
from . import sheet, style
from .drawing import Drawing, tip

MODES = ("batch", "warm", "cold", "graph", "end-to-end")
PHASES = ("plan", "upload", "execute", "download")
SHADES = {"plan": .25, "upload": .5, "execute": 1.0, "download": .5}
MAX_VARIANTS, MAX_RATIO = 5, 10  # slower ones would press the others' bars together


def panels(records: list[Record]) -> list[list[Record]]:
    """The fastest variants that passed in two modes or more of a case: their best knobs by mode."""
    groups = rank.grouped((r for r in records if r.ranks), lambda r: (r.device.slug, r.case))
    return [panel for group in groups.values() if (panel := _panel(group))]


def _panel(records: list[Record]) -> list[Record]:
    best = rank.fastest(records, lambda r: (r.variant_name, r.mode))
    by_name = rank.grouped(sorted(best.values(), key=lambda r: r.median_s),
                           lambda r: r.variant_name)
    several = [mine for mine in by_name.values()
               if len(mine) > 1 and mine[0].median_s < MAX_RATIO * min(r.median_s for r in records)]
    return [r for mine in several[:MAX_VARIANTS] for r in sorted(mine, key=lambda r: order(r.mode))]


def order(mode: str | None) -> tuple[int, str]:
    return (MODES.index(mode) if mode in MODES else len(MODES), mode or "")


def draw(records: list[Record], name: str) -> Drawing:
    """A bar each mode, under the name of its variant, the fastest variant first."""
    groups = rank.grouped(records, lambda r: r.variant_name)
    figure, (axes,) = style.new(.22 * (len(records) + 1.2 * len(groups)) + .9)
    at, ticks = 0.0, []
    for variant, group in groups.items():
        axes.annotate(variant, (0, at + .1), xytext=(3, 0), textcoords="offset points",
                      va="center", color=style.colour(group[0].family), fontsize=8,
                      fontweight="bold")
        for record in group:
            at += 1
            _bar(axes, at, record)
            ticks.append((at, record.mode or "-"))
        at += 1.2
    axes.set_yticks(*zip(*ticks))
    _finish(axes, at, max(r.median_s for r in records))
    title = f"{records[0].case.label}, {records[0].device.slug}"
    style.title(figure, title)
    modes = sorted({r.mode for r in records}, key=order)
    alt = f"Time in the modes {', '.join(map(str, modes))}: {title}."
    rows = [sheet.row(r, **{f"{p}_s": (r.phases_s or {}).get(p) for p in PHASES}) for r in records]
    return Drawing(name, alt, figure, rows)


def _finish(axes: Axes, bottom: float, longest: float) -> None:
    axes.set_ylim(bottom - .5, -.6)
    axes.set_xlim(0, 1.2 * longest)
    axes.tick_params(axis="y", length=0)
    axes.grid(axis="y", visible=False)
    axes.xaxis.set_major_locator(style.few_ticks())
    axes.xaxis.set_major_formatter(table.tick(table.seconds))
    axes.set_xlabel("time of one execution")


def _bar(axes: Axes, y: float, record: Record) -> None:
    ink = style.colour(record.family)
    phases = [(p, s) for p in PHASES if (s := (record.phases_s or {}).get(p))]
    words = [f"{phase} {table.seconds(s)}" for phase, s in phases]
    left = 0.0
    for phase, seconds in phases or [("execute", record.median_s)]:
        axes.barh(y, seconds, left=left, height=.8, color=ink, alpha=SHADES[phase], linewidth=0,
                  gid=tip(record, *words))
        left += seconds
    axes.annotate(table.seconds(record.median_s), (left, y), xytext=(4, 0), va="center",
                  textcoords="offset points", fontsize=7.5)
