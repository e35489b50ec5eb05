# SPDX-License-Identifier: Apache-2.0
"""What stands for a decision where a page has room for one case of it."""

from __future__ import annotations

from ..records.cases import Case
from ..rank import Decision, grouped
from ..records.record import Record

Place = tuple[str, Case]  # device slug, case


def device(d: Decision) -> str:
    return d.pick.first.device.slug


def by_device(decisions: list[Decision]) -> dict[str, list[Decision]]:
    return grouped(decisions, device)


def typical(d: Decision) -> Case:
    """The case of a class that most candidates passed; the largest of several."""
    return max(d.cases, key=lambda case: (sum(case in e.records for e in d.entries), case.pairs))


def headlines(decisions: list[Decision]) -> list[Decision]:
    """Of each device the class with the most measured candidates, then the largest."""
    return [max(mine, key=lambda d: (len(d.entries), typical(d).pairs))
            for mine in by_device(decisions).values()]


def places(decisions: list[Decision]) -> list[Place]:
    """One case a class; those of the headlines come first."""
    every = [(device(d), typical(d)) for d in headlines(decisions) + decisions]
    return list(dict.fromkeys(every))


def passes(decisions: list[Decision], where: list[Place]) -> list[Record]:
    """The passes of these cases that were compared in a decision, each place's together."""
    found = grouped((r for d in decisions for e in d.entries for r in e.records.values()),
                    lambda r: (r.device.slug, r.case))
    return [r for place in where for r in found.get(place, [])]
