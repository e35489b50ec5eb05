# SPDX-License-Identifier: Apache-2.0
"""What limits a kernel's tile, of ncu's sections LaunchStats, Occupancy and WarpStateStats.

    registers     of a thread
    local_bytes   that the launch read from and wrote to local memory: spilled registers, and arrays
                  that a register cannot hold
    shared_bytes  of a block, static and dynamic
    occupancy     warps that a multiprocessor can hold of such blocks, of the most (theoretical)
    least         what allows the fewest blocks: registers, shared_mem, warps or blocks
    stall         why warps wait most often; stall_share of all that warps do, issuing included

A limit of which a metric is missing is left out.
"""

from __future__ import annotations

import re
from typing import Any, Callable

# Not in the full set, so asked for by name.
LOCAL = tuple(f"l1tex__t_bytes_pipe_lsu_mem_local_op_{op}.sum" for op in ("ld", "st"))
REGISTERS = "launch__registers_per_thread"
SHARED = tuple(f"launch__shared_mem_per_block_{kind}" for kind in ("static", "dynamic"))
OCCUPANCY = "sm__maximum_warps_per_active_cycle_pct"
LEAST = "launch__occupancy_limit_"
STALL = re.compile(r"smsp__average_warps_issue_stalled_(\w+)_per_issue_active[.]ratio")
ISSUING, TWICE = "selected", "_not_issued"  # no stall; the same stalls where nothing else issued

Limits = dict[str, Any]


def of(metrics: dict[str, float]) -> Limits:
    """The limits of one launch."""
    found: Limits = {name: sum(metrics[m] for m in needed) * scale for name, needed, scale in (
        ("registers", (REGISTERS,), 1), ("local_bytes", LOCAL, 1), ("shared_bytes", SHARED, 1),
        ("occupancy", (OCCUPANCY,), .01)) if all(m in metrics for m in needed)}
    blocks = {what: metrics[LEAST + what] for what in ("registers", "shared_mem", "warps", "blocks")
              if metrics.get(LEAST + what)}
    if blocks:
        found["least"] = min(blocks, key=blocks.get)
    return found | _stall(metrics)


def _stall(metrics: dict[str, float]) -> Limits:
    shares = {match[1]: value for name, value in metrics.items()
              if (match := STALL.fullmatch(name)) and not match[1].endswith(TWICE)}
    waits = {why: value for why, value in shares.items() if why != ISSUING}
    if not sum(waits.values()):
        return {}
    top = max(waits, key=waits.get)
    return {"stall": top, "stall_share": waits[top] / sum(shares.values())}


def longest(kernels: list[dict[str, Any]]) -> dict[str, Any] | None:
    """The kernel that takes longest of those whose limits were counted."""
    return max((k for k in kernels if k.get("limits")), key=lambda k: k.get("time_s") or 0,
               default=None)


def lines(kernel: dict[str, Any]) -> list[str]:
    """Three short lines: what a block takes; how full that makes a multiprocessor; what warps wait for."""
    limits, warps = kernel["limits"], (kernel.get("shares") or {}).get("warps")
    takes = " ".join(say(limits[name]) for name, say in TAKES.items() if limits.get(name))
    full = "/".join(f"{100 * share:.0f}" for share in (warps, limits.get("occupancy")) if share is not None)
    return list(filter(None, (takes, full and f"{full} %", limits.get("stall"))))


def row(kernel: dict[str, Any]) -> list[str]:
    """The same in cells under HEAD, '-' where it was not counted."""
    limits, warps = kernel["limits"], (kernel.get("shares") or {}).get("warps")

    def said(value: Any, say: Callable[[Any], str] = str) -> str:
        return "-" if value is None else say(value)
    stalled = [said(limits.get("stall")), said(limits.get("stall_share"), _percent).strip("-")]
    return [f"`{kernel.get('name')}`", said(limits.get("registers"), "{:.0f}".format),
            said(limits.get("local_bytes"), _bytes), said(limits.get("shared_bytes"), _bytes),
            f"{said(warps, _percent)} of {said(limits.get('occupancy'), _percent)}", said(limits.get("least")),
            " ".join(filter(None, stalled))]


def _percent(share: float) -> str:
    return f"{100 * share:.0f} %"


def _bytes(size: float) -> str:
    return f"{size / 1024:.0f} K" if size >= 1024 else f"{size:.0f} B"


TAKES = {"registers": "{:.0f} reg".format, "shared_bytes": _bytes, "local_bytes": lambda _: "spills"}
HEAD = ["kernel", "registers", "local memory", "shared memory", "occupancy", "least", "top stall"]
