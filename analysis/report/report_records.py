# SPDX-License-Identifier: Apache-2.0
"""Every record with the command that measures it again, and where all of it comes from."""

from __future__ import annotations

import math

from .. import rank, table
from ..plots import sheet
from ..records.record import Record, Records, Run
from . import html
from .folder import Folder

HEAD = ["variant", "verdict", "median", "interval", "coil_pairs/s", "rel_l2", "claim", "mode",
        "of bound", "energy", "host call", "working set", "run", "again"]


def section(records: list[Record], folder: Folder) -> list[str]:
    """One folded table a case, so that a reader finds a number without a wall of rows."""
    ordered = sorted(records, key=lambda r: (
        r.device.slug, r.case.place, r.median_s or math.inf, r.id, r.mode or ""))
    parts = []
    for (slug, case), group in rank.grouped(ordered, lambda r: (r.device.slug, r.case)).items():
        start = html.code(f"./ndft bench '{case.label}'")
        parts.append(html.more(f"{case.label}, {slug}: {len(group)} records",
                               html.note(f"Again: {start} and the last words of a row"),
                               html.table(HEAD, map(_row, group), (2, 3, 4, 5, 6, 8, 9, 10, 11))))
    numbers = folder.numbers("records", map(_numbers, ordered))
    return [html.note(f"{len(records)} records, a table a case. Numbers: {numbers}"),
            *parts]


def _row(r: Record) -> list[str]:
    width = "-" if r.half_width is None else f"±{100 * r.half_width:.2g} %"
    share = f"{100 * r.bound_fraction:.0f} %" if r.bound_fraction else "-"
    return [html.variant(r.id), html.mark(r.verdict), table.seconds(r.median_s), width,
            table.rate(r.coil_pairs_per_s), table.error(r.rel_l2), table.error(r.claim),
            html.text(r.mode_shown), share, table.energy(r.energy_j), table.seconds(r.host_call_s),
            table.working_set(r.working_set_bytes, r.device.facts.get("l2_bytes")), html.code(r.run.id),
            html.Cell(html.code(r.choice), css="command")]


def _numbers(r: Record) -> sheet.Row:
    front = {"verdict": r.verdict, "reason": r.reason}
    timed = sheet.row(r, **front) if r.ranks else front | {
        "case": r.case.text, "variant": r.id, "mode": r.mode, "device": r.device.slug,
        "rel_l2": r.rel_l2, "claim": r.claim, "run": r.run.id, "again": r.repro}
    return timed | {"bound": r.bound, "bound_fraction": r.bound_fraction, "energy_j": r.energy_j,
                    "host_call_s": r.host_call_s, "working_set_bytes": r.working_set_bytes,
                    "l2_bytes": r.device.facts.get("l2_bytes"),
                    "build_id": r.build_id, "key": r.key}


def footer(records: Records) -> str:
    used = {r.run.id for r in records.every}
    runs = sorted((run for run in records.runs.values() if run.id in used),
                  key=lambda run: (run.started, run.id))
    notes = [html.text(note) for note in records.notes]
    return f"<footer>Made from {html.items([*map(_run, runs), *notes])}</footer>"


def _run(run: Run) -> str:
    devices = "; ".join(", ".join(filter(None, (d.name, d.driver))) for d in run.devices.values())
    dirty = " with local changes" if run.dirty else ""
    return (f"run {html.code(run.id)}, {html.text(run.suite or 'no suite')}, started "
            f"{html.text(run.started)}, {html.text(devices)}, commit "
            f"{html.code(run.commit[:12] or 'unknown')}{dirty}")
