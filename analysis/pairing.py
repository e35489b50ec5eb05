# SPDX-License-Identifier: Apache-2.0
"""Which record of one set of files answers which record of another: same case, id, mode and device,
whatever the build."""

from __future__ import annotations

from dataclasses import dataclass

from .rank import grouped
from .records.record import Record, Records


@dataclass(frozen=True)
class Pair:
    """The same measurement before and after; None where one side has none."""

    a: Record | None
    b: Record | None

    @property
    def record(self) -> Record:
        return self.b or self.a

    @property
    def mode(self) -> str | None:
        """Of the side that was timed."""
        return (self.a and self.a.mode) or (self.b and self.b.mode)


def _slugs(records: Records) -> dict[str, set[str]]:
    return {backend: {r.device.slug for r in of}
            for backend, of in grouped(records.every, lambda r: r.backend).items()}


def crossed(a: Records, b: Records) -> dict[str, tuple[str, str]]:
    """Backends of which each side has one device, and not the same: these are compared, too."""
    of_a, of_b = _slugs(a), _slugs(b)
    return {backend: (min(of_a[backend]), min(of_b[backend]))
            for backend in of_a.keys() & of_b.keys()
            if len(of_a[backend]) == len(of_b[backend]) == 1 and of_a[backend] != of_b[backend]}


def pairs(a: Records, b: Records) -> list[Pair]:
    """Every record of both sides once, in the order of a and then of b.

    Bursts answer bursts. A record without a mode was never timed, so its verdict answers every mode.
    """
    across = crossed(a, b)

    def index(records: Records) -> dict[tuple, Record]:
        return {(r.case, r.id, r.backend in across or r.device.slug, r.how): r
                for r in records.every}

    of_a, of_b = index(a), index(b)
    found = [Pair(record, of_b.get(key) or of_b.get((*key[:3], None)))
             for key, record in of_a.items()]
    used = {id(pair.b) for pair in found}
    for key, record in of_b.items():
        if id(record) not in used:
            found.append(Pair(of_a.get((*key[:3], None)), record))
    answered = {id(pair.a) for pair in found if pair.a and pair.b}
    return [pair for pair in found if pair.b or id(pair.a) not in answered]


def _drivers(records: Records) -> dict[str, set[str]]:
    return {slug: {r.device.driver for r in of}
            for slug, of in grouped(records.every, lambda r: r.device.slug).items()}


def differences(a: Records, b: Records) -> list[str]:
    """Sentences on what differs between the machines of the two sides."""
    found = [f"devices differ ({backend}: {one} in A, {two} in B): the ratios are of machines as "
             "much as of programs" for backend, (one, two) in sorted(crossed(a, b).items())]
    of_a, of_b = _drivers(a), _drivers(b)
    for slug in sorted(of_a.keys() & of_b.keys()):
        if of_a[slug] != of_b[slug]:
            one, two = (", ".join(sorted(driver or "unknown" for driver in side[slug]))
                        for side in (of_a, of_b))
            found.append(f"drivers differ on {slug}: {one} in A, {two} in B")
    return found
