# SPDX-License-Identifier: Apache-2.0
"""What plans that measured have found, kept in files: nothing is read or written but by these calls."""

from __future__ import annotations

import os

from ._library import check, encoded, library


def load(path: str | os.PathLike[str]) -> None:
    """Adds a file's entries; FileError where it cannot be read, InvalidError where it is no wisdom."""
    check(library.ndft_wisdom_load(encoded("path", os.fsdecode(path))))


def save(path: str | os.PathLike[str]) -> None:
    """Writes all entries, with those that the file has; several processes may at once."""
    check(library.ndft_wisdom_save(encoded("path", os.fsdecode(path))))


def forget() -> None:
    """Empties the process' table."""
    library.ndft_wisdom_forget()
