# SPDX-License-Identifier: Apache-2.0
"""The production pick: known winners, ties, failures that must not win."""

import json

from synthetic import case_line, case_text, run_line, write

from analysis import load, rank
from analysis.__main__ import main


def decide(tmp_path, *lines):
    path = write(tmp_path / "a.jsonl", run_line(backends=("cpu", "cuda")), *lines)
    return rank.decide(load.load([path]).cases)


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
    path = write(tmp_path / "a.jsonl", run_line(), case_line(verdict="unfit"))
    assert main(["select", str(path)]) == 2
    assert "nothing passed" in capsys.readouterr().err
