# SPDX-License-Identifier: Apache-2.0
"""Is a record file what docs/results.md promises? Each line against the JSON Schema, and the lines
against each other: runs announced, no finished record twice, as many records as each end counts."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Iterator

from ..program import ROOT
from . import lines
from .lines import Line
from .load import MAJORS, major_of

SCHEMAS = {major: ROOT / f"docs/ndft-results-{major}.schema.json" for major in MAJORS}
VERDICTS = ("pass", "wrong", "untrusted", "error", "crashed", "timeout", "unsupported", "not_built",
            "unfit")  # as older records call what is unsupported


def validate(path: Path) -> tuple[list[str], list[str]]:
    """Errors and notes of one file, each with its place; RecordsError when it cannot be read."""
    found = lines.read(path)
    torn = lines.torn(found)
    notes = [f"{found[i].where}: torn line, left by an interruption" for i in sorted(torn)]
    whole = [line for i, line in enumerate(found) if i not in torn]
    errors = [] if whole else [f"{path}: no records"]
    errors += [f"{line.where}: {line.why}" for line in whole if line.entry is None]
    entries = [line for line in whole if line.entry is not None]
    for check in (_against_schema, _announced, _doubled, _counted):
        errors += check(entries)
    notes += _interrupted(entries)
    return errors, notes


def _against_schema(entries: list[Line]) -> Iterator[str]:
    """A line is held against the schema that its run names; the newest where there is none such, the
    first for a line without a run."""
    import jsonschema
    checkers = {major: jsonschema.Draft202012Validator(json.loads(path.read_text(encoding="utf-8")))
                for major, path in SCHEMAS.items()}
    first, newest = min(SCHEMAS), max(SCHEMAS)
    of_run: dict[str, str] = {}
    for line in entries:
        if line.get("type") == "run":
            of_run[str(line.get("run"))] = major_of(line.get("schema"))
        major = of_run.get(str(line.get("run")), first)
        for error in checkers.get(major, checkers[newest]).iter_errors(line.entry):
            place = ".".join(map(str, error.absolute_path))
            message = error.message
            if len(message) > 160:
                message = f"{message[:60]} ... {message[-90:]}"
            yield f"{line.where}: {place + ': ' if place else ''}{message}"


def _announced(entries: list[Line]) -> Iterator[str]:
    runs = set()
    for line in entries:
        run = line.get("run")
        if line.get("type") != "run":
            if run not in runs:
                yield f"{line.where}: its run {run!r} was not announced by a run line before it"
        elif run in runs:
            yield f"{line.where}: run {run!r} is announced twice"
        else:
            runs.add(run)


def _doubled(entries: list[Line]) -> Iterator[str]:
    known: dict[str, Line] = {}
    for line in entries:
        if not lines.finished(line.entry):
            continue
        key = str(line.get("key"))
        if key in known and not _retried(known[key], line):
            yield f"{line.where}: key {key!r} again, first on line {known[key].number}"
        else:
            known[key] = line


def _retried(earlier: Line, later: Line) -> bool:
    """What crashed or hung may be run again, by a later run."""
    lost = earlier.get("verdict") in ("crashed", "timeout")
    return lost and earlier.get("run") != later.get("run")


def _counted(entries: list[Line]) -> Iterator[str]:
    """What a run's end says that there is."""
    there = Counter((line.get("run"), line.get("verdict")) for line in entries
                    if line.get("type") == "case")
    for line in entries:
        for verdict in VERDICTS if line.get("type") == "end" else ():
            said, found = line.get(verdict), there[line.get("run"), verdict]
            if said is not None and said != found:
                yield f"{line.where}: the end says {said} {verdict}, its run has {found}"


def _interrupted(entries: list[Line]) -> list[str]:
    ended = {line.get("run") for line in entries if line.get("type") == "end"}
    return [f"{line.where}: run {line.get('run')!r} has no end line: it was interrupted"
            for line in entries if line.get("type") == "run" and line.get("run") not in ended]
