# SPDX-License-Identifier: Apache-2.0
"""What each section of the report says of records whose answer is known."""

import re

from page import reported, section
from synthetic import case_line, case_text, counter_line, peak_line, processes, run_line


def said(tmp_path, name, *lines):
    """The text of one section, markup taken out."""
    part = re.sub(r"<svg.*?</svg>", "", section(reported(tmp_path, *lines, figures=False), name), flags=re.DOTALL)
    return re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", part))


def test_pick_stands_with_its_margins(tmp_path):
    text = said(tmp_path, "decide", case_line("tiled.cuda:tile=256", 2e12),
                case_line("fast_math.cuda", 1e12), case_line("naive.cuda", 1e11))
    assert "On h200 run tiled.cuda in the one case measured." in text
    assert "2.00x over fast_math.cuda 20.0x cuda" in text
    assert "2.15 ms 2.00e12 2.0e-6" in text
    assert "forward tiled.cuda tile=256 2.15 ms" in text


def test_tie_is_named_where_it_is_decided_and_where_it_is_judged(tmp_path):
    lines = (case_line("tiled.cuda", 2e12, .01), case_line("fast_math.cuda", 1.995e12, .01))
    assert re.search(r"tie with (tiled|fast_math).cuda", said(tmp_path, "decide", *lines))
    assert "1 tied : forward 2d n=256x256" in said(tmp_path, "trust", *lines)


def test_tied_settings_of_the_picks_own_knobs_are_counted(tmp_path):
    text = said(tmp_path, "decide", *(
        case_line(f"tiled.cuda:tile={tile}", 2e12 - tile, .01) for tile in (32, 64, 128)))
    assert "tied: 2 other settings of its knobs" in text


def test_what_stopped_and_what_throttled_is_counted(tmp_path):
    text = said(
        tmp_path, "trust", case_line("tiled.cuda", samples_s=[1e-3] * 7, throttled=[2, 3],
                                     state={"power_w": 650, "throttle": ["sw_power_cap"]}),
        case_line("naive.cuda", 1e11, stop="noise", throttled=[], ci_lo_s=None, ci_hi_s=None,
                  clocks_mhz=[1755.0, None]))
    assert "interval narrow enough 1, noise settled 1" in text
    assert "2 samples in 1 records were taken while the device throttled (sw_power_cap)" in text
    assert "1 with too few for an interval: naive.cuda on forward" in text
    assert "h200 1755 to 1980 MHz" in text and "power 650 W" in text


def test_the_rules_of_throttling_are_named(tmp_path):
    text = said(
        tmp_path, "trust", case_line("tiled.cuda", samples_s=[1e-3] * 7, throttled=[0, 2, 3],
                                     throttled_by={"reason": [2], "highest": [2, 3], "round": [],
                                                   "violation": []},
                                     state={"power_w": 650, "throttle": ["sw_power_cap"]}),
        case_line("naive.cuda", 1e11, samples_s=[1e-3] * 7, throttled=[5, 6],
                  throttled_by={"round": [5], "violation": [6]}, state={"throttle": []}))
    assert ("5 samples in 2 records were taken while the device throttled: 1 for a reason that the "
            "device names (sw_power_cap), 2 with a clock below 95 % of its highest, 1 with a clock "
            "below 95 % of their round-mates', 1 while its violation counters grew.") in text


def test_rules_of_several_processes_are_added_up(tmp_path):
    line = case_line("tiled.cuda") | processes((1e-3, 1e-3), (1e-3, 1e-3))
    for part in line["by_process"]:
        part |= {"throttled": [1], "throttled_by": {"highest": [1]}}
    assert "2 with a clock below 95 % of its highest" in said(tmp_path, "trust", line)


def test_cases_of_two_modes_are_named_where_nothing_wins(tmp_path):
    lines = (case_line("tiled.cuda", 2e12, two_modes=True),
             case_line("naive.cuda", 1e12, two_modes=True))
    text = said(tmp_path, "decide", *lines)
    assert "in doubt: no winner; provisionally tiled.cuda" in text
    assert "Nothing passed" not in text
    assert "All that was timed is of two modes" in said(tmp_path, "trust", *lines)


def test_throttling_is_unknown_where_nothing_watched_the_device(tmp_path):
    unwatched = said(tmp_path, "trust", case_line(throttled=[], state=None))
    assert "Whether a device throttled was not recorded" in unwatched
    watched = said(tmp_path, "trust", case_line(throttled=[], state={"power_w": 600}))
    assert "No device throttled" in watched


def test_medians_of_several_runs_are_compared(tmp_path):
    old = [run_line("r0", started="20261120T000000Z"), case_line(rate=1.25e12, run="r0")]
    text = said(tmp_path, "trust", *old, case_line(rate=1e12), case_line("naive.cuda", 1e11))
    assert "1 of 2 records were measured in two runs or more" in text
    assert "at most by 20 %" in text


