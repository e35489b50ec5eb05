# SPDX-License-Identifier: Apache-2.0
"""Ours beside other people's libraries, case by case, what we lose first."""

from __future__ import annotations

import math
from dataclasses import dataclass

from .. import rank, table
from ..plots import sheet
from . import html
from .folder import Folder
from ..records.record import Record

CALLS = (1, 10, 100)
NOTE = ("Ours and theirs were checked against the same reference and timed in the same rounds; of "
        "each the fastest setting counts that passed in the case and mode, at its tolerance. "
        "Plans: ours has the points in it; theirs is plan and set-points. Libraries that were not "
        "built for the processor, as wheels are not, do not rank and are left out.")


@dataclass
class Duel:
    """The fastest of ours and of theirs on one case in one mode."""

    ours: Record
    theirs: Record

    @property
    def ratio(self) -> float:
        """How many times as fast ours is, execution alone; below 1 it loses."""
        return self.theirs.median_s / self.ours.median_s

    def after(self, calls: int) -> float:
        """The same with plans and so many executions."""
        return ((before(self.theirs) + calls * self.theirs.median_s)
                / (before(self.ours) + calls * self.ours.median_s))

    @property
    def passes_from(self) -> int | None:
        """From how many executions on ours takes less, plans included; None: never."""
        gain = self.theirs.median_s - self.ours.median_s
        plan = before(self.ours) - before(self.theirs)
        if gain <= 0:
            return None
        return max(1, math.floor(plan / gain) + 1)


def before(r: Record) -> float:
    """Seconds before the first execution."""
    return (r.plan_s or 0) + (r.setpts_s or 0)


def duels(records: list[Record]) -> list[Duel]:
    """One for each case and mode that both have, what is lost most first."""
    found = []
    for group in rank.grouped((r for r in records if r.ranks),
                              lambda r: (r.device.slug, r.backend, r.case, r.how)).values():
        ours = [r for r in group if not r.peer]
        theirs = [r for r in group if r.peer]
        if ours and theirs:
            found.append(Duel(*(min(side, key=lambda r: r.median_s) for side in (ours, theirs))))
    return sorted(found, key=lambda d: (d.ratio, d.ours.case.text))


def section(records: list[Record], folder: Folder) -> list[str]:
    found = duels(records)
    if not found:
        return []
    lost = [d for d in found if d.ratio < 1]
    middle = math.exp(sum(math.log(d.ratio) for d in found) / len(found))
    said = (f"<p>{len(lost)} of {len(found)} lost, least {table.figures(found[0].ratio)} times as fast, "
            f"geometric mean {table.figures(middle)} times, execution alone.</p>")
    numbers = folder.numbers("rivals", (_numbers(d) for d in found))
    parts = [said, _table(lost)] if lost else [said]
    won = found[len(lost):]
    if won:
        parts.append(html.more(f"{len(won)} won", _table(won)) if lost else _table(won))
    return parts + [f'<p class="note">{NOTE} Numbers: {numbers}</p>']


def _table(some: list[Duel]) -> str:
    head = ["case", "mode", "theirs", "ours", "theirs takes", "ours takes", "times as fast",
            *(f"with plans, N = {n}" for n in CALLS), "passes from N"]
    rows = [[html.Cell(html.code(d.ours.case.label), title=d.theirs.repro), html.text(d.ours.mode_shown),
             html.variant(d.theirs.id), html.variant(d.ours.id), table.seconds(d.theirs.median_s),
             table.seconds(d.ours.median_s), table.figures(d.ratio),
             *(table.figures(d.after(n)) for n in CALLS), str(d.passes_from or "never")] for d in some]
    return html.table(head, rows, tuple(range(4, len(head))))


def _numbers(d: Duel) -> sheet.Row:
    return {"case": d.ours.case.text, "mode": d.ours.mode, "theirs": d.theirs.id,
            "version": d.theirs.peer["version"], "built": d.theirs.peer["built"], "ours": d.ours.id,
            "theirs_s": d.theirs.median_s, "ours_s": d.ours.median_s, "ratio": d.ratio,
            "theirs_plan_s": d.theirs.plan_s, "theirs_setpts_s": d.theirs.setpts_s,
            "ours_plan_s": d.ours.plan_s, "passes_from": d.passes_from, "again": d.theirs.repro}
