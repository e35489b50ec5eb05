# SPDX-License-Identifier: Apache-2.0
"""How sure we are: margins with intervals, samples, why measuring stopped, clocks, throttling."""

from __future__ import annotations

from collections import Counter
from statistics import median, quantiles
from typing import Iterable

from ..plots import plot_margins, plot_samples
from ..rank import Decision
from ..records.record import Record
from . import html
from .evidence import by_device
from .folder import Folder

STOPS = {"ci": "interval narrow enough", "noise": "noise settled", "budget": "time spent",
         "samples": "sample limit", "time": "measured for long enough", "interrupted": "interrupted",
         "failed": "no further sample could be taken", "lost": "the device was lost"}
ORDERS = {"random": "in random order, seeded by the case", "abba": "there and back again (ABBA)"}
RULES = {"reason": "for a reason that the device names",
         "highest": "with a clock below 95 % of its highest",
         "round": "with a clock below 95 % of their round-mates'",
         "violation": "while its violation counters grew"}
MARGINS = """Each pick against its runner-up. A bar reaches from the least to the largest ratio that
the two intervals allow; diamonds are ties, arrows lie beyond the axis."""
SAMPLES = """The samples of the closest call. Bands: 95 % intervals of the medians; crosses: samples
taken while the device throttled."""
HEAD = ["problem", "pick", "samples", "interval", "quartiles", "stopped", "clock", "throttled",
        "power, heat", "runs"]


def section(records: list[Record], decisions: list[Decision], folder: Folder) -> list[str]:
    """records: every record; decisions: those of the main timing mode."""
    passed = [r for r in records if r.ranks]
    if not passed:
        unclear = any(r.has_no_one_time for r in records)
        return ["<p>All that was timed is of two modes, host-bound or of a shared device, and does not rank.</p>" if unclear else
                "<p>Nothing was timed.</p>"]
    figures = []
    for mine in by_device(decisions).values():
        figures += folder.figure_each(plot_margins.draw, [mine], "margins", MARGINS)
        closest = _closest(mine)
        figures += folder.figure_each(plot_samples.draw, [closest] if closest else [], "samples",
                                  SAMPLES)
    rows = [_row(d) for d in decisions]
    return [html.items(_facts(passed, decisions)),
            "<h3>How clear the decisions are</h3>" if figures else "", html.gallery(figures),
            html.more("Samples, clock and machine state of every pick",
                      html.table(HEAD, rows, (2, 3, 4, 6, 7)))]


def _facts(passed: list[Record], decisions: list[Decision]) -> list[str]:
    facts = [_ties(decisions), _intervals(passed), _stops(passed), _single(passed),
             _processes(passed), _runs(passed),
             _throttling(passed), _clocks(passed), _state(passed), _interleaving(passed)]
    return [fact for fact in facts if fact]


def _ties(decisions: list[Decision]) -> str:
    tied = [d for d in decisions if d.tied]
    alone = sum(d.runner_up is None for d in decisions)
    words = f"{len(decisions) - len(tied) - alone} cases have a clear winner"
    words += f", {alone} without a second variant" if alone else ""
    if not tied:
        return words + ", none is a tie."
    names = "; ".join(html.code(d.case.label) for d in tied)
    return f"{words}, {html.mark(f'{len(tied)} tied', 'tie')}: {names}."


def _intervals(passed: list[Record]) -> str:
    widths = sorted(w for r in passed if (w := r.half_width) is not None)
    if len(widths) < 2:
        return ""
    worst = max(passed, key=lambda r: r.half_width or 0)
    where = f"{html.code(worst.id)} on {html.code(worst.case.label)}"
    return (f"The 95 % interval of the median is ±{_percent(median(widths))} at the middle record, "
            f"±{_percent(quantiles(widths, n=20)[-1])} at the 95th percentile, and widest with "
            f"±{_percent(widths[-1])} for {where}.")


def _stops(passed: list[Record]) -> str:
    counts = Counter(r.stop for r in passed if r.stop).most_common()
    words = ", ".join(f"{STOPS.get(stop, html.text(stop))} {n}" for stop, n in counts)
    return f"Why measuring stopped: {words}." if words else ""


def _single(passed: list[Record]) -> str:
    counts = [len(r.samples) for r in passed]
    alone = [r for r in passed if r.half_width is None]
    words = (f"{min(counts)} to {max(counts)} samples a record, {median(counts):g} at the middle "
             f"one, {sum(counts)} in all.")
    if not alone:
        return words
    names = [f"{html.code(r.id)} on {html.code(r.case.label)} ({len(r.samples)})"
             for r in alone[:4]]
    more = f" and {len(alone) - 4} more" if len(alone) > 4 else ""
    return (f"{words} {html.mark(str(len(alone)), 'tie')} with too few for an interval: "
            f"{'; '.join(names)}{more}.")


