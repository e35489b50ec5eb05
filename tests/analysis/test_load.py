# SPDX-License-Identifier: Apache-2.0
"""Reading record files: what is tolerated, what is refused, which of two records counts."""

import json

import jsonschema
import pytest

from campaign import campaign
from program import ROOT
from synthetic import case_line, case_text, counter_line, peak_line, run_line, write

from analysis import program
from analysis.records import cases, load
from analysis.records.errors import RecordsError
from analysis.__main__ import main


def test_runs_and_cases_are_paired(tmp_path):
    path = write(tmp_path / "a.jsonl", run_line(), case_line(rate=2e12))
    (record,) = load.load([path]).cases
    assert record.run.id == "r1" and record.device.slug == "h200"
    assert record.coil_pairs_per_s == 2e12 and record.family == "tiled"
    assert record.adjoint_err == 3e-8 and record.reason is None
    assert not hasattr(record, "unknown_field")


def test_torn_last_line_is_skipped_and_said(tmp_path):
    path = write(tmp_path / "a.jsonl", run_line(), case_line(), '{"type":"case","ru')
    records = load.load([path])
    assert len(records.cases) == 1
    assert records.notes == [f"{path}:3: torn last line skipped"]


def test_line_torn_by_an_interruption_does_not_hide_what_follows(tmp_path):
    path = write(tmp_path / "a.jsonl", run_line(), '{"ty\n', case_line())
    records = load.load([path])
    assert len(records.cases) == 1 and "a.jsonl:2: unreadable" in records.notes[0]


@pytest.mark.parametrize("schema", ["ndft-results/3", "ndft-results", "other/1", None])
def test_unknown_schema_is_refused(tmp_path, capsys, schema):
    path = write(tmp_path / "a.jsonl", run_line(schema=schema), case_line())
    assert main(["report", str(path)]) == 2
    assert str(schema) in capsys.readouterr().err


def test_later_minor_schema_is_read(tmp_path):
    path = write(tmp_path / "a.jsonl", run_line(schema="ndft-results/1.4"), case_line())
    assert len(load.load([path]).cases) == 1


@pytest.mark.parametrize("lines", [(), (run_line(),)])
def test_no_cases_is_refused(tmp_path, capsys, lines):
    path = write(tmp_path / "a.jsonl", *lines)
    assert main(["report", str(path)]) == 2
    assert "no case records" in capsys.readouterr().err


@pytest.mark.parametrize("field, value, kind", [
    ("median_s", "x", "a number"), ("case", 5, "text"), ("cost", [1], "an object"),
    ("key", 5, "text"), ("rel_l2", {}, "a number"), ("bounds_s", 5, "an object"),
    ("phases_s", [1], "an object"), ("clocks_mhz", 5, "a list"), ("state", 1, "an object")])
def test_field_of_another_type_is_named(tmp_path, capsys, field, value, kind):
    path = write(tmp_path / "a.jsonl", run_line(), case_line() | {field: value})
    assert main(["report", str(path)]) == 2
    assert f"a.jsonl:2: {field} is {value!r}, not {kind}" in capsys.readouterr().err


@pytest.mark.parametrize("field, value", [
    ("samples_s", ["x"]), ("bounds_s", {"fma": "x"}), ("phases_s", {"plan": []}),
    ("clocks_mhz", [{}])])
def test_element_of_another_type_is_named(tmp_path, capsys, field, value):
    path = write(tmp_path / "a.jsonl", run_line(), case_line() | {field: value})
    assert main(["report", str(path)]) == 2
    assert f"a.jsonl:2: {field} holds " in capsys.readouterr().err


def test_unmeasured_elements_are_null(tmp_path):
    path = write(tmp_path / "a.jsonl", run_line(), case_line(clocks_mhz=[None, 1980.0]))
    assert load.load([path]).cases[0].clocks_mhz == [None, 1980.0]


@pytest.mark.parametrize("line", [run_line() | {"devices": "x"}, run_line() | {"suite": 5}, peak_line(value="x")])
def test_field_of_a_run_or_a_peak_is_named_too(tmp_path, capsys, line):
    path = write(tmp_path / "a.jsonl", run_line(), line, case_line())
    assert main(["report", str(path)]) == 2
    assert "a.jsonl:2: " in capsys.readouterr().err


def test_missing_file_is_refused(capsys):
    assert main(["report", "nosuch.jsonl"]) == 2
    assert "nosuch.jsonl: no such file" in capsys.readouterr().err


def test_record_without_its_run_is_skipped_and_said(tmp_path):
    path = write(tmp_path / "a.jsonl", run_line(), case_line(), case_line("x.cuda", run="r9"))
    records = load.load([path])
    assert len(records.cases) == 1 and "1 records skipped" in records.notes[0]


