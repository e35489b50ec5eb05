# SPDX-License-Identifier: Apache-2.0
"""The report: the answer first, then how sure, how far, where it changes, what failed, and all."""

from __future__ import annotations

from pathlib import Path

from .. import rank
from ..records import lines
from ..records.record import Records
from . import (html, report_ceiling, report_crossover, report_decision, report_failures,
               report_image, report_records, report_rivals, report_scaling, report_trust, report_uniform)
from .folder import Folder

SECTIONS = (("decide", "Which variant to run"), ("image", "What a field map does to an image"),
            ("trust", "How sure we are"), ("ceiling", "How far from the ceiling"),
            ("rivals", "Beside other people's libraries"), ("crossover", "Where the crossover lies"),
            ("uniform", "Uniform transforms"), ("scaling", "Several devices"), ("failures", "What failed"),
            ("records", "All records"))


def run(records: Records, out: Path, figures: bool = False, image: Path | None = None) -> None:
    """Writes report.html, and numbers beside it, into the folder out; figures: those, too; image: a folder of `ndft
    recon --demo` that is shown."""
    out.mkdir(parents=True, exist_ok=True)
    folder = Folder(out, figures)
    drawn = rank.main_mode(records.ranked)
    failed = [r for r in records.cases if not (r.ranks or r.explains)]
    decisions = rank.decide(drawn)
    parts = (
        report_decision.section(records.cases, decisions, folder),
        report_image.section(image) if image else [],
        report_trust.section(records.cases, decisions, folder),
        report_ceiling.section(records, decisions, folder),
        report_rivals.section(records.every, folder),
        report_crossover.section(drawn, drawn + failed, folder),
        report_uniform.section(records.transforms, folder),
        report_scaling.section(records, folder),
        report_failures.section(records.every, folder),
        report_records.section(records.every, folder),
    )
    name = ", ".join(sorted({r.run.machine for r in [*records.every, *records.scalings]}))
    sections = [(*named, part) for named, part in zip(SECTIONS, parts) if part]
    body = [html.section(anchor, title, *part) for anchor, title, part in sections]
    links = "".join(f'<a href="#{anchor}">{title}</a>' for anchor, title, _ in sections)
    page = html.page(f"ndft on {name}", _header(records, name, links),
                     f"<main>{''.join(body)}</main>", report_records.footer(records))
    lines.write(out / "report.html", [page], "<!doctype html>")


def _header(records: Records, name: str, links: str) -> str:
    devices = {d.slug: d.name for run in records.runs.values() for d in run.devices.values()}
    names = ", ".join(f"{html.text(n)} ({html.text(slug)})" for slug, n in sorted(devices.items()))
    every = records.every
    passed, total = sum(r.ranks for r in every), len(every)
    bursts = sum(r.ranks and r.is_burst for r in every)
    return (f"<header><h1>Field-corrected nonuniform DFT on {html.text(name)}</h1>\n"
            f"<p>{names}</p>\n"
            + html.note(f"{total} records; {passed} passed their check against the double-precision reference and "
                        "were timed, and only these rank, are drawn or win. Rates are coil_pairs/s: voxels x samples "
                        f"x coils over the median time. {bursts} are bursts of some milliseconds, which a device need "
                        "not sustain.") + f'\n<nav aria-label="Sections">{links}</nav></header>')
