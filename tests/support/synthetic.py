# SPDX-License-Identifier: Apache-2.0
"""Made-up records with known answers, for the tests of analysis/."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any, Sequence

import numpy as np

from analysis.records import current, load
from analysis.records.record import Records

CLOCK = current.timing_version()

DEVICES = {
    "cpu": {"name": "Intel(R) Xeon(R) Processor @ 2.50GHz", "slug": "xeon-2c-avx512",
            "units": 2, "driver": ""},
    "cuda": {"name": "NVIDIA H200", "slug": "h200", "units": 132, "driver": "580.1 / 13.0"},
}
TAIL = ("mask=none coils=1 layout=planar prec=f32 tol=1e-4 data=random seed=1")


def case_text(op: str = "forward", nx: int = 256, field: str = "random:200Hz",
              grad: str = "none", **keys: Any) -> str:
    """The canonical line of a square 2D case with m = nx²; keys replace defaults: coils=8."""
    text = f"{op} 2d n={nx}x{nx} m={nx * nx} traj=random:1 t=30ms field={field} grad={grad} {TAIL}"
    words = (word.partition("=") for word in text.split())
    return " ".join(f"{key}={keys.get(key, value)}" if value else key for key, _, value in words)


def run_line(run: str = "r1", backends: tuple[str, ...] = ("cuda",),
             started: str = "20261121T010000Z", schema: str = "ndft-results/1",
             timing_version: int | None = CLOCK) -> dict:
    """By this checkout's clock, unless another is named; None: it does not say so, as the first did not."""
    said = {"timing_version": timing_version} if timing_version else {}
    return said | {"type": "run", "schema": schema, "run": run, "started_utc": started, "suite": "tiles",
            "argv": ["sweep", "configs/tiles.ndft"], "plan_cases": 1, "seed": 1,
            "build": {"version": "1", "commit": "0123abcd", "dirty": False},
            "devices": {b: DEVICES[b] for b in backends}, "from_the_future": 1}


LIBRARIES = {"libc": "2.36", "fftw": "fftw-3.3.10-sse2-avx", "cuda_runtime": "13.0",
             "cuda_driver": "13.0", "cufft": "12.0.0", "jansson": "2.14"}


def run2_line(run: str = "r1", timing_version: int = CLOCK, **more: Any) -> dict:
    """The same of ndft-results/2."""
    return run_line(run, schema="ndft-results/2", timing_version=timing_version, **more) | {"libraries": LIBRARIES}


def processes(*samples: Sequence[float]) -> dict:
    """The fields of a record that was measured in so many processes."""
    parts = [{"verdict": "pass", "samples_s": list(one), "median_s": float(np.median(one)),
              "clocks_mhz": [1980.0] * len(one), "throttled": []} for one in samples]
    return {"processes": len(parts), "by_process": parts, "samples_s": [], "clocks_mhz": [],
            "throttled": []}


def case_line(variant: str = "tiled.cuda:tile=256", rate: float = 1e12, width: float = 0.01,
              case: str | None = None, verdict: str = "pass", **fields: Any) -> dict:
    """One case record; width is the half interval relative to the median."""
    case = case or case_text()
    words = dict(w.split("=") for w in case.split()[2:])
    pairs = float(words["m"])
    for n in words["n"].split("x"):
        pairs *= int(n)
    t = pairs / rate
    timed = verdict == "pass"
    line = {
        "type": "case", "run": "r1", "case": case, "variant": variant, "knobs": {},
        "backend": variant.partition(":")[0].rpartition(".")[2], "threads": 1, "verdict": verdict,
        "reason": None if timed else "for a reason", "rel_l2": 2e-6, "max_err": 1e-6,
        "claim": 8e-6, "adjoint_err": 3e-8, "mode": "batch", "samples_s": [t] if timed else [],
        "median_s": t, "q1_s": t * (1 - width / 2), "q3_s": t * (1 + width / 2),
        "ci_lo_s": t * (1 - width), "ci_hi_s": t * (1 + width), "stop": "ci",
        "coil_pairs_per_s": rate, "cost": {"fma": 6 * pairs, "special": 2 * pairs},
        "bound": None, "bound_fraction": None, "plan_s": 1e-3, "plan_bytes": 1 << 20,
        "sm_clock_mhz": 1980, "build_id": "b" + variant.partition(":")[0], "unknown_field": [1],
    }
    if not timed:
        for name in ("median_s", "q1_s", "q3_s", "ci_lo_s", "ci_hi_s", "coil_pairs_per_s"):
            line[name] = None
    line.update(fields)
    text = f"{line['case']}|{line['variant']}|{line['build_id']}|{line['mode']}"
    line.setdefault("key", hashlib.sha256(text.encode()).hexdigest()[:16])
    knobs = variant.partition(":")[2]
    line["knobs"] = {k: int(v) if v.isdigit() else v
                     for k, v in (pair.split("=") for pair in knobs.split(",") if knobs)}
    return line


def transform_line(variant: str, seconds: float, text: str = "uniform:scfo8.1009*33 tol=1e-4 seed=1",
                   **fields: Any) -> dict:
    """A record of a uniform case, all of whose samples are the same."""
    timed = dict.fromkeys(("median_s", "ci_lo_s", "ci_hi_s", "q1_s", "q3_s"), seconds)
    made = case_line(variant, key=f"{variant}{text}", samples_s=[seconds],
                     coil_pairs_per_s=1 / seconds, **timed)
    return made | {"case": text} | fields


def peak_line(resource: str = "fma", value: float | None = 2.9e13, **fields: Any) -> dict:
    """A measured ceiling."""
    return {"type": "peak", "run": "r1", "backend": "cuda", "resource": resource, "value": value,
            "spread": 0.01, "clock_mhz": 1980.0, "note": ""} | fields


def counter_line(variant: str = "tiled.cuda", **fields: Any) -> dict:
    """What ncu counted of an execution, which differs from what was declared."""
    return {"type": "counter", "run": "r1", "case": case_text(), "variant": variant, "tool": "ncu", "launches": 1,
            "counters": {"sm__inst_executed.sum": 1e6}, "measured": {"fma": 1e6}, "model": {"fma": 1.2e6},
            "differs": ["fma"]} | fields


def peer_line(**fields: Any) -> dict:
    """A measurement of other software."""
    return {"type": "peer", "run": "r1", "case": case_text(), "backend": "cuda", "peer": "torch", "version": "2.11",
            "how": "exp, 128 samples at a time", "rel_l2": 1e-4, "samples_s": [.04], "median_s": .04,
            "coil_pairs_per_s": 1e11} | fields


def write(path: Path, *lines: dict | str) -> Path:
    """Writes JSON Lines; strings go out as they are, without a newline (a torn line)."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(l if isinstance(l, str) else json.dumps(l) + "\n" for l in lines))
    return path


def loaded(folder: Path, *lines: dict) -> Records:
    """These lines as they are read from a file, of a run on both backends."""
    return load.load([write(folder / "a.jsonl", run_line(backends=("cpu", "cuda")), *lines)])
