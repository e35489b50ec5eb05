# SPDX-License-Identifier: Apache-2.0
"""compare --agreement: of what was measured twice, how often do the intervals meet?"""

import json

import numpy as np
import pytest

from program import ROOT
from synthetic import case_line, processes, run2_line, run_line, write

from analysis import agreement, compare
from analysis.records import load
from analysis.records.between_runs import BETWEEN_RUNS, estimate
from analysis.__main__ import main

LATER = "20261122T010000Z"


def both(tmp_path, a, b):
    """Records before and after, each line in its own run."""
    before = write(tmp_path / "a.jsonl", run2_line("r1"), *a)
    after = write(tmp_path / "b.jsonl", run2_line("r2", started=LATER), *(x | {"run": "r2"} for x in b))
    return before, after


def test_pairs_are_counted_by_device_and_mode(tmp_path, capsys):
    a = [case_line("naive.cuda", 1e12), case_line("tiled.cuda", 1e12),
         case_line("tiled.cuda", 1e12, mode="graph")]
    b = [case_line("naive.cuda", 1.015e12), case_line("tiled.cuda", 1.05e12),
         case_line("tiled.cuda", 1e12, mode="graph")]
    before, after = both(tmp_path, a, b)
    assert main(["compare", str(before), str(after), "--agreement"]) == 0
    shown = capsys.readouterr().out
    assert "2 of 3 pairs have intervals that meet" in shown
    assert "0.9524" in shown and "50.0 %" in shown and "±1 %" in shown
    assert main(["compare", str(before), str(after), "--agreement", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["pairs"], found["meet"]) == (3, 2)
    assert [(p["mode"], p["meet"]) for p in found["places"]] == [("batch, burst", 1),
                                                                ("graph, burst", 1)]
    assert found["places"][0]["half_width"] == pytest.approx(.01)


def lines_of_processes(ratios, half_width):
    """A record of three processes for each, its median 1 ms times the ratio."""
    return [case_line("naive.cuda", 1e12, case=f"forward 1d n={64 + i} m=64", processes=3,
                      median_s=1e-3 * r, ci_lo_s=1e-3 * r * (1 - half_width),
                      ci_hi_s=1e-3 * r * (1 + half_width)) for i, r in enumerate(ratios)]


def test_intervals_of_processes_hold_what_differs_between_runs(tmp_path, capsys):
    """Two runs, each with an effect of its own on every case: recorded intervals miss each other,
    published ones meet, and the effect is found."""
    random, between, own = np.random.default_rng(5), BETWEEN_RUNS["h200"], .001
    effects = np.exp(random.normal(0, between, (2, 400)) + random.normal(0, own / 1.96, (2, 400)))
    before, after = both(tmp_path, *(lines_of_processes(e, own) for e in effects))
    twice = agreement.twice(load.load([before]), load.load([after]))
    missing = sum(t.a.ci_lo_s > t.b.ci_hi_s or t.b.ci_lo_s > t.a.ci_hi_s for t in twice)
    assert len(twice) == 400 and missing > .4 * 400
    assert sum(t.meets for t in twice) >= .98 * 400
    assert main(["compare", str(before), str(after), "--agreement", "--json"]) == 0
    place, = json.loads(capsys.readouterr().out)["places"]
    assert place["between_runs"] == pytest.approx(between, rel=.15)
    assert place["half_width"] == pytest.approx(np.hypot(own, 1.96 * between), rel=1e-3)


def test_what_is_said_of_the_h200_is_what_its_runs_say():
    """The pair that it was taken from, and a later run that it was not."""
    runs = [load.load([ROOT / f"tests/data/between-runs/published-{at}.jsonl"])
            for at in ("20261123T174020Z", "20261124T003115Z", "20261124T014856Z")]
    taken_from = agreement.twice(runs[0], runs[1])
    said = estimate((t.ratio, t.a.half_width, t.b.half_width) for t in taken_from)
    assert said == pytest.approx(.0021, abs=.00005) and said < BETWEEN_RUNS["h200"]
    later = agreement.twice(runs[0], runs[2]) + agreement.twice(runs[1], runs[2])
    assert sum(t.meets for t in later) >= .93 * len(later)


def test_what_is_of_two_modes_is_counted_apart(tmp_path, capsys):
    a = [case_line("naive.cuda"), case_line("tiled.cuda", two_modes=True)]
    before, after = both(tmp_path, a, [case_line("naive.cuda"), case_line("tiled.cuda", .5e12)])
    assert main(["compare", str(before), str(after), "--agreement"]) == 0
    assert "1 of 1 pairs have intervals that meet; 1 more are in doubt" in capsys.readouterr().out
    found = compare.compare(*(load.load([path]) for path in (before, after)), .02)
    verdicts = {c.pair.record.id: (c.verdict, c.note) for c in found.changes}
    assert verdicts["tiled.cuda"] == ("ambiguous", "the times of A are of two modes")
    assert not found.regressed


@pytest.mark.parametrize("other", [
    case_line("naive.cuda", build_id="another"), case_line("naive.cuda", verdict="wrong"),
    case_line("naive.cuda", ci_lo_s=None), case_line("naive.cuda", two_modes=True),
    case_line("naive.cuda", regime="steady"), case_line("naive.cuda", mode="cold")])
def test_what_is_not_the_same_measurement_is_no_pair(tmp_path, capsys, other):
    before, after = both(tmp_path, [case_line("naive.cuda")], [other])
    assert main(["compare", str(before), str(after), "--agreement"]) == 2
    assert "A and B have no measurement in common" in capsys.readouterr().err


def test_another_clock_and_the_same_run_are_no_pair(tmp_path):
    line = case_line("naive.cuda")
    old = write(tmp_path / "old.jsonl", run_line("r0", timing_version=1), line | {"run": "r0"})
    new = write(tmp_path / "new.jsonl", run2_line("r1"), line)
    assert main(["compare", str(old), str(new), "--agreement"]) == 2
    assert main(["compare", str(new), str(new), "--agreement"]) == 2


def measured(dice, variant, between, within, effects):
    """A record of three processes, with the statistics that the program publishes of them: the mean
    of the medians and Student's t between them, no narrower than within."""
    samples = [1e-3 * np.exp(between * effect) * np.exp(within * dice.standard_exponential(30))
               for effect in effects]
    medians = np.array([np.median(s) for s in samples])
    ends = [np.sort(s)[[9, 20]] for s in samples]  # of the sign test's interval
    half = 4.30265 * np.std(medians, ddof=1) / np.sqrt(3)
    own = [np.sqrt(np.sum((medians - np.array(ends)[:, k])**2)) / 3 for k in (0, 1)]
    mean = float(medians.mean())
    return case_line(variant) | processes(*(list(map(float, s)) for s in samples)) | {
        "median_s": mean, "ci_lo_s": mean - max(half, own[0]), "ci_hi_s": mean + max(half, own[1])}


@pytest.mark.parametrize("effect", [
    pytest.param(lambda dice: dice.standard_normal(3), id="normal"),
    pytest.param(lambda dice: (dice.gamma(4, size=3) - 4) / 2, id="skewed")])
@pytest.mark.parametrize("between", [0, .005, .03])
def test_runs_of_three_processes_agree_and_raise_no_alarm(tmp_path, effect, between):
    """Hours apart, with what differs between processes: at most 5 % of comparisons are an alarm, and
    93 of 100 intervals meet."""
    dice, n = np.random.default_rng(5), 60
    alarms = trials = meeting = 0
    for _ in range(4):
        sides = [[measured(dice, f"v{i}.cuda", between, .004, effect(dice)) for i in range(n)]
                 for _ in "ab"]
        a, b = (load.load([path]) for path in both(tmp_path, *sides))
        found = compare.compare(a, b, .02)
        alarms += sum(c.verdict in ("slower", "faster") for c in found.changes)
        trials += len(found.changes)
        meeting += sum(t.meets for t in agreement.twice(a, b))
    assert trials == 4 * n
    assert alarms <= .05 * trials and meeting >= .93 * trials


def test_a_change_is_found_in_three_processes_a_side(tmp_path):
    dice = np.random.default_rng(6)
    a = [measured(dice, f"v{i}.cuda", .005, .004, dice.standard_normal(3)) for i in range(12)]
    b = [measured(dice, f"v{i}.cuda", .005, .004, dice.standard_normal(3) + (20 if i == 0 else 0))
         for i in range(12)]
    found = compare.compare(*(load.load([path]) for path in both(tmp_path, a, b)), .02)
    assert [c.pair.record.id for c in found.regressed] == ["v0.cuda"]
    assert "share its hour" in found.warnings[0] and len(found.warnings) == 1
