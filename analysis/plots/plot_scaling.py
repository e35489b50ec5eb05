# SPDX-License-Identifier: Apache-2.0
"""Efficiency of groups over the number of devices: what was found, and lines of the model to 64."""

from __future__ import annotations

from .. import scaling
from ..records.record import Scaling
from . import sheet, style
from .drawing import TIP, Drawing
from .palette import EVERY, light

MOST = 64
CAPTION = "Points: found, with their intervals. Lines: the model, from the time of one device."


def draw(rows: list[scaling.Row], name: str) -> Drawing | None:
    """One colour a case; a row that was not measured has none."""
    measured = [row for row in rows if row.found and row.plain]
    if not measured:
        return None
    figure, (axes,) = style.new(3.9)
    numbers = [2**i for i in range(MOST.bit_length())]
    inks = [light(each) for each in EVERY][10:]
    ends, points = [], []
    for i, row in enumerate(measured):
        ink = inks[i % len(inks)]
        line = [100 * scaling.predicted(row.found, row.plain.median_s, n) for n in numbers]
        axes.plot(numbers, line, color=ink, linewidth=1.2, alpha=.7)
        axes.errorbar(row.found.gpus, 100 * row.found.efficiency, yerr=_interval(row), color=ink, marker="o", markersize=4.5,
                      linewidth=1, gid=TIP + f"{row.label}\n{scaling.percent(row.found.efficiency)}")
        ends.append((MOST, line[-1], _short(row.found), ink))
        points += [_numbers(row, n, value) for n, value in zip(numbers, line)]
    axes.set_xscale("log", base=2)
    axes.set_xticks(numbers, [str(n) for n in numbers])
    axes.set_xlabel("devices")
    axes.set_ylabel("efficiency, %")
    axes.set_ylim(0, max(105, *(100 * row.found.efficiency + 3 for row in measured)))
    style.title(figure, "Several devices beside the best plan of one")
    style.label_ends(axes, ends)
    met = sum(row.state == "met" for row in measured)
    return Drawing(name, f"Efficiency over devices of {len(measured)} cases; {met} reach what was wanted.", figure, points)


def _short(found: Scaling) -> str:
    what = f"cg {found.iterations}" if found.iterations else found.case.op
    return f"{what} {found.case.size_label} c{found.case.coils or 1}" + (" ranks" if found.ranks else "")


def _interval(row: scaling.Row) -> list[list[float]]:
    low, high = (row.found.raw.get(name) or row.found.median_s for name in ("ci_lo_s", "ci_hi_s"))
    middle = 100 * row.found.efficiency
    best, worst = (middle * (row.found.median_s / s) for s in (low, high))  # an end that is the median is the middle
    return [[middle - worst], [best - middle]]


def _numbers(row: scaling.Row, n: int, model: float) -> sheet.Row:
    found: Scaling = row.found
    return {"case": found.case.text, "device": found.slug, "devices": n, "ranks": found.ranks,
            "iterations": found.iterations, "model_percent": model,
            "found_percent": 100 * found.efficiency if n == found.gpus else None,
            "one_s": row.plain.median_s, "run": found.run.id}
