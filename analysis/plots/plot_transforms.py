# SPDX-License-Identifier: Apache-2.0
"""Time of uniform transforms over their length, beside the vendor's library."""

from __future__ import annotations

from typing import Iterable

from matplotlib.axes import Axes

from .. import rank, table
from ..records.cases import Case
from ..records.record import Record
from . import sheet, style
from .drawing import Drawing, tip

VENDOR = "uniform_vendor"
LENGTHS = 3  # at least
CAPTION = """Lines join prime lengths, open marks are other lengths; below, the time over that of
the vendor's library (cuFFT, FFTW) on the same backend."""


def groups(records: Iterable[Record]) -> list[list[Record]]:
    """Of one dimension, what differs in the length alone and has the vendor's time beside it;
    strides of one's own belong to one length, so those cases are left out."""
    lines = [r for r in rank.main_mode([r for r in records if r.ranks]) if r.case.dim == 1 and r.case.packed]
    found = rank.grouped(lines, lambda r: (r.device.slug, *_but_length(r.case)))
    return [group for group in found.values() if len({r.case.n for r in group}) >= LENGTHS
            and any(r.family == VENDOR for r in group)]


def _but_length(case: Case) -> tuple:
    return (case.prec, case.domain, case.sign, case.in_place, case.m, case.batch,
            case.label.partition(" ")[2])


def draw(group: list[Record], name: str) -> Drawing:
    figure, (above, below) = style.new(6.2, 2, sharex=True)
    best = rank.fastest(group, lambda r: (r.variant_name, r.case.n[0]))
    vendor = {(r.backend, n): r.median_s for (_, n), r in best.items() if r.family == VENDOR}
    times, ratios = [], []
    for own in rank.grouped(best.values(), lambda r: r.variant_name).values():
        times += _line(above, [(r, r.median_s) for r in own])
        ratios += _line(below, [(r, r.median_s / vendor[at]) for r in own
                                if (at := (r.backend, r.case.n[0])) in vendor])
    for axes, ends, what, say in ((above, times, "time of one execution", table.seconds),
                                  (below, ratios, "time over the vendor's", _times)):
        axes.set_xscale("log")
        axes.set_yscale("log")
        axes.set_ylabel(what)
        style.log_ticks(axes.yaxis, say)
        style.label_ends(axes, ends)
    below.set_xlabel("length")
    style.log_ticks(below.xaxis, lambda n: f"{n:.0f}")
    title = f"{_title(group[0])}, {group[0].device.slug}"
    style.title(figure, title)
    ahead = sorted({n for (_, n), r in best.items() if r.family != VENDOR
                    and r.median_s < vendor.get((r.backend, n), 0)})
    alt = (f"Time against length of {len(times)} variants: {title}. Faster than the vendor's at "
           f"{len(ahead)} of {len({n for _, n in best})} lengths.")
    rows = [sheet.row(r, length=n, over_vendor=r.median_s / vendor[r.backend, n]
                      if (r.backend, n) in vendor else None) for (_, n), r in best.items()]
    return Drawing(name, alt, figure, rows)


def _line(axes: Axes, values: list[tuple[Record, float]]) -> list[tuple[float, float, str, str]]:
    """A line through the primes, a mark for each record; the line's end, if there is any."""
    points = sorted(((r.case.n[0], value, r) for r, value in values), key=lambda p: p[0])
    if not points:
        return []
    first = points[0][2]
    ink = style.colour(first.family)
    primes = [(n, value) for n, value, r in points if r.case.factor == n]
    axes.plot(*zip(*primes or [point[:2] for point in points]), color=ink, zorder=2,
              linestyle="--" if first.family == VENDOR else "-")
    for n, value, r in points:
        axes.plot(n, value, style.marker(r.backend), color=ink, markersize=5,
                  markerfacecolor=ink if r.case.factor == n else style.PAPER, gid=tip(r), zorder=3)
    n, value = (primes or [point[:2] for point in points])[-1]
    return [(n, value, first.family, ink)]


def _times(ratio: float) -> str:
    return f"{ratio:.3g}x"


def _title(record: Record) -> str:
    case = record.case
    words = [case.domain, case.prec, "backward" if case.sign > 0 else "forward"]
    words += ["in place"] * case.in_place + ["with callbacks"] * case.callbacks
    words += [f"{case.batch} at a time"] * (case.batch > 1) + ["side by side"] * (case.m > 1)
    return " ".join(words)
