# SPDX-License-Identifier: Apache-2.0
"""What must be reached, against what was measured.

Lines of configs/goals.def:

    CASE | VARIANTS | METRIC >= VALUE | MODE [| DEVICE]

CASE      a case of either kind; keys left out have their defaults. {a,b} stands for one goal each.
VARIANTS  anchored extended regular expression over NAME.BACKEND, or over the full id where that
          matches. {a,b} of words stands for one goal each.
METRIC    a field of the record, with >= or <=. `1/3 of METRIC` makes one goal of all the cases of
          the line, which is met where it is in at least this share of them.
VALUE     a number, or `NUMBER * ERE [at KEY=VALUE...]`: that many times the metric of the fastest
          pass of ERE on the same case, with other keys where they are given, in the same mode on
          the same device. `same` in place of ERE is the variant that is judged, with any knobs.
          Or METRIC >= VALUE is `speedup over ERE >= NUMBER`: the time of a peer, which ERE names,
          over that of our fastest variant. It is judged by records of one run alone that hold both;
          where there is no such run it is not judged, and does not count as missed.
MODE      batch, cold, warm, graph, stages or end-to-end; several, `batch,graph`: the fastest of any.
DEVICE    anchored extended regular expression over device slugs, default any. A goal for devices
          that the records do not have is left out.

The fastest pass that matches is the one whose metric counts, so that a rate and an error come from
the same kernel with the same knobs. A time, rate or speedup that falls short is missed only where all
of its published interval does; else it is undecided. One of an older source counts only where none other is there,
and a result is as stale as the stalest that it was made from.
"""

from __future__ import annotations

import dataclasses
import difflib
import json
import math
import operator
import re
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from pathlib import Path

from . import speedup, table
from .records import cases
from .records.cases import Case
from .records.errors import RecordsError
from .records.record import Record, Records

LIST = re.compile(r"\{([A-Za-z_]\w*(?:,[A-Za-z_]\w*)+)\}")  # in an expression, which has {1,2}
WORDS = re.compile(r"\{([^{},]+(?:,[^{},]+)+)\}")
SHARE = re.compile(r"(\d+/[1-9]\d*)\s+of\s+(.+)")
TARGET = re.compile(r"(\w+)\s*(>=|<=)\s*"
                    r"(?:([-+.\deE]+)\s*\*\s*(\S+)(?:\s+at\s+(.+))?|([-+.\deE]+))")
OVER = re.compile(r"speedup\s+over\s+(\S+)\s*>=\s*([\d.]+)")
SAME, SPEEDUP = "same", "speedup"
JUDGED = ("met", "missed", "undecided", "unmeasured", "not judged")
METRICS = ("coil_pairs_per_s", "median_s", "rel_l2", "max_err", "adjoint_err", "plan_s",
           "plan_bytes")
MODES = ("batch", "cold", "warm", "graph", "stages", "end-to-end")
BUILDS = ("-", "current", "unknown", "stale")  # the best first
COMPARE = {">=": operator.ge, "<=": operator.le}


@dataclass(frozen=True)
class Goal:
    case: Case
    variants: str
    metric: str
    relation: str
    factor: float
    base: str  # ERE whose metric multiplies factor, or of the peer, or SAME; empty: factor is the value
    base_case: Case
    modes: tuple[str, ...]
    device: str
    share: Fraction = Fraction(1)  # how many of these are to be met; none: the goal stands alone
    of: tuple["Goal", ...] = ()

    @property
    def label(self) -> str:
        more = f" and {len(self.of) - 1} more" if self.of else ""
        return self.case.label + more


@dataclass
class Result:
    """state is one of JUDGED; by is how far measured lies from value, 0.1 = 10 %. Of a
    share, measured and value count the cases that meet it and that have to."""

    goal: Goal
    state: str
    record: Record | None = None
    measured: float | None = None
    value: float | None = None
    build: str = "-"

    @property
    def by(self) -> float | None:
        return self.measured / self.value - 1 if self.measured is not None and self.value else None


def expand(text: str, lists: re.Pattern = LIST) -> list[str]:
    """Every combination of the {a,b} lists of words in a text."""
    parts = lists.split(text)
    choices = [part.split(",") if i % 2 else [part] for i, part in enumerate(parts)]
    return ["".join(words) for words in product(*choices)]


def read(path: Path) -> list[Goal]:
    """Reads a goals file; raises RecordsError naming file, line and what is wrong there."""
    if not path.exists():
        raise RecordsError(f"{path}: no such file")
    goals: list[Goal] = []
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except UnicodeDecodeError as error:
        raise RecordsError(f"{path}: not UTF-8: {error}") from None
    lines = [line.partition("#")[0].strip() for line in lines]
    cases.learn(text for line in lines if line for text in expand(line.split(" | ")[0], WORDS))
    for number, line in enumerate(lines, 1):
        try:
            if line:
                goals += _goals(line)
        except (ValueError, re.error) as error:
            raise RecordsError(f"{path}:{number}: {error}") from None
    return goals


