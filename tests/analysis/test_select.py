# SPDX-License-Identifier: Apache-2.0
"""The production pick: known winners, ties, failures that must not win."""

import json
import os
import subprocess

import numpy as np
import pytest

from program import PROGRAM
from synthetic import case_line, case_text, run_line, write

from analysis import prediction, rank
from analysis.records import classes, load
from analysis.__main__ import main
from analysis.rank import Registry


def decide(tmp_path, *lines, registry=Registry()):
    path = write(tmp_path / "a.jsonl", run_line(backends=("cpu", "cuda")), *lines)
    return rank.decide(load.load([path]).cases, registry)


def selected(tmp_path, *lines, run=None):
    """The document that select writes for these records."""
    path = write(tmp_path / "a.jsonl", run or run_line(backends=("cpu", "cuda")), *lines)
    assert main(["select", str(path)]) == 0
    return json.loads((tmp_path / "select.json").read_text())


def variant(name, deterministic=True, **knobs):
    """As `ndft list --json` has it."""
    text = ",".join(f"{k}={v}" for k, v in knobs.items())
    base, backend = name.split(".")
    return {"name": base, "backend": backend, "id": f"{name}:{text}" if text else name,
            "claim": {"deterministic": deterministic}}


def test_fastest_pass_wins_with_runner_up_and_margin(tmp_path):
    (d,) = decide(tmp_path, case_line("tiled.cuda:tile=64", 1.5e12),
                  case_line("tiled.cuda:tile=256", 1.8e12), case_line("fast_math.cuda", 1.2e12),
                  case_line("naive.cuda", 0.3e12))
    assert d.pick.id == "tiled.cuda:tile=256"
    assert d.runner_up.id == "fast_math.cuda", "another variant, not another tile"
    assert abs(d.margin - 0.5) < 1e-9 and not d.tied
    assert abs(rank.speedup(d.pick, d.naive) - 6) < 1e-9


def test_failures_never_win(tmp_path):
    wrong = case_line("fast_math.cuda", 9e12) | {"verdict": "wrong"}
    untimed = case_line("sincos_table.cuda", 8e12) | {"median_s": None}
    (d,) = decide(tmp_path, wrong, untimed, case_line("naive.cuda", 1e9))
    assert [e.id for e in d.entries] == ["naive.cuda"] and d.runner_up is None


def test_overlapping_intervals_tie_and_the_smaller_plan_is_picked(tmp_path):
    fast = case_line("tiled.cuda:tile=256", 1.02e12, .03, plan_bytes=5000)
    small = case_line("fast_math.cuda", 1.00e12, .03, plan_bytes=1000)
    slow = case_line("naive.cuda", .5e12, .03, plan_bytes=1)
    (d,) = decide(tmp_path, fast, small, slow)
    assert d.fastest.id == "tiled.cuda:tile=256" and d.pick.id == "fast_math.cuda"
    assert d.tied and {e.id for e in d.ties} == {"tiled.cuda:tile=256", "fast_math.cuda"}


def test_tie_of_equal_plans_goes_to_the_simpler_family(tmp_path):
    for order in (("output_driven.cuda", "tiled.cuda"), ("tiled.cuda", "output_driven.cuda")):
        (d,) = decide(tmp_path, *(case_line(v, 1e12, .02) for v in order))
        assert d.pick.id == "tiled.cuda"


def test_intervals_apart_are_no_tie(tmp_path):
    (d,) = decide(tmp_path, case_line("tiled.cuda", 1.02e12, .005),
                  case_line("fast_math.cuda", 1e12, .005, plan_bytes=0))
    assert d.pick.id == "tiled.cuda" and not d.tied


def test_classes_are_kept_apart(tmp_path):
    texts = [case_text(), case_text("adjoint"), case_text(nx=64), case_text(field="none"),
             case_text(grad="random:20Hz"), case_text().replace("coils=1", "coils=32"),
             case_text().replace("prec=f32", "prec=f64"),
             case_text().replace("tol=1e-4", "tol=1e-5")]
    found = decide(tmp_path, *(case_line(case=text) for text in texts),
                   case_line(mode="cold"))
    assert len(found) == len(texts) + 1


