# SPDX-License-Identifier: Apache-2.0
"""The verb: measures, chooses, compares and says so, within its minutes."""

from __future__ import annotations

import argparse
import contextlib
import shlex
import signal
import time
from pathlib import Path
from typing import Any, Iterator

from .. import program, rank
from ..program import ROOT
from ..records import current, load
from ..records.cases import Case
from ..records.errors import RecordsError
from ..records.outputs import say
from ..records.record import Record
from . import answer, measure, standing
from .options import BESIDE

SHARE = 0.75  # of the time, for measuring; the rest is for the choice
ENDING = (signal.SIGTERM, signal.SIGHUP)  # by which batch systems and terminals end programs


@contextlib.contextmanager
def _as_interrupts() -> Iterator[None]:
    """What ends programs ends this one as Ctrl-C does."""
    before = {number: signal.signal(number, signal.default_int_handler) for number in ENDING}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def run(options: argparse.Namespace) -> int:
    start, seconds = time.monotonic(), 60 * options.minutes
    measure.need(options.backend)
    there = _there(options.beside or BESIDE[options.backend], measure.MODES[options.backend])
    out = options.out or ROOT / "build" / "survey" / program.utc() / "records.jsonl"
    plan = measure.planned(options.suite, options.backend)
    suite = measure.write(plan, _fastest(there), out.with_suffix(".ndft"))
    how = measure.timing(SHARE * seconds, len(plan), options.backend)
    choices: dict[str, dict[str, Any]] = {}
    try:
        with _as_interrupts():
            measure.sweep(suite, out, options.backend, how, start + SHARE * seconds)
            measure.choose(_passed(out), options.backend, start + seconds, choices)
        status = program.OK
    except KeyboardInterrupt:
        status = program.INTERRUPTED
    here = _records(out)
    if not here:
        return _nothing(status, seconds)
    found = _standing(here, there, choices, out)
    _left(found, plan, here, ["sweep", str(suite), "-o", str(out), "--backend", options.backend, "--modes",
                              measure.MODES[options.backend], *how, "--resume"])
    print(answer.json_of(found) if options.json else answer.text_of(found))
    failed = any(record.verdict in standing.FAIL for record in here)
    return status or (program.FAILED if failed else program.OK)


def _there(path: Path, mode: str) -> list[Record]:
    """What counts of the other machine, in the mode that is measured here."""
    there = [record for record in load.load([path], current.keep).every if record.mode == mode]
    if not there:
        raise RecordsError(f"{path}: nothing in mode {mode} counts by this checkout's clock; --beside names other records")
    return there


def _nothing(status: int, seconds: float) -> int:
    if status == program.INTERRUPTED:
        say("interrupted before anything was measured")
        return status
    raise RecordsError(f"nothing was measured within {seconds / 60:g} minutes; --minutes {seconds / 30:g} gives "
                       "it twice the time")


def _fastest(records: list[Record]) -> dict[Case, float]:
    return {case: record.median_s for case, record in rank.fastest(records, lambda r: r.case).items()}


def _records(out: Path) -> list[Record]:
    """Those of a sweep that may have been stopped before its first."""
    return load.everything([out]).every if out.exists() else []


def _passed(out: Path) -> list[str]:
    """The problems that an engine passed, in the order of measuring."""
    return list(dict.fromkeys(record.case.text for record in _records(out) if record.verdict == "pass"))


def _standing(here: list[Record], there: list[Record], choices: dict[str, dict[str, Any]],
              out: Path) -> standing.Standing:
    problems = standing.problems(here, there)
    for problem in problems:
        choice = choices.get(problem.case.text)
        problem.choice = choice if choice and choice["why"] == measure.WISE else None
    device = here[0].device
    beside = ", ".join(sorted({record.device.slug for record in there}))
    return standing.Standing(device.slug, device.name, beside, problems, standing.failures(here),
                             records=str(out), wisdom=_wisdom())


def _wisdom() -> str | None:
    """Where the program keeps it."""
    cache = measure.found("cache")
    return f"{cache['found']}/wisdom" if cache["state"] == "works" else None


def _left(found: standing.Standing, plan: list[measure.Planned], here: list[Record], again: list[str]) -> None:
    """Notes on what there was no time for, and on what was measured in another way than there."""
    tried = {(record.case.text, record.id) for record in here}
    found.unmeasured = sum((one.case, one.id) not in tried for one in plan)
    if found.unmeasured:
        found.notes.append(f"not measured: {found.unmeasured} of {len(plan)} results; to go on: ./ndft "
                           + shlex.join(again))
    if any(p.decisions and len({d.pick.regime for d in p.decisions}) > 1 for p in found.problems):
        found.notes.append("measured here in bursts, there steadily: a burst need not last; --minutes gives it time")
