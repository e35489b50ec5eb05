# SPDX-License-Identifier: Apache-2.0
"""What became of one measurement between two sets of records: time, accuracy, memory, verdict."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

from . import ratio, times
from .pairing import Pair
from .rank import grouped
from .records.record import Record
from .records.runs import scatter
from .times import Times

VERDICTS = ("slower", "ambiguous", "missing", "faster", "new", "same")  # the most severe first
PAGE = 4096  # bytes; below one, memory grows by the allocator's rounding
EPS = {"f32": 2.0**-24, "f64": 2.0**-53}


@dataclass
class Change:
    """verdict is of the time; regressions are sentences, and none if nothing got worse."""

    pair: Pair
    verdict: str = "ambiguous"
    note: str = ""
    ratio: ratio.Ratio | None = None
    adjusted: float | None = None  # p of the ratio, corrected for the number of comparisons
    regressions: list[str] = field(default_factory=list)
    sides: tuple[Times, ...] = ()  # of A and B where both passed


def begin(pair: Pair, gate: float, cycles: bool) -> Change:
    """Everything about a pair that does not depend on the other pairs."""
    change = Change(pair)
    a, b = pair.a, pair.b
    passed_a, passed_b = (r is not None and r.verdict == "pass" for r in (a, b))
    if passed_a and b and not passed_b:
        reason = f" ({b.reason})" if b.reason else ""
        change.regressions.append(f"passed, and now {b.verdict}{reason}")
    if not passed_a or not passed_b:
        change.verdict, change.note = _untimed(a, b, passed_a, passed_b)
        return change
    change.regressions += _worse_accuracy(a, b) + _more_memory(a, b, gate)
    change.sides = times.of(a, cycles), times.of(b, cycles)
    if _runs(a) == _runs(b):
        change.verdict, change.note = "same", "the same record"
        change.ratio, change.adjusted = ratio.Ratio(1.0, 1.0, 1.0, 1.0), 1.0
        return change
    if doubts := [f"the times of {name} are {r.doubt}" for name, r in zip("AB", (a, b)) if r.doubt]:
        change.note, change.sides = " and ".join(doubts), ()
        return change
    few = [f"{name} has {len(t.samples)}" for name, t in zip("AB", change.sides) if not t.medians]
    if few:
        kind = "samples with a clock" if cycles else "samples"
        change.note = f"{ratio.ENOUGH} {kind} a side are needed, {' and '.join(few)}"
    else:
        change.note = ", ".join(f"{t.throttled} throttled samples of {name} left out"
                                for name, t in zip("AB", change.sides) if t.throttled)
    return change


def _runs(record: Record) -> list[dict]:
    return [*(earlier.raw for earlier in record.earlier), record.raw]


def _untimed(a: Record | None, b: Record | None, passed_a: bool,
             passed_b: bool) -> tuple[str, str]:
    """Verdict and note where one side or both have no time that counts."""
    if a is None:
        return "new", "" if passed_b else b.verdict
    if b is None:
        return "missing", "" if passed_a else f"{a.verdict} in A"
    if passed_a or passed_b:
        return ("missing", "") if passed_a else ("new", f"{a.verdict} in A")
    same = a.verdict == b.verdict
    return ("same", a.verdict) if same else ("ambiguous", f"{a.verdict} in A, {b.verdict} in B")


def _worse_accuracy(a: Record, b: Record) -> list[str]:
    """Beyond what other roundings of the same arithmetic give.

    The norm of independent roundings of n complex outputs scatters by 1 / sqrt(4 n) of itself; a
    quarter more and six of these on both sides is another error, unless it is a few roundings of
    one number.
    """
    if a.rel_l2 is None or b.rel_l2 is None:
        return []
    rounding = 4 * EPS.get(b.case.prec, 0.0)
    allowed = max(a.rel_l2 * (1.25 + 6 / math.sqrt(b.case.outputs)), rounding)
    return ([f"rel_l2 {a.rel_l2:.2e} -> {b.rel_l2:.2e}, more than rounding explains"]
            if b.rel_l2 > allowed else [])


def _more_memory(a: Record, b: Record, gate: float) -> list[str]:
    before, after = a.plan_bytes, b.plan_bytes
    if before is None or after is None or after <= before * (1 + gate) or after - before < PAGE:
        return []
    return [f"plan_bytes {before:.0f} -> {after:.0f}"]


def finish(changes: list[Change], gate: float) -> None:
    """Ratios of the times and the verdicts on them, corrected for how many there are."""
    timed = [c for c in changes
             if c.adjusted is None and c.sides and all(t.medians for t in c.sides)]
    between = {kind: scatter([t.medians for c in of_kind for t in c.sides])
               for kind, of_kind in grouped(timed, _kind).items()}
    for change in timed:
        a, b = (t.joined(between[_kind(change)]) for t in change.sides)
        change.ratio = ratio.of_medians(a, b, gate)
    for change, p in zip(timed, ratio.adjusted([c.ratio.p for c in timed])):
        change.adjusted = p
        change.verdict, why = _timed(change.ratio, p, gate, len(timed))
        change.note = ", ".join(filter(None, (why, change.note)))
        if change.verdict == "slower":
            change.regressions.insert(0, f"slower by {100 * (change.ratio.value - 1):.1f} %")


def _kind(change: Change) -> tuple:
    """Measurements whose runs scatter alike."""
    return change.pair.record.device.slug, change.pair.mode


def _timed(r: ratio.Ratio, p: float, gate: float, of: int) -> tuple[str, str]:
    """The verdict, and for the undecided why."""
    if p <= ratio.LEVEL:
        return ("slower" if r.value > 1 else "faster"), ""
    if 1 / (1 + gate) <= r.low and r.high <= 1 + gate:
        return "same", ""
    if r.low > 1 + gate or r.high < 1 / (1 + gate):
        return "ambiguous", f"not beyond chance among {of} comparisons (p = {p:.2f})"
    if r.high / r.low > (1 + gate)**2:
        return "ambiguous", "the interval is wider than the gate: more samples are needed"
    return "ambiguous", "the interval crosses the gate"
