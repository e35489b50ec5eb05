# SPDX-License-Identifier: Apache-2.0
"""Which engine is chosen where: over size, field x readout, coils and tolerance, and what was measured there."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Iterable, Sequence

from . import program, rank
from .records.record import Record

SIZES = (16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512)  # squared, with as many samples on radial lines
TURNS = (0, .4, .8, 2, 5, 12, 40, 100)  # of field x readout, 400 Hz from end to end; 0: no field map
COILS = (1, 4, 16)
TOLERANCES = (1e-3, 1e-4, 1e-5)


@dataclass(frozen=True)
class Place:
    """A problem of the map."""

    size: int
    turns: float
    coils: int
    tol: float

    def case(self, op: str) -> str:
        field = f" t={self.turns * 2.5:g}ms field=smooth:200Hz" if self.turns else ""
        return (f"{op} 2d n={self.size}x{self.size} m={self.size ** 2} traj=radial{field} coils={self.coils} "
                f"tol={self.tol:g}")


@dataclass
class Choice:
    """family: of the engine chosen; measured: the fastest pass of its problem's case, None: none was."""

    place: Place
    family: str
    measured: Record | None = None


def places(sizes: Sequence[int] = SIZES) -> list[Place]:
    return [Place(size, turns, coils, tol) for tol in TOLERANCES for coils in COILS for turns in TURNS
            for size in sizes]


def chosen(where: list[Place], op: str, *device: str) -> list[Choice]:
    """What the program chooses; device: --backend NAME or --on DEVICE."""
    said = program.ask("best", "--json", *device, *(place.case(op) for place in where), NDFT_CACHE="")
    return [Choice(place, answer["variant"].partition(".")[0])
            for place, answer in zip(where, map(json.loads, said.splitlines()), strict=True)]


def measured(choices: list[Choice], op: str, records: Iterable[Record]) -> None:
    """Adds what records say of the very cases."""
    texts = [answer["case"] for answer in program.cases([choice.place.case(op) for choice in choices])]
    passes = rank.main_mode([r for r in records if r.ranks and r.may_be_chosen])
    fastest = rank.fastest(passes, lambda r: r.case.text)
    for choice, text in zip(choices, texts, strict=True):
        choice.measured = fastest.get(text)
