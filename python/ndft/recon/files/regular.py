# SPDX-License-Identifier: Apache-2.0
"""Files that can be read to their end."""

from __future__ import annotations

import os
import stat

from ...errors import FileError


def size_of(path: str | os.PathLike[str]) -> int:
    """Bytes of a regular file; FileError for what is none, as a pipe, and for what is not there."""
    try:
        found = os.stat(path)
    except (OSError, ValueError) as error:
        raise FileError(f"{path}: {getattr(error, 'strerror', None) or error}") from None
    if not stat.S_ISREG(found.st_mode):
        raise FileError(f"{path} is no file but a folder, a pipe or a device")
    return found.st_size


def begins(path: str | os.PathLike[str], with_: bytes) -> bool:
    """Whether its first bytes are those; FileError where it cannot be read."""
    try:
        with open(path, "rb") as file:
            return file.read(len(with_)) == with_
    except OSError as error:
        raise FileError(f"{path}: {error.strerror or error}") from None
