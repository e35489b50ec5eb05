# SPDX-License-Identifier: Apache-2.0
"""Winners measured again: does a select.json still hold on this machine?

Every pick meets its tie set and its runner-up once more on its deciding cases. It has lost where
it did not pass, or where a rival was faster and timing can tell (rank.alike). A tie is no loss:
which of two equals is named does not matter. Times in doubt decide nothing, be they the pick's
or those of a rival that is faster in one of them.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from . import program, rank, suites, table
from .records import cases, load
from .records.load import Record, RecordsError
from .select import SCHEMA


@dataclass
class Bout:
    """One pick against its rivals; best is the fastest of all."""

    pick: str
    case: str
    state: str  # holds, lost, unmeasured, rank.NO_WINNER
    best: str  # in doubt: whose times
    slower: float | None  # than best: 0.03 is 3 %


def read(path: Path) -> dict[str, Any]:
    """A select.json; RecordsError when it is none."""
    try:
        document = json.loads(path.read_text())
        schema = document.get("schema")
    except (OSError, ValueError, AttributeError) as error:
        raise RecordsError(f"{path}: {error}") from None
    if schema != SCHEMA:
        raise RecordsError(f"{path}: schema is {schema}, but only {SCHEMA} can be read; "
                           "./ndft select makes it anew from its records")
    try:
        _visit(document)
    except KeyError as missing:
        raise RecordsError(f"{path}: it lacks {missing}") from None
    except (ValueError, TypeError, AttributeError) as error:
        raise RecordsError(f"{path}: it is damaged: {error}") from None
    return document


def _visit(document: dict[str, Any]) -> None:
    """Reads, as judging does later, everything that it needs."""
    document["registry"].items()
    suite_lines(document["picks"])
    for pick in document["picks"]:
        "".join((pick["class"]["device"], pick["class"]["mode"]))
        for text in pick["cases"]:
            cases.parse(text)


def here(document: dict[str, Any]) -> list[dict[str, Any]]:
    """The picks of devices of this machine, in the mode that is measured again."""
    slugs = set(program.devices().values())
    return [p for p in document["picks"]
            if p["class"]["device"] in slugs and p["class"]["mode"] == "batch"]


def rivals(pick: dict[str, Any]) -> list[str]:
    runner = pick["runner_up"]
    own = [pick["pick"]["variant"], *pick["tie_set"]]
    return list(dict.fromkeys(own + ([runner["variant"]] if runner else [])))


def suite_lines(picks: list[dict[str, Any]]) -> list[str]:
    return [suites.line(id_, case) for pick in picks for case in pick["cases"]
            for id_ in rivals(pick)]


def judge(picks: list[dict[str, Any]], records: list[Record]) -> list[Bout]:
    measured: dict[tuple, Record] = {(r.device.slug, r.case, r.id): r for r in records}
    return [_bout(pick, text, measured) for pick in picks for text in pick["cases"]]


def _bout(pick: dict[str, Any], text: str, measured: dict[tuple, Record]) -> Bout:
    slug, case, id_ = pick["class"]["device"], cases.parse(text), pick["pick"]["variant"]
    found = {r: measured.get((slug, case, r)) for r in rivals(pick)}
    if found[id_] is None:
        return Bout(id_, text, "unmeasured", "-", None)
    own = found[id_]
    if own.has_no_one_time:
        return Bout(id_, text, rank.NO_WINNER, id_, None)
    if not own.ranks:
        return Bout(id_, text, "lost", f"it is {own.verdict}", None)
    if rival := next((f for f in found.values() if f and _may_be_faster(f, own)), None):
        return Bout(id_, text, rank.NO_WINNER, rival.id, None)
    best = min((f for f in found.values() if f and f.ranks), key=lambda f: f.median_s)
    alike = rank.alike((own.median_s, own.interval), (best.median_s, best.interval))
    return Bout(id_, text, "holds" if alike else "lost", best.id, own.median_s / best.median_s - 1)


def _may_be_faster(rival: Record, own: Record) -> bool:
    """In one of its modes, beyond what timing tells apart."""
    modes = rival.mode_medians_s or [rival.interval[0]]
    return rival.has_no_one_time and min(modes) < own.interval[0]


def text_of(bouts: list[Bout]) -> str:
    head = ["state", "case", "pick", "fastest now", "slower"]
    rows = [[b.state, cases.parse(b.case).label, b.pick,
             "itself" if b.best == b.pick else b.best,
             "-" if b.slower is None else table.percent(b.slower)] for b in bouts]
    held, unclear = (sum(b.state == s for b in bouts) for s in ("holds", rank.NO_WINNER))
    return (f"{table.text_table(head, rows)}\n\n{held} of {len(bouts)} hold"
            + (f", {unclear} in doubt have no winner" if unclear else ""))


def run(path: Path, out: Path) -> list[Bout]:
    """Measures into out and judges; RecordsError where nothing of the file belongs here."""
    document = read(path)
    picks = here(document)
    if not picks:
        slugs = sorted({p["class"]["device"] for p in document["picks"]})
        raise RecordsError(f"{path}: it decides for {', '.join(slugs) or 'nothing'}, and here is "
                           f"{', '.join(program.devices().values())}")
    suites.measure("validate", suite_lines(picks), out)
    return judge(picks, load.load([out]).every)
