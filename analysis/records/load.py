# SPDX-License-Identifier: Apache-2.0
"""Record files in memory: JSON Lines read, runs paired with cases, superseded lines dropped."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Callable, Iterable

from . import cases, entries, lines, processes
from .errors import RecordsError
from .record import Counter, Device, Peak, Peer, Record, Records, Run, Scaling

SCHEMA, MAJORS = "ndft-results", ("1", "2")
RENAMED = {"unfit": "unsupported"}  # verdicts of older records
VENDORS = {backend: {"who": who, "version": None, "built": "native", "chosen": True}
           for backend, who in (("cpu", "FFTW"), ("cuda", "cuFFT, NVIDIA"))}


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


Keep = Callable[[Records], None]


def everything(paths: Iterable[str | Path]) -> Records:
    """All that files and folders hold, with what newer lines supersede, if it is anything at all."""
    records = Records()
    for path in files_of(paths):
        _read_file(path, records)
    return records


def load(paths: Iterable[str | Path], keep: Keep | None = None) -> Records:
    """Reads files and folders; raises RecordsError when there is nothing that can be used. keep
    leaves the records that count, and adds to the notes what it left out."""
    paths = list(paths)
    records = everything(paths)
    if not (records.every or records.scalings):
        raise RecordsError(f"{', '.join(map(str, paths))}: no case records")
    if keep:
        keep(records)
    records.cases = newest(records.cases, records.notes)
    records.transforms = newest(records.transforms, records.notes)
    records.others = newest(records.others, records.notes)
    _count(records)
    return records


def _count(records: Records) -> None:
    """Gives each record the counters of the same variant on the same case and device."""
    known = {(c.run.device("cuda").slug, c.case, c.id): c
             for c in sorted(records.counters, key=lambda c: c.run.started)}
    for record in records.every:
        record.counter = known.get((record.device.slug, record.case, record.id))


def _read_file(path: Path, records: Records) -> None:
    found = lines.read(path)
    cases.learn_of(line.plain for line in found if line.entry)
    orphans = 0
    for i, line in enumerate(found):
        if line.entry is None and not line.cut:
            raise RecordsError(f"{line.where}: {line.why}")
        if line.entry is None:
            what = "torn last line" if i == len(found) - 1 else "unreadable line"
            records.notes.append(f"{line.where}: {what} skipped")
            continue
        orphans += not _take(line.plain, line.where, path, records)
    if orphans:
        records.notes.append(f"{path}: {orphans} records skipped, their run line is missing")


def _take(entry: dict[str, Any], where: str, path: Path, records: Records) -> bool:
    """Files one line; False when it belongs to a run that was never announced."""
    kind = entry.get("type")
    if kind not in entries.TYPES:
        return True
    if kind == "run":
        check_schema(entry.get("schema"), where)
    entries.check(entry, where)
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
    elif kind == "scaling":
        records.scalings.append(_scaling(entry, run, where))
    else:
        record = _record(entry, run, path, where)
        records.of_kind(record.case.kind).append(record)
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


def _case(entry: dict[str, Any], where: str) -> cases.Case:
    try:
        return cases.of_record(entry)
    except cases.CaseError as error:
        raise RecordsError(f"{where}: {error}") from None


def _counter(entry: dict[str, Any], run: Run, where: str) -> Counter:
    return Counter(run, _case(entry, where), entry["variant"], entry.get("tool") or "",
                   _known(entry.get("measured")), _known(entry.get("model")),
                   entry.get("differs") or [], entry.get("kernels") or [])


def _peer(entry: dict[str, Any], run: Run, path: Path, where: str) -> Peer:
    return Peer(run, str(path), _case(entry, where), entry["backend"],
                f"{entry['peer']} {entry['version']}", entry["how"], entry["median_s"],
                entry["coil_pairs_per_s"], entry["rel_l2"])


def _scaling(entry: dict[str, Any], run: Run, where: str) -> Scaling:
    return Scaling(run, _case(entry, where), *(entry.get(name) for name in (
        "backend", "device", "gpus", "plain", "arrays", "variant", "split", "median_s", "efficiency")), entry)


def _known(amounts: dict[str, Any] | None) -> dict[str, float]:
    return {name: value for name, value in (amounts or {}).items() if value is not None}


def major_of(schema: Any) -> str:
    """"2" of "ndft-results/2.1"; empty for another schema."""
    name, _, version = str(schema).partition("/")
    return version.partition(".")[0] if name == SCHEMA else ""


def check_schema(schema: Any, where: str) -> None:
    """RecordsError for another schema, or another major number of it."""
    if major_of(schema) not in MAJORS:
        known = " and ".join(f"{SCHEMA}/{major}" for major in MAJORS)
        raise RecordsError(f"{where}: schema is {str(schema)[:60]}, but only {known} can be read")


def _run(entry: dict[str, Any]) -> Run:
    build = entry.get("build") or {}
    devices = {
        backend: Device(d.get("name") or "unknown", d.get("slug") or "unknown",
                        d.get("driver") or "", d)
        for backend, d in (entry.get("devices") or {}).items()
    }
    return Run(str(entry.get("run")), entry.get("started_utc") or "", entry.get("suite") or "",
               build.get("commit") or "", bool(build.get("dirty")), devices,
               int(entry.get("timing_version") or 1))


def _record(entry: dict[str, Any], run: Run, path: Path, where: str) -> Record:
    if entry["variant"].startswith("uniform_vendor.") and "peer" not in entry:  # it did not say so once
        entry = entry | {"peer": VENDORS.get(entry["backend"])}
    return Record(run, str(path), _case(entry, where), entry["variant"], entry["backend"],
                  RENAMED.get(entry["verdict"], entry["verdict"]), processes.joined(entry))


def _alike(a: Record, b: Record) -> bool:
    """The same measurement once more: of one build, by one clock."""
    return a.build_id == b.build_id and a.clock == b.clock


def newest(records: list[Record], notes: list[str]) -> list[Record]:
    """One record per key, and per machine, device, case, variant (a peer's native build and its
    others apart), mode and regime.

    A record without a mode was never timed, so its verdict stands for every mode, and one without a
    timing for every regime. That something was not built says nothing of it: a measurement stays.
    """
    by_key = {(r.key or id(r), r.run.id): r for r in sorted(records, key=lambda r: r.run.started)}
    newest: dict[tuple, dict[tuple | None, Record]] = {}
    for r in sorted(by_key.values(), key=lambda r: r.run.started):
        modes = newest.setdefault((r.run.machine, r.device.slug, r.case, r.id, r.native),
                                  {})
        if r.verdict == "not_built" and modes:
            continue
        if r.mode is None:
            modes.clear()
        modes.pop(None, None)
        for how in [how for how in modes if r.how and how[0] == r.mode]:
            if not (r.median_s and modes[how].median_s):
                modes.pop(how)
        known = modes.get(r.how)
        if known and known.ranks and r.ranks and _alike(known, r):
            r.earlier = [*known.earlier, known]
        modes[r.how] = r
    kept = [r for modes in newest.values() for r in modes.values()]
    if dropped := len(records) - len(kept):
        notes.append(f"{dropped} older records replaced by newer ones of the same measurement")
    return kept