def test_nearby_sizes_share_a_class_and_coverage_comes_first(tmp_path):
    a, b = case_text(nx=256), case_text(nx=250)
    (d,) = decide(tmp_path, case_line("tiled.cuda", 1e12, case=a),
                  case_line("tiled.cuda", 1e12, case=b),
                  case_line("fast_math.cuda", 2e12, case=a),
                  case_line("fast_math.cuda", case=b, verdict="wrong"))
    assert d.pick.id == "tiled.cuda" and len(d.cases) == 2


def test_select_writes_the_deciding_keys(tmp_path, capsys):
    winner = case_line("tiled.cuda:tile=256", 1.8e12)
    path = write(tmp_path / "a.jsonl", run_line(), winner, case_line("naive.cuda", .3e12))
    assert main(["select", str(path)]) == 0
    assert "tiled.cuda:tile=256" in capsys.readouterr().out
    (pick,) = json.loads((tmp_path / "select.json").read_text())["picks"]
    assert pick["pick"]["variant"] == winner["variant"] and pick["pick"]["device"] == "h200"
    assert pick["pick"]["records"] == [winner["key"]]
    assert pick["runner_up"]["variant"] == "naive.cuda" and abs(pick["margin"] - 5) < 1e-9


def test_nothing_passed_is_an_error(tmp_path, capsys):
    path = write(tmp_path / "a.jsonl", run_line(), case_line(verdict="unsupported"))
    assert main(["select", str(path)]) == 2
    assert "nothing passed" in capsys.readouterr().err


def test_a_class_all_of_two_modes_is_said_and_has_no_pick(tmp_path, capsys):
    """As on a busy processor: the table has its line, select.json only what is decided."""
    small = case_text(nx=64)
    path = write(tmp_path / "a.jsonl", run_line(), case_line("tiled.cuda", 2e12),
                 case_line("naive.cuda", 9e12, two_modes=True),
                 case_line("tiled.cuda", 2e12, case=small, two_modes=True),
                 case_line("naive.cuda", 1e12, case=small, two_modes=True))
    assert main(["select", str(path)]) == 0
    first, second = (line for line in capsys.readouterr().out.splitlines() if "2d" in line)
    assert " tiled.cuda " in first and "no winner" not in first
    assert "tiled.cuda, provisionally" in second and "in doubt: no winner" in second
    (pick,) = json.loads((tmp_path / "select.json").read_text())["picks"]
    assert pick["cases"] == [case_text()] and pick["runner_up"] is None


def test_nothing_but_two_modes_is_a_table_without_picks(tmp_path, capsys):
    path = write(tmp_path / "a.jsonl", run_line(), case_line("naive.cuda", 1e12, two_modes=True))
    assert main(["select", str(path)]) == 1
    out = capsys.readouterr().out
    assert "naive.cuda, provisionally" in out and "no picks: measure again" in out
    assert not (tmp_path / "select.json").exists()


def test_less_memory_then_determinism_then_the_order_of_the_registry(tmp_path):
    lines = [case_line(v, 1e12, .02) for v in ("tiled.cuda", "naive.cuda", "fast_math.cuda")]
    listed = [variant("fast_math.cuda"), variant("tiled.cuda"), variant("naive.cuda")]
    (d,) = decide(tmp_path, *lines, registry=Registry.of({"variants": listed}))
    assert [e.first.family for e in d.order] == ["fast_math", "tiled", "naive"]
    listed[0] = variant("fast_math.cuda", deterministic=False)
    (d,) = decide(tmp_path, *lines, registry=Registry.of({"variants": listed}))
    assert [e.first.family for e in d.order] == ["tiled", "naive", "fast_math"]
    lines[1] = case_line("naive.cuda", 1e12, .02, plan_bytes=7)
    (d,) = decide(tmp_path, *lines, registry=Registry.of({"variants": listed}))
    assert d.pick.id == "naive.cuda"


