# SPDX-License-Identifier: Apache-2.0
"""Regret: how much slower the library's choice is than the fastest engine, on problems drawn at random.

Every engine is measured that its declared arithmetic, at the device's own ceilings, does not exclude: what cannot be
as fast as the choice was. The fastest of each case is found in one process and compared with the choice in another, so
that luck is not taken for speed. The regret of a problem is that of all its operations together.
"""

from __future__ import annotations

import json
import math
import tempfile
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Iterable

from . import draw, program, table
from .records import load, processes
from .records.errors import RecordsError
from .records.record import Record

MOST_UNDECIDED = .05
ONCE = ("--in-process", "--budget", "0.05")  # of what is near by estimate
MODES = ("estimate", "measure")
# By backend and mode: the 95th percentile and the worst that are aimed at. Without records of the device: "elsewhere".
AIMS = {("cuda", "estimate"): (.10, 1.0), ("cuda", "measure"): (.03, .25),
        ("cpu", "estimate"): (.15, 1.0), ("cpu", "measure"): (.05, .50),
        ("elsewhere", "estimate"): (.25, 1.5), ("elsewhere", "measure"): (.05, .25)}


@dataclass
class Outcome:
    """What one mode chose for one problem; regret is infinite where the choice did not pass."""

    cases: list[str]
    choices: list[str]
    best: list[str]
    regret: float
    bounds: tuple[float, float]  # of the regret, by the intervals of what it is made of
    note: str = ""


@dataclass
class Summary:
    device: str
    seed: int | None  # None: the problems are of a file
    mode: str
    aims: tuple[float, float]
    outcomes: list[Outcome]

    @property
    def figures(self) -> dict[str, float]:
        """Median, 95th percentile (nearest rank) and worst."""
        values = sorted(o.regret for o in self.outcomes)
        at = {"median": .5, "p95": .95, "worst": 1.0}
        return {name: values[math.ceil(share * len(values)) - 1] for name, share in at.items()}

    @property
    def undecided(self) -> list[Outcome]:
        """Of which it cannot be told whether they are within the aim of the 95th percentile."""
        return [o for o in self.outcomes if o.bounds[0] <= self.aims[0] < o.bounds[1]]

    @property
    def met(self) -> bool:
        return (self.figures["p95"] <= self.aims[0] and self.figures["worst"] <= self.aims[1]
                and len(self.undecided) <= MOST_UNDECIDED * len(self.outcomes))


def share(value: float) -> str:
    return f"{100 * value:.1f} %"


def answers(cases: list[str], backend: str, mode: str, folder: Path) -> dict[str, dict[str, Any]]:
    """What the program chooses for each case, with a cache of its own, so that nothing is known before."""
    said = program.ask("best", "--json", "--backend", backend, "--mode", mode, *cases, NDFT_CACHE=str(folder / mode))
    found = map(json.loads, said.splitlines())
    return {case: answer for case, answer in zip(cases, found, strict=True)}


def left_out(device: str, backend: str) -> None:
    """That the model has no records of a device; RecordsError where it has."""
    model = (program.ROOT / "library" / "model" / f"{backend}.txt").read_text()
    if f" {device} (" in model.partition("device slug=")[0]:
        raise RecordsError(f"--without {device}: the model of {backend} has records of it")


def line(id_: str, case: str) -> str:
    """The suite line that measures one id on one case."""
    name, _, knobs = id_.partition(":")
    return " ".join([name.replace(".", "[.]"), *filter(None, knobs.split(",")), ":", case])


def swept(lines: Iterable[str], out: Path, backend: str, *options: str) -> list[Record]:
    suite = out.with_suffix(".ndft")
    suite.write_text("".join(l + "\n" for l in lines))
    program.sweep(suite, out, "--backend", backend, *options)
    return load.load([str(out)]).every


def candidates(answer: dict[str, Any], chosen: set[str], seconds: float) -> set[str]:
    """The choices, and all that may be faster than what one of them took, by all settings that estimates tell apart."""
    return chosen | {id_ for one in answer["serve"] if one["at_least_s"] < seconds for id_ in one["amounts"]}


def near(answer: dict[str, Any], within: float) -> set[str]:
    """What is estimated to take at most so many times what the choice is."""
    return {id_ for one in answer["serve"] for id_, s in one["settings_s"].items() if s <= within * answer["seconds"]}


