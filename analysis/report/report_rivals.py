# SPDX-License-Identifier: Apache-2.0
"""Ours beside other people's libraries, case by case, what we lose first."""

from __future__ import annotations

from .. import rivals
from ..plots import plot_performance, sheet
from ..records.record import Record
from ..rivals import Duel
from . import html
from .folder import Folder

NOTE = ("Ours and theirs were checked against the same reference and timed in the same rounds; of "
        "each the fastest setting counts that passed in the case and mode, at its tolerance. "
        "N executions are counted with the plan, and theirs with its set-points; ours has the points "
        "in the plan. Libraries that were not built for the processor, as wheels are not, do not "
        "rank and are left out. 'alone' has the command for theirs without ndft, where its record says it.")


def section(records: list[Record], folder: Folder) -> list[str]:
    contests = rivals.contests(records)
    found = rivals.duels(contests)
    if not found:
        return []
    lost = [d for d in found if d.ratio < 1]
    said = f"<p>{rivals.summary(found)}</p>"
    numbers = folder.numbers("rivals", (_numbers(d) for d in found))
    parts = [said, _table(lost)] if lost else [said]
    won = found[len(lost):]
    if won:
        parts.append(html.more(f"{len(won)} won", _table(won)) if lost else _table(won))
    profiles = folder.figure_each(plot_performance.draw, plot_performance.groups(contests), "performance")
    return [said, html.gallery(profiles), *parts[1:], html.note(f"{NOTE} Numbers: {numbers}")]


def _table(some: list[Duel]) -> str:
    head = ["case", "mode", "theirs", "ours", *rivals.HEAD, "again"]
    rows = [[html.code(d.ours.case.label), html.text(d.ours.mode_shown), html.variant(d.theirs.id),
             html.variant(d.ours.id), *d.cells, _again(d.theirs)] for d in some]
    return html.table(head, rows, tuple(range(4, len(head) - 1)))


def _again(theirs: Record) -> html.Cell:
    alone = (theirs.peer or {}).get("alone")
    return html.Cell(html.code("alone" if alone else "bench"), css="command", title=theirs.again)


def _numbers(d: Duel) -> sheet.Row:
    return {"case": d.ours.case.text, "mode": d.ours.mode, "theirs": d.theirs.id,
            "version": d.theirs.peer["version"], "built": d.theirs.peer["built"], "ours": d.ours.id,
            "theirs_s": d.theirs.median_s, "ours_s": d.ours.median_s, "ratio": d.ratio,
            "theirs_plan_s": d.theirs.plan_s, "theirs_setpts_s": d.theirs.setpts_s,
            "ours_plan_s": d.ours.plan_s, "passes_from": d.passes_from, "again": d.theirs.again}
