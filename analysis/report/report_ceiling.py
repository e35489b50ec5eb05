# SPDX-License-Identifier: Apache-2.0
"""How far it is from the ceiling, and which one: picks against bounds, ceilings, counters."""

from __future__ import annotations

from itertools import groupby
from statistics import median

from .. import ablations, ceilings, table
from ..ceilings import Bound, named, unit
from ..plots import plot_roofline
from ..rank import Decision
from ..records.record import Counter, Record, Records
from . import html
from .evidence import gallery, passes
from .folder import Folder


def section(records: Records, decisions: list[Decision], folder: Folder) -> list[str]:
    bounds = [(d.pick, b) for d in decisions if (b := ceilings.bound(d.pick, records.peaks))]
    parts = [html.items(_facts(records, bounds))]
    if bounds:
        groups = groupby(bounds, lambda row: row[0].case.without("op"))
        parts += [html.grouped_table(
            ["problem", "", "pick", "bound by", "at least", "measured", "reached", "next ceilings"],
            [(html.code(name), [_row(r, b) for r, b in mine]) for name, mine in groups], (4, 5, 6)),
                  "<h3>Roofline in coil_pairs/s</h3>",
                  html.note("Full bar: measured. Pale bar: what the declared cost allows under the measured "
                            "ceilings, up to the thick line; thin lines: where the next resources would end it."),
                  _rooflines(records, decisions, folder)]
    parts += _ablations(ablations.studies(records.cases), folder)
    return parts + _peaks(records, folder) + _counters(records.counters, folder)


def _facts(records: Records, bounds: list[tuple[Record, Bound]]) -> list[str]:
    facts = []
    for slug in dict.fromkeys(r.device.slug for r, _ in bounds):
        mine = [(r, b) for r, b in bounds if r.device.slug == slug]
        by = dict.fromkeys(b.resource for _, b in mine)
        shares = [f"{named(name)} in {len(f)} cases ({_span(f)})" for name in by
                  if (f := [b.fraction for _, b in mine if b.resource == name])]
        middle = 100 * median(b.fraction for _, b in mine)
        facts.append(f"On {html.text(slug)} the picks reach {middle:.0f} % of their bound at "
                     f"the middle case. What bounds them: {', '.join(shares)}.")
    over = [(r, b) for r, b in bounds if b.fraction > 1.02]
    if over:
        facts.append(f"{html.mark(f'{len(over)} picks lie above their bound', 'bad')}: a declared "
                     "cost is too high or a ceiling was measured too low.")
    if unknown := ceilings.unknown_devices(records):
        facts.append(f"No ceilings of {html.text(' and '.join(unknown))} are in these records, so "
                     "that distance is unknown; <code>./ndft peak</code> measures them.")
    return facts


def _span(fractions: list[float]) -> str:
    low, high = 100 * min(fractions), 100 * max(fractions)
    return f"{low:.0f} %" if round(low) == round(high) else f"{low:.0f} to {high:.0f} %"


def _row(r: Record, b: Bound) -> list[str]:
    others = sorted((s, name) for name, s in b.by_resource.items() if name != b.resource)
    words = [f"{named(name)} {100 * s / r.median_s:.0f}\N{NO-BREAK SPACE}%"
             for s, name in reversed(others[-3:])]
    return [r.case.op, html.variant(r.id), named(b.resource),
            table.seconds(b.seconds), table.seconds(r.median_s),
            f"<b>{plot_roofline.reached(b)}</b>", html.text(", ".join(words)) or "-"]


def _rooflines(records: Records, decisions: list[Decision], folder: Folder) -> str:
    groups = plot_roofline.panels(passes(decisions), records.peaks)
    return gallery(plot_roofline.draw, groups, "roofline", decisions, folder)


