# SPDX-License-Identifier: Apache-2.0
"""What engines cost, from records: the text that the library estimates by (library/model.h).

The time of an execution is a sum over what its engine declares, each amount times a cost that is not
negative, with a cost of starting. Costs are fitted to records of single executions queued in a row,
by least squares of relative errors (Lawson and Hanson, Solving Least Squares Problems, 1974, chapter
23): of an engine in an operation and a precision where there are records enough, else in all; where
there are few, as many times what an engine like any other would take as they say.

A machine is faster at one hour than at another, for all engines alike. So each case has a factor of
its own, by which all of its engines took longer than their lines say, and the lines are of times
without it; one after the other is found, until they agree.
"""

from __future__ import annotations

import math
import re
from collections import defaultdict
from typing import Any, Iterable

import numpy as np

from .records.errors import RecordsError
from .records.record import Record

COSTS = ("fma", "add", "special", "tensor", "integer", "issue_slots", "dram_bytes", "l2_bytes", "shared_bytes",
         "launches")
ARITHMETIC = COSTS[:5]
TERMS = (*COSTS, "rough", "rougher", "convolved", "start")
ENOUGH, FEW = 12, 6  # records for a line of an operation, and for one of all that is the engine's own
ZEPTOSECOND = 1e-21
ROUNDS = 8  # of weights that follow the fit
WEATHERS = 4  # rounds of lines and of factors of cases
ISAS = ("x86-64-v2", "x86-64-v3", "x86-64-v4")


Key = tuple[str, str, str]  # engine, operation, precision
Weather = dict[str, float]  # by case: the logarithm of how much longer all took


def largest_prime(n: int) -> int:
    largest, p = 1, 2
    while p * p <= n:
        while n % p == 0:
            n, largest = n // p, p
        p += 1
    return n if n > 1 else largest


def lengths(record: Record) -> list[int]:
    """Of a uniform transform's axes."""
    if not record.case.is_uniform:
        return []
    shape = re.match(r"uniform:\w{4}(?:\d+\.)?(\d+(?:x\d+)*)", record.case.text).group(1)
    return [int(n) for n in shape.split("x")]


def rough(record: Record) -> tuple[float, float, float]:
    """Traffic of the axes that no short kernels make up: of a prime factor p up to 127, which is summed, sqrt(p) of
    it; of one beyond, which is convolved; and how many are."""
    primes = [largest_prime(n) for n in lengths(record)]
    share = record.cost["dram_bytes"] / max(len(primes), 1)
    convolved = sum(p > 127 for p in primes)
    return share * sum(math.sqrt(p) for p in primes if 13 < p <= 127), share * convolved, convolved


def amounts(record: Record) -> list[float]:
    """By TERMS; arithmetic in double counts twice."""
    each = {name: 2 if record.case.prec == "f64" and name in ARITHMETIC else 1 for name in COSTS}
    return [*(each[name] * record.cost[name] for name in COSTS), *rough(record), 1.0]


def counts(record: Record, backend: str) -> bool:
    return (record.ranks and record.backend == backend and record.mode == "batch" and record.may_be_chosen
            and not record.ablates and bool(record.cost))


