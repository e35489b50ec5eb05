# SPDX-License-Identifier: Apache-2.0
"""Goals against records: met, missed, unmeasured, stale."""

import json
import re

import pytest

from program import ROOT, listed, ndft
from synthetic import case_line, case_text, run_line, transform_line, write

from analysis import goals
from analysis.records import cases, load
from analysis.records.errors import RecordsError
from analysis.__main__ import main

CASE = "{forward,adjoint} 2d n=256x256 m=65536 field=random:200Hz t=30ms"


def judge(tmp_path, text, *lines, backends=("cpu", "cuda"), registry=None):
    path = write(tmp_path / "a.jsonl", run_line(backends=backends), *lines)
    file = write(tmp_path / "goals.def", text + "\n")
    return goals.judge(goals.read(file), load.load([path]), registry)


def states(results):
    return [result.state for result in results]


def test_both_directions_are_needed(tmp_path):
    text = f"{CASE} | naive[.]cuda | coil_pairs_per_s >= 0.30e12 | batch"
    forward, adjoint = case_line("naive.cuda", .31e12), case_line(
        "naive.cuda", .29e12, case=case_text("adjoint"))
    results = judge(tmp_path, text, forward, adjoint)
    assert states(results) == ["met", "missed"]
    assert abs(results[1].by + 1 / 30) < 1e-9
    assert states(judge(tmp_path, text, forward)) == ["met", "unmeasured"]


@pytest.mark.parametrize("line", [
    case_line("naive.cuda", 9e12) | {"verdict": "wrong"},
    case_line("naive.cuda", 9e12, mode="cold"),
    case_line("naive.cuda", 9e12, case=case_text(nx=128)), case_line("naive2.cuda", 9e12),
    case_line("naive.cuda", 9e12, case=case_text(grad="random:20Hz"))])
def test_other_measurements_do_not_count(tmp_path, line):
    text = f"{CASE} | naive[.]cuda | coil_pairs_per_s >= 1 | batch"
    assert states(judge(tmp_path, text, line)) == ["unmeasured", "unmeasured"]


def test_error_is_that_of_the_fastest_pass(tmp_path):
    text = f"{CASE} | tiled[.]cuda | rel_l2 <= 5e-6 | batch".replace("{forward,adjoint}", "forward")
    accurate = case_line("tiled.cuda:tile=32", 1e12, rel_l2=1e-7)
    fast = case_line("tiled.cuda:tile=64", 2e12, rel_l2=6e-6)
    assert states(judge(tmp_path, text, accurate)) == ["met"]
    assert states(judge(tmp_path, text, accurate, fast)) == ["missed"]


def test_value_may_be_a_multiple_of_another_variant(tmp_path):
    text = "forward" + CASE.split("}")[1] + \
        " | .*[.]cpu | coil_pairs_per_s >= 30 * naive[.]cpu | batch | .*-2c-avx512"
    naive, best = case_line("naive.cpu", 1e8), case_line("tiled.cpu", 2.9e9)
    (result,) = judge(tmp_path, text, naive, best)
    assert result.state == "missed" and abs(result.value - 3e9) < 1
    assert states(judge(tmp_path, text, naive, case_line("tiled.cpu", 3.1e9))) == ["met"]
    assert states(judge(tmp_path, text, best)) == ["unmeasured"]


def test_value_may_be_a_share_of_the_same_variant_elsewhere(tmp_path):
    text = ("{forward,adjoint} 2d n=64x64 m=4096 field=random:200Hz t=30ms | {naive,tiled}[.]cuda | "
            "coil_pairs_per_s >= 0.5 * same at n=256x256 m=65536 | batch")
    small = [case_line("tiled.cuda:tile=32", 1.1e12, case=case_text(nx=64)),
             case_line("naive.cuda", .3e12, case=case_text(nx=64)),
             case_line("tiled.cuda:tile=32", .9e12, case=case_text("adjoint", nx=64))]
    large = [case_line("tiled.cuda:tile=64", 2e12), case_line("naive.cuda", .7e12),
             case_line("tiled.cuda", 2e12, case=case_text("adjoint")), case_line("other.cuda", 9e12)]
    results = judge(tmp_path, text, *small, *large)
    assert states(results) == ["missed", "met", "unmeasured", "missed"]
    assert [r.value for r in results] == pytest.approx([.35e12, 1e12, None, 1e12])
    assert states(judge(tmp_path, text, *small)) == ["unmeasured"] * 4


OVER = ("forward 2d n=256x256 m=65536 field=random:200Hz t=30ms | tiled[.]cuda | "
        "speedup over rival[.]cuda >= 1.3 | batch,graph")