def _ablations(studies: list[ablations.Study], folder: Folder) -> list[str]:
    """What bounds a kernel: how fast it would be without one of its parts."""
    if not studies:
        return []
    groups = groupby(studies, lambda s: s.kernel.case.without("op"))
    numbers = folder.numbers("ablations", (
        {"device": s.kernel.device.slug, "case": a.case.text, "mode": a.mode,
         "variant": s.kernel.id, "without": a.ablates["without"],
         "coil_pairs_per_s": a.coil_pairs_per_s, "variant_per_s": s.kernel.coil_pairs_per_s,
         "run": a.run.id, "again": a.repro}
        for s in studies for a in s.ablations))
    return ["<h3>What bounds a kernel</h3>",
            html.note("Ablations compute something incomplete on purpose and take the time of what is left; "
                      "they never rank."),
            html.grouped_table(["problem", "", "kernel", "coil_pairs/s", "ablations", "so"],
                               [(html.code(name), [_ablated(s) for s in mine])
                                for name, mine in groups], (3,)),
            html.note(f"Numbers: {numbers}")]


def _ablated(s: ablations.Study) -> list[str]:
    words = [f"without {a.ablates['without']}: {table.rate(a.coil_pairs_per_s)} "
             f"({table.figures(s.gains[a.ablates['without']])}x)" for a in s.ablations]
    return [s.kernel.case.op, html.variant(s.kernel.id), table.rate(s.kernel.coil_pairs_per_s),
            html.text(", ".join(words)), f"<b>{html.text(s.conclusion)}</b>"]


def _peaks(records: Records, folder: Folder) -> list[str]:
    """The measured ceilings, a table a device."""
    parts: list[str] = []
    for slug in dict.fromkeys(slug for slug, _ in records.peaks):
        peaks = [p for (s, _), p in records.peaks.items() if s == slug]
        rows = [[html.text(named(p.resource)), html.code(p.resource),
                 f"{table.rate(p.value)} {html.text(unit(p))}" if p.value else "-",
                 "-" if p.spread is None else f"±{100 * p.spread:.2g} %",
                 "-" if not p.clock_mhz else f"{p.clock_mhz:g} MHz", html.text(p.note) or "-"]
                for p in peaks]
        numbers = folder.numbers(f"ceilings-{slug}", (
            {"device": slug, "resource": p.resource, "value_per_s": p.value, "spread": p.spread,
             "clock_mhz": p.clock_mhz, "note": p.note, "run": p.run.id, "again": "./ndft peak"}
            for p in peaks))
        parts += [html.table(["ceiling", "resource", "measured", "spread", "clock", "note"], rows,
                             (2, 3, 4), caption=f"Measured ceilings of {html.text(slug)}"),
                  html.note(f"Numbers: {numbers}; measured by <code>./ndft peak</code>.")]
    return parts


def _counters(counters: list[Counter], folder: Folder) -> list[str]:
    """Where hardware counters say other than the declared cost, by name."""
    if not counters:
        return []
    odd = [c for c in counters if c.differs]
    parts = ["<h3>Hardware counters against the declared cost</h3>",
             f"<p>{len(counters) - len(odd)} of {len(counters)} profiled variants agree with their "
             "declared cost within 10 %.</p>"]
    if odd:
        rows = [[html.code(c.case.label), html.variant(c.id), html.mark(name, "bad"),
                 table.rate(c.model.get(name)), table.rate(c.measured.get(name)), _ratio(c, name)]
                for c in odd for name in c.differs]
        parts.append(html.table(["case", "variant", "differs", "declared", "counted", "ratio"],
                                rows, (3, 4, 5)))
    numbers = folder.numbers("counters", (
        {"case": c.case.text, "variant": c.id, "tool": c.tool, "field": name,
         "declared": c.model.get(name), "counted": c.measured[name],
         "differs": int(name in c.differs), "run": c.run.id,
         "again": f"./ndft profile '{c.case.text}' --variant '{c.id}'"}
        for c in counters for name in c.measured))
    return parts + [html.note(f"Numbers: {numbers}")]


def _ratio(c: Counter, name: str) -> str:
    declared, counted = c.model.get(name), c.measured.get(name)
    return f"{table.figures(counted / declared)}x" if declared and counted is not None else "-"
