# SPDX-License-Identifier: Apache-2.0
"""What engines cost: fits that are known beforehand, and the texts that libndft carries."""

import itertools
import math
import re
from types import SimpleNamespace

import numpy as np
import pytest

from program import ROOT, listed
from synthetic import case_line, case_text, run_line, write

from analysis import model
from analysis.records import load

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


def times(engine, fma, seconds, cases=None, **more):
    """Of an engine that declares multiply-adds, and whatever else, of a case each."""
    return [model.Timed(engine, engine, f"device forward {i}", "forward", "f32", False, s,
                        np.array([{"fma": work, "start": 1, **{name: of[k] for name, of in more.items()}}.get(term, 0.0)
                                  for term in model.TERMS]))
            for k, (i, work, s) in enumerate(zip(cases or range(len(fma)), fma, seconds))]


def test_what_was_measured_again_counts_as_it_was_last_on_the_device_itself_before_others():
    def of(slug, started, id_):
        return SimpleNamespace(device=SimpleNamespace(slug=slug), run=SimpleNamespace(started=started),
                               case=SimpleNamespace(text="forward"), id=id_)
    old, alone, new = of("h200", 1, "tiled"), of("h200", 1, "naive"), of("h100", 2, "tiled")
    again = of("h200", 3, "naive")
    assert model.newest([new, old, alone, again], "h200") == [old, again]
    assert model.newest([new, old, alone, again], "h100") == [new, again]


def test_a_normal_operator_of_both_ways_has_no_line():
    """As the library adds the ways' lines (estimate.c); one that has no ways, as Toeplitz, has its own."""
    def of(engine, op, prec, count):
        return [SimpleNamespace(engine=engine, op=op, prec=prec) for _ in range(count)]
    them = [t for prec in ("f32", "f64") for t in of("toeplitz", "normal", prec, model.ENOUGH)
            + of("scatter", "normal", prec, model.ENOUGH) + of("scatter", "forward", prec, model.ENOUGH)]
    assert {key[0] for key in model.groups(them) if key[1] == "normal"} == {"toeplitz"}


def test_threads_that_sleep_do_not_count():
    def of(**facts):
        return SimpleNamespace(device=SimpleNamespace(facts=facts), ranks=True, backend="cpu", mode="batch",
                               may_be_chosen=True, ablates=None, cost={"fma": 1.0})
    assert model.counts(of(), "cpu") and model.counts(of(wait_policy=None), "cpu")
    assert model.counts(of(wait_policy="active"), "cpu") and not model.counts(of(wait_policy="PASSIVE"), "cpu")


def test_known_costs_are_found():
    rng = np.random.default_rng(7)
    fma, l2 = rng.uniform(1e6, 1e9, (2, 14))
    them = times("tiled", fma, 2e-11 * fma + 3e-11 * l2 + 4e-4, l2_bytes=l2)
    found = dict(zip(model.TERMS, model.fit(them, {})))
    assert found["fma"] == pytest.approx(2e-11, rel=1e-3)
    assert found["l2_bytes"] == pytest.approx(3e-11, rel=1e-3)
    assert found["start"] == pytest.approx(4e-4, rel=1e-2)
    assert sum(found.values()) == pytest.approx(4e-4, rel=1e-2)  # nothing else costs anything


def test_what_was_measured_on_the_device_itself_counts_more():
    """Of an engine that takes twice as long there as elsewhere."""
    work = 1e6 * np.arange(1, 21)
    own, others = times("tiled", work, 2e-11 * work), times("tiled", work, 1e-11 * work)
    for t in own:
        t.weight = model.NEARER
    assert dict(zip(model.TERMS, model.fit(own + others, {})))["fma"] == pytest.approx(1.83e-11, rel=.01)


