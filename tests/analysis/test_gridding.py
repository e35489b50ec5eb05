# SPDX-License-Identifier: Apache-2.0
"""Gridding beside what was printed in 2008: the right number in the right place, and the phantom."""

import re

import numpy as np
import pytest

from program import PROGRAM
from synthetic import case_line, case_text, run_line, write

from analysis import program
from analysis.records import load
from analysis.peers import exported
from studies.__main__ import main
from studies.gridding_2008 import phantom, tables

KNOBS = "sigma=200,window={},weights={},width=4,field=svd"


def line(window, weights, seconds, variant="nufft_hybrid.cuda", knobs=KNOBS, **fields):
    case = case_text("adjoint", 256, field="none", traj="radial:256", tol="5e-2")
    rate = 65536 ** 2 / seconds
    return case_line(f"{variant}:{knobs.format(window, weights)}", rate, case=case, **fields)


def stages(convolution, **more):
    return {"mode": "stages", "phases_s": {"deapodisation": 3e-6, "fft": 4e-6,
                                           "convolution": convolution} | more}


def on_line(window, seconds, **fields):
    return line(window, "polynomial", seconds, knobs=KNOBS + ",trajectory=online", **fields)


def measured(tmp_path):
    run = run_line() | {"suite": "seed002"}
    write(tmp_path / "a.jsonl", run, line("gaussian", "polynomial", 21e-6),
          line("kb", "table", 22e-6), line("kb", "polynomial", 23e-6),
          line("gaussian", "polynomial", 1, **stages(11e-6)),
          line("kb", "table", 1, **stages(12e-6)), line("kb", "polynomial", 1, **stages(13e-6)),
          line("kb", "polynomial", 9e-6, "nufft_scatter.cuda"),
          on_line("kb", 8e-6), on_line("kb", 1, **stages(5e-6)),
          on_line("gaussian", 1, **stages(6e-6)),
          line("gaussian", "polynomial", 1, knobs=KNOBS.replace("200", "125"), **stages(8e-6)))
    return load.load([tmp_path])


def test_times_stand_under_those_printed(tmp_path):
    size, narrow = tables.tables(measured(tmp_path).cases)
    assert size.title.startswith("adjoint, radial, 256²")
    by_who = {row[0]: row[1:] for row in size.rows}
    assert by_who["2007, FireStream 2U"] == ["4.30 ms", "5.60 ms", "5.40 ms", "12.0 ms", "570 µs",
                                             "18.0 ms", "19.0 ms", "19.0 ms"]
    assert by_who["2007, NFFT 3.0 on a Xeon"][:4] == ["-", "190 ms", "-", "18.0 ms"]
    assert by_who["2007, FireStream 2U, trajectory on line"][:3] == ["4.00 ms", "-", "5.90 ms"]
    assert by_who["nufft_hybrid.cuda, h200"] == ["11.0 µs", "12.0 µs", "13.0 µs", "4.00 µs",
                                                 "3.00 µs", "21.0 µs", "22.0 µs", "23.0 µs"]
    assert by_who["nufft_hybrid.cuda, h200, trajectory on line"] == [
        "6.00 µs", "-", "5.00 µs", "4.00 µs", "3.00 µs", "-", "-", "8.00 µs"]
    assert by_who["nufft_scatter.cuda, h200"] == [*7 * ["-"], "9.00 µs"]
    assert list(by_who)[3].startswith("nufft_hybrid"), "the scheme of the paper first"
    assert "oversampling 1.25; printed is oversampling 1," in narrow.title
    assert narrow.rows[1][1:] == ["2.90 ms", "3.90 ms", "6.80 ms"]
    assert narrow.rows[2][1:] == ["8.00 µs", "4.00 µs", "12.0 µs"]


def test_the_tables_as_markdown(tmp_path, capsys):
    measured(tmp_path)
    assert main(["gridding_2008", "tables", str(tmp_path)]) == 0
    assert "| nufft_hybrid.cuda, h200 | 11.0 µs | 12.0 µs |" in capsys.readouterr().out
    write(tmp_path / "other/a.jsonl", run_line(), case_line())
    assert main(["gridding_2008", "tables", str(tmp_path / "other")]) == 2
    assert "no records of the suite seed002" in capsys.readouterr().err


def test_the_sums_printed_are_about_those_of_the_stages():
    """A slip in typing the tables would show: totals are the stages and some overhead."""
    for place, printed in tables.PRINTED.items():
        for who, (g, l, kb, fft, deapodisation, *totals) in printed.items():
            for convolution, total in zip((g, l, kb), totals):
                if convolution:
                    parts = convolution + fft + deapodisation
                    assert .93 * parts < total < 1.35 * parts, (place, who)


def test_what_there_is_no_study_or_command_of_has_a_neighbour(capsys):
    assert main(["griding_2008"]) == 2 and "nearest: gridding_2008" in capsys.readouterr().err
    assert main(["gridding_2008", "table"]) == 2 and "nearest: tables" in capsys.readouterr().err
    assert main(["--help"]) == 0 and "gridding_2008 tables" in capsys.readouterr().out


@pytest.mark.parametrize("trajectory", ["radial:64", "spiral:8"])
def test_a_density_compensated_phantom_looks_like_one(tmp_path, monkeypatch, trajectory):
    monkeypatch.setenv("NDFT_PROGRAM", PROGRAM)
    scan = phantom.scan(trajectory, 64, tmp_path / "scan")
    disk = np.hypot(*np.meshgrid(*2 * [np.arange(-32, 32)])) < 32
    raster = np.abs(exported.read(tmp_path / "scan/plain").image[0, 0])[disk]
    assert np.corrcoef(np.abs(scan.truth)[disk], raster)[0, 1] > .9


def test_density_is_the_area_of_a_sample():
    angle = np.pi * np.arange(20)[:, None] / 20
    along = np.arange(-32, 32)
    radial = phantom.density(np.stack([along * np.cos(angle), along * np.sin(angle)], 2)
                             .reshape(-1, 2), 20).reshape(20, 64)
    assert np.allclose(radial[:, [0, 16, 31, 32, 33]], [32, 16, 1, .25, 1])
    turn = 2 * np.pi * 16 * np.sqrt((np.arange(4000) + .5) / 4000)
    spiral = phantom.density(np.stack([turn * np.cos(turn), turn * np.sin(turn)], 1), 1)
    halves = spiral[:1000].sum(), spiral.sum()  # a quarter of the samples is half of the radius
    assert halves[1] / halves[0] == pytest.approx(4, rel=.02)


def test_the_whole_table_and_picture(tmp_path, monkeypatch):
    monkeypatch.setenv("NDFT_PROGRAM", PROGRAM)
    built = [f"{v['name']}.{v['backend']}" for v in program.variants()["variants"] if v["built"]]
    variant = next((v for v in built if re.fullmatch(r"nufft_(hybrid|scatter)[.]cpu", v)), None)
    if not variant:
        pytest.skip("neither nufft_hybrid nor nufft_scatter is built for the processor")
    rows = [line.split(" | ") for line in phantom.run(variant, 32, tmp_path).splitlines()[4:]]
    by_setting = {tuple(row[:3]): float(row[3]) for row in rows}
    assert by_setting["| 2", "6", "kb"] < 1e-4 < by_setting["| 2", "4", "gaussian"] < 3e-2
    assert (tmp_path / "phantom.png").read_bytes().startswith(b"\x89PNG")
