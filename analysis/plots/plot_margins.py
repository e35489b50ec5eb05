# SPDX-License-Identifier: Apache-2.0
"""How clear each decision is: time of the runner-up over time of the pick, with its interval."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from matplotlib.axes import Axes

from ..rank import Decision
from ..table import figures, percent
from . import sheet, style
from .drawing import TIP, Drawing

MAX_ROWS = 14


@dataclass
class Margin:
    """ratio of the times, 1.2: the runner-up takes 20 % longer; low, high from both intervals."""

    ratio: float
    low: float
    high: float


def margin(decision: Decision) -> Margin | None:
    """None without a runner-up."""
    if decision.margin is None:
        return None
    return Margin(1 + decision.margin, *(1 + end for end in decision.margin_interval))


def draw(decisions: list[Decision], name: str) -> Drawing | None:
    """One row a case, the closest call at the top; None where nothing had a runner-up."""
    rows = [(d, m) for d in decisions if (m := margin(d))]
    if not rows:
        return None
    rows.sort(key=lambda row: row[1].ratio)
    shown = rows[:MAX_ROWS][::-1]
    span = _span([m for _, m in shown])
    figure, (axes,) = style.new(.33 * len(shown) + .9)
    for y, ((decision, m), words) in enumerate(zip(shown, _names([d for d, _ in shown]))):
        _row(axes, y, decision, m, span, words)
    _finish(axes, len(shown), span)
    slug = rows[0][0].device
    style.title(figure, f"{slug}: the {len(shown)} closest calls of {len(rows)} cases"
                if len(shown) < len(rows) else f"{slug}: all {len(rows)} cases")
    ties = sum(d.tied for d, _ in rows)
    alt = (f"Margin of the pick over the runner-up in {len(rows)} cases on {slug}, "
           f"{ties} of them tied.")
    return Drawing(name, alt, figure, [_numbers(d, m) for d, m in rows])


def _finish(axes: Axes, count: int, span: tuple[float, float]) -> None:
    low, high = span
    axes.axvline(0, color=style.INK, linewidth=1)
    axes.set_ylim(-.7, count - .2)
    axes.set_xlim(low - .02 * (high - low), high + .3 * (high - low))
    axes.set_yticks([])
    axes.spines["left"].set_visible(False)
    axes.xaxis.set_major_locator(style.few_ticks())
    axes.xaxis.set_major_formatter(lambda v, _: f"{v:+.3g} %" if v else "0")
    axes.set_xlabel("the runner-up takes longer by")


def _span(margins: list[Margin]) -> tuple[float, float]:
    """What the axis shows, in %, so that a few far margins do not hide the close ones."""
    shown = sorted(_percent(m.ratio) for m in margins)
    high = max(2, min(shown[-1], 3 * shown[len(shown) // 2]))
    return max(min(0, *(_percent(m.low) for m in margins)), -.4 * high), high


def _percent(ratio: float) -> float:
    return 100 * (ratio - 1)


def _row(axes: Axes, y: int, decision: Decision, m: Margin, span: tuple[float, float],
         words: str) -> None:
    """The case in words above its bar, the margin beside it."""
    ink = style.TIE if decision.tied else style.colour(decision.pick.family)
    told = (f"{decision.pick.id} against {decision.runner_up.id}\n{figures(m.ratio)}x, between "
            f"{figures(m.low)}x and {figures(m.high)}x\n{decision.pick.repro}")
    value = _percent(m.ratio)
    low, x, high = np.clip([_percent(m.low), value, _percent(m.high)], *span)
    mark = ">" if value > x else "<" if value < x else "D" if decision.tied else "o"
    axes.plot([low, high], [y, y], color=ink, linewidth=2.5, solid_capstyle="butt")
    axes.plot(x, y, mark, color=ink, markersize=5, markeredgewidth=0, gid=TIP + told)
    said = "tie" if decision.tied else percent(m.ratio - 1)
    axes.annotate(f"{said} {decision.pick.family}", (max(high, 0), y), xytext=(6, 0),
                  va="center", color=ink, textcoords="offset points", fontsize=7.5)
    axes.annotate(words, (0, y + .27), xytext=(4, 0), textcoords="offset points", va="bottom",
                  fontsize=7.5)


def _names(decisions: list[Decision]) -> list[str]:
    """The cases without the words that all of them share, and without m= beside n=."""
    words = [[w for w in d.case.label.split() if not w.startswith("m=")] for d in decisions]
    shared = set.intersection(*map(set, words)) if len(words) > 1 else set()
    return [" ".join(w for w in mine if w not in shared) for mine in words]


def _numbers(decision: Decision, m: Margin) -> sheet.Row:
    return {"case": decision.case.text, "mode": decision.mode, "pick": decision.pick.id,
            "runner_up": decision.runner_up.id, "ratio": m.ratio, "ratio_lo": m.low,
            "ratio_hi": m.high, "tied": int(decision.tied),
            "run": decision.pick.run.id, "again": decision.pick.repro}
