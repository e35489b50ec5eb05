# SPDX-License-Identifier: Apache-2.0
"""compare: what it calls a regression, what it cannot tell and why, and its exit status."""

import json

import pytest

import synthetic_records
from synthetic import DEVICES, case_line, case_text, run_line, write

from analysis import compare
from analysis.records import load
from analysis.__main__ import main

QUIET = [1.0, 1.001, 1.002, 1.0005, 1.0015, 1.001, 1.0, 1.002]
WILD = [1.0, 1.3, 1.1, 1.5, 1.02, 1.4]


def timed(variant="tiled.cuda", samples=QUIET, factor=1.0, **fields):
    times = [factor * s if s is not None else None for s in samples]
    return case_line(variant, samples_s=times, **fields)


def both(tmp_path, a, b, gate=0.02, cycles=False, run_b=None):
    """Compares the lines of A with those of B, which are of another run."""
    lines = [line | {"run": "r2"} for line in b]
    files = (write(tmp_path / "a.jsonl", run_line(), *a),
             write(tmp_path / "b.jsonl", run_b or run_line("r2"), *lines))
    return compare.compare(*(load.load([f]) for f in files), gate, cycles)


def only(comparison):
    (change,) = comparison.changes
    return change


@pytest.mark.parametrize("b, verdict", [
    (timed(factor=1.0), "same"), (timed(factor=1.05), "slower"), (timed(factor=.95), "faster"),
    (timed(factor=1.01), "same"), (timed(samples=WILD), "ambiguous")])
def test_verdicts_on_time(tmp_path, b, verdict):
    found = both(tmp_path, [timed()], [b])
    assert only(found).verdict == verdict
    assert bool(found.regressed) == (verdict == "slower")


def test_another_build_is_what_is_compared(tmp_path):
    a, b = timed(build_id="1" * 16), timed(build_id="2" * 16, factor=1.1)
    assert only(both(tmp_path, [a], [b])).verdict == "slower"


@pytest.mark.parametrize("samples, why", [
    ([1.0], "B has 1"), ([1.0, 1.0], "B has 2"), ([], "B has 0"), ([None, None, 1.0], "B has 1"),
    ([None] * 5, "B has 0"), (WILD, "wider than the gate"),
    ([s * 1.018 for s in QUIET + [1.03, 1.0, 1.03, 1.01, 1.02]], "crosses the gate")])
def test_the_undecided_say_why(tmp_path, samples, why):
    change = only(both(tmp_path, [timed()], [timed(samples=samples)]))
    assert change.verdict == "ambiguous" and why in change.note and not change.regressions


def test_what_is_not_beyond_chance_among_many_is_not_called(tmp_path):
    def lines(samples, first):
        return [timed(f"v{i}.cuda", first if i == 0 else samples) for i in range(60)]
    found = both(tmp_path, lines(QUIET, [1, 1.01, 1.02]), lines(QUIET, [1.13, 1.14, 1.15]))
    (change,) = [c for c in found.changes if c.pair.a.id == "v0.cuda"]
    assert change.ratio.p < .05 and change.ratio.low > 1.02
    assert change.verdict == "ambiguous" and "among 60 comparisons" in change.note


def test_a_chance_of_one_in_twenty_is_enough(tmp_path):
    few = [1.0, 1.004, 1.008, 1.006]
    change = only(both(tmp_path, [timed(samples=few)], [timed(samples=few, factor=1.06)]))
    assert .001 < change.adjusted < .05 and change.verdict == "slower"


def test_missing_and_new_are_no_regressions(tmp_path):
    a, b = ([timed(v) for v in names] for names in (("old.cuda", "x.cuda"), ("x.cuda", "new.cuda")))
    found = both(tmp_path, a, b)
    assert {(c.pair.record.id, c.verdict) for c in found.changes} == {
        ("old.cuda", "missing"), ("x.cuda", "same"), ("new.cuda", "new")}
    assert not found.regressed


@pytest.mark.parametrize("verdict", ["wrong", "crashed", "unsupported"])
@pytest.mark.parametrize("mode", ["batch", None])
def test_no_longer_passing_is_a_regression(tmp_path, verdict, mode):
    b = case_line("tiled.cuda", verdict=verdict, reason="too bad", mode=mode)
    change = only(both(tmp_path, [timed()], [b]))
    assert change.regressions == [f"passed, and now {verdict} (too bad)"]
    assert change.verdict == "missing"


