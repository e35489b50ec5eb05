# SPDX-License-Identifier: Apache-2.0
"""The samples behind one decision: their distribution, and time and clock in order of measuring."""

from __future__ import annotations

from typing import Callable

from matplotlib.axes import Axes

from .. import table
from ..records.record import Record
from . import sheet, style
from .drawing import Drawing, tip


def draw(records: list[Record], name: str) -> Drawing:
    """records: pick and runner-up on one case. Crosses mark samples of a throttled device."""
    clocked = any(any(r.clocks_mhz or ()) for r in records)
    figure, axes = style.new(5.6 if clocked else 4.4, 3 if clocked else 2,
                             height_ratios=[1.3, 1, .7][:3 if clocked else 2])
    quickest = min(records, key=lambda r: r.median_s)
    for record in records:
        _distribution(axes[0], record, -1 if record is quickest else 1)
        _trace(axes[1], record)
        if clocked:
            _clock(axes[2], record)
    _finish(axes, records)
    first = records[0]
    title = f"{first.case.label}, {first.device.slug}"
    style.title(figure, title)
    alt = (f"Samples of {' and '.join(r.id for r in records)}: {title}. "
           "Above the share of samples below a time, then the samples in order"
           + (", then the clock at each." if clocked else "."))
    return Drawing(name, alt, figure, [row for r in records for row in _numbers(r)])


def _distribution(axes: Axes, record: Record, side: int) -> None:
    """The empirical distribution function, with the interval of the median as a band."""
    ink = style.colour(record.family)
    ordered = sorted(record.samples.values())
    share = [(i + 1) / len(ordered) for i in range(len(ordered))]
    axes.step([ordered[0], *ordered], [0, *share], where="post", color=ink)
    axes.axvspan(*record.interval, color=ink, alpha=.18, linewidth=0)
    axes.plot(record.median_s, .5, style.marker(record.backend), color=ink, markersize=6,
              markeredgewidth=0, gid=tip(record, f"{len(ordered)} samples"), zorder=3)
    axes.annotate(record.variant_name, (record.median_s, .5), xytext=(8 * side, 0), color=ink,
                  textcoords="offset points", fontsize=8, va="center",
                  ha="left" if side > 0 else "right", annotation_clip=False)


def _window(records: list[Record]) -> tuple[float, float]:
    """The times that the distribution shows: without stragglers far beyond the quartiles."""
    low = min(min(r.samples.values()) for r in records)
    far = [(r.q3_s or r.median_s) + 4 * ((r.q3_s or 0) - (r.q1_s or 0)) for r in records]
    high = max(min(max(r.samples.values()), f, 4 * r.median_s) for r, f in zip(records, far))
    high = max(high, 1.001 * low, *(r.interval[1] for r in records))
    return low - .45 * (high - low), high + .25 * (high - low)


def _trace(axes: Axes, record: Record) -> None:
    ink = style.colour(record.family)
    slow = set(record.throttled or [])
    for chosen, mark in ((False, "."), (True, "x")):
        at = {i + 1: s for i, s in record.samples.items() if (i in slow) == chosen}
        axes.plot(list(at), list(at.values()), mark, color=ink, markersize=5, alpha=.8)


def _clock(axes: Axes, record: Record) -> None:
    known = [(i + 1, c) for i, c in enumerate(record.clocks_mhz or []) if c]
    if known:
        axes.plot(*zip(*known), color=style.colour(record.family), linewidth=1.2)


def _finish(axes: list[Axes], records: list[Record]) -> None:
    spans = [s for r in records for s in r.samples.values()]
    axes[0].set_ylabel("share below")
    axes[0].set_ylim(0, 1.02)
    window = _window(records)
    axes[0].set_xlim(window)
    if beyond := sum(s > window[1] for s in spans):
        axes[0].annotate(f"{beyond} beyond, up to {table.seconds(max(spans))}", (1, 0),
                         xytext=(-4, 4), xycoords="axes fraction", textcoords="offset points",
                         ha="right", fontsize=7.5, color=style.FAINT)
    axes[0].xaxis.set_major_locator(style.few_ticks())
    axes[0].xaxis.set_major_formatter(_alike(window[1]))
    axes[0].set_xlabel("time of one execution")
    axes[1].set_ylabel("time")
    if max(spans) > 5 * min(spans):
        axes[1].set_yscale("log")
        style.log_ticks(axes[1].yaxis, table.seconds)
    else:
        axes[1].yaxis.set_major_locator(style.few_ticks())
        axes[1].yaxis.set_major_formatter(_alike(max(spans)))
    if len(axes) > 2:
        axes[2].set_ylabel("clock, MHz")
        axes[2].yaxis.get_major_formatter().set_useOffset(False)
        axes[2].yaxis.set_major_locator(style.few_ticks())
        axes[2].sharex(axes[1])
    axes[-1].set_xlabel("sample, in order of measuring")


def _alike(largest: float) -> Callable[[float, int], str]:
    """Every tick in the unit of the largest, with the digits that tell neighbours apart."""
    unit, scale = table.time_unit(largest)
    return lambda value, _: f"{value / scale:.5g} {unit}"


def _numbers(record: Record) -> list[sheet.Row]:
    clocks, slow = record.clocks_mhz or [], set(record.throttled or [])
    return [{"variant": record.id, "sample": i + 1, "seconds": s,
             "clock_mhz": clocks[i] if i < len(clocks) else None, "throttled": int(i in slow),
             "case": record.case.text, "run": record.run.id, "again": record.repro}
            for i, s in record.samples.items()]
