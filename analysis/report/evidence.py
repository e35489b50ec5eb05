# SPDX-License-Identifier: Apache-2.0
"""Which decisions stand first where a page has no room for all."""

from __future__ import annotations

from typing import Callable, Sequence, TypeVar

from ..plots.drawing import Drawing
from ..rank import Decision, grouped
from ..records.record import Record
from . import html
from .folder import Folder

Group = TypeVar("Group", bound=Sequence)
COMPARED = 4  # of fewer a table says it all
MOST = 40  # pictures of a kind that a reader may want to unfold


def by_device(decisions: list[Decision]) -> dict[str, list[Decision]]:
    return grouped(decisions, lambda d: d.device)


def headlines(decisions: list[Decision]) -> list[Decision]:
    """Of each device the case with the most measured candidates, then the largest."""
    return [max(mine, key=lambda d: (len(d.records), d.case.pairs))
            for mine in by_device(decisions).values()]


def passes(decisions: list[Decision]) -> list[Record]:
    """What was compared, case by case, the headlines first."""
    every = dict.fromkeys(headlines(decisions) + decisions)
    return [record for decision in every for record in decision.records]


def gallery(draw: Callable[[Group, str], Drawing | None], groups: Sequence[Group], kind: str,
            decisions: list[Decision], folder: Folder) -> str:
    """Pictures of problems, a group each: the headlines are shown, the others that compare most
    folded away."""
    shown = max(2, len(headlines(decisions)))
    compared = sorted((g for g in groups[shown:] if len(g) >= COMPARED), key=len, reverse=True)[:MOST]
    figures = folder.figure_each(draw, [*groups[:shown], *compared], kind)
    left = len(groups) - shown - len(compared)
    said = html.note(f"{left} more problems have no picture here; their numbers are in records.csv.")
    return html.shown_and_more(figures, shown, "problems") + (said if left > 0 else "")
