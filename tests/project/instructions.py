# SPDX-License-Identifier: Apache-2.0
"""Instructions of one execution of every CPU variant of nonuniform transforms, against a baseline
(in f32: loops in double are the same files):

    python3 tests/project/instructions.py [--update] [PROGRAM]

Counted by callgrind between entry and exit of ndft_execute_host, on one thread, so that they repeat
where times do not. They are those of one compiler, one libm and one instruction set, which is
checked (valgrind knows no AVX-512, so variants choose x86-64-v3 by themselves); elsewhere it says
why it is skipped. Exit status 1 when a count is off by more than TOLERANCE; --update writes what was
counted, for a change that is meant.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import re
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BASELINE = Path(__file__).resolve().parents[1] / "data/instructions.json"
TOLERANCE = 0.03
PROBLEM = "2d n=15x16 m=512 field=random:200Hz t=10ms"
CASES = [f"forward {PROBLEM}", f"adjoint {PROBLEM}", f"adjoint {PROBLEM} grad=random:20Hz"]
# Symbols are bound before main, not within what is counted.
ENVIRONMENT = os.environ | {"OMP_NUM_THREADS": "1", "LD_BIND_NOW": "1"}


def called(folder: Path, *words: str) -> subprocess.CompletedProcess:
    return subprocess.run(words, env=ENVIRONMENT, cwd=folder, capture_output=True, text=True, check=False)


def profile(program: str, folder: Path, case: str, variant: str) -> str | None:
    """What callgrind writes of one execution; None where the variant is unsupported for the case: seen without it."""
    own = Path(tempfile.mkdtemp(dir=folder))
    run = (program, "run", case, "--variant", variant, "-o", "y.npy")
    done = called(own, *run)
    if done.returncode and "unsupported" in done.stderr:
        return None
    done = called(own, "valgrind", "-q", "--tool=callgrind", "--callgrind-out-file=counts",
                  "--toggle-collect=ndft_execute_host", *run)
    if done.returncode or not (own / "counts").exists():
        sys.exit(f"{variant}, {case}: nothing was counted\n{done.stderr}")
    return (own / "counts").read_text()


def count(program: str, folder: Path, case: str, variant: str) -> int | None:
    """Instructions of one execution; None where there is none."""
    text = profile(program, folder, case, variant)
    if text is None:
        return None
    found = re.search(r"^summary: (\d+)", text, re.M)
    if not found or not int(found[1]):
        sys.exit(f"{variant}, {case}: nothing was counted")
    return int(found[1])


def surroundings(program: str, folder: Path) -> dict[str, str]:
    """What the counts depend on. Which loops run under valgrind is what these are called: of a sweep it would read the
    symbols of all of CUDA's libraries first, in a quarter of the time of all counts."""
    done = called(folder, program, "sweep", "--case", "naive.cpu : forward 1d n=8 m=8", "--in-process",
                  "--budget", "0.001", "-o", "run.jsonl")
    loop = re.search(r"naive_forward_(v\d)_f32", profile(program, folder, CASES[0], "naive.cpu") or "")
    if done.returncode or not loop:
        sys.exit(f"{program} does not run, here or under valgrind\n{done.stderr}")
    run = json.loads((folder / "run.jsonl").read_text().partition("\n")[0])
    return {"compiler": run["build"]["cc"].partition(".")[0], "isa": f"x86-64-{loop[1]}",
            "libc": " ".join(platform.libc_ver()), "flags": run["build"]["flags"]}


def counted(program: str, folder: Path) -> dict[str, int | None]:
    """By 'VARIANT: CASE', of every CPU variant that is built."""
    listed = json.loads(subprocess.check_output([program, "list", "--json"], env=ENVIRONMENT))
    todo = [(case, v["id"]) for v in listed["variants"]
            if v["backend"] == "cpu" and v["kind"] == "nonuniform" and v["built"]
            and not v["ablates"] and not v["peer"] for case in CASES]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        counts = pool.map(lambda job: count(program, folder, *job), todo)
    return {f"{variant}: {case}": n for (case, variant), n in zip(todo, counts)}


def changes(before: dict[str, int | None], now: dict[str, int | None]) -> list[str]:
    """A sentence for each count that is new, gone or off by more than TOLERANCE."""
    found = []
    for name in sorted(before.keys() | now.keys()):
        a, b = before.get(name, "not there"), now.get(name, "not there")
        if isinstance(a, int) and isinstance(b, int):
            if abs(b - a) > TOLERANCE * a:
                found.append(f"{name}: {a} -> {b} ({100 * (b / a - 1):+.1f} %)")
        elif a != b:
            found.append(f"{name}: {a or 'unsupported'} -> {b or 'unsupported'}")
    return found


def main(arguments: list[str] | None = None) -> int:
    options = argparse.ArgumentParser(description="instructions of the CPU variants")
    options.add_argument("program", nargs="?", default=str(ROOT / "build/ndft"))
    options.add_argument("--update", action="store_true", help="write the baseline")
    given = options.parse_args(arguments)
    program = str(Path(given.program).resolve())
    baseline = json.loads(BASELINE.read_text()) if BASELINE.exists() else {}
    if platform.machine() != "x86_64" or not shutil.which("valgrind"):
        print("skipped: " + ("valgrind is not installed" if platform.machine() == "x86_64" else
                             f"the baseline is of x86-64, this is {platform.machine()}"))
        return 0
    with tempfile.TemporaryDirectory() as name:
        here = surroundings(program, Path(name))
        of = baseline.get("of", here)
        if here != of and not given.update:
            print("skipped: the baseline is of another " + ", ".join(
                f"{key} ({of[key]}, here {here[key]})" for key in of if of[key] != here.get(key)))
            return 0
        now = counted(program, Path(name))
    if given.update:
        BASELINE.write_text(json.dumps({"of": here, "instructions": now}, indent=1) + "\n")
        print(f"{len(now)} counts written to {BASELINE.relative_to(ROOT)}")
        return 0
    found = changes(baseline.get("instructions", {}), now)
    print("\n".join(found) or f"{len(now)} counts within {100 * TOLERANCE:g} % of the baseline")
    if found:
        print("if this is meant: python3 tests/project/instructions.py --update, and commit the baseline")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