def _goals(line: str) -> list[Goal]:
    # A | inside parentheses belongs to a regular expression; columns have spaces around theirs.
    columns = [column.strip() for column in re.split(r"\s\|\s", line)]
    if len(columns) not in (4, 5):
        raise ValueError(f"'{line}' does not have 4 or 5 columns set off by ' | '")
    case, variants, target, *rest = columns
    shared = SHARE.fullmatch(target)
    words = expand(case, WORDS)
    own = [*product(expand(variants), *map(expand, (shared[2] if shared else target, *rest)))]
    if shared and not 0 < Fraction(shared[1]) <= 1:
        raise ValueError(f"'{shared[1]}' is no share")
    if not shared:
        return [_goal(one, *columns) for one in words for columns in own]
    lists = (tuple(_goal(one, *columns) for one in words) for columns in own)
    return [dataclasses.replace(of[0], share=Fraction(shared[1]), of=of) for of in lists]


def _goal(case: str, variants: str, target: str, mode: str, device: str = ".*") -> Goal:
    over, found = OVER.fullmatch(target), TARGET.fullmatch(target)
    if not (over or found):
        raise ValueError(f"'{target}' is not METRIC >= VALUE")
    metric, relation, factor, base, keys, value = (
        (SPEEDUP, ">=", None, over[1], None, over[2]) if over else found.groups())
    if metric not in METRICS and not over:
        raise ValueError(f"'{metric}' is none of {', '.join(METRICS)}")
    modes = tuple(mode.split(","))
    for one in modes:
        if one not in MODES:
            (nearest,) = difflib.get_close_matches(one, MODES, 1, cutoff=0)
            raise ValueError(f"there is no timing mode '{one}'; nearest: {nearest}")
    for pattern in (variants, base or "", device):
        re.compile(pattern)
    return Goal(cases.parse(case), variants, metric, relation, float(value or factor), base or "",
                cases.parse(_changed(case, keys or "")), modes, device)


def _changed(case: str, keys: str) -> str:
    """The line with these words in place of those of the same keys."""
    changed = {word.partition("=")[0] for word in keys.split()}
    kept = [word for word in case.split() if word.partition("=")[0] not in changed]
    return " ".join([*kept, *keys.split()])


def judge(goals: list[Goal], records: Records, registry: dict[str, str] | None) -> list[Result]:
    """One result per goal that is for these records' devices; registry maps NAME.BACKEND to
    build_id."""
    slugs = {d.slug for run in records.runs.values() for d in run.devices.values()}
    passed = sorted((record for record in records.every if record.ranks),
                    key=lambda r: (_build(r, registry) == "stale", r.median_s))
    return [_judge_share(goal, passed, registry) if goal.of
            else _judge(goal, passed, registry) for goal in goals
            if any(re.fullmatch(goal.device, slug) for slug in slugs)]


def _fastest(pattern: str, case: Case, goal: Goal, device: str,
             passed: list[Record]) -> Record | None:
    """The first, as judge sorts them: the fastest of those that are not stale, if there are any."""
    found = (r for r in passed if re.fullmatch(device, r.device.slug) and r.mode in goal.modes
             and r.case == case and speedup.matches(pattern, r)
             and getattr(r, goal.metric) is not None)
    return next(found, None)


def _base(goal: Goal, record: Record, passed: list[Record]) -> Record | None:
    """What the goal is relative to, for the record that is judged."""
    device = record.device.slug
    pattern = re.escape(record.variant_name) if goal.base == SAME else goal.base
    return _fastest(pattern, goal.base_case, goal, re.escape(device), passed)


def _over_peer(goal: Goal, passed: list[Record], registry: dict[str, str] | None) -> Result:
    found = speedup.of(goal.case, goal.variants, goal.base, goal.modes, goal.device, passed)
    if found is None:
        return Result(goal, "not judged", value=goal.factor)
    build = _worst([_build(r, registry) for r in (found.ours, found.rival)])
    state = _state(goal, found.value, goal.factor, found.interval)
    return Result(goal, state, found.ours, found.value, goal.factor, build)


def _state(goal: Goal, measured: float, value: float, interval: tuple[float, float]) -> str:
    """interval: of what was measured; both ends are it where there is none."""
    reached = COMPARE[goal.relation]
    if reached(measured, value):
        return "met"
    return "undecided" if any(reached(end, value) for end in interval) else "missed"


