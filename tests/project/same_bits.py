# SPDX-License-Identifier: Apache-2.0
"""Whether two builds hand out the same bits:

    python3 tests/project/same_bits.py SUITE BEFORE AFTER [SEED]

Every case of SUITE (lines 'VARIANTS : CASE', as `sweep --plan` lists them) is run by BEFORE and by
AFTER, two programs, with two of the variants that serve it, drawn by SEED; exit statuses are
compared and the bytes of what `ndft run` writes. Variants that are not deterministic may differ by
what rounding does. Exit status 1: something differs, which is printed.
"""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np

ROUNDING = 1e-5  # relative l2 of two orders of one sum, f32


def ask(program: str, *arguments: str) -> str:
    return subprocess.run([program, *arguments], capture_output=True, text=True, check=True).stdout


def cases(suite: Path) -> list[tuple[str, str]]:
    """(backend, case) of every line."""
    lines = (line.partition("#")[0].strip() for line in suite.read_text().splitlines())
    split = (line.partition(" : ") for line in lines if " : " in line)
    return [("cuda" if "cuda" in variants else "cpu", case.strip()) for variants, _, case in split]


def jobs(program: str, suite: Path, seed: str) -> list[tuple[str, str]]:
    """(case, variant): two variants of its backend for each case."""
    listed = json.loads(ask(program, "list", "--json"))["variants"]
    draw = random.Random(seed)
    ours = {backend: [v["id"] for v in listed if v["backend"] == backend and v["built"]
                      and v["kind"] == "nonuniform" and not v["ablates"] and not v["peer"]]
            for backend in ("cpu", "cuda")}
    return [(case, variant) for backend, case in cases(suite)
            for variant in draw.sample(ours[backend], 2)]


def run(program: str, case: str, variant: str, folder: Path) -> tuple[int, Path]:
    out = Path(tempfile.mkdtemp(dir=folder)) / "y.npy"
    done = subprocess.run([program, "run", case, "--variant", variant, "-o", str(out)],
                          capture_output=True, text=True, check=False)
    return done.returncode, out


def difference(before: tuple[int, Path], after: tuple[int, Path]) -> str | None:
    """None where both did the same; what differs otherwise."""
    if before[0] != after[0]:
        return f"exit status {before[0]}, now {after[0]}"
    if not before[1].exists() and not after[1].exists():
        return None
    if before[1].read_bytes() == after[1].read_bytes():
        return None
    x, y = np.load(before[1]), np.load(after[1])
    return f"relative l2 {np.linalg.norm(x - y) / max(np.linalg.norm(x), 1e-300):.2e}"


def judged(case: str, variant: str, programs: tuple[str, str], folder: Path) -> tuple[str, str]:
    """'same', 'refused', 'rounds' or 'differs', and a line."""
    results = [run(program, case, variant, folder) for program in programs]
    found = difference(*results)
    for _, out in results:
        out.unlink(missing_ok=True)
    line = f"{variant}: {case}: {found}"
    if not found:
        return ("refused" if results[0][0] else "same"), line
    again = run(programs[0], case, variant, folder), run(programs[0], case, variant, folder)
    own = difference(*again)
    rounds = found.startswith("rel") and own and float(found.rsplit(" ", 1)[1]) < ROUNDING
    return ("rounds" if rounds else "differs"), line


def main(suite: str, before: str, after: str, seed: str = "1") -> int:
    os.environ["OMP_NUM_THREADS"] = "1"
    programs = str(Path(before).resolve()), str(Path(after).resolve())
    todo = jobs(programs[0], Path(suite), seed)
    with tempfile.TemporaryDirectory() as name, ThreadPoolExecutor(os.cpu_count()) as pool:
        found = list(pool.map(lambda job: judged(*job, programs, Path(name)), todo))
    for verdict in ("same", "refused", "rounds", "differs"):
        print(f"{sum(v == verdict for v, _ in found)} {verdict}", end="\n" if verdict == "differs" else ", ")
    print("\n".join(line for verdict, line in found if verdict == "differs"))
    return int(any(verdict == "differs" for verdict, _ in found))


if __name__ == "__main__":
    if not 4 <= len(sys.argv) <= 5:
        sys.exit(__doc__)
    sys.exit(main(*sys.argv[1:]))
