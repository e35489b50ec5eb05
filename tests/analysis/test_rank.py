# SPDX-License-Identifier: Apache-2.0
"""Who wins: known winners, ties, failures that must not win, and the table that says so."""

import random
import re

import pytest

from synthetic import case_line, case_text, loaded, transform_line

from analysis import rank, winners


def read(tmp_path, *lines):
    return loaded(tmp_path, *lines).every


def decide(tmp_path, *lines):
    return rank.decide(read(tmp_path, *lines))


def test_fastest_pass_wins_with_runner_up_and_margin(tmp_path):
    (d,) = decide(tmp_path, case_line("tiled.cuda:tile=64", 1.5e12),
                  case_line("tiled.cuda:tile=256", 1.8e12), case_line("fast_math.cuda", 1.2e12),
                  case_line("naive.cuda", 0.3e12))
    assert d.pick.id == "tiled.cuda:tile=256"
    assert d.runner_up.id == "fast_math.cuda", "another variant, not another tile"
    assert d.margin == pytest.approx(.5) and not d.tied
    assert d.margin_interval == pytest.approx((1.5 * .99 / 1.01 - 1, 1.5 * 1.01 / .99 - 1))
    assert winners.over_naive(d) == "6.00x cuda"


def test_failures_never_win(tmp_path):
    wrong = case_line("fast_math.cuda", 9e12) | {"verdict": "wrong"}
    untimed = case_line("sincos_table.cuda", 8e12) | {"median_s": None}
    (d,) = decide(tmp_path, wrong, untimed, case_line("naive.cuda", 1e9))
    assert [r.id for r in d.records] == ["naive.cuda"]
    assert d.runner_up is None and d.margin is None and d.margin_interval is None


def test_overlapping_intervals_tie_and_the_smaller_plan_is_picked(tmp_path):
    fast = case_line("tiled.cuda:tile=256", 1.02e12, .03, plan_bytes=5000)
    small = case_line("fast_math.cuda", 1.00e12, .03, plan_bytes=1000)
    slow = case_line("naive.cuda", .5e12, .03, plan_bytes=1)
    (d,) = decide(tmp_path, fast, small, slow)
    assert [r.id for r in d.records] == ["tiled.cuda:tile=256", "fast_math.cuda", "naive.cuda"]
    assert d.pick.id == "fast_math.cuda" and d.runner_up.id == "tiled.cuda:tile=256"
    assert d.tied and d.ties == d.records[:2]


def test_tie_of_equal_plans_goes_to_the_simpler_family(tmp_path):
    for order in (("output_driven.cuda", "tiled.cuda"), ("tiled.cuda", "output_driven.cuda")):
        (d,) = decide(tmp_path, *(case_line(v, 1e12, .02) for v in order))
        assert d.pick.id == "tiled.cuda"


def test_a_plan_of_unknown_memory_is_the_largest(tmp_path):
    (d,) = decide(tmp_path, case_line("naive.cuda", plan_bytes=None), case_line("tiled.cuda"))
    assert d.pick.id == "tiled.cuda"


def test_intervals_apart_are_no_tie(tmp_path):
    (d,) = decide(tmp_path, case_line("tiled.cuda", 1.02e12, .005),
                  case_line("fast_math.cuda", 1e12, .005, plan_bytes=0))
    assert d.pick.id == "tiled.cuda" and not d.tied


def test_the_pick_is_the_same_from_run_to_run(tmp_path):
    """Twenty settings with the same speed and noise: whoever is luckiest, one is picked."""
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
        assert d.tied == tied and d.records[0].id == "tiled.cuda"


def test_too_few_samples_for_an_interval_count_with_all_their_range(tmp_path):
    fields = {"ci_lo_s": None, "ci_hi_s": None}
    t = 256**4 / 1e12
    (d,) = decide(tmp_path, case_line("tiled.cuda", 1.04e12, samples_s=[.9 * t, 1.1 * t], **fields),
                  case_line("naive.cuda", 1e12, samples_s=[.9 * t, 1.1 * t], **fields))
    assert d.tied


