# SPDX-License-Identifier: Apache-2.0
"""What is written and said: names, whose suffix says no other format than the file has, and notes."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Callable

from .entries import plain


def written_as(*suffixes: str) -> Callable[[str], Path]:
    """For argparse: a path that ends in one of the suffixes or in none."""
    def path(text: str) -> Path:
        found = Path(text)
        if found.suffix in ("", *suffixes):
            return found
        raise argparse.ArgumentTypeError(f"{text}: it is written as {' or '.join(suffixes)} alone; "
                                         f"nearest: {found.with_suffix(suffixes[0])}")
    return path


def folder(text: str) -> Path:
    """For argparse: a folder, whose name is not that of a page or a picture in it."""
    found = Path(text)
    if found.suffix in (".html", ".png", ".svg", ".pdf", ".csv"):
        raise argparse.ArgumentTypeError(f"{text}: a folder is written; nearest: "
                                         f"{found.with_suffix('')}")
    return found


def say(*notes: str) -> None:
    """On standard error, a line each."""
    for note in notes:
        print(f"ndft: {plain(note)}", file=sys.stderr)
