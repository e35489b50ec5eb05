# SPDX-License-Identifier: Apache-2.0
"""A record file like that of a long session, with everything that a record can hold.

python3 tests/support/campaign.py FILE writes it, so that a report of it can be looked at.
"""

from __future__ import annotations

import random
import statistics
import sys
from pathlib import Path

from synthetic import case_line, case_text, counter_line, peak_line, run_line, write

SPEED = {"naive": .33e12, "tiled": 1.79e12, "sincos_table": .52e12, "fast_math": 1.1e12,
         "output_driven": 1.72e12, "coil_gemm": .9e12}
ERROR = {"naive": 1.1e-5, "tiled": 1.2e-6, "sincos_table": 3e-6, "fast_math": 7e-7,
         "output_driven": 1.3e-6, "coil_gemm": 5.4e-6}
SLOTS = {"naive": 60, "tiled": 12, "sincos_table": 24, "fast_math": 18, "output_driven": 13,
         "coil_gemm": 4}
PEAKS = {"fma": 2.91e13, "special": 4.12e12, "issue_slots": 3.3e13, "dram_bytes": 4.3e12,
         "shared_bytes": 3.1e13, "l2_bytes": 7.4e12, "fma_f64": 1.6e13, "tensor_f16_mma": 3.2e14,
         "conversion": 4.1e12, "atomic": 2.4e11, "launch": 4.2e5}
MODES = {"batch": 1.0, "warm": 1.02, "cold": 1.25, "graph": .97, "end-to-end": 3.4}


def campaign(path: Path, seed: int = 1) -> Path:
    """Six variants on two backends over sizes, tiles, coils and fields; modes, ceilings, counters
    and one failure of each kind."""
    dice = random.Random(seed)
    lines: list[dict] = [run_line(backends=("cpu", "cuda")), *_peaks()]
    for op in ("forward", "adjoint"):
        for nx in (64, 128, 256, 512):
            for name in SPEED:
                tiles = (32, 64, 128, 256, 512, 1024) if name == "tiled" else (0,)
                lines += [_point(dice, case_text(op, nx), name, "cuda", tile=t) for t in tiles]
                lines.append(_point(dice, case_text(op, nx), name, "cpu", tile=tiles[0]))
        for name in SPEED:
            lines += [_point(dice, case_text(op, 128, coils=c), name, "cuda") for c in (4, 8, 32)]
            lines += [_point(dice, case_text(op, 128, field=f"smooth:{hz}Hz"), name, "cuda")
                      for hz in (50, 100, 200)]
    lines += [_point(dice, case_text(nx=nx), name, "cuda", mode=mode) for nx in (64, 256)
              for name in ("naive", "tiled", "fast_math") for mode in MODES if mode != "batch"]
    lines += [*_failures(), *_counters()]
    lines.append({"type": "end", "run": "r1", "pass": len(lines) - 1, "wall_s": 12.0})
    return write(path, *lines)


def _peaks() -> list[dict]:
    return [peak_line(name, value, spread=.004, clock_mhz=1980, note="copy" if name == "dram_bytes" else "")
            for name, value in (PEAKS | {"tensor_f64_mma": None}).items()]


def _rate(case: str, name: str, backend: str, tile: int, mode: str, dice: random.Random) -> float:
    words = dict(w.split("=") for w in case.split()[2:])
    nx, coils = int(words["n"].partition("x")[0]), int(words["coils"])
    pairs, top = float(nx) ** 4, SPEED[name]
    if name == "coil_gemm":
        top *= coils ** .8
    if backend == "cpu":
        return (7e7 if name == "naive" else top / 600) * dice.uniform(.9, 1.1)
    rate = top * pairs / (pairs + (3e8 if name == "tiled" else 1e8)) * dice.uniform(.995, 1.005)
    if tile:
        rate *= 1 - .06 * abs((tile.bit_length() - 1) - (nx.bit_length() - .5)) / 2
    return rate / MODES[mode]