def _interval(goal: Goal, record: Record) -> tuple[float, float]:
    low, high = record.interval
    ends = {"median_s": (low, high), "coil_pairs_per_s": (record.rate_at(high), record.rate_at(low))}
    measured = getattr(record, goal.metric)
    return ends.get(goal.metric, (measured, measured))


def _judge(goal: Goal, passed: list[Record], registry: dict[str, str] | None) -> Result:
    if goal.metric == SPEEDUP:
        return _over_peer(goal, passed, registry)
    unmeasured = Result(goal, "unmeasured", value=None if goal.base else goal.factor)
    record = _fastest(goal.variants, goal.case, goal, goal.device, passed)
    if record is None:
        return unmeasured
    value, build = goal.factor, _build(record, registry)
    if goal.base:
        base = _base(goal, record, passed)
        if base is None:
            return unmeasured
        value *= getattr(base, goal.metric)
        build = _worst([build, _build(base, registry)])
    measured = getattr(record, goal.metric)
    state = _state(goal, measured, value, _interval(goal, record))
    return Result(goal, state, record, measured, value, build)


def _judge_share(goal: Goal, passed: list[Record], registry: dict[str, str] | None) -> Result:
    """What was not measured, or not clearly, may yet be met."""
    results = [_judge(one, passed, registry) for one in goal.of]
    states = [r.state for r in results]
    met, needed = states.count("met"), math.ceil(goal.share * len(states))
    open_ = len(states) - states.count("missed") >= needed
    waits = "not judged" if goal.metric == SPEEDUP else "unmeasured"
    state = "met" if met >= needed else waits if open_ else "missed"
    return Result(goal, state, None, met, needed, _worst([r.build for r in results]))


def _worst(builds: list[str]) -> str:
    return max(builds, key=BUILDS.index)


def _build(record: Record, registry: dict[str, str] | None) -> str:
    """Whether the record was made by the source as it is: current, stale or unknown."""
    if registry is None or not record.build_id:
        return "unknown"
    return "current" if registry.get(record.variant_name) == record.build_id else "stale"


def read_registry(path: Path) -> dict[str, str]:
    """NAME.BACKEND -> build_id, from the output of `ndft list --json`."""
    try:
        variants = json.loads(path.read_text())["variants"]
        return {f"{v['name']}.{v['backend']}": v["build_id"] for v in variants}
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise RecordsError(f"{path}: not the output of `ndft list --json` ({error})") from None


def text_of(results: list[Result]) -> str:
    """A table per case, and a line that counts."""
    groups: dict[str, list[list[str]]] = {}
    for r in results:
        groups.setdefault(r.goal.label, []).append(_row(r))
    head = ["state", "by", "measured", "goal", "variant", "device", "build", "record"]
    every = [row for rows in groups.values() for row in rows]
    lines = iter(table.text_table(head, every).splitlines())
    parts = ["\n".join([next(lines), next(lines)])]
    for title, rows in groups.items():
        parts.append("\n".join([title, *(next(lines) for _ in rows)]))
    states = [r.state for r in results]
    counts = ", ".join(f"{states.count(s)} {s}" for s in JUDGED
                       if s in states or s in ("met", "missed", "unmeasured"))
    return "\n\n".join([*parts, f"{len(results)} goals: {counts}"])


def _row(r: Result) -> list[str]:
    if r.goal.metric == SPEEDUP and not r.goal.of:
        return _speedup_row(r)
    number = table.rate if r.goal.metric == "coil_pairs_per_s" else table.error
    relative = f"{r.goal.factor:g} * {r.goal.base}"
    value = relative if r.value is None else number(r.value)
    by = "-" if r.by is None else table.percent(r.by)
    measured, share = number(r.measured), ""
    if r.goal.of:
        value = relative if r.goal.base else number(r.goal.factor)
        by, measured = "-", f"{r.measured} of {len(r.goal.of)}"
        share = f"{r.goal.share} of "
    return [r.state, by, measured, f"{share}{r.goal.metric} {r.goal.relation} {value}",
            r.record.id if r.record else r.goal.variants,
            r.record.device.slug if r.record else r.goal.device, r.build,
            Path(r.record.source).name if r.record else "-"]


def _speedup_row(r: Result) -> list[str]:
    goal = f"speedup over {r.goal.base} >= {r.goal.factor:g}"
    if r.record is None:
        return [r.state, "-", "-", goal, r.goal.variants, r.goal.device, "-",
                "no record holds both yet"]
    return [r.state, table.percent(r.by), f"{r.measured:.2f}", goal, r.record.id,
            r.record.device.slug, r.build, Path(r.record.source).name]
