# SPDX-License-Identifier: Apache-2.0
"""The suite seed002 beside what was printed, in markdown.

T. S. Sorensen, T. Schaeffter, K. O. Noe, M. S. Hansen,
IEEE Trans. Med. Imaging 27, 2008, Tables I to IV.

    ./ndft study gridding_2008 tables FILE|DIR...

Seconds of one execution. Convolution and total for the Gaussian on line (G), a window from a table
(L, here Kaiser-Bessel's) and Kaiser-Bessel on line (KB); FFT and deapodisation do not depend on it.
Printed stages are sums of what was timed apart; ours are those of the timing mode stages, totals of
batch.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import Callable

from analysis import rank, table
from analysis.plots import style
from analysis.records import load
from analysis.records.cases import Case
from analysis.records.errors import RecordsError
from analysis.records.record import Record

SUITE = "seed002"
SIZES = (128, 256, 512)
WINDOWS = {"G": ("gaussian", "polynomial"), "L": ("kb", "table"), "KB": ("kb", "polynomial")}
HEAD = ["", "convolution G", "L", "KB", "FFT", "deapodisation", "total G", "L", "KB"]
CPU, GPU = "2007, NFFT 3.0 on a Xeon", "2007, FireStream 2U"

# Convolution G, L, KB; FFT; deapodisation; total G, L, KB.
PRINTED: dict[tuple[str, str, int], dict[str, tuple[float | None, ...]]] = {
    ("forward", "spiral", 128): {
        CPU: (None, 3.3e-2, None, 1.7e-3, 7.6e-4, None, 3.7e-2, None),
        GPU: (1.0e-3, None, 1.3e-3, 3.6e-3, 1.9e-4, 5.4e-3, None, 5.6e-3)},
    ("forward", "spiral", 256): {
        CPU: (None, 1.7e-1, None, 1.6e-2, 3.0e-3, None, 1.9e-1, None),
        GPU: (3.5e-3, None, 4.0e-3, 1.1e-2, 5.2e-4, 1.6e-2, None, 1.7e-2)},
    ("forward", "spiral", 512): {
        CPU: (None, 1.0, None, 7.2e-2, 1.2e-2, None, 1.2, None),
        GPU: (1.3e-2, None, 1.5e-2, 4.5e-2, 2.2e-3, 6.3e-2, None, 6.5e-2)},
    ("forward", "radial", 128): {
        CPU: (None, 3.3e-2, None, 1.7e-3, 7.6e-4, None, 3.7e-2, None),
        GPU: (1.4e-3, None, 1.8e-3, 2.9e-3, 1.7e-4, 4.9e-3, None, 5.3e-3)},
    ("forward", "radial", 256): {
        CPU: (None, 1.7e-1, None, 1.6e-2, 3.0e-3, None, 1.9e-1, None),
        GPU: (5.0e-3, None, 5.8e-3, 1.1e-2, 5.2e-4, 1.7e-2, None, 1.8e-2)},
    ("forward", "radial", 512): {
        CPU: (None, 1.0, None, 7.2e-2, 1.2e-2, None, 1.2, None),
        GPU: (1.8e-2, None, 2.1e-2, 4.4e-2, 2.2e-3, 6.8e-2, None, 7.0e-2)},
    ("adjoint", "spiral", 128): {
        CPU: (None, 3.8e-2, None, 1.8e-3, 7.5e-4, None, 4.0e-2, None),
        GPU: (1.1e-3, 1.8e-3, 1.6e-3, 3.9e-3, 2.2e-4, 5.2e-3, 6.6e-3, 6.2e-3)},
    ("adjoint", "spiral", 256): {
        CPU: (None, 1.9e-1, None, 1.8e-2, 3.0e-3, None, 2.1e-1, None),
        GPU: (3.5e-3, 5.2e-3, 5.1e-3, 1.0e-2, 5.0e-4, 1.4e-2, 1.9e-2, 1.6e-2)},
    ("adjoint", "spiral", 512): {
        CPU: (None, 1.1, None, 7.4e-2, 1.2e-2, None, 1.3, None),
        GPU: (1.3e-2, 1.8e-2, 1.8e-2, 4.5e-2, 2.3e-3, 6.4e-2, 6.9e-2, 6.9e-2)},
    ("adjoint", "radial", 128): {
        CPU: (None, 3.8e-2, None, 1.8e-3, 7.5e-4, None, 4.0e-2, None),
        GPU: (1.5e-3, 2.0e-3, 1.9e-3, 3.9e-3, 2.2e-4, 5.9e-3, 6.4e-3, 6.7e-3)},
    ("adjoint", "radial", 256): {
        CPU: (None, 1.9e-1, None, 1.8e-2, 3.0e-3, None, 2.1e-1, None),
        GPU: (4.3e-3, 5.6e-3, 5.4e-3, 1.2e-2, 5.7e-4, 1.8e-2, 1.9e-2, 1.9e-2)},
    ("adjoint", "radial", 512): {
        CPU: (None, 1.1, None, 7.4e-2, 1.2e-2, None, 1.3, None),
        GPU: (1.5e-2, 1.8e-2, 1.7e-2, 4.5e-2, 2.3e-3, 6.5e-2, 6.9e-2, 6.8e-2)},
}

# Table III: the convolution of NFFT^H alone, trajectories computed on line; Gaussian, KB.
ON_LINE = ", trajectory on line"
ONLINE = {("spiral", 128): (1.4e-3, 1.8e-3), ("spiral", 256): (4.7e-3, 6.1e-3),
          ("spiral", 512): (1.9e-2, 2.4e-2), ("radial", 128): (1.4e-3, 2.2e-3),
          ("radial", 256): (4.0e-3, 5.9e-3), ("radial", 512): (1.3e-2, 1.9e-2)}

# Table IV, radial 256², Gaussian: convolution, FFT, and the sum of both, by (sigma, width).
NARROW_HEAD = ["", "convolution", "FFT", "sum"]
NARROW = {(200, 3): {CPU: (1.4e-1, 1.8e-2, 1.6e-1), GPU: (3.7e-3, 1.2e-2, 1.6e-2)},
          (100, 4): {CPU: (6.3e-2, 1.8e-3, 6.5e-2), GPU: (2.9e-3, 3.9e-3, 6.8e-3)}}


@dataclass
class Table:
    title: str
    head: list[str]
    rows: list[list[str]]


def tables(records: list[Record]) -> list[Table]:
    """What was measured under what was printed; nothing where the suite was not."""
    mine = [r for r in records if r.run.suite == SUITE and r.verdict == "pass" and r.median_s]
    if not mine:
        return []
    found = [_size(mine, op, trajectory, nx) for op in ("forward", "adjoint")
             for trajectory in ("spiral", "radial") for nx in SIZES]
    return [t for t in (*found, *(_narrow(mine, *place) for place in ((200, 3), (125, 4)))) if t]


def _names(records: list[Record]) -> list[tuple[str, str]]:
    """(device, variant), the paper's own scheme first."""
    names = {(r.device.slug, r.variant_name) for r in records}
    return sorted(names, key=lambda n: (n[0], "hybrid" not in n[1], style.by_registry(n[1])))


