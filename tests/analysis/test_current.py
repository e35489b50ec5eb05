# SPDX-License-Identifier: Apache-2.0
"""Which records count: of this clock, a clean tree, the newest build, steady before burst."""

import pytest

from program import ROOT
from synthetic import (CLOCK, case_line, case_text, peer_line, processes, run2_line, run_line, transform_line,
                       write)

from analysis import model, readme, winners
from analysis.records import current, load
from analysis.records.errors import RecordsError
from analysis.__main__ import main

EARLY, LATE = "20261121T010000Z", "20261122T010000Z"


def dirty(line):
    return line | {"build": line["build"] | {"dirty": True}}


def counted(tmp_path, *lines):
    records = current.load([write(tmp_path / "a.jsonl", *lines)])
    return records, [(r.id, r.build_id) for r in records.every]


GOAL = "{} 2d n=256x256 m=65536 field=random:200Hz t=30ms | naive[.]cuda | coil_pairs_per_s >= 1e12 | batch\n"


def filled(tmp_path, ops="forward"):
    """What a page has of the results of h200."""
    file = write(tmp_path / "goals.def", GOAL.format(ops))
    return readme.fill("<!-- results:begin h200 -->\n<!-- results:end -->", tmp_path / "results", file)


def test_a_newer_run_of_a_changed_tree_replaces_nothing(tmp_path):
    lines = (run_line(started=EARLY), case_line("naive.cuda", 1e12, build_id="b1"),
             dirty(run_line("r2", started=LATE)), case_line("naive.cuda", 2e12, run="r2", build_id="b2"))
    records, found = counted(tmp_path, *lines)
    assert found == [("naive.cuda", "b1")]
    assert "1 records left out: of trees with local changes" in records.notes
    assert load.load([tmp_path]).every[0].build_id == "b2", "others read everything"


def test_where_nothing_is_clean_that_is_said(tmp_path):
    records, found = counted(tmp_path, dirty(run_line()), case_line("naive.cuda"))
    assert len(found) == 1
    assert "h200: measured with local changes, nothing else is there" in records.notes


def test_another_clock_never_counts(tmp_path):
    """Not where a case has no other records, nor a newer one of a checkout to come; which is said."""
    lines = (run_line(started=LATE, timing_version=None), case_line("naive.cuda"),
             case_line("fast_math.cuda", case=case_text(nx=64)), transform_line("bluestein_fused.cuda", 1e-3),
             run_line("r2", started=EARLY), case_line("tiled.cuda", run="r2"),
             run_line("r3", started=LATE, timing_version=CLOCK + 1), case_line("tiled.cuda", 9e12, run="r3"))
    records, found = counted(tmp_path, *lines)
    assert [id_ for id_, _ in found] == ["tiled.cuda"] and records.every[0].run.id == "r2"
    assert records.notes == [f"4 records left out: of another clock than this checkout's timing version {CLOCK}"]


def test_where_nothing_is_of_this_clock_nothing_counts(tmp_path, capsys):
    path = write(tmp_path / "a.jsonl", run_line(backends=("cpu", "cuda"), timing_version=1), case_line("naive.cuda"),
                 run_line("r2", backends=("cpu", "cuda")), case_line("naive.cpu", run="r2"))
    records = current.load([path])
    assert [r.id for r in records.every] == ["naive.cpu"]
    assert "h200: nothing was measured by this clock" in records.notes
    assert main(["report", str(path), "-o", str(tmp_path / "out")]) == 0
    assert "h200: nothing was measured by this clock" in capsys.readouterr().err
    assert main(["report", "--every", str(path), "-o", str(tmp_path / "out")]) == 0
    shown, said = capsys.readouterr()
    assert "2 records, 2 passed" in shown and "every record counts here" in said
    assert "every record counts here" in (tmp_path / "out/report.html").read_text()


def test_other_software_is_held_to_it_too(tmp_path):
    """Its lines were shown whatever clock had taken them."""
    lines = (run_line(timing_version=1), peer_line(version="2.9"), run_line("r2"), case_line("naive.cuda", run="r2"),
             peer_line(run="r2", version="3.0"), dirty(run_line("r3")), peer_line(run="r3", version="3.1"))
    write(tmp_path / "results/h200/a.jsonl", *lines)
    assert [p.variant_name for p in current.load([tmp_path]).peers] == ["torch 3.0"]
    text = filled(tmp_path)
    assert "torch 3.0" in text and "torch 2.9" not in text and "torch 3.1" not in text


