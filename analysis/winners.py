# SPDX-License-Identifier: Apache-2.0
"""Who wins, as a table of text."""

from __future__ import annotations

from . import program, rank, table
from .rank import Decision
from .records.record import Record

HEAD = ["case", "pick", "coil_pairs/s", "rel_l2", "runner-up", "margin", "over naive"]


def verdict_of_margin(decision: Decision) -> str:
    """The margin over the runner-up, or 'tie'."""
    if decision.tied:
        return "tie"
    return "-" if decision.margin is None else table.percent(decision.margin)


def over_naive(decision: Decision) -> str:
    if decision.naive is None:
        return "-"
    ratio = decision.naive.median_s / decision.pick.median_s
    return f"{table.figures(ratio)}x {decision.naive.backend}"


def text_of(records: list[Record]) -> str:
    """One row a case, and mode where there are several; then the cases without a winner."""
    decisions, undecided = rank.decide(records), rank.undecided(records)
    if not decisions and not undecided:
        return "nothing passed, so nothing can win"
    rows = [_row(d.pick, program.short(d.pick.id), program.short(d.runner_up.id) if d.runner_up else "-",
                 verdict_of_margin(d), over_naive(d)) for d in decisions]
    rows += [_row(r, f"{program.short(r.id)}, provisionally", "-", rank.NO_WINNER, "-") for r in undecided]
    places = [f"{r.device.slug} {r.mode}" for r in [*(d.pick for d in decisions), *undecided]]
    if len(set(places)) == 1:
        return table.text_table(HEAD, rows)
    return table.text_table(["on", *HEAD], [[place, *row] for place, row in zip(places, rows)])


def _row(record: Record, pick: str, *rest: str) -> list[str]:
    return [record.case.label, pick, table.rate(record.coil_pairs_per_s),
            table.error(record.rel_l2), *rest]
