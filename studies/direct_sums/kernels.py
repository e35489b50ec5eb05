# SPDX-License-Identifier: Apache-2.0
"""The four kernels in records: times, errors and how well forward and adjoint agree, in markdown."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from analysis import program, table
from analysis.records.record import Record

from ..page import Page

ENGINES = ("naive", "fast_math", "tiled", "hybrid_sincos")
HEAD = ["", "forward", "adjoint", "with gradients", "adjoint with them", "error", "adjointness"]
# As records label them, without operation and gradients.
CASES = {"256², 65536 samples": "2d n=256x256 m=65536 t=30ms field=random:200Hz",
         "48³, 65536 samples": "3d n=48x48x48 m=65536 t=30ms field=random:200Hz",
         "64², 4096 samples": "2d n=64x64 m=4096 t=30ms field=random:200Hz"}


def _kernel(record: Record) -> tuple[str, bool]:
    """Which of the four."""
    return record.case.op, " grad=" in record.case.label


def _row(engine: str, device: str, records: list[Record]) -> list[str]:
    """The worst of the errors, the fastest setting of each kernel."""
    times = [min((r.median_s for r in records if _kernel(r) == kernel), default=None)
             for kernel in (("forward", False), ("adjoint", False), ("forward", True), ("adjoint", True))]
    worst = [max((of for r in records if (of := getattr(r, name)) is not None), default=None)
             for name in ("rel_l2", "adjoint_err")]
    return [f"{engine}, {device}", *map(table.seconds, times), *("-" if e is None else f"{e:.1e}" for e in worst)]


def _table(title: str, case: str, records: list[Record]) -> str:
    here = [r for r in records if r.case.op != "normal" and r.case.without("op", "grad") == case and r.mode == "batch"
            and r.variant_name.partition(".")[0] in ENGINES]
    places = sorted({(r.device.slug, r.backend) for r in here})
    rows = [_row(f"{engine}.{backend}", device, own) for device, backend in places for engine in ENGINES
            if (own := [r for r in here if r.variant_name == f"{engine}.{backend}" and r.device.slug == device])]
    return f"**{title}**\n\n{table.markdown_table(HEAD, rows, right=range(1, len(HEAD)))}\n" if rows else ""


def times(records: list[Record], _: Path) -> str:
    return "\n".join(text for title, case in CASES.items() if (text := _table(title, case, records)))


@dataclass(frozen=True)
class OfResults(Page):
    """The repository's page is of what it publishes."""

    def records(self) -> Path:
        return program.ROOT / "results"


PAGE = OfResults(Path(__file__).resolve().parent, "seed000.ndft", "batch", 0.1, {"times": times})