def test_every_case_device_and_mode_decides_apart(tmp_path):
    cases = [case_text(), case_text("adjoint"), case_text(nx=250), case_text(coils=8)]
    found = decide(tmp_path, *(case_line(case=case) for case in cases), case_line(mode="cold"),
                   case_line("naive.cpu", 1e9))
    assert {(d.device, d.case.text, d.mode, d.pick.family) for d in found} == {
        *(("h200", case, "batch", "tiled") for case in cases),
        ("h200", case_text(), "cold", "tiled"), ("xeon-2c-avx512", case_text(), "batch", "naive")}


def test_decisions_are_in_the_order_of_reading(tmp_path):
    """Small problems first, the operations of each side by side, transforms last."""
    uniform = [f"uniform:scfo{n} tol=1e-4 seed=1" for n in (1009, 127)]
    texts = [case_text(op, nx=nx, **keys) for op in ("normal", "adjoint", "forward")
             for nx in (128, 64) for keys in ({}, {"coils": 8})]
    found = decide(tmp_path, *(transform_line("uniform_vendor.cuda", 1e-5, text) for text in uniform),
                   *(case_line(case=text) for text in texts))
    assert [d.case.text for d in found] == [
        *(case_text(op, nx=nx, **keys) for nx in (64, 128) for keys in ({}, {"coils": 8})
          for op in ("forward", "adjoint", "normal")), *reversed(uniform)]


def test_a_case_all_in_doubt_has_no_winner(tmp_path):
    """As on a busy processor: the fastest stands in, for whoever has to take one."""
    small = case_text(nx=64)
    records = read(tmp_path, case_line("tiled.cuda", 2e12),
                   case_line("naive.cuda", 9e12, two_modes=True),
                   case_line("tiled.cuda", 1e12, case=small, two_modes=True),
                   case_line("naive.cuda", 2e12, case=small, two_modes=True))
    assert [d.case.text for d in rank.decide(records)] == [case_text()]
    assert [(r.id, r.case.text) for r in rank.undecided(records)] == [("naive.cuda", small)]


def test_what_a_vendor_decides_is_decided(tmp_path):
    text = "uniform:scfo1009 tol=1e-4 seed=1"
    records = read(tmp_path, transform_line("uniform_vendor.cuda", 1e-5, text),
                   transform_line("uniform_naive.cuda", 1e-6, text, two_modes=True))
    assert [d.pick.id for d in rank.decide(records)] == ["uniform_vendor.cuda"]
    assert rank.undecided(records) == []


def test_the_table_has_a_row_a_case(tmp_path):
    records = read(tmp_path, case_line("tiled.cuda:tile=256", 1.8e12), case_line("naive.cuda", .3e12),
                   case_line("tiled.cuda", case=case_text(nx=64), two_modes=True))
    head, _, *rows = (re.split("  +", line) for line in winners.text_of(records).splitlines())
    assert head == winners.HEAD
    problem = "t=30ms field=random:200Hz"
    assert rows == [
        [f"forward 2d n=256x256 m=65536 {problem}", "tiled.cuda:tile=256", "1.80e12", "2.0e-6",
         "naive.cuda", "6.00x", "6.00x cuda"],
        [f"forward 2d n=64x64 m=4096 {problem}", "tiled.cuda, provisionally", "1.00e12", "2.0e-6",
         "-", "in doubt: no winner", "-"]]


def test_the_table_names_device_and_mode_where_there_are_several(tmp_path):
    records = read(tmp_path, case_line(), case_line(mode="cold"), case_line("naive.cpu", 1e9))
    head, _, *rows = winners.text_of(records).splitlines()
    assert head.startswith("on ")
    assert [row.split()[:2] for row in rows] == [["h200", "batch"], ["h200", "cold"],
                                                 ["xeon-2c-avx512", "batch"]]


def test_nothing_passed_is_said(tmp_path):
    said = winners.text_of(read(tmp_path, case_line(verdict="unsupported")))
    assert said == "nothing passed, so nothing can win"
