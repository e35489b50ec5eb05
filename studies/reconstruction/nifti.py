# SPDX-License-Identifier: Apache-2.0
"""Volumes of NIfTI-1 in one file (Cox et al., OHBM 2004; nifti1.h), compressed or not."""

from __future__ import annotations

import gzip
import struct
from pathlib import Path
from typing import NamedTuple

import numpy as np

KINDS = {2: "<u1", 4: "<i2", 16: "<f4", 64: "<f8"}


class Volume(NamedTuple):
    values: np.ndarray  # (nz, ny, nx)
    voxel_mm: tuple[float, float, float]  # along z, y, x
    first_mm: tuple[float, float, float]  # where the first voxel lies


def read(path: Path) -> Volume:
    """ValueError for what is none, or has numbers of another kind."""
    content = path.read_bytes()
    if content[:2] == b"\x1f\x8b":
        content = gzip.decompress(content)
    if len(content) < 352 or struct.unpack_from("<i", content) != (348,):
        raise ValueError(f"{path} is no NIfTI-1 file")
    dims, nx, ny, nz, *more = struct.unpack_from("<8h", content, 40)
    kind = struct.unpack_from("<h", content, 70)[0]
    if dims < 3 or any(n > 1 for n in more[:dims - 3]) or kind not in KINDS:
        raise ValueError(f"{path} has {dims} axes of kind {kind}; one volume of a kind of "
                         f"{', '.join(map(str, KINDS))} is read")
    voxels = struct.unpack_from("<4f", content, 76)
    offset, slope, intercept = struct.unpack_from("<3f", content, 108)
    values = np.frombuffer(content, KINDS[kind], nx * ny * nz, int(offset)).reshape(nz, ny, nx).astype(np.float32)
    first = tuple(struct.unpack_from("<4f", content, 280 + 16 * axis)[3] for axis in range(3))
    return Volume(values * (slope or 1) + intercept, voxels[:0:-1], first[::-1])