def test_knobs_within_a_tie_are_left_at_their_defaults(tmp_path):
    lines = [case_line(f"tiled.cuda:tile={t}", 1e12 * (1 + t / 1e5), .01, plan_bytes=9000 - t)
             for t in (32, 64, 128, 256)]
    listed = {"variants": [variant("tiled.cuda", tile=64)]}
    (d,) = decide(tmp_path, *lines, registry=Registry.of(listed))
    assert d.fastest.id == "tiled.cuda:tile=256" and len(d.ties) == 4
    assert d.pick.id == "tiled.cuda:tile=64"
    far = case_line("tiled.cuda:tile=512", 1.2e12, .01)
    (d,) = decide(tmp_path, *lines, far, registry=Registry.of(listed))
    assert d.pick.id == "tiled.cuda:tile=512"


def test_the_pick_is_the_same_from_run_to_run(tmp_path):
    """Twenty settings with the same speed and noise: whoever is luckiest, one is picked."""
    import random
    picks = set()
    for seed in range(12):
        dice = random.Random(seed)
        (d,) = decide(tmp_path, *(case_line(f"tiled.cuda:tile={t}", dice.gauss(1e12, 1e9), .004)
                                  for t in range(20, 40)))
        picks.add(d.pick.id)
    assert len(picks) == 1


def test_what_sampling_cannot_resolve_is_a_tie(tmp_path):
    for rate, tied in ((1.004e12, True), (1.006e12, False)):
        (d,) = decide(tmp_path, case_line("tiled.cuda", rate, .0001),
                      case_line("fast_math.cuda", 1e12, .0001))
        assert d.tied == tied


def test_noise_makes_no_equals_of_the_fast_and_the_slow(tmp_path):
    for rate, tied in ((1.04e12, True), (1.07e12, False)):
        (d,) = decide(tmp_path, case_line("tiled.cuda", rate, .5),
                      case_line("naive.cuda", 1e12, .5))
        assert d.tied == tied and d.fastest.id == "tiled.cuda"


def test_too_few_samples_for_an_interval_count_with_all_their_range(tmp_path):
    fields = {"ci_lo_s": None, "ci_hi_s": None}
    t = 256**4 / 1e12
    (d,) = decide(tmp_path, case_line("tiled.cuda", 1.04e12, samples_s=[.9 * t, 1.1 * t], **fields),
                  case_line("naive.cuda", 1e12, samples_s=[.9 * t, 1.1 * t], **fields))
    assert d.tied


@pytest.mark.parametrize("size, bounds", [(1, (1, 1)), (2, (2, 7)), (7, (2, 7)), (8, (8, 31)),
                                          (4096, (2048, 8191)), (2048, (2048, 8191)),
                                          (8192, (8192, 32767)), (256**2, (32768, 131071))])
def test_buckets_of_sizes(size, bounds):
    assert classes.size_bucket(size) == bounds


def test_devices_decide_apart(tmp_path):
    found = decide(tmp_path, case_line("tiled.cuda", 1e12), case_line("tiled.cpu", 1e9))
    assert {d.problem.device: d.pick.id for d in found} == \
        {"h200": "tiled.cuda", "xeon-2c-avx512": "tiled.cpu"}


