# SPDX-License-Identifier: Apache-2.0
"""How often `ndft compare` finds a difference where there is none: the same suite swept several
times by the same program on the same machine, and all that can be compared compared.

    PYTHONPATH=. python3 tests/analysis/null.py SUITE [-n 6] [--budget S] [--processes N] [--gate 2%]
        [--program FILE] [-o DIR]

Singles: every pair of two sweeps. Halves: every way to put half of the sweeps on each side, as three
runs a side are meant to be used. A false alarm is a comparison that is called slower or faster;
at most 5 % may be, and exit status 1 says that more were.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from itertools import combinations
from pathlib import Path

from analysis import compare
from analysis.records import load

ALARMS = ("slower", "faster")
ALLOWED = 0.05


def sweep(options: argparse.Namespace, folder: Path) -> list[Path]:
    """The record files of so many sweeps, one after the other."""
    files = [folder / f"{i}.jsonl" for i in range(options.n)]
    for file in files:
        subprocess.run([options.program, "sweep", options.suite, "-o", file, "--budget",
                        options.budget, "--processes", str(options.processes)], check=True, stdout=subprocess.DEVNULL)
    return files


def verdicts(a: list[Path], b: list[Path], gate: float) -> Counter:
    found = compare.compare(load.load(a), load.load(b), gate)
    for change in found.changes:
        if change.verdict in ALARMS:
            print(f"  {change.verdict} by {change.ratio.value - 1:+.2%}: {change.pair.record.id} "
                  f"on {change.pair.record.case.text}")
    return Counter(change.verdict for change in found.changes)


def halves(files: list[Path]) -> list[tuple[list[Path], list[Path]]]:
    """Every split into two sides of the same size, once."""
    first, others = files[0], files[1:]
    sides = [[first, *some] for some in combinations(others, len(files) // 2 - 1)]
    return [(side, [f for f in files if f not in side]) for side in sides]


def judge(name: str, splits: list[tuple[list[Path], list[Path]]], gate: float) -> bool:
    """Prints what was found; whether few enough were alarms."""
    counts = sum((verdicts(a, b, gate) for a, b in splits), Counter())
    alarms, total = sum(counts[v] for v in ALARMS), sum(counts.values())
    print(f"{name}: {alarms} false alarms in {total} comparisons ({alarms / total:.2%}) of "
          f"{len(splits)} pairs; " + ", ".join(f"{n} {v}" for v, n in counts.most_common()))
    return alarms <= ALLOWED * total


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split(".")[0])
    parser.add_argument("suite")
    parser.add_argument("-n", type=int, default=6, help="sweeps, an even number (6)")
    parser.add_argument("--gate", default="2%")
    parser.add_argument("--budget", default="0.5", help="measured s for each variant (0.5)")
    parser.add_argument("--processes", type=int, default=1, help="of each sweep (1)")
    parser.add_argument("--program", default="build/ndft")
    parser.add_argument("-o", "--out", type=Path, help="keep the records in this folder")
    options = parser.parse_args()
    gate = compare.gate_of(options.gate)
    folder = options.out or Path(tempfile.mkdtemp())
    try:
        folder.mkdir(parents=True, exist_ok=True)
        files = sweep(options, folder)
        singles = [([a], [b]) for a, b in combinations(files, 2)]
        fine = [judge("singles", singles, gate), judge("halves", halves(files), gate)]
    finally:
        if not options.out:
            shutil.rmtree(folder)
    return 0 if all(fine) else 1


if __name__ == "__main__":
    sys.exit(main())
