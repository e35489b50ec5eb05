# SPDX-License-Identifier: Apache-2.0
"""The choice judged: problems drawn, candidates, regret with known answers; and the map of choices."""

import json
import math
import re

import pytest

from synthetic import case_line, case_text, processes, run2_line, write

from analysis import choice_map, draw, program, regret
from analysis.__main__ import main
from analysis.records import load
from analysis.records.errors import RecordsError

FAST, SLOW = "tiled.cpu:tile=64", "naive.cpu"


def drawn(tmp_path, seed=7, count=60, backend="cpu"):
    return draw.Drawer(backend, seed, tmp_path).some(count)


@pytest.mark.parametrize("backend", ["cpu", "cuda"])
def test_a_seed_draws_the_same_problems_and_another_others(tmp_path, backend):
    first, again, other = (drawn(tmp_path, seed, 20, backend) for seed in (7, 7, 8))
    strip = [[case.partition(" traj=file")[0] for case in problem] for problem in first]
    assert strip == [[case.partition(" traj=file")[0] for case in problem] for problem in again]
    assert first != other


@pytest.mark.parametrize("backend", ["cpu", "cuda"])
def test_what_is_drawn_are_cases_of_every_kind(tmp_path, backend):
    problems = drawn(tmp_path, count=300, backend=backend)
    cases = [case for problem in problems for case in problem]
    assert [c for c, said in zip(cases, program.cases(cases)) if "error" in said] == []
    for words in ("prec=f64", "traj=file:", "field=file:", "uniform:s", "uniform:d", "grad=", "mask=disk", "3d", "1d",
                  "interleaved", "traj=epi", "traj=sos", "normal"):
        assert any(words in case for case in cases), words
    for problem in problems:
        ops = [case.partition(" ")[0] for case in problem]
        assert ops in (["forward", "adjoint"], ["normal"]) or ops[0].startswith("uniform:")


def test_files_of_a_folder_with_spaces_are_named_from_here(tmp_path, monkeypatch):
    (tmp_path / "a b" / "c").mkdir(parents=True)
    monkeypatch.chdir(tmp_path / "a b")
    cases = [case for problem in drawn(tmp_path / "a b" / "c") for case in problem if "=file:" in case]
    assert cases and all("=file:c/" in case for case in cases)
    monkeypatch.chdir(tmp_path)
    with pytest.raises(RecordsError, match="a b/c: paths in cases hold no spaces"):
        drawn(tmp_path / "a b" / "c")


def record(id_, *seconds, wide=.001, **fields):
    """Of one process each."""
    parts = processes(*([s] * 3 for s in seconds))
    for part in parts["by_process"]:
        part |= {"ci_lo_s": part["median_s"] * (1 - wide), "ci_hi_s": part["median_s"] * (1 + wide)}
    return case_line(id_, case=case_text(nx=16), **parts, **fields)


def judged(tmp_path, choice, *lines):
    path = write(tmp_path / "a.jsonl", run2_line(backends=("cpu",)), *lines)
    records = {case_text(nx=16): {r.id: r for r in load.load([path]).every}}
    return regret.outcome([case_text(nx=16)], {case_text(nx=16): {"variant": choice}}, records)


def test_the_fastest_is_found_in_one_process_and_compared_in_another(tmp_path):
    found = judged(tmp_path, SLOW, record(FAST, 1.0, 2.0), record(SLOW, 1.5, 3.0))
    assert found.best == [FAST] and found.regret == pytest.approx(.5)
    assert found.bounds == pytest.approx((.4970, .5030), abs=1e-4)
    assert judged(tmp_path, FAST, record(FAST, 1.0, 2.0), record(SLOW, 1.5, 3.0)).regret == 0
    lucky = judged(tmp_path, SLOW, record(FAST, 1.0, 4.0), record(SLOW, 1.5, 3.0))
    assert lucky.best == [FAST] and lucky.regret == 0


@pytest.mark.parametrize("choice, wide, aim, undecided", [
    (SLOW, .03, .10, True), (SLOW, .03, .05, False), (SLOW, .03, .15, False), (SLOW, .001, .096, False),
    (FAST, .03, .0, False)])
def test_undecided_is_what_may_lie_on_either_side_of_the_aim(tmp_path, choice, wide, aim, undecided):
    found = judged(tmp_path, choice, record(FAST, 1.0, 1.0, wide=wide), record(SLOW, 1.1, 1.1))
    assert bool(regret.Summary("h200", 1, "estimate", (aim, 1.0), [found]).undecided) == undecided


