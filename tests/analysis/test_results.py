# SPDX-License-Identifier: Apache-2.0
"""results: what makes a record file valid, how several become one, and the flat table."""

import csv
import io
import json

import jsonschema
import pytest

import synthetic_records
from program import ROOT, records
from synthetic import (CLOCK, case_line, counter_line as counter, peak_line as peak, peer_line as peer, processes,
                       run2_line as run2, run_line, write)

from analysis.records import lines, results_export, results_validate
from analysis.__main__ import main

STAMP = "20261121T010000Z"


def run(name="r1", started=STAMP, **fields):
    return run_line(name, started=started) | fields


def case(variant="tiled.cuda", **fields):
    return case_line(variant, **{"stop": "ci"} | fields)


def end(name="r1", **counts):
    return {"type": "end", "run": name, "interrupted": False, **counts, "wall_s": 1.5}


def full():
    """A case record with every field that there is."""
    return case(samples_s=[1e-3, 2e-3], clocks_mhz=[1980.0, None], throttled=[1], repetitions=4,
                mad_s=1e-5, order="random", phase=None, phases_s=dict.fromkeys(
                    results_export.STEPS, .1), bounds_s={"fma": 5e-4, "special": 1e-4}, bound="fma",
                bound_fraction=.5, state={"power_w": 500.0, "temperature_c": 60,
                                          "memory_clock_mhz": 3201, "throttle": ["sw_power_cap"]})


def judged(tmp_path, *rows):
    return results_validate.validate(write(tmp_path / "a.jsonl", *rows))


def test_the_schema_is_a_schema():
    for path in results_validate.SCHEMAS.values():
        jsonschema.Draft202012Validator.check_schema(json.loads(path.read_text()))


@pytest.mark.parametrize("path", [*sorted((ROOT / "results").rglob("*.jsonl")),
                                  *sorted(synthetic_records.DATA.glob("*.jsonl"))], ids=str)
def test_what_is_committed_is_valid(path):
    assert results_validate.validate(path) == ([], [])


def test_every_kind_of_line_is_valid(tmp_path):
    rows = (run(), peak(), full(), counter(), peer(), peak(value=None, spread=None), end(**{"pass": 1}))
    assert judged(tmp_path, *rows) == ([], [])


@pytest.mark.parametrize("line, said", [
    (case(verdict="fine"), "verdict: 'fine' is not one of"),
    (case(verdict="wrong", reason=None), "reason: None is not of type 'string'"),
    (case(reason="but why"), "reason: 'but why' is not of type 'null'"),
    (case(key="xyz"), "key: 'xyz' does not match"), (case(mode="hot"), "mode: 'hot' is not one of"),
    (case(samples_s=[1.0] * 201), "is too long"), (peer(rel_l2=None), "rel_l2: None is not"),
    (case(samples_s=[1.0, -1.0]), "samples_s.1: -1.0"),
    (case(variant="tiled.gpu"), "variant: 'tiled.gpu' does not match"),
    (case(state={"power_w": "much"}), "state.power_w: 'much'"),
    (case(throttled=[.5]), "throttled.0"),
    (case(phases_s={"plan": -1}), "phases_s.plan"), (case(bounds_s=[1]), "bounds_s: [1]"),
    (case(phase="lunch"), "phase: 'lunch'"), (case(stop="tired"), "stop: 'tired'"),
    (peak(resource=5), "resource: 5"), (peak(value="x"), "value: 'x'"),
    (counter(counters=None, tool=None), "tool: None"), (counter(differs="fma"), "differs: 'fma'"),
    (end(**{"pass": -1}), "pass: -1"), ({"type": "note", "run": "r1"}, "'note' is not one of"),
    ({"run": "r1"}, "'type' is a required property"), (run("r2", started="noon"), "started_utc")])
def test_what_the_schema_refuses_is_named(tmp_path, line, said):
    errors, _ = judged(tmp_path, run(), line)
    assert errors and all(":2: " in error and said in error for error in errors[:1])


@pytest.mark.parametrize("name", ["key", "case", "variant", "verdict", "samples_s", "build_id"])
def test_a_field_that_is_lacking_is_named(tmp_path, name):
    line = {k: v for k, v in case().items() if k != name}
    assert f":2: '{name}' is a required property" in judged(tmp_path, run(), line)[0][0]


def test_another_major_schema_is_invalid(tmp_path):
    assert judged(tmp_path, run(schema="ndft-results/1.7"), case())[0] == []
    errors, _ = judged(tmp_path, run(schema="ndft-results/3"), case())
    assert any("schema: 'ndft-results/3'" in error for error in errors)


