# SPDX-License-Identifier: Apache-2.0
"""Regret: how much slower the choice was than the best, on cases that it was not made from.

Raw regret is time of the choice over time of the fastest pass, less one. Where timing cannot tell
the two apart (rank.alike) the regret is 0, so at most 5 % are ever forgiven; both are printed. A
choice that was measured and did not pass is a failure; one that was not measured leaves its case
without a judgement. Either misses the aim.
"""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from . import program, rank, suites, table, validate
from .records import cases
from .records.cases import Case
from .records.load import Record, RecordsError

MEDIAN, TAIL = 0.0, 0.05  # what is aimed at: of the median, and of the 95th percentile
SKIPPED = ("unsupported", "not_built")  # a chooser sees these beforehand and takes the next


@dataclass
class Outcome:
    """One case on one device; regret and raw are None where it could not be judged."""

    case: str
    choice: str
    match: str
    distance: float
    best: str
    raw: float | None
    regret: float | None
    note: str = ""


@dataclass
class Summary:
    """All cases of one device. dropped counts those that the decision was made from."""

    device: str
    select: str
    outcomes: list[Outcome]
    dropped: int
    resolution: float | None  # median of half the interval of the best, relative; None: not asked

    @property
    def figures(self) -> dict[str, float | None]:
        """Medians and 95th percentiles (nearest rank) over the cases that could be judged."""
        found: dict[str, float | None] = {}
        for what in ("regret", "raw"):
            values = [getattr(o, what) for o in self.outcomes if getattr(o, what) is not None]
            found[f"{what}_median"] = float(np.median(values)) if values else None
            found[f"{what}_p95"] = (float(np.percentile(values, 95, method="inverted_cdf"))
                                    if values else None)
        return found

    @property
    def unjudged(self) -> int:
        return sum(o.regret is None for o in self.outcomes)

    @property
    def met(self) -> bool:
        f = self.figures
        return (bool(self.outcomes) and not self.unjudged and f["regret_median"] <= MEDIAN
                and f["regret_p95"] <= TAIL)


def file_for(slug: str, given: Path | None) -> Path:
    return given or program.select_path(slug)


def deciding(document: dict[str, Any], slug: str) -> set[Case]:
    return {cases.parse(text) for pick in document["picks"] if pick["class"]["device"] == slug
            for text in pick["cases"]}


def choices(slug: str, path: Path, texts: list[str]) -> list[dict[str, Any]]:
    """What the program would choose for each case from this file, on this device."""
    return program.answers("--device", slug, *texts, NDFT_SELECT=str(path)) if texts else []


def measure(suite: Path, given: Path | None, backend: str | None, out: Path | None) -> Path:
    """Sweeps the suite together with whatever would be chosen; the record file."""
    only = ["--backend", backend] if backend else []
    texts = suites.cases(suite, *only)
    here = {name: slug for name, slug in program.devices().items() if backend in (None, name)}
    if not here:
        raise RecordsError(f"no device of backend '{backend}' is here")
    lines = [f"include {suite.resolve()}"]
    for name, slug in here.items():
        for text, answer in zip(texts, choices(slug, file_for(slug, given), texts)):
            lines += [suites.line(id_, text) for id_ in _on(name, answer["order"])[:2]]
    slug = here.get("cuda") or here["cpu"]
    out = out or Path("results") / slug / f"regret-{program.utc()}.jsonl"
    suites.measure("regret", lines, out, *only)
    return out


def _on(backend: str, order: list[str]) -> list[str]:
    return [id_ for id_ in order if id_.partition(":")[0].endswith("." + backend)]


def judge(records: list[Record], given: Path | None) -> list[Summary]:
    """One summary per device; RecordsError where a file was made from other builds."""
    found = rank.grouped(rank.main_mode(records), lambda r: (r.device.slug, r.backend))
    return [_device(slug, backend, group, file_for(slug, given))
            for (slug, backend), group in found.items() if any(r.ranks for r in group)]