def test_a_verdict_answers_every_mode(tmp_path):
    modes = [timed(), timed(mode="cold")]
    refused = case_line("tiled.cuda", verdict="unsupported", mode=None)
    assert len(both(tmp_path, modes, [refused]).regressed) == 2
    found = both(tmp_path, [refused], modes)
    assert [c.verdict for c in found.changes] == ["new", "new"] and not found.regressed


def test_failing_on_both_sides_is_no_regression(tmp_path):
    unsupported, wrong = (case_line("tiled.cuda", verdict=v, mode=None) for v in ("unsupported", "wrong"))
    assert only(both(tmp_path, [unsupported], [unsupported])).verdict == "same"
    change = only(both(tmp_path, [unsupported], [wrong]))
    assert change.verdict == "ambiguous" and change.note == "unsupported in A, wrong in B"
    assert not change.regressions


@pytest.mark.parametrize("case, before, after, worse", [
    (case_text(), 2e-6, 2.4e-6, False), (case_text(), 2e-6, 2.7e-6, True),
    (case_text(), 1e-8, 2e-7, False),  # both are roundings of one number
    (case_text("adjoint", nx=8), 2e-6, 3.9e-6, False),  # of 64 outputs
    (case_text(), 0.0, 1e-6, True), (case_text(), None, 1e-3, False),
    (case_text(), 2e-6, None, False), (case_text(), 2e-6, 1e-9, False)])
def test_accuracy(tmp_path, case, before, after, worse):
    a, b = (timed(case=case, rel_l2=error) for error in (before, after))
    change = only(both(tmp_path, [a], [b]))
    assert bool(change.regressions) == worse and change.verdict == "same"


@pytest.mark.parametrize("before, after, more", [
    (1 << 20, 1 << 21, True), (1 << 20, 1.01 * 2**20, False), (100, 400, False), (0, 1 << 20, True),
    (1 << 21, 1 << 20, False), (None, 1 << 20, False)])
def test_memory(tmp_path, before, after, more):
    change = only(both(tmp_path, [timed(plan_bytes=before)], [timed(plan_bytes=after)]))
    assert bool(change.regressions) == more


def test_throttled_samples_are_left_out_while_there_are_others(tmp_path):
    slow = [*QUIET, *(s * 1.3 for s in QUIET)]
    b = timed(samples=slow, throttled=list(range(8, 16)))
    change = only(both(tmp_path, [timed()], [b]))
    assert change.verdict == "same" and change.note == "8 throttled samples of B left out"
    b = timed(samples=slow[8:], throttled=list(range(8)))
    assert only(both(tmp_path, [timed()], [b])).verdict == "slower"


def test_in_cycles_a_slower_clock_is_no_slower_program(tmp_path):
    a = timed(clocks_mhz=[1980.0] * 8)
    b = timed(factor=1.1, clocks_mhz=[1800.0] * 8)
    assert only(both(tmp_path, [a], [b])).verdict == "slower"
    change = only(both(tmp_path, [a], [b], cycles=True))
    assert change.verdict == "same" and change.ratio.value == pytest.approx(1)
    few = timed(clocks_mhz=[1800.0, None, None])
    assert "samples with a clock" in only(both(tmp_path, [a], [few], cycles=True)).note


def test_cycles_without_clocks_are_refused(tmp_path, capsys):
    a = write(tmp_path / "a.jsonl", run_line(), timed())
    assert main(["compare", str(a), str(a), "--cycles"]) == 2
    assert "no record of A has clocks_mhz" in capsys.readouterr().err


def test_other_devices_are_compared_with_a_warning(tmp_path):
    other = run_line("r2") | {"devices": {"cuda": DEVICES["cuda"] | {"slug": "h100"}}}
    found = both(tmp_path, [timed()], [timed(factor=1.2)], run_b=other)
    assert only(found).verdict == "slower" and "h200 in A, h100 in B" in found.warnings[0]
    driver = run_line("r2") | {"devices": {"cuda": DEVICES["cuda"] | {"driver": "590"}}}
    found = both(tmp_path, [timed()], [timed()], run_b=driver)
    assert found.warnings == ["drivers differ on h200: 580.1 / 13.0 in A, 590 in B"]
    assert not both(tmp_path, [timed()], [timed()]).warnings


def several(tmp_path, name, factors, lines=12):
    """A folder with one file for each run; of the first variant they differ by these factors."""
    for i, factor in enumerate(factors):
        run, started = f"{name}{i}", f"2026112{i}T000000Z"
        rows = [timed(f"v{v}.cuda", factor=factor if v == 0 else 1, run=run) for v in range(lines)]
        write(tmp_path / name / f"{i}.jsonl", run_line(run, started=started), *rows)
    return load.load([tmp_path / name])


