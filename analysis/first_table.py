# SPDX-License-Identifier: Apache-2.0
"""The README's first table: eight problems, and of each the fastest exact engine, nonuniform FFT and peer.

A column has the fastest passing record of a problem, whatever its tolerance up to MOST: exact engines
take none, and a library is timed at the tolerance that its error asks for. What was timed steadily goes
before a burst, which is marked; two that were timed in different ways stand in one row by these marks alone.
"""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterable

from . import rank, rivals, table
from .crossover import is_nufft
from .records.record import STEADY, Record

# What it is, and the case without a tolerance.
PROBLEMS = (
    ("any samples, field map", "forward 2d n=256x256 m=65536 t=30ms field=random:200Hz"),
    ("the same, normal operator", "normal 2d n=256x256 m=65536 t=30ms field=random:200Hz"),
    ("radial lines, field map", "forward 2d n=256x256 m=205824 traj=golden:402 t=2ms field=random:200Hz"),
    ("radial lines", "forward 2d n=256x256 m=65536 traj=radial:256"),
    ("32 coils", "adjoint 2d n=256x256 m=65536 traj=radial:256 coils=32"),
    ("32 coils, field map", "forward 2d n=256x256 m=65536 traj=radial:256 t=2ms field=smooth:200Hz coils=32"),
    ("3D", "forward 3d n=128x128x128 m=2097152 traj=kooshball:16384"),
    ("prime length", "uniform:scfo1009*256"),
)
MOST = 2e-4  # the largest tolerance of configs/published.ndft
COLUMNS: dict[str, Callable[[Record], bool]] = {
    "best exact engine": lambda r: not (r.peer or is_nufft(r)),
    "best nonuniform FFT": lambda r: not r.peer and is_nufft(r),
    "best peer": lambda r: bool(r.peer),
}
HEAD = ["problem", *(f"{name}, ms (error)" for name in COLUMNS)]


def block(ranked: Iterable[Record], link: Callable[[str], str]) -> str | None:
    """How it was timed, the table and its records; None without a record of any problem. link: from a
    record's source."""
    of = rank.grouped((r for r in ranked if r.case.tol <= MOST and not r.explains), lambda r: r.case.without("tol"))
    rows = [(f"{name}: `{case}`", [_best(of.get(case, []), fits) for fits in COLUMNS.values()])
            for name, case in PROBLEMS]
    shown = [r for _, cells in rows for r in cells if r]
    if not shown:
        return None
    cells = [[name, *map(_cell, found)] for name, found in rows if any(found)]
    links = ",\n".join(sorted({link(r.source) for r in shown}))
    return (f"{_how(shown)}\n\n{table.markdown_table(HEAD, cells, right=range(1, len(HEAD)))}\n\n"
            f"Records:\n{links}.\n")


def _best(records: list[Record], fits: Callable[[Record], bool]) -> Record | None:
    found = [r for r in records if fits(r)]
    return min(found, key=lambda r: (r.regime != STEADY, r.median_s), default=None)


def _cell(record: Record | None) -> str:
    if record is None:
        return "-"
    name = rivals.library(record) if record.peer else f"`{record.family}`"
    mark = "" if record.regime == STEADY else r"\*"
    return f"{name} {table.figures(1e3 * record.median_s)}{mark} ({table.error(record.rel_l2)})"


def _how(shown: list[Record]) -> str:
    """The device, the clock and who the peers are, once for all rows."""
    steady, bursts = ([r for r in shown if (r.regime == STEADY) == is_steady] for is_steady in (True, False))
    clocks = [r.sm_clock_mhz for r in steady if r.sm_clock_mhz]
    at = f", at {min(clocks):.0f} to {max(clocks):.0f} MHz" if clocks else ""
    versions = sorted({f"{rivals.library(r)} {r.peer['version']}" for r in shown if r.peer})
    said = [f"One {shown[0].device.name}, medians of one execution without its plan."]
    if steady:
        said.append(f"Steady: clocks and power had come to rest, mode {_modes(steady)}{at}.")
    if bursts:
        said.append(rf"\* of a burst of some milliseconds, mode {_modes(bursts)}, which the device need not sustain.")
    said.append("Errors are relative l2 against double-precision sums; tolerances "
                f"{_range(r.case.tol for r in shown if not r.case.is_uniform)}.")
    if versions:
        said.append(f"Peers: {', '.join(versions)}.")
    return textwrap.fill(" ".join(said), 118)


def _modes(records: list[Record]) -> str:
    return " or ".join(sorted({r.mode for r in records}))


def _range(values: Iterable[float]) -> str:
    ends = sorted(set(values)) or [MOST]
    return f"{ends[0]:g}" if len(ends) == 1 else f"{ends[0]:g} to {ends[-1]:g}"
