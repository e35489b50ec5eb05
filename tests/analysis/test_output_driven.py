# SPDX-License-Identifier: Apache-2.0
"""The study of output-driven spreading: the right number in the right place, and verdicts that follow."""

import re

import pytest

from program import PROGRAM, listed, ndft
from synthetic import case_line, counter_line, run_line, write

from analysis.records import load
from studies.output_driven import PAGE, claims, counters, knobs, wins

WHERE = {1: "1d n=65536 m=262144 traj=random:1", 2: "2d n=256x256 m=65536 traj=radial:256",
         3: "3d n=64x64x64 m=262144 traj=kooshball:4096"}
IMPROVED = {"tile": 0, "np": 32, "barrier": "auto", "most": 0, "padding": "least"}
WRITTEN = IMPROVED | {"barrier": "point", "most": 1024, "padding": "published"}


def case(dim=2, op="adjoint", prec="f32", tol="1.3e-4"):
    return (f"{op} {WHERE[dim]} t=0 field=none grad=none mask=none coils=1 layout=planar prec={prec} tol={tol} "
            "data=random seed=1")


def line(name, seconds, where, mode="graph", **settings):
    words = dict(word.split("=") for word in where.split()[2:])
    pairs = float(words["m"])
    for n in words["n"].split("x"):
        pairs *= int(n)
    said = ",".join(f"{knob}={value}" for knob, value in settings.items())
    return case_line(f"{name}:{said}" if said else name, pairs / seconds, case=where, mode=mode)


def scheme(seconds, where, **settings):
    return line("nufft_output_driven.cuda", seconds, where, **(IMPROVED | settings))


def other(name, seconds, where):
    family, _, method = name.partition(" ")
    return line("cufinufft.cuda", seconds, where, gpu_method=method) if method else \
        line(f"nufft_{family}.cuda", seconds, where)


def improved_on_a_processor(seconds):
    return line("nufft_output_driven.cpu", seconds, case(), mode="batch", tile=0, np=64)


def finufft(seconds, eps=0, upsampfac="auto", spread_sort=2):
    return line("finufft.cpu", seconds, case(), mode="batch", eps=eps, upsampfac=upsampfac, spread_sort=spread_sort)


@pytest.fixture(name="read")
def reader(tmp_path, monkeypatch):
    """Records of lines, as the page takes them."""
    monkeypatch.setenv("NDFT_PROGRAM", PROGRAM)

    def read(*lines):
        return load.load([write(tmp_path / "a.jsonl", run_line(backends=("cpu", "cuda")), *lines)]).cases
    return read


def rows(text):
    """Of a markdown table: by the first cell what else is in its row."""
    cells = [[cell.strip() for cell in row.strip("| \n").split(" | ")] for row in text.splitlines() if "|" in row]
    return {first: rest for first, *rest in cells}


def test_times_stand_under_their_contestants(read, tmp_path):
    found = read(scheme(20e-6, case()), scheme(60e-6, case(), **WRITTEN), other("subproblem", 17e-6, case()),
                 other("scatter", 25e-6, case()), other("cufinufft 3", 33e-6, case()),
                 other("cufinufft 4", 34e-6, case()), scheme(1e-6, case(), np=64),
                 line("nufft_hybrid.cuda", 1e-6, case(), mode="batch"), other("gather", 1e-6, case()),
                 other("interleaved", 11e-6, case(op="forward")), scheme(12e-6, case(op="forward")))
    table = rows(wins.adjoint(found, tmp_path))
    assert table["case"] == ["improved", "as written", "subproblem", "scatter", "cuFINUFFT 3", "cuFINUFFT 4"]
    assert table["2D 256² radial, f32 1.3e-4"] == ["20.0 µs", "60.0 µs", "**17.0 µs**", "25.0 µs", "33.0 µs",
                                                   "34.0 µs"]
    forward = rows(wins.forward(found, tmp_path))
    assert forward["2D 256² radial, f32 1.3e-4"] == ["12.0 µs", "**11.0 µs**"]


