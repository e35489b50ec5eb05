# SPDX-License-Identifier: Apache-2.0
"""The study's page: picks, what the presets cost, heat maps, and what limits the tiles that were profiled."""

from __future__ import annotations

from pathlib import Path

from analysis import limits, program, rank, table
from analysis.plots import plot_tiles
from analysis.records.record import Record

from ..page import Page
from .picks import Pick, grids, picks, productions


def verdict(pick: Pick) -> str:
    """In the words of the rule."""
    if pick.gain is None:
        return "the preset was not tried"
    if pick.stands:
        return "stands"
    return f"**`{pick.map.knob}={pick.best}`** is {_by(pick.gain)} faster"


def _by(gain: float) -> str:
    return table.percent(gain).removeprefix("+")


def _picked(pick: Pick) -> list[str]:
    heat, worst = pick.map, pick.worst
    behind = f"{_by(worst[0])}, {worst[1].op} {worst[1].size_label}" if worst else "-"
    return [f"`{heat.variant}`", f"`{heat.knob}`", "-" if heat.preset is None else str(heat.preset),
            "-" if pick.best is None else str(pick.best), str(len(heat.sizes)), behind, verdict(pick)]


def picked(records: list[Record], _: Path) -> str:
    head = ["variant", "knob", "preset", "pick", "cases", "preset behind the best at most", "the preset"]
    parts = []
    for device, mine in rank.grouped(picks(records), lambda p: p.map.device).items():
        stand = sum(p.stands for p in mine)
        parts += [f"**{device}**: {stand} of {len(mine)} presets stand.",
                  table.markdown_table(head, [_picked(p) for p in mine], (2, 3, 4))]
    return "\n\n".join(parts)


def presets(records: list[Record], _: Path) -> str:
    head = ["device", "variant", "cases", "behind, mean", "at most", "where, and what is faster there"]
    rows = [[p.device, f"`{p.variant}`", str(len(p.cases)), _by(p.mean), _by(max(p.behind)),
             f"`{p.worst[0].case.label}`: `{program.short(p.worst[1].id)}`"] for p in productions(records)]
    return table.markdown_table(head, rows, (2, 3, 4)) if rows else ""


def maps(records: list[Record], into: Path) -> str:
    """A picture for each device and variant, its knobs one below the other, then those that vary together."""
    parts, heats = [], [*(pick.map for pick in picks(records)), *grids(records)]
    for (device, variant), mine in rank.grouped(heats, lambda m: (m.device, m.variant)).items():
        drawing = plot_tiles.sheet_of(mine, f"{device}-{variant}", f"{variant}, {device}, coil_pairs/s")
        drawing.write_png(into, colours=32)
        parts.append(f"![{drawing.alt}]({drawing.name}.png)")
    return "\n\n".join(parts)


def limited(records: list[Record], _: Path) -> str:
    """The longest kernel of each setting that was profiled."""
    found = [(r, kernel) for r in records if r.counter and (kernel := limits.longest(r.counter.kernels))]
    rows = [[f"`{program.short(r.id)}`", f"`{r.case.label}`", table.seconds(r.median_s), *limits.row(kernel)]
            for r, kernel in sorted(found, key=lambda f: (f[0].variant_name, f[0].case.place, f[0].median_s))]
    return table.markdown_table(["setting", "case", "execution", *limits.HEAD], rows, (2,)) if rows else ""


PAGE = Page(Path(__file__).parent, "tiles.ndft", "batch", .04,
            {"picks": picked, "presets": presets, "maps": maps, "limits": limited})
