# SPDX-License-Identifier: Apache-2.0
"""What a survey says: a table on the terminal, or JSON."""

from __future__ import annotations

import json
from typing import Any

from .. import table
from ..records.entries import plain
from .standing import Problem, Side, Standing

SCHEMA = "ndft-survey/1"
HEAD = ["here", "there", "ratio", "fastest here", "fastest there", "best takes", "problem"]


def text_of(standing: Standing) -> str:
    """The problems, what did not pass, and in sentences where the machine stands."""
    parts = [table.text_table(HEAD, [_row(problem) for problem in standing.problems])]
    if standing.failures:
        rows = [[f.verdict, f.engine, str(f.problems), plain(f.reason)] for f in standing.failures]
        parts.append(table.text_table(["verdict", "engine", "problems", "why"], rows))
    parts.append("\n".join([*_stands(standing), *standing.notes, *_kept(standing)]))
    return "\n\n".join(parts)


def _row(problem: Problem) -> list[str]:
    ratio = "-" if problem.ratio is None else f"{table.figures(problem.ratio)}x"
    takes = problem.choice["variant"].partition(":")[0] if problem.choice else "-"
    return [_took(problem.here), _took(problem.there), ratio, _engine(problem.here),
            "the same" if problem.same else _engine(problem.there), takes, problem.case.label]


def _took(side: Side) -> str:
    if side.doubt:
        return f"{table.seconds(side.doubt.median_s)}, {side.doubt.doubt}"
    return table.seconds(side.decision.pick.median_s) if side.decision else "-"


def _engine(side: Side) -> str:
    return side.decision.pick.variant_name if side.decision else "-"


def _stands(standing: Standing) -> list[str]:
    if standing.ratio is None:
        return [f"{standing.name} ({standing.device}): no problem was measured here and on {standing.beside}"]
    ratios, (same, of) = standing.ratios, standing.same
    return [f"{standing.name} ({standing.device}) takes {table.figures(standing.ratio)} times as long as "
            f"{standing.beside} by the median of {len(ratios)} problems, {table.figures(min(ratios))} to "
            f"{table.figures(max(ratios))} times; the same engine is the fastest in {same} of {of}"]


def _kept(standing: Standing) -> list[str]:
    records = f"records: {standing.records}"
    if not standing.wise:
        return [f"no wisdom was written; {records}"]
    return [f"wisdom: {standing.wisdom} has the fastest engine of {standing.wise} problems, which `best` takes; "
            f"{records}"]


def json_of(standing: Standing) -> str:
    """The same for a program, numbers unrounded, null where there is none."""
    same, of = standing.same
    return json.dumps({
        "schema": SCHEMA, "device": standing.device, "name": standing.name, "beside": standing.beside,
        "ratio": standing.ratio, "same_engine": same, "of": of, "unmeasured": standing.unmeasured,
        "problems": [_problem(problem) for problem in standing.problems],
        "failures": [vars(failure) for failure in standing.failures],
        "notes": standing.notes, "records": standing.records,
        "wisdom": standing.wisdom if standing.wise else None}, indent=1)


def _problem(problem: Problem) -> dict[str, Any]:
    return {"case": problem.case.text, "ratio": problem.ratio, "same_engine": problem.same,
            "here": _side(problem.here), "there": _side(problem.there),
            "best": problem.choice and {name: problem.choice[name] for name in ("variant", "why", "seconds")}}


def _side(side: Side) -> dict[str, Any] | None:
    record = side.decision.pick if side.decision else side.doubt
    if record is None:
        return None
    return {"variant": record.id, "median_s": record.median_s, "regime": record.regime, "doubt": record.doubt,
            "run": record.run.id}
