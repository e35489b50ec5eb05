# SPDX-License-Identifier: Apache-2.0
"""Which variant to run: each device's picks in a sentence and a table; accuracy beside time."""

from __future__ import annotations

from collections import Counter
from itertools import groupby

from .. import rank, select, table
from ..plots import plot_accuracy, plot_modes
from . import html
from .evidence import by_device, device, headlines, passes, places
from .folder import Folder
from ..rank import Decision, Undecided
from ..records.record import Record

HEAD = ["problem", "", "run", "time", "coil_pairs/s", "rel_l2", "over the runner-up", "over naive"]
NOTE = """The pick is the fastest that passed most of the class's cases. What timing cannot tell
from the fastest is tied with it; then the plan with less memory, then the simpler variant is named.
The runner-up is the best other variant. A class with ~ in its name holds cases of about that
size."""


def section(records: list[Record], decisions: list[Decision], folder: Folder) -> list[str]:
    """decisions are those of the main timing mode; records may have any."""
    unclear = rank.undecided(rank.main_mode(records))
    if not decisions and not unclear:
        return ["<p>Nothing passed, so nothing can win. The failures below say why.</p>"]
    answers = [f"<p>{_sentence(slug, mine)}</p>" for slug, mine in by_device(decisions).items()]
    answers += [f"<p>{_without(u)}</p>" for u in unclear]
    tables = [_table(slug, mine) for slug, mine in by_device(decisions).items()]
    return [f'<div class="answer">{"".join(answers)}</div>', *tables,
            f'<p class="note">{NOTE}</p>', *_accuracy(decisions, folder), *_modes(records, folder)]


def _sentence(slug: str, decisions: list[Decision]) -> str:
    """On h200 run tiled.cuda in 24, output_driven.cuda in 4 of 28 problem classes."""
    wins = Counter(d.pick.first.variant_name for d in decisions).most_common()
    if len(wins) == 1:
        every = "the one problem class" if len(decisions) == 1 else f"all {len(decisions)} classes"
        words = f"<b>{html.text(wins[0][0])}</b> in {every} measured"
    else:
        words = ", ".join(f"<b>{html.text(name)}</b> in {n}" for name, n in wins)
        words += f" of {len(decisions)} problem classes"
    ties = sum(d.tied for d in decisions)
    tied = f"; {ties} of them {'is a tie' if ties == 1 else 'are ties'}" if ties else ""
    return f"On {html.text(slug)} run {words}{tied}."


def _without(undecided: Undecided) -> str:
    best = undecided.provisional
    return (f"On {html.text(best.device.slug)}, {html.code(undecided.label)}: {rank.NO_WINNER}; "
            f"provisionally {html.variant(best.id)}, {table.rate(best.coil_pairs_per_s)} "
            "coil_pairs/s.")


def _table(slug: str, decisions: list[Decision]) -> str:
    """Rows that differ in the operation alone stand beside one problem."""
    usual = _usual(decisions)
    groups = groupby(decisions, lambda d: d.label.partition(" ")[2])
    rows = [(html.code(problem), [_row(d, usual) for d in mine]) for problem, mine in groups]
    made = html.grouped_table(HEAD, rows, (3, 4, 5), caption=html.text(
        f"{slug}, {decisions[0].problem.mode} timing"))
    knobs = "; ".join(html.code(id_) for id_ in usual if ":" in id_)
    return made + (f'<p class="note">Without knobs below its name a pick has {knobs}.</p>'
                   if knobs else "") + _classes(decisions)


def _classes(decisions: list[Decision]) -> str:
    """Which cases a class of several holds."""
    rows = [[html.code(d.label), "<br>".join(html.code(case.label) for case in d.cases)]
            for d in decisions if len(d.cases) > 1]
    listed = html.table(["class", "cases"], rows)
    return html.more("The cases of each class", listed) if rows else ""


def _usual(decisions: list[Decision]) -> list[str]:
    """The id that each variant is most often picked with, so that only others spell their knobs."""
    counts = Counter(d.pick.id for d in decisions)
    best = {id_.partition(":")[0]: id_ for id_, _ in reversed(counts.most_common())}
    return sorted(best.values())


