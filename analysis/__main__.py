# SPDX-License-Identifier: Apache-2.0
"""python3 -m analysis report|select|compare|survey|results|readme|model|profile

Exit status: 0 ok, 1 a goal or an aim is not met, something regressed, a file is not valid or the README is out
of date, 2 nothing usable, 3 a tool is missing or failed, or a file or the standard output cannot be
written or read.
"""

from __future__ import annotations

import argparse
import itertools
import math
import os
import sys
import time
from pathlib import Path

from . import profile
from .profile import ENVIRONMENT
from .program import ROOT
from .records import current, load, outputs, results
from .records.errors import RecordsError
from .records.outputs import say
from .records.record import Records
from .survey import options as survey_options

EVERY = "records that do not count, too: of other clocks, changed trees, older builds (docs/results.md)"


def parser() -> argparse.ArgumentParser:
    top = argparse.ArgumentParser(prog="ndft", description="From records to decisions.")
    verbs = top.add_subparsers(dest="verb", required=True,
                               metavar="report|select|compare|survey|results|readme|model|profile")
    report = verbs.add_parser("report", help="who wins; pictures and one self-contained page")
    report.add_argument("-o", "--out", type=outputs.folder, metavar="DIR",
                        help="default: report/ beside the first file")
    report.add_argument("--figures", action="store_true",
                        help="each figure beside the page, too: as SVG, PNG and its numbers as CSV")
    report.add_argument("--image", type=Path, metavar="DIR", help="show the pictures that `ndft recon --demo` left there")
    what = report.add_mutually_exclusive_group()
    what.add_argument("--goals", action="store_true", help="goals against records instead")
    what.add_argument("--history", action="store_true",
                      help="times over builds instead, and where they changed; of all records")
    report.add_argument("--gate", default="2%", metavar="N%",
                        help="of --history: a change this large does not matter (default 2%%)")
    report.add_argument("paths", nargs="+", metavar="FILE|DIR", help="records, *.jsonl")
    report.add_argument("--every", action="store_true", help=EVERY)
    report.add_argument("--registry", type=Path, metavar="JSON",
                        help="output of `ndft list --json`; tells stale records")
    add_select(verbs)
    model = verbs.add_parser("model", help="what engines cost, for the library's estimates")
    model.add_argument("paths", nargs="+", metavar="FILE|DIR", help="records, *.jsonl")
    model.add_argument("--backend", required=True, metavar="NAME")
    model.add_argument("--every", action="store_true", help=EVERY)
    model.add_argument("--held-out", nargs="+", metavar="FILE|DIR",
                       help="what choices lose instead: of the problems that these records have, a tenth at a time is "
                            "chosen for by a fit to all others")
    docs = ROOT / "docs"
    pages = [ROOT / "README.md", *sorted(docs.glob("results-*.md")), docs / "rivals.md", docs / "choice.md"]
    readme = verbs.add_parser("readme", help="fill the tables of README.md and docs/results-*.md, "
                                             "rivals.md and choice.md from results/")
    readme.add_argument("--check", action="store_true", help="change nothing; 1 if out of date")
    readme.add_argument("--page", type=Path, nargs="+", default=pages)
    readme.add_argument("--results", type=Path, default=ROOT / "results")
    for verb in (report, readme):
        verb.add_argument("--goals-file", type=Path, default=ROOT / "configs/goals.def")
    add_compare(verbs)
    survey_options.add(verbs)
    results.add(verbs)
    profile.add(verbs)
    return top


def add_select(verbs: argparse._SubParsersAction) -> None:
    select = verbs.add_parser("select", help="how good the library's choices are, and a map of them")
    what = select.add_mutually_exclusive_group(required=True)
    what.add_argument("--regret", metavar="N|FILE",
                      help="measure N problems drawn at random, or a file's, chosen for by estimate and by measuring")
    what.add_argument("--map", type=outputs.written_as(".png", ".svg"), metavar="FILE.png",
                      help="draw which engine is chosen where, with the fastest of the records")
    what.add_argument("--pairs", action="store_true",
                      help="what an engine for each operation gained over one for both, of the records")
    select.add_argument("--seed", type=int, help="of --regret: another one draws others (the seconds of the clock)")
    select.add_argument("--backend", choices=("cpu", "cuda"), default="cpu", help="whose engines (cpu)")
    select.add_argument("--without", metavar="DEVICE",
                        help="of --regret: judge as a device that the model has no records of")
    select.add_argument("--within", type=float, metavar="TIMES",
                        help="of --regret: measure once, in one process, what is estimated to take at most so many "
                             "times what the choice is (all that may be faster, in two, those in doubt again)")
    select.add_argument("--on", metavar="DEVICE", help="of --map: a device that need not be here (ndft best --help)")
    select.add_argument("--op", choices=("forward", "adjoint"), default="forward", help="of --map")
    select.add_argument("-o", "--out", type=outputs.written_as(".jsonl"), metavar="FILE",
                        help="of --regret: records, and files of problems beside (build/regret/UTC/records.jsonl)")
    select.add_argument("--json", action="store_true", help="of --regret")
    select.add_argument("--every", action="store_true", help=f"of --map and --pairs: {EVERY}")
    select.add_argument("paths", nargs="*", metavar="FILE|DIR", help="of --map and --pairs: records, *.jsonl")


