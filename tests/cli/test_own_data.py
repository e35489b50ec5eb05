# SPDX-License-Identifier: Apache-2.0
"""Arrays of one's own: what is said of them, what is doubted, clocks from files, names of outputs.

$NDFT_DATA is a folder with spiral-cylinders/ in it, a measured acquisition that is not part of the
project; without it one test is skipped.
"""

import gzip
import os
import struct
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest

from program import lines, ndft, records, refused
from test_cli import CASE
from turns import of_today

from analysis.__main__ import main

N, M = 24, 240
GRID = f"2d n={N}x{N} m={M}"


@pytest.fixture
def data(tmp_path, monkeypatch):
    """A folder to be in, with k, t, a field map in rad/s and a mask that nobody would doubt."""
    monkeypatch.chdir(tmp_path)
    random = np.random.default_rng(1)
    np.save("k.npy", random.uniform(-N / 2, N / 2, (M, 2)))
    np.save("t.npy", 0.005 + 1e-5 * np.arange(M))
    np.save("dw.npy", random.uniform(-2000, 2000, (1, N, N)))
    np.save("mask.npy", random.random((N, N)) < 0.5)
    return tmp_path


def said(case):
    """What `ndft run` says on stderr: what was read, and the warnings."""
    result = ndft("run", case, "-v", "naive.cpu", "-o", "out.npy")
    assert result.returncode == 0, result.stderr
    told = result.stderr.splitlines()
    assert all(line.startswith("ndft: ") for line in told)
    warnings = [line.removeprefix("ndft: warning: ") for line in told if "warning" in line]
    return [line.removeprefix("ndft: read ") for line in told if " read " in line], warnings


OWN = f"adjoint {GRID} traj=file:k.npy times=file:t.npy field=file:dw.npy"


def test_one_line_says_what_was_read(data):
    (line,), warnings = said(f"{OWN} mask=file:mask.npy")
    assert not warnings
    k = np.abs(np.load("k.npy")).max(axis=0) / (N / 2)
    assert line.startswith(f"|k| up to {k[0]:.3g}, {k[1]:.3g} of N/2; field ")
    used = np.load("dw.npy")[0][np.load("mask.npy")] / (2 * np.pi)
    assert f"field {used.min():.4g} to {used.max():.4g} Hz; times 5 to 7.39 ms; " in line
    assert f"{(used.max() - used.min()) * 2.39e-3:.3g} cycles of phase" in line
    assert line.endswith(f"{used.size} of {N * N} voxels")


def test_every_verb_says_it_once_and_keeps_stdout_clean(data):
    for arguments in (["check", OWN, "-v", "naive[.]cpu", "--json"],
                      ["bench", OWN, "-v", "naive[.]cpu", "--json", "--budget", "0.01"],
                      ["check", OWN, "-v", "naive[.]cpu"], ["export", OWN, "folder"],
                      ["run", OWN, "-v", "naive.cpu", "-o", "out.npy"]):
        result = ndft(*arguments)
        assert result.returncode == 0, result.stderr
        assert result.stderr.count("ndft: read |k| up to") == 1, result.stderr
        assert "cycles of phase" not in result.stdout
        if "--json" in arguments:
            assert [record["verdict"] for record in lines(result.stdout)] == ["pass"]
    assert ndft("check", CASE, "-v", "naive[.]cpu").stderr == ""


@pytest.mark.parametrize("name, change, case, words", [
    (None, None, OWN.replace("times=file:t.npy", ""), "no effect"),
    ("t", lambda t: 1e3 * t, OWN.replace("field=file:dw.npy", ""), "in ms"),
    ("k", lambda k: 2 * np.pi / N * k, OWN, "N/(2 pi)"),
    ("k", lambda k: k / N, OWN, "cycles/voxel"),
    ("k", lambda k: k * [1, 0.09], OWN, "k_y reaches"),
    ("k", lambda k: k / 0.22, OWN, "1/m"),
    ("k", lambda k: 2 * np.pi * k, OWN, "radians/FOV"),
    ("dw", lambda dw: dw / 20, OWN, "multiply it by 2 pi"),
    ("dw", np.rint, OWN, "whole number"),
])
def test_the_unlikely_is_asked_about(data, name, change, case, words):
    if name:
        np.save(f"{name}.npy", change(np.load(f"{name}.npy")))
    _, warnings = said(case)
    assert len(warnings) == 1 and words in warnings[0], warnings