def test_few_of_the_device_itself_count_as_others_do():
    """Three times, which a line of many costs could follow, whatever the others say."""
    work = 1e6 * np.arange(1, 21)
    own, others = times("tiled", work[:3], 2e-11 * work[:3]), times("tiled", work, 1e-11 * work)
    for t in own:
        t.weight = model.NEARER
    weighed = model.fit(own + others, {})
    for t in own:
        t.weight = 1
    assert np.array_equal(weighed, model.fit(own + others, {}))


def test_lines_say_how_slow_the_device_is():
    """All engines take twice as long there as elsewhere, where five times as many cases were measured."""
    def of(slug, count, factor):
        work = 1e8 * np.arange(1, count + 1)
        found = [t for k, name in enumerate(("tiled", "naive", "fast_math"), 1)
                 for t in times(name, work, k * factor * 1e-11 * work)]
        for t in found:
            t.case = f"{slug} {t.case}"
        return found
    own = of("own", 20, 2)
    for t in own:
        t.weight = model.NEARER
    lines = {key: costs for key, (costs, _) in model.fitted(own + of("other", 100, 1)).items()}
    foreseen = [float(lines[model.line_for(t, lines)] @ t.amounts) / t.seconds for t in own]
    assert np.mean(foreseen) == pytest.approx(1, abs=.06)


@pytest.mark.parametrize("few", [1, 5])
def test_few_records_are_times_what_is_usual(few):
    """Of an engine that takes four times as long as the others: the more records say so, the more it counts."""
    work = 1e6 * np.arange(1, 61)
    grouped = model.groups(times("tiled", work, 1e-10 * work) + times("naive", work[-few:], 4e-10 * work[-few:]))
    costs, them = model.lines_of(grouped, {})["naive", "any", "any"], grouped["naive", "any", "any"]
    assert math.exp(model.residuals(them, costs, {}).mean()) == pytest.approx(4 ** (1 / (few + 1)), rel=.1)
    assert model.error(them, costs, {}) > 1 / few


def test_the_weather_of_a_case_is_not_its_engines():
    """Four engines of known costs, on cases that took up to three times as long for all of them."""
    rng = np.random.default_rng(3)
    names, weather, them = ("tiled", "fast_math", "output_driven", "sincos_table"), rng.uniform(1, 3, 30), []
    for k, name in enumerate(names):
        work = rng.uniform(1e8, 1e9, 30)
        them += times(name, work, 1e-11 * (1 + k) * work * weather)
    found = {key[0]: costs for key, (costs, _) in model.fitted(them).items() if key[1] == "any"}
    fma = np.array([dict(zip(model.TERMS, found[name]))["fma"] for name in names])
    assert fma / fma[0] == pytest.approx([1, 2, 3, 4], rel=.04)
    alone = [dict(zip(model.TERMS, model.fit(group, {})))["fma"]
             for (_, op, _), group in sorted(model.groups(them).items()) if op == "any"]
    assert max(alone) / min(alone) != pytest.approx(4, rel=.04)  # without factors


def test_what_one_engine_alone_took_longer_is_its_error():
    them = [model.Timed(name, name, f"device forward {i}", "forward", "f32", False, (2 if i % 2 else 1) * 1e-3,
                        np.array([1.0] + [0.0] * (len(model.TERMS) - 1))) for i in range(40) for name in ("tiled", "naive")]
    both, alone = (model.fitted(some)["tiled", "any", "any"][1] for some in (them, them[::2]))
    assert alone == pytest.approx(.35, abs=.05) and both < .5 * alone  # a factor of the case


