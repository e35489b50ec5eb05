# SPDX-License-Identifier: Apache-2.0
"""The built program, asked for what records do not hold, and for new ones."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import time
from functools import cache
from pathlib import Path
from typing import Any

from .records.errors import RecordsError

ROOT = Path(__file__).resolve().parents[1]  # of the repository
OK, FAILED, INTERRUPTED = 0, 1, 4  # exit statuses; FAILED: a check


def path() -> Path:
    """$NDFT_PROGRAM, else the one that ./ndft builds."""
    return Path(os.environ.get("NDFT_PROGRAM") or ROOT / "build" / "ndft")


def _run(*arguments: str, **options: Any) -> subprocess.CompletedProcess:
    if not path().is_file():
        raise RecordsError(f"{path()}: not built yet; ./ndft setup builds it")
    return subprocess.run([str(path().resolve()), *arguments], text=True, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, **options)


def ask(*arguments: str, **environment: str) -> str:
    """What it prints; RecordsError with its message when it fails."""
    done = _run(*arguments, env={**os.environ, **environment})
    if done.returncode:
        said = done.stderr.strip().removeprefix("ndft: ") or f"exit status {done.returncode}"
        raise RecordsError(said)
    return done.stdout


def cases(texts: list[str]) -> list[dict[str, Any]]:
    """What each line says: its values as 'problem', or the 'error' for which it is no case."""
    said = _run("case", "--json", "-", input="".join(f"{text}\n" for text in texts)).stdout
    return [json.loads(line) for line in said.splitlines()]


def variants() -> dict[str, Any]:
    return json.loads(ask("list", "--json"))


def short(id_: str) -> str:
    """An id without the knobs that are at their presets, which the program reads as the same one; whole where
    it knows of no presets."""
    name, _, knobs = id_.partition(":")
    kept = ",".join(knob for knob in knobs.split(",") if knob not in _presets(path()).get(name, ()))
    return f"{name}:{kept}" if kept else name


@cache
def _presets(program: Path) -> dict[str, set[str]]:
    """By NAME.BACKEND the settings that an id need not spell. Of knobs that share a name, as those of
    different stages do, the other ones decide which is meant: they are none."""
    def of(knobs: list[dict[str, Any]]) -> set[str]:
        names = [knob["name"] for knob in knobs]
        return {f"{knob['name']}={knob['default']}" for knob in knobs if names.count(knob["name"]) == 1}
    if not program.is_file():
        return {}
    return {f"{v['name']}.{v['backend']}": of(v["knobs"]) for v in variants()["variants"]}


def lacks() -> list[str]:
    """Ours that it was built without, of which it knows no presets."""
    return [v["id"] for v in variants()["variants"] if not (v["built"] or v["peer"])]


def findings() -> list[dict[str, Any]]:
    """What works on this machine and what does not."""
    said = _run("doctor", "--json").stdout
    return json.loads(said)["findings"] if said else []


def sweep(suite: Path, out: Path, *options: str) -> None:
    """Measures a suite into a record file, showing its progress; results that are wrong are in
    the records, and for whoever reads them to judge."""
    out.parent.mkdir(parents=True, exist_ok=True)
    done = subprocess.run([str(path().resolve()), "sweep", str(suite), "-o", str(out), *options],
                          stdout=subprocess.DEVNULL)
    if done.returncode not in (OK, FAILED):
        raise RecordsError(f"the sweep of {suite} failed with exit status {done.returncode}")


def run_until(deadline: float, *arguments: str, **options: Any) -> tuple[int, str]:
    """Its exit status and what it prints. At the deadline, of the monotonic clock, it is asked to stop and
    keeps what it has; so at Ctrl-C, which goes on behind it."""
    child = subprocess.Popen([str(path().resolve()), *arguments], text=True, stdout=subprocess.PIPE,
                             start_new_session=True, **options)  # a terminal's Ctrl-C is ours to hand on
    try:
        said, _ = child.communicate(timeout=max(0.0, deadline - time.monotonic()))
    except subprocess.TimeoutExpired:
        said = _stopped(child)
    except KeyboardInterrupt:
        _stopped(child)
        raise
    return child.returncode, said


def _stopped(child: subprocess.Popen[str]) -> str:
    """What it prints after it was asked to stop; the second Ctrl-C ends it at once."""
    child.send_signal(signal.SIGINT)
    try:
        return child.communicate()[0]
    except KeyboardInterrupt:
        child.send_signal(signal.SIGINT)
        child.wait()
        raise


def utc() -> str:
    """The moment, as record files are named."""
    return time.strftime("%Y%m%dT%H%M%SZ", time.gmtime())
