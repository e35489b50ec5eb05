# SPDX-License-Identifier: Apache-2.0
"""Decisions judged: regret with known answers, winners that hold or lose, and both measured.

Choices come from the program, NDFT_PROGRAM.
"""

import json

import pytest

from synthetic import case_line, case_text, run_line, transform_line, write

from analysis import program, regret, suites, validate
from analysis.records import load
from analysis.__main__ import main
from analysis.records.load import ROOT

TILED, FAST, NAIVE = "tiled.cuda:tile=64", "fast_math.cuda:outputs=2", "naive.cuda"


def decided(tmp_path, *lines):
    """A select.json for h200; by default tiled at 64x64 and fast_math at 512x512, naive last. No
    costs are known, so that no times are predicted and the classes alone decide."""
    rates = ((TILED, 3e12, 64), (NAIVE, 1e12, 64), (FAST, 3e12, 512), (NAIVE, 1e12, 512))
    lines = lines or [case_line(id_, rate, case=case_text(nx=nx), cost=None)
                      for id_, rate, nx in rates]
    path = write(tmp_path / "decide" / "a.jsonl", run_line(), *lines)
    assert main(["select", str(path)]) == 0
    return tmp_path / "decide" / "select.json"


def judged(tmp_path, *lines, **options):
    path = write(tmp_path / "judge.jsonl", run_line(), *lines)
    (summary,) = regret.judge(load.load([path]).cases, decided(tmp_path), **options)
    return summary


def lines_at(nx, rates, width=.001):
    return [case_line(id_, rate, width, case=case_text(nx=nx)) for id_, rate in rates.items()]


def test_how_much_slower_than_the_best(tmp_path):
    s = judged(tmp_path, *lines_at(70, {TILED: 2e12, FAST: 1e12, NAIVE: .1e12}),
               *lines_at(50, {TILED: 1e12, FAST: 1.25e12, NAIVE: .1e12}),
               *lines_at(450, {TILED: 1.02e12, FAST: 1e12}, width=.03))
    by_case = {cases.split("n=")[1].split("x")[0]: o for o in s.outcomes for cases in [o.case]}
    right, wrong, tie = by_case["70"], by_case["50"], by_case["450"]
    assert (right.choice, right.raw, right.regret, right.match) == (TILED, 0, 0, "exact")
    assert wrong.best == FAST and wrong.raw == pytest.approx(.25) == wrong.regret
    assert tie.choice == FAST and tie.raw == pytest.approx(.02) and tie.regret == 0
    assert s.figures["regret_median"] == 0 and s.figures["regret_p95"] == pytest.approx(.25)
    assert s.figures["raw_median"] == pytest.approx(.02) and not s.met
    assert s.resolution == pytest.approx(.001, rel=.01)
    assert "25.0 %" in regret.text_of(s) and "missed" in regret.text_of(s)


def test_the_nearest_decision_is_used_between_classes(tmp_path):
    s = judged(tmp_path, *lines_at(180, {TILED: 1e12, FAST: 2e12}),
               *lines_at(100, {TILED: 2e12, FAST: 1e12}))
    assert [(o.match, o.choice, o.regret) for o in s.outcomes] == \
        [("near", TILED, 1), ("near", TILED, 0)]


def test_twenty_cases_of_which_one_is_bad_miss_nothing_at_the_median(tmp_path):
    s = judged(tmp_path, *(l for nx in range(50, 71)
                           for l in lines_at(nx, {TILED: 1e12 if nx > 50 else .9e12, FAST: 1e12},
                                             width=.0001)))
    assert s.figures["regret_median"] == 0 and s.figures["regret_p95"] == 0 and s.met


def test_cases_that_decided_do_not_judge(tmp_path):
    s = judged(tmp_path, *lines_at(64, {TILED: .1e12, FAST: 1e12}), *lines_at(70, {TILED: 1e12}))
    assert s.dropped == 1 and [o.regret for o in s.outcomes] == [0] and s.met
    assert "decision was made from them: 1" in regret.text_of(s)


