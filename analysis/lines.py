# SPDX-License-Identifier: Apache-2.0
"""The lines of record files as they stand, for what works on files rather than on measurements."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Iterable

from .record import RecordsError


@dataclass(frozen=True)
class Line:
    """entry is None where the line is no JSON object; why then says what it is."""

    path: Path
    number: int
    entry: dict[str, Any] | None
    why: str = ""

    @property
    def where(self) -> str:
        return f"{self.path}:{self.number}"

    def get(self, name: str) -> Any:
        return self.entry.get(name) if self.entry else None


def _no_number(text: str) -> None:
    raise ValueError(f"{text} is no JSON")


def read(path: Path) -> list[Line]:
    """Every line that is not empty; RecordsError when the file cannot be read."""
    try:
        texts = path.read_text(encoding="utf-8", errors="replace").split("\n")
    except OSError as error:
        raise RecordsError(f"{path}: {error.strerror}") from None
    lines = []
    for i, text in enumerate(texts, 1):
        if not text.strip():
            continue
        try:
            entry = json.loads(text, parse_constant=_no_number)
        except ValueError as error:
            lines.append(Line(path, i, None, str(error)))
        else:
            good = isinstance(entry, dict)
            lines.append(Line(path, i, entry if good else None, "" if good else "no object"))
    return lines


def torn(lines: list[Line]) -> set[int]:
    """Places in the list of what interruptions left: no JSON, and a run or nothing after it."""
    places, follows = set(), True
    for i in reversed(range(len(lines))):
        if lines[i].entry is None and follows:
            places.add(i)
        else:
            follows = lines[i].get("type") == "run"
    return places


def finished(entry: dict[str, Any]) -> bool:
    """A case record that a resumed sweep would not measure again."""
    return entry.get("type") == "case" and entry.get("stop") != "interrupted"


def write(path: Path, texts: Iterable[str]) -> None:
    """All of the file or, when anything fails, nothing of it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        with part.open("w", encoding="utf-8", newline="") as file:
            file.writelines(texts)
            file.flush()
            os.fsync(file.fileno())
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)
