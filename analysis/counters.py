# SPDX-License-Identifier: Apache-2.0
"""What Nsight Compute counted, in the terms in which variants declare their cost.

Reads both forms of `ncu --csv`: `--page raw` (a row per kernel, a column per metric, the units in a
row of their own) and the default one (a row per kernel and metric). Kernels are summed and divided
by the executions, so that counters and cost are both of one execution, all coils.

A cost is counted per lane: an instruction of a warp is 32 operations, whatever its predicates say.
ncu counts instructions by kind per thread that executed them, pipes and issues per warp.

    fma           FFMA, FMUL, DFMA, DMUL, threads
    add           FADD, DADD, threads
    special       instructions of the XU pipe times 32: MUFU, and the conversions and roundings
                  that share the pipe with it
    integer       integer, bitwise and conversion instructions, threads
    tensor        operations of the tensor cores, halved: one multiply-add is two of them; by the type
                  of the factors, whichever instruction (mma.sync, wgmma) it was
    issue_slots   instructions executed, times 32
    shared_bytes  wavefronts of shared memory times 128 bytes, all that one can carry: lanes that read
                  the same word share it, lanes in conflict need one each
    l2_bytes      bytes that multiprocessors read from the crossbar to L2 and wrote to it. Sectors that
                  L2 counts can be a third of them, for requests of neighbours are joined on the way
    dram_bytes    bytes read and written; each kernel starts with empty caches, and what it leaves
                  in L2 is not written yet
    launches      kernels; filling with zeros is none
"""

from __future__ import annotations

import csv
import math
import re
from dataclasses import dataclass
from typing import Any, Iterator

from . import limits
from .records.errors import RecordsError

APART = 0.1  # relative; a difference above this is reported
WARP, WAVEFRONT_BYTES = 32, 128

# Cost field -> (ncu's metrics, of which all are needed; what their sum is multiplied by).
THREADS = "smsp__sass_thread_inst_executed_op_{}_pred_on.sum"
FIELDS: dict[str, tuple[tuple[str, ...], float]] = {
    "fma": (tuple(map(THREADS.format, ("ffma", "fmul", "dfma", "dmul"))), 1),
    "add": (tuple(map(THREADS.format, ("fadd", "dadd"))), 1),
    "special": (("smsp__inst_executed_pipe_xu.sum",), WARP),
    "integer": (tuple(map(THREADS.format, ("integer", "bit", "conversion"))), 1),
    "issue_slots": (("smsp__inst_executed.sum",), WARP),
    "shared_bytes": (("l1tex__data_pipe_lsu_wavefronts_mem_shared.sum",), WAVEFRONT_BYTES),
    "l2_bytes": (("l1tex__m_xbar2l1tex_read_bytes.sum", "l1tex__m_l1tex2xbar_write_bytes.sum"), 1),
    "dram_bytes": (("dram__bytes.sum",), 1),
}
TENSOR = re.compile(r"sm__ops_path_tensor_src_\w+[.]sum")
TENSOR_METRICS = tuple(f"sm__ops_path_tensor_src_{kind}.sum"
                       for kind in ("fp16", "bf16_dst_fp32", "tf32_dst_fp32", "fp64"))

# Recorded, and mapped to nothing: what lanes asked shared memory for, sectors of 32 bytes that came
# through to L2, and how long it took.
TIME = "gpu__time_duration.sum"
BESIDE = ("smsp__sass_data_bytes_mem_shared.sum", "lts__t_sectors_srcunit_tex.sum", TIME)

# How busy a kernel keeps what it could be bound by, named as the cost fields are where they are the
# same: percent of the most, over the kernel's whole time; and the warps that there are, of those
# that a multiprocessor can hold.
PERCENT = ".avg.pct_of_peak_sustained_elapsed"
SHARES = {"issue_slots": "sm__inst_executed", "fma": "sm__pipe_fma_cycles_active",
          "integer": "sm__pipe_alu_cycles_active", "special": "sm__inst_executed_pipe_xu",
          "tensor": "sm__pipe_tensor_cycles_active", "l1": "l1tex__data_pipe_lsu_wavefronts",
          "l2": "lts__throughput", "dram": "dram__throughput"}