def test_the_map_and_the_model_read_the_filter(tmp_path, capsys):
    cost = {name: 1e6 for name in ("fma", "add", "special", "tensor", "integer", "issue_slots", "dram_bytes",
                                   "l2_bytes", "shared_bytes", "launches")}
    old = [case_line("naive.cpu", 1e12 + n, case=case_text(nx=16 * n), cost=cost, run="r1") for n in range(1, 15)]
    case = case_text(nx=64)
    tiled = next(id_ for id_ in model.declared([case], "cpu:units=2")[case] if id_.startswith("tiled.cpu"))
    new = [case_line(tiled, 1e12 + n, case=case_text(nx=16 * n), cost=cost, run="r2") for n in range(1, 15)]
    path = write(tmp_path / "a.jsonl", run_line(backends=("cpu",), timing_version=1), *old,
                 run_line("r2", backends=("cpu",)), *new)
    assert main(["model", str(path), "--backend", "cpu"]) == 0
    shown, said = capsys.readouterr()
    assert "tiled" in shown and "naive" not in shown and "14 records left out: of another clock" in said
    assert main(["model", "--every", str(path), "--backend", "cpu"]) == 0
    assert "naive" in capsys.readouterr().out


def test_goals_are_judged_by_this_clock_alone(tmp_path, capsys):
    """What only an older one has measured is unmeasured, and that is no success."""
    small = case_text(nx=64)
    path = write(tmp_path / "a.jsonl", run_line(timing_version=1) | {"suite": "nufft"},
                 case_line("naive.cuda", 9e12, case=small), case_line("naive.cuda", 1e9),
                 run2_line("r2", started=LATE), case_line("naive.cuda", 1e12, run="r2"))
    file = tmp_path / "goals.def"
    goal = "{} | naive[.]cuda | coil_pairs_per_s >= 1e11 | batch\n"
    asked = ["report", "--goals", str(path), "--goals-file", str(file)]
    file.write_text(goal.format(case_text()))
    assert main(asked) == 0
    file.write_text(goal.format(case_text()) + goal.format(small))
    assert main(asked) == 1
    said = capsys.readouterr()
    assert "2 goals: 1 met, 0 missed, 1 unmeasured" in said.out
    assert "2 records left out: of another clock than this" in said.err
    assert "nothing is left of the suites nufft: goals" in said.err


def test_the_newest_build_of_each_variant_counts(tmp_path):
    other = case_text(nx=128)
    lines = (run_line(started=EARLY), case_line("naive.cuda", build_id="b1"),
             case_line("naive.cuda", build_id="b1", case=other), case_line("tiled.cuda", build_id="c1"),
             run_line("r2", started=LATE), case_line("naive.cuda", run="r2", build_id="b2"))
    records, found = counted(tmp_path, *lines)
    assert found == [("tiled.cuda", "c1"), ("naive.cuda", "b2")]
    assert "2 records left out: of older builds of their variants" in records.notes


def test_another_build_of_a_peers_library_is_another_build(tmp_path):
    old, new = ({"who": "they", "version": version, "built": "native: so"} for version in "12")
    lines = (run2_line(started=EARLY), case_line("rival.cuda", peer=old),
             case_line("rival.cuda", peer=old, case=case_text(nx=128)),
             run2_line("r2", started=LATE), case_line("rival.cuda", run="r2", peer=new))
    records, _ = counted(tmp_path, *lines)
    assert [r.peer["version"] for r in records.every] == ["2"]


def test_where_a_peer_was_not_built_later_its_builds_count(tmp_path):
    peer = {"who": "cuFINUFFT", "version": "2.5.1", "built": "native: nvcc 13.0"}
    old = write(tmp_path / "a.jsonl", run2_line("r1"), case_line("cufinufft.cuda", peer=peer))
    new = write(tmp_path / "b.jsonl", run2_line("r2", started="20261203T120000Z"),
                case_line("cufinufft.cuda", verdict="not_built", mode=None, median_s=None,
                          peer=peer | {"built": None}) | {"run": "r2", "key": "k2"})
    assert "pass" in [r.verdict for r in current.load([old, new]).cases]
    assert [r.verdict for r in current.load([new]).cases] == ["not_built"]


