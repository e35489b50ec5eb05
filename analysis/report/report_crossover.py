# SPDX-License-Identifier: Apache-2.0
"""Where the crossover lies: who wins as size, coils, tolerance or field vary, as map and lines."""

from __future__ import annotations

from .. import crossover, rank, table
from ..plots import palette, plot_crossover, plot_lines, plot_tiles, sheet
from ..records.cases import Case
from ..records.record import Record
from ..sweeps import AXES, Crossing, Sweep, sweeps
from . import html
from .folder import Folder

MAP_NOTE = """Each cell names the fastest variant and how much longer the next one takes; hold the
pointer on it for the command that measures it again. Empty: not measured."""
FFT_NOTE = """The faster side, how many times faster it is, and its fastest variant: purple an exact
sum, green a nonuniform FFT that keeps the tolerance. The line is where both take the same time,
interpolated between cells. Hatched: not measured; alone: the other side did not pass there."""


def section(drawn: list[Record], tried: list[Record], folder: Folder) -> list[str]:
    """drawn: the passes of one timing mode; tried: those and the failures."""
    found = [s for axis in AXES for s in sweeps(drawn, axis)]
    if not found:
        return ["<p>Every problem was measured at one size and one setting, or by one variant, so "
                "nothing can cross.</p>", *_tiles(tried, folder)]
    return [*_answer(found, folder), *_exact_or_nufft(drawn, folder), *_map([s for s in found if s.axis.name == "size"], folder),
            *_lines(found, folder), *_tiles(tried, folder)]


def _answer(found: list[Sweep], folder: Folder) -> list[str]:
    """Each crossover in a row; where there is none, who wins everywhere."""
    crossed = [(s, c) for s in found for c in s.crossings()]
    rows = [[html.code(s.title), s.axis.name, html.text(_place(s, c)),
             html.variant(c.before.id), html.variant(c.after.id)] for s, c in crossed]
    parts = []
    if rows:
        parts.append(html.table(["problem", "along", "crossover", "before it", "after it"], rows))
    still = [s for s in found if not s.crossings()]
    if still:
        parts.append("<p>No crossover:</p>" if rows else "<p>Nothing crosses:</p>")
        parts.append(html.items(_steady(still)))
    numbers = folder.numbers("crossover", (_numbers(s, c) for s, c in crossed))
    return parts + ([html.note(f"Numbers: {numbers}")] if crossed else [])


def _place(s: Sweep, c: Crossing) -> str:
    between = f"between {s.say(c.low)} and {s.say(c.high)}"
    if c.at is None or s.axis.name == "size":
        return between + (f", near {table.rate(c.at)} pairs" if c.at else "")
    return f"near {c.at:.3g}{s.axis.unit}, {between}"


def _steady(still: list[Sweep]) -> list[str]:
    """One line a winner and axis: where it wins all along."""
    groups = rank.grouped(still, lambda s: (s.winners()[0].variant_name, s.axis.every))
    return [f"<b>{html.text(winner)}</b> wins at every {axis} measured: "
            + "; ".join(f"{html.code(s.title)} ({s.say(s.values[0])} to {s.say(s.values[-1])})"
                        for s in mine)
            for (winner, axis), mine in groups.items()]


def _numbers(s: Sweep, c: Crossing) -> sheet.Row:
    return {"device": s.device, "problem": s.title, "axis": s.axis.name, "low": c.low,
            "high": c.high, "crossover": c.at, "before": c.before.id, "after": c.after.id,
            "run": c.after.run.id, "again_before": c.before.repro, "again_after": c.after.repro}


def _exact_or_nufft(drawn: list[Record], folder: Folder) -> list[str]:
    """The maps, and in a sentence each what they say."""
    found = sorted(crossover.maps(drawn), key=lambda m: -len(m.gains))
    if not found:
        return []
    figures = folder.figure_each(plot_crossover.draw, found, "exact-or-nufft")
    return ["<h3>An exact sum or a nonuniform FFT</h3>", html.items(map(_said, found)),
            html.note(FFT_NOTE), html.shown_and_more(figures, 4, "problems")]


def _said(found: crossover.Map) -> str:
    exact = [1 / gain for gain in found.gains if gain <= 1]
    nufft = [gain for gain in found.gains if gain > 1]
    parts = [f"{what} is faster in {len(gains)} of {len(found.gains)} cells, by up to "
             f"{table.figures(max(gains))}x"
             for what, gains in (("a nufft", nufft), ("an exact sum", exact)) if gains]
    missing = len(found.sizes) * len(found.turns) - len(found.gains)
    parts += [f"{missing} cells without both"] * bool(missing)
    return f"{html.code(found.title)}: {'; '.join(parts)}"


def _map(found: list[Sweep], folder: Folder) -> list[str]:
    """Who wins: a row a problem, a column a size."""
    if not found:
        return []
    sizes: dict[tuple[int, str], Case] = {}
    for s in found:
        for value in s.values:
            case = s.at(value)[0].case
            sizes[case.pairs, case.size_label] = case
    columns = [sizes[key] for key in sorted(sizes)]
    head = ["problem", *(f"{html.text(c.size_label)}<br>m={c.m}" for c in columns)]
    rows = [[html.code(s.title), *(_cell(s, case) for case in columns)] for s in found]
    numbers = folder.numbers("winners", (sheet.row(s.at(value)[0], problem=s.title, pairs=value)
                                         for s in found for value in s.values))
    return ["<h3>Who wins at which size</h3>", html.table(head, rows, css="map"),
            html.note(f"{MAP_NOTE} Numbers: {numbers}")]


def _cell(s: Sweep, case: Case) -> str:
    ranked = [r for r in s.at(case.pairs) if r.case.n == case.n]
    if not ranked:
        return ""
    first = ranked[0]
    other = next((r for r in ranked[1:]), None)
    if other is None:
        said = "alone"
    elif rank.tied(first, other):
        said = html.mark(f"tie with {other.family}", "tie")
    else:
        said = table.percent(other.median_s / first.median_s - 1)
    return html.Cell(f"<b>{html.text(first.family)}</b>{said}", css="winner", title=first.repro,
                     style=f"--of:var(--{palette.name_of(first.family)})")


def _lines(found: list[Sweep], folder: Folder) -> list[str]:
    """A gallery an axis; where the winner changes comes first."""
    parts = ["<h3>Rate along each axis</h3>",
             html.note("Median with the band of the quartiles, the best knobs at each point. Dashed: crossover. "
                       "Point at a mark for its command.")]
    for axis in AXES:
        mine = [s for s in found if s.axis is axis]
        figures = folder.figure_each(plot_lines.draw, mine, axis.name)
        order = sorted(range(len(mine)), key=lambda i: not mine[i].crossings())
        parts.append(html.shown_and_more([figures[i] for i in order], 2,
                                         f"problems along {axis.name}"))
    return parts


def _tiles(tried: list[Record], folder: Folder) -> list[str]:
    maps = plot_tiles.maps(tried)
    if not maps:
        return []
    figures = folder.figure_each(plot_tiles.draw, maps, "tiles")
    return ["<h3>Knobs against size</h3>",
            html.note("coil_pairs/s with the best of the other knobs; the stronger the colour, the nearer to the "
                      "best of its column. Outlined: the best; dashed: tied."),
            html.shown_and_more(figures, 2, "knobs")]