PEER = {"who": "the others", "version": "1", "built": "native, as they do"}


def rival(rate, **more):
    return case_line("rival.cuda", rate, peer=PEER, **more)


def test_a_peer_is_named_and_the_best_mode_of_each_counts(tmp_path):
    ours = case_line("tiled.cuda", 1e12), case_line("tiled.cuda", 1.5e12, mode="graph")
    (result,) = judge(tmp_path, OVER, *ours, rival(1e12), rival(.8e12, mode="graph"))
    assert result.state == "met" and result.measured == pytest.approx(1.5)
    assert result.record.mode == "graph"
    (result,) = judge(tmp_path, OVER, *ours, rival(1.2e12), rival(1e12, mode="graph"))
    assert result.state == "missed" and result.measured == pytest.approx(1.25)
    assert "1.25" in goals.text_of([result]) and "speedup over rival[.]cuda >= 1.3" in goals.text_of(
        [result])


def test_a_speedup_within_its_interval_of_the_goal_is_undecided(tmp_path):
    for width, state in ((.001, "missed"), (.02, "undecided")):
        (result,) = judge(tmp_path, OVER, case_line("tiled.cuda", 1.28e12, width=width),
                          rival(1e12, width=width))
        assert result.state == state


def test_a_peer_never_counts_from_another_run(tmp_path):
    later = run_line("r2", ("cpu", "cuda"), "20261122T010000Z")
    (result,) = judge(tmp_path, OVER, rival(.1e12), later, case_line("tiled.cuda", 1e12, run="r2"))
    assert result.state == "not judged" and result.measured is None
    assert "no record holds both yet" in goals.text_of([result])
    assert "1 not judged" in goals.text_of([result])


def test_a_run_that_holds_both_counts_although_ours_was_measured_again(tmp_path):
    later = run_line("r2", ("cpu", "cuda"), "20261122T010000Z")
    (result,) = judge(tmp_path, OVER, case_line("tiled.cuda", 1.4e12), rival(1e12), later,
                      case_line("tiled.cuda", 9e12, run="r2"))
    assert result.state == "met" and result.measured == pytest.approx(1.4)


@pytest.mark.parametrize("other", [
    rival(.1e12, verdict="wrong"), rival(.1e12, mode="cold"), rival(.1e12, case=case_text(nx=128)),
    rival(.1e12, two_modes=True)])
def test_what_does_not_rank_is_no_rival(tmp_path, other):
    assert states(judge(tmp_path, OVER, case_line("tiled.cuda", 1e12), other)) == ["not judged"]


def test_a_peer_is_never_ours(tmp_path):
    text = OVER.replace("tiled[.]cuda", ".*[.]cuda")
    (result,) = judge(tmp_path, text, case_line("tiled.cuda", 1e12), rival(2e12))
    assert result.record.id == "tiled.cuda" and result.state == "missed"


def test_what_cannot_be_judged_is_no_failure(tmp_path, capsys):
    file = write(tmp_path / "goals.def", OVER + "\n")
    path = write(tmp_path / "a.jsonl", run_line(), case_line("tiled.cuda"))
    assert main(["report", "--goals", str(path), "--goals-file", str(file)]) == 0
    assert "no record holds both yet" in capsys.readouterr().out


def test_no_figure_of_a_rival_is_a_goal():
    """Peers are named: their times and errors stand in records alone."""
    text = (ROOT / "configs/goals.def").read_text()
    assert "peer:" not in text and "median_s <= 2" not in text
    named = {goal.base for one in goals.read(ROOT / "configs/goals.def")
             for goal in one.of or [one] if goal.metric == goals.SPEEDUP}
    assert named == {"cufinufft[.]cuda", "finufft[.]cpu", "vkfft[.]cuda"}


def transforms(**ratios):
    """Records of both variants at each length: naive takes so many times what the vendor takes."""
    for n, ratio in ratios.items():
        case = f"uniform:scfo{n[1:]} tol=1e-4 seed=1"
        yield transform_line("uniform_vendor.cuda", 1e-6, case)
        yield transform_line("uniform_naive.cuda", ratio * 1e-6, case)


def test_goals_of_uniform_cases(tmp_path):
    text = ("uniform:scfo{8,16,128} | uniform_naive[.]cuda | "
            "median_s <= 0.8 * uniform_vendor[.]cuda | batch")
    results = judge(tmp_path, text, *transforms(n8=1.2, n16=0.7))
    assert states(results) == ["missed", "met", "unmeasured"]
    assert results[0].by == pytest.approx(0.5)