def add_compare(verbs: argparse._SubParsersAction) -> None:
    compare = verbs.add_parser("compare", help="what became slower, less accurate or larger")
    compare.add_argument("a", metavar="A", help="records before, FILE|DIR")
    compare.add_argument("b", metavar="B", help="records after, FILE|DIR")
    compare.add_argument("--gate", default="2%", metavar="N%", help="a change this large does not "
                         "matter (default 2%%)")
    compare.add_argument("--cycles", action="store_true", help="cycles, not seconds")
    compare.add_argument("--all", action="store_true", help="list what stayed the same, too")
    compare.add_argument("--agreement", action="store_true", help="of what both measured with one "
                         "build, how many intervals meet")
    compare.add_argument("--json", action="store_true")


def beside(first: str, name: str) -> Path:
    path = Path(first)
    return (path if path.is_dir() else path.parent) / name


def read(paths: list[str], keep: load.Keep | None = None) -> Records:
    """Records, all or those that count, with their notes said aloud."""
    records = load.load(paths, keep)
    say(*records.notes)
    return records


def read_what_counts(options: argparse.Namespace) -> Records:
    """Of the paths; with --every all, which is said."""
    if not options.every:
        return read(options.paths, current.keep)
    records = load.load(options.paths)
    records.notes.append("every record counts here: of other clocks, changed trees and older builds, too")
    say(*records.notes)
    return records


def report_verb(options: argparse.Namespace) -> int:
    if options.goals:
        return judge_goals(options)
    if options.history:
        return history_verb(options)
    from . import scaling, winners
    from .report import report
    out = options.out or beside(options.paths[0], "report")
    records = read_what_counts(options)
    report.run(records, out, options.figures, options.image)
    every = records.every
    print(f"report: {out / 'report.html'} ({len(every) + len(records.scalings)} records, "
          f"{sum(r.ranks for r in every)} passed and timed)")
    if every or not records.scalings:
        print(f"\n{winners.text_of(every)}")
    if records.scalings:
        print(f"\n{scaling.text_of(scaling.judge(records, scaling.read()))}")
    return 0


def history_verb(options: argparse.Namespace) -> int:
    from . import history
    from .report import report_history
    gate = gate_of(options)
    records = load.everything(options.paths)
    charts = history.of(records, gate)
    say(*records.notes)
    if not charts:
        raise RecordsError("nothing was measured with two builds: a history needs the same case, variant, mode, "
                           "device and clock with another build")
    page = report_history.run(records, charts, options.out or beside(options.paths[0], "report"), options.figures)
    print(f"history: {page}\n\n{history.text_of(charts, gate)}")
    return 0


def problems_asked(options: argparse.Namespace) -> tuple[int | Path, int | None]:
    """How many are drawn and by which seed, or the file that has them."""
    from . import draw
    try:
        count = int(options.regret)
    except ValueError:
        if options.seed is not None:
            raise RecordsError(f"--seed {options.seed}: nothing is drawn where {options.regret} has the problems") from None
        return Path(options.regret), None
    if count < 1:
        raise RecordsError(f"--regret {options.regret}: 1 or more")
    seed = int(time.time()) if options.seed is None else options.seed
    if seed in draw.FITTED:
        raise RecordsError(f"--seed {seed}: the model was fitted to problems of it; nearest: "
                           f"{next(n for n in itertools.count(seed) if n not in draw.FITTED)}")
    return count, seed


