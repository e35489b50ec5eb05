# SPDX-License-Identifier: Apache-2.0
"""What a model's choices lose on problems that it has not seen: a tenth at a time, by a fit to the others.

Of an operation, what the fit says first among all that was measured, engines and settings, is compared with the
fastest. A problem's operations are left out together.
"""

from __future__ import annotations

import math
import random
from collections import defaultdict
from dataclasses import dataclass
from typing import Iterable

from . import model, program, table
from .model import Timed
from .records.record import Record

FOLDS, WORST = 10, 20

Foreseen = tuple[float, Timed]  # seconds by the fit, and what was measured


@dataclass
class Choice:
    """Of an operation."""

    chosen: Foreseen
    best: Foreseen

    @property
    def regret(self) -> float:
        return self.chosen[1].seconds / self.best[1].seconds - 1


def problem(time: Timed) -> str:
    """The device and the case without its operation; a uniform case names none."""
    if time.is_uniform:
        return time.case
    device, _, rest = time.case.split(" ", 2)
    return f"{device} {rest}"


def foreseen(times: list[Timed], asked: set[str]) -> list[list[Foreseen]]:
    """By case that is asked about what was measured of it, by a fit that has seen nothing of its problem."""
    order = sorted({problem(t) for t in times if t.case in asked})
    random.Random(0).shuffle(order)
    found = []
    for fold in range(FOLDS):
        left = set(order[fold::FOLDS])
        lines = {key: costs for key, (costs, _) in model.fitted([t for t in times if problem(t) not in left]).items()}
        engines, by_case = {key[0] for key in lines}, defaultdict(list)
        for t in (t for t in times if t.case in asked and problem(t) in left and t.engine in engines):
            by_case[t.case].append((float(lines[model.line_for(t, lines)] @ t.amounts), t))
        found += by_case.values()
    return found


def choices(cases: Iterable[list[Foreseen]]) -> list[Choice]:
    """The worst first; of what has one time alone there is no choice."""
    found = [Choice(min(them, key=lambda pair: pair[0]), min(them, key=lambda pair: pair[1].seconds))
             for them in cases if len(them) > 1]
    return sorted(found, key=lambda choice: -choice.regret)


def errors(cases: Iterable[list[Foreseen]]) -> list[list[str]]:
    """By engine, operation and precision how many there are, and the usual deviation of the logarithm."""
    apart = defaultdict(list)
    for seconds, t in (pair for them in cases for pair in them):
        apart[t.engine, t.op, t.prec].append(math.log(t.seconds / seconds))
    return [[" ".join(key), str(len(them)), f"{100 * math.sqrt(sum(x * x for x in them) / len(them)):.0f} %"]
            for key, them in sorted(apart.items())]


def summary(found: list[Choice]) -> str:
    values = [choice.regret for choice in reversed(found)]
    at = (values[math.ceil(share * len(values)) - 1] for share in (.5, .9, .95, 1))
    told = "median {:.1f}, 90th {:.1f}, 95th {:.1f} percentile, worst {:.1f}".format(*(100 * value for value in at))
    mean, above = 100 * sum(values) / len(values), sum(value > .1 for value in values)
    return f"{len(values)} operations of two times and more: regret {mean:.1f} % in the mean, {told}; {above} above 10 %"


def text_of(records: Iterable[Record], asked: Iterable[Record], backend: str) -> str:
    them, asked = model.that_count(records, backend), list(asked)
    slug = model.numbers(asked).most_common(1)[0][0]
    cases = foreseen(model.times_of(them, backend, slug), {f"{r.device.slug} {r.case.text}" for r in asked})
    rows = [[f"{100 * choice.regret:.0f} %",
             *(word for seconds, t in (choice.chosen, choice.best)
               for word in (program.short(t.id), f"{seconds / t.seconds:.2f}", f"{1e6 * t.seconds:.1f}")),
             choice.best[1].case] for choice in choices(cases)[:WORST]]
    head = ["regret", "chosen", "foreseen over measured", "us", "fastest", "foreseen over measured", "us", "operation"]
    return "\n\n".join([table.text_table(head, rows), table.text_table(["line", "times", "error"], errors(cases)),
                        summary(choices(cases))])
