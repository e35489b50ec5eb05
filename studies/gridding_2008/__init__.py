# SPDX-License-Identifier: Apache-2.0
"""Gridding on a GPU as Sorensen et al. published it in 2008, and here."""

from pathlib import Path
from typing import Callable

from analysis.records.record import Record

from ..page import Page
from . import balance, claims, errors, factors, phantom, shown, tables
from .ours import Times

COMMANDS = {"phantom": phantom, "errors": errors}


def _runs(times: Times) -> str:
    return "Records: " + "; ".join(f"{device}, {started}" for device, started in times.runs()) + "." \
        if times.devices else ""


def _of(block: Callable[[Times], str]) -> Callable[[list[Record], Path], str]:
    return lambda records, _: block(Times(records))


PAGE = Page(Path(__file__).resolve().parent, "seed002.ndft", "batch,stages", .05, {
    "verdicts": _of(claims.verdicts), "runs": _of(_runs),
    "factors": lambda records, into: factors.draw(Times(records), into),
    "forward": _of(lambda times: tables.of_operation(times, "forward")),
    "adjoint": _of(lambda times: tables.of_operation(times, "adjoint")),
    "online": _of(tables.on_line), "narrow": _of(tables.narrow), "schemes": _of(tables.every_scheme),
    "shares": _of(balance.shares), "balance": _of(balance.balances), "widths": _of(balance.widths),
    "preprocessing": _of(balance.preprocessing), "frames": _of(balance.frames),
    "errors": lambda records, into: shown.tables_errors(), "images": lambda records, into: shown.images(into),
    "spokes": lambda records, into: shown.fig_7(into),
})
