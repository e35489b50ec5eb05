# SPDX-License-Identifier: Apache-2.0
"""Record files in memory: JSON Lines read, runs paired with cases, superseded lines dropped."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Iterable

from . import cases, kinds
from .record import FIELDS, Counter, Device, Peak, Peer, Record, Records, RecordsError, Run

ROOT = Path(__file__).resolve().parent.parent  # of the repository
SCHEMA, MAJOR = "ndft-results", 1

# What a field must be where it is there and not null; the fields of a case not named are numbers.
NUMBER = (int, float)
RUN_TYPES = {"started_utc": str, "suite": str, "build": dict, "devices": dict}
CASE_TYPES = dict.fromkeys(FIELDS, NUMBER) | dict.fromkeys(
    ("case", "variant", "backend", "verdict", "key", "reason", "mode", "order", "stop", "build_id",
     "bound", "phase"), str
) | dict.fromkeys(("knobs", "ablates", "cost", "state", "phases_s", "bounds_s", "structure"), dict
) | dict.fromkeys(("samples_s", "clocks_mhz", "throttled"), list)
PEAK_TYPES = {"resource": str, "value": NUMBER, "backend": str, "spread": NUMBER,
              "clock_mhz": NUMBER, "unit": str, "note": str}
COUNTER_TYPES = {"case": str, "variant": str, "tool": str, "measured": dict, "model": dict,
                 "differs": list}
PEER_TYPES = {"case": str, "backend": str, "peer": str, "version": str, "how": str,
              "rel_l2": NUMBER, "median_s": NUMBER, "coil_pairs_per_s": NUMBER}
TYPES = {"run": RUN_TYPES, "case": CASE_TYPES, "peak": PEAK_TYPES, "counter": COUNTER_TYPES,
         "peer": PEER_TYPES}
# Lists and objects whose every element is a number or null.
NUMBERS_IN = ("samples_s", "clocks_mhz", "throttled", "cost", "phases_s", "bounds_s", "measured",
              "model")
NAMES = {str: "text", dict: "an object", list: "a list", NUMBER: "a number"}


def files_of(paths: Iterable[str | Path]) -> list[Path]:
    """The named files, and every *.jsonl below the named folders, in a stable order."""
    found: list[Path] = []
    for path in map(Path, paths):
        if path.is_dir():
            found += sorted(path.rglob("*.jsonl"))
        elif path.exists():
            found.append(path)
        else:
            raise RecordsError(f"{path}: no such file or folder")
    if not found:
        raise RecordsError(f"no *.jsonl files in {', '.join(map(str, paths))}")
    return list(dict.fromkeys(found))


def load(paths: Iterable[str | Path]) -> Records:
    """Reads files and folders; raises RecordsError when there is nothing that can be used."""
    paths = list(paths)
    records = Records()
    for path in files_of(paths):
        _read_file(path, records)
    if not records.cases and not records.transforms:
        raise RecordsError(f"{', '.join(map(str, paths))}: no case records")
    records.cases = _newest(records.cases, records.notes)
    records.transforms = _newest(records.transforms, records.notes)
    return records


def _read_file(path: Path, records: Records) -> None:
    lines = path.read_text(encoding="utf-8", errors="replace").split("\n")
    last = max((i for i, line in enumerate(lines) if line.strip()), default=-1)
    orphans = 0
    for i, line in enumerate(lines[: last + 1]):
        if not line.strip():
            continue
        try:
            entry = json.loads(line, parse_constant=lambda _: None)
            if not isinstance(entry, dict):
                raise ValueError
        except ValueError:
            torn = "torn last line" if i == last else "unreadable line"
            records.notes.append(f"{path}:{i + 1}: {torn} skipped")
            continue
        orphans += not _take(entry, f"{path}:{i + 1}", path, records)
    if orphans:
        records.notes.append(f"{path}: {orphans} records skipped, their run line is missing")


def _take(entry: dict[str, Any], where: str, path: Path, records: Records) -> bool:
    """Files one line; False when it belongs to a run that was never announced."""
    kind = entry.get("type")
    if kind not in TYPES:
        return True
    if kind == "run":
        check_schema(entry.get("schema"), where)
    _check_types(entry, TYPES[kind], where)
    if kind == "run":
        records.runs[str(entry.get("run"))] = _run(entry)
        return True
    run = records.runs.get(str(entry.get("run")))
    if run is None:
        return False
    if kind == "peak":
        _take_peak(entry, run, records)
    elif kind == "counter":
        records.counters.append(_counter(entry, run, where))
    elif kind == "peer":
        records.peers.append(_peer(entry, run, path, where))
    else:
        record = _record(entry, run, path, where)
        nonuniform = isinstance(record.case, cases.Case)
        (records.cases if nonuniform else records.transforms).append(record)
    return True


def _take_peak(entry: dict[str, Any], run: Run, records: Records) -> None:
    """The ceilings of the newest run count."""
    device = run.devices.get(entry.get("backend") or "cuda")
    if not (device and entry.get("resource")):
        return
    known = records.peaks.get((device.slug, entry["resource"]))
    if known is None or known.run.started <= run.started:
        records.peaks[device.slug, entry["resource"]] = Peak(
            run, device, entry["resource"], entry.get("value"), entry.get("spread"),
            entry.get("clock_mhz"), entry.get("unit") or "", entry.get("note") or "")


def _counter(entry: dict[str, Any], run: Run, where: str) -> Counter:
    try:
        return Counter(run, kinds.parse(entry["case"]), entry["variant"], entry.get("tool") or "",
                       _known(entry.get("measured")), _known(entry.get("model")),
                       [str(name) for name in entry.get("differs") or []])
    except KeyError as missing:
        raise RecordsError(f"{where}: the counter lacks {missing}") from None
    except cases.CaseError as error:
        raise RecordsError(f"{where}: {error}") from None


def _peer(entry: dict[str, Any], run: Run, path: Path, where: str) -> Peer:
    try:
        return Peer(run, str(path), cases.parse(entry["case"]), entry["backend"],
                    f"{entry['peer']} {entry['version']}", entry["how"], entry["median_s"],
                    entry["coil_pairs_per_s"], entry["rel_l2"])
    except KeyError as missing:
        raise RecordsError(f"{where}: the peer lacks {missing}") from None
    except cases.CaseError as error:
        raise RecordsError(f"{where}: {error}") from None


def _known(amounts: dict[str, Any] | None) -> dict[str, float]:
    return {name: value for name, value in (amounts or {}).items() if value is not None}


def check_schema(schema: Any, where: str) -> None:
    """RecordsError for another schema, or another major number of it."""
    name, _, version = str(schema).partition("/")
    if name != SCHEMA or version.partition(".")[0] != str(MAJOR):
        raise RecordsError(f"{where}: schema is {schema}, but only {SCHEMA}/{MAJOR} can be read")


def _check_types(entry: dict[str, Any], types: dict[str, Any], where: str) -> None:
    for name, kind in types.items():
        value = entry.get(name)
        if value is not None and not isinstance(value, kind):
            raise RecordsError(f"{where}: {name} is {value!r}, not {NAMES[kind]}")
        if value and name in NUMBERS_IN:
            for item in value.values() if kind is dict else value:
                if item is not None and not isinstance(item, NUMBER):
                    raise RecordsError(f"{where}: {name} holds {item!r}, not a number")


def _run(entry: dict[str, Any]) -> Run:
    build = entry.get("build") or {}
    devices = {
        backend: Device(d.get("name", "unknown"), d.get("slug", "unknown"), d.get("driver") or "")
        for backend, d in (entry.get("devices") or {}).items()
    }
    return Run(str(entry.get("run")), entry.get("started_utc") or "", entry.get("suite") or "",
               build.get("commit") or "", bool(build.get("dirty")), devices)


def _record(entry: dict[str, Any], run: Run, path: Path, where: str) -> Record:
    try:
        return Record(run, str(path), kinds.parse(entry["case"]), entry["variant"],
                      entry["backend"], entry["verdict"], entry)
    except KeyError as missing:
        raise RecordsError(f"{where}: the record lacks {missing}") from None
    except cases.CaseError as error:
        raise RecordsError(f"{where}: {error}") from None


def _newest(records: list[Record], notes: list[str]) -> list[Record]:
    """One record per key, and per machine, device, case, variant and mode.

    A record without a mode was never timed, so its verdict stands for every mode.
    """
    by_key = {(r.key or id(r), r.run.id): r for r in sorted(records, key=lambda r: r.run.started)}
    newest: dict[tuple, dict[str | None, Record]] = {}
    for r in sorted(by_key.values(), key=lambda r: r.run.started):
        modes = newest.setdefault((r.run.machine, r.device.slug, r.case, r.id), {})
        if r.mode is None:
            modes.clear()
        modes.pop(None, None)
        known = modes.get(r.mode)
        if known and known.ranks and r.ranks and known.build_id == r.build_id:
            r.earlier = [*known.earlier, known]
        modes[r.mode] = r
    kept = [r for modes in newest.values() for r in modes.values()]
    if dropped := len(records) - len(kept):
        notes.append(f"{dropped} older records replaced by newer ones of the same measurement")
    return kept