def _device(slug: str, backend: str, records: list[Record], path: Path) -> Summary:
    document = validate.read(path)
    _same_builds(document, records, path)
    used = deciding(document, slug)
    groups = {c: g for c, g in rank.grouped(records, lambda r: r.case).items()
              if any(r.ranks for r in g)}
    held_out = [case for case in groups if case not in used]
    answers = choices(slug, path, [case.text for case in held_out])
    outcomes = [outcome(groups[case], answer, _on(backend, answer["order"]))
                for case, answer in zip(held_out, answers)]
    widths = [_half_width(groups[case]) for case in held_out]
    return Summary(slug, str(path), outcomes, len(groups) - len(held_out),
                   float(np.median(widths)) if widths else None)


def _best(records: list[Record]) -> Record:
    return min((r for r in records if r.ranks), key=lambda r: r.median_s)


def _half_width(records: list[Record]) -> float:
    best = _best(records)
    return (best.interval[1] - best.interval[0]) / 2 / best.median_s


def _same_builds(document: dict[str, Any], records: list[Record], path: Path) -> None:
    made_from = document["registry"]
    for r in records:
        if r.build_id and made_from.get(r.variant_name, r.build_id) != r.build_id:
            raise RecordsError(f"{path} is stale: {r.variant_name} was {made_from[r.variant_name]}"
                               f" and is {r.build_id} in {r.source}")


def outcome(records: list[Record], answer: dict[str, Any], order: list[str]) -> Outcome:
    """Of the records of one case, the first of the order that fits against the fastest."""
    measured = {r.id: r for r in records}
    best = _best(records)
    blank = Outcome(best.case.text, "-", answer["match"], answer["distance"], best.id, None, None)
    for id_ in order:
        record = measured.get(id_)
        blank.choice = id_
        if record is None:
            blank.note = "the choice was not measured"
            return blank
        if record.verdict in SKIPPED:
            continue
        if not record.ranks:
            blank.note = (rank.NO_WINNER if record.has_no_one_time
                          else f"the choice is {record.verdict}")
            return blank
        return _compared(blank, record, best)
    blank.note = "nothing in the order fits"
    return blank


def _compared(outcome: Outcome, choice: Record, best: Record) -> Outcome:
    outcome.raw = choice.median_s / best.median_s - 1
    tie = rank.alike((choice.median_s, choice.interval), (best.median_s, best.interval))
    outcome.regret = 0.0 if tie else outcome.raw
    return outcome


def _share(value: float | None) -> str:
    return "-" if value is None else f"{100 * value:.1f} %"


def text_of(summary: Summary) -> str:
    head = ["case", "choice", "match", "best", "slower", "regret"]
    worst_first = sorted(summary.outcomes,
                         key=lambda o: -(math.inf if o.regret is None else o.regret))
    rows = []
    for o in worst_first:
        match = o.match + (f" {o.distance:.1f}" if o.match == "near" else "")
        rows.append([cases.parse(o.case).label, o.choice, match,
                     "itself" if o.best == o.choice else o.best, _share(o.raw),
                     o.note or _share(o.regret)])
    f, n = summary.figures, len(summary.outcomes)
    lines = [table.text_table(head, rows), ""] if rows else []
    if summary.dropped:
        lines.append(f"dropped, since the decision was made from them: {summary.dropped}")
    if summary.unjudged:
        lines.append(f"without a judgement, which counts as missed: {summary.unjudged}")
    resolution = ("" if summary.resolution is None else
                  f"; intervals of the best are +-{_share(summary.resolution)} (median)")
    lines += [f"{summary.device}, {n} cases, by {summary.select}{resolution}",
              f"regret median {_share(f['regret_median'])} (raw {_share(f['raw_median'])}), 95th "
              f"percentile {_share(f['regret_p95'])} (raw {_share(f['raw_p95'])}); aimed at "
              f"{_share(MEDIAN)} and {_share(TAIL)}: {'met' if summary.met else 'missed'}"]
    return "\n".join(lines)


def json_of(summaries: list[Summary]) -> dict[str, Any]:
    return {"schema": "ndft-regret/1", "devices": [
        {"device": s.device, "select": s.select, "dropped": s.dropped, "unjudged": s.unjudged,
         "resolution": s.resolution, **s.figures, "met": s.met,
         "cases": [asdict(o) for o in s.outcomes]} for s in summaries]}
