# SPDX-License-Identifier: Apache-2.0
"""NIfTI-1 in one file (Cox et al., OHBM 2004; nifti1.h): moduli as float32."""

from __future__ import annotations

import struct
from typing import Any, Sequence

import numpy as np

Array = np.ndarray[Any, Any]
MAGIC = b"\x5c\x01\x00\x00"  # its first number is the header's length, 348
_FLOAT32, _MM, _SCANNER = 16, 2, 1


def written(images: Array, fov: Sequence[float] | None) -> bytes:
    """The file of images (frames, slices, *shape), x the last axis; fov in m along the axes of shape, or None.

    Axes are x, y, then z or slices, then what is left; voxels are fov / N mm, slices 1 mm apart, which is not known.
    """
    shape = images.shape[2:][::-1]
    axes = [*shape, *images.shape[:2][::-1]]
    if len(shape) == 3 and axes[3] == 1:
        del axes[3]  # of volumes the slices
    voxels = [1e3 * length / n for length, n in zip((fov or ())[::-1], shape)]
    voxels += (7 - len(voxels)) * [1.]
    header = bytearray(352)
    struct.pack_into("<i", header, 0, 348)
    struct.pack_into("<8h", header, 40, len(axes), *axes, *(7 - len(axes)) * [1])
    struct.pack_into("<2h", header, 70, _FLOAT32, 32)
    struct.pack_into("<8f", header, 76, 1, *voxels)
    struct.pack_into("<3f", header, 108, 352, 1, 0)
    header[123] = _MM if fov else 0
    struct.pack_into("<80s", header, 148, b"ndft.recon")
    struct.pack_into("<h", header, 254, _SCANNER)
    for axis in range(3):
        row = [0., 0., 0., 0.]
        row[axis] = voxels[axis]
        row[3] = -voxels[axis] * (axes[axis] // 2 if axis < len(axes) else 0)
        struct.pack_into("<4f", header, 280 + 16 * axis, *row)
    header[344:348] = b"n+1\0"
    return bytes(header) + abs(images).astype("<f4").tobytes()
