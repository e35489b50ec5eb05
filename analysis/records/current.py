# SPDX-License-Identifier: Apache-2.0
"""Which records count, for README, goals and report alike.

Of a clean tree, where the device has any such; of the newest timing version that there is on the
case, since another clock's times cannot stand beside them, for goals of the newest on the device;
of the newest build of each variant; steady before burst where a case has both in a mode, for goals
where a variant has both, since a goal asks for one variant's rate or for two of one run. What is
left out is counted and said, and what counts although it should not, for want of better. Records in
doubt, of two modes or host-bound, stay and never rank.
"""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path
from typing import Callable, Iterable

from . import load as files
from .load import ROOT
from .record import STEADY, Record, Records

CLOCK = ROOT / "harness/measure/timing_version.h"


def _device(record: Record) -> str:
    return record.device.slug


def _case(record: Record) -> tuple[str, str]:
    return record.device.slug, record.case


def _in_a_mode(record: Record) -> tuple[str, str, str]:
    return *_case(record), record.mode


def load(paths: Iterable[str | Path]) -> Records:
    """As load.load, of what counts."""
    return files.load(paths, keep)


def keep(records: list[Record], notes: list[str], steady: Callable = _in_a_mode) -> list[Record]:
    """Those that count; adds a sentence to notes for each reason that others were left out for.

    steady: of what steady records replace bursts.
    """
    for choose, why in ((_clean, "of trees with local changes"),
                        (_of_the_clock, "of an older clock than others of their case"),
                        (_newest_build, "of older builds of their variants"),
                        (lambda them: _steady(them, steady),
                         "bursts, of what was measured steadily")):
        kept = choose(records)
        if len(kept) < len(records):
            notes.append(f"{len(records) - len(kept)} records left out: {why}")
        records = kept
    for doubt, why in (("of two modes", "samples or processes are of two modes"),
                       ("host-bound", "device waited for the host in most samples")):
        if n := sum(r.doubt == doubt for r in records):
            notes.append(f"{n} records do not rank: their {why}")
    notes += doubts(records)
    return records


def keep_for_goals(records: list[Record], notes: list[str]) -> list[Record]:
    """The same by a device's newest clock alone; names the suites of which nothing is left."""
    newest = _newest_version(records, _device)
    of_it = [r for r in records if r.clock == newest[_device(r)]]
    if len(of_it) < len(records):
        notes.append(f"{len(records) - len(of_it)} records left out: of an older clock than others "
                     "of their device")
    kept = keep(of_it, notes, lambda r: (*_in_a_mode(r), r.variant_name))
    if gone := sorted(_suites(records) - _suites(kept)):
        notes.append(f"nothing is left of the suites {', '.join(gone)}: goals that rest on them "
                     "are unmeasured until these are swept again")
    return kept


def _suites(records: Iterable[Record]) -> set[str]:
    return {r.run.suite for r in records if r.run.suite}


def timing_version() -> int | None:
    """Of this checkout's clock; None where its sources are not there."""
    try:
        found = re.search(r"NDFT_TIMING_VERSION = (\d+)", CLOCK.read_text(encoding="utf-8"))
    except OSError:
        return None
    return int(found[1]) if found else None


def doubts(records: Iterable[Record]) -> list[str]:
    """Sentences on devices that have no better records than of an older clock or a changed tree."""
    now, records = timing_version(), list(records)
    versions = _newest_version(records, _case)
    older = Counter((slug, version) for (slug, _), version in versions.items()
                    if now and version < now)
    cases = Counter(slug for slug, _ in versions)
    found = [f"{slug}: {count} of {cases[slug]} cases by timing version {version}, an older clock "
             f"than this checkout's {now}" + ("; what it calls batch are bursts" * (version == 1))
             for (slug, version), count in sorted(older.items())]
    dirty = sorted({r.device.slug for r in records if r.run.dirty})
    return found + [f"{slug}: measured with local changes, nothing else is there" for slug in dirty]


def _clean(records: list[Record]) -> list[Record]:
    clean = {r.device.slug for r in records if not r.run.dirty}
    return [r for r in records if not (r.run.dirty and r.device.slug in clean)]


def _newest_version(records: Iterable[Record], place: Callable) -> dict:
    newest: dict = {}
    for r in records:
        newest[place(r)] = max(newest.get(place(r), 0), r.clock)
    return newest


def _of_the_clock(records: list[Record]) -> list[Record]:
    newest = _newest_version(records, _case)
    return [r for r in records if r.clock == newest[_case(r)]]


def _build(record: Record) -> tuple:
    """What was run; of a peer its library, too, unless it is the toolchain's."""
    peer = {} if record.may_be_chosen else record.peer
    return record.build_id, peer.get("version"), peer.get("built")


def _newest_build(records: list[Record]) -> list[Record]:
    """Where a peer was not built there is none of its builds, only what it would have been."""
    built = sorted((r for r in records if r.build_id and r.verdict != "not_built"),
                   key=lambda r: r.run.started)
    builds = {r.variant_name: _build(r) for r in built}
    return [r for r in records
            if not r.build_id or _build(r) == builds.get(r.variant_name, _build(r))]


def _steady(records: list[Record], place: Callable) -> list[Record]:
    steady = {place(r) for r in records if r.ranks and r.regime == STEADY}
    return [r for r in records if r.regime == STEADY or place(r) not in steady]
