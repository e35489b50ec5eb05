# SPDX-License-Identifier: Apache-2.0
"""Roofline in coil_pairs/s: each variant's rate inside the bound that its declared cost allows."""

from __future__ import annotations

from pathlib import Path

from matplotlib.axes import Axes

from . import cases, rank, style, table
from .ceilings import RESOURCES, Bound, Ceilings, bound
from .load import Record
from .style import plt

Rows = list[tuple[Record, Bound]]  # fastest first


def panels(records: list[Record], ceilings: Ceilings) -> list[Rows]:
    """The fastest pass of every variant with its bound, per machine, device and case."""
    groups = rank.grouped(records, lambda r: (r.run.machine, r.device.slug, r.case))
    found = []
    for group in groups.values():
        rows = [(r, b) for r in rank.best_of(group).values() if (b := bound(r, ceilings))]
        if rows:
            found.append(sorted(rows, key=lambda row: row[0].median_s))
    return found


def reached(b: Bound) -> str:
    """74 %, or <1 %."""
    return f"{100 * b.fraction:.0f} %" if b.fraction >= .01 else "<1 %"


def draw(groups: list[Rows], folder: Path, name: str) -> Path:
    """Writes folder/name.png with one panel a case."""
    rows = sum(len(group) for group in groups)
    figure, grid = plt.subplots(
        len(groups), 1, squeeze=False, figsize=(9.2, .46 * rows + 1.15 * len(groups)),
        gridspec_kw={"height_ratios": [len(group) + 1.2 for group in groups]})
    for axes, group in zip(grid.flat, groups):
        _panel(axes, group)
    figure.tight_layout(h_pad=1.6)
    return style.save(figure, folder, name)


def _panel(axes: Axes, rows: Rows) -> None:
    right = max(record.rate_at(b.seconds) for record, b in rows)
    for y, (record, b) in enumerate(reversed(rows)):
        _row(axes, y, record, b, right)
    axes.set_yticks(range(len(rows)), [record.id for record, _ in reversed(rows)])
    axes.set_ylim(-.6, len(rows) - .4)
    axes.set_xlim(0, right * 1.4)
    axes.grid(axis="y", visible=False)
    axes.xaxis.set_major_formatter(table.tick(table.rate))
    axes.set_xlabel("coil_pairs/s")
    title = f"{cases.label(rows[0][0].case)}, {rows[0][0].device.slug}"
    style.title(axes, title, 90)


def _row(axes: Axes, y: int, record: Record, b: Bound, right: float) -> None:
    ink = style.colour(record.family)
    roof = record.rate_at(b.seconds)
    axes.barh(y, roof, height=.62, color=ink, alpha=.16, linewidth=0)
    axes.barh(y, record.coil_pairs_per_s, height=.62, color=ink, linewidth=0)
    for resource, seconds in b.by_resource.items():
        at = record.rate_at(seconds)
        if resource != b.resource and at < right * 1.04:
            axes.plot([at, at], [y - .31, y + .31], color=style.FAINT, linewidth=1, alpha=.6)
    axes.plot([roof, roof], [y - .4, y + .4], color=style.INK, linewidth=2)
    axes.annotate(f"{reached(b)} of {RESOURCES[b.resource]}", (right * 1.06, y), va="center",
                  fontsize=8.5)
