# SPDX-License-Identifier: Apache-2.0
"""Performance profiles: of how many problems a library is within so many times of the fastest.

E. D. Dolan and J. J. More, "Benchmarking optimization software with performance profiles", Math. Program. 91 (2002).
"""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes

from .. import rank
from ..records.record import Record
from ..rivals import OURS, Contest
from ..table import figures
from . import palette, sheet, style
from .drawing import TIP, Drawing

FARTHEST = 16.0  # of the axis


def groups(contests: list[Contest]) -> list[list[Contest]]:
    """Those of one device, mode and kind of problem."""
    return list(rank.grouped(contests, lambda c: (_any(c).device.slug, _any(c).how, _any(c).case.kind)).values())


def _any(contest: Contest) -> Record:
    return contest[OURS]


def ratios(contests: list[Contest]) -> dict[str, list[float]]:
    """By library its time over the fastest's of each problem that it serves, least first; ours first."""
    libraries = dict.fromkeys([OURS, *(name for contest in contests for name in sorted(contest))])
    return {name: sorted(c[name].median_s / min(r.median_s for r in c.values()) for c in contests if name in c)
            for name in libraries}


def draw(contests: list[Contest], name: str) -> Drawing | None:
    """A step for each problem; None for fewer than three."""
    if len(contests) < 3:
        return None
    found, count = ratios(contests), len(contests)
    figure, (axes,) = style.new(2.9)
    ends = []
    for library, mine in found.items():
        ink = palette.colour(library) if library != OURS else palette.light("accent")
        _steps(axes, library, mine, count, ink)
        ends.append((FARTHEST, sum(r <= FARTHEST for r in mine) / count, library, ink))
    _finish(axes)
    style.label_ends(axes, ends)
    first = _any(contests[0])
    style.title(figure, f"{first.device.slug}, {first.mode_shown}: {count} {first.case.kind} problems")
    first_of = ", ".join(f"{library} {sum(r == 1 for r in mine)}" for library, mine in found.items())
    alt = f"Performance profile over {count} {first.case.kind} problems on {first.device.slug}; fastest in: {first_of}."
    return Drawing(name, alt, figure, [row for contest in contests for row in _rows(contest)])


def _steps(axes: Axes, library: str, mine: list[float], count: int, ink: str) -> None:
    x = [1.0, *mine, max(FARTHEST, *mine)] if mine else [1.0, FARTHEST]
    y = np.append(np.arange(len(mine) + 1), len(mine)) / count
    middle = figures(mine[len(mine) // 2]) if mine else "-"
    axes.step(x, y, where="post", color=ink, linewidth=2.6 if library == OURS else 1.6, gid=f"{TIP}{library}: serves {len(mine)} of {count}, median {middle} times "
                                                 "the fastest")


def _finish(axes: Axes) -> None:
    axes.set_xscale("log", base=2)
    axes.set_xlim(1, FARTHEST)
    axes.set_xticks([1, 2, 4, 8, 16], ["1", "2", "4", "8", "16"])
    axes.minorticks_off()
    axes.set_ylim(0, 1.03)
    axes.yaxis.set_major_formatter(lambda v, _: f"{100 * v:.0f} %")
    axes.set_xlabel("within so many times of the fastest")
    axes.set_ylabel("of problems")


def _rows(contest: Contest) -> list[sheet.Row]:
    least = min(r.median_s for r in contest.values())
    return [sheet.row(record, library=library, ratio=record.median_s / least) for library, record in contest.items()]
