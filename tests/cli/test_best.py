# SPDX-License-Identifier: Apache-2.0
"""The library's choice on the command line: `ndft best`, and --variant best on check, bench and run."""

import pytest

from analysis.program import short
from program import lines, ndft as run

CASE = ("forward 2d n=12x10 m=200 traj=random:1 t=5ms field=random:50Hz grad=none mask=none "
        "coils=1 layout=planar prec=f32 tol=1e-4 data=random seed=1")


@pytest.fixture
def ndft(tmp_path):
    """Runs the program from another folder, with a cache of its own."""
    def call(*arguments, code=0):
        done = run(*arguments, cwd="/", NDFT_CACHE=str(tmp_path))
        assert done.returncode == code, done.stderr
        return done
    return call


@pytest.fixture
def answer(ndft):
    def best(*arguments):
        return lines(ndft("best", "--json", *arguments).stdout)[0]
    return best


def test_a_sentence_and_its_facts(ndft, answer):
    found = answer(CASE, "--backend", "cpu")
    fastest, *others = found["serve"]
    assert found["case"] == CASE and found["why"] == "fastest by estimate"
    assert (found["variant"], found["seconds"]) == (fastest["variant"], fastest["estimated_s"])
    assert all(a["estimated_s"] <= b["estimated_s"] for a, b in zip(found["serve"], others))
    assert 0 < found["typical"] <= 1e-4 < 1
    text = found["text"]
    assert text.startswith(f"{short(found['variant'])}, fastest by estimate: ")
    assert f"; next by estimate {short(others[0]['variant'])}, " in text
    assert text.endswith(f"; {1 + len(others)} serve, {len(found['passed_over'])} passed over")
    printed = ndft("best", CASE, "--backend", "cpu", "--all").stdout.splitlines()
    assert printed[0] == f"{found['device']}: {text}"
    assert len(printed) == 1 + len(found["serve"]) + len(found["passed_over"])
    assert any("chirp_z.cpu: it has no field map" in line for line in printed)


def test_no_problem_falls_to_the_plain_sum(answer):
    """A user's own data in another folder: 192 squared, 54 spirals, 20 coils and a field map."""
    found = answer("forward 2d n=192x192 m=16740 traj=spiral:54 t=5ms field=smooth:300Hz coils=20", "--backend", "cpu")
    seconds = {one["variant"].partition(".")[0]: one["estimated_s"] for one in found["serve"]}
    assert found["seconds"] < seconds["naive"] / 100


def test_what_was_measured_is_remembered(answer):
    measured = answer(CASE, "--backend", "cpu", "--mode", "measure")
    assert measured["why"] == "fastest as measured before"
    again = answer(CASE.replace("seed=1", "seed=2"), "--backend", "cpu")
    assert (again["why"], again["variant"]) == (measured["why"], measured["variant"])
    assert answer(CASE.replace("12x10", "12x11"), "--backend", "cpu")["why"] == "fastest by estimate"


def test_samples_that_lie_otherwise_are_another_shape(answer):
    case = "forward 2d n=30x30 m=900 traj={} seed={}".format
    assert answer(case("random", 1), "--backend", "cpu", "--mode", "measure")["why"] == "fastest as measured before"
    why = {traj: answer(case(traj, 2), "--backend", "cpu")["why"] for traj in ("random", "spiral:1", "vdspiral:1")}
    assert why == {"random": "fastest as measured before", "spiral:1": "fastest by estimate",
                   "vdspiral:1": "fastest by estimate"}


def test_what_is_measured_has_a_mask_and_gradients(answer):
    case = CASE.replace("grad=none mask=none", "grad=field mask=disk")
    assert answer(case, "--backend", "cpu", "--mode", "exhaustive")["why"] == "fastest as measured before"
    assert answer("uniform:scfo60*4", "--backend", "cpu", "--mode", "measure")["why"] == "fastest as measured before"


