# SPDX-License-Identifier: Apache-2.0
"""Two sets of records side by side: what is slower, less accurate or hungrier beyond a gate."""

from __future__ import annotations

import json
import re
from collections import Counter
from dataclasses import dataclass

import numpy as np

from . import table
from .change import VERDICTS, Change, begin, finish
from .pairing import differences, pairs
from .records.errors import RecordsError
from .records.record import Records

SCHEMA = "ndft-compare/1"


@dataclass
class Comparison:
    """Every change, the most severe first."""

    changes: list[Change]
    warnings: list[str]
    gate: float
    cycles: bool

    @property
    def regressed(self) -> list[Change]:
        return [change for change in self.changes if change.regressions]


def gate_of(text: str) -> float:
    """'2%' -> 0.02; ValueError naming the text and a form that is understood."""
    found = re.fullmatch(r"(\d+\.?\d*|\.\d+)\s*%", text)
    if not found or not 0 < float(found[1]) < 1000:
        raise ValueError(f"'{text}' is no gate; write a percentage above zero, such as 2% or 0.5%")
    return float(found[1]) / 100


def compare(a: Records, b: Records, gate: float, cycles: bool = False) -> Comparison:
    """Compares whatever both have; gate is the share of a change that does not matter."""
    for name, side in (("A", a), ("B", b)):
        if cycles and not any(any(r.raw.get("clocks_mhz") or ()) for r in side.every):
            raise RecordsError(f"no record of {name} has clocks_mhz; compare without --cycles")
    paired = pairs(a, b)
    if not any(pair.a and pair.b for pair in paired):
        raise RecordsError("A and B have no measurement in common: none of the same case, variant, "
                           f"mode and device; A has {_first(a)}, B has {_first(b)}")
    changes = [begin(pair, gate, cycles) for pair in paired]
    finish(changes, gate)
    warnings = differences(a, b) + doubts(changes, gate, cycles)
    changes.sort(key=_severity)
    return Comparison(changes, warnings, gate, cycles)


def _first(records: Records) -> str:
    record = records.every[0]
    return f"for one {record.id} on {record.device.slug}, '{record.case.label}'"


def doubts(changes: list[Change], gate: float, cycles: bool) -> list[str]:
    """Sentences on what may be the machine's doing and not the program's."""
    found = []
    ratios = [c.ratio.value for c in changes if c.ratio]
    together = float(np.median(ratios)) if len(ratios) >= 5 else 1.0
    if not 1 / (1 + gate) <= together <= 1 + gate:
        found.append(f"the median of all {len(ratios)} ratios is {together:.3f}: is it the machine?"
                     + ("" if cycles else " --cycles compares without its clock"))
    moved = [c for c in changes if c.verdict in ("slower", "faster")]
    sides = [t for c in moved for t in c.sides]
    if moved and all(len(t.medians) == 1 for t in sides):
        found.append("one run a side in one process shows nothing of what differs from run to run; "
                     "three processes do (--processes 3), or three runs of each, as folders")
    elif moved and all(t.runs == 1 for t in sides):
        found.append("the processes of one run share its hour: where others use the machine, too, run A "
                     "and B by turns, three times each, as folders")
    return found


def _severity(change: Change) -> tuple:
    record = change.pair.record
    return (not change.regressions, VERDICTS.index(change.verdict), -change.ratio.size if change.ratio else 0.0, record.case.text,
            record.id, change.pair.mode or "")


def text_of(comparison: Comparison, whole: bool = False) -> str:
    """What a person reads: the table without what stayed the same, counts, what to run again."""
    show = (lambda v: f"{v:.4g}" if v else "-") if comparison.cycles else table.seconds
    rows = []
    for c in comparison.changes:
        if c.verdict == "same" and not c.regressions and not whole:
            continue
        r = c.ratio
        rows.append([
            c.verdict, f"{r.value:.4f}" if r else "-", f"{r.low:.4f} to {r.high:.4f}" if r else "-",
            *([show(t.middle) for t in c.sides] or "--"), c.pair.record.id, c.pair.record.mode_shown if c.pair.mode else "-",
            c.pair.record.device.slug, c.pair.record.case.label,
            "; ".join(filter(None, (*c.regressions, c.note)))])
    head = ["time", "B/A", "95 % interval", "A", "B", "variant", "mode", "device", "case", "why"]
    parts = [table.text_table(head, rows)] if rows else []
    counts = Counter(c.verdict for c in comparison.changes)
    parts.append(", ".join(f"{counts[v]} {v}" for v in VERDICTS if counts[v])
                 + f"; {len(comparison.regressed)} regressions beyond {100 * comparison.gate:g} %")
    if comparison.regressed:
        again = [f"  {c.pair.record.repro}" for c in comparison.regressed]
        parts.append("\n".join(["Once more:", *again]))
    return "\n\n".join(parts)


def json_of(comparison: Comparison) -> str:
    """The same for a program: every comparison, numbers unrounded, null where there is none."""
    unit = "cycles" if comparison.cycles else "s"
    entries = []
    for c in comparison.changes:
        r, record = c.ratio, c.pair.record
        entries.append({
            "case": record.case.text, "variant": record.id, "mode": c.pair.mode,
            "device": record.device.slug, "verdict": c.verdict, "ratio": r and r.value,
            "low": r and r.low, "high": r and r.high, "p": r and r.p, "p_adjusted": c.adjusted,
            f"medians_{unit}": [t.middle for t in c.sides] or [None, None],
            "runs": [len(t.medians) for t in c.sides] or [0, 0],
            "regressions": c.regressions, "note": c.note or None, "repro": record.repro})
    counts = Counter(c.verdict for c in comparison.changes)
    return json.dumps({"schema": SCHEMA, "gate": comparison.gate, "warnings": comparison.warnings,
                       "counts": {v: counts[v] for v in VERDICTS},
                       "regressions": len(comparison.regressed), "comparisons": entries}, indent=1)
