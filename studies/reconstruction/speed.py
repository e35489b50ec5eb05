# SPDX-License-Identifier: Apache-2.0
"""How fast ndft.recon, MRI-NUFFT and BART find an image of many coils in a field, in turns on this machine.

    ./ndft study reconstruction speed [--device cuda] [--bart PROGRAM] [--rounds 7] [--hz 0] [--only TEXT]

Prints a line of JSON for each: seconds as the median and the least of rounds, of all that is to be done (whole_s) and
of the iterations by what is made already (solve_s), and NRMSE against the truth. What is not there, or fails, is said
in its line, and the rest goes on. MRI-NUFFT is that of this Python; contestants.py has who they are.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .contestants import Contest, Contestant, Turn

ITERATIONS, TERMS = 20, 6


def say(text: str) -> None:
    print(f"ndft: {text}", file=sys.stderr, flush=True)


def _why(error: Exception) -> str:
    return f"{type(error).__name__}: {error}".strip().splitlines()[0]


class Entry:
    """A contestant, the turns that it has had, and why it has no more."""

    def __init__(self, name: str) -> None:
        self.name, self.why = name, ""
        self.contestant: Contestant | None = None
        self.turns: list[Turn] = []

    def attempt(self, call: Any) -> Any:
        """None where it fails, which is the end of it."""
        try:
            return None if self.why else call()
        except Exception as error:  # other people's software, which may fail in any way
            self.why = _why(error)
            say(f"{self.name}: {self.why}")
            return None

    def take(self) -> None:
        turn = self.attempt(lambda: self.contestant.turn())
        if turn:
            self.turns.append(turn)
            say(f"{self.contestant.who}: {turn.solve_s:.4f} s, whole {turn.whole_s:.4f} s")


def entries(contest: Contest, options: argparse.Namespace, folder: Path) -> list[Entry]:
    from .contestants import makers
    found = []
    for name, make in makers(contest, options.bart, folder, TERMS):
        if options.only and options.only.lower() not in name.lower():
            continue
        entry = Entry(name)
        entry.contestant = entry.attempt(make)
        found.append(entry)
    return found


def take_turns(each: list[Entry], rounds: int) -> None:
    """One more than rounds, since the first is not counted; Ctrl-C ends them."""
    try:
        for _ in range(1 + rounds):
            for entry in each:
                entry.take()
    except KeyboardInterrupt:
        say("interrupted")


def _median_and_least(values: list[float]) -> list[float]:
    import numpy as np
    return [float(f"{value:.4g}") for value in (np.median(values), min(values))]


def line(entry: Entry, contest: Contest) -> dict[str, Any]:
    """What is said of an entry, without its first turn where it has more."""
    from ndft.recon._quality import nrmse
    case = contest.case
    found = {"who": entry.contestant.who if entry.contestant else entry.name, "scan": case.name}
    if entry.contestant:
        found |= {"version": entry.contestant.version, "device": contest.device}
    if entry.turns:
        turns = entry.turns[1:] or entry.turns
        found |= {"field_corrected": entry.contestant.corrects and case.scan.field is not None,
                  "terms": turns[-1].terms, "iterations": contest.iterations, "rounds": len(turns),
                  "nrmse": float(f"{nrmse(turns[-1].image, case.truth):.4g}"),
                  "solve_s": _median_and_least([turn.solve_s for turn in turns]),
                  "whole_s": _median_and_least([turn.whole_s for turn in turns])}
    return found | ({"why": entry.why} if entry.why else {})


def parser() -> argparse.ArgumentParser:
    from .ellipses import Size
    size = Size()
    found = argparse.ArgumentParser(prog="ndft study reconstruction speed", description=__doc__.splitlines()[0])
    found.add_argument("--device", default="cpu", metavar="NAME", help="cpu, cuda or cuda:N (cpu)")
    found.add_argument("--bart", default="bart", metavar="PROGRAM")
    found.add_argument("--rounds", type=int, default=7, metavar="N", help="turns of each; one before is not counted")
    found.add_argument("--only", metavar="TEXT", help="ndft, MRI-NUFFT or BART alone")
    for name, kind, what in (("n", int, "voxels along an axis"), ("coils", int, "coils"), ("shots", int, "spirals"),
                             ("hz", float, "the field reaches so far; 0: a homogeneous one")):
        found.add_argument(f"--{name}", type=kind, default=getattr(size, name), metavar="N",
                           help=f"{what} (%(default)s)")
    return found


def _contest(options: argparse.Namespace) -> Contest:
    from .contestants import Contest
    from .ellipses import Size, case
    size = Size(options.n, options.coils, options.shots, hz=options.hz)
    return Contest(case(size, device=options.device), options.device, ITERATIONS)


def main(arguments: list[str] | None = None) -> int:
    options = parser().parse_args(arguments)
    warnings.simplefilter("ignore")
    contest = _contest(options)
    say(f"{os.cpu_count()} processors, device {options.device}: the samples of {contest.case.name} are made")
    with tempfile.TemporaryDirectory() as folder:
        each = entries(contest, options, Path(folder))
        take_turns(each, options.rounds)
        for entry in each:
            print(json.dumps(line(entry, contest)), flush=True)
    return 0
