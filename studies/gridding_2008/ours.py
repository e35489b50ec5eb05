# SPDX-License-Identifier: Apache-2.0
"""Times of the suite seed002, by what they are of: stages of the timing mode stages, totals of batch."""

from __future__ import annotations

from typing import Iterable, NamedTuple

from analysis.records.record import Record

from .printed import LETTERS, SIZES

SUITE = "seed002"
SCHEME = "nufft_hybrid"  # the paper's own
ROWS = "nufft, interpolate=rows"  # its encoding of the forward transform
WINDOWS = {"G": ("gaussian", "polynomial"), "L": ("kb", "table"), "KB": ("kb", "polynomial")}
BACKENDS = ("cpu", "cuda")


class Place(NamedTuple):
    """A measurement of the suite; sigma is the oversampling in percent."""

    op: str
    trajectory: str
    nx: int
    letter: str = "KB"
    width: int = 4
    sigma: int = 200
    scheme: str = SCHEME
    online: bool = False


PLACES = [Place(op, trajectory, nx) for op in ("forward", "adjoint") for trajectory in ("spiral", "radial")
          for nx in SIZES]


def place_of(record: Record) -> Place | None:
    """None of a window that the paper has not."""
    knobs = record.knobs or {}
    window = knobs.get("window"), knobs.get("weights")
    letter = next((letter for letter in LETTERS if WINDOWS[letter] == window), None)
    if letter is None or len(set(record.case.n)) != 1:
        return None
    rows = knobs.get("interpolate") == "rows"
    return Place(record.case.op, record.case.traj, record.case.n[0], letter, knobs.get("width"), knobs.get("sigma"),
                 ROWS if rows else record.family, knobs.get("trajectory") == "online")


class Times:
    """Of one device a backend: the one with the most measurements."""

    def __init__(self, records: Iterable[Record]) -> None:
        mine = [r for r in records if r.run.suite == SUITE and r.verdict == "pass" and r.median_s]
        self.devices = {backend: slug for backend in BACKENDS if (slug := _most(mine, backend))}
        self._by: dict[tuple[str, str, Place], Record] = {}
        for record in mine:
            place = place_of(record)
            if place and self.devices.get(record.backend) == record.device.slug:
                self._by[record.backend, record.mode, place] = record

    def record(self, backend: str, mode: str, place: Place) -> Record | None:
        return self._by.get((backend, mode, place))

    def runs(self) -> list[tuple[str, str]]:
        """(device, the moment) of all that is counted."""
        return sorted({(r.device.slug, r.run.started) for r in self._by.values()})

    def schemes(self, backend: str) -> list[str]:
        return sorted({place.scheme for b, _, place in self._by if b == backend})

    def stage(self, backend: str, place: Place, name: str) -> float | None:
        """convolution, fft or deapodisation, those that are no difference below zero."""
        record = self.record(backend, "stages", place)
        seconds = ((record.phases_s if record else None) or {}).get(name)
        return seconds if seconds and seconds > 0 else None

    def total(self, backend: str, place: Place) -> float | None:
        record = self.record(backend, "batch", place)
        return record.median_s if record else None

    def plan(self, backend: str, place: Place) -> float | None:
        record = self.record(backend, "batch", place)
        return record.plan_s if record else None

    def row(self, backend: str, place: Place) -> tuple[float | None, ...]:
        """As the tables are printed: in the order of printed.STAGES."""
        of = [place._replace(letter=letter) for letter in LETTERS]
        shared = [self.stage(backend, place._replace(letter="KB"), name) for name in ("fft", "deapodisation")]
        return (*(self.stage(backend, p, "convolution") for p in of), *shared, *(self.total(backend, p) for p in of))


def ratio(a: float | None, b: float | None) -> float | None:
    return a / b if a and b else None


def _most(records: list[Record], backend: str) -> str | None:
    slugs = [r.device.slug for r in records if r.backend == backend]
    return max(sorted(set(slugs)), key=slugs.count, default=None)
