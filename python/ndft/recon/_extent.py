# SPDX-License-Identifier: Apache-2.0
"""How far a scan reaches, in words: what is legal but unlikely is seen there."""

from __future__ import annotations

import math
from typing import Any, Iterator

import numpy as np

from ._acquisition import Acquisition

Array = np.ndarray[Any, Any]

_WEAK_HZ, _WEAK_CYCLES = 30, 1  # a map below both would hardly be corrected for


def _most_cycles(phase: tuple[Array, Array]) -> float:
    """The sum of what each term reaches, wherever and whenever."""
    c, b = (np.abs(values).reshape(len(values), -1).max(1).astype(float) for values in phase)
    return float(c @ b) / (2 * math.pi)


def said_of(scan: Acquisition) -> Iterator[str]:
    """Sizes, |k|, times, decay, phase of higher order and field, and a doubt of the field's unit."""
    yield (f"{scan.frames} frames, {scan.slices} slices, {scan.coils} coils, samples {scan.samples}, image "
           f"{scan.shape}")
    reach = np.abs(scan.k).reshape(-1, len(scan.shape)).max(0) / (np.array(scan.shape) / 2)
    words = [f"|k| up to {', '.join(f'{share:.3g}' for share in reach)} of N/2"]
    if scan.t is not None:
        words.append(f"times {1e3 * float(scan.t.min()):.4g} to {1e3 * float(scan.t.max()):.4g} ms")
    if scan.decay is not None and scan.t is not None:
        low, high = float(scan.decay.min()), float(scan.decay.max())
        words.append(f"decay {low:.4g} to {high:.4g} 1/s, which leaves {math.exp(-high * float(scan.t.max())):.2g} at "
                     "the last time")
    if scan.phase is not None:
        words.append(f"phase of higher order of {len(scan.phase[0])} terms, at most {_most_cycles(scan.phase):.3g} "
                     "cycles")
    if scan.field is None or scan.t is None:
        yield "; ".join(words)
        return
    low, high = (float(value) / (2 * math.pi) for value in (scan.field.min(), scan.field.max()))
    cycles = (high - low) * float(scan.t.max() - scan.t.min())
    yield "; ".join([*words, f"field {low:.4g} to {high:.4g} Hz; {cycles:.3g} cycles of phase"])
    if scan.units.field is None and 0 < max(-low, high) < _WEAK_HZ and cycles < _WEAK_CYCLES:
        yield (f"the field map stays below {max(-low, high):.3g} Hz and {cycles:.2g} cycles in the readout: if the "
               "file is in Hz, --field-unit Hz is right")
