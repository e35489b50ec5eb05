# SPDX-License-Identifier: Apache-2.0
"""A scan of the ellipses of ndft.recon's demo, of any size and with any number of coils, along spirals."""

from __future__ import annotations

from typing import Any, NamedTuple

from ndft.recon._phantom import MOST_HZ, field_on, object_on
from ndft.recon._simulation import spiral

from .cases import FINE, Case, Way, scanned


class Size(NamedTuple):
    """Of a scan. The spirals have as many samples as the image has voxels; 5 ms of 100 Hz are a field of rank 6."""

    n: int = 256
    coils: int = 32
    shots: int = 32
    readout_s: float = 5e-3
    hz: float = 100  # 0: a homogeneous field


def case(size: Size, **options: Any) -> Case:
    """options of ndft.Plan, for samples and weights."""
    way = Way(*spiral(size.n, size.shots, size.n ** 2 // size.shots, size.readout_s), size.coils, True)
    timed = {"field": field_on(FINE, size.n) * (size.hz / MOST_HZ)} if size.hz else {}
    name = f"ellipses, {size.hz:g} Hz" if size.hz else "ellipses, homogeneous field"
    return scanned(name, object_on(FINE, size.n), timed, way, size.n, **options)