def select_verb(options: argparse.Namespace) -> int:
    from . import program, regret
    if options.map:
        return map_verb(options)
    if options.pairs:
        return pairs_verb(options)
    problems, seed = problems_asked(options)
    if options.within is not None and not 1 <= options.within < math.inf:
        raise RecordsError(f"--within {options.within:g}: times what the choice is estimated to take; nearest: 1")
    out = options.out or ROOT / "build" / "regret" / program.utc() / "records.jsonl"
    summaries = regret.run(problems, seed, options.backend, options.without, options.within, out)
    print(regret.json_of(summaries) if options.json else "\n\n".join(map(regret.text_of, summaries)))
    return 0 if all(summary.met for summary in summaries) else 1


def pairs_verb(options: argparse.Namespace) -> int:
    from . import engine_pairs
    if not options.paths:
        raise RecordsError("--pairs is of records; their files or folders")
    print(engine_pairs.text_of(engine_pairs.gains(read_what_counts(options).every)))
    return 0


def map_verb(options: argparse.Namespace) -> int:
    from . import choice_map
    from .plots import plot_choice, style
    device = ["--on", options.on] if options.on else ["--backend", options.backend]
    choices = choice_map.chosen(choice_map.places(), options.op, *device)
    if options.paths:
        choice_map.measured(choices, options.op, read_what_counts(options).every)
    title = f"Engines chosen, {options.op} 2d traj=radial field=smooth, {options.on or options.backend}"
    plot_choice.draw(choices, title).savefig(options.map, dpi=style.PNG_DPI)
    dots = [c for c in choices if c.measured]
    right = sum(c.family == c.measured.family for c in dots)
    print(f"map: {options.map}" + f"; {right} of {len(dots)} measured problems have their fastest" * bool(dots))
    return 0


def gate_of(options: argparse.Namespace) -> float:
    from . import compare
    try:
        return compare.gate_of(options.gate)
    except ValueError as error:
        raise RecordsError(f"--gate: {error}") from None


def compare_verb(options: argparse.Namespace) -> int:
    from . import agreement, compare
    if options.agreement:
        a, b = read([options.a]), read([options.b])
        show = agreement.json_of if options.json else agreement.text_of
        print(show(agreement.twice(a, b), agreement.in_doubt(a, b)))
        return 0
    found = compare.compare(read([options.a]), read([options.b]), gate_of(options), options.cycles)
    say(*found.warnings)
    print(compare.json_of(found) if options.json else compare.text_of(found, options.all))
    return 1 if found.regressed else 0


def survey_verb(options: argparse.Namespace) -> int:
    from .survey import survey
    return survey.run(options)


def judge_goals(options: argparse.Namespace) -> int:
    from . import goals
    registry = goals.read_registry(options.registry) if options.registry else None
    records = read(options.paths, current.keep_for_goals)
    results = goals.judge(goals.read(options.goals_file), records, registry)
    if not results:
        raise RecordsError(f"{options.goals_file}: no goal is for the devices of these records")
    print(goals.text_of(results))
    return 0 if all(result.state in ("met", "not judged") for result in results) else 1


def model_verb(options: argparse.Namespace) -> int:
    from . import held_out, model
    records = read_what_counts(options).every
    if options.held_out:
        print(held_out.text_of(records, load.load(options.held_out).every, options.backend))
    else:
        print(model.text_of(records, options.backend), end="")
    return 0


def readme_verb(options: argparse.Namespace) -> int:
    from . import program, readme
    if lacking := program.lacks():
        say(f"built without {lacking[0]} and others: of these every knob is shown")
    old = [page for page in options.page
           if not readme.run(page, options.results, options.goals_file, options.check)]
    if not options.check:
        return 0
    for page in old:
        print(f"{page} is out of date; ./ndft readme writes it", file=sys.stderr)
    return 1 if old else 0


def main(arguments: list[str] | None = None) -> int:
    options = parser().parse_args(arguments)
    verbs = {"report": report_verb, "select": select_verb, "compare": compare_verb, "survey": survey_verb,
             "results": results.run,
             "readme": readme_verb, "model": model_verb, "profile": profile.run}
    try:
        status = verbs[options.verb](options)
        sys.stdout.flush()
        return status
    except RecordsError as error:
        say(str(error))
        return 2
    except OSError as error:
        say(f"{error.filename or 'standard output'}: {error.strerror}")
        return ENVIRONMENT


def end(status: int) -> None:
    """Leaves, whatever became of standard output: main has told of it."""
    try:
        sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    sys.exit(status)


if __name__ == "__main__":
    end(main())
