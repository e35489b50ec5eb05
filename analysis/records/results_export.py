# SPDX-License-Identifier: Apache-2.0
"""Case records as a flat table, CSV: one row each, columns always in this order, numbers unrounded,
units in the names of the columns, empty where unmeasured."""

from __future__ import annotations

import csv
import io
import math
from pathlib import Path
from typing import Any, Callable

from . import cases, entries, lines, processes
from .errors import RecordsError
from .lines import Line
from .load import check_schema

RUN = ("run", "started_utc", "suite")
START = ",".join(RUN)  # of every such file
PLAIN = ("key", "case", "variant", "backend", "threads", "verdict", "reason", "phase", "rel_l2",
         "max_err", "claim", "adjoint_err", "mode", "regime", "processes", "two_modes", "repetitions", "median_s", "q1_s", "q3_s",
         "mad_s", "ci_lo_s", "ci_hi_s", "stop", "coil_pairs_per_s", "bound", "bound_fraction",
         "plan_s", "plan_bytes", "chosen", "energy_j", "host_call_s", "working_set_bytes",
         "sm_clock_mhz", "build_id")
AMOUNTS = ("fma", "add", "special", "tensor", "integer", "issue_slots", "dram_bytes", "l2_bytes",
           "shared_bytes", "launches")
STEPS = ("plan", "upload", "execute", "download", "deapodisation", "fft", "convolution")
STATE = ("power_w", "temperature_c", "memory_clock_mhz", "away_s")
PROBLEM = {
    "op": lambda case: case.op, "dimension": lambda case: case.dim,
    "n_voxels": lambda case: math.prod(case.n),
    "n_samples": lambda case: None if case.is_uniform else case.m,
    "coils": lambda case: case.coils,
    "prec": lambda case: case.prec, "tol": lambda case: case.tol,
}


def _inside(outer: str, name: str) -> Callable[[dict], Any]:
    return lambda entry: (entry.get(outer) or {}).get(name)


def _count(name: str) -> Callable[[dict], Any]:
    return lambda entry: None if entry.get(name) is None else len(entry[name])


def _columns() -> dict[str, Callable[[dict], Any]]:
    """Of a case record; each by its name."""
    columns = {name: (lambda entry, name=name: entry.get(name)) for name in PLAIN}
    columns["timings"] = _count("samples_s")
    columns["timings_throttled"] = _count("throttled")
    columns |= {f"step_{name}_s": _inside("phases_s", name) for name in STEPS}
    columns |= {name: _inside("state", name) for name in STATE}
    columns["throttle"] = lambda entry: " ".join(_inside("state", "throttle")(entry) or ())
    columns |= {f"cost_{name}": _inside("cost", name) for name in AMOUNTS}
    columns["bound_s"] = lambda entry: _inside("bounds_s", entry.get("bound"))(entry)
    return columns


def export(paths: list[Path]) -> str:
    """The CSV text; RecordsError where a line is no record or its run was not announced."""
    columns = _columns()
    out = io.StringIO()
    table = csv.writer(out, lineterminator="\n")
    table.writerow([*RUN, "timing_version", "commit", "device", "driver", *PROBLEM, *columns])
    for path in paths:
        found, runs = lines.read(path), {}
        torn = lines.torn(found)
        for i, line in enumerate(found):
            if line.get("type") in ("run", "case"):
                entries.check(line.entry, line.where)
            if line.get("type") == "run":
                check_schema(line.get("schema"), line.where)
                runs[line.get("run")] = line.plain
            elif line.get("type") == "case":
                table.writerow(_row(line, runs, columns))
            elif line.entry is None and i not in torn:
                raise RecordsError(f"{line.where}: {line.why}")
    return out.getvalue()


def _row(line: Line, runs: dict[str, dict], columns: dict[str, Callable]) -> list[Any]:
    run = runs.get(line.get("run"))
    if run is None:
        raise RecordsError(f"{line.where}: its run {line.get('run')!r} was not announced")
    device = (run.get("devices") or {}).get(line.get("backend")) or {}
    try:
        case = cases.of_record({"case": ""} | line.plain)
    except cases.CaseError as error:
        raise RecordsError(f"{line.where}: {error}") from None
    entry = processes.joined(line.plain)
    return [*(run.get(name) for name in RUN), run.get("timing_version") or 1,
            (run.get("build") or {}).get("commit"), device.get("slug"), device.get("driver"),
            *(of(case) for of in PROBLEM.values()), *(of(entry) for of in columns.values())]
