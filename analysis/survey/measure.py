# SPDX-License-Identifier: Apache-2.0
"""A suite on the device that is here, within a time: what is planned, what is measured, what is remembered."""

from __future__ import annotations

import json
import math
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .. import program
from ..records import cases
from ..records.errors import RecordsError
from ..records.outputs import say
from ..regret import line

MODES = {"cuda": "graph", "cpu": "batch"}  # as published
MIN_TIME_S = 0.5  # of a steady result
STEADY_S = {"cuda": 4.0, "cpu": 7.0}  # that it takes, warmed up and checked: on the H200 3.7, on two cores 5.2
WALL = 4  # that a burst may take in measured times
MOST_S, LEAST_S = 2.0, 0.5  # that finding the fastest engine of a problem may take, and is worth
PUT_OFF = math.inf
NOT_BUILT = " (not built)"  # what a plan says of an engine, which its record will say, too
WISE = "fastest as measured before"  # what the program says of a choice by wisdom


@dataclass(frozen=True)
class Planned:
    """An engine on a problem."""

    case: str
    id: str


def found(what: str) -> dict[str, Any]:
    """What the program's doctor found of something."""
    return next((finding for finding in program.findings() if finding["what"] == what),
                {"state": "absent", "found": "unknown to this program"})


def need(backend: str) -> None:
    """RecordsError, with what there is instead, where there is no device of the backend."""
    device = found(backend)
    if device["state"] in ("works", "note"):
        return
    instead = "" if backend == "cpu" else (f"; here is {found('cpu')['found'].partition(';')[0]}, which "
                                           "./ndft survey --backend cpu measures")
    raise RecordsError(f"no device of backend '{backend}' is here: {device['found'].partition(';')[0]}{instead}")


def planned(suite: Path, backend: str) -> list[Planned]:
    """All that a suite would have measured."""
    said = program.ask("sweep", str(suite), "--plan", "--backend", backend, "--modes", MODES[backend])
    every, case = [], ""
    for text in said.splitlines()[:-1]:  # the last one counts them
        if text.startswith(" "):
            every.append(Planned(case, text.strip().removesuffix(NOT_BUILT)))
        else:
            case = text
    if not every:
        raise RecordsError(f"{suite}: nothing in it is for backend '{backend}'")
    return every


def write(plan: list[Planned], took: dict[cases.Case, float], path: Path) -> Path:
    """A suite of the same, in the order of what problems took elsewhere, so that most of them are measured
    where the time is short."""
    if path.exists():
        raise RecordsError(f"{path}: is there already, and would be the suite of these records; -o names others")
    cases.learn(one.case for one in plan)
    ordered = sorted(plan, key=lambda one: took.get(cases.parse(one.case), PUT_OFF))
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(line(one.id, one.case) + "\n" for one in ordered), encoding="utf-8")
    return path


def timing(seconds: float, results: int, backend: str) -> list[str]:
    """Steady where there is time for it, else bursts that end within it."""
    each = seconds / results
    return ["--min-time", f"{MIN_TIME_S:g}"] if each >= STEADY_S[backend] else ["--budget", f"{each / WALL:.3g}"]


def sweep(suite: Path, out: Path, backend: str, how: list[str], deadline: float) -> None:
    """Into a record file; what is under way at the deadline is the last that is measured."""
    status, _ = program.run_until(deadline, "sweep", str(suite), "-o", str(out), "--backend", backend,
                                  "--modes", MODES[backend], *how)
    if status not in (program.OK, program.FAILED, program.INTERRUPTED):
        raise RecordsError(f"the sweep of {suite} failed with exit status {status}")


def choose(problems: list[str], backend: str, deadline: float,
           answers: dict[str, dict[str, Any]]) -> None:
    """Has the fastest engine of each problem measured, which the program remembers; adds its answers."""
    for i, case in enumerate(problems):
        left = deadline - time.monotonic()
        if left < LEAST_S:
            return
        limit = min(MOST_S, left / (len(problems) - i))
        status, said = program.run_until(deadline, "best", "--json", "--backend", backend, "--mode", "measure",
                                         "--time", f"{limit:.3g}", case, stderr=subprocess.DEVNULL)
        if status == program.OK:
            answers[case] = json.loads(said.splitlines()[-1])
            say(f"[{i + 1}/{len(problems)}] {answers[case]['variant']}, {answers[case]['why']}")
