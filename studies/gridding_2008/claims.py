# SPDX-License-Identifier: Apache-2.0
"""What the paper says, and what became of it: a verdict for each claim, by a rule, from records."""

from __future__ import annotations

from typing import Callable, NamedTuple, Sequence

from analysis import table

from . import balance, errors, phantom, printed, shown
from .ours import PLACES, ROWS, SCHEME, Place, Times, ratio
from .printed import LETTERS, SIZES
from .tables import best_factor, factor, printed_best

HOLDS, DIFFERS, REFUTED, OPEN = "holds", "holds with a difference", "refuted", "open"
NEAR = 1.5  # a factor within which a figure counts as the printed one
SAME = 1.03  # times nearer than that are the same
Values = Sequence[float]


class Answer(NamedTuple):
    here: str
    verdict: str


class Claim(NamedTuple):
    says: str
    printed: str
    answer: Callable[[Times], Answer]


def of_gpu(file: dict, answer: Answer) -> Answer:
    """What double says in a GPU's place is shown and decides nothing."""
    return answer if file["gpu"] else Answer(f"{answer.here}, beside double: no GPU", OPEN)


def judged(values: Values, text: str, holds: bool, partly: bool) -> Answer:
    return Answer(text, HOLDS if holds else DIFFERS if partly else REFUTED) if values else NOT_MEASURED


NOT_MEASURED = Answer("-", OPEN)


def known(values: Sequence[float | None]) -> list[float]:
    return [v for v in values if v]


def span(values: Values, unit: str = "") -> str:
    """1.2 to 3.4; one figure where they are alike."""
    if not values:
        return "-"
    low, high = (factor(v, 1.) for v in (min(values), max(values)))
    return (low if low == high else f"{low} to {high}") + unit


def _convolution(times: Times) -> Answer:
    found = known([best_factor(times, p) for p in PLACES])
    return judged(found, span(found, " times"), bool(found) and 85 / NEAR < max(found) < 85 * NEAR,
                  bool(found) and min(found) > 1)


def _lines() -> list[list[Place]]:
    return [PLACES[i:i + len(SIZES)] for i in range(0, len(PLACES), len(SIZES))]


def _grows(times: Times) -> Answer:
    lines = [known([best_factor(times, p) for p in line]) for line in _lines()]
    lines = [line for line in lines if len(line) == len(SIZES)]
    rising = [line == sorted(line) for line in lines]
    return judged(lines and [1], f"in {sum(rising)} of {len(lines)} lines of Fig. 5", all(rising), any(rising))


def _total(times: Times) -> Answer:
    best = [[known([times.total(b, p._replace(letter=x)) for x in LETTERS]) for b in ("cpu", "cuda")] for p in PLACES]
    found = [min(cpu) / min(gpu) for cpu, gpu in best if cpu and gpu]
    return judged(found, span(found, " times"), bool(found) and 20 / NEAR < max(found) < 20 * NEAR,
                  bool(found) and min(found) > 1)


def _share(times: Times) -> Answer:
    found = known([balance.share(times, "cpu", p._replace(letter="L")) for p in PLACES])
    return judged(found, span([100 * v for v in found], " %"), bool(found) and min(found) >= .8,
                  bool(found) and min(found) >= .5)


def _balance(op: str) -> Callable[[Times], Answer]:
    def answer(times: Times) -> Answer:
        found = known([balance.balance(times, p) for p in PLACES if p.op == op])
        return judged(found, span(found, " times"), bool(found) and min(found) >= 2, bool(found) and min(found) > SAME)
    return answer


def _printed_balance(op: str) -> str:
    return span([balance.printed_balance(p) for p in PLACES if p.op == op], " times")


def _gain(times: Times) -> Answer:
    pairs = [balance.gains(times, p) for p in PLACES if p.nx == 512]
    pairs = [(fft, convolution) for fft, convolution in pairs if fft and convolution]
    return judged(pairs and [1], f"{span([f for f, _ in pairs])} and {span([c for _, c in pairs])} times at 512²",
                  all(f > c * NEAR for f, c in pairs), any(f > c for f, c in pairs))


