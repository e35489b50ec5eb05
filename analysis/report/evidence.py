# SPDX-License-Identifier: Apache-2.0
"""Which decisions stand first where a page has no room for all."""

from __future__ import annotations

from ..rank import Decision, grouped
from ..records.record import Record


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
