# SPDX-License-Identifier: Apache-2.0
"""The numbers of a figure as CSV: one row a point, and the command that measures it again."""

from __future__ import annotations

import csv
import io
from typing import Any, Iterable

from ..records.record import Record

Row = dict[str, Any]


def row(record: Record, **more: Any) -> Row:
    """What identifies and sums up a record; more are the figure's own columns, put first."""
    low, high = record.interval
    return more | {
        "case": record.case.text, "variant": record.id, "mode": record.mode_shown,
        "device": record.device.slug, "median_s": record.median_s, "q1_s": record.q1_s,
        "q3_s": record.q3_s, "ci_lo_s": low, "ci_hi_s": high,
        "coil_pairs_per_s": record.coil_pairs_per_s, "rel_l2": record.rel_l2,
        "claim": record.claim, "run": record.run.id, "again": record.repro,
    }


def _shown(value: Any) -> Any:
    """No clock and no error is known to more digits."""
    return float(f"{value:.7g}") if isinstance(value, float) else value


def text(rows: Iterable[Row]) -> str:
    """CSV with a head line; columns in order of first mention, empty where a row has none."""
    rows = list(rows)
    out = io.StringIO()
    columns = list(dict.fromkeys(name for one in rows for name in one))
    writer = csv.DictWriter(out, columns, lineterminator="\n")
    writer.writeheader()
    writer.writerows({name: _shown(value) for name, value in one.items()} for one in rows)
    return out.getvalue()