def test_steady_comes_before_burst_where_a_case_has_both(tmp_path):
    """However old: and then of every variant, since a burst is no rival of what lasts."""
    other = case_text(nx=128)
    lines = (run2_line(started=EARLY), case_line("naive.cuda", .9e12, regime="steady", processes=3),
             run2_line("r2", started=LATE), case_line("naive.cuda", 1e12, run="r2", regime="burst"),
             case_line("tiled.cuda", 2e12, run="r2", regime="burst"),
             case_line("tiled.cuda", 2e12, run="r2", regime="burst", case=other))
    records, _ = counted(tmp_path, *lines)
    assert [(r.id, r.regime, r.case.n[0]) for r in records.every] == [
        ("naive.cuda", "steady", 256), ("tiled.cuda", "burst", 128)]
    assert "2 records left out: bursts, of what was measured steadily" in records.notes
    assert [r.mode_shown for r in records.every] == ["batch", "batch, burst"]


def waiting(samples, *host_bound):
    return {"verdict": "pass", "median_s": 1e-3, "samples_s": [1e-3] * samples, "host_bound": host_bound}


@pytest.mark.parametrize("doubt, why", [
    ({"two_modes": True}, "of two modes"), ({"state": {"away_s": 2e-3}}, "worked for another program"),
    (waiting(3, 0, 2), "waited for the host"),
    ({"samples_s": [], "by_process": [waiting(2), waiting(4, 0, 1, 2, 3)]}, "waited for the host")])
def test_times_in_doubt_never_rank_and_are_said(tmp_path, doubt, why):
    records, found = counted(tmp_path, run2_line(), case_line("naive.cuda", 9e12, **doubt),
                             case_line("tiled.cuda", 1e12, **waiting(4, 0, 1)))
    assert len(found) == 2 and [r.id for r in records.ranked] == ["tiled.cuda"]
    assert any("1 records do not rank" in note and why in note for note in records.notes)


def test_a_gpu_has_no_older_clock_than_its_second(tmp_path):
    """On a processor, what a variant says of its cost was timed with it."""
    lines = (run2_line("r1", 2, backends=("cpu", "cuda")), case_line("naive.cuda"), case_line("naive.cpu"),
             run2_line("r2", 3, backends=("cpu", "cuda"), started=LATE), case_line("tiled.cuda", run="r2"),
             case_line("tiled.cpu", run="r2"))
    _, found = counted(tmp_path, *lines)
    assert sorted(id_ for id_, _ in found) == ["naive.cuda", "tiled.cpu", "tiled.cuda"]


def test_builds_are_a_devices_own(tmp_path):
    """What another device was measured with later replaces nothing."""
    other = run_line("r2", started=LATE)
    other["devices"] = {"cuda": other["devices"]["cuda"] | {"slug": "h100"}}
    lines = (run_line(started=EARLY), case_line("naive.cuda", build_id="b1"), other,
             case_line("naive.cuda", run="r2", build_id="b2"))
    assert sorted(build for _, build in counted(tmp_path, *lines)[1]) == ["b1", "b2"]


def test_what_failed_replaces_what_passed_in_any_regime(tmp_path):
    lines = (run2_line(started=EARLY), case_line("naive.cuda", 1e12, regime="steady"),
             run2_line("r2", started=LATE), case_line("naive.cuda", run="r2", verdict="wrong"))
    assert [r.verdict for r in load.load([write(tmp_path / "a.jsonl", *lines)]).every] == ["wrong"]


def test_samples_of_processes_are_one_after_the_other(tmp_path):
    line = case_line("naive.cuda") | processes((1e-3, 2e-3), (3e-3,))
    line["by_process"][0]["throttled"], line["by_process"][1]["throttled"] = [1], [0]
    line["by_process"][1]["clocks_mhz"] = []
    (record,) = load.load([write(tmp_path / "a.jsonl", run2_line(), line)]).every
    assert record.samples == {0: 1e-3, 1: 2e-3, 2: 3e-3}
    assert record.throttled == [1, 2] and record.clocks_mhz == [1980.0, 1980.0, None]
    assert record.processes == 2


