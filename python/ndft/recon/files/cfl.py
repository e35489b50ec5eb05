# SPDX-License-Identifier: Apache-2.0
"""BART's pair of files: NAME.hdr has up to 16 dimensions as text, the first fastest, NAME.cfl the complex floats."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np

from ...errors import FileError, InvalidError
from .regular import size_of

Array = np.ndarray[Any, Any]
DIMS = 16
COIL, SETS, COEFFICIENT, TIME, SLICE = 3, 4, 6, 10, 13  # of BART's, beside x, y and z, or 1, samples and shots


def pair(path: str) -> tuple[Path, Path]:
    """The header and the numbers, of either name."""
    return Path(path).with_suffix(".hdr"), Path(path).with_suffix(".cfl")


def _dimensions(path: Path) -> list[int]:
    size_of(path)
    try:
        lines = path.read_text(errors="replace").splitlines()
    except OSError as error:
        raise FileError(f"{path}: {error.strerror or error}") from None
    at = next((i for i, line in enumerate(lines) if line.startswith("# Dimensions")), None)
    words = lines[at + 1].split() if at is not None and at + 1 < len(lines) else []
    if not words or len(words) > DIMS or not all(word.isdigit() and int(word) for word in words):
        raise InvalidError(f"{path}: no line '# Dimensions' with 1 to {DIMS} numbers of at least 1 below it")
    return [int(word) for word in words] + (DIMS - len(words)) * [1]


def read(path: str) -> Array:
    """complex64, BART's dimensions backwards, which is C order. FileError, InvalidError as of npy."""
    header, numbers = pair(path)
    dimensions = _dimensions(header)
    size = size_of(numbers)
    if size != 8 * math.prod(dimensions):
        raise InvalidError(f"{numbers} has {size} bytes; {header} tells {dimensions}, {8 * math.prod(dimensions)} "
                           "bytes")
    try:
        return np.fromfile(numbers, "<c8").reshape(dimensions[::-1])
    except OSError as error:
        raise FileError(f"{numbers}: {error.strerror or error}") from None


def ordered(found: Array, wanted: tuple[int, ...]) -> Array:
    """With BART's dimensions wanted, in that order; all others are of length 1, or InvalidError."""
    dimensions = found.shape[::-1]
    if any(n > 1 for d, n in enumerate(dimensions) if d not in wanted):
        raise InvalidError(f"BART's dimensions are {list(dimensions)}; lengths above 1 are valid at "
                           f"{', '.join(map(str, sorted(wanted)))} alone")
    kept = found.transpose([DIMS - 1 - d for d in wanted] + [DIMS - 1 - d for d in range(DIMS) if d not in wanted])
    return kept.reshape([dimensions[d] for d in wanted])


def written(images: Array) -> tuple[bytes, bytes]:
    """Header and numbers of images (frames, slices, *shape)."""
    shape = images.shape[2:]
    dimensions = [*shape[::-1], *(DIMS - len(shape)) * [1]]
    dimensions[TIME], dimensions[SLICE] = images.shape[:2]
    header = "# Dimensions\n" + "".join(f"{n} " for n in dimensions) + "\n"
    return header.encode(), images.swapaxes(0, 1).astype("<c8").tobytes()