def test_a_record_in_doubt_bounds_nothing(tmp_path):
    found = judged(tmp_path, SLOW, record(FAST, 1.0, 1.0, two_modes=True), record(SLOW, 1.1, 1.1))
    assert found.bounds == (-1, math.inf)


def test_a_choice_that_fails_is_the_worst(tmp_path):
    for choice, said in ((SLOW, "naive.cpu: wrong"), ("fast_math.cpu", "fast_math.cpu: not measured")):
        found = judged(tmp_path, choice, record(FAST, 1.0, 1.0), record(SLOW, 1.0, 1.0, verdict="wrong"))
        assert math.isinf(found.regret) and found.note == said


def test_what_cannot_be_as_fast_is_not_measured():
    answer = {"serve": [{"variant": name, "at_least_s": s, "amounts": {name: {}, f"{name}:sigma=150": {}}}
                        for name, s in (("a", .1), ("b", .9), ("c", 2.0))]}
    assert regret.candidates(answer, {"c"}, .9) == {"a", "a:sigma=150", "c"}
    assert len(regret.candidates(answer, {"c"}, math.inf)) == 6


def test_what_is_near_by_estimate():
    answer = {"seconds": 2.0, "serve": [{"settings_s": {"a": 2.0, "a:sigma=150": 3.1}}, {"settings_s": {"b": 3.0}}]}
    assert regret.near(answer, 1.5) == {"a", "b"} and regret.near(answer, 1) == {"a"}


def test_a_file_of_cases_is_judged_by_what_is_near(tmp_path, capsys):
    cases = tmp_path / "own.txt"
    cases.write_text("# mine\n\n" + "".join(f"{op} 2d n=12x10 m=90\n" for op in ("forward", "adjoint", "normal")))
    out = tmp_path / "out" / "records.jsonl"
    status = main(["select", "--regret", str(cases), "--within", "1.3", "--json", "-o", str(out)])
    devices = json.loads(capsys.readouterr().out)["devices"]
    assert status == (not all(d["met"] for d in devices)) and [d["seed"] for d in devices] == [None, None]
    assert [[case.partition(" ")[0] for case in p["cases"]] for p in devices[0]["problems"]] == [
        ["forward", "adjoint"], ["normal"]]
    lines = [json.loads(line) for line in out.read_text().splitlines()]
    near = {(c["case"], id_) for c in lines if c["type"] == "choice" and c["mode"] == "estimate"
            for id_, s in c["estimated_s"].items() if s <= 1.3 * c["seconds"]}
    chosen = {(c["case"], c["variant"]) for c in lines if c["type"] == "choice"}
    measured = {(r.case.text, r.id) for r in load.load([str(out)]).every}
    assert main(["results", "validate", str(out)]) == 0
    assert near | chosen <= measured and not (tmp_path / "out" / "first.jsonl").exists()


def test_what_cannot_be_asked_is_told(tmp_path, capsys):
    empty = tmp_path / "none.txt"
    empty.write_text("# nothing\n")
    for asked, said in (([str(empty)], "none.txt: no case in it"), (["2", "--within", "0.5"], "--within 0.5: times"),
                        ([str(empty), "--seed", "7"], "--seed 7: nothing"), (["2", "--within", "nan"], "nearest: 1"),
                        (["-1"], "--regret -1: 1 or more")):
        assert main(["select", f"--regret={asked[0]}", *asked[1:]]) == 2
        assert said in capsys.readouterr().err
    for no_number in ("--2", "\u00b2"):
        assert main(["select", f"--regret={no_number}"]) != 0
        assert f"{no_number}: No such file" in capsys.readouterr().err


def test_percentiles_and_aims():
    outcomes = [regret.Outcome([case_text()], [SLOW], [FAST], value / 100, (value / 100, value / 100))
                for value in range(20)]
    summary = regret.Summary("h200", 1, "estimate", (.18, .2), outcomes)
    assert summary.figures == {"median": .09, "p95": .18, "worst": .19} and summary.met
    for i in range(2):
        outcomes[i].bounds = (0, math.inf)
    assert not summary.met and "missed; 2 undecided" in regret.text_of(summary)


