# SPDX-License-Identifier: Apache-2.0
"""How well the samples fit what an image would give, by which the sign of a field map is seen where edges hide it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from .._kinds import kind_of
from ._acquisition import Acquisition
from ._reconstruct import Settings, reconstruct, sense_of

Array = np.ndarray[Any, Any]

ITERATIONS = 3  # after which what no image can fit stands out


def misfit(scan: Acquisition, settings: Settings, weights: Array | None = None) -> float:
    """The weighted norm of E x - d over that of d, of the first frame and the slice in the middle after some
    iterations; weights (*samples). A right field map lets one image fit the samples of all coils and times."""
    slice_ = scan.slices // 2
    maps = scan.maps
    if maps is not None and maps.ndim > 1 + len(scan.shape):
        maps = maps[slice_:slice_ + 1]
    one = replace(scan, k=scan.k_of(0), data=kind_of(scan.data).host(scan.data[:1, slice_:slice_ + 1]), maps=maps,
                  field=scan.field_of(slice_), decay=scan.decay_of(slice_), phase=scan.phase_of(0, slice_))
    found = reconstruct(one, replace(settings, iterations=ITERATIONS, stop=0), [] if weights is None else [weights])
    if not found.finished:
        raise KeyboardInterrupt
    operator = sense_of(one, settings, found.maps, 0, [0], None)
    data = one.data[0]
    scale = 1 if weights is None else np.sqrt(np.abs(weights))
    norm = float(np.linalg.norm(scale * data))
    return float(np.linalg.norm(scale * (operator.forward(found.images[0]) - data))) / norm if norm else 0.
