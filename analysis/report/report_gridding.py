# SPDX-License-Identifier: Apache-2.0
"""Gridding as it was published in 2008, and here."""

from __future__ import annotations

from .. import gridding
from . import html
from ..records.record import Record

NOTE = """T. S. Sørensen, T. Schaeffter, K. Ø. Noe, M. S. Hansen, IEEE Trans. Med. Imaging 27, 2008:
as many samples as voxels, times of one execution, the trajectory in memory unless said. G:
Gaussian on line; L: from a table, ours Kaiser-Bessel's; KB: Kaiser-Bessel on line. Ours in f32, by
the timing modes stages and batch; theirs the CPU in f64. The library is NFFT 3.0 on a dual core of
2.33 GHz, the GPU an ATI FireStream 2U. A processor deapodises inside the
FFT, and apart only where stages are timed."""


def section(records: list[Record]) -> list[str]:
    """Nothing where the suite was not measured."""
    found = gridding.tables(records)
    if not found:
        return []
    shown = [f"<h3>{html.text(t.title)}</h3>" + html.table(
        t.head, [[html.text(cell) for cell in row] for row in t.rows],
        numbers=range(1, len(t.head))) for t in found]
    return [f'<p class="note">{NOTE}</p>', *shown]