def test_damaged_wisdom_costs_itself(ndft, tmp_path):
    (tmp_path / "wisdom").write_text("what is this\n")
    done = ndft("best", CASE, "--backend", "cpu")
    assert "is no wisdom" in done.stderr and "fastest by estimate" in done.stdout


def test_deterministic_has_its_price(ndft):
    assert "; being deterministic costs " in ndft("best", CASE, "--deterministic", "--backend", "cpu").stdout


def test_a_device_that_is_not_here(answer):
    """Its units and its arithmetic in double decide, not those that were measured."""
    case = "forward 2d n=200x200 m=30000 traj=random prec=f64 tol=1e-4"
    slowest = {units: answer(case, "--on", f"cpu:units={units}")["serve"][-1]["estimated_s"] for units in (2, 16)}
    assert slowest[2] > 2 * slowest[16]
    centre, gaming = ([one["estimated_s"] for one in answer(case, "--on", f"cuda:capability={capability}")["serve"]
                       if one["variant"] == "naive.cuda"] for capability in (90, 89))
    assert all(b > 4 * a for a, b in zip(centre, gaming, strict=True))  # none where CUDA is not built


def test_a_backend_that_is_not_built_is_told(answer):
    found = answer(CASE, "--on", "cuda:capability=89")
    assert found["serve"] or found["text"].startswith("no engine of cuda serves this problem: built without CUDA")


@pytest.mark.parametrize("case", ["uniform:scfo562349*8192", "forward 2d n=64x64 m=4096 coils=16 layout=planar"])
def test_vectors_are_not_drawn_for_a_device_that_is_not_here(answer, case):
    """36 GB of them."""
    assert answer(case, "--on", "cpu:units=2,gb=64")["variant"]


def test_squares_are_for_windows_that_fit(answer):
    """nufft_gemm spreads few columns by squares where windows have up to 7 cells, and takes four times as long by boxes:
    an oversampling whose windows have 8 must not be foreseen by squares."""
    found = answer("adjoint 2d n=256x256 m=65536 traj=radial:256", "--on", "cuda:capability=90,units=132,gbs=4800")
    taken = [one["variant"] for one in found["serve"] if one["variant"].startswith("nufft_gemm.cuda")]
    assert all("sigma=125" not in variant for variant in taken)  # none where CUDA is not built


@pytest.mark.parametrize("verb", ["check", "bench"])
def test_only_the_chosen_one_runs(ndft, answer, verb):
    found = answer(CASE, "--backend", "cpu")
    done = ndft(verb, CASE, "--variant", "best", "--backend", "cpu", "--json")
    assert f"best on {found['device']}: {found['text']}" in done.stderr
    (record,) = lines(done.stdout)
    assert record["variant"] == found["variant"] and record["verdict"] == "pass"
    assert found["text"] in ndft(verb, CASE, "--variant", "best", "--backend", "cpu").stdout


def test_its_output_is_written(ndft, tmp_path):
    done = ndft("run", CASE, "--variant", "best", "--out", str(tmp_path / "o.npy"))
    assert "fastest by estimate" in done.stdout and (tmp_path / "o.npy").stat().st_size > 200 * 8


def test_what_cannot_be_chosen_is_refused(ndft):
    assert "sets its knobs itself" in ndft("bench", CASE, "--variant", "best", "--knob", "tile=32", code=2).stderr
    done = ndft("check", CASE.replace("tol=1e-4", "tol=1e-9"), "--variant", "best", "--backend", "cpu", code=2)
    assert "no engine of cpu serves this problem" in done.stdout
    assert "there is no backend 'cup'" in ndft("best", CASE, "--backend", "cup", code=2).stderr
    assert "estimate, measure or exhaustive" in ndft("best", CASE, "--mode", "patient", code=2).stderr
    assert "there is no 'unit'; units, mhz, gb, gbs and" in ndft("best", CASE, "--on", "cuda:unit=3", code=2).stderr
    assert "no --mode" in ndft("best", CASE, "--on", "cuda", "--mode", "measure", code=2).stderr
    ndft("best", "forward 2d n=3 m=4", code=2)
