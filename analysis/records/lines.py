# SPDX-License-Identifier: Apache-2.0
"""The lines of record files as they stand, for what works on files rather than on measurements."""

from __future__ import annotations

import os
from dataclasses import dataclass
from json import JSONDecodeError
from pathlib import Path
from typing import Any, Iterable

from . import entries
from .errors import RecordsError


@dataclass(frozen=True)
class Line:
    """entry is None where the line is no usable JSON object; why then says what it is."""

    path: Path
    number: int
    entry: dict[str, Any] | None
    why: str = ""
    cut: bool = False  # it breaks off, or is no JSON at all
    strange: bool = False  # some of its texts may hold what a terminal would obey

    @property
    def plain(self) -> dict[str, Any] | None:
        """The entry with texts that can be shown."""
        return entries.plain_texts(self.entry) if self.strange else self.entry

    @property
    def where(self) -> str:
        return f"{self.path}:{self.number}"

    def get(self, name: str) -> Any:
        return self.entry.get(name) if self.entry else None


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
            lines.append(Line(path, i, entries.parse(text), strange=entries.strange(text)))
        except ValueError as error:
            lines.append(Line(path, i, None, str(error), isinstance(error, JSONDecodeError)))
    return lines


def torn(lines: list[Line]) -> set[int]:
    """Places in the list of what interruptions left: no JSON, and a run or nothing after it."""
    places, follows = set(), True
    for i in reversed(range(len(lines))):
        if lines[i].cut and follows:
            places.add(i)
        else:
            follows = lines[i].get("type") == "run"
    return places


def finished(entry: dict[str, Any]) -> bool:
    """A case record that a resumed sweep would not measure again."""
    return entry.get("type") == "case" and entry.get("stop") != "interrupted"


def write(path: Path, texts: Iterable[str], start: str) -> None:
    """All of the file or, when anything fails, nothing of it. RecordsError where it would replace
    one that does not begin like its kind."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if path.exists() and not path.is_file():  # a pipe
        path.write_text("".join(texts), encoding="utf-8")
        return
    if path.exists() and path.stat().st_size:
        with path.open("rb") as file:
            if file.read(len(start.encode())).lower() != start.encode().lower():
                raise RecordsError(f"{path} is a file of another kind, and is not replaced; choose "
                                   "another name")
    path = path.resolve()
    part = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        with part.open("w", encoding="utf-8", newline="") as file:
            file.writelines(texts)
            file.flush()
            os.fsync(file.fileno())
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)