def test_a_row_names_the_knobs_that_are_not_at_their_presets():
    ids = {v["id"].partition(":")[0]: v["id"] for v in program.variants()["variants"]}
    other = ids["tiled.cpu"].replace("threads=0", "threads=9")
    outcome = regret.Outcome([case_text()], [other], [ids["tiled.cpu"]], .1, (.1, .1))
    (row,) = (line for line in regret.text_of(regret.Summary("h200", 1, "estimate", (.18, .2), [outcome])).splitlines()
              if "2d n=" in line)
    assert row.endswith("  tiled.cpu:threads=9  tiled.cpu")


def test_of_knobs_that_share_a_name_none_is_left_out():
    """Their preset depends on the stage that is taken."""
    engine = next(v for v in program.variants()["variants"] if v["id"].startswith("nufft.cuda"))
    names, shown, whole = ([knob["name"] for knob in engine["knobs"]],
                           *(re.findall(r"(\w+)=", id_) for id_ in (program.short(engine["id"]), engine["id"])))
    assert shown == [name for name in whole if names.count(name) > 1]


def test_a_device_without_records_is_none_that_the_model_is_of():
    regret.left_out("h100", "cuda")
    with pytest.raises(RecordsError, match="has records of it"):
        regret.left_out("h200", "cuda")


def test_it_is_measured_and_judged(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(draw, "MOST", {"cpu": 1e6})
    monkeypatch.setattr(draw, "SIZES", {"cpu": {1: (60, 100), 2: (8, 20), 3: (8, 9)}})
    every = regret.candidates
    monkeypatch.setattr(regret, "candidates", lambda answer, chosen, seconds: chosen | set(
        sorted(every(answer, chosen, seconds))[::16]))  # which are dozens
    status = main(["select", "--regret", "2", "--seed", "7", "--json", "-o", str(tmp_path / "out" / "records.jsonl")])
    devices = json.loads(capsys.readouterr().out)["devices"]
    assert [d["mode"] for d in devices] == ["estimate", "measure"] and status == (not all(d["met"] for d in devices))
    for problem in (p for device in devices for p in device["problems"]):
        assert len(problem["best"]) == len(problem["cases"]) and problem["regret"] < math.inf
    choices = [c for c in map(json.loads, (tmp_path / "out" / "records.jsonl").read_text().splitlines())
               if c["type"] == "choice"]
    cases = devices[0]["problems"][0]["cases"] + devices[0]["problems"][1]["cases"]
    assert [(c["case"], c["mode"]) for c in choices] == [(case, mode) for case in cases for mode in regret.MODES]
    assert all(c["estimated_s"][c["variant"]] == c["seconds"] for c in choices if c["mode"] == "estimate")
    merged = tmp_path / "merged.jsonl"
    assert main(["results", "merge", str(tmp_path / "out" / "records.jsonl"), "-o", str(merged)]) == 0
    assert merged.read_text().count('"choice"') == len(choices)
    assert main(["select", "--regret", "0"]) == 2


def test_what_the_model_was_fitted_to_judges_nothing(capsys):
    assert main(["select", "--regret", "1", "--seed", "2"]) == 2
    assert "--seed 2: the model was fitted to problems of it; nearest: 7" in capsys.readouterr().err


def test_the_map_of_choices(tmp_path, capsys, monkeypatch):
    place = choice_map.Place(16, 2, 1, 1e-4)
    (text,) = [said["case"] for said in program.cases([place.case("forward")])]
    path = write(tmp_path / "a.jsonl", run2_line(backends=("cpu",)), case_line(SLOW, 1e9, case=text))
    monkeypatch.setattr(choice_map, "places", lambda: [place, choice_map.Place(16, 0, 4, 1e-4)])
    assert main(["select", "--map", str(tmp_path / "map.svg"), str(path)]) == 0
    said, drawing = capsys.readouterr().out, (tmp_path / "map.svg").read_text()
    assert "; 0 of 1 measured problems have their fastest" in said
    assert "4 coils, tol=0.0001" in drawing and "naive" in drawing
    write(path, run2_line(backends=("cpu",), timing_version=2), case_line(SLOW, 1e9, case=text))
    asked = ["select", "--map", str(tmp_path / "map.svg"), str(path)]
    assert main(asked) == 0 and "measured problems" not in capsys.readouterr().out, "of another clock"
    assert main([*asked, "--every"]) == 0 and "of 1 measured problems" in capsys.readouterr().out