def test_runs_that_differ_among_themselves_are_no_change(tmp_path):
    one = compare.compare(*(several(tmp_path, n, f) for n, f in (("a", [1]), ("b", [1.08]))), .02)
    assert one.changes[0].verdict == "slower" and "one run a side" in one.warnings[0]
    three = compare.compare(several(tmp_path, "c", [1, 1.07, 1.01]),
                            several(tmp_path, "d", [1.08, 1.01, 1.09]), .02)
    assert three.changes[0].verdict == "ambiguous" and not three.warnings
    assert [len(t.medians) for t in three.changes[0].sides] == [3, 3]
    slower = compare.compare(several(tmp_path, "e", [1, 1.01, 1.005]),
                             several(tmp_path, "f", [1.2, 1.22, 1.21]), .02)
    assert slower.changes[0].verdict == "slower" and not slower.warnings


def test_all_moving_together_is_said(tmp_path):
    a, b = ([timed(f"v{i}.cuda", factor=f) for i in range(6)] for f in (1, 1.1))
    assert "is it the machine?" in both(tmp_path, a, b).warnings[0]


def test_the_files_in_the_repository_are_those_of_the_script(tmp_path):
    synthetic_records.main(tmp_path)
    for name in ("a.jsonl", "slower.jsonl"):
        assert (tmp_path / name).read_bytes() == (synthetic_records.DATA / name).read_bytes()


def data(name):
    return str(synthetic_records.DATA / name)


@pytest.mark.parametrize("path", [data("a.jsonl"), data("slower.jsonl"), str(
    synthetic_records.DATA.parent.parent / "results")])
def test_records_against_themselves_are_the_same(path, capsys):
    assert main(["compare", path, path, "--json"]) == 0
    counts = json.loads(capsys.readouterr().out)["counts"]
    assert counts["same"] > 0 and sum(counts.values()) == counts["same"]


def test_a_regression_is_exit_status_1(capsys):
    assert main(["compare", data("a.jsonl"), data("slower.jsonl"), "--gate", "2%"]) == 1
    text = capsys.readouterr().out
    assert "2 slower, 2 missing, 1 faster, 1 new, 16 same; 5 regressions beyond 2 %" in text
    assert "' --variant 'tiled.cuda' --knob tile=256,outputs=4\n" in text
    assert text.index("slower  ") < text.index("faster  ") < text.index("new  ")


def test_json_has_every_comparison(capsys):
    assert main(["compare", data("a.jsonl"), data("slower.jsonl"), "--json"]) == 1
    found = json.loads(capsys.readouterr().out)
    assert found["regressions"] == 5 and found["gate"] == .02
    assert sum(found["counts"].values()) == len(found["comparisons"]) == 22
    slower = [c for c in found["comparisons"] if c["verdict"] == "slower"]
    assert all(c["low"] <= c["ratio"] <= c["high"] and c["p_adjusted"] <= .05 for c in slower)


def test_the_other_way_round_nothing_is_slower_but_the_faster():
    found = compare.compare(load.load([data("slower.jsonl")]), load.load([data("a.jsonl")]), .02)
    assert [c.pair.record.id for c in found.regressed] == ["fast_math.cuda"]


def test_a_wide_gate_lets_five_percent_pass(capsys):
    assert main(["compare", data("a.jsonl"), data("slower.jsonl"), "--gate", "10 %"]) == 1
    assert "slower  " not in capsys.readouterr().out


@pytest.mark.parametrize("gate", ["2", "0.02", "-1%", "0%", "x", "%", "nan%", "1e9%", ""])
def test_a_gate_that_is_none_is_named_with_one_that_is(capsys, gate):
    assert main(["compare", data("a.jsonl"), data("a.jsonl"), f"--gate={gate}"]) == 2
    message = capsys.readouterr().err
    assert f"'{gate}'" in message and "2%" in message


def test_a_missing_file_is_exit_status_2(capsys):
    assert main(["compare", data("a.jsonl"), "nosuch.jsonl"]) == 2
    assert "nosuch.jsonl: no such file" in capsys.readouterr().err


@pytest.mark.parametrize("more", [[], ["--gate", "2%"], ["--json"]])
def test_files_with_nothing_in_common_cannot_be_compared(tmp_path, capsys, more):
    a = write(tmp_path / "a.jsonl", run_line(), case_line())
    b = write(tmp_path / "b.jsonl", run_line("r2"), case_line("naive.cuda", run="r2"))
    assert main(["compare", str(a), str(b), *more]) == 2
    shown, said = capsys.readouterr()
    assert not shown and "A and B have no measurement in common" in said and "naive.cuda" in said
