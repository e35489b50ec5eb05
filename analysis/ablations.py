# SPDX-License-Identifier: Apache-2.0
"""What bounds a kernel, shown by kernels that leave something of it out.

An ablation takes the time of what is left. It is set beside the record of the variant that it
explains: the same device, case and mode, and the same value of every knob that both have.
"""

from __future__ import annotations

from dataclasses import dataclass

from . import rank
from .records.record import Record

# Times as fast without it: below the first it makes no difference, from the second on it bounds.
FASTER, BOUND = 1.05, 1.25


@dataclass
class Study:
    """One kernel and its ablations; gains holds how many times as fast it is without what."""

    kernel: Record
    ablations: list[Record]

    @property
    def gains(self) -> dict[str, float]:
        return {a.ablates["without"]: a.coil_pairs_per_s / self.kernel.coil_pairs_per_s
                for a in self.ablations}

    @property
    def conclusion(self) -> str:
        """The part that bounds the kernel, which is much faster without it and without no other."""
        (first, most), *others = sorted(self.gains.items(), key=lambda gain: -gain[1])
        if most < FASTER:
            return "neither bounds it" if others else f"{first} does not bound it"
        if others and others[0][1] - 1 > (most - 1) / 2:
            return f"{first} and {others[0][0]} add up"
        return f"{first} bounds it" if most >= BOUND else f"partly {first}"


def studies(records: list[Record]) -> list[Study]:
    """Every kernel that was timed together with ablations of it, small problems first."""
    timed = [r for r in records if r.ablates and r.coil_pairs_per_s]
    found = []
    for group in rank.grouped(timed, _about).values():
        kernels = [r for r in records if r.ranks and _place(r) == _place(group[0])
                   and r.variant_name == group[0].ablates["variant"] and _alike(r, group[0])]
        if kernels:
            found.append(Study(min(kernels, key=lambda r: r.median_s), group))
    return sorted(found, key=lambda s: s.kernel.case.place)


def _place(r: Record) -> tuple:
    return r.device.slug, r.case, r.mode


def _about(r: Record) -> tuple:
    return *_place(r), r.ablates["variant"], r.id.partition(":")[2]


def _alike(a: Record, b: Record) -> bool:
    knobs, others = a.knobs or {}, b.knobs or {}
    return all(knobs[name] == others[name] for name in knobs.keys() & others.keys())
