# SPDX-License-Identifier: Apache-2.0
"""Tables I to IV: the printed times, ours beside them, and the factors by which each GPU is faster than its CPU."""

from __future__ import annotations

from typing import Sequence

from analysis import table

from . import printed
from .ours import PLACES, SCHEME, Place, Times, ratio
from .printed import CPU, GPU, LETTERS, STAGES

WIDE = 8  # cells, which a width of 4 is at oversampling 2 (balance.widths)
HEAD = ("CPU 2007", "GPU 2007", "factor", "CPU", "GPU", "factor")


def factor(a: float | None, b: float | None) -> str:
    found = ratio(a, b)
    return "-" if found is None else table.figures(found) if found < 10 else f"{found:.0f}"


def pairs(theirs: Sequence[float | None], ours: Sequence[float | None]) -> list[str]:
    """Of CPU and GPU, then the factor between, printed and here."""
    return [cell for cpu, gpu in (theirs, ours) for cell in (table.seconds(cpu), table.seconds(gpu), factor(cpu, gpu))]


def printed_pair(place: Place, stage: str) -> tuple[float | None, float | None]:
    """Their CPU always has a table of weights, which stands beside every window of their GPU."""
    times = printed.TIMES[place.op, place.trajectory, place.nx]
    kind, _, letter = stage.partition(" ")
    return times[CPU][STAGES.index(f"{kind} L" if letter else stage)], times[GPU][STAGES.index(stage)]


def of_operation(times: Times, op: str) -> str:
    """Table I or II, of the paper's scheme on both backends with 4 cells, and of its convolution with 8."""
    if not times.devices:
        return ""
    rows = []
    for place in (p for p in PLACES if p.op == op):
        ours = [times.row(backend, place) for backend in ("cpu", "cuda")]
        at = f"{place.trajectory} {place.nx}²"
        rows += [[at, stage, *pairs(printed_pair(place, stage), [row[i] for row in ours])]
                 for i, stage in enumerate(STAGES)]
        wide = [times.stage(b, place._replace(letter="G", width=WIDE), "convolution") for b in ("cpu", "cuda")]
        rows.append([at, f"convolution G, {WIDE} cells", *pairs(printed_pair(place, "convolution G"), wide)])
    return table.markdown_table(["", "", *HEAD], rows, right=range(2, 8))


def on_line(times: Times) -> str:
    """Table III. On a processor no trajectory is computed on line; the CPU's is that of Table II, as printed."""
    if not times.devices:
        return ""
    rows = []
    for (trajectory, nx), theirs in printed.ONLINE.items():
        for letter, gpu in zip(("G", "KB"), theirs):
            place = Place("adjoint", trajectory, nx, letter)
            cpu = printed.TIMES["adjoint", trajectory, nx][CPU][STAGES.index("convolution L")]
            ours = (times.stage("cpu", place, "convolution"),
                    times.stage("cuda", place._replace(online=True), "convolution"))
            rows.append([f"{trajectory} {nx}²", f"convolution {letter}", *pairs((cpu, gpu), ours)])
    return table.markdown_table(["", "", *HEAD], rows, right=range(2, 8))


# (oversampling, W) of Table IV, width in cells by either reading, and what is measured here for oversampling 1.
NARROW = [((2, 4), 4, 200), ((2, 4), 8, 200), ((2, 3), 3, 200), ((2, 3), 6, 200), ((1, 4), 4, 125)]


def narrow(times: Times) -> str:
    """Table IV."""
    rows = []
    for where, width, sigma in NARROW:
        place = Place("adjoint", "radial", 256, "G", width, sigma)
        ours = [[times.stage(b, place, name) for b in ("cpu", "cuda")] for name in ("convolution", "fft")]
        theirs = list(zip(*(printed.NARROW[where][who] for who in (CPU, GPU))))
        for name, here, there in zip(("convolution", "FFT", "sum"), (*ours, _sums(ours)), (*theirs, _sums(theirs))):
            rows.append([f"α = {where[0]}, W = {where[1]}", f"{width}, {sigma / 100:g}", name, *pairs(there, here)])
    return table.markdown_table(["printed", "ours: cells, oversampling", "", *HEAD], rows, right=range(3, 9)) \
        if times.devices else ""


def _sums(parts: Sequence[Sequence[float | None]]) -> list[float | None]:
    return [sum(column) if all(column) else None for column in zip(*parts)]


def every_scheme(times: Times) -> str:
    """All of ours, a row a scheme and device, by place."""
    found = []
    for place in PLACES:
        rows = [[f"{scheme}, {times.devices[b]}{', trajectory on line' if online else ''}",
                 *map(table.seconds, times.row(b, place._replace(scheme=scheme, online=online)))]
                for b in times.devices for scheme in sorted(times.schemes(b), key=lambda s: (s != SCHEME, s))
                for online in (False, True)]
        rows = [row for row in rows if set(row[1:]) != {"-"}]
        if rows:
            found.append(f"**{place.op}, {place.trajectory}, {place.nx}²**\n\n"
                         + table.markdown_table(["", *STAGES], rows, right=range(1, 1 + len(STAGES))))
    return "\n\n".join(found)


def best_factor(times: Times, place: Place) -> float | None:
    """Of the convolution, CPU over GPU, at the best of the paper's configurations, as its Fig. 5 takes it."""
    cpu = [times.stage("cpu", place._replace(letter=letter), "convolution") for letter in LETTERS]
    gpu = [times.stage("cuda", place._replace(letter=letter, online=online), "convolution")
           for letter in LETTERS for online in (False, True)]
    return ratio(_least(cpu), _least(gpu))


def printed_best(place: Place) -> float:
    rows = printed.TIMES[place.op, place.trajectory, place.nx]
    online = printed.ONLINE[place.trajectory, place.nx] if place.op == "adjoint" else ()
    return rows[CPU][1] / min(s for s in (*rows[GPU][:3], *online) if s)


def _least(values: Sequence[float | None]) -> float | None:
    return min((v for v in values if v), default=None)
