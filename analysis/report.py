# SPDX-License-Identifier: Apache-2.0
"""The report: the answer first, then the evidence, every failure and every number with its case."""

from __future__ import annotations

from pathlib import Path
from typing import Callable

from . import (ceilings, html, plot_accuracy, plot_cases, plot_roofline, plot_size, plot_tiles,
               rank, select, table)
from .cases import label
from .load import Record, Records
from .rank import Decision


def run(records: Records, out: Path) -> None:
    """Writes PNGs and report.html into the folder out."""
    out.mkdir(parents=True, exist_ok=True)
    decisions = rank.decide(records.cases)
    drawn = rank.main_mode(records.ranked)
    roofs = ceilings.known(records)
    name = ", ".join(sorted({r.run.machine for r in records.cases}))
    sections = [
        _header(records, name),
        html.section("decide", "Which variant to run", *_decisions(decisions)),
        html.section("size", "Time and rate against size", *_sizes(drawn, out)),
        html.section("tiles", "Tile width against size",
                     *_tiles(drawn + [r for r in records.cases if not r.ranks], out)),
        html.section("accuracy", "Accuracy against rate", *_accuracy(drawn, decisions, out)),
        html.section("roofline", "Distance from the hardware's limit",
                     *_roofline(drawn, decisions, roofs, out)),
        html.section("failures", "What did not pass", *_failures(records)),
        html.section("records", "Every record", *_every_record(records)),
        _footer(records),
    ]
    (out / "report.html").write_text(html.page(f"ndft on {name}", *sections), encoding="utf-8")


def _header(records: Records, name: str) -> str:
    devices = {d.name: d.slug for run in records.runs.values() for d in run.devices.values()}
    lines = ", ".join(f"{html.text(n)} ({html.text(slug)})" for n, slug in sorted(devices.items()))
    passed, total = len(records.ranked), len(records.cases)
    links = "".join(f'<a href="#{a}">{t}</a>' for a, t in (
        ("decide", "Decision"), ("size", "Size"), ("tiles", "Tiles"), ("accuracy", "Accuracy"),
        ("roofline", "Roofline"), ("failures", "Failures"), ("records", "Records")))
    return (f"<h1>Field-corrected nonuniform DFT on {html.text(name)}</h1>\n<p>{lines}</p>\n"
            f'<p class="note">{total} records, {passed} passed their check and were timed. Only '
            "these rank, are drawn or win. Rates are coil_pairs/s: voxels x samples x coils over "
            f"the median time.</p>\n<nav>{links}</nav>")


def _decisions(decisions: list[Decision]) -> list[str]:
    if not decisions:
        return ["<p>Nothing passed, so nothing can win. The failures below say why.</p>"]
    head = ["problem", "winner", "coil_pairs/s", "time", "rel_l2", "runner-up", "margin",
            "over naive"]
    machines = {(d.problem.machine, d.problem.mode) for d in decisions}
    rows = []
    for d in decisions:
        margin = select.verdict_of_margin(d)
        where = f"{d.problem.machine}, {d.problem.mode}: " if len(machines) > 1 else ""
        rows.append([
            html.text(where) + html.code(d.label) + _count(d), html.code(d.pick.id),
            table.rate(d.pick.rate), table.seconds(d.pick.first.median_s),
            table.error(d.pick.rel_l2), html.code(d.runner_up.id) if d.runner_up else "-",
            html.mark(margin) if d.tied else margin, select.over_naive(d)])
    note = ("The winner is the fastest id that passed most of the class's cases; a tie means that "
            "the intervals of the medians overlap, and then the plan with less memory, then the "
            "simpler variant, is named. Runner-up: the best other variant.")
    return [html.table(head, rows, numbers=(2, 3, 4, 6, 7), css="decision"),
            f'<p class="note">{note}</p>']


def _count(decision: Decision) -> str:
    passed, total = len(decision.pick.records), len(decision.cases)
    return "" if total == 1 else f" <span class=note>{passed} of {total} cases</span>"


def _figures(draw: Callable[[list, Path, str], Path], groups: list, panels: int, path: Path,
             caption: str) -> list[str]:
    """Figures path-1.png, path-2.png ... with so many panels each."""
    return [html.figure(draw(groups[i:i + panels], path.parent, f"{path.name}-{i // panels + 1}"),
                        caption) for i in range(0, len(groups), panels)]


def _sizes(drawn: list[Record], out: Path) -> list[str]:
    groups = plot_size.sweeps(drawn)
    parts = []
    for i, series in enumerate([g for g in groups if plot_size.is_sweep(g)]):
        png = plot_size.draw(series, out, f"size-{i + 1}")
        parts.append(html.figure(png, "Median with the band of the quartiles; the best knob values "
                                      "at each size."))
    single = [g for g in groups if not plot_size.is_sweep(g)]
    parts += _figures(plot_cases.draw, single, 6, out / "cases",
                      "Problems measured at one size: medians, bars from quartile to quartile.")
    return parts or ["<p>No pass to draw.</p>"]


