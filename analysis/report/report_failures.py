# SPDX-License-Identifier: Apache-2.0
"""What failed: wrong, crashed, hung, refused; alike failures share a row, none is left out."""

from __future__ import annotations

from collections import Counter

from .. import rank, table
from ..plots import sheet
from ..records.record import Record
from . import html
from .folder import Folder

# The worst first; whatever is not named here comes between.
ORDER = ("wrong", "crashed", "timeout", "error", "untrusted", "quarantined")
HARMLESS = ("unsupported", "not_built")
WORDS = {
    "wrong": "the result was off by more than the claim",
    "untrusted": "measured, but a check of the measurement failed",
    "error": "an error was returned", "crashed": "the process died",
    "timeout": "no sign of life", "quarantined": "given up after two lost processes",
    "unsupported": "the variant says that it cannot run this", "not_built": "not part of this build",
}


def section(records: list[Record], folder: Folder) -> list[str]:
    failed = [r for r in records if r.verdict != "pass" and not r.ablates]
    if not failed:
        return ["<p>Nothing: every record passed.</p>"]
    failed.sort(key=lambda r: (_rank(kind(r)), r.verdict, r.id, r.case.text))
    counts = Counter(map(kind, failed))
    summary = [f"{html.mark(f'{n} {what}', what)}: {WORDS.get(what, 'did not pass')}"
               for what, n in counts.items()]
    serious = [r for r in failed if r.verdict not in HARMLESS]
    harmless = [r for r in failed if r.verdict in HARMLESS]
    parts = [html.items(summary)]
    if serious:
        parts.append(_table(serious))
    if harmless:
        parts.append(html.more(f"{len(harmless)} refused, with their reasons", _table(harmless)))
    numbers = folder.numbers("failures", (_numbers(r) for r in failed))
    return parts + [html.note(f"Numbers: {numbers}")]


def kind(r: Record) -> str:
    """The verdict; one that was given without trying because of earlier losses is told apart."""
    return "quarantined" if (r.reason or "").startswith("quarantined") else r.verdict


def _rank(what: str) -> int:
    if what in HARMLESS:
        return len(ORDER) + 1 + HARMLESS.index(what)
    return ORDER.index(what) if what in ORDER else len(ORDER)


def _table(failed: list[Record]) -> str:
    """Failures of one variant for one reason share a row that lists their cases."""
    groups = rank.grouped(failed, lambda r: (kind(r), r.id, r.reason, r.phase))
    rows = []
    for (what, id_, reason, phase), group in groups.items():
        errors = [r.rel_l2 for r in group if r.rel_l2 is not None]
        rows.append([html.mark(what), html.variant(id_),
                     html.text(reason or "no reason recorded"), html.text(phase or "-"),
                     table.error(max(errors, default=None)), _cases(group)])
    return html.table(["verdict", "variant", "reason", "phase", "rel_l2", "cases"], rows, (4,))


def _cases(group: list[Record]) -> str:
    names = [html.Cell(html.code(r.case.label), title=r.repro) for r in group]
    spans = [f"<span{name.attributes}>{name}</span>" for name in names]
    if len(spans) <= 3:
        return "<br>".join(spans)
    return html.more(f"{len(spans)} cases", "<br>".join(spans))


def _numbers(r: Record) -> sheet.Row:
    return {"verdict": r.verdict, "variant": r.id, "reason": r.reason, "phase": r.phase,
            "rel_l2": r.rel_l2, "claim": r.claim, "case": r.case.text, "mode": r.mode,
            "run": r.run.id, "again": r.repro}