WARPS = "sm__warps_active.avg.pct_of_peak_sustained_active"

PREFIXES = {"n": 1e-9, "u": 1e-6, "m": 1e-3, "K": 1e3, "M": 1e6, "G": 1e9, "T": 1e12}
UNIT = re.compile(r"([numKMGT]?)(byte|inst|sector|second|s)(/\w+)?")


@dataclass(frozen=True)
class Kernel:
    """One launch; metrics in bytes, seconds and plain counts."""

    name: str
    metrics: dict[str, float]


def metrics_for(model: dict[str, float]) -> list[str]:
    """What ncu is asked for; of tensor cores only where the variant uses them."""
    names = [name for metrics, _ in FIELDS.values() for name in metrics]
    names += [*BESIDE, *limits.LOCAL, *(metric + PERCENT for metric in SHARES.values()), WARPS]
    return names + (list(TENSOR_METRICS) if model.get("tensor") else [])


def read(text: str) -> list[Kernel]:
    """The kernels of an ncu CSV in the order launched; RecordsError when there are none."""
    rows = list(csv.reader(_table(text)))
    if not rows:
        raise RecordsError("no table of ncu in it: expected a line that begins with \"ID\"")
    header = rows[0]
    if "Kernel Name" not in header:
        raise RecordsError("the table of ncu has no column \"Kernel Name\"")
    entries = [dict(zip(header, row)) for row in rows[1:] if len(row) == len(header)]
    kernels = _long(entries) if "Metric Name" in header else _wide(entries)
    if not kernels:
        raise RecordsError("ncu counted no kernel: was anything launched in the profiled range?")
    return kernels


def _table(text: str) -> Iterator[str]:
    """The lines of the table, without what ncu and the program say around it."""
    inside = False
    for line in text.splitlines():
        inside = inside or line.startswith('"ID"')
        if inside and line.startswith('"'):
            yield line


def _wide(entries: list[dict[str, str]]) -> list[Kernel]:
    units: dict[str, str] = {}
    kernels = []
    for entry in entries:
        if not entry["ID"]:
            units = entry
            continue
        read_ones = ((name, _number(value, units.get(name, "")))
                     for name, value in entry.items() if "__" in name)
        kernels.append(Kernel(entry["Kernel Name"],
                              {name: value for name, value in read_ones if value is not None}))
    return kernels


def _long(entries: list[dict[str, str]]) -> list[Kernel]:
    kernels: dict[tuple[str, str], Kernel] = {}
    for entry in entries:
        key = entry.get("Process ID", ""), entry["ID"]
        kernel = kernels.setdefault(key, Kernel(entry["Kernel Name"], {}))
        value = _number(entry["Metric Value"], entry.get("Metric Unit", ""))
        if value is not None and "__" in entry["Metric Name"]:
            kernel.metrics[entry["Metric Name"]] = value
    return list(kernels.values())


def _number(text: str, unit: str) -> float | None:
    """A value with its thousands separators and its unit's prefix undone; None where it is none."""
    try:
        value = float(text.replace(",", ""))
    except ValueError:
        return None
    match = UNIT.fullmatch(unit)
    return value * PREFIXES.get(match[1], 1) if match and math.isfinite(value) else value


def per_execution(kernels: list[Kernel], executions: int) -> dict[str, float]:
    """Sums over all kernels, over executions, of what is asked for and can be added: names ending in .sum. A full
    report has hundreds more, which stay in it."""
    if len(kernels) % executions:
        raise RecordsError(f"{len(kernels)} kernels are not those of {executions} executions: "
                           "was it another number of launches?")
    names = [name for name in metrics_for({"tensor": 1.0}) if name.endswith(".sum")]
    return {name: sum(kernel.metrics.get(name, 0) for kernel in kernels) / executions
            for name in names if any(name in kernel.metrics for kernel in kernels)}