def _at(case: Case, op: str, trajectory: str, nx: int) -> bool:
    return (case.op, case.traj, case.n) == (op, trajectory, (nx, nx))


def _has(record: Record, sigma: int, width: int, window: str, weights: str) -> bool:
    wanted = {"sigma": sigma, "width": width, "window": window, "weights": weights}
    return wanted.items() <= record.knobs.items()


def _on_line(record: Record) -> str:
    return ON_LINE if record.knobs.get("trajectory") == "online" else ""


def _size(records: list[Record], op: str, trajectory: str, nx: int) -> Table | None:
    here = [r for r in records if _at(r.case, op, trajectory, nx)]
    if not here:
        return None
    rows = [_row(who, times) for who, times in PRINTED[op, trajectory, nx].items()]
    if op == "adjoint":
        gaussian, kb = ONLINE[trajectory, nx]
        rows.append(_row(GPU + ON_LINE, (gaussian, None, kb, *5 * (None,))))
    for device, variant in _names(here):
        own = [r for r in here if (r.device.slug, r.variant_name) == (device, variant)]
        for said, some in rank.grouped(own, _on_line).items():
            rows.append(_row(f"{variant}, {device}{said}", _times(some)))
    return Table(f"{op}, {trajectory}, {nx}², {nx * nx} samples, width 4, oversampling 2", HEAD, rows)


def _times(own: list[Record]) -> tuple[float | None, ...]:
    def best(letter: str, mode: str, of: Callable[[Record], float | None]) -> float | None:
        found = [of(r) for r in own if r.mode == mode and _has(r, 200, 4, *WINDOWS[letter])]
        return min((s for s in found if s is not None), default=None)

    stages = [best(w, "stages", lambda r: _stage(r, "convolution")) for w in WINDOWS]
    shared = [best("KB", "stages", lambda r, s=s: _stage(r, s)) for s in ("fft", "deapodisation")]
    return (*stages, *shared, *(best(w, "batch", lambda r: r.median_s) for w in WINDOWS))


def _stage(record: Record, name: str) -> float | None:
    return (record.phases_s or {}).get(name)


def _narrow(records: list[Record], sigma: int, width: int) -> Table | None:
    printed = NARROW[sigma if sigma == 200 else 100, width]
    here = [r for r in records if r.mode == "stages" and _at(r.case, "adjoint", "radial", 256)
            and _has(r, sigma, width, "gaussian", "polynomial")]
    if not here:
        return None
    rows = [_row(who, times) for who, times in printed.items()]
    for (device, variant), record in rank.grouped(
            here, lambda r: (r.device.slug, r.variant_name)).items():
        parts = [_stage(record[0], s) for s in ("convolution", "fft")]
        rows.append(_row(f"{variant}, {device}", (*parts, sum(p for p in parts if p))))
    said = "" if sigma == 200 else "; printed is oversampling 1, which is not offered here"
    return Table(f"adjoint, radial, 256², Gaussian of width {width}, oversampling "
                 f"{sigma / 100:g}{said}", NARROW_HEAD, rows)


def _row(who: str, times: tuple[float | None, ...]) -> list[str]:
    return [who, *(table.seconds(s if s and s > 0 else None) for s in times)]


def markdown(found: list[Table]) -> str:
    return "\n\n".join(f"**{t.title}**\n\n"
                       + table.markdown_table(t.head, t.rows, right=range(1, len(t.head)))
                       for t in found)


def main(paths: list[str]) -> int:
    if not paths:
        print("usage: ndft study gridding_2008 tables FILE|DIR...", file=sys.stderr)
        return 2
    try:
        found = tables(load.load(paths).cases)
    except (RecordsError, OSError) as error:
        print(f"ndft: {error}", file=sys.stderr)
        return 2
    if not found:
        print(f"ndft: no records of the suite {SUITE} in {', '.join(paths)}", file=sys.stderr)
        return 2
    print(markdown(found))
    return 0

