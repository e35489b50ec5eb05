# SPDX-License-Identifier: Apache-2.0
"""Which value of a knob to take, by rule, from the maps of a variant; and what the presets cost.

A map is of one knob, with all the others at their presets. A value's loss is the geometric mean over the
cases of the best cell's rate over its own. Only values that pass wherever the preset passes can be
picked, and the one that loses least is. The preset stands if the pick is faster by less than STANDS
on the mean, or if timing cannot tell the two apart in any case.
"""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from analysis import program, rank
from analysis.plots import plot_tiles, style
from analysis.plots.plot_tiles import Map, Value
from analysis.records.cases import Case
from analysis.records.record import Record

STANDS = .02
# What a thread, a warp or a block takes at a time, in inputs, outputs, cells, samples or lines; then the window.
KNOBS = ("tile", "outputs", "np", "columns", "samples", "most", "length", "height", "cells", "share", "lanes",
         "barrier", "padding", "window", "weights", "field")


@dataclass(frozen=True)
class Pick:
    """Of one knob of one variant on one device."""

    map: Map

    @cached_property
    def losses(self) -> dict[Value, float]:
        """Of each value that can be picked; 1: it is the best in every case."""
        needed = self._passes(self.map.preset) or set(self.map.sizes)
        return {value: math.exp(sum(math.log(self.loss(value, case)) for case in needed) / len(needed))
                for value in self.map.values if needed <= self._passes(value)}

    def _passes(self, value: Value | None) -> set[Case]:
        return {case for case in self.map.sizes
                if (cell := self.map.cells.get((value, case))) and cell.ranks}

    def loss(self, value: Value, case: Case) -> float:
        best = self.map.cells[self.map.winners()[case], case]
        return best.coil_pairs_per_s / self.map.cells[value, case].coil_pairs_per_s

    @property
    def best(self) -> Value | None:
        """None: no value passes everywhere."""
        return min(self.losses, key=self.losses.get, default=None)

    @property
    def gain(self) -> float | None:
        """How much faster the pick is than the preset on the mean; None where the preset was not tried."""
        preset = self.losses.get(self.map.preset)
        return None if preset is None else preset / self.losses[self.best] - 1

    @property
    def stands(self) -> bool:
        return self.gain is not None and (self.gain < STANDS or all(
            rank.tied(self.map.cells[self.best, case], self.map.cells[self.map.preset, case])
            for case in self._passes(self.map.preset)))

    @property
    def worst(self) -> tuple[float, Case] | None:
        """Where the preset is furthest behind the best of the map, and how far."""
        passed = self._passes(self.map.preset)
        return max(((self.loss(self.map.preset, case) - 1, case) for case in self.map.sizes if case in passed),
                   key=lambda found: found[0], default=None)


def picks(records: list[Record]) -> list[Pick]:
    """A pick for each knob that varies, by device and variant as the registry has them."""
    known, found = presets(), []
    for knob in KNOBS:
        for heat in plot_tiles.maps(varied(records, (knob,), known), (knob,), lambda case: ()):
            heat.preset = known[heat.variant].get(knob)
            found.append(Pick(heat))
    return sorted(found, key=lambda p: (p.map.device, style.by_registry(p.map.variant), KNOBS.index(p.map.knob)))


def grids(records: list[Record]) -> list[Map]:
    """Two knobs against each other, wherever both vary together, on the largest such case."""
    known, found = presets(), []
    for knob, across in itertools.combinations(KNOBS, 2):
        both = varied(records, (knob, across), known)
        for (_, variant), mine in rank.grouped(both, lambda r: (r.device.slug, r.variant_name)).items():
            cases = rank.grouped(mine, lambda r: r.case)
            most = max(cases, key=lambda case: (len(cases[case]), case.pairs))
            found.append(plot_tiles.grid(cases[most], knob, across, known[variant].get(knob)))
    return found


def varied(records: list[Record], knobs: tuple[str, ...], known: dict[str, dict[str, Any]]) -> list[Record]:
    """Those of cases in which these knobs vary, together where they are several, with all others at their presets."""
    def is_preset(record: Record, knob: str) -> bool:
        return known.get(record.variant_name, {}).get(knob) == record.knobs[knob]
    alone = [r for r in records if set(knobs) <= set(r.knobs or ()) and r.ranks
             and all(is_preset(r, knob) for knob in r.knobs if knob not in knobs)]
    same = rank.grouped(alone, lambda r: (r.device.slug, r.variant_name, r.case)).values()
    return [r for group in same if len({r.id for r in group}) > 1
            and any(not any(is_preset(r, knob) for knob in knobs) for r in group) for r in group]


def presets() -> dict[str, dict[str, Any]]:
    """By NAME.BACKEND the values that the built program takes where none is given."""
    return {f"{v['name']}.{v['backend']}": {knob["name"]: knob["default"] for knob in v["knobs"]}
            for v in program.variants()["variants"]}


@dataclass(frozen=True)
class Production:
    """A variant with all knobs at their presets, beside the fastest of its settings, case by case."""

    device: str
    variant: str
    cases: list[tuple[Record, Record]]  # at the presets, the fastest

    @cached_property
    def behind(self) -> list[float]:
        return [preset.median_s / best.median_s - 1 for preset, best in self.cases]

    @property
    def mean(self) -> float:
        return math.exp(sum(math.log1p(b) for b in self.behind) / len(self.behind)) - 1

    @property
    def worst(self) -> tuple[Record, Record]:
        return self.cases[self.behind.index(max(self.behind))]


def productions(records: list[Record]) -> list[Production]:
    """Of each variant that was measured at its presets, by device and as the registry has them."""
    found = rank.grouped((r for r in records if r.ranks), lambda r: (r.device.slug, r.variant_name))
    made = [Production(device, variant, _beside(mine)) for (device, variant), mine in found.items()]
    return sorted((p for p in made if p.cases), key=lambda p: (p.device, style.by_registry(p.variant)))


def _beside(mine: list[Record]) -> list[tuple[Record, Record]]:
    by_case = rank.grouped(mine, lambda r: r.case).values()
    return [(preset, min(same, key=lambda r: r.median_s)) for same in by_case if len(same) > 1
            for preset in same if program.short(preset.id) == preset.variant_name]
