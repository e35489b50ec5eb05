# SPDX-License-Identifier: Apache-2.0
"""The production pick per problem class, as a table for people and select.json for programs."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path
from typing import Any

from . import rank, table
from .load import Records
from .rank import Decision, Entry

SCHEMA = "ndft-select/1"


def verdict_of_margin(decision: Decision) -> str:
    """The margin over the runner-up, or 'tie'."""
    if decision.tied:
        return "tie"
    return "-" if decision.margin is None else table.percent(decision.margin)


def over_naive(decision: Decision) -> str:
    ratio = rank.speedup(decision.pick, decision.naive)
    return "-" if ratio is None else f"{table.figures(ratio)}x {decision.naive.first.backend}"


def text_of(decisions: list[Decision]) -> str:
    """The table of picks, one row a class."""
    head = ["class", "pick", "coil_pairs/s", "rel_l2", "runner-up", "margin", "over naive"]
    rows = []
    for d in decisions:
        runner = d.runner_up.id if d.runner_up else "-"
        rows.append([d.label, d.pick.id, table.rate(d.pick.rate), table.error(d.pick.rel_l2),
                     runner, verdict_of_margin(d), over_naive(d)])
    if len({(d.problem.machine, d.problem.mode) for d in decisions}) > 1:
        head.insert(0, "on")
        for d, row in zip(decisions, rows):
            row.insert(0, f"{d.problem.machine} {d.problem.mode}")
    return table.text_table(head, rows)


def _entry(entry: Entry) -> dict[str, Any]:
    low, high = entry.rate_interval
    devices = {r.device.slug for r in entry.records.values()}
    return {
        "variant": entry.id, "device": sorted(devices)[0], "coil_pairs_per_s": entry.rate,
        "interval": [low, high], "rel_l2": entry.rel_l2, "cases_passed": len(entry.records),
        "records": sorted({r.key for r in entry.records.values() if r.key}),
        "build_ids": sorted({r.build_id for r in entry.records.values() if r.build_id}),
    }


def json_of(decisions: list[Decision]) -> dict[str, Any]:
    """The document of select.json; records are the keys of the deciding records."""
    return {"schema": SCHEMA, "picks": [{
        "class": dataclasses.asdict(d.problem),
        "cases": [case.text for case in d.cases],
        "pick": _entry(d.pick),
        "runner_up": _entry(d.runner_up) if d.runner_up else None,
        "margin": d.margin,
        "tied": d.tied,
        "tie_set": [e.id for e in d.ties],
    } for d in decisions]}


def run(records: Records, out: Path) -> str:
    """Writes out (a file) and returns the table; nothing that passed makes an empty list."""
    decisions = rank.decide(records.cases)
    out.parent.mkdir(parents=True, exist_ok=True)
    out.write_text(json.dumps(json_of(decisions), indent=1) + "\n")
    return text_of(decisions) if decisions else ""
