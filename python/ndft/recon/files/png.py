# SPDX-License-Identifier: Apache-2.0
"""Grey pictures of 8 bits (PNG, ISO/IEC 15948)."""

from __future__ import annotations

import math
import struct
import zlib
from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]
MAGIC = b"\x89PNG\r\n\x1a\n"
_WHITE = 99.8  # percent of the values are below white


def _chunk(kind: bytes, content: bytes) -> bytes:
    return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))


def tiled(images: Array) -> Array:
    """Moduli of images (..., ny, nx) beside and below each other."""
    flat = abs(images).reshape(-1, *images.shape[-2:])
    across = math.ceil(math.sqrt(len(flat)))
    down = math.ceil(len(flat) / across)
    filled = np.zeros((across * down, *flat.shape[1:]), flat.dtype)
    filled[:len(flat)] = flat
    rows = filled.reshape(down, across, *flat.shape[1:]).swapaxes(1, 2)
    found: Array = rows.reshape(down * flat.shape[1], across * flat.shape[2])
    return found


def written(images: Array, white: float | None = None) -> bytes:
    """The file of images (..., ny, nx) or (n): 0 black, and white what nearly all values are below, or as given."""
    picture = tiled(images if images.shape[-2:] and images.ndim > 1 else images[None])
    if white is None:
        white = float(np.percentile(picture, _WHITE)) or float(picture.max())
    grey = np.clip(255 * picture / (white or 1) + .5, 0, 255).astype(np.uint8)
    lines = np.zeros((grey.shape[0], grey.shape[1] + 1), np.uint8)  # each begins with its filter, none
    lines[:, 1:] = grey
    head = struct.pack(">2I5B", grey.shape[1], grey.shape[0], 8, 0, 0, 0, 0)
    return (MAGIC + _chunk(b"IHDR", head) + _chunk(b"IDAT", zlib.compress(lines.tobytes(), 9)) + _chunk(b"IEND", b""))
