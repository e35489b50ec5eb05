# SPDX-License-Identifier: Apache-2.0
"""Roofline in coil_pairs/s: each variant's rate inside the bound that its declared cost allows."""

from __future__ import annotations

from matplotlib.axes import Axes

from .. import rank, table
from ..ceilings import Bound, Ceilings, bound, named
from ..records.record import Record
from . import sheet, style
from .drawing import Drawing, tip

Rows = list[tuple[Record, Bound]]  # fastest first


def panels(records: list[Record], ceilings: Ceilings) -> list[Rows]:
    """The fastest pass of every variant with its bound, per device and case."""
    groups = rank.grouped(records, lambda r: (r.device.slug, r.case))
    found = []
    for group in groups.values():
        rows = [(r, b) for r in rank.best_of(group).values() if (b := bound(r, ceilings))]
        if rows:
            found.append(sorted(rows, key=lambda row: row[0].median_s))
    return found


def reached(b: Bound) -> str:
    """74 %, or <1 %."""
    return f"{100 * b.fraction:.0f} %" if b.fraction >= .01 else "<1 %"


def draw(rows: Rows, name: str) -> Drawing:
    """Full bars: measured. Pale bars: the bound. Thin lines: where the next resources end."""
    figure, (axes,) = style.new(.5 * len(rows) + 1.1)
    top = max(record.coil_pairs_per_s for record, _ in rows)
    right = max(top, min(max(record.rate_at(b.seconds) for record, b in rows), 4 * top))
    for y, (record, b) in enumerate(reversed(rows)):
        _row(axes, y, record, b, right)
    axes.set_yticks(range(len(rows)), [record.variant_name for record, _ in reversed(rows)])
    axes.tick_params(axis="y", length=0)
    axes.set_ylim(-.6, len(rows) - .25)
    axes.set_xlim(0, right * 1.04)
    axes.grid(axis="y", visible=False)
    axes.xaxis.set_major_locator(style.few_ticks())
    axes.xaxis.set_major_formatter(table.tick(table.rate))
    axes.set_xlabel("coil_pairs/s")
    first, b = rows[0]
    title = f"{first.case.label}, {first.device.slug}"
    style.title(figure, title)
    alt = (f"Rate and bound of {len(rows)} variants: {title}. {first.id} reaches {reached(b)} of "
           f"its bound, {named(b.resource)}.")
    return Drawing(name, alt, figure, [_numbers(record, b) for record, b in rows])


def _row(axes: Axes, y: int, record: Record, b: Bound, right: float) -> None:
    ink = style.colour(record.family)
    roof = record.rate_at(b.seconds)
    mark = tip(record, f"bound {table.seconds(b.seconds)} by {named(b.resource)}")
    axes.barh(y, min(roof, right * 1.04), height=.5, color=ink, alpha=.2, linewidth=0)
    axes.barh(y, record.coil_pairs_per_s, height=.5, color=ink, linewidth=0, gid=mark)
    for resource, seconds in b.by_resource.items():
        at = record.rate_at(seconds)
        if resource != b.resource and at <= right:
            axes.plot([at, at], [y - .25, y + .25], color=style.FAINT, linewidth=1)
    if roof <= right:
        axes.plot([roof, roof], [y - .32, y + .32], color=style.INK, linewidth=2)
    axes.annotate(f"{reached(b)} of {named(b.resource)}", (0, y + .28), xytext=(3, 1),
                  textcoords="offset points", va="bottom", fontsize=8)


def _numbers(record: Record, b: Bound) -> sheet.Row:
    return sheet.row(record, bound=b.resource, bound_s=b.seconds, bound_fraction=b.fraction,
                     **{f"bound_{name}_s": value for name, value in sorted(b.by_resource.items())})
