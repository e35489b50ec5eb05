# SPDX-License-Identifier: Apache-2.0
"""The study of tiles: its suite varies every knob, its picks follow the rule, its maps say what limits a tile."""

import re

import pytest

from program import ROOT, ndft
from synthetic import case_line, case_text, counter_line, loaded, run_line, transform_line, write

from analysis import program
from analysis.plots import plot_tiles
from analysis.plots.drawing import Drawing
from studies.__main__ import main
from studies.page import passing
from studies.tiles import page, picks

# What the study is about, at the least.
NAMED = {"tile", "outputs", "most", "length", "height", "np", "barrier", "window", "weights", "field"}
TILED = "tiled.cuda:tile={},outputs={},threads=1024,sincos=auto"
LIMITS = {"registers": 72, "shared_bytes": 12288, "local_bytes": 800, "occupancy": .5, "least": "registers",
          "stall": "barrier", "stall_share": .3}


@pytest.fixture(autouse=True)
def presets(monkeypatch):
    """Those of tiled.cuda, whatever is built here."""
    known = {"tiled.cuda": {"tile": 256, "outputs": 0, "threads": 1024, "sincos": "auto"}}
    monkeypatch.setattr(picks, "presets", lambda: known)
    monkeypatch.setattr(program, "_presets", lambda _: {
        name: {f"{knob}={value}" for knob, value in knobs.items()} for name, knobs in known.items()})


def tiled(tile, outputs, rate, nx=64, **more):
    return case_line(TILED.format(tile, outputs), rate, 1e-4, case=case_text(nx=nx), **more)


def planned(backend):
    """By NAME.BACKEND and knob the values that the suite plans."""
    said = ndft("sweep", "--plan", "studies/tiles/tiles.ndft", "--backend", backend, cwd=ROOT).stdout
    found = {}
    for name, knobs in re.findall(r"^    (\S+?):(\S+)$", said, re.M):
        for knob, value in (pair.split("=") for pair in knobs.split(",")):
            found.setdefault((name, knob), set()).add(value)
    return found


def ours():
    """Variants of one scheme, that are built; nufft's are swept by the names of their schemes."""
    return [v for v in program.variants()["variants"]
            if v["built"] and not (v["ablates"] or v["peer"] or v["name"] == "nufft")]


@pytest.mark.parametrize("backend", ["cpu", "cuda"])
def test_the_suite_varies_every_knob_over_all_its_values(backend):
    """Those that a search tries, and the preset."""
    assert NAMED <= set(picks.KNOBS)
    expected = {(f"{v['name']}.{backend}", knob["name"]): {*map(str, knob["candidates"]), str(knob["default"])}
                for v in ours() if v["backend"] == backend for knob in v["knobs"] if knob["name"] in picks.KNOBS}
    found = planned(backend) if expected else {}
    assert {place: found.get(place) for place in expected} == expected


def test_the_pick_loses_least_over_all_cases(tmp_path):
    """64 is twice as fast at one size and 256 a bit faster at the other."""
    records = loaded(tmp_path, tiled(64, 0, 2e12), tiled(256, 0, 1e12), tiled(64, 0, 1.8e12, 128),
                     tiled(256, 0, 2e12, 128), tiled(32, 0, 9e12)).cases
    (pick,) = picks.picks(records)
    assert (pick.map.knob, pick.best, pick.map.preset) == ("tile", 64, 256), "32 was not tried at both sizes"
    assert pick.losses[64] == pytest.approx((9 / 2 * 2 / 1.8) ** .5)
    assert pick.gain == pytest.approx((2 * .9) ** .5 - 1)
    assert pick.worst[0] == pytest.approx(8) and pick.worst[1].n == (64, 64)
    assert page.verdict(pick) == "**`tile=64`** is 34.2 % faster"


@pytest.mark.parametrize("rate, width, said", [
    (1.01e12, 1e-4, "stands"), (1.03e12, 1e-4, "**`tile=64`** is 3.0 % faster"), (1.03e12, .05, "stands"),
    (.5e12, 1e-4, "stands")])
def test_a_preset_stands_within_two_percent_or_the_noise(tmp_path, rate, width, said):
    (pick,) = picks.picks(loaded(tmp_path, case_line(TILED.format(64, 0), rate, width),
                                 case_line(TILED.format(256, 0), 1e12, width)).cases)
    assert page.verdict(pick) == said


def test_a_knob_is_compared_with_the_others_at_their_presets(tmp_path):
    records = loaded(tmp_path, tiled(256, 0, 1e12), tiled(64, 0, 1.1e12), tiled(64, 8, 9e12)).cases
    (pick,) = picks.picks(records)
    assert pick.map.cells[64, records[0].case].coil_pairs_per_s == 1.1e12
    (grid,) = picks.grids(records)
    (axes,) = plot_tiles.sheet_of([grid], "t", "tiled").figure.axes
    assert [label.get_text() for label in axes.get_xticklabels()] == ["outputs=0", "outputs=8"], "both vary together"
    assert axes.get_xlabel() == records[0].case.label and grid.cells[64, 8].coil_pairs_per_s == 9e12
    (cost,) = picks.productions(records)
    assert cost.mean == pytest.approx(8) and cost.worst[1].id == TILED.format(64, 8)


