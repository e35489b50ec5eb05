# SPDX-License-Identifier: Apache-2.0
"""The samples behind a record that can be compared: of each process of each of its runs, in seconds
or cycles."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from . import ratio
from .ratio import Median
from .records import processes
from .records.record import Record
from .records.runs import Scatter, joined


@dataclass(frozen=True)
class Times:
    """samples are those of the record's own run; medians one for each process of each run with
    enough of them: processes differ as runs do, and are joined as these are."""

    samples: np.ndarray
    medians: list[Median]
    throttled: int  # samples of the own run that were left out for that
    runs: int = 1

    @property
    def middle(self) -> float | None:
        """What a table shows: the median, of several runs the mean of theirs by logarithms."""
        if self.medians:
            return float(np.exp(np.mean([m.value for m in self.medians])))
        return float(np.median(self.samples)) if len(self.samples) else None

    def joined(self, between: Scatter | None) -> Median:
        return joined(self.medians, between)


def of(record: Record, cycles: bool) -> Times:
    """Every run of the record: its own, and the earlier ones of the same build."""
    own = [_samples(part, cycles) for part in processes.timed(record.raw)]
    runs = [_samples(part, cycles)[0] for earlier in record.earlier
            for part in processes.timed(earlier.raw)]
    runs += [samples for samples, _ in own]
    return Times(np.concatenate([np.empty(0), *(samples for samples, _ in own)]),
                 [ratio.median(s) for s in runs if len(s) >= ratio.ENOUGH],
                 sum(throttled for _, throttled in own), 1 + len(record.earlier))


def _samples(part: dict[str, Any], cycles: bool) -> tuple[np.ndarray, int]:
    """Those that are times, and how many were left out since the device was throttled.

    None is left out where fewer than ENOUGH would remain, nor in cycles, which have the clock in
    them; a sample without a clock has no cycles.
    """
    times = part.get("samples_s") or []
    if cycles:
        clocks = part.get("clocks_mhz") or []
        return ratio.usable([t * c * 1e6 for t, c in zip(times, clocks) if t and c]), 0
    throttled = set(part.get("throttled") or ())
    every = ratio.usable(times)
    calm = ratio.usable([t for i, t in enumerate(times) if i not in throttled])
    return (calm, len(every) - len(calm)) if len(calm) >= ratio.ENOUGH else (every, 0)
