# SPDX-License-Identifier: Apache-2.0
"""Where the time goes: the share of the convolution, its balance with the FFT and what turned it, preprocessing,
frames a second, and in which cells a width is counted."""

from __future__ import annotations

import math

from analysis import table

from . import printed
from .ours import BACKENDS, PLACES, Place, Times, ratio
from .printed import CPU, GPU, STAGES
from .tables import factor

FFT = STAGES.index("FFT")
G, L = 0, 1  # of STAGES


def share(times: Times, backend: str, place: Place) -> float | None:
    """Of the convolution in the sum of the stages. On a processor deapodisation may come out below zero."""
    parts = [times.stage(backend, place, name) for name in ("convolution", "fft", "deapodisation")]
    return parts[0] / sum(p for p in parts if p) if parts[0] and parts[1] else None


def printed_share(place: Place, who: str) -> float:
    row = printed.TIMES[place.op, place.trajectory, place.nx][who]
    convolution = row[L if who == CPU else G]
    return convolution / (convolution + row[FFT] + row[FFT + 1])


def shares(times: Times) -> str:
    rows = [[f"{p.op}, {p.trajectory} {p.nx}²",
             *(_percent(of(b, who)) for of in (lambda b, who: printed_share(p, who),
                                               lambda b, who: share(times, b, p._replace(letter="L" if b == "cpu"
                                                                                         else "G")))
               for b, who in zip(BACKENDS, (CPU, GPU)))] for p in PLACES]
    return table.markdown_table(["", "CPU 2007", "GPU 2007", "CPU", "GPU"], rows, right=range(1, 5)) \
        if times.devices else ""


def _percent(value: float | None) -> str:
    return "-" if value is None else f"{100 * value:.0f} %"


def printed_balance(place: Place) -> float:
    """How many times as long their FFT takes as their convolution, both on the GPU with the Gaussian on line."""
    row = printed.TIMES[place.op, place.trajectory, place.nx][GPU]
    return row[FFT] / row[G]


def balance(times: Times, place: Place, backend: str = "cuda") -> float | None:
    place = place._replace(letter="G")
    return ratio(times.stage(backend, place._replace(letter="KB"), "fft"), times.stage(backend, place, "convolution"))


def gains(times: Times, place: Place) -> tuple[float | None, float | None]:
    """Of the FFT and of the convolution: their GPU's time over ours."""
    row = printed.TIMES[place.op, place.trajectory, place.nx][GPU]
    return (ratio(row[FFT], times.stage("cuda", place, "fft")),
            ratio(row[G], times.stage("cuda", place._replace(letter="G"), "convolution")))


def balances(times: Times) -> str:
    """FFT over convolution on the GPUs, and what each gained."""
    rows = [[f"{p.op}, {p.trajectory} {p.nx}²", table.figures(printed_balance(p)), factor(*_times(times, p)),
             factor(*_times(times, p._replace(width=8))), *(factor(gain, 1.) for gain in gains(times, p)),
             rate(p.nx, printed.TIMES[p.op, p.trajectory, p.nx][GPU][FFT]), rate(p.nx, times.stage("cuda", p, "fft"))]
            for p in PLACES]
    return table.markdown_table(["", "FFT over convolution 2007", "here, 4 cells", "8 cells", "the FFT's gain",
                                 "the convolution's", "FFT 2007, GFLOP/s", "here"], rows, right=range(1, 8)) \
        if times.devices else ""


def _times(times: Times, place: Place) -> tuple[float | None, float | None]:
    return (times.stage("cuda", place._replace(letter="KB", width=4), "fft"),
            times.stage("cuda", place._replace(letter="G"), "convolution"))


def rate(nx: int, seconds: float | None) -> str:
    """Of a transform of the doubled grid at 5 n log2 n operations, in 1e9 a second."""
    cells = (2 * nx) ** 2
    return "-" if not seconds else table.figures(5 * cells * math.log2(cells) / seconds / 1e9)


def preprocessing(times: Times) -> str:
    """Seconds that a plan takes, of one direction, beside a frame; their trajectories are not said."""
    rows = []
    for nx, theirs in printed.PREPROCESSING.items():
        for op, seconds in zip(("forward", "adjoint"), theirs):
            place = Place(op, "radial", nx)
            total = printed.TIMES[op, "radial", nx][GPU][STAGES.index("total G")]
            both = (seconds, total), *((times.plan(b, place), times.total(b, place)) for b in BACKENDS)
            rows.append([f"{op} {nx}²", *(cell for plan, execution in both
                                          for cell in (table.seconds(plan), factor(plan, execution)))])
    head = ["", "GPU 2007", "in executions", "CPU", "in executions", "GPU", "in executions"]
    return table.markdown_table(head, rows, right=range(1, 7)) if times.devices else ""


def frames(times: Times) -> str:
    """Of one coil a second by the adjoint along radial lines, at each side's best total."""
    rows = []
    for nx, theirs in printed.FRAMES.items():
        ours = [frame_rate(times, b, nx) for b in BACKENDS]
        rows.append([f"{nx}²", *(a_second(value) for value in (*theirs, *ours))])
    return table.markdown_table(["samples", "CPU 2007", "GPU 2007", "CPU", "GPU"], rows, right=range(1, 5)) \
        if times.devices else ""


def a_second(value: float | None) -> str:
    """In three figures."""
    return f"{float(f'{value:.3g}'):.0f}" if value else "-"


def frame_rate(times: Times, backend: str, nx: int) -> float | None:
    of = [times.total(backend, Place("adjoint", "radial", nx, letter)) for letter in printed.LETTERS]
    return ratio(1., min((s for s in of if s), default=None))


# Table IV by both readings of a width: (α, W), in cells as W and as αW.
READINGS = {(2, 4): (4, 8), (2, 3): (3, 6), (1, 4): (4, 4)}


def misfit(times_of: dict[tuple[int, int], float], reading: int) -> float:
    """By what factor, in the mean, times over that of (2, 4) differ from cells over its cells, squared."""
    first = next(iter(READINGS))
    logs = [math.log(times_of[at] / times_of[first] / (cells[reading] / READINGS[first][reading]) ** 2)
            for at, cells in READINGS.items() if at != first]
    return math.exp(math.sqrt(sum(x * x for x in logs) / len(logs)))


def printed_convolutions(who: str) -> dict[tuple[int, int], float]:
    return {at: printed.NARROW[at][who][0] for at in READINGS}


def widths(times: Times) -> str:
    """Convolutions of Table IV relative to α = 2, W = 4, beside cells squared by either reading."""
    rows = []
    cpu, gpu = (printed_convolutions(who) for who in (CPU, GPU))
    for at, (w, aw) in READINGS.items():
        ratios = cpu[at] / cpu[2, 4], gpu[at] / gpu[2, 4], (w / 4) ** 2, (aw / 8) ** 2
        rows.append([f"α = {at[0]}, W = {at[1]}", *map(table.figures, ratios)])
    rows.append(["differs from the CPU by a factor of", "", "", *(f"{misfit(cpu, i):.1f}" for i in (0, 1))])
    rows.append(["differs from the GPU by a factor of", "", "", *(f"{misfit(gpu, i):.1f}" for i in (0, 1))])
    return table.markdown_table(["", "CPU 2007", "GPU 2007", "cells², W counts cells", "cells², αW does"], rows,
                                right=range(1, 5))