def test_the_processor_s_times_are_of_batches(read, tmp_path):
    found = read(improved_on_a_processor(3e-3),
                 line("nufft_output_driven.cpu", 1e-3, case(), mode="warm", tile=0, np=64),
                 finufft(2e-3))
    assert "**xeon-2c-avx512**" in wins.adjoint(found, tmp_path)
    assert rows(wins.adjoint(found, tmp_path))["2D 256² radial, f32 1.3e-4"] == ["3.00 ms", "**2.00 ms**"]
    assert claims.claims(found, tmp_path) == "", "the scheme as written is for a GPU"


def test_finufft_stands_by_what_it_was_told_and_by_its_fastest_tolerance(read, tmp_path):
    found = read(improved_on_a_processor(3e-3), finufft(5e-3), finufft(4e-3, eps=1), finufft(2e-3, upsampfac="200"),
                 finufft(7e-3, upsampfac="200", spread_sort=1), finufft(6e-3, upsampfac="200", spread_sort=0),
                 finufft(1e-3, upsampfac="125"))
    table = rows(wins.adjoint(found, tmp_path))
    assert table["case"] == ["improved", "FINUFFT", "FINUFFT 2", "FINUFFT 2 sorted", "FINUFFT 2 unsorted"]
    assert table["2D 256² radial, f32 1.3e-4"] == ["3.00 ms", "4.00 ms", "**2.00 ms**", "7.00 ms", "6.00 ms"]
    where = rows(wins.where(found, tmp_path))
    assert where["points"] == ["the fastest of all", "FINUFFT, times as long", "so"]
    assert where["2D, f32, crowded"] == ["0 of 1", "0.67", "open"], "beside no other scheme of ours"


@pytest.mark.parametrize("scatter, theirs, said", [
    (4e-3, {"seconds": 4e-3}, "wins"), (2e-3, {"seconds": 4e-3}, "the idea"), (3e-3, {"seconds": 3e-3}, "ties"),
    (4e-3, {"seconds": 2e-3}, "the code: FINUFFT's is faster"), (2e-3, {"seconds": 2e-3, "upsampfac": "200"},
                                                               "the code: FINUFFT's is faster")])
def test_beside_finufft_it_is_the_code_where_finufft_is_faster(read, tmp_path, scatter, theirs, said):
    found = read(improved_on_a_processor(3e-3), line("nufft_scatter.cpu", scatter, case(), mode="batch"),
                 finufft(**theirs))
    assert rows(wins.where(found, tmp_path))["2D, f32, crowded"][-1] == said


@pytest.mark.parametrize("others, said", [
    ({"subproblem": 15e-6, "scatter": 30e-6, "cufinufft 3": 30e-6}, "the idea"),
    ({"subproblem": 15e-6, "scatter": 30e-6}, "slower"),
    ({"subproblem": 25e-6, "scatter": 30e-6, "cufinufft 3": 15e-6}, "the code: cuFINUFFT's is faster"),
    ({"subproblem": 25e-6, "scatter": 30e-6, "cufinufft 3": 19.9e-6}, "wins"),
    ({"subproblem": 20.1e-6, "scatter": 30e-6}, "ties"), ({}, "open")])
def test_what_it_is_due_to(read, tmp_path, others, said):
    found = read(scheme(20e-6, case()), *(other(name, seconds, case()) for name, seconds in others.items()))
    assert rows(wins.where(found, tmp_path))["2D, f32, crowded"][-1] == said


def test_a_group_s_ratios_span_its_tolerances(read, tmp_path):
    loose, tight = case(tol="1e-2"), case(tol="1e-5")
    found = read(scheme(20e-6, loose), other("subproblem", 10e-6, loose), scheme(20e-6, tight),
                 other("subproblem", 30e-6, tight), other("cufinufft 3", 22e-6, tight),
                 scheme(1e-6, case(1, prec="f64", tol="1e-12")))
    table = rows(wins.where(found, tmp_path))
    assert table["points"] == ["the fastest of all", "subproblem, times as long", "cuFINUFFT 3, times as long", "so"]
    assert table["2D, f32, crowded"][:3] == ["1 of 2", "0.50 to 1.50", "1.10"]
    assert table["1D, f64, even"] == ["1 of 1", "-", "-", "open"]
    assert "(wins-h200.png)" in wins.where(found, tmp_path)
    assert (tmp_path / "wins-h200.png").read_bytes().startswith(b"\x89PNG")