def test_what_engines_declare_is_the_program_s(tmp_path):
    """Whatever the record said, but for work that is another."""
    said = model.declared([case_text(n="64x64")], "cpu:units=2")[case_text(n="64x64")]
    tiled, scatter = (next(id_ for id_ in said if id_.startswith(name)) for name in ("tiled.cpu", "nufft_scatter.cpu"))
    cost, fft = (dict.fromkeys(model.TERMS[:10], 1.0) | {"fma": said[id_]["fma"]} for id_ in (tiled, scatter))
    other = cost | {"fma": 2 * cost["fma"]}
    for id_, declared, count in ((tiled, other, 1), ("tiled.cpu:tile=999", cost, 1), ("tiled.cpu:tile=999", other, 0),
                                 ("gone.cpu", cost, 0), (scatter, fft, 1), (scatter, fft | {"fma": 2 * fft["fma"]}, 0)):
        path = write(tmp_path / "a.jsonl", run_line(backends=("cpu",)),
                     case_line(id_, case=case_text(n="64x64"), cost=declared, median_s=.5))
        found = model.timed(load.load([path]).every, "cpu:units=2", "xeon-2c-avx512")
        assert len(found) == count, id_
        assert all(t.weight == model.NEARER and t.seconds == .5
                   and dict(zip(model.TERMS, t.amounts))["fma"] in (cost["fma"], fft["fma"]) for t in found)


def blocks(backend):
    """The text of a backend: what its comments say, and lines by device."""
    head, *devices = (ROOT / f"library/model/{backend}.txt").read_text().split("device ")
    return head, {re.match(r"slug=(\S+) ", text).group(1): text.splitlines()[1:] for text in devices}


@pytest.mark.parametrize("backend", ["cpu", "cuda"])
def test_the_texts_speak_of_engines_that_there_are(backend):
    engines = {v["name"] for v in listed() if v["backend"] == backend}
    head, devices = blocks(backend)
    assert all(f" {slug} (" in head for slug in devices) and len(devices) <= 4  # as library/model.c has room for
    assert f"# Of records of {next(iter(devices))} (" in head
    word = re.compile(r"(" + "|".join(model.TERMS) + r")=\d{1,19}")
    for lines in devices.values():
        for line in lines:
            name, op, prec, error, *costs = line.split(" ")
            assert name in engines, line
            assert op in ("forward", "adjoint", "normal", "any") and prec in ("f32", "f64", "any"), line
            assert re.fullmatch(r"error=[1-9]\d{0,2}", error), line
            assert costs and all(word.fullmatch(cost) for cost in costs), line
        assert len(lines) == len({tuple(line.split(" ")[:3]) for line in lines})


def said(lines):
    """Costs by TERMS, and the error, by engine, operation and precision."""
    words = (line.split(" ") for line in lines)
    found = {tuple(line[:3]): dict(word.split("=") for word in line[3:]) for line in words}
    return {key: (model.ZEPTOSECOND * np.array([int(of.get(term, 0)) for term in model.TERMS]), int(of["error"]) / 100)
            for key, of in found.items()}


@pytest.mark.parametrize("backend, slug, files", [("cpu", "epyc-2c-avx512", "drawn-20261125*"),
                                                  ("cpu", "xeon-2c-avx512", "drawn-*"), ("cuda", "h200", "drawn/drawn-*")])
def test_the_texts_foresee_what_engines_declare_now(backend, slug, files):
    """Who changes what an engine declares fits anew: of the drawn problems of every engine four in five are within four
    times the error that its line says."""
    records = load.load(map(str, ROOT.glob(f"library/model/records/{slug}/{files}"))).every
    lines, apart = said(blocks(backend)[1][slug]), {}
    counted = [r for r in records if model.counts(r, backend)]
    newest = model.newest(counted, slug)
    cases = sorted({r.case.text for r in newest})[::3]
    for t in model.timed([r for r in newest if r.case.text in cases], f"{backend}:units=2", ""):
        costs, error = lines[model.line_for(t, lines)]
        apart.setdefault(t.engine, []).append(abs(math.log(t.seconds / (t.amounts @ costs))) / error)
    if not apart:
        pytest.skip(f"built without {backend}")
    far = {engine: np.quantile(them, .8) for engine, them in apart.items()}
    assert {engine: round(ratio, 1) for engine, ratio in far.items() if ratio > 4} == {}
