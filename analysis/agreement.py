# SPDX-License-Identifier: Apache-2.0
"""Do two measurements of one thing agree? Of every case, id, mode and build in two sets of records:
do the published intervals meet?

Of intervals that hold the truth in 95 of 100, hardly any two miss each other; where many do, they are
narrower than what they leave out: what differs between runs, hours or machines. How much that is,
these pairs say too; what published intervals have of it is records/between_runs.py's.
"""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from statistics import median
from typing import Any

from . import table
from .pairing import pairs
from .rank import grouped
from .records.between_runs import estimate
from .records.errors import RecordsError
from .records.record import Record, Records

SCHEMA = "ndft-agreement/1"


@dataclass(frozen=True)
class Twice:
    """One measurement in both sets."""

    a: Record
    b: Record

    @property
    def meets(self) -> bool:
        (a_low, a_high), (b_low, b_high) = self.a.published, self.b.published
        return a_low <= b_high and b_low <= a_high

    @property
    def ratio(self) -> float:
        return self.b.median_s / self.a.median_s

    @property
    def half_width(self) -> float:
        return (self.a.published_half_width + self.b.published_half_width) / 2


def twice(a: Records, b: Records) -> list[Twice]:
    """What both measured, each with an interval, by one build and one clock on one kind of device in
    runs of their own; RecordsError without any."""
    found = [Twice(p.a, p.b) for p in pairs(a, b) if p.a and p.b and _same_thing(p.a, p.b)]
    if not found:
        raise RecordsError("A and B have no measurement in common that both have an interval of: one "
                           "case, id, mode, device, build and timing version in two runs")
    return found


def in_doubt(a: Records, b: Records) -> int:
    """How many pairs cannot be judged, since the times of either are in doubt."""
    return sum(1 for p in pairs(a, b) if p.a and p.b and _again(p.a, p.b)
               and (p.a.doubt or p.b.doubt))


def _same_thing(a: Record, b: Record) -> bool:
    return a.half_width is not None and b.half_width is not None and _again(a, b)


def _again(a: Record, b: Record) -> bool:
    return (a.run.id != b.run.id and a.build_id == b.build_id and a.device.slug == b.device.slug
            and a.clock == b.clock)


def _places(found: list[Twice]) -> dict[tuple[str, str], list[Twice]]:
    return dict(sorted(grouped(found, lambda t: (t.a.device.slug, t.a.mode_shown)).items()))


def text_of(found: list[Twice], unclear: int = 0) -> str:
    """A row for each device and mode, then the pairs that do not meet, the farthest apart first, and
    how many are in doubt."""
    head = ["device", "mode", "pairs", "meet", "share", "half-width at the middle", "between runs"]
    rows = [[*place, str(len(of)), str(_meeting(of)), f"{100 * _meeting(of) / len(of):.1f} %",
             f"±{100 * median(t.half_width for t in of):.2g} %", f"{100 * _between(of):.2g} %"]
            for place, of in _places(found).items()]
    parts = [table.text_table(head, rows)]
    apart = sorted((t for t in found if not t.meets), key=lambda t: -abs(math.log(t.ratio)))
    if apart:
        rows = [[f"{t.ratio:.4f}", table.seconds(t.a.median_s), table.seconds(t.b.median_s), t.a.id,
                 t.a.mode_shown, t.a.case.label] for t in apart]
        parts.append(table.text_table(["B/A", "A", "B", "variant", "mode", "case"], rows))
    parts.append(f"{_meeting(found)} of {len(found)} pairs have intervals that meet"
                 + (f"; {unclear} more are in doubt and not judged" if unclear else ""))
    return "\n\n".join(parts)


def _meeting(of: list[Twice]) -> int:
    return sum(t.meets for t in of)


def _between(of: list[Twice]) -> float:
    return estimate((t.ratio, t.a.half_width, t.b.half_width) for t in of)


def json_of(found: list[Twice], unclear: int = 0) -> str:
    """The same for a program, numbers unrounded."""
    def place(slug: str, mode: str, of: list[Twice]) -> dict[str, Any]:
        return {"device": slug, "mode": mode, "pairs": len(of), "meet": _meeting(of),
                "half_width": median(t.half_width for t in of), "between_runs": _between(of)}
    return json.dumps({"schema": SCHEMA, "pairs": len(found), "meet": _meeting(found),
                       "in_doubt": unclear, "places": [place(*key, of) for key, of in _places(found).items()]}, indent=1)