@pytest.mark.parametrize("share, state", [("1/5", "met"), ("1/2", "unmeasured"), ("2/3", "missed")])
def test_a_share_of_the_cases_may_be_a_goal(tmp_path, share, state):
    """Two are met, one is not measured and may be, two are missed."""
    text = (f"uniform:scfo{{8,16,32,64,128}} | uniform_naive[.]cuda | {share} of "
            "median_s <= 1 * uniform_vendor[.]cuda | batch")
    (result,) = judge(tmp_path, text, *transforms(n8=2, n16=0.5, n32=0.9, n64=1.1))
    assert (result.state, result.measured) == (state, 2)
    shown = goals.text_of([result])
    assert "uniform:scfo8 and 4 more" in shown and "2 of 5" in shown
    assert f"{share} of median_s <= 1 * uniform_vendor" in shown


def test_goals_of_other_devices_are_left_out(tmp_path):
    text = f"{CASE} | .*[.]cpu | coil_pairs_per_s >= 1 | batch | .*-2c-avx512"
    assert judge(tmp_path, text, case_line("naive.cuda"), backends=("cuda",)) == []


def test_full_id_may_be_asked_for_and_lists_of_variants_expand(tmp_path):
    lines = [case_line("tiled.cuda:sincos=hardware", 2e12),
             case_line("tiled.cuda:sincos=libm", 1e12)]
    forward = "forward" + CASE.split("}")[1]
    for words, rate in (("hardware", 2e12), ("libm", 1e12)):
        (result,) = judge(tmp_path, f"{forward} | tiled[.]cuda:.*sincos={words}.* | "
                                    "coil_pairs_per_s >= 1 | batch", *lines)
        assert result.measured == rate
    both = f"{forward} | {{naive,tiled}}[.]cuda | adjoint_err <= 1e-6 | batch"
    assert states(judge(tmp_path, both, *lines)) == ["unmeasured", "met"]


def test_record_of_an_older_source_is_stale(tmp_path):
    text = f"{CASE} | naive[.]cuda | coil_pairs_per_s >= 1 | batch"
    line = case_line("naive.cuda")
    builds = [judge(tmp_path, text, line, registry=registry)[0].build for registry in (
        None, {"naive.cuda": line["build_id"]}, {"naive.cuda": "changed"}, {})]
    assert builds == ["unknown", "current", "stale", "stale"]


def test_a_result_is_as_stale_as_what_it_was_made_from(tmp_path):
    """Record, base and members of a share; what is current counts though stale ones are faster."""
    lines, every = [*transforms(n8=.5, n16=2)], ("uniform_naive.cuda", "uniform_vendor.cuda")
    for share in "", "1/2 of ":
        text = (f"uniform:scfo{{8,16}} | uniform_naive[.]cuda | {share}"
                "median_s <= 1 * uniform_vendor[.]cuda | batch")
        for changed in (), every[:1], every[1:]:
            registry = {name: "changed" if name in changed else "b" + name for name in every}
            builds = {r.build for r in judge(tmp_path, text, *lines, registry=registry)}
            assert builds == {"stale" if changed else "current"}
    old, new = case_line("naive.cuda", 9e12, build_id="old"), case_line("naive.cuda:outputs=2", 1e12)
    text = f"{CASE} | naive[.]cuda | coil_pairs_per_s >= 1 | batch".replace("{forward,adjoint}",
                                                                           "forward")
    (result,) = judge(tmp_path, text, old, new, registry={"naive.cuda": new["build_id"]})
    assert (result.build, result.measured) == ("current", 1e12)


def test_a_goals_file_that_is_no_text_is_exit_status_2(tmp_path, capsys):
    (tmp_path / "goals.def").write_bytes(b"\xff")
    records = str(write(tmp_path / "a.jsonl", run_line(), case_line()))
    assert main(["report", "--goals", records, "--goals-file", str(tmp_path / "goals.def")]) == 2
    assert "goals.def: not UTF-8" in capsys.readouterr().err


@pytest.mark.parametrize("text, wrong", [
    ("forward 1d n=8 m=1 | a | rel_l2 <= 1", "columns"),
    ("forward 1d n=8 m=1 | a | rel_l2 < 1 | batch", "METRIC"),
    ("forward 1d n=8 m=1 | a | rell2 <= 1 | batch", "rell2"),
    ("forward 1d n=8 m=1 | a | rel_l2 <= 1 | bacth", "'bacth'; nearest: batch"),
    ("forward 1d n=8 m=1 | a | rel_l2 <= 1 | batch,grph", "'grph'; nearest: graph"),
    ("forward 1d n=8 m=1 | a | speedup over b <= 1 | batch", "METRIC"),
    ("forward 1d n=8 | a | rel_l2 <= 1 | batch", "m="),
    ("forward 1d n=8 m=1 | a | rel_l2 <= 2 * same at n=2x2 | batch", "n=2x2"),
    ("uniform:scxo8 | a | rel_l2 <= 1 | batch", "scxo8"),
    ("uniform:scfo{8,16} | a | 1/0 of rel_l2 <= 1 | batch", "1/0"),
    ("uniform:scfo{8,16} | a | 3/2 of rel_l2 <= 1 | batch", "3/2"),
    ("forward 1d n=8 m=1 | a( | rel_l2 <= 1 | batch", "unterminated")])
