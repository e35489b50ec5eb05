# SPDX-License-Identifier: Apache-2.0
"""The tables of measured results in README.md and docs/results-*.md, rivals.md and choice.md, between

    <!-- results:begin SLUG [SUITE] -->
    <!-- results:end -->
    <!-- rivals:begin SLUG [SUITE] -->
    <!-- rivals:end -->
    <!-- pairs:begin SLUG SUITE -->
    <!-- pairs:end -->
    <!-- first:begin SLUG -->
    <!-- first:end -->

SLUG names the device and its folder under results/. The cases are the nonuniform ones of
configs/goals.def, a table for each problem, all its operations in it, of one timing mode, with peers beside
them; or,
with SUITE, those of its newest sweep of either kind, a row for each problem, bursts among them. Of
rivals every case, of either kind, that was measured with other people's libraries, losses first; with
SUITE those of its sweeps, bursts among them. Of pairs what an engine for each operation gains in the suite's
newest sweep, whatever clock that had: times of one file are compared with each other alone. The first
table is the README's (first_table.py).
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Callable

from . import engine_pairs, first_table, goals, program, rank, rivals, table
from .plots import style
from .records import cases, current
from .records.errors import RecordsError
from .records.load import load
from .records.record import STEADY, Peer, Record, Records

BLOCK = re.compile(r"(<!-- (results|rivals|pairs|first):begin (\S+)(?: (\S+))? -->\n).*?(<!-- \2:end -->)", re.DOTALL)
NOTHING = "No passing record of the headline cases yet.\n"


def fill(text: str, results: Path, goals_file: Path, links: str = "results") -> str:
    """The page's text with every block written anew, links: the way to results/ from the page;
    raises RecordsError without any block."""
    headline = list(dict.fromkeys(goal.case for goal in goals.read(goals_file)))
    if not BLOCK.search(text):
        raise RecordsError("no block '<!-- results:begin SLUG -->' ... '<!-- results:end -->'")

    def written(b: re.Match) -> str:
        folder = results / b[3]
        block = (NOTHING if not any(folder.rglob("*.jsonl")) else
                 _rivals(folder, b[4]) if b[2] == "rivals" else
                 _pairs(folder, b[4]) if b[2] == "pairs" else
                 _first(folder) if b[2] == "first" else _block(folder, b[4], headline))
        return b[1] + block.replace("](results/", f"]({links}/") + b[5]
    return BLOCK.sub(written, text)


def _load(folder: Path, steady: Callable = current.in_a_mode) -> tuple[Records, list[Record]]:
    """What counts of a folder, and of it what ranks on its device. steady: of what that replaces bursts."""
    records = current.load([folder], steady)
    return records, [r for r in records.every if r.ranks and r.device.slug == folder.name]


def _rivals(folder: Path, suite: str | None) -> str:
    """Of each of ours and of theirs on a case the fastest, with plans and N executions."""
    records, ranked = _load(folder)
    ranked = [r for r in ranked if r.run.suite == suite] if suite else _lasting(ranked)
    found = rivals.duels(rivals.contests(ranked))
    if not found:
        return "No case that was measured with other people's libraries yet.\n"
    head = ["case", "theirs", "ours", *rivals.HEAD, "record"]
    rows = [[f"`{d.ours.case.label}`" + f", {d.ours.mode}" * (d.ours.mode != "batch"),
             d.theirs.variant_name, d.ours.variant_name, *d.cells, _link(folder, d.theirs.source)]
            for d in found]
    shown = table.markdown_table(head, rows, right=range(3, len(head) - 1))
    return f"{rivals.summary(found)}\n\n{shown}\n{_what_counts(records, ranked)}"


def _pairs(folder: Path, suite: str) -> str:
    ranked = [r for r in load([folder]).every if r.run.suite == suite and r.device.slug == folder.name]
    if not ranked:
        return NOTHING
    file = max(ranked, key=lambda r: r.run.started).source
    found = engine_pairs.gains(r for r in ranked if r.source == file)
    return f"{engine_pairs.summary(found)} {_link(folder, file)}\n"


def _first(folder: Path) -> str:
    return first_table.block(_load(folder, current.of_a_variant)[1], lambda source: _link(folder, source)) or NOTHING


def _block(folder: Path, suite: str | None, headline: list[cases.Case]) -> str:
    records, ranked = _load(folder)
    if suite:
        ranked = [r for r in ranked if r.run.suite == suite]
        return (_matrix(rank.main_mode(ranked), folder) or NOTHING) + _what_counts(records, ranked)
    ranked = _lasting(ranked)
    mine = [r for r in ranked if not r.case.is_uniform]
    peers = [p for p in records.peers if p.device.slug == folder.name]
    of_problem: dict[str, list[cases.Case]] = {}
    for case in headline:
        of_problem.setdefault(case.without("op"), []).append(case)
    groups: dict[str, list[Record | Peer]] = {
        title: [*rank.main_mode([r for r in mine if r.case in of]), *(p for p in peers if p.case in of)]
        for title, of in of_problem.items()}
    parts = [f"`{title}`\n\n{_table(group, folder)}\n" for title, group in groups.items() if group]
    return ("\n".join(parts) or NOTHING) + _what_counts(records, ranked)


def _lasting(ranked: list[Record]) -> list[Record]:
    """No burst, once anything was measured steadily."""
    return [r for r in ranked if r.regime == STEADY] or ranked


def _what_counts(records: Records, shown: list[Record]) -> str:
    """What was left out, and whether a time is that of a burst or of another clock."""
    bursts = any(r.is_burst for r in shown)
    said = ["Rates are of bursts, which a device need not sustain."] * bursts
    said += [f"{note}." for note in records.notes]
    return f"\n{' '.join(said)}\n" if said else ""


def _table(group: list[Record | Peer], folder: Path) -> str:
    """Rows: variants, fastest first. Columns: rate of each operation, largest error, files."""
    ops = [op for op in cases.OPS if any(r.case.op == op for r in group)]
    best = {op: rank.best_of(r for r in group if r.case.op == op) for op in ops}
    names = sorted({name for of in best.values() for name in of},
                   key=lambda n: (-max(of[n].coil_pairs_per_s for of in best.values() if n in of),
                                  style.by_registry(n)))
    rows = [_row(name, [best[op].get(name) for op in ops], folder) for name in names]
    head = ["variant", *(f"{op}, coil_pairs/s" for op in ops), "rel_l2", "record"]
    return table.markdown_table(head, rows, right=range(1, len(ops) + 2))


def _matrix(records: list[Record], folder: Path) -> str:
    """Rows: cases in the order of the suite. Columns: variants. The rate of the slower direction,
    the fastest of a row in bold; nothing where one direction has no pass. Of uniform transforms the
    time."""
    if not records:
        return ""
    file = max(records, key=lambda r: r.run.started).source
    best = rank.fastest((r for r in records if r.source == file),
                        lambda r: (r.case, r.variant_name))
    rates: dict[tuple[str, bool], dict[str, list[float]]] = {}
    for (case, name), record in best.items():
        row = rates.setdefault((case.without("op"), case.is_uniform), {})
        row.setdefault(name, []).append(1 / record.median_s if case.is_uniform
                                        else record.coil_pairs_per_s)
    names = sorted({name for row in rates.values() for name in row}, key=style.by_registry)
    rows = [[f"`{case}`", *_cells(row, names, _time if is_uniform else table.rate)]
            for (case, is_uniform), row in rates.items()]
    shown = table.markdown_table(["case", *names], rows, right=range(1, len(names) + 1))
    return f"{shown}\n\n{_link(folder, file)}\n"


def _time(rate: float | None) -> str:
    """Of one execution, by how many there are in a second."""
    return "-" if rate is None else table.seconds(1 / rate)


def _cells(row: dict[str, list[float]], names: list[str],
           say: Callable[[float | None], str]) -> list[str]:
    both = max(map(len, row.values()))
    slower = {name: min(rates) for name, rates in row.items() if len(rates) == both}
    best = max(slower.values())
    return [f"**{say(slower[name])}**" if slower.get(name) == best
            else say(slower.get(name)) for name in names]


def _rate(record: Record | Peer | None) -> str:
    """With the interval where it holds what differs between processes and runs."""
    shown = table.rate(record.coil_pairs_per_s if record else None)
    if not isinstance(record, Record) or (record.processes or 1) < 2 or record.half_width is None:
        return shown
    return f"{shown} ±{100 * record.published_half_width:.2g} %"


def _row(name: str, records: list[Record | Peer | None], folder: Path) -> list[str]:
    found = [r for r in records if r]
    rates = [_rate(r) for r in records]
    error = table.error(max((r.rel_l2 for r in found if r.rel_l2 is not None), default=None))
    links = ", ".join(dict.fromkeys(_link(folder, r.source) for r in found))
    return [f"**{name}** {_knobs(found)}".rstrip(), *rates, error, links]


def _knobs(found: list[Record | Peer]) -> str:
    """Those that are not at their presets; behind their operations where these differ in them."""
    of = rank.grouped(found, lambda r: program.short(r.id).partition(":")[2])
    ops = {knobs: " and ".join(r.case.op for r in group) + " " for knobs, group in of.items()}
    return ", ".join(f"{ops[knobs] if len(of) > 1 else ''}`{knobs}`" for knobs in of if knobs)


def _link(folder: Path, source: str) -> str:
    path = Path(source).relative_to(folder)
    return f"[{path.stem}](results/{folder.name}/{path.as_posix()})"


def run(page: Path, results: Path, goals_file: Path, check: bool) -> bool:
    """Rewrites the page, or with check only compares; False when it was out of date."""
    if not page.exists():
        raise RecordsError(f"{page}: no such file")
    text = page.read_text(encoding="utf-8")
    links = "results" if (page.parent / "results").is_dir() else "../results"
    filled = fill(text, results, goals_file, links)
    if not check and filled != text:
        page.write_text(filled, encoding="utf-8")
    return filled == text
