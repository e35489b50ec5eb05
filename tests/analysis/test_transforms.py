# SPDX-License-Identifier: Apache-2.0
"""Records of uniform transforms: read, kept apart, shown beside the vendor's library."""

import csv
import io
import json
import re

import pytest

from program import ROOT
from page import reported as page, section
from synthetic import case_line, case_text, counter_line, run_line, write
from synthetic import transform_line as line

from analysis.plots import plot_transforms
from analysis.records import cases, load
from analysis.__main__ import main

TEXT = "uniform:scfo8.1009*33 tol=1e-4 seed=1"


@pytest.mark.parametrize("keys, good", [
    ("tol=1e-4 seed=1", True), ("load=zero_pad:500 store=crop:9 tol=1e-4 seed=1", True),
    ("tol=1e-4 data=file:x.npy seed=1", True), ("tol=1e-4 data=random seed=1", False),
    ("store=crop:9 load=zero_pad:500 tol=1e-4 seed=1", False)])
def test_canonical_texts_are_valid(keys, good):
    schema = json.loads((ROOT / "docs/ndft-results-1.schema.json").read_text())
    (pattern,) = re.findall(r"\^\(\(forward[^\"]*", json.dumps(schema))
    assert bool(re.search(json.loads(f'"{pattern}"'), f"uniform:scfo1009 {keys}")) == good


@pytest.mark.parametrize("text, wanted", [
    ("uniform:scfo8.1009*33", ("f32", "c2c", -1, False, (1009,), 8, 264, True, 1009)),
    ("uniform:dcbi4x5x6", ("f64", "c2c", 1, True, (4, 5, 6), 1, 1, True, 5)),
    ("uniform:srfo4.5x6*7", ("f32", "r2c", -1, False, (5, 6), 4, 28, True, 5)),
    ("uniform:drbo16*32i1,1,20o1,2,32", ("f64", "c2r", 1, False, (16,), 1, 32, False, 2)),
    ("uniform:scfo2018", ("f32", "c2c", -1, False, (2018,), 1, 1, True, 1009)),
])
def test_descriptors_are_read(text, wanted):
    t = cases.parse(text + " seed=3")
    assert (t.prec, t.domain, t.sign, t.in_place, t.n, t.m, t.batch, t.packed, t.factor) == wanted
    assert t.tol == 1e-4 and t.label == text + " seed=3"
    assert cases.parse(text + " tol=1e-4 seed=1").label == text


def test_load_and_store_functions_tell_cases_apart():
    plain, padded, cropped = (cases.parse(f"uniform:scfo8{rest} tol=1e-4") for rest in
                              ("", " load=zero_pad:5", " store=crop:5"))
    assert len({plain, padded, cropped}) == 3 and padded.callbacks and not plain.callbacks
    assert plain == cases.parse("uniform:scfo8 store=none")
    assert cropped.label == cropped.without("op") == "uniform:scfo8 store=crop:5"


@pytest.mark.parametrize("text", ["uniform:", "uniform:xcfo8", "uniform:scfo8x", "uniform:scfo8*",
                                  "uniform:scfo8 prec=f64", "uniform:scfo8i1,1"])
def test_what_is_no_transform_is_named(text):
    with pytest.raises(cases.CaseError, match="uniform"):
        cases.parse(text)


def test_a_seed_that_is_none_is_exit_status_2(tmp_path, capsys):
    made = line("uniform_vendor.cuda", 1e-5, text="uniform:scfo8 seed=one")
    path = write(tmp_path / "a.jsonl", run_line(), made)
    assert main(["report", str(path)]) == 2
    assert "seed=one: not a whole number" in capsys.readouterr().err


@pytest.mark.parametrize("text, outputs", [("scfo2.5x6*7", 420), ("srfo2.5x6*7", 252),
                                           ("srbo2.5x6*7", 420)])
def test_outputs_are_counted(text, outputs):
    assert cases.parse(f"uniform:{text}").outputs == outputs


def test_they_are_kept_apart(tmp_path):
    path = write(tmp_path / "a.jsonl", run_line(), case_line(), line("uniform_vendor.cuda", 1e-5),
                 line("uniform_vendor.cuda", 2e-5, run="r1"))
    records = load.load([path])
    assert [r.case.text for r in records.cases] == [case_text()]
    assert [r.median_s for r in records.transforms] == [2e-5]


def test_the_report_shows_them_beside_the_vendor(tmp_path):
    text = page(tmp_path, case_line(), line("uniform_naive.cuda", 4e-5),
                line("uniform_vendor.cuda", 1e-5), line("uniform_vendor.cpu:rigor=measure", 1e-3),
                line("uniform_gone.cuda", 1.0, verdict="wrong", reason="off by 3"))
    part = section(text, "uniform")
    assert "<summary>uniform:scfo8.1009*33, h200: 3 records</summary>" in part
    assert "4.00x" in part and part.count("1.00x") == 2 and "off by 3" in part
    rows = list(csv.DictReader(io.StringIO((tmp_path / "uniform.csv").read_text())))
    assert [(r["variant"], r["over_vendor"]) for r in rows if r["device"] == "h200"] == [
        ("uniform_vendor.cuda", "1.0"), ("uniform_naive.cuda", "4.0"), ("uniform_gone.cuda", "")]
    assert "uniform" not in section(text, "decide")


