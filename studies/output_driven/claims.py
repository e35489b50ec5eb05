# SPDX-License-Identifier: Apache-2.0
"""What the paper claims, and what the records say to it: verdicts by rule, with their figures.

A rule gives the ratios that the claim says exceed 1. It holds where all do, is refuted where none does, holds with
a difference where some do, or where the rule names a difference, and is open where nothing was measured.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from analysis import rank, table
from analysis.records.record import Record

from . import knobs
from .lineup import IMPROVED, SCHEME, SETTINGS, WRITTEN, Lineup, has, in_mode, lineups
from .wins import SAME, span

HOLDS, DIFFERS, REFUTED, OPEN = "holds", "holds with a difference", "refuted", "open"


@dataclass(frozen=True)
class Evidence:
    """Of one device."""

    records: list[Record]
    lines: list[Lineup]

    def ratios(self, slow: str, fast: str) -> list[float]:
        return [r for line in self.lines if (r := line.ratio(slow, fast))]


Finding = tuple[str, str]  # verdict, figures
Rule = Callable[[Evidence], Finding]


def judged(ratios: list[float], same: float = 1.0) -> str:
    """By how many ratios exceed `same`."""
    above = sum(ratio > same for ratio in ratios)
    return OPEN if not ratios else HOLDS if above == len(ratios) else DIFFERS if above else REFUTED


def fewer_atomics(seen: Evidence) -> Finding:
    """Adding each cell of each point to the grid takes longer than by way of tiles."""
    ours, written = seen.ratios("scatter", IMPROVED), seen.ratios("scatter", WRITTEN)
    theirs = seen.ratios("cuFINUFFT 1", "cuFINUFFT 3")
    return judged(written + theirs), _said(
        ("scatter beside as written", written), ("beside improved", ours), ("cuFINUFFT 1 beside 3", theirs))


def no_shared_atomics(seen: Evidence) -> Finding:
    """Every result passed its check, and the code has no atomic in shared memory."""
    count = sum(r.family == SCHEME for r in seen.records)
    return (HOLDS if count else OPEN), f"{count} results pass without one" if count else ""


def collaborating(seen: Evidence) -> Finding:
    """Threads that share a point beat threads that compete for cells: the method of subproblems takes longer."""
    single, double = ([r for line in seen.lines if line.case.prec == prec
                       and (r := line.ratio("subproblem", IMPROVED))] for prec in ("f32", "f64"))
    theirs = seen.ratios("cuFINUFFT 2", "cuFINUFFT 3")
    return judged(single + double + theirs), _said(
        ("cuFINUFFT 2 beside 3", theirs), ("subproblem beside improved in f32", single), ("in f64", double))


def batching(seen: Evidence) -> Finding:
    """Np sets the shared memory and is worth tuning: the worst of 1 to 64 takes longer than the best."""
    sweeps = knobs.sweeps(seen.records, "np")
    ranges = [max(knobs.slowdown(s, value, knobs.best(s)) for value in s) for s in sweeps.values()]
    found = [f"{key[1].dim}D{' ' + key[2] if key[2] else ''} {knobs.best(s)}" for key, s in sweeps.items()]
    return judged(ranges, SAME), _said(("worst np beside the best", ranges), more=found and f"best {', '.join(found)}")


def padding(seen: Evidence) -> Finding:
    """A tile needs 2 ceil(ns / 2) cells beyond its own. Cells that start in a tile end width - 1 beyond: what
    passes with as many says that the formula is more than needed."""
    pairs = rank.grouped((r for r in seen.records if _written_but(r, "padding")), lambda r: r.case)
    ratios, least = [], 0
    for some in pairs.values():
        by = {r.knobs["padding"]: r.median_s for r in some}
        least += "least" in by
        if len(by) == 2:
            ratios.append(by["published"] / by["least"])
    if not least:
        return OPEN, ""
    return DIFFERS, _said((f"width - 1 suffices in {least} cases; as published beside it", ratios))


def write_back(seen: Evidence) -> Finding:
    """Amortised over many points: from 1024 points a block on nothing is gained by more."""
    sweeps = knobs.sweeps(seen.records, "most").values()
    left = [r for s in sweeps if (r := knobs.slowdown(s, 1024, 4096))]
    small = [r for s in sweeps if (r := knobs.slowdown(s, 64, 1024))]
    return judged([SAME / r for r in left]), _said(
        ("1024 points a block beside 4096", left), ("64 beside 1024", small))


def barriers(seen: Evidence) -> Finding:
    """Barriers keep the sums right; where a warp has its tile none of a block is needed, so that what they cost is
    a difference."""
    pairs = rank.grouped((r for r in seen.records if _written_but(r, "barrier", padding="least")), lambda r: r.case)
    ratios = []
    for some in pairs.values():
        by = {r.knobs["barrier"]: r.median_s for r in some}
        if len(by) == 2:
            ratios.append(by["point"] / by["batch"])
    verdict = OPEN if not ratios else DIFFERS if max(ratios) > SAME else HOLDS
    return verdict, _said(("a barrier after each point beside a tile for a warp", ratios))


CLAIMS: dict[str, Rule] = {
    "tiles in shared memory make fewer atomics to the grid": fewer_atomics,
    "the tile needs no atomics": no_shared_atomics,
    "threads collaborate on a point rather than compete for cells": collaborating,
    "batches of Np points bound the memory and are worth tuning": batching,
    "a tile is padded by 2((ns+1)/2) cells": padding,
    "the write-back is amortised over many points": write_back,
    "points in parallel, then cells in parallel, with barriers between": barriers,
}


def claims(records: list[Record], _: Path) -> str:
    """A row for each claim, of devices on which the scheme runs as written."""
    parts = []
    for device, mine in rank.grouped(in_mode(records), lambda r: r.device.slug).items():
        if not any(r.family == SCHEME and "barrier" in r.knobs for r in mine):
            continue
        seen = Evidence(mine, lineups(mine))
        rows = [[claim, *rule(seen)] for claim, rule in CLAIMS.items()]
        parts += [f"**{device}**", table.markdown_table(["claim", "verdict", "times as long"], rows)]
    return "\n\n".join(parts)


def _written_but(record: Record, knob: str, **other: object) -> bool:
    """Whether it is the scheme as written but for this knob, and others that are given."""
    settings = SETTINGS["cuda"][WRITTEN] | other
    return (record.family == SCHEME and record.case.op == "adjoint" and knob in record.knobs
            and has(record, {k: v for k, v in settings.items() if k != knob}))


def _said(*ratios: tuple[str, list[float]], more: str | list = "") -> str:
    said = [f"{what} {span(some)} ({len(some)})" for what, some in ratios if some]
    return "; ".join(said + ([more] if more else []))
