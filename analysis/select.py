# SPDX-License-Identifier: Apache-2.0
"""The production pick per problem class, as a table for people and select.json for programs."""

from __future__ import annotations

import dataclasses
import json
import sys
from pathlib import Path
from typing import Any

from . import prediction, program, rank, suites, table
from .records import current, entries, lines
from .records.load import Record, Records, RecordsError
from .rank import Decision, Entry, Registry, Undecided

SCHEMA = "ndft-select/4"
START = '{\n "schema": "ndft-select/'  # of every such file


def verdict_of_margin(decision: Decision) -> str:
    """The margin over the runner-up, or 'tie'."""
    if decision.tied:
        return "tie"
    return "-" if decision.margin is None else table.percent(decision.margin)


def over_naive(decision: Decision) -> str:
    ratio = rank.speedup(decision.pick, decision.naive)
    return "-" if ratio is None else f"{table.figures(ratio)}x {decision.naive.first.backend}"


def text_of(decisions: list[Decision], undecided: list[Undecided] = ()) -> str:
    """The table of picks, one row a class; then the classes without a winner."""
    head = ["class", "pick", "coil_pairs/s", "rel_l2", "runner-up", "margin", "over naive"]
    rows = []
    for d in decisions:
        runner = d.runner_up.id if d.runner_up else "-"
        rows.append([d.label, d.pick.id, table.rate(d.pick.rate), table.error(d.pick.rel_l2),
                     runner, verdict_of_margin(d), over_naive(d)])
    for u in undecided:
        best = u.provisional
        rows.append([u.label, f"{best.id}, provisionally", table.rate(best.coil_pairs_per_s),
                     table.error(best.rel_l2), "-", rank.NO_WINNER, "-"])
    every = [*decisions, *undecided]
    if len({(d.problem.device, d.problem.mode) for d in every}) > 1:
        head.insert(0, "on")
        for d, row in zip(every, rows):
            row.insert(0, f"{d.problem.device} {d.problem.mode}")
    return table.text_table(head, rows)


def _keys(entry: Entry) -> list[str]:
    return sorted({r.key for r in entry.records.values() if r.key})


def _entry(entry: Entry) -> dict[str, Any]:
    low, high = entry.rate_interval
    return {
        "variant": entry.id, "device": entry.first.device.slug, "coil_pairs_per_s": entry.rate,
        "interval": [low, high], "rel_l2": entry.rel_l2, "cases_passed": len(entry.records),
        "records": _keys(entry),
        "build_ids": sorted({r.build_id for r in entry.records.values() if r.build_id}),
    }


def _in_order(d: Decision, entry: Entry, rates: prediction.Rates) -> dict[str, Any]:
    return {"variant": entry.id, "record": next(iter(_keys(entry)), ""), "error": entry.error,
            "coil_pairs_per_s": entry.rate,
            "measured": [_measured(d, r, rates) for r in entry.records.values()
                         if prediction.parts(rates, r)]}


def _measured(d: Decision, record: Record, rates: prediction.Rates) -> dict[str, Any]:
    return {"case": d.cases.index(record.case), "median_s": record.median_s, "cost": record.cost,
            "parts_s": prediction.parts(rates, record)}


def _checked(entry: Entry) -> bool:
    """Whether its error is known; without it nobody can tell for which tolerances it will do."""
    return entry.error < float("inf")


def decided(records: list[Record], known: Registry) -> list[Decision]:
    """The decisions that a program can follow."""
    return [d for d in rank.decide(records, known) if any(map(_checked, d.order))]


def _pick(d: Decision, rates: prediction.Rates) -> dict[str, Any]:
    return {
        "class": dataclasses.asdict(d.problem),
        "cases": [case.text for case in d.cases],
        "pick": _entry(d.pick),
        "runner_up": _entry(d.runner_up) if d.runner_up else None,
        "margin": d.margin,
        "margin_interval": d.margin_interval,
        "tied": d.tied,
        "tie_set": [e.id for e in d.ties],
        "order": [_in_order(d, e, rates) for e in d.order if _checked(e)],
    }


def json_of(decisions: list[Decision], builds: dict[str, str]) -> dict[str, Any]:
    """The document of select.json; records are the keys of the deciding records."""
    devices = {e.first.device for d in decisions for e in d.entries}
    names = {e.first.variant_name for d in decisions for e in d.entries}
    rates = prediction.rates_of(r for d in decisions for e in d.entries for r in e.records.values())
    return {
        "schema": SCHEMA,
        "devices": [{"name": d.name, "slug": d.slug, "driver": d.driver}
                    for d in sorted(devices, key=lambda d: d.slug)],
        "registry": {name: builds[name] for name in sorted(names & builds.keys())},
        "picks": [_pick(d, rates) for d in decisions],
    }


def usable(records: Records) -> list[Record]:
    """Of what counts (current.py), all but what only judges decisions."""
    kept = [r for r in records.every if r.run.suite not in suites.HELD_OUT]
    if dropped := len(records.every) - len(kept):
        records.notes.append(f"{dropped} records left out: of the suites "
                             f"{', '.join(suites.HELD_OUT)}, which judge decisions")
    return kept


def registry(records: Records) -> Registry:
    """Of the built program; a tie then knows what is deterministic and what is a default."""
    known = Registry.of(program.variants()) if program.is_built() else Registry()
    measured = {r.variant_name for r in records.every if r.ranks}
    if unknown := sorted(measured - known.deterministic.keys()):
        records.notes.append(f"not built here: {', '.join(unknown)}; ties are broken without "
                             "knowing whether they are deterministic and what their defaults are")
    return known


def run(records: Records, out: Path) -> tuple[str, bool]:
    """The table, and whether there was a pick to be written to out, a file; RecordsError when
    nothing passed. A class without a winner is in the table alone."""
    builds = current.builds_of(records.every)
    deciding = usable(records)
    decisions, undecided = decided(deciding, registry(records)), rank.undecided(deciding)
    for note in records.notes:
        print(f"ndft: {entries.plain(note)}", file=sys.stderr)
    if not decisions and not undecided:
        raise RecordsError("nothing passed with a known error, so nothing can be picked")
    if decisions:
        lines.write(out, [json.dumps(json_of(decisions, builds), indent=1) + "\n"], START)
    return text_of(decisions, undecided), bool(decisions)