def test_an_unsupported_choice_gives_way_and_a_wrong_one_does_not(tmp_path):
    at = case_text(nx=70)
    s = judged(tmp_path, case_line(TILED, case=at, verdict="unsupported"), *lines_at(70, {NAIVE: 1e12}))
    assert s.outcomes[0].choice == NAIVE and s.met
    s = judged(tmp_path, case_line(TILED, case=at, verdict="wrong"), *lines_at(70, {NAIVE: 1e12}))
    assert s.outcomes[0].note == "the choice is wrong" and not s.met
    s = judged(tmp_path, case_line(TILED, case=at, two_modes=True), *lines_at(70, {NAIVE: 1e12}))
    assert s.outcomes[0].note == "in doubt: no winner" and not s.met


def test_a_choice_that_was_not_measured_is_not_judged(tmp_path):
    s = judged(tmp_path, *lines_at(70, {NAIVE: 1e12}), *lines_at(72, {TILED: 1e12}))
    assert [o.note for o in s.outcomes] == ["the choice was not measured", ""] and not s.met
    assert s.figures["regret_p95"] == 0 and "counts as missed: 1" in regret.text_of(s)


def test_decisions_of_other_builds_are_refused(tmp_path, capsys):
    path = write(tmp_path / "judge.jsonl", run_line(),
                 case_line(TILED, case=case_text(nx=70), build_id="other"))
    assert main(["select", "--regret", "unused", "--records", str(path), "--select",
                 str(decided(tmp_path))]) == 2
    assert "stale: tiled.cuda was btiled.cuda and is other" in capsys.readouterr().err


@pytest.mark.parametrize("word", ["load=file:/tmp/evil:run", "store=file:evil:run"])
def test_records_cannot_make_the_program_run_code_of_theirs(tmp_path, capsys, word):
    text = f"uniform:scfo8 {word} tol=1e-4 seed=1"
    path = write(tmp_path / "judge.jsonl", run_line(), transform_line("uniform_naive.cuda", 1, text))
    assert main(["select", "--regret", "unused", "--records", str(path), "--select",
                 str(decided(tmp_path))]) == 2
    assert f"'{word}' in '{text}' would run code" in capsys.readouterr().err


def test_json_has_the_figures_and_every_case(tmp_path, capsys):
    select = decided(tmp_path)
    path = write(tmp_path / "judge.jsonl", run_line(), *lines_at(70, {TILED: 1e12, FAST: 2e12}))
    capsys.readouterr()
    assert main(["select", "--regret", "unused", "--records", str(path), "--select", str(select),
                 "--json"]) == 1
    (device,) = json.loads(capsys.readouterr().out)["devices"]
    assert device["device"] == "h200" and device["regret_median"] == pytest.approx(1)
    assert device["met"] is False and device["cases"][0]["choice"] == TILED


def bouts(tmp_path, *lines):
    small = case_text(nx=64)
    document = json.loads(decided(
        tmp_path, case_line(TILED, 3e12, .01, case=small, plan_bytes=1),
        case_line("tiled.cuda:tile=32", 3e12, .01, case=small),
        case_line(NAIVE, 1e12, case=small)).read_text())
    path = write(tmp_path / "again.jsonl", run_line(), *lines)
    return validate.judge(document["picks"], load.load([path]).cases)


@pytest.mark.parametrize("own, rival, width, state", [
    (1.0, .9, .001, "holds"), (1.0, 1.1, .001, "lost"), (1.0, 1.02, .02, "holds"),
    (1.0, 1.004, .0001, "holds"), (1.0, 1.006, .0001, "lost")])
def test_winners_hold_or_lose(tmp_path, own, rival, width, state):
    (bout,) = bouts(tmp_path, *lines_at(64, {TILED: own * 1e12, NAIVE: rival * 1e12}, width))
    assert bout.state == state


def test_times_of_two_modes_decide_nothing(tmp_path):
    own, rival = lines_at(64, {TILED: .5e12, NAIVE: 1e12})
    (bout,) = bouts(tmp_path, own | {"two_modes": True}, rival)
    assert (bout.state, bout.best, bout.slower) == ("in doubt: no winner", TILED, None)
    assert "0 of 1 hold, 1 in doubt have no winner" in validate.text_of([bout])


