# SPDX-License-Identifier: Apache-2.0
"""What the scheme's knobs do, one at a time: points of a batch, points of a block, the tile's edge, padding."""

from __future__ import annotations

from pathlib import Path

from analysis import rank, table
from analysis.records.record import Record

from .lineup import SCHEME, has, in_mode, place

# What the others are while one varies.
REST = {"cuda": {"tile": 0, "np": 32, "most": 1024, "padding": "least"}, "cpu": {"tile": 0, "np": 64}}
FEWEST = 3  # values that make a row worth reading

Sweep = dict[object, Record]  # by the knob's value


def sweeps(records: list[Record], knob: str, fewest: int = FEWEST) -> dict[tuple, Sweep]:
    """By (device, case, barrier): the records in which this knob alone varies, in the order of its values. Of more
    barriers than one on a device, each is a sweep of its own."""
    mine = [r for r in in_mode(records) if r.family == SCHEME and r.case.op == "adjoint" and knob in r.knobs
            and has(r, {k: v for k, v in REST.get(r.backend, {}).items() if k != knob})]
    groups = rank.grouped(mine, lambda r: (r.device.slug, r.case, r.knobs.get("barrier", "")))
    found = {key: {r.knobs[knob]: r for r in sorted(some, key=lambda r: r.knobs[knob])}
             for key, some in groups.items()}
    kept = {key: sweep for key, sweep in found.items() if len(sweep) >= fewest}
    return dict(sorted(kept.items(), key=lambda item: (item[0][0], place(item[0][1]), item[0][2])))


def best(sweep: Sweep) -> object:
    return min(sweep, key=lambda value: sweep[value].median_s)


def slowdown(sweep: Sweep, value: object, beside: object) -> float | None:
    """How many times as long one value takes as another; None where one is missing."""
    if value not in sweep or beside not in sweep:
        return None
    return sweep[value].median_s / sweep[beside].median_s


def _table(records: list[Record], knob: str) -> str:
    """A value a row, a case and barrier a column, the least of a column in bold; of tiles each case has its own."""
    parts = []
    for device, columns in rank.grouped(sweeps(records, knob).items(), lambda item: item[0][0]).items():
        values = sorted({value for _, sweep in columns for value in sweep})
        head = [f"`{knob}`", *(_heading(*key[1:]) for key, _ in columns)]
        rows = [[f"{value or 'chosen'}", *(_cell(sweep, value) for _, sweep in columns)] for value in values]
        parts += [f"**{device}**", table.markdown_table(head, rows, range(len(head)))]
    return "\n\n".join(parts)


def _heading(case, barrier: str) -> str:
    return f"{case.dim}D {case.traj}" + (f", `barrier={barrier}`" if barrier else "")


def _cell(sweep: Sweep, value: object) -> str:
    if value not in sweep:
        return "-"
    said = table.seconds(sweep[value].median_s)
    return f"**{said}**" if value == best(sweep) else said


def np(records: list[Record], _: Path) -> str:
    return _table(records, "np")


def most(records: list[Record], _: Path) -> str:
    return _table(records, "most")


def tile(records: list[Record], _: Path) -> str:
    return _table(records, "tile")