def _processes(passed: list[Record]) -> str:
    several = [r for r in passed if (r.processes or 1) > 1]
    if not several:
        return ("Every record comes from one process: its interval does not know what differs from one "
                "process to the next.")
    counts = sorted({r.processes for r in several})
    words = " or ".join(map(str, counts))
    return (f"{len(several)} of {len(passed)} records come from {words} processes each, and their "
            "intervals hold what differs between these.")


def _runs(passed: list[Record]) -> str:
    moved = [abs(old.median_s / r.median_s - 1) for r in passed for old in r.earlier]
    again = sum(bool(r.earlier) for r in passed)
    if not again:
        return "Every record comes from one run; none was measured again in another."
    return (f"{again} of {len(passed)} records were measured in two runs or more: their medians "
            f"differ by {_percent(median(moved))} at the middle one, at most by "
            f"{_percent(max(moved))}. The others were measured in one run only.")


def _throttling(passed: list[Record]) -> str:
    told = [r for r in passed if r.throttled or (r.throttled is not None and r.state)]
    slowed = [r for r in told if r.throttled]
    if not told:
        return "Whether a device throttled was not recorded."
    if not slowed:
        return "No device throttled while it was measured."
    samples = sum(len(r.throttled) for r in slowed)
    return (f"{html.mark(f'{samples} samples in {len(slowed)} records', 'tie')} were taken while "
            f"the device throttled{_why(slowed)}.")


def _why(slowed: list[Record]) -> str:
    """How many samples each rule has flagged, one perhaps by several, and what the device named;
    records from before the rules were told apart have this alone."""
    names = sorted({str(w) for r in slowed for w in (r.state or {}).get("throttle") or []})
    named = f" ({html.text(', '.join(names))})" if names else ""
    by = {rule: sum(len((r.throttled_by or {}).get(rule) or ()) for r in slowed) for rule in RULES}
    words = [f"{n} {RULES[rule]}{named if rule == 'reason' else ''}" for rule, n in by.items() if n]
    return f": {', '.join(words)}" if words else named


def clocks(record: Record) -> list[float]:
    """The clock at each sample, else the one that stands for all; empty where unknown."""
    known = [c for c in record.clocks_mhz or [] if c]
    return known or [c for c in (record.sm_clock_mhz,) if c]


def _clocks(passed: list[Record]) -> str:
    by_device: dict[str, list[float]] = {}
    for r in passed:
        by_device.setdefault(r.device.slug, []).extend(clocks(r))
    words = [f"{html.text(slug)} {_range(values, 'MHz')}" if values else
             f"{html.text(slug)} unknown" for slug, values in by_device.items()]
    return f"Clock while measuring: {', '.join(words)}."


def _state(passed: list[Record]) -> str:
    states = [r.state for r in passed if r.state]
    words = [f"{name} {_range(values, unit)}" for name, key, unit in (
        ("power", "power_w", "W"), ("temperature", "temperature_c", "°C"),
        ("memory clock", "memory_clock_mhz", "MHz"))
        if (values := [v for s in states if isinstance(v := s.get(key), (int, float))])]
    return f"Machine while measuring: {', '.join(words)}." if words else ""


def _range(values: Iterable[float], unit: str) -> str:
    low, high = min(values), max(values)
    return f"{low:.4g} {unit}" if low == high else f"{low:.4g} to {high:.4g} {unit}"


def _interleaving(passed: list[Record]) -> str:
    orders = [ORDERS.get(order, html.text(order)) for order in
              dict.fromkeys(r.order for r in passed if r.order)]
    how = f" {' or '.join(orders)}" if orders else ""
    return (f"The variants of one case are sampled in turn{how}, so that a drifting clock or a "
            "busy neighbour hits all alike. No sample is dropped.")


def _percent(share: float) -> str:
    return f"{100 * share:.2g} %" if share < .1 else f"{100 * share:.0f} %"


def _closest(decisions: list[Decision]) -> list[Record] | None:
    """Pick and runner-up of the closest call where both have samples."""
    calls = [d for d in decisions if d.runner_up
             and min(len(d.pick.samples), len(d.runner_up.samples)) > 2]
    closest = min(calls, key=lambda d: d.margin, default=None)
    return [closest.pick, closest.runner_up] if closest else None


def _row(d: Decision) -> list[str]:
    r = d.pick
    width = r.half_width
    spread = (r.q3_s - r.q1_s) / 2 / r.median_s if r.q1_s and r.q3_s else None
    state, slowed = r.state or {}, len(r.throttled or [])
    machine = [f"{v:.3g} {unit}" for key, unit in (("power_w", "W"), ("temperature_c", "°C"))
               if isinstance(v := state.get(key), (int, float))]
    return [html.code(r.case.label), html.variant(r.id), str(len(r.samples)),
            "-" if width is None else f"±{_percent(width)}",
            "-" if spread is None else f"±{_percent(spread)}",
            STOPS.get(r.stop, html.text(r.stop or "-")),
            _range(clocks(r), "MHz") if clocks(r) else "-",
            str(slowed) if slowed or r.state else "-", ", ".join(machine) or "-",
            str(1 + len(r.earlier))]
