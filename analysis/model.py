# SPDX-License-Identifier: Apache-2.0
"""What engines cost, from records: the text that the library estimates by (library/model.h).

The time of an execution is a sum over what its engine declares, each amount times a cost that is not
negative, with a cost of starting. What it declares now is asked of the program (ndft best --json), so
that better declarations need no new measurements. Costs are fitted to records of single executions queued in a row,
by least squares of relative errors (Lawson and Hanson, Solving Least Squares Problems, 1974, chapter
23): of an engine in an operation and a precision where there are records enough, else in all; where
there are few, as many times what an engine like any other would take as they say.

A machine is faster at one hour than at another, for all engines alike. So each case has a factor of
its own, by which all of its engines took longer than their lines say, and the lines are of times
without it; one after the other is found, until they agree. By that records of another device of the
same kind tell of what a device has no records of: a case has its own factor there. A device with
records enough has lines of its own, fitted to those, and where it has none to the others'.
"""

from __future__ import annotations

import json
import math
import os
from collections import Counter, defaultdict
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import chain
from typing import Any, Iterable

import numpy as np

from . import program, since
from .records.cases import TRANSFORM
from .records.errors import RecordsError
from .records.record import Record

TERMS = ("fma", "add", "special", "tensor", "integer", "issue_slots", "dram_bytes", "l2_bytes", "shared_bytes",
         "launches", "rough", "rougher", "across", "convolved", "summed", "line", "axes", "depth", "chirped", "start")
ENOUGH, FEW = 12, 6  # times for a line of an operation, and for one of all that is the engine's own
ZEPTOSECOND = 1e-21
ROUNDS = 8  # of weights that follow the fit
ASKED = 16  # cases of one call of the program
WEATHERS = 4  # rounds of lines and of factors of cases
OWN = .2  # of the records of the device that has most, for lines of a device's own
NEARER = 10  # times as much counts what was measured on the device itself
SAME = .01  # by which the multiply-adds of what is the same work differ
ISAS = ("x86-64-v2", "x86-64-v3", "x86-64-v4")

Key = tuple[str, str, str]  # engine, operation, precision
Weather = dict[str, float]  # by case: the logarithm of how much longer all took


@dataclass(eq=False)
class Timed:
    """What an engine took for a case, and what it declares of that, by TERMS."""

    engine: str
    id: str
    case: str  # with its device
    op: str
    prec: str
    is_uniform: bool
    seconds: float
    amounts: np.ndarray
    weight: int = 1


def counts(record: Record, backend: str) -> bool:
    """Threads that sleep while they wait take longer than those that the library is estimated for."""
    asleep = (record.device.facts.get("wait_policy") or "").lower() == "passive"
    return (not asleep and record.ranks and record.backend == backend and record.mode == "batch" and record.may_be_chosen
            and not record.ablates and bool(record.cost) and (not since.is_dated(record) or since.is_of_now(record)))


def declared(cases: Iterable[str], device: str) -> dict[str, dict[str, dict[str, float]]]:
    """By case and id the amounts of all engines that serve, as the program has them for a device; of no case with
    files, which may be gone."""
    cases = sorted({case for case in cases if "=file:" not in case})
    known = [case for case, said in zip(cases, program.cases(cases)) if "error" not in said]

    def ask(some: list[str]) -> list[str]:
        return program.ask("best", "--json", "--on", device, *some, NDFT_CACHE="", OMP_NUM_THREADS="1").splitlines()

    with ThreadPoolExecutor(os.cpu_count()) as pool:  # threads of a program would wait for each other
        said = chain.from_iterable(pool.map(ask, (known[i:i + ASKED] for i in range(0, len(known), ASKED))))
    return {case: {id_: amounts for one in json.loads(line_)["serve"] for id_, amounts in one["amounts"].items()}
            for case, line_ in zip(known, said, strict=True)}


def is_same_work(record: Record, amounts: dict[str, float]) -> bool:
    """Whether knobs that are no defaults any more, or that are, change nothing of what is done."""
    fma = record.cost["fma"] * (2 if record.case.prec == "f64" else 1)
    return abs(fma - amounts.get("fma", 0)) <= SAME * max(fma, 1)


def is_own_work(record: Record, amounts: dict[str, float]) -> bool:
    """A nonuniform FFT's grid, window and lanes follow rules: where those changed its work is another by the same id."""
    return since.is_dated(record) or not record.variant_name.startswith("nufft_") or is_same_work(record, amounts)


def is_alike(record: Record, id_: str, amounts: dict[str, float]) -> bool:
    """By other knobs: of what dates tell, those that there are since; else by what is done."""
    if since.is_dated(record):
        return set(record.id.split(":")[1].split(",")) <= set(id_.split(":")[1].split(","))
    return is_same_work(record, amounts)