def test_a_knob_varies_alone(read, tmp_path):
    def at(seconds, dim=2, **settings):
        return scheme(seconds, case(dim), **({"most": 1024, "barrier": "batch"} | settings))
    found = read(at(50e-6, np=1), at(30e-6, np=8), at(20e-6), at(90e-6, np=1, barrier="point"),
                 at(80e-6, np=8, barrier="point"), at(85e-6, barrier="point"), at(7e-6, 3, np=1), at(8e-6, 3, np=2),
                 at(1e-6, np=64, tile=8), at(1e-6, np=64, padding="published"), at(60e-6, most=64),
                 at(19.9e-6, most=4096), at(40e-6, tile=8))
    table = rows(knobs.np(found, tmp_path))
    assert table["`np`"] == ["2D radial, `barrier=batch`", "2D radial, `barrier=point`"], "two values are no sweep"
    assert table["1"] == ["50.0 µs", "90.0 µs"] and table["8"] == ["30.0 µs", "**80.0 µs**"]
    assert table["32"] == ["**20.0 µs**", "85.0 µs"]
    assert "64" not in table
    most = rows(knobs.most(found, tmp_path))
    assert [most[n] for n in ("64", "1024", "4096")] == [["60.0 µs"], ["20.0 µs"], ["**19.9 µs**"]]
    assert knobs.tile(found, tmp_path) == ""


CLAIMS = list(claims.CLAIMS)


def verdicts(records, into):
    return {claim: cells for claim, cells in rows(claims.claims(records, into)).items() if claim in CLAIMS}


def test_without_figures_a_claim_is_open(read, tmp_path):
    found = verdicts(read(scheme(1e-6, case())), tmp_path)
    assert {claim: cells[0] for claim, cells in found.items()} == dict.fromkeys(CLAIMS, "open") | {
        CLAIMS[1]: "holds"}


@pytest.mark.parametrize("slow, said", [((2, 3), "holds"), ((2, .5), "holds with a difference"), ((.4, .5), "refuted")])
def test_a_claim_holds_where_every_ratio_says_so(read, tmp_path, slow, said):
    """Adding to the grid beside tiles, and subproblems beside the scheme."""
    lines = []
    for dim, factor in zip((2, 3), slow):
        lines += [scheme(10e-6, case(dim)), scheme(30e-6, case(dim), **WRITTEN),
                  other("scatter", 30e-6 * factor, case(dim)), other("subproblem", 10e-6 * factor, case(dim))]
    found = verdicts(read(*lines), tmp_path)
    span, three = (f"{k * min(slow):.2f} to {k * max(slow):.2f} (2)" for k in (1, 3))
    assert found[CLAIMS[0]] == [said, f"scatter beside as written {span}; beside improved {three}"]
    assert found[CLAIMS[2]] == [said, f"subproblem beside improved in f32 {span}"]
    assert found[CLAIMS[1]] == ["holds", "4 results pass without one"]


def test_cufinufft_s_own_methods_count(read, tmp_path):
    double = case(3, prec="f64", tol="1e-6")
    found = verdicts(read(scheme(10e-6, double), other("subproblem", 30e-6, double), other("cufinufft 1", 60e-6, double),
                          other("cufinufft 2", 20e-6, double), other("cufinufft 3", 40e-6, double)), tmp_path)
    assert found[CLAIMS[0]] == ["holds", "cuFINUFFT 1 beside 3 1.50 (1)"]
    assert found[CLAIMS[2]] == ["holds with a difference", "cuFINUFFT 2 beside 3 0.50 (1); in f64 3.00 (1)"]


@pytest.mark.parametrize("times, verdict, figures", [
    ({1: 40, 16: 20, 64: 25}, "holds", "worst np beside the best 2.00 (1); best 2D batch 16"),
    ({1: 20.8, 16: 20, 64: 20}, "refuted", "worst np beside the best 1.04 (1); best 2D batch 16")])
def test_batches_are_worth_tuning_where_the_worst_is_slower(read, tmp_path, times, verdict, figures):
    found = read(*(scheme(1e-6 * t, case(), most=1024, barrier="batch", np=np) for np, t in times.items()))
    assert verdicts(found, tmp_path)[CLAIMS[3]] == [verdict, figures]


