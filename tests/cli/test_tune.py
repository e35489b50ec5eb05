# SPDX-License-Identifier: Apache-2.0
"""ndft tune: what it tries, what it keeps, when it ends."""

import re
import time

from program import cases, ndft, records, refused

CASE = "forward 2d n=24x24 m=500 field=random:50Hz t=5ms"


def tune(*arguments, case=CASE):
    return ndft("tune", case, "--backend", "cpu", "--budget", "0.002", *arguments)


def test_a_search_is_recorded_and_its_best_told(tmp_path):
    out = tmp_path / "tune.jsonl"
    result = tune("--variant", "(tiled|naive)[.]cpu", "-o", out)
    assert result.returncode == 0, result.stderr
    run, *_, end = records(out)
    assert run["suite"] == "tune" and end["type"] == "end"
    assert end["pass"] == sum(line["verdict"] == "pass" for line in cases(out))
    confirmed = {line["variant"]: line for line in cases(out) if line["processes"] == 3}
    tried = [line for line in cases(out) if line["processes"] == 1]
    ids = [line["variant"] for line in tried]
    assert len(set(ids)) == len(ids), "nothing is tried twice"
    tiled = [line for line in tried if line["variant"].startswith("tiled.cpu")]
    assert len({line["knobs"]["tile"] for line in tiled}) > 2
    assert len({line["knobs"]["sincos"] for line in tiled}) > 1
    told = re.findall(r"(\S+\.cpu\S*) +(\d+) tried", result.stdout)
    assert dict(told)["naive.cpu"] == "1"
    assert {name.partition(":")[0] for name, _ in told} == {"naive.cpu", "tiled.cpu"}
    assert set(name for name, _ in told) <= set(confirmed), "reported from other processes"
    assert any(name.startswith("tiled") for name in confirmed) and len(confirmed) <= 3
    assert len({line["key"] for line in [*tried, *confirmed.values()]}) == len(tried) + len(confirmed)
    assert all(len(line["by_process"]) == 3 for line in confirmed.values())
    passed = [line for line in tiled if line["verdict"] == "pass"]
    best = next(line for line in passed if line["variant"] == dict.fromkeys(
        name for name, _ in told if name.startswith("tiled")).popitem()[0])
    assert best["median_s"] <= 1.03 * min(line["median_s"] for line in passed), (
        "half a percent for each of a few steps is noise")


def test_time_ends_a_search(tmp_path):
    start = time.monotonic()
    out = tmp_path / "tune.jsonl"
    result = tune("--time", "0.01", "-o", out)
    assert result.returncode == 0 and time.monotonic() - start < 20
    assert "time was up: " in result.stdout
    assert records(out)[-1]["interrupted"] is False
    names = [line["variant"].partition(":")[0] for line in cases(out) if line["processes"] == 1]
    assert len(names) > 1 and len(set(names)) == len(names), "the presets, and no more"


def test_what_cannot_be_tuned_is_refused(tmp_path):
    out = tmp_path / "tune.jsonl"
    for arguments, case, words in [(("--variant", "tilde[.]cpu"), CASE, "nearest: tiled"),
                                   ((), "forwrad 2d n=4x4 m=3", "forward"),
                                   (("--time", "0"), CASE, "--time"),
                                   (("--processes", "2", "--in-process"), CASE, "--in-process"),
                                   ((), CASE + " tol=1e-12", "nothing passed")]:
        refused(tune(*arguments, "-o", out, case=case), 2, words)
    result = tune("-o", tmp_path / "no" / "such" / ("x" * 300 + ".jsonl"))
    assert result.returncode == 3, result.stderr


OTHER = "adjoint 2d n=16x16 m=300"


def searched(path):
    """How many settings were tried, and confirmed, of each case, mode and variant."""
    tried, confirmed = {}, {}
    for line in cases(path):
        place = (line["case"].split(" m=")[0], line["mode"], line["variant"].partition(":")[0])
        of = confirmed if line["processes"] == 3 else tried
        of[place] = of.get(place, 0) + 1
    return tried, confirmed


def test_every_case_is_searched_in_every_mode(tmp_path):
    out = tmp_path / "tune.jsonl"
    result = tune(OTHER, "--variant", "(tiled|naive)[.]cpu", "--modes", "batch,cold", "--time", "4", "-o", out)
    assert result.returncode == 0, result.stderr
    tried, confirmed = searched(out)
    places = {(case, mode) for case in ("forward 2d n=24x24", "adjoint 2d n=16x16") for mode in ("batch", "cold")}
    assert {place[:2] for place in tried} == {place[:2] for place in confirmed} == places
    for case, mode in places:
        assert tried[case, mode, "naive.cpu"] == 1 and tried[case, mode, "tiled.cpu"] > 2
    heads = re.findall(r"^(?:forward|adjoint) 2d n=.*, (batch|cold)$", result.stdout, re.MULTILINE)
    assert sorted(heads) == ["batch", "batch", "cold", "cold"]
    assert "./ndft select" not in result.stdout and f"./ndft report {out} shows them" in result.stdout


def test_a_suite_names_cases_and_variants(tmp_path):
    out, suite = tmp_path / "tune.jsonl", tmp_path / "s.ndft"
    suite.write_text(f"tiled[.]cpu tile={{32,64}} : {CASE}\nnaive[.]cpu : {OTHER}\n")
    run = ["tune", "--suite", suite, "--budget", "0.002", "--time", "1", "-o", out]
    assert ndft(*run).returncode == 0
    tried, _ = searched(out)
    assert set(tried) == {("forward 2d n=24x24", "batch", "tiled.cpu"), ("adjoint 2d n=16x16", "batch", "naive.cpu")}
    assert tried["forward 2d n=24x24", "batch", "tiled.cpu"] > 2, "knobs of the line are searched, too"
    assert ndft(*run, "--force", "--variant", "naive[.]cpu").returncode == 0
    assert {place[2] for place in searched(out)[0]} == {"naive.cpu"}
    for wrong in ([CASE, "--suite", suite], []):
        refused(ndft("tune", *wrong), 2, "needs cases, or --suite")


def test_graphs_are_searched_where_there_are_any(tmp_path):
    out = tmp_path / "tune.jsonl"
    refused(tune("--variant", "tiled[.]cpu", "--modes", "graph", "-o", out), 2, "nothing passed")
    assert {place[1] for place in searched(out)[0]} == {"graph"}
