# SPDX-License-Identifier: Apache-2.0
"""Suites as analysis plans and measures them: what decisions are judged by."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Iterable

from . import program

HELD_OUT = ("regret", "regret2", "validate")  # suites whose records judge decisions and so make none


def line(id_: str, case: str) -> str:
    """The suite line that measures one id on one case."""
    name, _, knobs = id_.partition(":")
    return " ".join([name.replace(".", "[.]"), *filter(None, knobs.split(",")), ":", case])


def cases(suite: Path, *options: str) -> list[str]:
    """Canonical texts of the cases that a suite plans, each once."""
    planned = program.ask("sweep", str(suite), "--plan", *options).splitlines()
    return list(dict.fromkeys(l for l in planned[:-1] if l and not l.startswith(" ")))


def measure(name: str, lines: Iterable[str], out: Path, *options: str) -> None:
    """Sweeps these lines, as a suite of this name, into out."""
    with tempfile.TemporaryDirectory() as folder:
        suite = Path(folder) / f"{name}.ndft"
        suite.write_text("".join(l + "\n" for l in lines))
        program.sweep(suite, out, *options)
