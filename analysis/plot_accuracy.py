# SPDX-License-Identifier: Apache-2.0
"""Accuracy against rate: left is better, up is faster; with each claim and the tolerance."""

from __future__ import annotations

from pathlib import Path

from matplotlib.axes import Axes

from . import cases, rank, style, table
from .load import Record


def panels(records: list[Record]) -> list[list[Record]]:
    """Passes of one case, machine and backend with a known error; at most six variants a panel."""
    groups = rank.grouped((r for r in records if r.ranks and r.rel_l2),
                          lambda r: (r.run.machine, r.case, r.backend))
    found = []
    for group in groups.values():
        names = sorted({r.variant_name for r in group}, key=style.by_registry)
        for part in style.chunks(names):
            found.append([r for r in group if r.variant_name in part])
    return found


def draw(groups: list[list[Record]], folder: Path, name: str) -> Path:
    """Writes folder/name.png with one panel a group."""
    return style.panels(groups, _panel, 3.7, folder, name)


def _panel(axes: Axes, group: list[Record]) -> None:
    axes.set_xscale("log")
    axes.set_yscale("log")
    best = rank.best_of(group)
    for record in group:
        chosen = best[record.variant_name] is record
        axes.plot(record.rel_l2, record.coil_pairs_per_s, style.marker(record.backend),
                  color=style.colour(record.family), markersize=8 if chosen else 4,
                  alpha=1 if chosen else .35, zorder=4 if chosen else 3, markeredgewidth=0)
    for record in best.values():
        _claim(axes, record)
    tolerance = group[0].case.tol
    axes.axvline(tolerance, color=style.INK, linewidth=1.1, linestyle=(0, (4, 3)))
    _limits(axes, group, tolerance)
    axes.annotate("tol", (tolerance, 1), xycoords=("data", "axes fraction"), xytext=(-3, -10),
                  textcoords="offset points", ha="right", fontsize=8)
    style.label_ends(axes, [(r.claim or r.rel_l2, r.coil_pairs_per_s, r.family,
                             style.colour(r.family)) for r in best.values()])
    axes.set_xlabel("rel_l2 against the reference (tick: claim)")
    axes.set_ylabel("coil_pairs/s")
    title = cases.label(group[0].case) + f", {group[0].device.slug}"
    style.title(axes, title, 46)


def _claim(axes: Axes, record: Record) -> None:
    """A thin line from the measured error to a tick at the promised one."""
    if record.claim:
        ink, y = style.colour(record.family), record.coil_pairs_per_s
        axes.plot([record.rel_l2, record.claim], [y, y], color=ink, linewidth=1, alpha=.6)
        axes.plot(record.claim, y, "|", color=ink, markersize=9, markeredgewidth=1.6)


def _limits(axes: Axes, group: list[Record], tolerance: float) -> None:
    errors = [r.rel_l2 for r in group] + [r.claim for r in group if r.claim]
    rates = [r.coil_pairs_per_s for r in group]
    axes.set_xlim(min(*errors, tolerance) / 2.5, max(*errors, tolerance) * 3)
    axes.set_ylim(min(rates) / 1.6, max(rates) * 1.7)
    style.log_ticks(axes.yaxis, table.rate)
