# SPDX-License-Identifier: Apache-2.0
"""The report: the answer, the pictures' data and the page."""

import re

import numpy as np
import pytest

from synthetic import campaign, case_line, case_text, run_line, write

from analysis import ceilings, load, plot_accuracy, plot_roofline, plot_size, plot_tiles, style
from analysis.__main__ import main


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    folder = tmp_path_factory.mktemp("report")
    path = campaign(folder / "all.jsonl")
    assert main(["report", str(path), "-o", str(folder / "out")]) == 0
    return folder / "out", (folder / "out/report.html").read_text()


def read(tmp_path, *lines):
    path = write(tmp_path / "a.jsonl", run_line(backends=("cpu", "cuda")), *lines)
    return load.load([path])


def test_page_stands_alone(page):
    folder, text = page
    assert not re.search(r'(src|href)="(?!data:|#)', text) and "<script" not in text
    pictures = list(folder.glob("*.png"))
    assert text.count("data:image/png;base64") == len(pictures)
    kinds = {p.name.rpartition("-")[0] for p in pictures}
    assert kinds == {"size", "tiles", "accuracy", "roofline"}


def test_answer_comes_before_the_evidence(page):
    _, text = page
    assert text.index('id="decide"') < text.index('id="size"') < text.index('id="records"')
    decisions = text[text.index('id="decide"'):text.index('id="size"')]
    assert "tiled.cuda" in decisions and "x cuda" in decisions


def test_failures_are_rows_with_their_reason(page):
    _, text = page
    failures = text[text.index('id="failures"'):text.index('id="records"')]
    assert "rel_l2 4.0e-2 &gt; claim 8.0e-6" in failures
    assert "tile 1024 needs 65536 bytes" in failures


def test_every_record_has_its_line_to_copy(page):
    folder, text = page
    table = text[text.index('id="records"'):]
    lines = (folder.parent / "all.jsonl").read_text().count('"type": "case"')
    assert table.count("ndft bench") == lines > 100
    assert f"./ndft bench '{case_text()}' --variant 'naive.cuda'<" in table
    assert re.search(r"--variant 'tiled.cuda' --knob tile=32,outputs=2<", table)
    assert "run <code>r1</code>" in text and "0123abcd" in text and "580.1 / 13.0" in text


def test_same_records_make_the_same_page(page, tmp_path):
    folder, text = page
    main(["report", str(folder.parent / "all.jsonl"), "-o", str(tmp_path)])
    assert (tmp_path / "report.html").read_text() == text


def test_nothing_passed_still_makes_a_page(tmp_path, capsys):
    path = write(tmp_path / "a.jsonl", run_line(), case_line(verdict="crashed"))
    assert main(["report", str(path)]) == 0
    text = (tmp_path / "report/report.html").read_text()
    assert "nothing can win" in text and "for a reason" in text
    assert not list(tmp_path.rglob("*.png"))


def test_one_size_is_drawn_too(tmp_path):
    path = write(tmp_path / "a.jsonl", run_line(), case_line(), case_line("naive.cuda", 1e11))
    assert main(["report", str(path), "-o", str(tmp_path)]) == 0
    assert (tmp_path / "cases-1.png").exists() and not (tmp_path / "size-1.png").exists()


def test_lines_over_size_take_the_best_knobs_and_only_passes(tmp_path):
    records = read(tmp_path, case_line("tiled.cuda:tile=32", 1e12, case=case_text(nx=64)),
                   case_line("tiled.cuda:tile=64", 2e12, case=case_text(nx=64)),
                   case_line("tiled.cuda:tile=32", 3e12),
                   case_line("tiled.cuda:tile=64", 9e12) | {"verdict": "wrong"},
                   case_line("naive.cuda", verdict="timeout", case=case_text(field="none")))
    (series,) = plot_size.sweeps(records.cases)
    assert {name: [r.coil_pairs_per_s for r in line] for name, line in series.items()} == {
        "tiled.cuda": [2e12, 3e12]}
    assert plot_size.is_sweep(series)


def test_heat_map_finds_each_sizes_winner_and_ties(tmp_path):
    small, large = case_text(nx=64), case_text(nx=256)
    records = read(tmp_path, *(
        case_line(f"tiled.cuda:tile={tile},outputs={outputs}", rate, .01, case=case)
        for tile, outputs, rate, case in (
            (32, 1, 2.0e12, small), (64, 1, 1.99e12, small), (128, 1, 1e12, small),
            (32, 1, 1.0e12, large), (64, 1, 1.0e12, large), (64, 2, 3e12, large))),
        case_line("tiled.cuda:tile=128,outputs=1", case=large, verdict="unfit"))
    heat = next(m for m in plot_tiles.maps(records.cases) if m.knob == "tile")
    assert {c.n[0]: value for c, value in heat.winners().items()} == {64: 32, 256: 64}
    assert [heat.ties(c) for c in heat.sizes] == [{64}, set()]
    expected = np.array([[2e12, 1e12], [1.99e12, 3e12], [1e12, np.nan]])
    assert np.allclose(heat.rates(), expected, equal_nan=True)


def test_accuracy_panels_hold_passes_with_an_error_only(tmp_path):
    records = read(tmp_path, case_line("naive.cuda"), case_line("tiled.cuda", rel_l2=None),
                   case_line("fast_math.cuda", verdict="wrong", rel_l2=1.0),
                   case_line("naive.cpu", 1e8))
    panels = plot_accuracy.panels(records.cases)
    assert [[r.id for r in panel] for panel in panels] == [["naive.cuda"], ["naive.cpu"]]


def test_bound_is_the_slowest_resource(tmp_path):
    records = read(tmp_path, case_line(rate=1e12), case_line("naive.cpu", 1e8))
    roofs = {("h200", "fma"): 2.4e13, ("h200", "special"): 4e12}
    bound = ceilings.bound(records.cases[0], roofs)
    assert bound.resource == "special" and abs(bound.fraction - 0.5) < 1e-9
    assert abs(bound.by_resource["fma"] / bound.seconds - 0.5) < 1e-9
    assert ceilings.bound(records.cases[1], roofs) is None
    assert [len(rows) for rows in plot_roofline.panels(records.cases, roofs)] == [1]


def test_double_precision_has_its_own_ceilings(tmp_path):
    case = case_text().replace("prec=f32", "prec=f64")
    (record,) = read(tmp_path, case_line(rate=1e12, case=case)).cases
    assert ceilings.bound(record, {("h200", "fma"): 1e13}) is None
    assert ceilings.bound(record, {("h200", "fma_f64"): 1.2e13}).fraction == pytest.approx(.5)


def test_measured_peaks_replace_those_of_the_file(tmp_path):
    file = write(tmp_path / "ceilings.def", "h200 fma 1e13 # a\nh200 special 4e12 # b\n")
    peak = {"type": "peak", "run": "r1", "backend": "cuda", "resource": "fma", "value": 3e13}
    roofs = ceilings.known(read(tmp_path, peak, case_line()), file)
    assert roofs == {("h200", "fma"): 3e13, ("h200", "special"): 4e12}
    write(file, "h200 sfu 1e13\n")
    with pytest.raises(load.RecordsError, match="ceilings.def:1: 'sfu'"):
        ceilings.read(file)


def test_labels_are_spread_but_stay_close():
    placed = style.spread([0, 1, 100, 2], gap=10)
    assert sorted(placed) == pytest.approx([-9, 1, 11, 100])
    assert placed[0] < placed[1] < placed[3]
