# SPDX-License-Identifier: Apache-2.0
"""The page of a history: what changed from build to build, then every problem's chart."""

from __future__ import annotations

from pathlib import Path

from .. import history
from ..history import Chart, Mark
from ..plots import plot_history
from ..records import lines
from ..records.record import Records
from . import html, report_records
from .folder import Folder

HEAD = ["variant", "change", "after/before", "95 % interval", "builds", "mode", "device", "problem"]
SHOWN = 12
NOTE = """Each line is one engine's time over that of its first build, bars its published interval. A mark is a change
beyond the gate and beyond what runs and processes differ by, as `./ndft compare` calls it, from one build to the next;
point at it for both. Lines of two clocks are never joined."""


def run(records: Records, charts: list[Chart], out: Path, figures: bool) -> Path:
    """Writes history.html into the folder out; figures: those beside it, too."""
    out.mkdir(parents=True, exist_ok=True)
    name = ", ".join(sorted({r.device.slug for chart in charts for line in chart.lines for r in line.records}))
    changed = [chart for chart in charts if chart.marks]
    drawn = Folder(out, figures).figure_each(plot_history.draw, charts, "history")
    head, rest = drawn[:len(changed)], drawn[len(changed):]
    sections = [html.section("changes", "What changed", _table(changed), html.note(html.text(NOTE)),
                             html.shown_and_more(head, SHOWN, "problems that changed"))]
    if rest:
        sections.append(html.section("same", "What did not",
                                     html.more(f"{len(rest)} problems", html.gallery(rest))))
    page = html.page(f"ndft over builds on {name}", f"<header><h1>Times over builds on {html.text(name)}</h1></header>",
                     f"<main>{''.join(sections)}</main>", report_records.footer(records))
    lines.write(out / "history.html", [page], "<!doctype html>")
    return out / "history.html"


def _table(charts: list[Chart]) -> str:
    marks = history.marks_of(charts)
    return html.table(HEAD, map(_row, marks), (2, 3)) if marks else "<p>Nothing, by this gate.</p>"


def _row(mark: Mark) -> list[str]:
    ratio, after = mark.ratio, mark.after
    css = "good" if mark.verdict == "faster" else "bad"
    return [html.variant(after.id), html.mark(mark.verdict, css), f"{ratio.value:.4f}",
            f"{ratio.low:.4f} to {ratio.high:.4f}", html.code(mark.builds), html.text(after.mode_shown),
            html.text(after.device.slug), html.code(after.case.label)]
