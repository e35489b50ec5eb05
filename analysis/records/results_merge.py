# SPDX-License-Identifier: Apache-2.0
"""One record file from several, as of the shards of a sweep: every run with its header, and one
record of every key."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

from . import lines
from .errors import RecordsError
from .lines import Line
from .load import check_schema
from .results_validate import VERDICTS

ORDER = {"run": 0, "peak": 1, "case": 2, "counter": 3, "peer": 4, "scaling": 5, "choice": 6, "end": 7}


def merge(paths: list[Path], out: Path) -> list[str]:
    """Writes out, all of it or nothing, and returns notes on what was left out.

    Of two records with one key the finished one stays, then that of the newest run, then that of
    the last file. RecordsError for files that do not belong together, or have nothing to join.
    """
    notes: list[str] = []
    files = [(path, _lines(path, notes)) for path in paths]
    notes += [f"{path}: no records" for path, found in files if not found]
    read = [line for _, found in files for line in found]
    if not read:
        raise RecordsError("nothing to merge: " + "; ".join(notes))
    runs = _runs(read)
    kept = _newest(read, runs)
    cases = sum(line.get("type") == "case" for line in read)
    left = [line for line in kept if line.get("type") == "case"]
    if cases > len(left):
        notes.append(f"{cases - len(left)} records replaced by newer ones of the same key")
    _recount(kept, left)
    order = {run: i for i, run in enumerate(sorted(runs, key=lambda r: (_started(runs[r]), r)))}
    kept.sort(key=lambda line: (order[line.get("run")], ORDER[line.get("type")]))
    lines.write(out, (json.dumps(line.entry, ensure_ascii=False, separators=(",", ":")) + "\n"
                      for line in kept), '{"')
    return notes


def _started(run: dict[str, Any]) -> str:
    return str(run.get("started_utc") or "")


def _lines(path: Path, notes: list[str]) -> list[Line]:
    """What is whole in one file; RecordsError for anything but a line that an interruption tore."""
    found = lines.read(path)
    torn = lines.torn(found)
    notes += [f"{found[i].where}: torn line left out" for i in sorted(torn)]
    whole = [line for i, line in enumerate(found) if i not in torn]
    announced = set()
    for line in whole:
        if line.entry is None:
            raise RecordsError(f"{line.where}: {line.why}")
        if line.get("type") not in ORDER:
            raise RecordsError(f"{line.where}: type {line.get('type')!r} is none of "
                               f"{', '.join(ORDER)}")
        if line.get("type") == "run":
            announced.add(line.get("run"))
        elif line.get("run") not in announced:
            raise RecordsError(f"{line.where}: its run {line.get('run')!r} was not announced")
    return whole


def _runs(read: list[Line]) -> dict[str, dict[str, Any]]:
    """Headers by run."""
    runs: dict[str, Line] = {}
    for line in read:
        if line.get("type") != "run":
            continue
        check_schema(line.get("schema"), line.where)
        known = runs.setdefault(line.get("run"), line)
        if known.entry != line.entry:
            raise RecordsError(f"{line.where}: run {line.get('run')!r} is another in {known.where}")
    return {run: line.entry for run, line in runs.items()}


def _newest(read: list[Line], runs: dict[str, dict[str, Any]]) -> list[Line]:
    """Lines without repetition, and one case record per key."""
    best: dict[str, tuple[tuple, Line]] = {}
    for place, line in enumerate(read):
        key = f"case {line.get('key')}"
        if line.get("type") != "case" or line.get("key") is None:
            key = json.dumps(line.entry, sort_keys=True)
        rank = (lines.finished(line.entry), _started(runs[line.get("run")]), place)
        if key not in best or best[key][0] < rank:
            best[key] = rank, line
    chosen = {id(line) for _, line in best.values()}
    return [line for line in read if id(line) in chosen]


def _recount(kept: list[Line], cases: list[Line]) -> None:
    """An end counts what is left of its run."""
    there = Counter((line.get("run"), line.get("verdict")) for line in cases)
    for line in kept:
        for verdict in VERDICTS if line.get("type") == "end" else ():
            if verdict in line.entry:
                line.entry[verdict] = there[line.get("run"), verdict]
