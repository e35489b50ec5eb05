# SPDX-License-Identifier: Apache-2.0
"""Along one axis of the problem: who wins at each value, and where the winner changes."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass
from typing import Any, Callable

from . import rank
from .plots import style
from .records.cases import Case
from .records.record import Record


@dataclass(frozen=True)
class Axis:
    """value is the axis's number in a case; rest is what must be the same along it."""

    name: str
    every: str  # after "at every"
    unit: str
    value: Callable[[Case], float]
    rest: Callable[[Case], Any]
    hide: tuple[str, ...]  # keys that a title leaves out


AXES = (
    Axis("size", "size", "", lambda c: c.pairs, lambda c: c.without_size, ("n", "m", "traj")),
    Axis("coils", "number of coils", "", lambda c: c.coils, lambda c: c.without("coils"), ("coils",)),
    Axis("tolerance", "tolerance", "", lambda c: c.tol, lambda c: c.without("tol"), ("tol",)),
    Axis("field", "field strength", " Hz", lambda c: c.field_hz,
         lambda c: (c.without("field"), c.field), ("field",)),
    Axis("readout", "readout time", " s", lambda c: c.t, lambda c: c.without("t"), ("t",)),
)


@dataclass
class Crossing:
    """Between the values low and high the winner changes; at is where the two lines meet, None
    where they were not both measured on both sides."""

    low: float
    high: float
    at: float | None
    before: Record  # at low
    after: Record  # at high


@dataclass
class Sweep:
    axis: Axis
    device: str
    lines: dict[str, dict[float, Record]]  # NAME.BACKEND -> value -> fastest pass

    @property
    def values(self) -> list[float]:
        """Where two variants or more were measured: elsewhere nobody wins."""
        counts = Counter(value for line in self.lines.values() for value in line)
        return sorted(value for value, n in counts.items() if n > 1)

    @property
    def first(self) -> Record:
        line = next(iter(self.lines.values()))
        return line[min(line)]

    @property
    def title(self) -> str:
        case = self.first.case
        words = case.without(*self.axis.hide)
        if "traj" in self.axis.hide and case.traj != "random":
            words += f" traj={case.traj}"
        if "field" in self.axis.hide:
            words += f" field={case.field}"
        return f"{words}, {self.device}"

    def say(self, value: float) -> str:
        """The value as people name it: 256² m=65536, or 200 Hz."""
        if self.axis.name != "size":
            return f"{value:g}{self.axis.unit}"
        case = next(line[value] for line in self.lines.values() if value in line).case
        return f"{case.size_label} m={case.m}"

    def at(self, value: float) -> list[Record]:
        """The variants at this value, fastest first."""
        found = [line[value] for line in self.lines.values() if value in line]
        return sorted(found, key=lambda r: (r.median_s, r.id))

    def winners(self) -> list[Record]:
        """The winner at each value; whoever won before keeps winning while it is tied."""
        found: list[Record] = []
        for value in self.values:
            ranked = self.at(value)
            held = [r for r in ranked if found and r.variant_name == found[-1].variant_name
                    and rank.tied(r, ranked[0])]
            found.append(held[0] if held else ranked[0])
        return found

    def crossings(self) -> list[Crossing]:
        found = []
        winners = self.winners()
        for low, high, a, b in zip(self.values, self.values[1:], winners, winners[1:]):
            if a.variant_name != b.variant_name:
                found.append(Crossing(low, high, self._meet(low, high, a, b), a, b))
        return found

    def _meet(self, low: float, high: float, a: Record, b: Record) -> float | None:
        """Where the two straight lines of the log-log plot cut each other."""
        a_high, b_low = self.lines[a.variant_name].get(high), self.lines[b.variant_name].get(low)
        if low <= 0 or not (a_high and b_low):
            return None
        lead, lag = math.log(b_low.median_s / a.median_s), math.log(a_high.median_s / b.median_s)
        share = lead / (lead + lag) if lead + lag > 0 else .5
        return low * (high / low) ** min(max(share, 0), 1)


def sweeps(records: list[Record], axis: Axis) -> list[Sweep]:
    """Problems of which variants can be compared at two values of the axis or more."""
    groups = rank.grouped((r for r in records if r.ranks),
                          lambda r: (r.device.slug, axis.rest(r.case)))
    found = [Sweep(axis, slug, _lines(group, axis)) for (slug, _), group in groups.items()]
    return [s for s in found if len(s.values) > 1]


def _lines(group: list[Record], axis: Axis) -> dict[str, dict[float, Record]]:
    best = rank.fastest(group, lambda r: (r.variant_name, axis.value(r.case)))
    names = sorted({name for name, _ in best}, key=style.by_registry)
    values = sorted({value for _, value in best})
    return {n: {v: best[n, v] for v in values if (n, v) in best} for n in names}
