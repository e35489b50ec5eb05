# SPDX-License-Identifier: Apache-2.0
"""report --history: planted changes from build to build, what is no change, and what is never joined."""

import csv
import re

import pytest

from synthetic import CLOCK, case_line, case_text, processes, run2_line, write

from analysis import history
from analysis.__main__ import main
from analysis.records import load

QUIET = [1.0, 1.001, 1.002, 1.0005, 1.0015, 1.001, 1.0, 1.002]


def timed(factor, build, variant="tiled.cuda", nx=256, seconds=1.0, **fields):
    """In three processes that differ by 0.1 %."""
    at = [[seconds * factor * shift * s for s in QUIET] for shift in (1, 1.001, .999)]
    rate = float(nx) ** 4 / (seconds * factor)
    return case_line(variant, rate, case=case_text(nx=nx), build_id=build, **processes(*at), **fields)


def run(tmp_path, day, *lines, **header):
    """A file with a run of its own, of that day and the commit cDAY."""
    name = f"r{day}"
    first = run2_line(name, started=f"202611{day:02}T010000Z", **header)
    first["build"] = first["build"] | {"commit": f"c{day:07}"}
    return write(tmp_path / "in" / f"{name}.jsonl", first, *(line | {"run": name} for line in lines))


def charts(tmp_path, gate=.02):
    records = load.everything([tmp_path / "in"])
    return history.of(records, gate), records.notes


def marks(tmp_path):
    found, _ = charts(tmp_path)
    return [(mark.after.id, mark.verdict, mark.builds) for mark in history.marks_of(found)]


def test_a_planted_change_is_marked_at_its_build_alone(tmp_path):
    for day, factor in ((1, 1), (2, 1.001), (3, 1.1), (4, 1.101)):
        run(tmp_path, day, timed(factor, f"b{day}"))
    assert marks(tmp_path) == [("tiled.cuda", "slower", "c0000002 2026-11-02 -> c0000003 2026-11-03")]
    (chart,), _ = charts(tmp_path)
    assert chart.marks[0].ratio.value == pytest.approx(1.1 / 1.001, rel=1e-3)
    assert [step.verdict for step in chart.lines[0].steps] == ["same", "slower", "same"]


def test_what_was_taken_back_is_marked_twice(tmp_path):
    for day, factor, build in ((1, 1, "a"), (2, .8, "b"), (3, 1, "a")):
        run(tmp_path, day, timed(factor, build))
    assert sorted(verdict for _, verdict, _ in marks(tmp_path)) == ["faster", "slower"]


def test_runs_of_one_build_are_no_builds_and_widen_what_is_no_change(tmp_path):
    for day, factor in ((1, 1), (2, 1.08), (3, .97)):
        run(tmp_path, day, timed(factor, "b1"))
    run(tmp_path, 4, timed(1.09, "b2"))
    (chart,), _ = charts(tmp_path)
    assert [len(record.earlier) for record in chart.lines[0].records] == [2, 0] and not chart.marks
    assert chart.lines[0].records[0].run.started == "20261103T010000Z"


def test_two_clocks_are_lines_of_their_own(tmp_path):
    for day, factor, clock in ((1, 1, 1), (2, 1, 1), (3, 1.5, CLOCK), (4, 1.5, CLOCK)):
        run(tmp_path, day, timed(factor, f"b{day}"), timing_version=clock)
    (chart,), notes = charts(tmp_path)
    assert [[r.clock for r in line.records] for line in chart.lines] == [[1, 1], [CLOCK, CLOCK]] and not chart.marks
    assert "1 measurements have records of two clocks or more: a line for each, never joined" in notes