def _point(dice: random.Random, case: str, name: str, backend: str, tile: int = 0,
           mode: str = "batch") -> dict:
    nx = int(case.split("n=")[1].partition("x")[0])
    pairs = float(nx) ** 4 * int(case.split("coils=")[1].split()[0])
    id_ = f"{name}.{backend}"
    if tile:
        id_ += f":tile={tile},outputs={2 if nx < 200 else 4}"
    if tile == 1024 and nx == 64:
        return case_line(id_, case=case, verdict="unfit",
                         reason="tile 1024 needs 65536 bytes of shared memory, 49152 are there")
    rate = _rate(case, name, backend, tile, mode, dice)
    spread = 16 if name == "coil_gemm" else 1
    cost = {"fma": 8 * pairs / spread, "special": 2 * pairs / spread, "dram_bytes": 16. * nx * nx,
            "issue_slots": SLOTS[name] * pairs / spread ** .5, "shared_bytes": 8 * pairs / spread}
    error = ERROR[name] * nx / 256
    line = case_line(id_, rate, case=case, cost=cost, mode=mode, claim=4 * error,
                     rel_l2=error * dice.uniform(.9, 1.1))
    return line | _timing(dice, pairs / rate, backend) | _bounds(cost, pairs / rate, backend) | (
        {"phases_s": {"plan": .3 * pairs / rate, "upload": .2 * pairs / rate,
                      "execute": .35 * pairs / rate, "download": .15 * pairs / rate}}
        if mode == "end-to-end" else {})


def _timing(dice: random.Random, seconds: float, backend: str) -> dict:
    """Samples of a clock that sags now and then, with the statistics that belong to them."""
    count = dice.randint(12, 40) if backend == "cuda" else 5
    slow = [i for i in range(count) if dice.random() < .02] if backend == "cuda" else []
    clocks = [1755.0 if i in slow else 1980.0 - 15 * (dice.random() < .2) for i in range(count)]
    samples = [seconds * 1980 / c * dice.gauss(1, .002) for c in clocks]
    ordered = sorted(samples)
    middle, quartiles = statistics.median(samples), statistics.quantiles(samples, n=4)
    timing = {"samples_s": samples, "median_s": middle, "q1_s": quartiles[0],
              "q3_s": quartiles[2], "ci_lo_s": ordered[count // 3],
              "ci_hi_s": ordered[-1 - count // 3], "repetitions": 10, "throttled": slow,
              "mad_s": statistics.median(abs(s - middle) for s in samples),
              "order": "random", "stop": dice.choice(("ci", "ci", "noise", "budget"))}
    if backend == "cpu":
        return timing | {"clocks_mhz": [None] * count, "sm_clock_mhz": None, "state": None}
    return timing | {"clocks_mhz": clocks, "state": {
        "power_w": 600 + 60 * dice.random(), "temperature_c": 55 + dice.randint(0, 9),
        "memory_clock_mhz": 3201, "throttle": ["sw_power_cap"] if slow else []}}


def _bounds(cost: dict, seconds: float, backend: str) -> dict:
    if backend == "cpu":
        return {}
    bounds = {name: amount / PEAKS[name] for name, amount in cost.items()}
    bound = max(bounds, key=bounds.__getitem__)
    return {"bounds_s": bounds, "bound": bound, "bound_fraction": bounds[bound] / seconds}


def _failures() -> list[dict]:
    far = case_text(field="random:2000Hz")
    return [
        case_line("fast_math.cuda:outputs=8", case=far, verdict="wrong", rel_l2=4e-2,
                  reason="rel_l2 4.0e-2 > claim 8.0e-6"),
        case_line("coil_gemm.cuda", case=far, verdict="crashed", rel_l2=None, phase="plan",
                  reason="signal 11 (Segmentation fault) in plan"),
        *(case_line("coil_gemm.cuda", case=case_text(op, field="random:2000Hz"), phase="plan",
                    verdict="crashed", rel_l2=None, reason="quarantined after two: signal 11 "
                    "(Segmentation fault) in plan") for op in ("adjoint", "normal")),
        case_line("tiled.cuda:tile=64,outputs=4", case=far, verdict="timeout", rel_l2=None,
                  phase="forward", reason="no sign of life for 30 s in forward"),
        case_line("output_driven.cpu", case=far, verdict="error", rel_l2=None,
                  reason="12.4 GB wanted, 3.1 GB free"),
    ]


def _counters() -> list[dict]:
    model = {"fma": 3.4e10, "special": 8.6e9, "dram_bytes": 1e6}
    off = {"fma": 3.5e10, "special": 1.29e10, "dram_bytes": 4e6}
    lines = {"tiled.cuda:tile=256,outputs=4": (model, []),
             "fast_math.cuda": (off, ["special", "dram_bytes"])}
    return [counter_line(id_, launches=3, counters={"sm__inst_executed.sum": 1e9}, measured=measured, model=model,
                         differs=differs) for id_, (measured, differs) in lines.items()]


if __name__ == "__main__":
    campaign(Path(sys.argv[1]))
