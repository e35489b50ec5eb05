# SPDX-License-Identifier: Apache-2.0
"""Groups of devices: what was wanted of them is judged, the model is that of docs/scaling.md, and the page shows both."""

import math

import pytest

from analysis import scaling
from analysis.__main__ import main
from analysis.records import load
from synthetic import case_text, run_line, write

CASE = case_text(nx=256)
LINK = scaling.Link(1e9, 1e-4)


def line(gpus, median_s, efficiency, plain=False, run="r", **fields):
    return {"type": "scaling", "run": run, "case": CASE, "backend": "cuda", "device": "h200", "variant": "tiled.cuda:tile=256",
            "gpus": gpus, "plain": plain, "arrays": "parts", "split": None if plain else "samples", "median_s": median_s,
            "efficiency": efficiency, "same_bits": None if plain else True, "moved_bytes": {"in": 0, "out": 0, "sum": 0},
            "samples_s": [median_s], **fields}


@pytest.fixture
def records(tmp_path):
    lines = [run_line("r", ("cuda",), "20261128T010000Z"), line(1, 2e-3, 1, True), line(2, 1.1e-3, 2 / 2.2),
             line(2, 1.25e-3, .8, arrays="whole")]
    write(tmp_path / "scaling.jsonl", *lines)
    return load.load([tmp_path])


def test_the_best_arrays_are_judged(records):
    case = records.scalings[0].case
    for wanted, state in ((.9, "met"), (.92, "missed")):
        (row,) = scaling.judge(records, [scaling.Wanted(case, "tiled[.]cuda", 2, wanted, "h200")])
        assert (row.state, row.found.arrays, row.plain.median_s) == (state, "parts", 2e-3)
    (other, row) = scaling.judge(records, [scaling.Wanted(case, "hybrid.*", 2, .9, "h200")])
    assert other.state == "unmeasured" and row.wanted is None and row.found.arrays == "parts"
    assert [r.state for r in scaling.judge(records, [scaling.Wanted(case, ".*", 2, .9, "h100")])] == ["-"]


def test_ranks_and_iterations_are_other_rows(tmp_path):
    """What was wanted of one is not met by another, and each stands beside the plain plan of its own run."""
    write(tmp_path / "s.jsonl", run_line("r", ("cuda",), "20261128T010000Z"), line(1, 2e-3, 1, True), line(2, 1.1e-3, .91),
          line(2, 1.2e-3, .83, ranks=True), run_line("cg", ("cuda",), "20261128T020000Z"),
          line(1, 20e-3, 1, True, "cg", iterations=10), line(2, 10.2e-3, .98, run="cg", iterations=10))
    held = load.load([tmp_path])
    case = held.scalings[0].case
    kinds = (False, 0), (True, 0), (False, 10), (True, 10)
    rows = scaling.judge(held, [scaling.Wanted(case, "tiled.*", 2, .9, "h200", *kind) for kind in kinds])
    assert [row.state for row in rows] == ["met", "missed", "met", "unmeasured"]
    assert [row.devices for row in rows] == ["2", "2 ranks", "2", "2 ranks"]
    assert rows[2].plain.median_s == 20e-3 and rows[2].label.endswith(", 10 iterations")
    assert all(row.wanted is None for row in scaling.judge(held, []))
    ten = line(2, 10.2e-3, .98, moved_bytes={"in": 0, "out": 0, "sum": 3e8}, link={"bytes_s": 3e11, "step_s": 1e-9})
    write(tmp_path / "s.jsonl", run_line("r", ("cuda",), "20261128T010000Z"), ten, dict(ten, iterations=10))
    once, often = load.load([tmp_path]).scalings
    assert math.isclose(scaling.predicted(often, 20e-3, 2), scaling.predicted(once, 2e-3, 2)), "an image is summed in each"


def test_the_model():
    """One millisecond of work on four devices, a megabyte to each of three, and two levels of sums of it."""
    moved = {"in": 1e6, "out": 0, "sum": 1e6}
    assert math.isclose(scaling.seconds(1e-3, 4, moved, LINK), .25e-3 + 3e-3 + 2 * 1.1e-3 + .1e-3)
    assert scaling.seconds(1e-3, 1, moved, LINK) == 1e-3


def test_measured_links_take_the_place_of_what_is_usual(records, tmp_path):
    group = records.scalings[1]
    assert not scaling.link(group).measured
    slow = line(2, 1.1e-3, 2 / 2.2, link={"bytes_s": 4e11, "step_s": 1e-3})
    write(tmp_path / "scaling.jsonl", run_line("r", ("cuda",), "20261128T010000Z"), line(1, 2e-3, 1, True), slow)
    told = load.load([tmp_path]).scalings[1]
    assert scaling.link(told) == scaling.Link(4e11, 1e-3, True)
    assert math.isclose(scaling.predicted(told, 2e-3, 2), .5) and scaling.predicted(group, 2e-3, 2) > .9


def test_a_page_of_groups_alone(records, tmp_path, capsys):
    assert main(["report", str(tmp_path), "--figures"]) == 0
    said = capsys.readouterr().out
    assert "90.9 %" in said and "missed" in said or "unmeasured" in said
    page = (tmp_path / "report" / "report.html").read_text()
    assert "Several devices" in page and "90.9 %" in page and "assumed" in page
    assert (tmp_path / "report" / "scaling-1.png").exists()


def test_an_interval_that_ends_at_its_median_is_drawn(tmp_path):
    """Of few samples; with this efficiency a quotient of equals was not 1."""
    write(tmp_path / "s.jsonl", run_line("r", ("cuda",), "20261128T010000Z"), line(1, 2.2e-3, 1, True),
          line(2, .11031431599997177, .9978020214534231, ci_lo_s=.11031431599997177, ci_hi_s=.11031431599997177))
    assert main(["report", str(tmp_path), "--figures"]) == 0


def test_goals_are_cases():
    wanted = scaling.read()
    assert len(wanted) == 15 and all(.9 <= w.efficiency < 1 and w.gpus == 2 for w in wanted)
    assert [(w.ranks, w.iterations) for w in wanted if w.iterations or w.ranks] == [
        (False, 10), (True, 0), (True, 0), (True, 10)]


def test_a_line_that_is_none(tmp_path):
    for gpus in ("two", "2 rank", "2 cg=", "2 cg=1 ranks"):
        (tmp_path / "wanted").write_text(f"forward 2d n=8x8 m=9 | .* | {gpus} | 96 | h200\n")
        with pytest.raises(Exception, match="is not CASE"):
            scaling.read(tmp_path / "wanted")