def _letters(a: str, b: str) -> Callable[[Times], Answer]:
    """How many times as long the GPU's convolution takes with window a as with b."""
    def answer(times: Times) -> Answer:
        found = known([ratio(*(times.stage("cuda", p._replace(letter=x), "convolution") for x in (a, b)))
                       for p in PLACES])
        middle = sorted(found)[len(found) // 2] if found else 0
        return judged(found, span(found, " times"), bool(found) and min(found) > SAME, middle > SAME)
    return answer


def _online(trajectory: str, pays: bool) -> Callable[[Times], Answer]:
    def answer(times: Times) -> Answer:
        places = [Place("adjoint", trajectory, nx, x) for nx in SIZES for x in ("G", "KB")]
        found = known([ratio(*(times.stage("cuda", p._replace(online=o), "convolution") for o in (False, True)))
                       for p in places])
        right = [v > SAME if pays else v < 1 / SAME for v in found]
        return judged(found, span(found, " times as fast"), all(right), any(right))
    return answer


def _hybrid(times: Times) -> Answer:
    def beside(scheme: str) -> list[float]:
        return known([ratio(times.stage("cuda", p._replace(scheme=scheme), "convolution"),
                            times.stage("cuda", p, "convolution")) for p in PLACES if p.op == "adjoint"])
    cells, samples = beside("nufft_gather"), beside("nufft_scatter")
    text = f"{span(cells)} times as fast as a cell per thread, {span(samples)} as a sample per thread"
    return judged(cells and samples, text, bool(cells and samples) and min(cells + samples) > SAME,
                  bool(cells) and min(cells) > SAME)


def _rows(times: Times) -> Answer:
    """Beside cells read sample by sample, on each device that has both."""
    def on(backend: str) -> list[float]:
        return known([ratio(*(times.stage(backend, p._replace(scheme=scheme), "convolution")
                              for scheme in (SCHEME, ROWS))) for p in PLACES if p.op == "forward"])
    by = {name: on(backend) for name, backend in (("CPU", "cpu"), ("GPU", "cuda"))}
    found = [v for values in by.values() for v in values]
    text = ", ".join(span(values, f" times as fast on the {name}") for name, values in by.items() if values)
    return judged(found, text, bool(found) and min(found) > SAME, bool(found) and max(found) > SAME)


def _width(times: Times) -> Answer:
    found = known([ratio(*(times.stage(b, Place("adjoint", "radial", 256, "G", width, sigma), "convolution")
                           for b in ("cpu", "cuda"))) for sigma, width in ((125, 5), (200, 6), (200, 8))])
    text = ", ".join(factor(v, 1.) for v in found) + " times at 5, 6 and 8 cells"
    return judged(found if len(found) == 3 else [], text, found == sorted(found), bool(found) and found[-1] > found[0])


def _small_fft(times: Times) -> Answer:
    found = known([ratio(*(times.stage(b, p, "fft") for b in ("cpu", "cuda"))) for p in PLACES if p.nx == 128])
    return judged(found, span(found, " times as fast"), bool(found) and max(found) < 1, bool(found) and min(found) < 1)


def _frames(times: Times) -> Answer:
    found = {nx: balance.frame_rate(times, "cuda", nx) for nx in printed.FRAMES}
    rates = known(list(found.values()))
    text = " and ".join(map(balance.a_second, rates)) + " a second"
    return judged(rates, text, all(v and v >= printed.FRAMES[nx][1] for nx, v in found.items()), False)


def _plans(times: Times) -> Answer:
    found = known([ratio(times.plan("cuda", p), times.total("cuda", p)) for p in PLACES if p.trajectory == "radial"])
    return judged(found, span(found, " executions"), bool(found) and min(found) > SAME, bool(found) and max(found) > 1)


def _readings(_: Times) -> Answer:
    times_off = [balance.misfit(balance.printed_convolutions(printed.CPU), i) for i in (0, 1)]
    nearest = [shown.best(name) for name in errors.WINDOWS]
    if not all(nearest):
        return NOT_MEASURED
    off = [shown.factor_off(found) for found in nearest]
    text = (f"the CPU's times off by {times_off[0]:.1f} as W cells, {times_off[1]:.1f} as αW; errors by {off[0]:.2f} "
            f"and {min(off[1:]):.2f}")
    return judged([1], text, times_off[1] < times_off[0] and min(off[1:]) < off[0], times_off[1] < times_off[0])


def _errors(_: Times) -> Answer:
    found = shown.best()
    if not found:
        return NOT_MEASURED
    off = shown.factor_off(found)
    return judged([1], f"within a factor of {off:.2f} by {found['window']}", off < 1.1, off < shown.GOOD)


def _alike(_: Times) -> Answer:
    file = shown.held(phantom.FILE)
    if not file:
        return NOT_MEASURED
    pairs = [e for row in file["errors"] for e in row["errors"].values() if len(e) == 2]
    most = max(abs(a / b - 1) for a, b in pairs if b > 1e-4)
    return of_gpu(file, judged([1], f"alike within {100 * most:.2g} %", most < .05, most < .2))


def _noise(_: Times) -> Answer:
    file = shown.held(phantom.FILE)
    if not file:
        return NOT_MEASURED
    of = [d["all"] for d in file["difference"].values()]
    return of_gpu(file, judged([1], f"{span_error(of)} of the brightest", 1e-7 / NEAR < min(of) and max(of) < 1e-5,
                               max(of) < 1e-4))


def span_error(values: Values) -> str:
    low, high = table.error(min(values)), table.error(max(values))
    return low if low == high else f"{low} to {high}"


def _outwards(_: Times) -> Answer:
    file = shown.held(phantom.FILE)
    if not file:
        return NOT_MEASURED
    found = [d["outside"] / d["inside"] for d in file["difference"].values()]
    return of_gpu(file, judged(found, f"{span(found)} times beyond half the radius", min(found) > SAME,
                               max(found) > SAME))


def _no(why: str) -> Callable[[Times], Answer]:
    return lambda _: Answer(why, OPEN)


CLAIMS = [
    Claim("The GPU's convolution is up to 85 times faster than the CPU's",
          span([printed_best(p) for p in PLACES], " times"), _convolution),
    Claim("The more samples, the larger that factor", "in all lines of Fig. 5", _grows),
    Claim("The larger αW, the larger that factor", "20, 38, 44 times at αW = 4, 6, 8", _width),
    Claim("The whole transform is up to 20 times faster", "7 to 20 times", _total),
    Claim("On the CPU the convolution is 80 to 95 % of the time",
          span([100 * balance.printed_share(p, printed.CPU) for p in PLACES], " %"), _share),
    Claim("On the GPU it is 2 to 4 times faster than the FFT, forward", _printed_balance("forward"),
          _balance("forward")),
    Claim("The same of the adjoint", _printed_balance("adjoint"), _balance("adjoint")),
    Claim("Their FFT holds the GPU back, and has most to gain: 5 times by CUDA's", "5 times", _gain),
    Claim("Of small images the FFT is slower on the GPU than on the CPU", "0.5 times as fast at 128²", _small_fft),
    Claim("A rectangle of cells a processor beats a cell and a sample a processor", "argued by accesses", _hybrid),
    Claim("Forward, the rows of cells that samples read are worth encoding", "not beside another way", _rows),
    Claim("Windows on line beat a table: how long L takes beside KB", "1.0 to 1.1 times", _letters("L", "KB")),
    Claim("The Gaussian on line beats Kaiser-Bessel: how long KB takes beside G", "1.1 to 1.5 times",
          _letters("KB", "G")),
    Claim("Radial trajectories are worth computing on line", "0.9 to 1.2 times as fast", _online("radial", True)),
    Claim("Spirals are not", "0.7 to 0.9 times as fast", _online("spiral", False)),
    Claim("Real time: 256² at 70, 512² at 15 frames a second", "70 and 15 a second", _frames),
    Claim("Preprocessing takes many executions, and serves all of one trajectory", "7 to 24 executions", _plans),
    Claim("A width W is counted in cells before oversampling: a window has αW", "not said but by the name αW",
          _readings),
    Claim("Table V's errors of the phantom", "2.2e-1 to 2.9e-3", _errors),
    Claim("CPU and GPU differ by no significant error", "alike within 11 %", _alike),
    Claim("Images of CPU and GPU differ by random noise of 1e-6 (Fig. 8)", "1e-6", _noise),
    Claim("That noise grows with the distance from the centre", "by eye", _outwards),
    Claim("The convolution is bound by computing: half the memory clock costs 5 %", "5 %; half the core clock 90 %",
          _no("clocks are not set here")),
    Claim("In-vivo images (Fig. 7, half of Table V)", "5.5e-2 to 1.6e-3", _no("not ours to have")),
]


def verdicts(times: Times) -> str:
    rows = [[claim.says, claim.printed, *claim.answer(times)] for claim in CLAIMS]
    rows = [[says, theirs, here, f"**{verdict}**"] for says, theirs, here, verdict in rows]
    return table.markdown_table(["the paper says", "printed", "here", "verdict"], rows)