def not_negative(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """x >= 0 that makes |a x - b| the least."""
    x, free = np.zeros(a.shape[1]), np.zeros(a.shape[1], bool)
    for _ in range(3 * a.shape[1]):
        gradient = np.where(free, -np.inf, a.T @ (b - a @ x))
        if gradient.max() <= 1e-10 * np.abs(a.T @ b).max():
            break
        free[gradient.argmax()] = True
        while True:
            best = np.zeros_like(x)
            best[free] = np.linalg.lstsq(a[:, free], b, rcond=None)[0]
            low = free & (best <= 0)
            if not low.any():
                break
            step = np.min(x[low] / np.maximum(x[low] - best[low], 1e-300))
            x = x + step * (best - x)
            free &= x > 1e-14 * max(x.max(), 1e-300)
            x[~free] = 0
        x = best
    return x


def fit(records: list[Record], weather: Weather) -> np.ndarray:
    """Costs by TERMS: what is too long and what is too short by the same factor weigh the same."""
    a = np.array([amounts(r) for r in records])
    seconds = np.array([clear(r, weather) for r in records])
    size = np.where(a.max(axis=0) > 0, a.max(axis=0), 1)
    foreseen = seconds
    for _ in range(ROUNDS):
        weight = 1 / np.sqrt(foreseen * seconds)
        costs = not_negative(a / size * weight[:, None], seconds * weight)
        foreseen = np.maximum(a / size @ costs, 1e-3 * seconds)
    return costs / size


def clear(record: Record, weather: Weather) -> float:
    """Seconds without the factor of its case."""
    return record.median_s * math.exp(-weather.get(record.case.text, 0.0))


def residuals(records: list[Record], costs: np.ndarray, weather: Weather) -> np.ndarray:
    """Logarithms of what they took over what costs say."""
    sums = np.array([amounts(r) for r in records]) @ costs
    return np.log([clear(r, weather) for r in records] / np.maximum(sums, 1e-12))


def operation(record: Record) -> str:
    return "forward" if record.case.is_uniform else record.case.op


def groups(records: Iterable[Record]) -> dict[Key, list[Record]]:
    """By engine, operation and precision, of all operations and all precisions too, where that is more."""
    found = defaultdict(list)
    for r in records:
        op = operation(r)
        for key in ((op, r.case.prec), (op, "any"), ("any", "any")):
            found[(r.family, *key)].append(r)
    wider = {key: (key[0], key[1], "any") if key[2] != "any" else (key[0], "any", "any") for key in found}
    return {key: them for key, them in found.items()
            if key[1:] == ("any", "any") or (len(them) >= (FEW if key[1] == "any" else ENOUGH)
                                             and len(them) < len(found[wider[key]]))}


def rare(records: list[Record], usual: np.ndarray, weather: Weather) -> np.ndarray:
    """Costs of an engine of few records: the usual ones times a factor, which is the nearer to one the fewer."""
    return usual * math.exp(residuals(records, usual, weather).sum() / (len(records) + 1))


def lines_of(grouped: dict[Key, list[Record]], weather: Weather) -> dict[Key, np.ndarray]:
    """Costs of each line; of engines of few records by what is usual for problems of their kind."""
    everything = [r for key, them in grouped.items() if key[1:] == ("any", "any") for r in them]
    usual = {kind: fit([r for r in everything if r.case.is_uniform == kind], weather)
             for kind in {r.case.is_uniform for r in everything}}
    return {key: fit(them, weather) if len(them) >= FEW else rare(them, usual[them[0].case.is_uniform], weather)
            for key, them in grouped.items()}


def line_for(record: Record, lines: dict[Key, Any]) -> Key:
    """The key of the line that the library takes."""
    op = operation(record)
    return next(key for key in ((record.family, op, record.case.prec), (record.family, op, "any"),
                                (record.family, "any", "any")) if key in lines)


def weather_of(records: list[Record], lines: dict[Key, np.ndarray]) -> Weather:
    """How much longer than foreseen the engines of a case took, the nearer to nothing the fewer there are."""
    by_case = defaultdict(list)
    for r in records:
        by_case[r.case.text].append(residuals([r], lines[line_for(r, lines)], {})[0])
    return {case: sum(found) / (len(found) + 1) for case, found in by_case.items()}


def error(records: list[Record], costs: np.ndarray, weather: Weather) -> float:
    """The usual deviation of the logarithm of a time, more of few records."""
    square = (residuals(records, costs, weather) ** 2).mean()
    return math.sqrt(square + 1 / len(records) ** 2)


def fitted(records: list[Record]) -> dict[Key, tuple[np.ndarray, float]]:
    """Costs and their error by line."""
    grouped = groups(records)
    weather: Weather = {}
    for _ in range(WEATHERS):
        lines = lines_of(grouped, weather)
        weather = weather_of(records, lines)
    return {key: (costs, error(grouped[key], costs, weather)) for key, costs in lines.items()}


def line(key: Key, costs: np.ndarray, deviation: float) -> str:
    words = (f"{name}={round(cost / ZEPTOSECOND)}" for name, cost in zip(TERMS, costs) if cost > 0)
    return " ".join((*key, f"error={max(1, round(100 * deviation))}", *words))


def device_line(records: list[Record]) -> str:
    """Where they were measured, by the latest of them."""
    device = max(records, key=lambda r: r.run.started).device
    facts = device.facts
    words = {"slug": device.slug, "units": facts.get("units"), "mhz": round(facts.get("clock_mhz") or 0) or None,
             "gbs": round((facts.get("bytes_s") or 0) / 1e9) or None, "capability": facts.get("capability"),
             "isa": ISAS.index(facts["isa"]) if facts.get("isa") in ISAS else None}
    return " ".join(["device", *(f"{name}={value}" for name, value in words.items() if value is not None)])


def newest(records: Iterable[Record]) -> list[Record]:
    """What was measured again counts as it was last, whatever the build."""
    last: dict[tuple, Record] = {}
    for r in sorted(records, key=lambda r: r.run.started):
        last[r.device.slug, r.case.text, r.id] = r
    return list(last.values())


def text_of(records: Iterable[Record], backend: str) -> str:
    them = newest(r for r in records if counts(r, backend))
    if not them:
        raise RecordsError(f"no record of {backend} has a time in batches and a cost")
    lines = ["# What engines cost in 1e-21 s, of records; by python3 -m analysis model, for library/model.h.",
             device_line(them)]
    lines += [line(key, *found) for key, found in sorted(fitted(them).items())]
    return "\n".join(lines) + "\n"