@pytest.mark.parametrize("case", [
    f"forward {GRID} traj=radial:8 t=20ms field=smooth:150Hz grad=field",
    f"forward {GRID} traj=spiral:4 t=25ms field=linear:60Hz mask=disk",
    f"forward {GRID} traj=epi:4 t=30ms field=const:40Hz coils=2",
    f"forward {GRID} traj=golden:8",
    "forward 1d n=64 m=80 t=10ms field=random:200Hz",
    "forward 3d n=17x18x12 m=300 traj=kooshball:20 t=10ms field=smooth:100Hz",
])
def test_own_exports_are_not_doubted(data, case):
    assert ndft("export", case, "out").returncode == 0
    head = " ".join(word for word in case.split()[:4])
    files = {"traj": "k", "times": "t", "field": "dw", "grad": "grad", "mask": "mask",
             "data": "image"}
    words = [f"{key}=file:out/{name}.npy" for key, name in files.items()
             if Path(f"out/{name}.npy").exists()]
    coils = "coils=2" if "coils=2" in case else ""
    result = ndft("export", f"{head} {' '.join(words)} {coils}", "again")
    assert result.returncode == 0, result.stderr
    assert "ndft: read" in result.stderr and "warning" not in result.stderr, result.stderr
    for name in ("k", "t", "reference"):
        assert np.array_equal(np.load(f"out/{name}.npy"), np.load(f"again/{name}.npy"))


def test_files_that_are_read_from_stay(data):
    np.save("c.npy", np.zeros((1, M)))
    np.save("b.npy", np.zeros((1, 1, N, N)))
    os.symlink("t.npy", "clock.npy")
    own = f"{OWN} phase=file:c.npy:b.npy"
    before = {path.name: path.read_bytes() for path in data.iterdir()}
    for name in ("k.npy", "./dw.npy", "clock.npy", "c.npy", "b.npy"):
        refused(ndft("run", own, "-v", "naive.cpu", "-o", name), 2, f"{name} is read from; another name")
    for folder in (".", str(data)):
        refused(ndft("export", own, folder), 2, f"{folder}: the case reads a file there")
    for link in (os.symlink, os.link):
        with TemporaryDirectory() as folder:
            link(data / "k.npy", f"{folder}/k.npy")
            refused(ndft("export", own, folder), 2, f"{folder}: the case reads a file there")
    assert {path.name: path.read_bytes() for path in data.iterdir()} == before
    assert ndft("run", own, "-v", "naive.cpu", "-o", "mask.npy").returncode == 0


@pytest.mark.parametrize("maps, idle", [
    ("field=random:200Hz", "field map,"), ("decay=smooth:40", "decay,"),
    ("field=const:40Hz decay=smooth:40 grad=field", "field map and decay,")])
def test_maps_without_a_readout_have_no_effect(data, maps, idle):
    case = f"forward {GRID} {maps}"
    for verb in (["check", "-v", "naive[.]cpu"], ["run", "-v", "naive.cpu", "-o", "out.npy"]):
        result = ndft(verb[0], case, *verb[1:])
        assert result.returncode == 0
        assert result.stderr.count(f"ndft: warning: no effect of {idle} since all") == 1, result.stderr
        assert ndft(verb[0], f"{case} t=5ms", *verb[1:]).stderr == ""
    assert ndft("check", f"forward {GRID} field=const:0Hz", "-v", "naive[.]cpu").stderr == ""