def test_what_has_one_build_by_its_clock_is_left_out_and_said(tmp_path):
    run(tmp_path, 1, timed(1, "b1"), timed(1, "x", "naive.cuda"), timing_version=1)
    run(tmp_path, 2, timed(1, "b2"), timed(1, "y", "naive.cuda"), timed(1, "z", "new.cuda"))
    run(tmp_path, 3, timed(1, "b3"))
    (chart,), notes = charts(tmp_path)
    assert [line.last.id for line in chart.lines] == ["tiled.cuda"] and len(chart.lines[0].records) == 2
    assert "4 measurements left out: of one build by their clock" in notes


def test_devices_modes_and_peers_are_apart(tmp_path):
    for day in (1, 2):
        run(tmp_path, day, timed(1, f"b{day}"), timed(1, f"b{day}", mode="graph"), timed(1, f"b{day}", "tiled.cpu"),
            timed(1, "same", "vkfft.cuda", peer={"who": "VkFFT", "version": str(day), "built": "native"}),
            backends=("cpu", "cuda"))
    found, _ = charts(tmp_path)
    assert len(found) == 3 and sorted(len(chart.lines) for chart in found) == [1, 1, 2]


def test_times_in_doubt_are_left_out_and_said(tmp_path):
    for day in (1, 2, 3):
        run(tmp_path, day, timed(1, f"b{day}", two_modes=day == 2))
    (chart,), notes = charts(tmp_path)
    assert len(chart.lines[0].records) == 2 and "1 records left out: their times are in doubt" in notes


@pytest.fixture
def page(tmp_path, capsys):
    for day, factor in ((1, 1), (2, .7), (3, .69)):
        run(tmp_path, day, timed(1, f"b{day}", nx=64), timed(factor, f"b{day}", nx=256),
            timed(1 + (day > 2) * .1, f"b{day}", nx=128))
    assert main(["report", "--history", str(tmp_path / "in"), "--figures"]) == 0
    return tmp_path / "in" / "report", capsys.readouterr().out


def test_the_changed_are_first_on_page_and_terminal(page):
    folder, said = page
    text = (folder / "history.html").read_text()
    titles = re.findall(r'aria-label="Time over 3 builds of ([^"]*)"', text)
    assert ["n=256x256" in titles[0], "n=128x128" in titles[1], "n=64x64" in titles[2]] == [True] * 3
    assert "tiled.cuda faster, 0.7000 times the time" in titles[0] and titles[2].endswith(": no change.")
    assert "c0000001 2026-11-01 -&gt; c0000002 2026-11-02" in text
    assert text.index("n=64x64") > text.index('id="same"')
    assert said.index("faster  0.7000") < said.index("slower  1.1000")
    assert "3 problems with 3 measurements of two builds or more; from build to build 1 slower, 1 faster, 4 same" in said


def test_the_numbers_of_a_chart_name_builds_and_changes(page):
    rows = list(csv.DictReader((page[0] / "history-1.csv").open()))
    assert [row["change"] for row in rows] == ["", "faster", "same"]
    assert [row["build"] for row in rows] == [f"c000000{day} 2026-11-0{day}" for day in (1, 2, 3)]
    assert float(rows[1]["ratio"]) == pytest.approx(.7) and rows[1]["again"].startswith("./ndft bench '")


@pytest.mark.parametrize("gate, status, said", [("40%", 0, "6 same"), ("2", 2, "'2' is no gate"), ("nan%", 2, "'nan%'")])
def test_the_gate_is_that_of_compare(tmp_path, capsys, gate, status, said):
    for day, factor in ((1, 1), (2, 1.3), (3, 1)):
        run(tmp_path, day, *(timed(factor, f"b{day}", nx=nx) for nx in (64, 128, 256)))
    assert main(["report", "--history", str(tmp_path / "in"), "--gate", gate]) == status
    shown = capsys.readouterr()
    assert said in shown.out + shown.err


def test_without_two_builds_there_is_no_history(tmp_path, capsys):
    path = run(tmp_path, 1, timed(1, "b1"))
    assert main(["report", "--history", str(path)]) == 2
    assert "nothing was measured with two builds" in capsys.readouterr().err
    assert not (tmp_path / "in" / "report").exists()
