# SPDX-License-Identifier: Apache-2.0
"""NumPy's .npy files (numpy.lib.format)."""

from __future__ import annotations

import io
from typing import Any

import numpy as np

from ...errors import FileError, InvalidError
from .regular import begins, size_of

Array = np.ndarray[Any, Any]
MAGIC = b"\x93NUMPY"


def read(path: str) -> Array:
    """The array in C order. FileError where the file cannot be read, InvalidError where it is no whole one."""
    size = size_of(path)
    if not begins(path, MAGIC):
        raise InvalidError(f"{path} does not begin as .npy files do; numpy.save(...) makes one")
    try:
        found = np.load(path, mmap_mode="r", allow_pickle=False)
    except OSError as error:
        raise FileError(f"{path}: {error.strerror or error}") from None
    except (ValueError, EOFError, SyntaxError) as error:
        raise InvalidError(f"{path} is no whole .npy file of numbers ({error}); its header and {size} bytes have to "
                           "agree") from None
    wanted = found.offset + found.nbytes
    if size != wanted:
        raise InvalidError(f"{path} has {size} bytes, of which its header tells {wanted} alone")
    return np.array(found, order="C")


def written(images: Array) -> bytes:
    """The file of an array."""
    buffer = io.BytesIO()
    np.save(buffer, images)
    return buffer.getvalue()