def test_the_file_says_what_it_was_made_from(tmp_path):
    document = selected(tmp_path, case_line("tiled.cuda:tile=64", 1.8e12, .01, claim=3e-6),
                        case_line("tiled.cuda:tile=32", 1.79e12, .01, plan_bytes=9 << 20),
                        case_line("tiled.cuda:tile=16", 1.2e12),
                        case_line("naive.cuda", .3e12, .01, rel_l2=9e-6, claim=None),
                        case_line("chirp_z.cuda", verdict="unsupported"))
    assert document["schema"] == "ndft-select/4"
    assert document["devices"] == [{"name": "NVIDIA H200", "slug": "h200",
                                    "driver": "580.1 / 13.0"}]
    assert document["registry"] == {"tiled.cuda": "btiled.cuda", "naive.cuda": "bnaive.cuda"}
    (pick,) = document["picks"]
    assert pick["cases"] == [case_text()] and pick["class"]["voxels"] == [32768, 131071]
    assert pick["tie_set"] == ["tiled.cuda:tile=64", "tiled.cuda:tile=32"]
    assert [(e["variant"], e["error"]) for e in pick["order"]] == \
        [("tiled.cuda:tile=64", 3e-6), ("tiled.cuda:tile=32", 8e-6), ("naive.cuda", 9e-6)]
    low, high = pick["margin_interval"]
    assert low < pick["margin"] < high and abs(low - (6 * .99 / 1.01 - 1)) < 1e-6


def test_the_file_says_what_every_case_took(tmp_path):
    """Both cases of a class, each with the parts of its own time, for times to be predicted by."""
    cost = {"fma": 1e9, "launches": 2}
    document = selected(tmp_path, case_line("tiled.cuda", 1e12, case=case_text(nx=64), cost=cost),
                        case_line("tiled.cuda", 2e12, case=case_text(nx=80), cost=cost),
                        case_line("naive.cuda", 1e11, case=case_text(nx=80), cost=None))
    (pick,) = document["picks"]
    tiled, naive = (entry["measured"] for entry in pick["order"])
    assert [pick["cases"][m["case"]] for m in tiled] == [case_text(nx=64), case_text(nx=80)]
    assert all(m["cost"] == cost and set(m["parts_s"]) <= {"fma", "launches"} for m in tiled)
    assert tiled[0]["median_s"] / tiled[1]["median_s"] == pytest.approx(2 * (64 / 80) ** 4)
    assert naive == []


def test_what_passed_without_a_known_error_decides_nothing(tmp_path):
    """For the program refuses a file that has an empty order."""
    unknown = case_line("naive.cuda", case=case_text(nx=64), rel_l2=None, claim=None)
    document = selected(tmp_path, case_line("tiled.cuda"), unknown)
    assert [p["pick"]["variant"] for p in document["picks"]] == ["tiled.cuda"]


def test_older_builds_and_judging_suites_do_not_decide(tmp_path, capsys):
    later = run_line("r2", started="20261121T020000Z")
    judging = run_line("r3", started="20261121T030000Z") | {"suite": "regret"}
    document = selected(tmp_path, case_line("tiled.cuda:tile=64", 9e12), later,
                        case_line("tiled.cuda:tile=32", 1e12, run="r2", build_id="new"), judging,
                        case_line("naive.cuda", 99e12, run="r3"))
    assert document["picks"][0]["pick"]["variant"] == "tiled.cuda:tile=32"
    assert document["registry"]["tiled.cuda"] == "new"
    said = capsys.readouterr().err
    assert "1 records left out: of older builds" in said and "suites regret, regret2, validate" in said


def best(path, device, *cases):
    done = subprocess.run([PROGRAM, "best", "--device", device, *cases], check=True, text=True,
                          capture_output=True, env={**os.environ, "NDFT_SELECT": str(path)})
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_the_program_finds_in_the_file_what_was_decided(tmp_path):
    small, large, gradients = case_text(nx=64), case_text(nx=512), case_text(grad="random:20Hz")
    lines = (("tiled.cuda:tile=64", small), ("fast_math.cuda:outputs=2", large),
             ("naive.cuda", gradients), ("tiled.cpu", small))
    selected(tmp_path, *(case_line(id_, case=case, cost=None) for id_, case in lines))
    answers = best(tmp_path / "select.json", "h200", small, case_text(nx=80), case_text(nx=200),
                   case_text(nx=400), case_text(nx=600, grad="random:20Hz"), case_text("adjoint"),
                   case_text(nx=64).replace("coils=1", "coils=16"))
    assert [(a["match"], a["order"][0]) for a in answers[:5]] == [
        ("exact", "tiled.cuda:tile=64"), ("exact", "tiled.cuda:tile=64"),
        ("near", "fast_math.cuda:outputs=2"), ("exact", "fast_math.cuda:outputs=2"),
        ("near", "naive.cuda")]
    assert answers[5]["match"] == "default" and answers[5]["order"][0] == "naive.cpu"
    assert answers[6]["match"] == "near" and answers[6]["distance"] == pytest.approx(4)
    assert answers[6]["nearest"] == small