def test_newest_of_the_same_key_wins(tmp_path):
    old = write(tmp_path / "z.jsonl", run_line(started="20261120T000000Z"),
                case_line(rate=1e12))
    new = write(tmp_path / "a.jsonl", run_line("r2"), case_line(rate=3e12, run="r2"))
    for order in ([old, new], [new, old]):
        records = load.load(order)
        assert [r.coil_pairs_per_s for r in records.cases] == [3e12]
        assert any("1 older records" in note for note in records.notes)


@pytest.mark.parametrize("mode", ["batch", None])
def test_failure_of_a_newer_build_replaces_an_older_pass(tmp_path, mode):
    old = write(tmp_path / "z.jsonl", run_line(started="20261120T000000Z"), case_line())
    new = write(tmp_path / "a.jsonl", run_line("r2"),
                case_line(verdict="wrong", run="r2", build_id="new", mode=mode))
    assert [r.verdict for r in load.load([old, new]).cases] == ["wrong"]


def test_a_measurement_stays_where_the_variant_was_not_built_later(tmp_path):
    old = write(tmp_path / "a.jsonl", run_line("r1"), case_line())
    new = write(tmp_path / "b.jsonl", run_line("r2", started="20261203T120000Z"),
                case_line(verdict="not_built", mode=None, median_s=None) | {"run": "r2", "key": "k2"})
    assert [r.verdict for r in load.load([old, new]).cases] == ["pass"]
    assert [r.verdict for r in load.load([new]).cases] == ["not_built"]


def test_replaced_timing_of_the_same_build_is_kept_beside_the_newer(tmp_path):
    old = write(tmp_path / "z.jsonl", run_line(started="20261120T000000Z"),
                case_line(rate=1e12), case_line("naive.cuda", build_id="old"))
    new = write(tmp_path / "a.jsonl", run_line("r2"), case_line(rate=3e12, run="r2"),
                case_line("naive.cuda", run="r2", build_id="new"))
    tiled, naive = load.load([new, old]).cases
    assert [r.coil_pairs_per_s for r in tiled.earlier] == [1e12] and naive.earlier == []


def test_newest_peak_of_a_device_counts(tmp_path):
    new = write(tmp_path / "a.jsonl", run_line("r2"), case_line(run="r2"), peak_line(value=3e13, note="x", run="r2"))
    old = write(tmp_path / "z.jsonl", run_line(started="20261120T000000Z"), peak_line(value=1e13))
    (kept,) = load.load([new, old]).peaks.values()
    assert (kept.value, kept.spread, kept.clock_mhz, kept.note) == (3e13, .01, 1980, "x")
    assert kept.device.slug == "h200"


def test_synthetic_records_are_of_the_published_schema(tmp_path):
    schema = json.loads((ROOT / "docs/ndft-results-1.schema.json").read_text())
    validator = jsonschema.Draft202012Validator(schema)
    for line in campaign(tmp_path / "a.jsonl").read_text().splitlines():
        validator.validate(json.loads(line))


def test_counters_are_read_with_their_model(tmp_path):
    line = counter_line(measured={"fma": 2, "add": None})
    path = write(tmp_path / "a.jsonl", run_line(), case_line(), line)
    (counter,) = load.load([path]).counters
    assert counter.measured == {"fma": 2} and counter.differs == ["fma"]
    assert counter.case == cases.parse(case_text())


@pytest.mark.parametrize("kernels, said", [
    (5, "kernels is 5"), ([5], "kernels holds 5"), ([{"time_s": "x"}], "time_s is 'x'"),
    ([{"shares": {"l1": "x"}}], "shares holds"), ([{"limits": {"registers": "x"}}], "registers is 'x'"),
    ([{"limits": {"stall": 5}}], "stall is 5")])
def test_what_is_no_kernel_is_refused(tmp_path, kernels, said):
    path = write(tmp_path / "a.jsonl", run_line(), case_line(), counter_line(kernels=kernels))
    with pytest.raises(RecordsError, match=said):
        load.load([path])


def test_modes_of_one_case_stay_apart(tmp_path):
    path = write(tmp_path / "a.jsonl", run_line(), case_line(), case_line(mode="cold"))
    assert [r.mode for r in load.load([path]).cases] == ["batch", "cold"]


def test_folder_means_every_record_file_below(tmp_path):
    """And no other file."""
    write(tmp_path / "h200/a.jsonl", run_line(), case_line())
    write(tmp_path / "h200/more/b.jsonl", run_line("r2"), case_line("naive.cuda", run="r2"))
    write(tmp_path / "h200/other.json", "{\n")
    records = load.load([tmp_path])
    assert len(records.cases) == 2 and not records.notes


@pytest.mark.parametrize("change", [{"verdict": "wrong"}, {"median_s": None},
                                    {"coil_pairs_per_s": None}, {"verdict": "untrusted"}])