def timed(records: list[Record], device: str, slug: str) -> list[Timed]:
    """Of the settings of engines that estimates tell apart, for a device."""
    found: dict[tuple[str, str, str], tuple[bool, Timed]] = {}
    engines = declared((r.case.text for r in records), device)
    for r in records:
        by_id = engines.get(r.case.text, {})
        alike = (id_ for id_ in by_id if id_.partition(":")[0] == r.variant_name and is_alike(r, id_, by_id[id_]))
        own = r.id if r.id in by_id and is_own_work(r, by_id[r.id]) else next(alike, None)
        place = (r.device.slug, r.case.text, own)
        if own is None or found.get(place, (False,))[0]:
            continue
        amounts = np.array([by_id[own].get(term, 0.0) for term in TERMS])
        op = "forward" if r.case.op in TRANSFORM else r.case.op
        one = Timed(r.family, own, f"{r.device.slug} {r.case.text}", op, r.case.prec, r.case.is_uniform, r.median_s, amounts,
                    NEARER if r.device.slug == slug else 1)
        found[place] = r.id == own, one
    return [one for _, one in found.values()]


def not_negative(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """x >= 0 that makes |a x - b| the least; of many rows as many as there are columns say the same."""
    q, a = np.linalg.qr(a)
    b = q.T @ b
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


def fit(times: list[Timed], weather: Weather) -> np.ndarray:
    """Costs by TERMS: what is too long and what is too short by the same factor weigh the same."""
    a = np.array([t.amounts for t in times])
    seconds = np.array([clear(t, weather) for t in times])
    counted = np.sqrt([t.weight for t in times])
    if sum(counted == counted.max()) < FEW:  # too few for all that a line has
        counted[:] = 1
    size = np.where(a.max(axis=0) > 0, a.max(axis=0), 1)
    foreseen = seconds
    for _ in range(ROUNDS):
        weight = counted / np.sqrt(foreseen * seconds)
        costs = not_negative(a / size * weight[:, None], seconds * weight)
        foreseen = np.maximum(a / size @ costs, 1e-3 * seconds)
    return costs / size


def clear(time: Timed, weather: Weather) -> float:
    """Seconds without the factor of its case."""
    return time.seconds * math.exp(-weather.get(time.case, 0.0))


def residuals(times: list[Timed], costs: np.ndarray, weather: Weather) -> np.ndarray:
    """Logarithms of what they took over what costs say."""
    sums = np.array([t.amounts for t in times]) @ costs
    return np.log([clear(t, weather) for t in times] / np.maximum(sums, 1e-12))


def groups(times: Iterable[Timed]) -> dict[Key, list[Timed]]:
    """By engine, operation and precision, of all operations and all precisions too, where that is more. A normal
    operator of both ways has no line: the library adds the ways'."""
    found = defaultdict(list)
    for t in times:
        for key in ((t.op, t.prec), (t.op, "any"), ("any", "any")):
            found[(t.engine, *key)].append(t)
    wider = {key: (key[0], key[1], "any") if key[2] != "any" else (key[0], "any", "any") for key in found}
    return {key: them for key, them in found.items()
            if key[1:] == ("any", "any") or (len(them) >= (FEW if key[1] == "any" else ENOUGH)
                                             and len(them) < len(found[wider[key]])
                                             and not (key[1] == "normal" and (key[0], "forward", "any") in found))}


def rare(times: list[Timed], usual: np.ndarray, weather: Weather) -> np.ndarray:
    """Costs of an engine of few times: the usual ones times a factor, which is the nearer to one the fewer."""
    return usual * math.exp(residuals(times, usual, weather).sum() / (len(times) + 1))


def lines_of(grouped: dict[Key, list[Timed]], weather: Weather) -> dict[Key, np.ndarray]:
    """Costs of each line; of engines of few times by what is usual for problems of their kind."""
    everything = [t for key, them in grouped.items() if key[1:] == ("any", "any") for t in them]
    usual = {kind: fit([t for t in everything if t.is_uniform == kind], weather)
             for kind in {t.is_uniform for t in everything}}
    return {key: fit(them, weather) if len(them) >= FEW else rare(them, usual[them[0].is_uniform], weather)
            for key, them in grouped.items()}


def line_for(time: Timed, lines: dict[Key, Any]) -> Key:
    """The key of the line that the library takes."""
    return next(key for key in ((time.engine, time.op, time.prec), (time.engine, time.op, "any"),
                                (time.engine, "any", "any")) if key in lines)


def weather_of(times: list[Timed], lines: dict[Key, np.ndarray]) -> Weather:
    """How much longer than foreseen the engines of a case took, the nearer to nothing the fewer there are."""
    by_case = defaultdict(list)
    for t in times:
        by_case[t.case].append(residuals([t], lines[line_for(t, lines)], {})[0])
    return {case: sum(found) / (len(found) + 1) for case, found in by_case.items()}


def centred(weather: Weather, times: list[Timed]) -> Weather:
    """Factors beside the mean of the device's own cases, whose lines say how slow it is; uniform ones, which have engines
    of their own, apart."""
    most, own = max(t.weight for t in times), defaultdict(set)
    for t in times:
        if t.weight == most:
            own[t.is_uniform].add(t.case)
    middle = {kind: np.mean([weather[case] for case in cases]) for kind, cases in own.items()}
    return {t.case: weather[t.case] - middle.get(t.is_uniform, 0.0) for t in times}


def told_by_others(times: list[Timed], weather: Weather) -> Weather:
    """Of cases of several engines: that of an engine alone is its own error."""
    engines = defaultdict(set)
    for t in times:
        engines[t.case].add(t.engine)
    return {case: factor for case, factor in weather.items() if len(engines[case]) > 1}


def error(times: list[Timed], costs: np.ndarray, weather: Weather) -> float:
    """The usual deviation of the logarithm of a time, more of few."""
    square = np.average(residuals(times, costs, weather) ** 2, weights=[t.weight for t in times])
    return math.sqrt(square + 1 / len(times) ** 2)


def fitted(times: list[Timed]) -> dict[Key, tuple[np.ndarray, float]]:
    """Costs and their error by line."""
    grouped = groups(times)
    weather: Weather = {}
    for _ in range(WEATHERS):
        lines = lines_of(grouped, weather)
        weather = centred(weather_of(times, lines), times)
    told = told_by_others(times, weather)
    return {key: (costs, error(grouped[key], costs, told)) for key, costs in lines.items()}


def line(key: Key, costs: np.ndarray, deviation: float) -> str:
    words = (f"{name}={round(cost / ZEPTOSECOND)}" for name, cost in zip(TERMS, costs) if cost > 0)
    return " ".join((*key, f"error={max(1, round(100 * deviation))}", *words))


def numbers(records: list[Record]) -> Counter[str]:
    """Of records, by the device where they were measured."""
    return Counter(r.device.slug for r in records)


def device_line(records: list[Record], slug: str) -> str:
    """As the latest of its records knows it."""
    device = max((r for r in records if r.device.slug == slug), key=lambda r: r.run.started).device
    facts = device.facts
    words = {"slug": device.slug, "units": facts.get("units"), "mhz": round(facts.get("clock_mhz") or 0) or None,
             "gbs": round((facts.get("bytes_s") or 0) / 1e9) or None, "capability": facts.get("capability"),
             "isa": ISAS.index(facts["isa"]) if facts.get("isa") in ISAS else None}
    return " ".join(["device", *(f"{name}={value}" for name, value in words.items() if value is not None)])


def newest(records: Iterable[Record], slug: str) -> list[Record]:
    """For a device: what was measured again counts as it was last, whatever the build, on that device before others."""
    last: dict[tuple, Record] = {}
    for r in sorted(records, key=lambda r: (r.device.slug == slug, r.run.started)):
        last[r.case.text, r.id] = r
    return list(last.values())


def times_of(records: list[Record], backend: str, slug: str) -> list[Timed]:
    """What counts for a device."""
    units = next(word for word in device_line(records, slug).split() if word.startswith("units="))
    times = timed(newest(records, slug), f"{backend}:{units}", slug)
    if not times:
        raise RecordsError(f"{program.path()} declares nothing of the engines of {backend}: built without them?")
    return times


def of_device(records: list[Record], backend: str, slug: str) -> list[str]:
    """The device, and what its engines cost."""
    found = fitted(times_of(records, backend, slug))
    return [device_line(records, slug), *(line(key, *costs) for key, costs in sorted(found.items()))]


def that_count(records: Iterable[Record], backend: str) -> list[Record]:
    them = [r for r in records if counts(r, backend)]
    if not them:
        raise RecordsError(f"no record of {backend} has a time in batches and a cost")
    return them


def text_of(records: Iterable[Record], backend: str) -> str:
    them = that_count(records, backend)
    counted = numbers(list({(r.device.slug, r.case.text, r.id): r for r in them}.values())).most_common()
    devices = ", ".join(f"{slug} ({count})" for slug, count in counted)
    lines = ["# What engines cost in 1e-21 s, by python3 -m analysis model, for library/model.h.",
             f"# Of records of {devices}."]
    for slug, count in counted:
        if count >= OWN * counted[0][1]:
            lines += of_device(them, backend, slug)
    return "\n".join(lines) + "\n"
