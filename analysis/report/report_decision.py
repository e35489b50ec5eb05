# SPDX-License-Identifier: Apache-2.0
"""Which variant to run: each device's picks in a sentence and a table; accuracy beside time."""

from __future__ import annotations

from collections import Counter
from itertools import groupby

from .. import rank, table, winners
from ..plots import plot_accuracy, plot_modes
from ..rank import Decision
from ..records.record import Record
from . import html
from .evidence import by_device, gallery, passes
from .folder import Folder

HEAD = ["problem", "", "run", "time", "coil_pairs/s", "rel_l2", "over the runner-up", "over naive"]
NOTE = """The pick is the fastest that passed. What timing cannot tell from the fastest is tied with
it; then the plan with less memory, then the simpler variant is named. The runner-up is the best
other variant. Below a name stand the knobs that are not at their presets."""


def section(records: list[Record], decisions: list[Decision], folder: Folder) -> list[str]:
    """decisions are those of the main timing mode; records may have any."""
    unclear = rank.undecided(rank.main_mode(records))
    if not decisions and not unclear:
        return ["<p>Nothing passed, so nothing can win. The failures below say why.</p>"]
    answers = [f"<p>{_sentence(slug, mine)}</p>" for slug, mine in by_device(decisions).items()]
    answers += [f"<p>{_without(u)}</p>" for u in unclear]
    tables = [_table(slug, mine) for slug, mine in by_device(decisions).items()]
    return [f'<div class="answer">{"".join(answers)}</div>', *tables,
            html.note(NOTE), *_accuracy(decisions, folder), *_modes(records, folder)]


def _sentence(slug: str, decisions: list[Decision]) -> str:
    """On h200 run tiled.cuda in 24, output_driven.cuda in 4 of 28 cases."""
    wins = Counter(d.pick.variant_name for d in decisions).most_common()
    if len(wins) == 1:
        every = "the one case" if len(decisions) == 1 else f"all {len(decisions)} cases"
        words = f"<b>{html.text(wins[0][0])}</b> in {every} measured"
    else:
        words = ", ".join(f"<b>{html.text(name)}</b> in {n}" for name, n in wins)
        words += f" of {len(decisions)} cases"
    ties = sum(d.tied for d in decisions)
    tied = f"; {ties} of them {'is a tie' if ties == 1 else 'are ties'}" if ties else ""
    return f"On {html.text(slug)} run {words}{tied}."


def _without(best: Record) -> str:
    """Of a case whose times are all in doubt."""
    return (f"On {html.text(best.device.slug)}, {html.code(best.case.label)}: {rank.NO_WINNER}; "
            f"provisionally {html.variant(best.id)}, {table.rate(best.coil_pairs_per_s)} "
            "coil_pairs/s.")


def _table(slug: str, decisions: list[Decision]) -> str:
    """Rows that differ in the operation alone stand beside one problem."""
    groups = groupby(decisions, lambda d: d.case.without("op"))
    rows = [(html.code(problem), [_row(d) for d in mine]) for problem, mine in groups]
    return html.grouped_table(HEAD, rows, (3, 4, 5), caption=html.text(
        f"{slug}, {decisions[0].mode} timing"))


def _row(d: Decision) -> list[str]:
    return [d.case.op, html.variant(d.pick.id), table.seconds(d.pick.median_s),
            table.rate(d.pick.coil_pairs_per_s), table.error(d.pick.rel_l2),
            _over_runner_up(d) + _ties(d), winners.over_naive(d)]


def _over_runner_up(d: Decision) -> str:
    if d.runner_up is None:
        return "no other passed"
    margin = winners.verdict_of_margin(d)
    shown = html.mark(margin) if d.tied else f"<b>{margin}</b>"
    return f"{shown} {'with' if d.tied else 'over'} {html.text(d.runner_up.variant_name)}"


def _ties(d: Decision) -> str:
    """The other members of the tie set: variants with their number of knob settings."""
    names = Counter(r.variant_name for r in d.ties if r not in (d.pick, d.runner_up))
    own = names.pop(d.pick.variant_name, 0)
    words = [html.text(name) + (f" ({n} settings)" if n > 1 else "") for name, n in names.items()]
    if own:
        words.append(f"{own} other setting{'s' * (own > 1)} of its knobs")
    return f'<br><span class="note">tied: {", ".join(words)}</span>' if words else ""


def _accuracy(decisions: list[Decision], folder: Folder) -> list[str]:
    """The headlines are shown, the others folded away."""
    groups = plot_accuracy.panels(passes(decisions))
    if not groups:
        return []
    return ["<h3>Accuracy against time</h3>",
            html.note("Left is more accurate, down is faster. Large marks: the best knobs of a variant; small: its "
                      "other settings. The thin line ends at the claimed error, grey joins what nothing beats in "
                      "both, dashed is the tolerance asked for."),
            gallery(plot_accuracy.draw, groups, "accuracy", decisions, folder)]


def _modes(records: list[Record], folder: Folder) -> list[str]:
    """What the other timing modes say, where there are any."""
    groups = plot_modes.panels(records)
    if not groups:
        return []
    groups.sort(key=lambda g: (-len(g), -g[0].case.pairs))
    figures = folder.figure_each(plot_modes.draw, groups, "modes")
    return ["<h3>What the clock covers</h3>",
            html.note("batch: executions back to back; warm: one by one; cold: caches flushed before each; graph: "
                      "captured and replayed; end-to-end: from left to right planning, upload, execution (full "
                      "colour), download."),
            _picks_by_mode(records), html.shown_and_more(figures, 2, "cases")]


def _picks_by_mode(records: list[Record]) -> str:
    """One row a case, one column a mode: the pick and its time."""
    decisions = rank.decide(records)
    modes = sorted({d.mode for d in decisions}, key=plot_modes.order)
    by_case: dict[tuple[str, str], dict[str, Decision]] = {}
    for d in decisions:
        by_case.setdefault((d.device, d.case.label), {})[d.mode] = d
    rows = [[f"{html.code(name)}<br>{html.text(slug)}", *(_mode_cell(of.get(m)) for m in modes)]
            for (slug, name), of in by_case.items() if len(of) > 1]
    return html.table(["problem", *map(html.text, modes)], rows)


def _mode_cell(d: Decision | None) -> str:
    if d is None:
        return "-"
    tie = f" {html.mark('tie')}" if d.tied else ""
    return f"{html.text(d.pick.variant_name)}{tie}<br>{table.seconds(d.pick.median_s)}"