def test_only_a_pass_with_a_timing_ranks(tmp_path, change):
    path = write(tmp_path / "a.jsonl", run_line(), case_line() | change, case_line("naive.cuda"))
    assert [r.variant_name for r in load.load([path]).ranked] == ["naive.cuda"]


def test_case_lines_that_say_the_same_are_equal():
    short = cases.parse("forward 2d n=256x256 m=65536 field=random:0.2kHz t=0.03s")
    assert short == cases.parse(case_text())
    assert short != cases.parse(case_text(op="adjoint"))
    assert cases.parse("forward 2d n=8x8 m=100 traj=radial") == cases.parse(
        "forward 2d n=8x8 m=100 traj=radial:10")


def test_a_record_that_carries_its_problem_needs_no_program(tmp_path, monkeypatch):
    (answer,), same = program.cases([case_text()]), cases.parse(case_text())
    values, new = answer["problem"], {"case": "new words"}
    monkeypatch.setenv("NDFT_PROGRAM", str(tmp_path / "nosuch"))
    path = write(tmp_path / "a.jsonl", run_line(), case_line(problem=values) | new)
    (record,) = load.load([path]).cases
    assert record.case == same and record.case.n == (256, 256)
    del values["n"]
    write(path, run_line(), case_line(problem=values) | new)
    with pytest.raises(RecordsError, match="a.jsonl:2: the problem of 'new words' lacks 'n'"):
        load.load([path])
    write(path, run_line(), case_line() | {"case": "forward 1d n=7 m=7"})
    with pytest.raises(RecordsError, match="nosuch: not built yet"):
        load.load([path])


def test_turns_of_a_chirp_z_transform_have_a_sense():
    """W of a forward transform turns backwards."""
    records = load.load([ROOT / "library/model/records/h200/uniform/convolution-20261128T140114Z.jsonl"]).others
    turns = {r.case.w_turns for r in records if r.case.kind == "chirpz"}
    assert len(turns) == 3 and max(turns) < 0


def test_label_leaves_defaults_out():
    case = cases.parse(case_text())
    assert case.label == "forward 2d n=256x256 m=65536 t=30ms field=random:200Hz"
    assert case.without("op", "n", "m") == "2d t=30ms field=random:200Hz"


@pytest.mark.parametrize("text, wrong", [
    ("sideways 2d n=8x8 m=1", "sideways"), ("forward 2d n=8x8", "m="),
    ("forward 2d n=8 m=1", "2 sizes"), ("forward 1d n=8 m=1 t=5min", "5min"),
    ("forward 1d n=8 m=1 colour=red", "colour"), ("forward 1d n=8 m=1 traj=radial:x", "radial:x")])
def test_wrong_case_is_named(text, wrong):
    with pytest.raises(cases.CaseError, match=wrong):
        cases.parse(text)


def test_a_timing_of_stages_explains_and_never_ranks(tmp_path):
    write(tmp_path / "a.jsonl", run_line(), case_line(mode="stages", phases_s={"fft": 1e-3}),
          case_line("naive.cuda", mode="stages", verdict="unsupported"), case_line())
    said = {(r.family, r.mode): (r.ranks, r.explains) for r in load.load([tmp_path]).cases}
    assert said == {("tiled", "stages"): (False, True), ("naive", "stages"): (False, False),
                    ("tiled", "batch"): (True, False)}


@pytest.mark.parametrize("field, value, said", [
    ("slug", "../x", "slug is '../x'"), ("slug", 5, "slug is 5, not text"), ("name", [], "name is [],")])
def test_a_device_whose_name_cannot_be_one_is_refused(tmp_path, capsys, field, value, said):
    run = run_line()
    run["devices"] = {"cuda": run["devices"]["cuda"] | {field: value}}
    assert main(["report", str(write(tmp_path / "a.jsonl", run, case_line()))]) == 2
    assert f"a.jsonl:1: {said}" in capsys.readouterr().err


@pytest.mark.parametrize("text", ["1e999", "-1e999", "NaN", '"\\ud800"', "[" * 5000 + "]" * 5000])
def test_what_no_reader_could_handle_is_refused(tmp_path, capsys, text):
    path = write(tmp_path / "a.jsonl", run_line(), case_line(rel_l2="here"))
    path.write_text(path.read_text().replace('"here"', text))
    assert main(["report", str(path)]) == 2 and main(["results", "validate", str(path)]) == 1
    assert "a.jsonl:2: " in capsys.readouterr().err


def test_control_characters_are_shown(tmp_path):
    path = write(tmp_path / "a.jsonl", run_line(), case_line(verdict="wrong", reason="\x1b[31m\nno"))
    assert load.load([path]).cases[0].reason == "\\x1b[31m\\nno"
