# SPDX-License-Identifier: Apache-2.0
"""What engines cost: fits that are known beforehand, and the texts that libndft carries."""

import itertools
import json
import math
import re
import subprocess

import numpy as np
import pytest

from program import PROGRAM, ROOT
from synthetic import case_line, case_text, run_line, write

from analysis import model
from analysis.records import load

COST = dict.fromkeys(model.COSTS, 0.0)


def least(a, b):
    """By trying all sets of columns."""
    best = (np.inf, None)
    for chosen in itertools.product((False, True), repeat=a.shape[1]):
        x = np.zeros(a.shape[1])
        if any(chosen):
            x[list(chosen)] = np.linalg.lstsq(a[:, list(chosen)], b, rcond=None)[0]
        if x.min() >= 0:
            best = min(best, (np.linalg.norm(a @ x - b), tuple(x)))
    return best[0]


def test_costs_are_the_best_that_are_not_negative():
    rng = np.random.default_rng(5)
    for _ in range(40):
        a, b = rng.normal(size=(9, 4)), rng.normal(size=9)
        x = model.not_negative(a, b)
        assert x.min() >= 0
        assert np.linalg.norm(a @ x - b) <= least(a, b) + 1e-9


def records(tmp_path, cost_of, seconds_of, n=14):
    lines = []
    for i in range(n):
        text = case_text(n=f"{16 + i}x{16 + i}")
        lines.append(case_line("tiled.cpu", case=text, cost=COST | cost_of(i), median_s=seconds_of(i)))
    path = write(tmp_path / "a.jsonl", run_line(backends=("cpu",)), *lines)
    return load.load([path]).every


def test_known_costs_are_found(tmp_path):
    rng = np.random.default_rng(7)
    work = rng.uniform(1e6, 1e9, (14, 2))
    them = records(tmp_path, lambda i: {"fma": work[i, 0], "l2_bytes": work[i, 1]},
                   lambda i: 2e-11 * work[i, 0] + 3e-11 * work[i, 1] + 4e-4)
    found = dict(zip(model.TERMS, model.fit(them, {})))
    assert found["fma"] == pytest.approx(2e-11, rel=1e-3)
    assert found["l2_bytes"] == pytest.approx(3e-11, rel=1e-3)
    assert found["start"] == pytest.approx(4e-4, rel=1e-2)
    assert sum(found.values()) == pytest.approx(4e-4, rel=1e-2)  # nothing else costs anything


@pytest.mark.parametrize("few", [1, 5])
def test_few_records_are_times_what_is_usual(tmp_path, few):
    """Of an engine that takes four times as long as the others: the more records say so, the more it counts."""
    lines = [case_line(id_, case=case_text(n=f"{16 + i}x{16 + i}"), cost=COST | {"fma": 1e6 * (i + 1)},
                       median_s=slow * 1e-4 * (i + 1))
             for id_, slow, count in (("tiled.cpu", 1, 60), ("naive.cpu", 4, few)) for i in range(60 - count, 60)]
    grouped = model.groups(load.load([write(tmp_path / "a.jsonl", run_line(backends=("cpu",)), *lines)]).every)
    costs, them = model.lines_of(grouped, {})["naive", "any", "any"], grouped["naive", "any", "any"]
    assert math.exp(model.residuals(them, costs, {}).mean()) == pytest.approx(4 ** (1 / (few + 1)), rel=.1)
    assert model.error(them, costs, {}) > 1 / few


def test_the_weather_of_a_case_is_not_its_engines(tmp_path):
    """Four engines of known costs, on cases that took up to three times as long for all of them."""
    rng = np.random.default_rng(3)
    names, weather = ("tiled", "fast_math", "output_driven", "sincos_table"), rng.uniform(1, 3, 30)
    lines = [case_line(f"{name}.cpu", case=case_text(n=f"{16 + i}x{16 + i}"), cost=COST | {"fma": work},
                       median_s=1e-11 * (1 + k) * work * weather[i])
             for i in range(30) for k, name in enumerate(names) for work in (rng.uniform(1e8, 1e9),)]
    them = load.load([write(tmp_path / "a.jsonl", run_line(backends=("cpu",)), *lines)]).every
    found = {key[0]: costs for key, (costs, _) in model.fitted(them).items() if key[1] == "any"}
    fma = np.array([dict(zip(model.TERMS, found[name]))["fma"] for name in names])
    assert fma / fma[0] == pytest.approx([1, 2, 3, 4], rel=.04)
    alone = [dict(zip(model.TERMS, model.fit(group, {})))["fma"]
             for (_, op, _), group in sorted(model.groups(them).items()) if op == "any"]
    assert max(alone) / min(alone) != pytest.approx(4, rel=.04)  # without factors


@pytest.mark.parametrize("backend", ["cpu", "cuda"])
def test_the_texts_speak_of_engines_that_there_are(backend):
    listed = json.loads(subprocess.run([PROGRAM, "list", "--json"], capture_output=True, text=True).stdout)
    engines = {v["name"] for v in listed["variants"] if v["backend"] == backend}
    comment, device, *lines = (ROOT / f"library/model/{backend}.txt").read_text().splitlines()
    assert comment.startswith("# ") and device.startswith("device slug=")
    word = re.compile(r"(" + "|".join(model.TERMS) + r")=\d{1,19}")
    for line in lines:
        name, op, prec, error, *costs = line.split(" ")
        assert name in engines, line
        assert op in ("forward", "adjoint", "normal", "any") and prec in ("f32", "f64", "any"), line
        assert re.fullmatch(r"error=[1-9]\d{0,2}", error), line
        assert costs and all(word.fullmatch(cost) for cost in costs), line
    assert len(lines) == len({tuple(line.split(" ")[:3]) for line in lines})
