# SPDX-License-Identifier: Apache-2.0
"""Accuracy against time: left is more accurate, down is faster; the frontier joins what nothing
else beats in both."""

from __future__ import annotations

from matplotlib.axes import Axes

from .. import rank, table
from ..records.record import Record
from . import sheet, style
from .drawing import Drawing, tip


def panels(records: list[Record]) -> list[list[Record]]:
    """Passes of one case and device with a known error, where two variants can be compared."""
    groups = rank.grouped((r for r in records if r.ranks and r.rel_l2),
                          lambda r: (r.device.slug, r.case))
    return [g for g in groups.values() if len({r.variant_name for r in g}) > 1]


def frontier(group: list[Record]) -> list[Record]:
    """The records than which none is both faster and more accurate, fastest first."""
    found: list[Record] = []
    for record in sorted(group, key=lambda r: (r.median_s, r.rel_l2)):
        if not found or record.rel_l2 < found[-1].rel_l2:
            found.append(record)
    return found


def draw(group: list[Record], name: str) -> Drawing:
    """Large marks are the fastest knobs of each variant; a thin line ends at its claim."""
    figure, (axes,) = style.new(3.7)
    axes.set_xscale("log")
    axes.set_yscale("log")
    best = rank.best_of(group)
    for record in group:
        _mark(axes, record, best[record.variant_name] is record)
    edge = frontier(group)
    axes.plot([r.rel_l2 for r in edge], [r.median_s for r in edge], color=style.EDGE,
              linewidth=1, zorder=1)
    _limits(axes, group)
    _tolerance(axes, group[0].case.tol)
    style.label_ends(axes, [(r.claim or r.rel_l2, r.median_s, r.family, style.colour(r.family))
                            for r in best.values()])
    axes.set_xlabel("rel_l2 against the reference, thin line up to the claim")
    axes.set_ylabel("time of one execution")
    title = f"{group[0].case.label}, {group[0].device.slug}"
    style.title(figure, title)
    names = ", ".join(dict.fromkeys(r.variant_name for r in edge))
    alt = f"Error against time of {len(best)} variants: {title}. On the frontier: {names}."
    rows = [sheet.row(r, on_frontier=int(r in edge), tolerance=r.case.tol) for r in group]
    return Drawing(name, alt, figure, rows)


def _mark(axes: Axes, record: Record, chosen: bool) -> None:
    ink = style.colour(record.family)
    axes.plot(record.rel_l2, record.median_s, style.marker(record.backend), color=ink,
              markersize=8 if chosen else 4, alpha=1 if chosen else .4, zorder=4 if chosen else 3,
              markeredgewidth=0, gid=tip(record, f"claim {table.error(record.claim)}"))
    if chosen and record.claim:
        y = record.median_s
        axes.plot([record.rel_l2, record.claim], [y, y], color=ink, linewidth=1, alpha=.6)
        axes.plot(record.claim, y, "|", color=ink, markersize=9, markeredgewidth=1.6)


def _tolerance(axes: Axes, tolerance: float) -> None:
    if axes.get_xlim()[0] < tolerance < axes.get_xlim()[1]:
        axes.axvline(tolerance, color=style.INK, linewidth=1, linestyle=(0, (4, 3)))
        axes.annotate("tol", (tolerance, 1), xycoords=("data", "axes fraction"), xytext=(-3, -10),
                      textcoords="offset points", ha="right", fontsize=8)


def _limits(axes: Axes, group: list[Record]) -> None:
    """Around the errors and claims; the tolerance belongs to them unless it is far off."""
    errors = [r.rel_l2 for r in group] + [r.claim for r in group if r.claim]
    tolerance = group[0].case.tol
    if tolerance < 1e4 * max(errors):
        errors.append(tolerance)
    times = [r.median_s for r in group]
    axes.set_xlim(min(errors) / 2, max(errors) * 2)
    axes.set_ylim(min(times) / 1.6, max(times) * 1.7)
    style.log_ticks(axes.yaxis, table.seconds)
    style.log_ticks(axes.xaxis, table.error)
