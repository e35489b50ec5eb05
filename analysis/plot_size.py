# SPDX-License-Identifier: Apache-2.0
"""Time and rate against size: one line a variant with its quartile band, best knobs per size."""

from __future__ import annotations

import math
from pathlib import Path

from matplotlib.axes import Axes
from matplotlib.ticker import NullLocator

from . import cases, rank, style, table
from .load import Record
from .style import plt

Series = dict[str, list[Record]]  # NAME.BACKEND -> records by size


def sweeps(records: list[Record]) -> list[Series]:
    """The passes that differ in size alone, as one set of series per problem and machine."""
    groups = rank.grouped((r for r in records if r.ranks),
                          lambda r: (r.run.machine, *cases.without_size(r.case)))
    return [_series(group) for group in groups.values()]


def _series(group: list[Record]) -> Series:
    found: Series = {}
    for case in sorted({r.case for r in group}, key=lambda c: (c.pairs, c.text)):
        for name, record in rank.best_of(r for r in group if r.case == case).items():
            found.setdefault(name, []).append(record)
    return {name: found[name] for name in sorted(found, key=style.by_registry)}


def is_sweep(series: Series) -> bool:
    return len({r.case.pairs for line in series.values() for r in line}) > 1


def draw(series: Series, folder: Path, name: str) -> Path:
    """Writes folder/name.png: columns are backends (at most six lines a panel), rows time, rate."""
    panels = _panels(series)
    figure, grid = plt.subplots(2, len(panels), figsize=(4.9 * len(panels) + .4, 6.4),
                                squeeze=False, sharex="col")
    for column, (title, names) in enumerate(panels):
        lines = {n: series[n] for n in names}
        _panel(grid[0][column], lines, "seconds")
        _panel(grid[1][column], lines, "rate")
        grid[0][column].set_title(title)
    grid[0][0].set_ylabel("time of one execution")
    grid[1][0].set_ylabel("coil_pairs/s")
    figure.tight_layout(rect=(0, 0, 1, .95), w_pad=5)
    figure.suptitle(_title(series), x=.015, ha="left", fontsize=10.5)
    return style.save(figure, folder, name)


def _title(series: Series) -> str:
    first = next(iter(series.values()))[0]
    return cases.label(first.case, hide=("n", "m", "traj")) + f" traj={first.case.traj[0]}"


def _panels(series: Series) -> list[tuple[str, list[str]]]:
    by_backend: dict[str, list[str]] = {}
    for name, line in series.items():
        by_backend.setdefault(line[0].backend, []).append(name)
    return [(series[part[0]][0].device.name, part)
            for names in by_backend.values() for part in style.chunks(names)]


def _panel(axes: Axes, lines: Series, what: str) -> None:
    axes.set_xscale("log")
    axes.set_yscale("log")
    ends = []
    for line in lines.values():
        ink = style.colour(line[0].family)
        x = [r.case.pairs for r in line]
        middle, low, high = zip(*(_values(r, what) for r in line))
        axes.fill_between(x, low, high, color=ink, alpha=.2, linewidth=0)
        axes.plot(x, middle, color=ink, marker=style.marker(line[0].backend), markersize=5)
        ends.append((x[-1], middle[-1], line[0].family, ink))
    _size_ticks(axes, lines)
    style.log_ticks(axes.yaxis, table.seconds if what == "seconds" else table.rate)
    style.label_ends(axes, ends)


def _values(record: Record, what: str) -> tuple[float, float, float]:
    """Middle, low, high: the median and the quartiles, as time or as rate."""
    q1, q3 = record.q1_s or record.median_s, record.q3_s or record.median_s
    if what == "seconds":
        return record.median_s, q1, q3
    return record.coil_pairs_per_s, record.rate_at(q3), record.rate_at(q1)


def _size_ticks(axes: Axes, lines: Series) -> None:
    """Ticks at sizes that were measured, named by grid and samples, largest first, while there is
    room for a name."""
    sizes = {r.case.pairs: r.case for line in lines.values() for r in line}
    room = math.log(max(sizes) / min(sizes)) / 6
    shown: list[float] = []
    for pairs in sorted(sizes, reverse=True):
        if not shown or math.log(shown[-1] / pairs) > room:
            shown.append(pairs)
    axes.set_xticks(shown, [f"{sizes[p].size_label}\nm={sizes[p].m}" for p in shown])
    axes.xaxis.set_minor_locator(NullLocator())