def test_time_over_length_is_drawn_beside_the_vendor(tmp_path):
    """In one figure 3 lengths, 2 of them primes; in none the 2 lengths of other batches."""
    def both(n, seconds, batch=""):
        text = f"uniform:scfo{n}{batch} tol=1e-4 seed=1"
        return [line("uniform_vendor.cuda", 2e-5, text),
                line("bluestein_fused.cuda", seconds, text)]
    text = page(tmp_path, *both(1009, 1e-5), *both(1013, 8e-5), *both(1024, 4e-5),
                *both(1009, 1e-5, "*8"), *both(1024, 1e-5, "*8"))
    rows = list(csv.DictReader(io.StringIO((tmp_path / "length-1.csv").read_text())))
    assert {(r["length"], r["over_vendor"]) for r in rows if "fused" in r["variant"]} == {
        ("1009", "0.5"), ("1013", "4.0"), ("1024", "2.0")}
    assert not (tmp_path / "length-2.csv").exists()
    (group,) = plot_transforms.groups(load.load([tmp_path / "a.jsonl"]).transforms)
    (through, *_), _ = (axes.lines for axes in plot_transforms.draw(group, "x").figure.axes)
    assert list(through.get_xdata()) == [1009, 1013], "the primes"
    assert "c2c f32 forward, h200. Faster than the vendor&#x27;s at 1 of 3 lengths." in text


def test_strides_are_in_no_line_over_length(tmp_path):
    texts = [f"uniform:scfo{n}{strides} tol=1e-4 seed=1"
             for n, strides in ((1009, ""), (1013, ""), (1021, "i1,2,2042o1,1,1021"))]
    path = write(tmp_path / "a.jsonl", run_line(),
                 *(line("uniform_vendor.cuda", 1e-5, text) for text in texts))
    assert plot_transforms.groups(load.load([path]).transforms) == []


def test_failures_and_all_records_have_them_too(tmp_path):
    gone = line("uniform_gone.cuda", 1.0, verdict="wrong", reason="off by 3")
    text = page(tmp_path, case_line(), line("uniform_vendor.cuda", 1e-5), gone)
    failures, every = (section(text, name) for name in ("failures", "records"))
    assert "uniform_gone" in failures and "off by 3" in failures
    assert "3 records, a table a case" in every
    assert "uniform:scfo8.1009*33, h200: 2 records" in every


def test_a_report_of_them_alone(tmp_path):
    text = page(tmp_path, line("uniform_vendor.cuda", 1e-5))
    assert "1 records; 1 passed" in text and 'id="uniform"' in text


def test_no_section_without_them(tmp_path):
    assert 'id="uniform"' not in page(tmp_path, case_line())


def test_export_and_validate(tmp_path, capsys):
    path = write(tmp_path / "a.jsonl", run_line(), line("uniform_vendor.cuda", 1e-5))
    assert main(["results", "export", "--csv", str(path)]) == 0
    row = next(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert (row["op"], row["n_voxels"], row["n_samples"], row["prec"]) == (
        "transform", "1009", "", "f32")


def test_counters_of_them_are_shown(tmp_path):
    text = page(tmp_path, line("uniform_naive.cuda", 1e-5), counter_line("uniform_naive.cuda", case=TEXT))
    assert "0 of 1 profiled variants" in text and ">uniform:scfo8.1009*33</code>" in text


def compared(tmp_path, after, **fields):
    """Exit status of compare for one timing of each side; B takes so much as long as A."""
    def file(name, factor, **fields):
        times = [factor * 1e-5 * (1 + i / 1e4) for i in range(8)]
        made = line("uniform_vendor.cuda", times[4], samples_s=times, run=name, **fields)
        return str(write(tmp_path / f"{name}.jsonl", run_line(name), made))
    return main(["compare", file("a", 1), file("b", after, **fields)])


def test_compare_pairs_them(tmp_path, capsys):
    assert compared(tmp_path, 1) == 0 and "1 same; 0 regressions" in capsys.readouterr().out
    assert compared(tmp_path, 1.2) == 1
    said = capsys.readouterr().out
    assert "slower by 20.0 %" in said and " uniform:scfo8.1009*33 " in said


@pytest.mark.parametrize("rel_l2, status", [(2.4e-6, 0), (4e-6, 1)])
def test_compare_judges_their_accuracy(tmp_path, capsys, rel_l2, status):
    assert compared(tmp_path, 1, rel_l2=rel_l2) == status
    assert ("more than rounding explains" in capsys.readouterr().out) == bool(status)


def test_their_winners_are_told(tmp_path, capsys):
    page(tmp_path, line("uniform_vendor.cuda", 1e-5, "uniform:scfo1009"), case_line(),
         line("uniform_naive.cuda", 1e-3, "uniform:scfo1009"))
    *_, other, last = capsys.readouterr().out.splitlines()
    assert other.startswith("forward 2d") and re.split("  +", last) == [
        "uniform:scfo1009", "uniform_vendor.cuda", "100e3", "2.0e-6", "uniform_naive.cuda", "100x",
        "100x cuda"]
