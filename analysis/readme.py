# SPDX-License-Identifier: Apache-2.0
"""The README's tables of measured results, between

    <!-- results:begin SLUG -->
    <!-- results:end -->

SLUG names the device and its folder under results/. The cases are those of configs/goals.def.
"""

from __future__ import annotations

import re
from pathlib import Path

from . import cases, goals, rank, style, table
from .load import Record, RecordsError, load

BLOCK = re.compile(r"(<!-- results:begin (\S+) -->\n).*?(<!-- results:end -->)", re.DOTALL)
NOTHING = "No passing record of the headline cases yet.\n"


def fill(text: str, results: Path, goals_file: Path) -> str:
    """The README's text with every block written anew; raises RecordsError without any block."""
    headline = list(dict.fromkeys(goal.case for goal in goals.read(goals_file)))
    if not BLOCK.search(text):
        raise RecordsError("no block '<!-- results:begin SLUG -->' ... '<!-- results:end -->'")
    return BLOCK.sub(lambda b: b[1] + _block(results, b[2], headline) + b[3], text)


def _block(results: Path, slug: str, headline: list[cases.Case]) -> str:
    folder = results / slug
    if not any(folder.rglob("*.jsonl")):
        return NOTHING
    mine = [r for r in rank.main_mode(load([folder]).ranked) if r.device.slug == slug]
    groups: dict[str, list[Record]] = {}
    for case in headline:
        found = [r for r in mine if r.case == case]
        if found:
            groups.setdefault(cases.label(case, hide=("op",)), []).extend(found)
    parts = [f"`{title}`\n\n{_table(group, folder)}\n" for title, group in groups.items()]
    return "\n".join(parts) or NOTHING


def _table(group: list[Record], folder: Path) -> str:
    """Rows: variants, fastest first. Columns: rate of each operation, largest error, files."""
    ops = [op for op in cases.OPS if any(r.case.op == op for r in group)]
    best = {op: rank.best_of(r for r in group if r.case.op == op) for op in ops}
    names = sorted({name for of in best.values() for name in of},
                   key=lambda n: (-max(of[n].coil_pairs_per_s for of in best.values() if n in of),
                                  style.by_registry(n)))
    rows = [_row(name, [best[op].get(name) for op in ops], folder) for name in names]
    head = ["variant", *(f"{op}, coil_pairs/s" for op in ops), "rel_l2", "record"]
    return table.markdown_table(head, rows, right=range(1, len(ops) + 2))


def _row(name: str, records: list[Record | None], folder: Path) -> list[str]:
    found = [r for r in records if r]
    rates = [table.rate(r.coil_pairs_per_s if r else None) for r in records]
    error = table.error(max((r.rel_l2 for r in found if r.rel_l2 is not None), default=None))
    knobs = list(dict.fromkeys(r.id.partition(":")[2] for r in found))
    files = list(dict.fromkeys(Path(r.source).relative_to(folder).as_posix() for r in found))
    shown = " ".join(dict.fromkeys(f"`{knob}`" for knob in knobs if knob))
    links = ", ".join(f"[{Path(f).stem}](results/{folder.name}/{f})" for f in files)
    return [f"**{name}** {shown}".rstrip(), *rates, error, links]


def run(readme: Path, results: Path, goals_file: Path, check: bool) -> bool:
    """Rewrites the README, or with check only compares; False when it was out of date."""
    if not readme.exists():
        raise RecordsError(f"{readme}: no such file")
    text = readme.read_text(encoding="utf-8")
    filled = fill(text, results, goals_file)
    if not check and filled != text:
        readme.write_text(filled, encoding="utf-8")
    return filled == text