def test_distance_from_the_ceiling_is_that_of_the_record(tmp_path):
    line = case_line(rate=1e12)
    peak = peak_line("tensor_f16_mma", 3.2e14, spread=.004, unit="fma", note="dense")
    text = said(tmp_path, "ceiling", peak, case_line("naive.cpu", 1e8, case=case_text(nx=64)),
                line | {"bounds_s": {"issue_slots": line["median_s"] * .8, "fma":
                                     line["median_s"] * .3}, "bound": "issue_slots"})
    assert "the picks reach 80 % of their bound" in text
    assert re.search(r"issue slots 3.44 ms 4.29 ms 80 % multiply-add 30.%", text)
    assert "tensor f16, mma.sync tensor_f16_mma 320e12 fma/s ±0.4 % 1980 MHz dense" in text
    assert "No ceilings of xeon-2c-avx512" in text


def test_declared_costs_that_counters_refute_are_named(tmp_path):
    amounts = {"measured": {"fma": 1.0e9, "special": 3e9}, "model": {"fma": 1.0e9, "special": 2e9}}
    text = said(tmp_path, "ceiling", case_line(), counter_line(**amounts, differs=["special"]),
                counter_line("naive.cuda", **amounts, differs=[]))
    assert "1 of 2 profiled variants agree" in text
    assert re.search(r"tiled.cuda special 2.00e9 3.00e9 1.50x", text)
    assert "fma 1.00e9" not in text


def test_crossover_is_placed_between_its_winners(tmp_path):
    text = said(tmp_path, "crossover", *(
        case_line(f"{name}.cuda", rate, case=case_text(nx=nx)) for name, nx, rate in (
            ("tiled", 64, 4e11), ("naive", 64, 1e11), ("tiled", 256, 1e11),
            ("naive", 256, 4e11))))
    assert re.search(r"size between 64² m=4096 and 256² m=65536, near 268e6 pairs tiled.cuda "
                     r"naive.cuda", text)
    assert "tiled 4.00x naive 4.00x" in text  # the map: winner and what the next one takes


def test_without_a_crossover_the_steady_winner_is_named(tmp_path):
    text = said(tmp_path, "crossover", *(
        case_line(f"{name}.cuda", rate, case=case_text(coils=coils))
        for name, rate in (("tiled", 2e12), ("naive", 1e11)) for coils in (1, 8)))
    assert "tiled.cuda wins at every number of coils measured: forward 2d n=256x256" in text


def test_modes_stand_beside_each_other(tmp_path):
    text = said(tmp_path, "decide", *(
        case_line(f"{name}.cuda", rate, mode=mode) for name, mode, rate in (
            ("tiled", "batch", 2e12), ("naive", "batch", 1e12), ("tiled", "cold", 5e11),
            ("naive", "cold", 6e11))))
    assert "problem batch cold" in text
    assert "h200 tiled.cuda 2.15 ms naive.cuda 7.16 ms" in text


def ablation(without, rate, variant="tiled_no_part.cuda:tile=256", **fields):
    """A timed ablation of tiled.cuda, as sweep records it."""
    line = case_line(variant, rate, **fields)
    return line | {"verdict": "untrusted", "reason": f"an ablation of tiled: without {without}",
                   "rel_l2": None, "claim": None,
                   "ablates": {"variant": "tiled.cuda", "without": without}}


def ablated(tmp_path, trig, mac, *more):
    return said(tmp_path, "ceiling", case_line("tiled.cuda:tile=256,sincos=auto", 1.9e12),
                case_line("tiled.cuda:tile=512,sincos=auto", 2.1e12), *more,
                ablation("trigonometry", trig, "tiled_no_trig.cuda:tile=256"),
                ablation("multiply-accumulate", mac, "tiled_no_mac.cuda:tile=256"))


def test_ablations_stand_beside_the_kernel_of_their_knobs(tmp_path):
    text = ablated(tmp_path, 2.9e12, 1.92e12)
    assert " 1.90e12 without trigonometry: 2.90e12 (1.53x), " \
           "without multiply-accumulate: 1.92e12 (1.01x) trigonometry bounds it" in text
    assert "2.10e12 without" not in text
    assert "neither bounds it" in ablated(tmp_path, 1.93e12, 1.92e12)
    assert "trigonometry and multiply-accumulate add up" in ablated(tmp_path, 2.9e12, 2.7e12)
    assert "partly trigonometry" in ablated(tmp_path, 2.2e12, 1.92e12)


def test_ablations_win_nothing_and_are_no_failures(tmp_path):
    lines = (case_line("tiled.cuda:tile=256", 1e12), ablation("trigonometry", 9e12))
    assert "tiled_no_part" not in said(tmp_path, "decide", *lines)
    assert "Nothing: every record passed." in said(tmp_path, "failures", *lines)
    assert "tiled_no_part" not in said(tmp_path, "crossover", *lines)


def test_an_ablation_of_what_was_not_timed_says_nothing(tmp_path):
    text = said(tmp_path, "ceiling", case_line("naive.cuda", 1e11), ablation("trigonometry", 1e12))
    assert "What bounds a kernel" not in text