@pytest.mark.parametrize("wrong", [[1], "x", [{"verdict": 1}], [{"samples_s": ["x"]}]])
def test_damaged_processes_are_refused(tmp_path, wrong):
    line = case_line("naive.cuda") | {"by_process": wrong}
    with pytest.raises(RecordsError, match="by_process|verdict|samples_s"):
        load.load([write(tmp_path / "a.jsonl", run2_line(), line)])


MIXED = (dirty(run_line(started=LATE)), case_line("naive.cuda", 9e12, build_id="b2"),
         run_line("r2", started=EARLY), case_line("naive.cuda", .4e12, run="r2", build_id="b1"))


def test_goals_read_the_filter(tmp_path, capsys):
    write(tmp_path / "h200/a.jsonl", *MIXED)
    file = write(tmp_path / "goals.def", GOAL.format("forward"))
    assert main(["report", "--goals", str(tmp_path / "h200"), "--goals-file", str(file)]) == 1
    shown, said = capsys.readouterr()
    assert "400e9" in shown and "1 records left out: of trees with local changes" in said


def test_the_report_reads_the_filter(tmp_path, capsys):
    path = write(tmp_path / "h200/a.jsonl", *MIXED)
    assert main(["report", str(path), "-o", str(tmp_path / "out")]) == 0
    said = capsys.readouterr().out
    assert "400e9" in said and "9.00e12" not in said
    page = (tmp_path / "out/report.html").read_text()
    assert "400e9" in page and "9.00e12" not in page
    assert "of trees with local changes" in page and "batch, burst" in page


def test_the_readme_reads_the_filter(tmp_path):
    write(tmp_path / "results/h200/a.jsonl", *MIXED)
    text = filled(tmp_path)
    assert "400e9" in text and "9.00e12" not in text
    assert "left out: of trees with local changes" in text and "Rates are of bursts" in text


def test_the_readme_shows_no_burst_beside_what_lasts(tmp_path):
    other = case_text("adjoint")
    write(tmp_path / "results/h200/a.jsonl", run2_line(),
          case_line("naive.cuda", .4e12, regime="steady", processes=3),
          case_line("naive.cuda", 9e12, regime="burst", case=other))
    text = filled(tmp_path, "{forward,adjoint}")
    assert "400e9 ±1.2 %" in text and "9.00e12" not in text and "burst" not in text


def test_each_problem_has_a_mode_of_its_own(tmp_path):
    """One that is measured in batches elsewhere takes nothing from those that were in graphs."""
    lasting = {"regime": "steady", "processes": 3}
    write(tmp_path / "results/h200/a.jsonl", run2_line(), case_line("naive.cuda", .4e12, mode="graph", **lasting),
          case_line("naive.cuda", 3e12, case=case_text(nx=64), **lasting))
    goals = write(tmp_path / "goals.def", GOAL.format("forward"),
                  GOAL.format("forward").replace("256x256 m=65536", "64x64 m=4096"))
    text = readme.fill("<!-- results:begin h200 -->\n<!-- results:end -->", tmp_path / "results", goals)
    assert "400e9" in text and "3.00e12" in text


def test_peers_are_never_picked(tmp_path):
    peer = {"who": "the others", "version": "1", "built": "native, as they do"}
    path = write(tmp_path / "a.jsonl", run2_line(), case_line("rival.cuda", 9e12, peer=peer),
                 case_line("naive.cuda", 1e12))
    shown = winners.text_of(current.load([path]).every)
    assert "naive.cuda" in shown and "rival.cuda" not in shown


def test_the_committed_records_count():
    """Not those of the first clock, nor of older builds: and yet no page is empty."""
    for slug in ("h200", "epyc-2c-avx512"):
        assert len(current.load([ROOT / "results" / slug]).ranked) > 300


def test_a_goal_on_a_burst_stands_beside_another_variants_steady_record(tmp_path):
    path = write(tmp_path / "a.jsonl", run2_line(),
                 case_line("fast_math.cuda", 2e12, regime="burst", processes=1),
                 case_line("tiled.cuda", regime="steady", processes=3))
    kept = load.load([path], current.keep_for_goals).every
    assert sorted(r.id for r in kept) == ["fast_math.cuda", "tiled.cuda"]
    assert [r.id for r in current.load([path]).every] == ["tiled.cuda"]