def measure(cases: list[str], chosen: dict[str, dict[str, dict[str, Any]]], backend: str, within: float | None,
            out: Path) -> list[Record]:
    """First the choices, then all that may be faster beside them; or once the choices beside what is near them."""
    ids = {case: {answers[case]["variant"] for answers in chosen.values()} for case in cases}
    if within:
        wanted = {case: sorted(ids[case] | near(chosen["estimate"][case], within)) for case in cases}
        return swept((line(id_, case) for case in cases for id_ in wanted[case]), out, backend, *ONCE)
    first = swept((line(id_, case) for case in cases for id_ in sorted(ids[case])), out.with_name("first.jsonl"),
                  backend, "--budget", "0.05")
    took: dict[str, float] = {}
    for r in first:
        if r.verdict == "pass" and r.median_s:
            took[r.case.text] = min(r.median_s, took.get(r.case.text, math.inf))
    lines = (line(id_, case) for case in cases
             for id_ in sorted(candidates(chosen["estimate"][case], ids[case], took.get(case, math.inf))))
    return swept(lines, out, backend, "--processes", "2", "--budget", "0.2")


def halves(record: Record) -> tuple[float, float]:
    """Seconds in each of two processes."""
    parts = [part["median_s"] for part in processes.timed(record.raw)]
    return parts[0], parts[-1]


def interval(record: Record) -> tuple[float, float]:
    """Of the second process' seconds; anything where the record is in doubt."""
    part = processes.timed(record.raw)[-1]
    if record.doubt:
        return 0.0, math.inf
    return part["ci_lo_s"] or 0.0, part["ci_hi_s"] or math.inf


def outcome(problem: draw.Problem, answers: dict[str, dict[str, Any]], records: Measured) -> Outcome:
    found = Outcome(problem, [answers[case]["variant"] for case in problem], [], math.inf, (math.inf, math.inf))
    chosen_s, best_s = [], []  # of each case the seconds, the least and the most
    for case, id_ in zip(problem, found.choices):
        passed = {r.id: r for r in records.get(case, {}).values() if r.verdict == "pass" and r.median_s}
        if id_ not in passed:
            record = records.get(case, {}).get(id_)
            found.note = f"{id_}: {record.verdict if record else 'not measured'}"
            return found
        best = min(passed.values(), key=lambda r: halves(r)[0])
        found.best.append(best.id)
        for side, record in ((chosen_s, passed[id_]), (best_s, best)):
            seconds = halves(record)[1]
            side.append((seconds, *((seconds, seconds) if best.id == id_ else interval(record))))
    chosen, best = (tuple(map(sum, zip(*side))) for side in (chosen_s, best_s))
    found.regret = max(0.0, chosen[0] / best[0] - 1)
    found.bounds = chosen[1] / best[2] - 1, chosen[2] / best[1] - 1 if best[1] else math.inf
    return found


Measured = dict[str, dict[str, Record]]  # by case and id


def take(measured: Measured, records: Iterable[Record]) -> None:
    for r in records:
        measured.setdefault(r.case.text, {})[r.id] = r


def measure_again(summaries: list[Summary], measured: Measured, backend: str, seconds: int, out: Path) -> None:
    """Of problems that are undecided what was chosen and what was the fastest is measured for so long, and that alone
    counts: a machine is faster at one hour than at another."""
    cases = {case for summary in summaries for o in summary.undecided for case in o.cases}
    pairs = {(id_, case) for summary in summaries for o in summary.outcomes for ids in (o.choices, o.best)
             for id_, case in zip(ids, o.cases) if case in cases}
    if not pairs:
        return
    longer = out.with_name(f"longer-{seconds}.jsonl")
    again = swept((line(*pair) for pair in sorted(pairs)), longer, backend, "--processes", "2", "--budget",
                  str(seconds), "--min-samples", "9")
    for case in cases:
        measured.pop(case)
    take(measured, again)
    with out.open("a") as file:
        file.write(longer.read_text())


