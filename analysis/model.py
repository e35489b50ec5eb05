# SPDX-License-Identifier: Apache-2.0
"""What engines cost, from records: the text that the library estimates by (library/model.h).

The time of an execution is a sum over what its engine declares, each amount times a cost that is not
negative, with a cost of starting. Costs are fitted to records of single executions queued in a row,
by least squares of relative errors (Lawson and Hanson, Solving Least Squares Problems, 1974, chapter
23): of an engine in an operation and a precision where there are records enough, else in all.
"""

from __future__ import annotations

import math
import re
from collections import defaultdict
from typing import Iterable

import numpy as np

from .records.errors import RecordsError
from .records.record import Record

COSTS = ("fma", "add", "special", "tensor", "integer", "issue_slots", "dram_bytes", "l2_bytes", "shared_bytes",
         "launches")
ARITHMETIC = COSTS[:5]
TERMS = (*COSTS, "rough", "rougher", "convolved", "start")
ENOUGH, FEW = 12, 6  # records for a line of an operation, and for one of all
ZEPTOSECOND = 1e-21
ROUNDS = 8  # of weights that follow the fit
ISAS = ("x86-64-v2", "x86-64-v3", "x86-64-v4")


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


def fit(records: list[Record]) -> np.ndarray:
    """Costs by TERMS: what is too long and what is too short by the same factor weigh the same."""
    a = np.array([amounts(r) for r in records])
    seconds = np.array([r.median_s for r in records])
    size = np.where(a.max(axis=0) > 0, a.max(axis=0), 1)
    foreseen = seconds
    for _ in range(ROUNDS):
        weight = 1 / np.sqrt(foreseen * seconds)
        costs = not_negative(a / size * weight[:, None], seconds * weight)
        foreseen = np.maximum(a / size @ costs, 1e-3 * seconds)
    return costs / size


def groups(records: Iterable[Record]) -> dict[tuple[str, str, str], list[Record]]:
    """By engine, operation and precision, of all operations and all precisions too, where that is more."""
    found = defaultdict(list)
    for r in records:
        op = "forward" if r.case.is_uniform else r.case.op
        for key in ((op, r.case.prec), (op, "any"), ("any", "any")):
            found[(r.family, *key)].append(r)
    wider = {key: (key[0], key[1], "any") if key[2] != "any" else (key[0], "any", "any") for key in found}
    return {key: them for key, them in found.items()
            if len(them) >= (FEW if key[1] == "any" else ENOUGH)
            and (key == wider[key] or len(them) < len(found[wider[key]]))}


def error(records: list[Record], costs: np.ndarray) -> float:
    """What the sums err by: the root mean square of logarithms."""
    sums = np.array([amounts(r) for r in records]) @ costs
    return float(np.sqrt(np.mean(np.log(sums / [r.median_s for r in records]) ** 2)))


def line(key: tuple[str, str, str], costs: np.ndarray, deviation: float) -> str:
    words = (f"{name}={round(cost / ZEPTOSECOND)}" for name, cost in zip(TERMS, costs) if cost > 0)
    return " ".join((*key, f"error={max(1, round(100 * deviation))}", *words))


def device_line(records: list[Record]) -> str:
    """Where they were measured, by the latest of them."""
    device = max(records, key=lambda r: r.run.started).device
    facts = device.facts
    words = {"slug": device.slug, "units": facts.get("units"), "mhz": round(facts.get("clock_mhz") or 0) or None,
             "capability": facts.get("capability"),
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
    for key, group in sorted(groups(them).items()):
        costs = fit(group)
        lines.append(line(key, costs, error(group, costs)))
    return "\n".join(lines) + "\n"