def cost_of(counters: dict[str, float], kernels: float) -> dict[str, float]:
    """Counters as cost fields; a field of which a metric is missing is left out."""
    cost = {field: scale * sum(counters[name] for name in names)
            for field, (names, scale) in FIELDS.items() if all(n in counters for n in names)}
    tensor = [value for name, value in counters.items() if TENSOR.fullmatch(name)]
    if tensor:
        cost["tensor"] = sum(tensor) / 2
    return cost | {"launches": kernels}


def differing(measured: dict[str, float], model: dict[str, float]) -> list[str]:
    """Fields off by more than a tenth of what was declared; what is declared as 0 is not modelled.
    """
    return [field for field, value in measured.items()
            if model.get(field) and abs(value / model[field] - 1) > APART]


def of_kernel(kernel: Kernel) -> dict[str, Any]:
    """A kernel's time, what share of its time or of the most each of SHARES was busy, and what limits it."""
    shares = {what: kernel.metrics[metric + PERCENT] / 100 for what, metric in SHARES.items()
              if metric + PERCENT in kernel.metrics}
    if WARPS in kernel.metrics:
        shares["warps"] = kernel.metrics[WARPS] / 100
    return {"name": short(kernel.name), "time_s": kernel.metrics.get(TIME), "shares": shares,
            "limits": limits.of(kernel.metrics)}


def short(name: str) -> str:
    """A kernel's name without its type, its namespace, its template's and its own arguments."""
    return re.split(r"[<(]", name.replace("<unnamed>::", "").removeprefix("void "))[0]


def kernel_text(kernel: dict[str, Any]) -> str:
    """A kernel's time and its shares, the largest first, the warps and what limits them last."""
    warps, busy = kernel["shares"].get("warps"), kernel["shares"]
    busy = sorted((what for what in busy if what != "warps"), key=busy.get, reverse=True)
    says = [f"{what} {100 * kernel['shares'][what]:.0f} %" for what in busy]
    says += [] if warps is None else [f"warps {100 * warps:.0f} %"]
    says += limits.lines(kernel) if kernel["limits"] else []
    time = kernel["time_s"]
    return f"{kernel['name']}{'' if time is None else f' {1e6 * time:.1f} us'}: {', '.join(says)}"


def text_of(record: dict[str, Any]) -> str:
    """A line per field that differs, and one that says how many there are."""
    measured, model = record["measured"], record["model"]
    lines = [f"{field}: measured {measured[field]:.2g}, declared {model[field]:.2g}, "
             f"{100 * (measured[field] / model[field] - 1):+.0f} %" for field in record["differs"]]
    declared = [field for field in measured if model.get(field)]
    silent = [field for field, value in measured.items() if value and not model.get(field)]
    lines += [kernel_text(kernel) for kernel in record["kernels"] if kernel["shares"]]
    lines.append(f"{len(record['differs'])} of {len(declared)} declared fields are off by more "
                 f"than {100 * APART:.0f} %")
    if silent:
        lines.append(f"counted, and not declared: {', '.join(silent)}")
    return "\n".join(lines)


def record(kernels: list[Kernel], line: dict[str, Any], run: str) -> dict[str, Any]:
    """The counter line of the executions that line, the program's own, tells of."""
    executions, model = line["launches"], line["cost"]
    counters = per_execution(kernels, executions)
    measured = cost_of(counters, len(kernels) / executions)
    return {"type": "counter", "run": run, "case": line["case"], "variant": line["variant"],
            "tool": "ncu", "launches": executions, "counters": counters, "measured": measured,
            "model": model, "differs": differing(measured, model),
            "kernels": [of_kernel(kernel) for kernel in kernels[:len(kernels) // executions]]}