@pytest.mark.parametrize("times, verdict, figures", [
    ({64: 30, 1024: 20, 4096: 19.5}, "holds", "1024 points a block beside 4096 1.03 (1); 64 beside 1024 1.50 (1)"),
    ({64: 30, 1024: 20, 4096: 16}, "refuted", "1024 points a block beside 4096 1.25 (1); 64 beside 1024 1.50 (1)")])
def test_the_write_back_is_amortised_where_larger_blocks_gain_nothing(read, tmp_path, times, verdict, figures):
    found = read(*(scheme(1e-6 * t, case(), most=most) for most, t in times.items()))
    assert verdicts(found, tmp_path)[CLAIMS[5]] == [verdict, figures]


def test_padding_and_barriers_are_compared_alone(read, tmp_path):
    least = WRITTEN | {"padding": "least"}
    found = verdicts(read(scheme(66e-6, case(), **WRITTEN), scheme(60e-6, case(), **least),
                          scheme(20e-6, case(), **(least | {"barrier": "batch"})),
                          scheme(1e-6, case(), **(least | {"np": 8}))), tmp_path)
    assert found[CLAIMS[4]] == ["holds with a difference",
                                "width - 1 suffices in 1 cases; as published beside it 1.10 (1)"]
    assert found[CLAIMS[6]] == ["holds with a difference",
                                "a barrier after each point beside a tile for a warp 3.00 (1)"]


def kernel(name, seconds, **shares):
    return {"name": name, "time_s": seconds, "shares": shares}


def test_counters_are_of_the_kernel_that_spreads(read, tmp_path):
    mine, theirs = scheme(20e-6, case()), other("subproblem", 17e-6, case())
    kernels = [kernel("fft", 1e-3, l1=1.0), kernel("ndft_nufft_spread_by_warp", 9e-6, l1=.31, issue_slots=.5, warps=.18)
               | {"limits": {"registers": 40, "shared_bytes": 16384, "stall": "barrier"}}]
    found = read(mine, theirs,
                 counter_line(mine["variant"], case=case(), kernels=kernels),
                 counter_line(theirs["variant"], case=case(), kernels=[kernel("spread", 7e-6, l1=.82, issue_slots=.61)]))
    text = counters.counters(found, tmp_path)
    spread = {cells[0]: cells[1:] for cells in ([c.strip() for c in row.strip("| ").split(" | ")][1:]
                                                for row in text.splitlines()[3:])}
    assert spread["improved"] == ["9.00 µs", "31 %", "50 %", "-", "-", "18 %", "40", "16.0 KiB", "barrier", "latency"]
    assert spread["subproblem"][0] == "7.00 µs" and spread["subproblem"][-1] == "shared memory"
    assert counters.counters(read(mine), tmp_path) == ""


def test_the_suite_has_every_contestant_and_as_many_results_as_it_says():
    """In a minute on two cores and a few on a GPU; of a backend that is built, whose knobs are known."""
    suite = PAGE.folder / PAGE.suite
    said = re.search(r"(\d+) results on a GPU, (\d+) on a processor", suite.read_text())
    built = {v["backend"] for v in listed() if v["built"] and not v["peer"]}
    contestants = {
        "cpu": ["nufft_output_driven.cpu:", "nufft_hybrid.cpu:", "nufft_scatter.cpu:", "finufft.cpu:eps=0,",
                "finufft.cpu:eps=1,", *(f"upsampfac=200,spread_sort={n}," for n in (0, 1, 2))],
        "cuda": [",".join(f"{knob}={value}" for knob, value in WRITTEN.items()), "nufft_subproblem.cuda:",
                 *(f"gpu_method={n}," for n in (1, 2, 3, 4)), *(f",np={n}," for n in (1, 2, 4, 8, 16, 32, 64))]}
    for backend in built & set(contestants):
        plan = ndft("sweep", "--plan", str(suite), "--backend", backend).stdout
        assert int(plan.splitlines()[-1].split()[0]) == int(said[1 if backend == "cuda" else 2]) < 600
        for words in (*contestants[backend], *(f"tol={tol}" for tol in ("0.01", "1.3e-4", "1e-5", "1e-6", "1e-12"))):
            assert words in plan, words
    assert "cpu" in built