@pytest.mark.parametrize("faster_mode, state", [(.5, "in doubt: no winner"), (1.5, "holds")])
def test_a_rival_of_two_modes_counts_where_one_of_them_is_faster(tmp_path, faster_mode, state):
    own, rival = lines_at(64, {TILED: 1e12, NAIVE: .25e12})
    modes = [faster_mode * own["median_s"], 4 * own["median_s"]]
    (bout,) = bouts(tmp_path, own, rival | {"two_modes": True, "mode_medians_s": modes})
    assert (bout.state, bout.best) == (state, TILED if state == "holds" else NAIVE)


def test_a_winner_that_is_wrong_has_lost_and_one_that_is_missing_is_not_measured(tmp_path):
    rival = lines_at(64, {NAIVE: 1e12})
    (bout,) = bouts(tmp_path, case_line(TILED, case=case_text(nx=64), verdict="wrong"), *rival)
    assert bout.state == "lost" and "wrong" in bout.best
    (bout,) = bouts(tmp_path, *rival)
    assert bout.state == "unmeasured"


def test_winners_meet_their_tie_set_and_runner_up(tmp_path):
    (pick,) = json.loads(decided(
        tmp_path, case_line(TILED, 3e12, .01), case_line("tiled.cuda:tile=32", 3e12, .01),
        case_line("tiled.cuda:tile=16", 2e12, .01), case_line(NAIVE, 1e12)).read_text())["picks"]
    assert validate.suite_lines([pick]) == [
        f"{name} : {case_text()}" for name in (
            "tiled[.]cuda tile=32", "tiled[.]cuda tile=64", "naive[.]cuda")]


def test_decisions_of_other_devices_are_not_validated(tmp_path, capsys):
    assert main(["select", "--validate", str(decided(tmp_path))]) == 2
    assert "it decides for h200, and here is " in capsys.readouterr().err


def test_measured_from_the_decision_to_its_judgement(tmp_path, capsys, monkeypatch):
    """Sweeps, decides, validates and judges small cases on the processor of this machine."""
    monkeypatch.setenv("OMP_NUM_THREADS", "1")  # neighbours stall threads that wait for each other
    monkeypatch.setattr(load.Record, "two_modes", None, raising=False)  # which they make, too
    deciding, judging = tmp_path / "select.ndft", tmp_path / "other.ndft"
    deciding.write_text("(naive|fast_math)[.]cpu : forward 2d n=40x40 m=1600\n")
    judging.write_text("(naive|fast_math)[.]cpu : forward 2d n={38x38,40x40} m=1600\n")
    program.sweep(deciding, tmp_path / "a.jsonl", "--budget", "0.05")
    assert main(["select", str(tmp_path / "a.jsonl")]) == 0
    select = tmp_path / "select.json"
    assert main(["select", "--validate", str(select)]) == 0
    assert "1 of 1 hold" in capsys.readouterr().out
    assert main(["select", "--regret", str(judging), "--select", str(select), "--backend", "cpu",
                 "-o", str(tmp_path / "r.jsonl")]) == 0
    said = capsys.readouterr().out
    assert "made from them: 1" in said and "percentile 0.0 %" in said and "met" in said
    turned = json.loads(select.read_text())
    (pick,) = turned["picks"]
    pick["pick"], pick["runner_up"], pick["tie_set"] = pick["runner_up"], pick["pick"], []
    select.write_text(json.dumps(turned))
    assert main(["select", "--validate", str(select)]) == 1
    assert "lost" in capsys.readouterr().out


def test_what_judges_is_measured_nowhere_else():
    planned = {path.stem: set(suites.cases(path)) for path in (ROOT / "configs").glob("*.ndft")}
    for name in ("regret", "regret2"):
        assert not [other for other, found in planned.items()
                    if other != name and found & planned[name]]


