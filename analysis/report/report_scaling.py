# SPDX-License-Identifier: Apache-2.0
"""Several devices: a table of what was wanted and found, and the picture with the model on it."""

from __future__ import annotations

from .. import scaling
from ..plots import plot_scaling
from ..records.record import Records
from . import html
from .folder import Folder

MARKS = {"met": "good", "missed": "bad", "unmeasured": "tie"}


def section(records: Records, folder: Folder) -> list[str]:
    """Nothing where no group was measured."""
    if not records.scalings:
        return []
    rows = scaling.judge(records, scaling.read())
    drawing = plot_scaling.draw(rows, folder.name("scaling"))
    numbers = folder.numbers("scaling", (dict(zip(scaling.HEAD, scaling.cells(row)))
                                         for row in rows))
    return [html.note("Efficiency is the time of the best plan of one device, measured in the same run, over that of "
                      "the group times its devices. Arrays in parts stay where they are; whole ones are the first "
                      "device's. Ranks are processes with a device each. Bits: of eight parts on these devices and on one."),
            html.table(scaling.HEAD, [_cells(row) for row in rows], (1, 2, 3, 7, 8, 9)),
            folder.figure(drawing, plot_scaling.CAPTION) if drawing else "",
            _links(rows), html.note(f"Numbers: {numbers}")]


def _cells(row: scaling.Row) -> list[str]:
    case, *plain = scaling.cells(row)
    state = html.mark(row.state, MARKS.get(row.state, "")) if row.state != "-" else "-"
    return [html.code(case), *map(html.text, plain[:-1]), state]


def _links(rows: list[scaling.Row]) -> str:
    """What the model was drawn with."""
    said = []
    links = {(row.found.slug, scaling.link(row.found)) for row in rows if row.found}
    for slug, link in sorted(links, key=lambda one: (one[0], one[1].bytes_s)):
        how = "as <code>./ndft peak</code> measured" if link.measured else "assumed; <code>./ndft peak</code> measures"
        said.append(f"{html.text(slug)}: {link.bytes_s / 1e9:.0f} GB/s a direction, {1e6 * link.step_s:.0f} us a step, {how}.")
    return html.items(said)
