# SPDX-License-Identifier: Apache-2.0
"""What the kernels that spread are busy with: shares of their time, as ./ndft profile counts them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from analysis import rank, table
from analysis.records.record import Record

from .lineup import COLUMNS, Lineup, lineups
from .wins import label

BOUND = .6  # a share of its time above which a kernel is bound by something
SHARES = {"shared memory": "l1", "issue slots": "issue_slots", "integer": "integer", "L2": "l2", "warps": "warps"}
HEAD = ["case", "spread by", "kernel", *SHARES, "registers", "shared memory of a block", "top stall", "bound by"]


def counters(records: list[Record], _: Path) -> str:
    """A row for each contestant of which there are counters."""
    parts = []
    for device, some in rank.grouped(lineups(records), lambda l: l.device).items():
        rows = [_row(line, name, kernel) for line in some for name in COLUMNS
                if (kernel := spreading(line, name))]
        if rows:
            parts += [f"**{device}**", table.markdown_table(HEAD, rows, range(2, len(HEAD) - 2))]
    return "\n\n".join(parts)


def spreading(line: Lineup, name: str) -> dict[str, Any] | None:
    """The kernel of a contestant that spreads, the longest of that name."""
    counted = getattr(line.of.get(name), "counter", None)
    kernels = [k for k in (counted.kernels if counted else []) if "spread" in k["name"]]
    return max(kernels, key=lambda k: k.get("time_s") or 0, default=None)


def bound(kernel: dict[str, Any]) -> str:
    """What is busy most of the kernel's time; else it waits, and that is the code's to mend."""
    shares = kernel.get("shares") or {}
    busy = {what: shares[key] for what, key in SHARES.items() if what != "warps" and key in shares}
    if not busy:
        return "-"
    top = max(busy, key=busy.get)
    return top if busy[top] >= BOUND else "latency"


def _row(line: Lineup, name: str, kernel: dict[str, Any]) -> list[str]:
    shares, limits = kernel.get("shares") or {}, kernel.get("limits") or {}
    said = [f"{100 * shares[key]:.0f} %" if key in shares else "-" for key in SHARES.values()]
    memory = limits.get("shared_bytes")
    return [label(line), name, table.seconds(kernel.get("time_s")), *said,
            f"{limits['registers']:.0f}" if "registers" in limits else "-",
            f"{memory / 1024:.1f} KiB" if memory else "-", str(limits.get("stall", "-")), bound(kernel)]