def _row(d: Decision, usual: list[str]) -> list[str]:
    passed, total = len(d.pick.records), len(d.cases)
    words = f"{total} cases" if passed == total else f"{passed} of {total} cases"
    count = "" if total == 1 else f'<br><span class="note">{words}</span>'
    name = d.pick.first.variant_name if d.pick.id in usual else d.pick.id
    return [d.problem.op + count, html.variant(name), _times(d), table.rate(d.pick.rate),
            table.error(d.pick.rel_l2), _over_runner_up(d) + _ties(d), select.over_naive(d)]


def _times(d: Decision) -> str:
    times = [r.median_s for r in d.pick.records.values()]
    return " to<br>".join(dict.fromkeys((table.seconds(min(times)), table.seconds(max(times)))))


def _over_runner_up(d: Decision) -> str:
    if d.runner_up is None:
        return "no other passed"
    margin = select.verdict_of_margin(d)
    shown = html.mark(margin) if d.tied else f"<b>{margin}</b>"
    return f"{shown} {'with' if d.tied else 'over'} {html.text(d.runner_up.first.variant_name)}"


def _ties(d: Decision) -> str:
    """The other members of the tie set: variants with their number of knob settings."""
    names = Counter(e.first.variant_name for e in d.ties if e not in (d.pick, d.runner_up))
    own = names.pop(d.pick.first.variant_name, 0)
    words = [html.text(name) + (f" ({n} settings)" if n > 1 else "") for name, n in names.items()]
    if own:
        words.append(f"{own} other setting{'s' * (own > 1)} of its knobs")
    return f'<br><span class="note">tied: {", ".join(words)}</span>' if words else ""


def _accuracy(decisions: list[Decision], folder: Folder) -> list[str]:
    """One case a class; the headlines are shown, the others folded away."""
    groups = plot_accuracy.panels(passes(decisions, places(decisions)))
    figures = folder.figures(plot_accuracy.draw, groups, "accuracy")
    if not figures:
        return []
    return ["<h3>Accuracy against time</h3>",
            '<p class="note">Left is more accurate, down is faster. Large marks: the best knobs of '
            "a variant; small: its other settings. The thin line ends at the claimed error, grey "
            "joins what nothing beats in both, dashed is the tolerance asked for.</p>",
            html.shown_and_more(figures, max(2, len(headlines(decisions))), "problems")]


def _modes(records: list[Record], folder: Folder) -> list[str]:
    """What the other timing modes say, where there are any."""
    groups = plot_modes.panels(records)
    if not groups:
        return []
    groups.sort(key=lambda g: (-len(g), -g[0].case.pairs))
    figures = folder.figures(plot_modes.draw, groups, "modes")
    return ["<h3>What the clock covers</h3>",
            '<p class="note">batch: executions back to back; warm: one by one; cold: caches '
            "flushed before each; graph: captured and replayed; end-to-end: from left to right "
            "planning, upload, execution (full colour), download.</p>",
            _picks_by_mode(records), html.shown_and_more(figures, 2, "cases")]


def _picks_by_mode(records: list[Record]) -> str:
    """One row a class, one column a mode: the pick and its time."""
    decisions = rank.decide(records)
    modes = sorted({d.problem.mode for d in decisions}, key=plot_modes.order)
    by_class: dict[tuple[str, str], dict[str, Decision]] = {}
    for d in decisions:
        by_class.setdefault((device(d), d.label), {})[d.problem.mode] = d
    rows = [[f"{html.code(name)}<br>{html.text(slug)}", *(_mode_cell(of.get(m)) for m in modes)]
            for (slug, name), of in by_class.items() if len(of) > 1]
    return html.table(["problem", *modes], rows)


def _mode_cell(d: Decision | None) -> str:
    if d is None:
        return "-"
    tie = f" {html.mark('tie')}" if d.tied else ""
    return f"{html.text(d.pick.first.variant_name)}{tie}<br>{_times(d)}"
