# SPDX-License-Identifier: Apache-2.0
"""Which records count, for README, goals, select, model and report alike.

Those of this checkout's timing version, since another clock's times cannot stand beside them; of a
clean tree, where the device has any such; of the newest build of each variant; steady before burst
where a case has both in a mode, for goals where a variant has both, since a goal asks for one
variant's rate or for two of one run, and for the first table, which marks bursts. Other software's own measurements (torch) keep the first two.
What is left out is counted and said, and what counts although it should not, for want of better.
Records in doubt, of two modes, host-bound or of a shared device, stay and never rank.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Callable, Iterable

from ..program import ROOT
from . import load as files
from .record import STEADY, Record, Records

CLOCK = ROOT / "harness/measure/timing_version.h"


def in_a_mode(record: Record) -> tuple[str, str, str]:
    return record.device.slug, record.case, record.mode


def of_a_variant(record: Record) -> tuple[str, str, str, str]:
    return *in_a_mode(record), record.variant_name


def load(paths: Iterable[str | Path], steady: Callable = in_a_mode) -> Records:
    """As load.load, of what counts."""
    return files.load(paths, lambda records: keep(records, steady))


def keep(records: Records, steady: Callable = in_a_mode) -> None:
    """Leaves those that count; adds a sentence to the notes for each reason that others were left out
    for, and for each device of which none is left.

    steady: of what steady records replace bursts.
    """
    devices, clean = {r.device.slug for r in records.every}, _clean_devices(records.every)

    def of_clean_trees(them: list) -> list:
        return [r for r in them if not (r.run.dirty and r.device.slug in clean)]

    records.peers = of_clean_trees(_of_this_clock(records.peers))
    records.scalings = _of_this_clock(records.scalings)
    every, notes = records.every, records.notes
    for choose, why in ((_of_this_clock, f"of another clock than this checkout's timing version {timing_version()}"),
                        (of_clean_trees, "of trees with local changes"),
                        (_newest_build, "of older builds of their variants"),
                        (lambda them: _steady(them, steady), "bursts, of what was measured steadily")):
        kept = choose(every)
        if len(kept) < len(every):
            notes.append(f"{len(every) - len(kept)} records left out: {why}")
        every = kept
    records.cases, records.transforms, records.others = [], [], []
    for r in every:
        records.of_kind(r.case.kind).append(r)
    notes += _doubts(every)
    notes += [f"{slug}: nothing was measured by this clock" for slug in sorted(devices - {r.device.slug for r in every})]


def keep_for_goals(records: Records) -> None:
    """The same; names the suites of which nothing is left."""
    before = _suites(records.every)
    keep(records, of_a_variant)
    if gone := sorted(before - _suites(records.every)):
        records.notes.append(f"nothing is left of the suites {', '.join(gone)}: goals that rest on "
                             "them are unmeasured until these are swept again")


def _suites(records: Iterable[Record]) -> set[str]:
    return {r.run.suite for r in records if r.run.suite}


@cache
def timing_version() -> int:
    """Of this checkout's clock."""
    return int(re.search(r"NDFT_TIMING_VERSION = (\d+)", CLOCK.read_text(encoding="utf-8"))[1])


def _of_this_clock(records: list) -> list:
    return [r for r in records if r.clock == timing_version()]


def _doubts(records: list[Record]) -> list[str]:
    """Of records that stay and do not rank, and of devices that have none of a clean tree."""
    said = (("of a shared device", "device worked for another program meanwhile"),
            ("of two modes", "samples or processes are of two modes"),
            ("host-bound", "device waited for the host in most samples"))
    counts = ((sum(r.doubt == doubt for r in records), why) for doubt, why in said)
    dirty = sorted({r.device.slug for r in records if r.run.dirty})
    return ([f"{n} records do not rank: their {why}" for n, why in counts if n]
            + [f"{slug}: measured with local changes, nothing else is there" for slug in dirty])


def _clean_devices(records: list[Record]) -> set[str]:
    """That have records of this clock and of a clean tree."""
    return {r.device.slug for r in _of_this_clock(records) if not r.run.dirty}


def build_of(record: Record) -> tuple:
    """What was run; of a peer its library, too, unless it is the toolchain's."""
    peer = {} if record.may_be_chosen else record.peer
    return record.build_id, peer.get("version"), peer.get("built")


def _newest_build(records: list[Record]) -> list[Record]:
    """Where a peer was not built there is none of its builds, only what it would have been."""
    built = sorted((r for r in records if r.build_id and r.verdict != "not_built"),
                   key=lambda r: r.run.started)
    builds = {(r.device.slug, r.variant_name): build_of(r) for r in built}
    return [r for r in records
            if not r.build_id or build_of(r) == builds.get((r.device.slug, r.variant_name), build_of(r))]


def _steady(records: list[Record], place: Callable) -> list[Record]:
    steady = {place(r) for r in records if r.ranks and r.regime == STEADY}
    return [r for r in records if r.regime == STEADY or place(r) not in steady]