@pytest.mark.parametrize("turns, bounds", [(0, (0, 1)), (1, (0, 1)), (1.1, (1, 3)), (12, (3, 15)),
                                           (40, (15, 60)), (65, (60, classes.MOST)),
                                           (None, (0, classes.MOST))])
def test_buckets_of_turns(turns, bounds):
    assert classes.turns_bucket(turns) == bounds


def test_field_times_readout_tells_classes_apart(tmp_path):
    short, long_ = case_text(t="2ms"), case_text(t="30ms")
    first, second = decide(tmp_path, case_line("nufft_scatter.cuda", 9e12, case=short),
                           case_line("nufft_scatter.cuda", 1e12, case=long_),
                           case_line("tiled.cuda", 2e12, case=short),
                           case_line("tiled.cuda", 2e12, case=long_))
    assert [d.pick.id for d in (first, second)] == ["nufft_scatter.cuda", "tiled.cuda"]
    assert (first.problem.turns, second.problem.turns) == ((0, 1), (3, 15))
    assert "3-15 turns" in classes.class_label(second.problem)


def test_files_from_before_turns_take_any(tmp_path):
    text = case_text(nx=64)
    document = selected(tmp_path, case_line("tiled.cuda:tile=64", case=text))
    far = case_text(nx=64, t="300ms")
    (told,) = best(tmp_path / "select.json", "h200", far)
    assert told["match"] == "near" and told["distance"] == pytest.approx(np.log2(10), abs=.01)
    del document["picks"][0]["class"]["turns"]
    (tmp_path / "select.json").write_text(json.dumps(document))
    assert best(tmp_path / "select.json", "h200", far)[0]["match"] == "exact"


def test_rates_of_work_come_from_all_sizes_of_a_setting(tmp_path):
    """What was made of a launch and of multiply-adds is taken apart again; nothing else is in it."""
    lines = []
    for n, launches in ((32, 1), (64, 1), (128, 3), (256, 2)):
        seconds = n ** 4 * 2e-12 + launches * 5e-6
        lines.append(case_line("tiled.cuda", n ** 4 / seconds, case=case_text(nx=n), cost={
            "fma": n ** 4, "launches": launches, "add": 0, "l2_bytes": n}))
    path = write(tmp_path / "a.jsonl", run_line(backends=("cuda",)), *lines)
    records = load.load([path]).cases
    rates = prediction.rates_of(records)
    for record in records:
        parts = prediction.parts(rates, record)
        assert parts.get("fma") == pytest.approx(2e-12 * record.cost["fma"], rel=1e-6)
        assert parts.get("launches") == pytest.approx(5e-6 * record.cost["launches"], rel=1e-6)
        assert "add" not in parts
        assert sum(parts.values()) == pytest.approx(record.median_s, rel=1e-6)


@pytest.mark.parametrize("seed", range(20))
def test_least_squares_without_negative_rates(seed):
    """No step to a neighbour that is allowed makes the sum of squares smaller: its conditions."""
    chance = np.random.default_rng(seed)
    a = chance.random((chance.integers(2, 25), chance.integers(1, 9))) ** 4
    if seed % 3 == 0:
        a[:, -1] = a[:, 0]
    x = prediction.non_negative(a, np.ones(len(a)))
    descent = a.T @ (1 - a @ x)
    assert (x >= 0).all() and (descent <= 1e-6).all() and (abs(descent[x > 0]) <= 1e-6).all()
