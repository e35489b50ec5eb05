# SPDX-License-Identifier: Apache-2.0
"""Uniform transforms: a table a case, the fastest first, beside the vendor's library."""

from __future__ import annotations

import math

from .. import rank, table
from ..plots import plot_transforms
from ..records.record import Record
from . import html
from .folder import Folder

HEAD = ["variant", "verdict", "median", "beside the vendor", "rel_l2", "claim", "mode", "again"]


def section(records: list[Record], folder: Folder) -> list[str]:
    """Nothing where there are none."""
    if not records:
        return []
    ordered = sorted(records, key=lambda r: (
        r.device.slug, r.case.dim, r.case.length, r.case.batch, r.case.text, r.mode or "",
        r.median_s if r.ranks else math.inf, r.id))
    parts = ["<p>On a uniform grid the operator is the ordinary DFT. Each case with the time that "
             "a variant takes over that of the vendor's library (cuFFT, FFTW) in the same "
             "mode.</p>"]
    figures = folder.figure_each(plot_transforms.draw, plot_transforms.groups(ordered), "length",
                             plot_transforms.CAPTION)
    parts.append(html.gallery(figures) if figures else "")
    for (slug, case), group in rank.grouped(ordered, lambda r: (r.device.slug, r.case)).items():
        rows = [_row(r, _vendor(group, r)) for r in group]
        parts.append(html.more(f"{case.label}, {slug}: {len(group)} records",
                               html.table(HEAD, rows, (2, 3, 4, 5))))
    numbers = folder.numbers("uniform", (_numbers(r, _vendor(ordered, r)) for r in ordered))
    return [*parts, html.note(f"Numbers: {numbers}")]


def _vendor(records: list[Record], r: Record) -> Record | None:
    """The fastest of the vendor's timings of the same case on the same device, in the same mode."""
    alike = [v for v in records if v.family == plot_transforms.VENDOR and v.ranks and v.mode == r.mode
             and v.case == r.case and v.device.slug == r.device.slug and v.backend == r.backend]
    return min(alike, key=lambda v: v.median_s, default=None)


def _ratio(r: Record, vendor: Record | None) -> float | None:
    return r.median_s / vendor.median_s if r.ranks and vendor else None


def _row(r: Record, vendor: Record | None) -> list[str]:
    ratio = _ratio(r, vendor)
    return [html.variant(r.id), html.mark(r.verdict),
            table.seconds(r.median_s) if r.ranks else html.text(r.reason or "-"),
            f"{table.figures(ratio)}x" if ratio else "-", table.error(r.rel_l2),
            table.error(r.claim), html.text(r.mode_shown),
            html.Cell(html.code(r.choice), css="command", title=r.repro)]


def _numbers(r: Record, vendor: Record | None) -> dict:
    return {"case": r.case.text, "variant": r.id, "device": r.device.slug, "mode": r.mode,
            "verdict": r.verdict, "reason": r.reason, "median_s": r.median_s,
            "over_vendor": _ratio(r, vendor), "rel_l2": r.rel_l2, "claim": r.claim,
            "coil_pairs_per_s": r.coil_pairs_per_s, "run": r.run.id, "build_id": r.build_id}