def test_one_knob_after_the_other_is_no_grid(tmp_path):
    records = loaded(tmp_path, tiled(256, 0, 1e12), tiled(64, 0, 1.1e12), tiled(256, 8, 9e12)).cases
    assert [p.map.knob for p in picks.picks(records)] == ["tile", "outputs"] and picks.grids(records) == []


def test_a_preset_that_was_not_tried_is_said(tmp_path):
    (pick,) = picks.picks(loaded(tmp_path, tiled(64, 0, 1e12), tiled(32, 0, 2e12)).cases)
    assert pick.best == 32 and page.verdict(pick) == "the preset was not tried"


def profiled(tile, outputs, **more):
    kernels = [{"name": "short", "time_s": 1e-6, "shares": {}, "limits": {"registers": 8}},
               {"name": "sum", "time_s": 1e-4, "shares": {"warps": .47}, "limits": LIMITS}]
    return counter_line(TILED.format(tile, outputs), case=case_text(nx=64), kernels=kernels, **more)


def texts(drawing):
    return [text.get_text() for axes in drawing.figure.axes for text in axes.texts]


def test_a_cell_says_what_limits_its_longest_kernel(tmp_path):
    records = loaded(tmp_path, tiled(256, 0, 1e12), tiled(64, 0, 2e12), profiled(64, 0)).cases
    drawing = plot_tiles.sheet_of([p.map for p in picks.picks(records)], "t", "tiled")
    assert texts(drawing).count("72 reg 12 K spills\n47/50 %\nbarrier") == 1
    (axes,) = drawing.figure.axes
    assert [label.get_text() for label in axes.get_yticklabels()] == ["64", "preset 256"]
    row = next(line for line in page.limited(records, tmp_path).splitlines() if "`sum`" in line)
    assert row.startswith("| `tiled.cuda:tile=64` |") and "| 47 % of 50 % | registers | barrier 30 % |" in row


def test_counters_of_another_device_or_case_are_not_shown(tmp_path):
    other = profiled(256, 0) | {"case": case_text(nx=128)}
    records = loaded(tmp_path, tiled(256, 0, 1e12), tiled(64, 0, 2e12), other).cases
    assert [r.counter for r in records] == [None, None] and page.limited(records, tmp_path) == ""


def test_the_newest_counters_count(tmp_path):
    old = profiled(64, 0, run="r0") | {"kernels": []}
    records = loaded(tmp_path, tiled(64, 0, 2e12), profiled(64, 0), run_line("r0", started="20201121T010000Z"), old)
    assert len(records.cases[0].counter.kernels) == 2


def test_columns_say_what_tells_them_apart(tmp_path):
    lines = [case_line(TILED.format(tile, 0), case=case_text(op, 64, coils=coils))
             for op in ("adjoint", "forward") for coils in (1, 8) for tile in (64, 256)]
    drawing = plot_tiles.sheet_of([p.map for p in picks.picks(loaded(tmp_path, *lines).cases)], "t", "tiled")
    (axes,) = drawing.figure.axes
    assert [label.get_text() for label in axes.get_xticklabels()] == [
        "64²\nforward\n1 coil", "64²\nadjoint\n1 coil", "64²\nforward\n8 coils", "64²\nadjoint\n8 coils"]


def test_the_page_has_picks_costs_limits_and_pictures(tmp_path, capsys):
    lines = [tiled(tile, outputs, 1e12 + tile * outputs * 1e9, nx) for tile in (64, 256) for outputs in (0, 8)
             for nx in (64, 128)]
    file = write(tmp_path / "a.jsonl", run_line(backends=("cpu", "cuda")), *lines, profiled(64, 0),
                 transform_line("uniform_tiled.cuda:tile=16", 1e-3))
    assert main(["tiles", str(file), "-o", str(tmp_path / "out")]) == 0
    assert "the page of 9 measurements" in capsys.readouterr().err, "uniform transforms count, too"
    text = (tmp_path / "out/README.md").read_text()
    assert "**h200**: 1 of 2 presets stand." in text
    assert re.search(r"[|] `outputs` [|] 0 [|] 8 [|] 2 [|] 3[.]05x, forward .*`outputs=8`[*]{2} is 3[.]05x faster [|]", text)
    assert "tiled.cuda, h200, coil_pairs/s. Best: tile 64; outputs 8.](h200-tiled.cuda.png)" in text
    assert (tmp_path / "out/h200-tiled.cuda.png").read_bytes().startswith(b"\x89PNG")
    assert "Not measured" not in text


def test_the_page_here_is_what_its_records_say(tmp_path, monkeypatch):
    """Where there are none yet, it says so in every block. Of its pictures the names: others are rendered above."""
    monkeypatch.undo()
    monkeypatch.setattr(Drawing, "__post_init__", lambda drawing: None)
    monkeypatch.setattr(Drawing, "write_png", lambda drawing, folder, **_: (folder / f"{drawing.name}.png").touch())
    records = passing([page.PAGE.records()]) if page.PAGE.records().is_dir() else []
    if records and program.lacks():
        pytest.skip("not every variant was built")
    assert page.PAGE.text(records, tmp_path) == (page.PAGE.folder / "README.md").read_text()
    assert {p.name for p in tmp_path.glob("*.png")} == {p.name for p in page.PAGE.folder.glob("*.png")}
