# SPDX-License-Identifier: Apache-2.0
"""Record files in memory: JSON Lines read, runs paired with cases, superseded lines dropped."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Iterable

from . import cases

ROOT = Path(__file__).resolve().parent.parent  # of the repository
SCHEMA, MAJOR = "ndft-results", 1
FIELDS = frozenset((
    "key", "knobs", "threads", "reason", "rel_l2", "max_err", "claim", "adjoint_err", "mode",
    "samples_s", "median_s", "q1_s", "q3_s", "ci_lo_s", "ci_hi_s", "stop", "coil_pairs_per_s",
    "cost", "plan_s", "plan_bytes", "sm_clock_mhz", "build_id"))

# What a field must be where it is there and not null; the fields of a case not named are numbers.
NUMBER = (int, float)
RUN_TYPES = {"started_utc": str, "suite": str, "build": dict, "devices": dict}
CASE_TYPES = dict.fromkeys(FIELDS, NUMBER) | dict.fromkeys(
    ("case", "variant", "backend", "verdict", "key", "reason", "mode", "stop", "build_id"), str
) | {"knobs": dict, "cost": dict, "samples_s": list}
PEAK_TYPES = {"resource": str, "value": NUMBER, "backend": str}
NAMES = {str: "text", dict: "an object", list: "a list", NUMBER: "a number"}


class RecordsError(Exception):
    """The records cannot be used; the message says which file and why."""


@dataclass(frozen=True)
class Device:
    name: str
    slug: str
    driver: str


@dataclass
class Run:
    """One run header; machine is the slug that names its folder under results/."""

    id: str
    started: str
    suite: str
    commit: str
    dirty: bool
    devices: dict[str, Device]

    @property
    def machine(self) -> str:
        device = self.devices.get("cuda") or next(iter(self.devices.values()), None)
        return device.slug if device else "unknown"


@dataclass
class Record:
    """One measured (or refused) case; times in s, rate in coil_pairs/s, null where unmeasured."""

    run: Run
    source: str
    case: cases.Case
    id: str
    backend: str
    verdict: str
    raw: dict[str, Any]

    def __getattr__(self, name: str) -> Any:
        """The other fields by their names in the schema; None where unmeasured or absent."""
        if name not in FIELDS:
            raise AttributeError(name)
        return self.raw.get(name)

    @property
    def variant_name(self) -> str:
        """NAME.BACKEND, the id without its knobs."""
        return self.id.partition(":")[0]

    @property
    def family(self) -> str:
        return self.variant_name.rpartition(".")[0] or self.variant_name

    @property
    def device(self) -> Device:
        return self.run.devices.get(self.backend, Device("unknown", "unknown", ""))

    @property
    def ranks(self) -> bool:
        """Only a pass with a timing may rank, win or be drawn."""
        return (self.verdict == "pass" and bool(self.median_s and self.median_s > 0)
                and bool(self.coil_pairs_per_s and self.coil_pairs_per_s > 0))

    @property
    def interval(self) -> tuple[float, float]:
        """Interval of the median in s; the median itself where none was recorded."""
        return (self.ci_lo_s or self.median_s, self.ci_hi_s or self.median_s)

    def rate_at(self, seconds: float | None) -> float:
        """coil_pairs/s if one execution took this many seconds."""
        return self.coil_pairs_per_s * self.median_s / (seconds or self.median_s)


@dataclass
class Records:
    """Everything that was read; notes says what was left out and why."""

    cases: list[Record] = field(default_factory=list)
    runs: dict[str, Run] = field(default_factory=dict)
    peaks: dict[tuple[str, str], float] = field(default_factory=dict)  # (slug, resource) -> 1/s
    notes: list[str] = field(default_factory=list)

    @property
    def ranked(self) -> list[Record]:
        return [record for record in self.cases if record.ranks]


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
    if not records.cases:
        raise RecordsError(f"{', '.join(map(str, paths))}: no case records")
    _keep_newest(records)
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
    if kind == "run":
        _check_schema(entry.get("schema"), where)
        _check_types(entry, RUN_TYPES, where)
        records.runs[str(entry.get("run"))] = _run(entry)
        return True
    if kind not in ("case", "peak"):
        return True
    run = records.runs.get(str(entry.get("run")))
    if run is None:
        return False
    _check_types(entry, PEAK_TYPES if kind == "peak" else CASE_TYPES, where)
    if kind == "peak":
        device = run.devices.get(entry.get("backend", "cuda"))
        if device and entry.get("value") and entry.get("resource"):
            records.peaks[device.slug, entry["resource"]] = float(entry["value"])
    else:
        records.cases.append(_record(entry, run, path, where))
    return True


def _check_schema(schema: Any, where: str) -> None:
    name, _, version = str(schema).partition("/")
    if name != SCHEMA or version.partition(".")[0] != str(MAJOR):
        raise RecordsError(f"{where}: schema is {schema}, but only {SCHEMA}/{MAJOR} can be read")


def _check_types(entry: dict[str, Any], types: dict[str, Any], where: str) -> None:
    for name, kind in types.items():
        value = entry.get(name)
        if value is not None and not isinstance(value, kind):
            raise RecordsError(f"{where}: {name} is {value!r}, not {NAMES[kind]}")


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
        case = cases.parse(entry["case"])
        return Record(run, str(path), case, entry["variant"], entry["backend"],
                      entry["verdict"], entry)
    except KeyError as missing:
        raise RecordsError(f"{where}: the record lacks {missing}") from None
    except cases.CaseError as error:
        raise RecordsError(f"{where}: {error}") from None


def _keep_newest(records: Records) -> None:
    """One record per key, and per machine, device, case, variant and mode.

    A record without a mode was never timed, so its verdict stands for every mode.
    """
    total = len(records.cases)
    records.cases.sort(key=lambda r: r.run.started)
    by_key = {r.key or id(r): r for r in records.cases}
    newest: dict[tuple, dict[str | None, Record]] = {}
    for r in sorted(by_key.values(), key=lambda r: r.run.started):
        modes = newest.setdefault((r.run.machine, r.device.slug, r.case, r.id), {})
        if r.mode is None:
            modes.clear()
        modes.pop(None, None)
        modes[r.mode] = r
    records.cases = [r for modes in newest.values() for r in modes.values()]
    if dropped := total - len(records.cases):
        records.notes.append(f"{dropped} older records replaced by newer ones of the same "
                             "measurement")