def test_malformed_goal_is_named(tmp_path, text, wrong):
    with pytest.raises(RecordsError, match=f"goals.def:1: .*{wrong}"):
        goals.read(write(tmp_path / "goals.def", text + "\n"))


def test_exit_status_says_whether_all_are_met(tmp_path, capsys):
    file = write(tmp_path / "goals.def",
                 f"{CASE} | naive[.]cuda | coil_pairs_per_s >= 0.30e12 | batch\n")
    path = write(tmp_path / "h200/a.jsonl", run_line(), case_line("naive.cuda", .4e12),
                 case_line("naive.cuda", .4e12, case=case_text("adjoint")))
    arguments = ["report", "--goals", str(path.parent), "--goals-file", str(file)]
    assert main(arguments) == 0
    assert "2 goals: 2 met" in capsys.readouterr().out
    registry = write(tmp_path / "list.json", json.dumps(
        {"variants": [{"name": "naive", "backend": "cuda", "build_id": "changed"}]}))
    assert main([*arguments, "--registry", str(registry)]) == 0
    assert "stale" in capsys.readouterr().out
    write(path, run_line(), case_line("naive.cuda", .4e12))
    assert main(arguments) == 1, "unmeasured is not met"
    write(path, run_line(), case_line("naive.cuda", .2e12))
    assert main(arguments) == 1
    assert "1 missed, 1 unmeasured" in capsys.readouterr().out


def test_the_projects_own_goals_can_be_read():
    found = goals.read(ROOT / "configs/goals.def")
    assert {goal.case.op for goal in found} == {"forward", "adjoint", "normal", "transform"}
    assert {goal.device for goal in found} == {"h200", ".*-2c-avx512"}


# What is swept where a goal is for such a device.
SUITES = {"h200": ["h200", "nufft", "archimedes", "bluestein", "peers"],
          ".*-2c-avx512": ["cpu", "naive", "bluestein", "peers"]}


def planned(suite):
    """(case, id) of everything that a suite runs; without knobs what was not built."""
    said = ndft("sweep", ROOT / f"configs/{suite}.ndft", "--plan")
    assert said.returncode == 0, said.stderr
    found, case = set(), None
    for line in said.stdout.splitlines()[:-1]:
        if line.startswith(" "):
            found.add((case, line.split()[0]))
        else:
            case = cases.parse(line)
    return found


@pytest.mark.parametrize("device", SUITES)
def test_the_suites_measure_every_goal(device):
    """And, for goals relative to another measurement, that one too."""
    plan = set().union(*map(planned, SUITES[device]))

    def is_measured(case, pattern):
        ids = [id_ for there, id_ in plan if there == case]
        return any(re.fullmatch(pattern, name) for id_ in ids
                   for name in (id_, id_.partition(":")[0])) or any(
            re.fullmatch(pattern.partition(":")[0], id_) for id_ in ids if ":" not in id_)
    every = goals.read(ROOT / "configs/goals.def")
    names = {f"{v['name']}.{v['backend']}" for v in listed()}
    for goal in (one for goal in every for one in goal.of or [goal]):
        if goal.device == device:
            assert is_measured(goal.case, goal.variants), goal
            base = goal.variants if goal.base == goals.SAME else goal.base
            registered = goal.metric != goals.SPEEDUP or base.replace("[.]", ".") in names
            assert not base or not registered or is_measured(goal.base_case, base), goal


def test_goals_name_peers_and_no_peer_has_a_constant():
    """A rival's figure stands in a record of the same run, or nowhere."""
    lines = [line for line in (ROOT / "configs/goals.def").read_text().splitlines() if line and line[0] != "#"]
    beside = [line for line in lines if re.search(r"finufft|vkfft|vendor|torch", line)]
    assert len(beside) > 30
    for line in beside:
        _, ours, target, *_ = re.split(r"\s\|\s", line)
        assert not re.search(r"finufft[.]|vkfft|vendor|torch", ours), "a peer is judged by nothing"
        assert re.search(r"over \S+ >= |[*] uniform_vendor", target), line
