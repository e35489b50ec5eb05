# SPDX-License-Identifier: Apache-2.0
"""Regret on the deciding records themselves: each problem is picked for from all others.

What the forms of foreseeing times are chosen by, so that the judging suites need not be asked. Both
operations of a problem are left out together. A choice counts among what was measured on the case;
what a crossover's suite left out as far behind cannot be judged.
"""

from __future__ import annotations

import json
import tempfile
from pathlib import Path

from . import rank, regret, select
from .records import current
from .records.load import Record, Records
from .rank import Registry
from .regret import Outcome, Summary


def judge(records: Records, registry: Registry) -> list[Summary]:
    """One summary per device."""
    builds = current.builds_of(records.every)
    passes = [r for r in select.usable(records) if r.ranks]
    found = rank.grouped(rank.main_mode(passes), lambda r: r.device.slug)
    return [_device(slug, group, registry, builds) for slug, group in found.items()]


def _problem(record: Record) -> str:
    """The case without its operation."""
    case = record.case
    return case.text if case.is_uniform else case.text.partition(" ")[2]


def _device(slug: str, records: list[Record], registry: Registry,
            builds: dict[str, str]) -> Summary:
    outcomes: list[Outcome] = []
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "select.json"
        for left_out in rank.grouped(records, _problem).values():
            others = [r for r in records if _problem(r) != _problem(left_out[0])]
            decisions = select.decided(others, registry)
            path.write_text(json.dumps(select.json_of(decisions, builds)))
            outcomes += _outcomes(slug, path, left_out)
    return Summary(slug, "all records but each problem's own", outcomes, 0, None)


def _outcomes(slug: str, path: Path, records: list[Record]) -> list[Outcome]:
    groups = rank.grouped(records, lambda r: r.case)
    answers = regret.choices(slug, path, [case.text for case in groups])
    return [_outcome(group, answer) for group, answer in zip(groups.values(), answers)]


def _outcome(records: list[Record], answer: dict) -> Outcome:
    measured = {r.id for r in records}
    return regret.outcome(records, answer, [id_ for id_ in answer["order"] if id_ in measured])
