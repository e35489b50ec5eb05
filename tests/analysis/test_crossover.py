# SPDX-License-Identifier: Apache-2.0
"""The map of exact sums and nonuniform FFTs: which problems share one, and who is faster where."""

import numpy as np
import pytest

from synthetic import case_line, case_text, run_line, write

from analysis import crossover
from analysis.plots import plot_crossover
from analysis.records import load
from analysis.report import report

EXACT, SLOW, NUFFT = "line_gemm.cuda:tile=256", "naive.cuda", "nufft_hybrid.cuda:sigma=200"


def lines(nx, t, exact, nufft, **keys):
    """The variants at a size and a readout, as many coil_pairs/s each; 0: it was not there."""
    text = case_text(nx=nx, t=t or "0", field="smooth:200Hz" if t else "none", **keys)
    rates = {EXACT: exact, SLOW: exact / 9, NUFFT: nufft}
    return [case_line(id_, rate, case=text) for id_, rate in rates.items() if rate]


@pytest.fixture
def records(tmp_path):
    write(tmp_path / "a.jsonl", run_line(),
          *lines(64, "30ms", 4e12, 1e12), *lines(64, "2ms", 4e12, 2e12), *lines(64, "", 1e12, 1e12),
          *lines(128, "30ms", 2e12, 1e12), *lines(128, "2ms", 1e12, 8e12),
          *lines(128, "", 1e12, 9e12), *lines(256, "30ms", 2e12, 0), *lines(256, "2ms", 1e12, 9e12),
          *lines(256, "30ms", 2e12, 7e12, coils=9), *lines(64, "9ms", 2e12, 0),
          *lines(32, "2ms", 2e12, 0))
    return tmp_path, load.load([tmp_path]).cases


def test_the_fastest_of_each_side_meet_in_a_cell(records):
    (found,) = crossover.maps(records[1])
    assert [c.n[0] for c in found.sizes] == [64, 128, 256] and found.turns == [0, .8, 12]
    gains = {(turns, found.sizes[i].n[0]): cell.gain for turns in found.turns
             for i in range(3) if (cell := found.at(turns, found.sizes[i]))}
    assert gains == pytest.approx({(0, 64): 1, (0, 128): 9, (.8, 64): .5, (.8, 128): 8,
                                   (.8, 256): 9, (12, 64): .25, (12, 128): .5, (12, 256): None})
    alone = found.at(12, found.sizes[2])
    assert alone.nufft is None and alone.exact.id == EXACT
    assert found.at(0, found.sizes[2]) is None


def test_another_shape_of_samples_or_coils_is_another_map(tmp_path):
    wide = [line | {"case": line["case"].replace("m=4096", "m=16384")}
            for t in ("", "2ms") for line in lines(64, t, 1e12, 2e12)]
    write(tmp_path / "a.jsonl", run_line(), *wide, *lines(128, "", 1e12, 2e12),
          *lines(128, "2ms", 1e12, 2e12))
    assert crossover.maps(load.load([tmp_path]).cases) == []


def test_the_figure_tells_measured_from_not_measured(records):
    (found,) = crossover.maps(records[1])
    drawing = plot_crossover.draw(found, "map-1")
    (axes,) = drawing.figure.axes
    words = [text.get_text() for text in axes.texts]
    assert words.count("alone") == 1 and {"9.00x", "4.00x", "2.00x"} <= set(words)
    assert sum(patch.get_hatch() is not None for patch in axes.patches) == 1
    corners = np.concatenate([path.vertices for line in axes.collections
                              for path in line.get_paths()])
    assert np.abs(corners - (.25, 1)).sum(axis=1).min() < 1e-9  # 1/2 to 8: at 1 of 4 octaves
    assert "3 of 7 cells" in drawing.alt and len(drawing.rows) == 15


def test_the_report_says_what_the_map_says(records):
    folder, _ = records
    report.run(load.load([folder]), folder / "report", figures=True)
    text = (folder / "report/report.html").read_text()
    assert "a nufft is faster in 3 of 7 cells, by up to 9.00x" in text
    assert "an exact sum is faster in 4 of 7 cells, by up to 4.00x" in text
    assert "2 cells without both" in text and (folder / "report/exact-or-nufft-1.csv").exists()