def test_each_run_is_held_against_its_own_schema(tmp_path):
    """Of two in one file the newer one has to tell its clock, libraries and processes."""
    newer, part = run2("r2"), processes((1e-3, 2e-3), (3e-3,))
    assert judged(tmp_path, run(), case(), newer, case(run="r2", key="0" * 16, **part))[0] == []
    errors, _ = judged(tmp_path, run(), case(), newer, case(run="r2", key="0" * 16))
    assert len(errors) == 1 and "'processes' is a required property" in errors[0]
    for name in ("timing_version", "libraries"):
        lacking = {field: value for field, value in newer.items() if field != name}
        errors, _ = judged(tmp_path, run(), case(), lacking)
        assert f"'{name}' is a required property" in errors[0]
    broken = processes((1e-3, -1.0))
    assert judged(tmp_path, newer, case(run="r2", **broken))[0]


def test_a_finished_record_twice_is_an_error(tmp_path):
    errors, _ = judged(tmp_path, run(), case(), case())
    assert errors == [f"{tmp_path / 'a.jsonl'}:3: key '{case()['key']}' again, first on line 2"]
    again = run("r2"), case(run="r2")
    assert judged(tmp_path, run(), case(stop="interrupted"), *again)[0] == []
    assert len(judged(tmp_path, run(), case(), *again)[0]) == 1
    crashed = case(verdict="crashed", reason="signal 11", stop=None)
    assert judged(tmp_path, run(), crashed, *again)[0] == []
    assert len(judged(tmp_path, run(), crashed, crashed)[0]) == 1
    assert len(judged(tmp_path, run(), crashed, *again, again[1])[0]) == 1


def test_a_record_before_its_run_is_an_error(tmp_path):
    errors, _ = judged(tmp_path, case(), run())
    assert errors == [f"{tmp_path / 'a.jsonl'}:1: its run 'r1' was not announced by a run line "
                      "before it"]
    assert "announced twice" in judged(tmp_path, run(), run(), case())[0][0]


def test_an_end_that_counts_otherwise_is_an_error(tmp_path):
    errors, _ = judged(tmp_path, run(), case(), end(**{"pass": 2, "wrong": 0}))
    assert errors == [f"{tmp_path / 'a.jsonl'}:3: the end says 2 pass, its run has 1"]


def test_an_interruption_is_a_note(tmp_path):
    errors, notes = judged(tmp_path, run(), case(), '{"type":"ca\n', '{"ty\n', run("r2"),
                           case("x.cuda", run="r2"), '{"type":"case","ru')
    assert not errors and len(notes) == 5
    assert sum("torn line" in n for n in notes) == 3 and sum("no end line" in n for n in notes) == 2


@pytest.mark.parametrize("line", ['{"type":"ca\n', "[1]\n", '{"type":"case","rel_l2":NaN}\n'])
def test_what_is_no_json_is_an_error(tmp_path, line):
    errors, _ = judged(tmp_path, run(), line, case())
    assert len(errors) == 1 and "a.jsonl:2: " in errors[0]


@pytest.mark.parametrize("rows, status, out", [
    ((run(), case(), end()), 0, "valid"), ((run(), case(), case()), 1, "again"), ((), 1, "no r")])
def test_exit_status_of_validate(tmp_path, capsys, rows, status, out):
    path = write(tmp_path / "a.jsonl", *rows)
    assert main(["results", "validate", str(path)]) == status
    assert out in capsys.readouterr().out
    assert main(["results", "validate", str(path), "nosuch.jsonl"]) == 2
    assert "nosuch.jsonl: no such file" in capsys.readouterr().err


def merged(tmp_path, *files):
    paths = [str(write(tmp_path / f"{i}.jsonl", *rows)) for i, rows in enumerate(files)]
    out = tmp_path / "out" / "all.jsonl"
    assert main(["results", "merge", "-o", str(out), *paths]) == 0
    assert results_validate.validate(out)[0] == []
    assert [p.name for p in out.parent.iterdir()] == ["all.jsonl"]
    return records(out)


def test_shards_become_one_file(tmp_path):
    first = run(), peak(), case("a.cuda"), end(**{"pass": 1})
    second = run("r2"), case("b.cuda", run="r2"), counter(run="r2"), end("r2", **{"pass": 1})
    rows = merged(tmp_path, first, second)
    assert [r["type"] for r in rows] == [line["type"] for line in (*first, *second)]
    assert [r["variant"] for r in rows if r["type"] == "case"] == ["a.cuda", "b.cuda"]


def test_of_one_key_the_newest_run_wins_whatever_the_order(tmp_path):
    old = run("old", "20261120T000000Z"), case(run="old", rel_l2=1e-6), end("old", **{"pass": 1})
    new = run("new", "20261121T000000Z"), case(run="new", rel_l2=2e-6), end("new", **{"pass": 1})
    for files in (old, new), (new, old):
        rows = merged(tmp_path, *files)
        assert [r["rel_l2"] for r in rows if r["type"] == "case"] == [2e-6]
        assert [r.get("pass") for r in rows if r["type"] == "end"] == [0, 1]