@pytest.mark.parametrize("suite, own, near", [("regret", 1 / 2, 4), ("regret2", 1 / 6, 10)])
@pytest.mark.parametrize("backend, slug", [("cpu", "xeon-2c-avx512"), ("cuda", "h200")])
def test_what_judges_is_near_what_decides(tmp_path, backend, slug, suite, own, near):
    """Every judging case finds a decision, and this part of them that of their own class."""
    select, crossover, judging = (
        suites.cases(ROOT / f"configs/{name}.ndft", "--backend", backend)
        for name in ("select", "crossover", suite))
    deciding = select + crossover
    path = write(tmp_path / "a.jsonl", run_line(backends=(backend,)),
                 *(case_line(f"tiled.{backend}", case=text) for text in deciding))
    assert main(["select", str(path)]) == 0
    found = regret.choices(slug, tmp_path / "select.json", judging)
    far = [a["case"] for a in found if a["match"] == "default" or a["distance"] > near]
    assert not far
    assert sum(a["match"] == "exact" for a in found) > len(found) * own


def test_a_backend_that_is_not_here_is_said(tmp_path, capsys):
    suite = tmp_path / "s.ndft"
    suite.write_text(".* : forward 1d n=3 m=3\n")
    assert main(["select", "--regret", str(suite), "--backend", "abacus"]) == 2
    assert "abacus" in capsys.readouterr().err


def test_a_file_that_is_no_decision_is_refused(tmp_path, capsys):
    path = tmp_path / "select.json"
    ours = '{"schema": "ndft-select/4"'
    for text, words in (
            ("{", "Expecting"), ("[]", "list"), ('{"schema": "x/1"}', "schema is x/1"),
            ('{"schema": "ndft-select/2"}', "/4 can be read; ./ndft select makes it anew"),
            (ours + "}", "it lacks 'registry'"), (ours + ', "registry": []}', "damaged"),
            (ours + ', "registry": {}, "picks": [{}]}', "it lacks 'cases'"),
            (ours + ', "registry": {}, "picks": [0]}', "damaged")):
        path.write_text(text)
        assert main(["select", "--validate", str(path)]) == 2
        assert words in capsys.readouterr().err


def test_leaving_out_each_problem_in_turn(tmp_path, capsys):
    """What is fastest at one size is slower at the other, for which it is chosen."""
    lines = [case_line(id_, rate, case=case_text(op, nx=nx), cost=None)
             for op in ("forward", "adjoint")
             for id_, rate, nx in ((TILED, 3e12, 64), (FAST, 2e12, 64), (TILED, 1e12, 512),
                                   (FAST, 3e12, 512))]
    path = write(tmp_path / "a.jsonl", run_line(), *lines)
    assert main(["select", str(path), "--leave-one-out", "--json"]) == 1
    (device,) = json.loads(capsys.readouterr().out)["devices"]
    found = {(o["case"].split()[0], "n=512" in o["case"]): (o["choice"], o["regret"])
             for o in device["cases"]}
    for op in ("forward", "adjoint"):
        assert found[op, True] == (TILED, pytest.approx(2))
        assert found[op, False] == (FAST, pytest.approx(.5))
    assert not (tmp_path / "select.json").exists()


def test_leaving_out_says_what_it_did_not_use(tmp_path, capsys):
    lines = [case_line(TILED, case=case_text(nx=nx), cost=None) for nx in (64, 512, 70)]
    deciding = write(tmp_path / "a.jsonl", run_line(), *lines[:2])
    judging = write(tmp_path / "b.jsonl", run_line() | {"suite": "regret"}, lines[2])
    assert main(["select", str(deciding), str(judging), "--leave-one-out"]) == 0
    printed = capsys.readouterr()
    assert "1 records left out" in printed.err and "intervals" not in printed.out


@pytest.mark.parametrize("options, words", [
    ("a.jsonl --leave-one-out --out x.json", "writes no file"),
    ("a.jsonl --leave-one-out --regret s.ndft", "not allowed with"),
    ("--regret s.ndft --records a.jsonl --out x.jsonl", "with --records nothing is")])
def test_options_that_would_be_ignored_are_refused(capsys, options, words):
    try:
        status = main(["select", *options.split()])
    except SystemExit as refused:
        status = refused.code
    assert status == 2 and words in capsys.readouterr().err