def keep(out: Path, drawn: list[draw.Problem], chosen: dict[str, dict[str, dict[str, Any]]], seed: int | None) -> None:
    """Adds what each mode chose to the records, as lines of type choice, with the time that it gave and all that the
    model foresaw, so that a bad choice can be explained when its problem's files are gone."""
    id_ = next(json.loads(text)["run"] for text in out.read_text().splitlines() if '"type":"run"' in text)
    with out.open("a") as file:
        for case in (case for problem in drawn for case in problem):
            for mode, answers_ in chosen.items():
                said = answers_[case]
                foreseen = {one["variant"]: one["estimated_s"] for one in said["serve"]}
                line_ = {"type": "choice", "run": id_, "case": case, "mode": mode, "seed": seed, "variant": said["variant"],
                         "why": said["why"], "seconds": said["seconds"]}
                file.write(json.dumps(line_ | ({"estimated_s": foreseen} if mode == "estimate" else {})) + "\n")


def of_file(path: Path) -> list[draw.Problem]:
    """Problems of a file of cases, a line each: forward and adjoint of the same are one."""
    found: dict[str, draw.Problem] = {}
    for case in filter(None, (text.partition("#")[0].strip() for text in path.read_text().splitlines())):
        op, _, rest = case.partition(" ")
        found.setdefault(rest if op in ("forward", "adjoint") else case, []).append(case)
    if not found:
        raise RecordsError(f"{path}: no case in it; ./ndft case --help says what one is")
    return list(found.values())


def run(problems: int | Path, seed: int | None, backend: str, without: str | None, within: float | None,
        out: Path) -> list[Summary]:
    """Draws, asks, measures and judges, one summary a mode; records go to out and the files of problems beside it."""
    if without:
        left_out(without, backend)
    out.parent.mkdir(parents=True, exist_ok=True)
    drawn = of_file(problems) if isinstance(problems, Path) else draw.Drawer(backend, seed, out.parent).some(problems)
    cases = [case for problem in drawn for case in problem]
    with tempfile.TemporaryDirectory() as folder:
        chosen = {mode: answers(cases, backend, mode, Path(folder)) for mode in MODES}
    if nobody := [case for case in cases if not chosen["estimate"][case]["variant"]]:
        raise RecordsError(f"nothing serves {nobody[0]}")
    texts = {case: answer["case"] for case, answer in chosen["estimate"].items()}
    drawn = [[texts[case] for case in problem] for problem in drawn]
    chosen = {mode: {texts[case]: answer for case, answer in of.items()} for mode, of in chosen.items()}
    measured: Measured = {}
    take(measured, measure(list(texts.values()), chosen, backend, within, out))
    device = next(iter(chosen["estimate"].values()))["device"]

    def judge() -> list[Summary]:
        return [Summary(device, seed, mode, AIMS["elsewhere" if without else backend, mode],
                        [outcome(problem, chosen[mode], measured) for problem in drawn]) for mode in MODES]

    for seconds in () if within else (1, 4):
        measure_again(judge(), measured, backend, seconds, out)
    keep(out, drawn, chosen, seed)
    return judge()


def names(ids: list[str]) -> str:
    return " ".join(dict.fromkeys(map(program.short, ids)))


def text_of(summary: Summary) -> str:
    """The worst choices, and the figures with what is aimed at."""
    worst = sorted(summary.outcomes, key=lambda o: -o.regret)[:8]
    rows = [[share(o.regret) if math.isfinite(o.regret) else o.note, o.cases[0].removeprefix("forward "),
             names(o.choices), names(o.best)] for o in worst if o.regret > 0]
    f, n = summary.figures, len(summary.outcomes)
    lines = [table.text_table(["regret", "problem", "chosen", "fastest"], rows), ""] if rows else []
    aims = " and ".join(map(share, summary.aims))
    source = "a file" if summary.seed is None else f"seed {summary.seed}"
    return "\n".join([*lines, f"{summary.device}, {summary.mode}, {n} problems of {source}: regret median "
                      f"{share(f['median'])}, 95th percentile {share(f['p95'])}, worst "
                      f"{share(f['worst'])}; aimed at {aims} of the last two: "
                      f"{'met' if summary.met else 'missed'}; {len(summary.undecided)} undecided, "
                      f"{share(MOST_UNDECIDED)} at most"])


def json_of(summaries: list[Summary]) -> str:
    return json.dumps({"schema": "ndft-regret/2", "devices": [
        {"device": s.device, "seed": s.seed, "mode": s.mode, "aims": s.aims, **s.figures, "undecided": len(s.undecided),
         "met": s.met, "problems": [asdict(o) for o in s.outcomes]} for s in summaries]}, indent=1)