def test_a_finished_record_is_not_replaced_by_an_interrupted_one(tmp_path):
    rows = merged(tmp_path, (run(), case()), (run("r2", "20261122T000000Z"),
                                              case(run="r2", stop="interrupted")))
    assert [r["stop"] for r in rows if r["type"] == "case"] == ["ci"]


def test_a_file_twice_is_the_file_once(tmp_path):
    rows = run(), peak(), case(), counter(), end(**{"pass": 1})
    assert merged(tmp_path, rows, rows) == json.loads(json.dumps(list(rows)))


def test_a_file_without_records_is_named(tmp_path, capsys):
    rows = run(), case()
    assert merged(tmp_path, rows, ()) == json.loads(json.dumps(list(rows)))
    assert f"{tmp_path / '1.jsonl'}: no records" in capsys.readouterr().err
    assert main(["results", "merge", "-o", str(tmp_path / "none.jsonl"), str(tmp_path / "1.jsonl")]) == 2
    assert "nothing to merge: " in capsys.readouterr().err and not (tmp_path / "none.jsonl").exists()


def test_merging_over_one_of_the_files(tmp_path):
    path = write(tmp_path / "a.jsonl", run(), case(), '{"torn')
    assert main(["results", "merge", "-o", str(path), str(path)]) == 0
    assert results_validate.validate(path)[0] == []


@pytest.mark.parametrize("rows, said", [
    ((run("r2", schema="ndft-results/3"),), "schema is ndft-results/3, but only"),
    ((run(suite="another"),), "is another in"), ((case("x.cuda"),), "was not announced"),
    (("{\n", run("r2"), "{\n", case()), "1.jsonl:3: "),
    ((run("r2"), {"type": "x"}), "'x' is none of")])
def test_files_that_do_not_belong_together_are_refused(tmp_path, capsys, rows, said):
    paths = [str(write(tmp_path / f"{i}.jsonl", *r)) for i, r in enumerate(((run(), case()), rows))]
    out = tmp_path / "out.jsonl"
    out.write_text("as it was")
    assert main(["results", "merge", "-o", str(out), *paths]) == 2
    assert said in capsys.readouterr().err and out.read_text() == "as it was"


def test_a_failing_write_leaves_what_was_there(tmp_path):
    def failing():
        yield "half"
        raise OSError("disk full")
    path = tmp_path / "x"
    path.write_text("as it was")
    with pytest.raises(OSError):
        lines.write(path, failing(), "as")
    assert path.read_text() == "as it was" and list(tmp_path.iterdir()) == [path]


def table(text):
    return list(csv.DictReader(io.StringIO(text)))


def test_the_flat_table(tmp_path, capsys):
    path = write(tmp_path / "a.jsonl", run(), full() | {"median_s": 0.1 + 0.2},
                 case("x.cuda", verdict="wrong", reason='no, "no"'), '{"torn')
    assert main(["results", "export", "--csv", str(path)]) == 0
    text = capsys.readouterr().out
    first, second = table(text)
    assert float(first["median_s"]) == 0.1 + 0.2 and first["median_s"] == "0.30000000000000004"
    assert (first["device"], first["n_voxels"], first["timings"]) == ("h200", "65536", "2")
    assert (first["bound_s"], first["throttle"], first["step_plan_s"]) == ("0.0005", "sw_power_cap",
                                                                           "0.1")
    assert second["reason"] == 'no, "no"' and second["median_s"] == second["bound_s"] == ""
    out = tmp_path / "o.csv"
    assert main(["results", "export", "--csv", "-o", str(out), str(path)]) == 0
    assert out.read_text() == text


def test_samples_of_all_processes_are_counted(tmp_path, capsys):
    path = write(tmp_path / "a.jsonl", run2(), case(**processes((1e-3, 2e-3), (3e-3,)), chosen="a=1"))
    assert main(["results", "export", "--csv", str(path)]) == 0
    (row,) = table(capsys.readouterr().out)
    assert (row["processes"], row["timings"], row["timing_version"]) == ("2", "3", str(CLOCK))
    assert row["chosen"] == "a=1" and row["regime"] == ""


def test_columns_do_not_depend_on_the_records():
    one_of_each = {path.parent: path for path in sorted((ROOT / "results").rglob("*.jsonl"))}.values()
    heads = {results_export.export([path]).partition("\n")[0]
             for path in [*one_of_each, synthetic_records.DATA / "a.jsonl"]}
    assert len(heads) == 1
    columns = heads.pop().split(",")
    assert len(set(columns)) == len(columns)


def test_the_documentation_names_every_field():
    text = (ROOT / "docs/results.md").read_text()
    for path in results_validate.SCHEMAS.values():
        for kind in json.loads(path.read_text())["$defs"].values():
            for name in kind["properties"]:
                assert f"`{name}`" in text, name
