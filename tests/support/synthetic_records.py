# SPDX-License-Identifier: Apache-2.0
"""Writes tests/data/a.jsonl and tests/data/slower.jsonl, two runs of one made-up machine:

    python3 tests/support/synthetic_records.py [FOLDER]

slower.jsonl is a.jsonl measured again with other noise, another build, and what compare must find:
two variants slower by 5 %, one less accurate, one that holds more memory, one that no longer
passes; one is faster, one missing and one new.
"""

import random
import sys
from pathlib import Path

from synthetic import case_line, case_text, run_line, write

DATA = Path(__file__).resolve().parents[1] / "data"
SIZES = (64, 128, 256)
RATES = {"naive.cuda": .33e12, "tiled.cuda:tile=256,outputs=4": 1.79e12, "fast_math.cuda": 1.1e12,
         "sincos_table.cuda": .52e12, "output_driven.cuda": 1.7e12, "naive.cpu": 7e7,
         "tiled.cpu:tile=256": 3e9}
SLOWER = {("tiled.cuda:tile=256,outputs=4", 256): 1.05, ("naive.cpu", 64): 1.05,
          ("fast_math.cuda", 128): 0.93}


def samples(dice: random.Random, median: float, noise: float) -> list[float]:
    """From 8 to 30 times: a floor, an exponential tail above it and now and then an outlier."""
    times = []
    for _ in range(dice.randint(8, 30)):
        tail = noise * dice.expovariate(1) + (dice.uniform(.05, .5) if dice.random() < .03 else 0)
        times.append(float(f"{median * (1 + tail):.9g}"))
    return times


def record(dice: random.Random, variant: str, nx: int, run: str, factor: float = 1.0,
           **fields) -> dict:
    noise = 0.001 if "cuda" in variant else 0.004
    times = samples(dice, factor * float(nx)**4 / RATES[variant], noise)
    ordered, n = sorted(times), len(times)
    median = (ordered[(n - 1) // 2] + ordered[n // 2]) / 2
    line = case_line(variant, float(nx)**4 / median, case=case_text(nx=nx), run=run,
                     samples_s=times, build_id=f"{run}-{variant.partition(':')[0]}", **fields)
    return line | {"clocks_mhz": [1980.0 if "cuda" in variant else None] * n, "stop": "ci",
                   "q1_s": ordered[n // 4], "q3_s": ordered[3 * n // 4], "ci_lo_s": None,
                   "ci_hi_s": None, "throttled": [], "repetitions": 1}


def end(run: str, lines: list[dict]) -> dict:
    passed = sum(line.get("verdict") == "pass" for line in lines)
    return {"type": "end", "run": run, "interrupted": False, "pass": passed,
            "wrong": len(lines) - 1 - passed, "wall_s": 60.0}


def before() -> list[dict]:
    dice, run = random.Random(3), "before"
    lines = [run_line(run, ("cpu", "cuda"), "20261121T010000Z", timing_version=None)]
    for nx in SIZES:
        lines += [record(dice, variant, nx, run) for variant in RATES]
    return [*lines, end(run, lines)]


def after() -> list[dict]:
    dice, run = random.Random(4), "after"
    lines = [run_line(run, ("cpu", "cuda"), "20261122T010000Z", timing_version=None)]
    changed = {("sincos_table.cuda", 64): {"rel_l2": 6e-6}, ("naive.cuda", 64): {
        "plan_bytes": 1 << 21}, ("output_driven.cuda", 128): {
        "verdict": "wrong", "reason": "rel_l2 4.0e-02 > claim 8.0e-06", "rel_l2": 4e-2}}
    for nx in SIZES:
        for variant in RATES:
            if (variant, nx) == ("naive.cpu", 256):
                continue
            line = record(dice, variant, nx, run, SLOWER.get((variant, nx), 1.0))
            lines.append(_changed(line, changed.get((variant, nx), {})))
    lines.append(record(dice, "fast_math.cuda", 512, run))
    return [*lines, end(run, lines)]


def _changed(line: dict, fields: dict) -> dict:
    if "verdict" in fields:
        timing = ("median_s", "q1_s", "q3_s", "coil_pairs_per_s", "stop")
        line = line | dict.fromkeys(timing) | {"samples_s": [], "clocks_mhz": []}
    return line | fields


def main(folder: Path) -> None:
    write(folder / "a.jsonl", *before())
    write(folder / "slower.jsonl", *after())


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else DATA)