def _tiles(records: list[Record], out: Path) -> list[str]:
    parts = []
    for i, heat in enumerate(plot_tiles.maps(records)):
        png = plot_tiles.draw(heat, out, f"tiles-{i + 1}")
        parts.append(html.figure(png, f"{heat.variant}, {heat.knob} against size, in coil_pairs/s, "
                                      "best of its other knobs. Outlined: the best at each size; "
                                      "dashed: tied with it."))
    return parts or ["<p>No variant was measured with several values of tile, np or outputs.</p>"]


def _largest(decisions: list[Decision]) -> set:
    """One case per class carries the evidence: its largest."""
    return {(d.problem.machine, d.cases[-1]) for d in decisions}


def _accuracy(drawn: list[Record], decisions: list[Decision], out: Path) -> list[str]:
    shown = _largest(decisions)
    groups = plot_accuracy.panels([r for r in drawn if (r.run.machine, r.case) in shown])
    caption = ("Large mark: the fastest knob values. The thin line ends at the claim, the dashed "
               "line is the tolerance that was asked for.")
    return _figures(plot_accuracy.draw, groups, 6, out / "accuracy", caption) or [
        "<p>No pass with a measured error.</p>"]


def _roofline(drawn: list[Record], decisions: list[Decision], roofs: ceilings.Ceilings,
              out: Path) -> list[str]:
    slugs = {slug for slug, _ in roofs}
    unknown = sorted({r.device.slug for r in drawn} - slugs)
    parts = [f"<p>No ceilings are known for {html.text(slug)}; <code>configs/ceilings.def</code> "
             "may hold some.</p>" for slug in unknown]
    shown = _largest(decisions)
    groups = plot_roofline.panels([r for r in drawn if (r.run.machine, r.case) in shown], roofs)
    parts += _figures(plot_roofline.draw, groups, 3, out / "roofline",
                      "Full bar: measured rate. Pale bar: what the declared cost allows under the "
                      "ceilings that are known; its end is the bound, thin lines are the next "
                      "resources.")
    rows = [[html.code(label(r.case)), html.code(r.id), ceilings.RESOURCES[b.resource],
             table.seconds(b.seconds), table.seconds(r.median_s), plot_roofline.reached(b),
             ", ".join(f"{ceilings.RESOURCES[k]} {100 * v / r.median_s:.0f} %" for k, v
                       in sorted(b.by_resource.items(), key=lambda x: -x[1]) if k != b.resource)]
            for group in groups for r, b in group]
    if rows:
        parts.append(html.table(["case", "variant", "bound by", "at least", "measured", "reached",
                                 "others"], rows, numbers=(3, 4, 5)))
    return parts or ["<p>No pass declares its cost.</p>"]


def _failures(records: Records) -> list[str]:
    failed = [r for r in records.cases if r.verdict != "pass"]
    if not failed:
        return ["<p>Every record passed.</p>"]
    failed.sort(key=lambda r: (r.verdict in ("unfit", "not_built"), r.verdict, r.id, r.case.text))
    rows = [[html.mark(r.verdict), html.code(r.id), html.text(r.reason or "no reason recorded"),
             table.error(r.rel_l2), html.code(label(r.case))] for r in failed]
    return [html.table(["verdict", "variant", "reason", "rel_l2", "case"], rows, numbers=(3,))]


def _again(record: Record) -> str:
    """The command that measures it once more."""
    knobs = record.id.partition(":")[2]
    return (f"./ndft bench '{record.case.text}' --variant '{record.variant_name}'"
            + (f" --knob {knobs}" if knobs else ""))


def _every_record(records: Records) -> list[str]:
    rows = []
    for r in sorted(records.cases, key=lambda r: (r.case.pairs, r.case.text, r.id, r.mode or "")):
        low, high = r.interval if r.ranks else (None, None)
        between = f"{table.seconds(low)} to {table.seconds(high)}" if r.ranks else "-"
        rows.append([
            html.code(_again(r)), html.mark(r.verdict),
            table.seconds(r.median_s), between, table.rate(r.coil_pairs_per_s),
            table.error(r.rel_l2), table.error(r.claim), html.text(r.mode or "-"),
            html.code((r.build_id or "-")[:12]), html.text(r.device.slug),
            html.text(r.run.started[:10]), html.code((r.key or "-")[:12])])
    head = ["again", "verdict", "median", "interval", "coil_pairs/s", "rel_l2", "claim", "mode",
            "build", "device", "date", "key"]
    return [f"<details><summary>{len(rows)} records</summary>",
            html.table(head, rows, numbers=(2, 3, 4, 5, 6)), "</details>"]


def _footer(records: Records) -> str:
    used = {r.run.id for r in records.cases}
    lines = []
    for run in sorted(records.runs.values(), key=lambda run: (run.started, run.id)):
        if run.id not in used:
            continue
        devices = "; ".join(", ".join(filter(None, (d.name, d.driver and f"driver {d.driver}")))
                            for d in run.devices.values())
        dirty = " with local changes" if run.dirty else ""
        lines.append(f"<li>run {html.code(run.id)}, {html.text(run.suite or 'no suite')}, started "
                     f"{html.text(run.started)}, {html.text(devices)}, commit "
                     f"{html.code(run.commit[:12] or 'unknown')}{dirty}</li>")
    notes = "".join(f"<li>{html.text(note)}</li>" for note in records.notes)
    return f"<footer><ul>{''.join(lines)}{notes}</ul></footer>"
