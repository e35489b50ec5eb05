# SPDX-License-Identifier: Apache-2.0
"""How many times as fast as a peer: from records of one run alone, whose rounds held both.

A peer's time of another day, machine state or clock says nothing about ours. Each side is taken in
the mode that suits it best.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Iterable

from .rank import grouped
from .records.cases import Case
from .records.record import Record


@dataclass(frozen=True)
class Speedup:
    """The rival's time over ours, and what the published intervals of both leave of it."""

    ours: Record
    rival: Record

    @property
    def value(self) -> float:
        return self.rival.median_s / self.ours.median_s

    @property
    def interval(self) -> tuple[float, float]:
        (low, high), (rival_low, rival_high) = self.ours.interval, self.rival.interval
        return rival_low / high, rival_high / low


def of(case: Case, ours: str, rival: str, modes: list[str], device: str,
       records: Iterable[Record]) -> Speedup | None:
    """The newest run that has both; ours and rival are expressions over NAME.BACKEND or the id, and
    no peer is ours. None: no run has both."""
    here = [r for r in _every(records) if r.case == case and r.mode in modes
            and re.fullmatch(device, r.device.slug)]
    found = None
    for _, run in sorted(grouped(here, lambda r: (r.run.started, r.run.id, r.device.slug)).items()):
        mine = [r for r in run if not r.peer and matches(ours, r)]
        others = [r for r in run if matches(rival, r)]
        if mine and others:
            found = Speedup(*(min(side, key=lambda r: r.median_s) for side in (mine, others)))
    return found


def matches(pattern: str, record: Record) -> bool:
    return bool(re.fullmatch(pattern, record.variant_name) or re.fullmatch(pattern, record.id))


def _every(records: Iterable[Record]) -> Iterable[Record]:
    """With what newer runs of the same measurement have replaced: the peer may be in an older one."""
    for r in records:
        yield r
        yield from r.earlier