CLOCKS = {
    "uneven": 0.1 + np.cumsum(np.random.default_rng(3).random(M)) * 2e-5,
    "descending": np.linspace(0.03, 0.01, M),
    "repeated": np.repeat(np.linspace(0, 0.02, M // 10), 10),
    "negative": np.linspace(-0.01, 0.01, M),
    "equal": np.full(M, 0.0123),
    "late lines": 0.125 + np.arange(M) % 30 * 2.0**-13,
}


@pytest.mark.parametrize("clock", CLOCKS)
@pytest.mark.parametrize("op", ["forward", "adjoint", "normal"])
def test_every_variant_takes_any_clock(data, op, clock):
    np.save("t.npy", CLOCKS[clock])
    case = f"{op} {GRID} traj=radial:8 times=file:t.npy field=smooth:150Hz coils=2"
    result = ndft("check", case, "--backend", "cpu", "--json", "--in-process")
    assert result.returncode == 0, result.stdout + result.stderr
    found = {r["variant"].partition(":")[0]: r for r in lines(result.stdout)}
    assert all(r["verdict"] in ("pass", "unsupported") for r in found.values())
    assert found["naive.cpu"]["verdict"] == found["separable_gemm.cpu"]["verdict"] == "pass"
    assert " t=0 times=file:t.npy " in found["naive.cpu"]["case"]
    if clock == "late lines":
        assert found["line_gemm.cpu"]["verdict"] == found["nufft_line.cpu"]["verdict"] == "pass"


def test_a_late_clock_takes_no_more_terms(data):
    """A field map is expanded about the middle of the clock, wherever that is."""
    cost = []
    for late in (0, 0.1):
        np.save("t.npy", late + np.linspace(0, 0.005, M))
        case = f"forward {GRID} times=file:t.npy field=smooth:300Hz prec=f64 tol=1e-10"
        result = ndft("bench", case, "-v", "nufft_scatter[.]cpu", "--json", "--budget", "0.01")
        (record,) = lines(result.stdout)
        assert record["verdict"] == "pass" and record["rel_l2"] < 1e-10
        cost.append(record["cost"])
    assert cost[0] == cost[1]


def test_a_clock_that_is_none_is_named(data):
    t = np.load("t.npy")
    both = OWN + " t=25ms"
    refused(ndft("check", both), 2, "t=25ms", "times=file:t.npy")
    for value, word in ((np.nan, "nan"), (-np.inf, "-inf")):
        t[17] = value
        np.save("t.npy", t)
        refused(ndft("check", OWN), 2, "times=file:t.npy", f"element (17) is {word}")
    np.save("t.npy", t[:-1])
    refused(ndft("check", OWN), 2, "times=file:t.npy", f"({M})", f"({M - 1})")
    np.save("t.npy", np.zeros((M, 2)))
    refused(ndft("check", OWN), 2, "times=file:t.npy", f"({M},2)")


OFF = f"forward {GRID} traj=radial:8 t=20ms field=smooth:150Hz grid=file:x.npy"
EXACT = ("naive", "tiled", "fast_math", "sincos_table", "output_driven", "coil_gemm", "line_gemm")


def scattered(reach=0.6):
    return np.random.default_rng(4).uniform(-reach * N, reach * N, (N * N, 2))


@pytest.mark.parametrize("op", ["forward", "adjoint", "normal"])
def test_exact_sums_take_voxels_off_the_grid(data, op):
    np.save("x.npy", scattered())
    result = ndft("check", OFF.replace("forward", op), "--backend", "cpu", "--json", "--in-process",
                  "--expect", "(naive|tiled|fast_math)[.]cpu")
    assert result.returncode == 0, result.stdout + result.stderr
    assert "off the grid, |x| up to 14.3" in result.stderr
    for record in lines(result.stdout):
        if record["variant"].partition(".")[0] in EXACT:
            assert record["verdict"] == "pass", record
        else:
            assert record["verdict"] == "unsupported", record
            assert record["reason"] == "it takes no voxels off the grid" or "not" in record["reason"], record
    best = ndft("best", OFF)
    assert best.returncode == 0 and ".cpu" in best.stdout, best.stderr


def test_the_grids_own_positions_are_the_grid(data):
    y, x = np.mgrid[:N, :N] - N // 2
    np.save("x.npy", np.stack([x.ravel(), y.ravel()], 1))
    refused(ndft("check", OFF), 2, "x.npy", "<i8", "float32, float64")
    np.save("x.npy", np.stack([x.ravel(), y.ravel()], 1).astype(float))
    result = ndft("check", OFF, "-v", "separable_gemm[.]cpu", "--expect", "separable_gemm[.]cpu")
    assert result.returncode == 0 and "off the grid" not in result.stderr, result.stdout + result.stderr


def test_a_grid_that_is_none_is_named(data):
    x = scattered()
    np.save("x.npy", x[1:])
    refused(ndft("check", OFF), 2, "grid=file:x.npy", f"({N * N},2)", f"({N * N - 1},2)")
    for value, word in ((np.nan, "nan"), (-np.inf, "-inf")):
        x[17, 1] = value
        np.save("x.npy", x)
        refused(ndft("check", OFF), 2, "grid=file:x.npy", f"element (17,1) is {word}")
    refused(ndft("check", f"{OFF} grad=field"), 2, "grad=field", "random:FREQUENCY or file:PATH")
    np.save("x.npy", scattered(0.5) / N)
    (told,) = said(OFF)[1]
    assert "if the file is in FOV, multiply it by N" in told


def test_a_sweep_records_a_clock_by_its_file(data):
    line = f"naive[.]cpu : {OWN}"
    assert ndft("sweep", "--case", line, "-o", "r.jsonl", "--budget", "0.01").returncode == 0
    record = records("r.jsonl")[1]
    assert " t=0 times=file:t.npy field=file:dw.npy " in record["case"]
    assert record["problem"]["label"] == OWN and record["problem"]["turns"] is None


@pytest.mark.parametrize("option, name", [("-o", "rec.png"), ("-o", "rec.cfl"), ("--out", "./a.b/rec.npz")])
def test_arrays_are_written_as_npy_alone(data, option, name):
    refused(ndft("run", CASE, "-v", "naive.cpu", option, name), 2, name, "nearest", "rec.npy")
    assert not Path(name).exists()


def test_other_outputs_have_their_suffix(data):
    refused(ndft("export", CASE, "out.npy"), 2, "out.npy", "folder", "nearest: out")
    refused(ndft("export", CASE, "out.cfl"), 2, "out.cfl", "folder", "nearest: out")
    for verb in (["sweep", "--case", CASE], ["tune", CASE], ["peak"]):
        refused(ndft(*verb, "-o", "records.csv"), 2, "records.csv", "records.jsonl")
    assert not {"out.npy", "out.cfl", "records.csv"} & set(os.listdir())
    assert ndft("run", CASE, "-v", "naive.cpu", "-o", "plain").returncode == 0
    assert np.load("plain").shape == (2, 20)


@pytest.mark.parametrize("arguments, nearest", [
    (["results", "merge", "-o", "all.csv", "r.jsonl"], "all.jsonl"),
    (["results", "export", "--csv", "-o", "all.xlsx", "r.jsonl"], "all.csv"),
    (["report", "-o", "page/report.html", "r.jsonl"], "page/report"),
])
def test_what_is_made_of_records_has_its_suffix(data, capsys, arguments, nearest):
    with pytest.raises(SystemExit) as stopped:
        main(arguments)
    assert stopped.value.code == 2
    name = arguments[arguments.index("-o") + 1]
    said = capsys.readouterr().err
    assert name in said and f"nearest: {nearest}\n" in said and not Path(name).exists()


FOLDER = Path(os.environ.get("NDFT_DATA", "nowhere")) / "spiral-cylinders"


def nifti(path):
    """The voxels of a NIfTI-1 file of one float map, in the file's order."""
    content = gzip.open(path).read()
    rank, *shape = struct.unpack("<8h", content[40:56])
    assert struct.unpack("<h", content[70:72]) == (16,), "float32"
    first = int(struct.unpack("<f", content[108:112])[0])
    voxels = np.frombuffer(content, np.float32, offset=first)
    return voxels.reshape(shape[:rank], order="F").squeeze()


@pytest.mark.skipif(not FOLDER.is_dir(), reason="no measured data: NDFT_DATA names no folder of it")
def test_a_measured_acquisition_is_read_right(data):
    """54 spiral shots of 310 samples, FOV 384 mm, dwell 10 us, echo time 4.6 ms."""
    k = 0.384 * np.load(FOLDER / "ktraj.npy").T.reshape(-1)
    dw = np.fliplr(nifti(FOLDER / "fieldmap_unwrapped.nii.gz"))
    np.save("k.npy", np.stack([k.real, k.imag], 1))
    np.save("dw.npy", np.ascontiguousarray(dw[None]))
    np.save("t.npy", np.tile(4.6e-3 + 1e-5 * np.arange(310), 54))
    case = OWN.replace(GRID, "2d n=192x192 m=16740")
    result = ndft("run", case, "-v", "nufft_scatter.cpu", "-o", "out.npy")
    assert result.returncode == 0, result.stderr
    low, high = dw.min() / (2 * np.pi), dw.max() / (2 * np.pi)
    assert result.stderr == (
        f"ndft: read |k| up to 0.998, 0.998 of N/2; field {low:.4g} to {high:.4g} Hz; "
        f"times 4.6 to 7.69 ms; {(high - low) * 3.09e-3:.3g} cycles of phase\n")


def test_a_pipe_is_no_file(data):
    os.mkfifo("pipe.npy")
    refused(ndft("check", f"forward {GRID} traj=file:pipe.npy", "-v", "naive.cpu"), 3, "pipe.npy: a pipe or a device")


def test_samples_that_repeat_keep_what_is_promised(data):
    """However many are at one place, and however alike their values are."""
    np.save("repeated.npy", np.tile(np.arange(8.) - 4, 20000)[:, None].astype("f4"))
    for case in ("adjoint 1d n=8 m=160000 traj=file:repeated.npy tol=1e-6",
                 "normal 1d n=8 m=160000 traj=file:repeated.npy"):
        told = lines(ndft("check", case, "-v", "chirp_z.cpu", "--json").stdout)
        assert [record["verdict"] for record in told if "verdict" in record] == ["pass"], case


def test_a_clock_in_other_units_is_declined_at_once(data):
    """Millions of turns of phase: nothing is laid out for them."""
    case = "normal 1d n=16 m=333 t=10000s field=random:2000Hz"
    told = lines(ndft("check", case, "-v", "nufft_toeplitz.cpu", "--json").stdout)
    assert [record["verdict"] for record in told if "verdict" in record] == ["unsupported"]


@pytest.mark.parametrize("places, op, tol", of_today([
    (1, "normal", "1e-2"), (3, "forward", "1e-2"), (8, "normal", "1e-2"),
    (8, "normal", "1e-4"), (1, "normal", "1e-4"), (3, "forward", "1e-4")]))
def test_samples_that_repeat_break_no_promise(data, places, op, tol):
    random = np.random.default_rng(7)
    k = random.uniform(-N / 2, N / 2, (places, 2))[random.integers(0, places, 30000)]
    np.save("again.npy", k)
    result = ndft("check", f"{op} 2d n={N}x{N} m=30000 traj=file:again.npy tol={tol}", "-v",
                  ".*[.]cpu", "--json")
    verdicts = {r["variant"]: r["verdict"] for r in lines(result.stdout) if "verdict" in r}
    assert "pass" in verdicts.values()
    assert set(verdicts.values()) <= {"pass", "unsupported"}, result.stdout
