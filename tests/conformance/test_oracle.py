# SPDX-License-Identifier: Apache-2.0
"""The C reference against oracle.py over 50 exported cases, and the oracle against itself."""

import subprocess

import numpy as np
import pytest

from program import PROGRAM
import oracle


CASES = """
forward 1d n=1 m=1
forward 1d n=2 m=3 t=1ms field=const:50Hz
adjoint 1d n=7 m=5 t=5ms field=random:100Hz
forward 1d n=64 m=100 traj=random t=30ms field=linear:200Hz
adjoint 1d n=257 m=129 prec=f64 t=30ms field=random:200Hz grad=random:20Hz
forward 1d n=101 m=300 coils=5 layout=interleaved t=10ms field=smooth:80Hz grad=field
forward 1d n=255 m=64 t=20ms grad=random:40Hz seed=3
normal 1d n=33 m=40 t=10ms field=random:100Hz grad=random:10Hz
adjoint 1d n=128 m=128 mask=disk prec=f64
forward 2d n=1x1 m=4 t=1ms field=const:10Hz
forward 2d n=1x9 m=11 grad=random:5Hz t=10ms
adjoint 2d n=9x1 m=11 grad=random:5Hz t=10ms
forward 2d n=16x16 m=256 traj=radial:16
adjoint 2d n=16x16 m=256 traj=radial:16 prec=f64
forward 2d n=17x12 m=199 traj=radial:7 t=20ms field=smooth:150Hz coils=2
adjoint 2d n=33x18 m=301 traj=golden:9 t=20ms field=random:150Hz coils=3 layout=interleaved
forward 2d n=20x31 m=400 traj=golden prec=f64 t=10ms field=linear:90Hz
forward 2d n=24x24 m=600 traj=spiral:1 t=40ms field=smooth:100Hz
adjoint 2d n=25x24 m=500 traj=spiral:4 t=25ms field=random:100Hz grad=random:15Hz
forward 2d n=32x32 m=500 traj=spiral:3 t=30ms prec=f64 fov=200mm mask=disk
forward 2d n=32x30 m=512 traj=vdspiral:4 t=30ms field=smooth:120Hz grad=field
adjoint 2d n=31x32 m=511 traj=vdspiral:4 t=30ms field=smooth:120Hz grad=field prec=f64
forward 2d n=32x17 m=544 traj=epi:17 t=30ms field=linear:50Hz
adjoint 2d n=15x16 m=240 traj=epi:16 t=30ms field=smooth:50Hz coils=2 mask=disk
normal 2d n=19x14 m=150 traj=random t=20ms field=random:200Hz coils=2
normal 2d n=14x19 m=150 traj=radial:10 t=20ms grad=random:20Hz mask=disk prec=f64
forward 2d n=33x47 m=211 traj=spiral:4 t=25ms field=smooth:150Hz grad=random:20Hz coils=3 seed=7
forward 2d n=21x22 m=333 data=phantom traj=radial:9
adjoint 2d n=22x21 m=333 data=phantom traj=golden:9 t=10ms field=smooth:60Hz
forward 2d n=13x11 m=100 t=30ms grad=random:100Hz field=none
adjoint 2d n=13x11 m=100 t=30ms grad=random:100Hz field=none layout=interleaved coils=4
forward 2d n=40x3 m=97 coils=17 t=5ms field=random:40Hz
adjoint 2d n=3x40 m=97 coils=17 layout=interleaved t=5ms field=random:40Hz prec=f64
forward 2d n=18x18 m=200 mask=disk t=10ms field=random:100Hz grad=random:10Hz coils=2 layout=interleaved
adjoint 2d n=18x19 m=200 mask=disk t=10ms field=random:100Hz grad=random:10Hz coils=2
forward 3d n=1x1x1 m=2 t=1ms field=const:10Hz
forward 3d n=5x6x7 m=150
adjoint 3d n=7x6x5 m=150 prec=f64
forward 3d n=8x8x8 m=300 traj=kooshball:20 t=10ms field=smooth:100Hz
forward 3d n=8x7x9 m=300 traj=floret:20 t=10ms field=smooth:100Hz
adjoint 3d n=9x8x7 m=300 traj=kooshball t=10ms field=random:100Hz grad=random:20Hz
forward 3d n=12x10x5 m=320 traj=sos:8x5 t=10ms field=linear:60Hz coils=2
adjoint 3d n=11x10x6 m=320 traj=sos t=10ms field=smooth:60Hz grad=field mask=disk
forward 3d n=6x5x4 m=100 t=30ms grad=random:60Hz coils=3 layout=interleaved
adjoint 3d n=4x5x6 m=100 t=30ms grad=random:60Hz coils=3 prec=f64
normal 3d n=5x4x6 m=60 t=10ms field=random:100Hz grad=random:10Hz coils=2 layout=interleaved
forward 3d n=16x1x9 m=128 traj=random t=20ms field=random:300Hz mask=disk prec=f64
adjoint 3d n=1x16x9 m=128 traj=random t=20ms field=random:300Hz mask=disk
forward 3d n=10x10x10 m=100 data=phantom traj=kooshball:5 prec=f64
adjoint 3d n=2x3x2 m=500 coils=2 t=50ms field=random:500Hz
forward 2d n=30x30 m=300 t=100ms field=random:1000Hz prec=f64 seed=99
forward 2d n=33x17 m=311 traj=spiral:4 t=25ms field=smooth:150Hz decay=smooth:40 coils=3
adjoint 2d n=14x23 m=203 traj=radial:7 t=30ms decay=random:400 prec=f64 mask=disk
normal 3d n=5x4x6 m=60 t=10ms field=random:100Hz decay=linear:90 grad=random:10Hz coils=2
forward 1d n=64 m=100 t=30ms decay=random:30000 prec=f64
forward 2d n=13x17 m=151 traj=spiral:2 t=15ms field=smooth:90Hz maps=birdcage coils=4
adjoint 2d n=14x11 m=103 traj=radial:7 maps=random coils=3 layout=interleaved mask=disk
normal 3d n=5x4x6 m=60 maps=birdcage coils=5 prec=f64
normal 2d n=9x8 m=70 t=10ms decay=smooth:50 maps=random coils=2 layout=interleaved mask=disk
forward 2d n=33x17 m=311 traj=spiral:4 t=25ms field=smooth:150Hz phase=concomitant:0.55T coils=3
adjoint 3d n=9x8x7 m=300 traj=kooshball t=10ms phase=concomitant:1.5T mask=disk prec=f64
normal 2d n=14x19 m=150 t=20ms phase=random:16:9rad grad=random:20Hz decay=smooth:40 coils=2
forward 1d n=64 m=100 phase=random:2:3000rad prec=f64
chirpz:s1
chirpz:s101*2 outputs=64
chirpz:d64 outputs=100 w=0.999:-0.0123 a=1.01:0.25
chirpz:d100 w=1.02:0.3 a=0.9:-0.1
convolve:sf1
convolve:da13*2 outputs=29 cells=41
convolve:sf9x14*3 cells=18x28
convolve:sn16x5 outputs=11x8 cells=26x12
convolve:da4x1x9*2 outputs=2x3x5 cells=5x3x13
""".strip().splitlines()


def export(case, folder):
    """The folder after `ndft export`, which must succeed."""
    done = subprocess.run([PROGRAM, "export", case, str(folder)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return folder


def test_there_are_72_cases():
    assert len(set(CASES)) == 72


@pytest.mark.parametrize("case", CASES)
def test_the_reference_agrees(case, tmp_path):
    folder = export(case, tmp_path)
    assert np.load(folder / "reference.npy").dtype == np.complex128
    assert oracle.difference(folder) <= oracle.TOLERANCE


ROUND_TRIPS = [
    "forward 2d n=19x22 m=150 traj=spiral:1 t=60ms field=smooth:150Hz grad=random:20Hz coils=3",
    "adjoint 2d n=12x9 m=80 t=10ms field=random:90Hz mask=disk prec=f64 layout=interleaved coils=2",
    "forward 3d n=6x7x5 m=90 t=20ms field=linear:70Hz grad=field mask=disk coils=2",
    "forward 2d n=16x15 m=200 traj=golden:9 t=20ms field=smooth:90Hz",
    "adjoint 2d n=12x9 m=80 t=10ms field=random:90Hz decay=smooth:70 mask=disk coils=2",
    "adjoint 2d n=12x9 m=80 maps=random mask=disk coils=3 layout=interleaved",
    "normal 2d n=12x9 m=80 maps=birdcage coils=3 prec=f64",
    "forward 2d n=12x9 m=80 traj=spiral:1 t=30ms phase=concomitant:0.55T mask=disk",
    "adjoint 1d n=12 m=8 phase=random:1:5rad",
]


@pytest.mark.parametrize("case", ROUND_TRIPS)
def test_exported_files_make_the_same_problem(case, tmp_path):
    first = export(case, tmp_path / "first")
    sources = {"traj": "k", "times": "t", "field": "dw", "grad": "grad", "mask": "mask", "decay": "decay",
               "maps": "maps"}
    sources["data"] = "kspace" if case.startswith("adjoint") else "image"
    words = [w.replace("t=", "times=") if w.startswith("t=") else w
             for w in first.joinpath("case.txt").read_text().split() if not w.startswith("fov=")]
    for i, word in enumerate(words):
        if word.startswith("phase="):
            words[i] = f"phase=file:{first}/phase_c.npy:{first}/phase_b.npy"
        path = first / f"{sources.get(word.split('=')[0])}.npy"
        if path.exists():
            words[i] = f"{word.split('=')[0]}=file:{path}"
    second = export(" ".join(words), tmp_path / "second")
    for name in ("k", "t", "dw", "decay", "phase_c", "phase_b", "grad", "mask", "maps", sources["data"], "reference"):
        assert (first / f"{name}.npy").exists() == (second / f"{name}.npy").exists()
        if (first / f"{name}.npy").exists():
            np.testing.assert_array_equal(oracle.load(first, name), oracle.load(second, name))
    assert oracle.difference(second) <= oracle.TOLERANCE


CLOCKS = {
    "late": 0.1 + 0.005 * np.random.default_rng(2).random(90),
    "backwards": np.linspace(0.03, -0.01, 90),
    "standing": np.full(90, 0.0123),
}


@pytest.mark.parametrize("clock", CLOCKS)
@pytest.mark.parametrize("op", ["forward", "adjoint", "normal"])
def test_the_reference_agrees_on_clocks_of_ones_own(op, clock, tmp_path):
    np.save(tmp_path / "times.npy", CLOCKS[clock])
    folder = export(f"{op} 2d n=9x12 m=90 traj=radial:7 times=file:{tmp_path}/times.npy "
                    "field=random:200Hz grad=random:15Hz prec=f64 coils=2", tmp_path / "case")
    np.testing.assert_array_equal(oracle.load(folder, "t"), CLOCKS[clock])
    assert oracle.difference(folder) <= oracle.TOLERANCE


GRIDS = """
forward 1d n=64 m=100 t=30ms field=random:80Hz
adjoint 2d n=17x12 m=199 traj=radial:7 t=20ms field=smooth:150Hz grad=random:20Hz coils=2 prec=f64
normal 2d n=14x11 m=103 mask=disk maps=random coils=3
forward 3d n=5x6x7 m=150 traj=kooshball t=10ms decay=smooth:40 phase=random:3:9rad mask=disk
""".strip().splitlines()


@pytest.mark.parametrize("case", GRIDS)
@pytest.mark.parametrize("reach", [0.7, 20])
def test_the_reference_agrees_off_the_grid(case, reach, tmp_path):
    n = np.array([int(size) for size in case.split("n=")[1].split()[0].split("x")])
    x = np.random.default_rng(5).uniform(-reach, reach, (n.prod(), len(n))) * n
    np.save(tmp_path / "x.npy", x)
    folder = export(f"{case} grid=file:{tmp_path}/x.npy", tmp_path / "case")
    used = np.ones(len(x), bool) if (mask := oracle.load(folder, "mask")) is None else mask.reshape(-1)
    rounded = x if "prec=f64" in case else x.astype(np.float32)
    np.testing.assert_array_equal(oracle.load(folder, "grid")[used], rounded[used])
    assert oracle.difference(folder) <= oracle.TOLERANCE
    again = export(f"{case} grid=file:{folder}/grid.npy", tmp_path / "again")
    np.testing.assert_array_equal(oracle.load(folder, "reference"), oracle.load(again, "reference"))


def make(folder, n=(3, 4, 5), m=7, coils=2, seed=0, op="forward"):
    """A folder as `ndft export` writes it, with x, y and z of n in this order, without reference."""
    random = np.random.default_rng(seed)
    grid = n[::-1]
    arrays = {
        "k": random.uniform(-0.5, 0.5, (m, 3)) * n,
        "t": random.uniform(0, 0.03, m),
        "dw": random.uniform(-600, 600, grid),
        "grad": random.uniform(-40, 40, (3, *grid)),
        "image": random.normal(size=(coils, *grid, 2)) @ [1, 1j],
        "kspace": random.normal(size=(coils, m, 2)) @ [1, 1j],
    }
    for name, array in arrays.items():
        np.save(folder / f"{name}.npy", array)
    (folder / "case.txt").write_text(f"{op} 3d\n")
    return arrays


def entry(a, n, j, x, y, z):
    """One entry of the operator, spelled out."""
    at, phase, factor = (x, y, z), a["dw"][z, y, x] * a["t"][j], 1.0
    for d in range(3):
        phase += 2 * np.pi * a["k"][j, d] * (at[d] - n[d] // 2) / n[d]
        factor *= np.sinc(a["k"][j, d] / n[d] + a["grad"][d, z, y, x] * a["t"][j])
    return factor * np.exp(-1j * phase)


def test_the_oracle_is_the_definition(tmp_path):
    n = (3, 4, 5)
    a = make(tmp_path, n)
    s = oracle.recompute(tmp_path)
    for j in range(7):
        want = sum(entry(a, n, j, x, y, z) * a["image"][1, z, y, x]
                   for x in range(3) for y in range(4) for z in range(5))
        assert abs(s[1, j] - want) < 1e-13


@pytest.mark.parametrize("blocks", [1, 5])
def test_the_oracles_adjoint_is_its_adjoint(tmp_path, monkeypatch, blocks):
    a = make(tmp_path, op="adjoint")
    mask = np.random.default_rng(1).random((5, 4, 3)) < 0.7
    np.save(tmp_path / "mask.npy", mask)
    monkeypatch.setattr(oracle, "BLOCK_PAIRS", int(mask.sum()) * 7 // blocks)
    operator = oracle.Operator(tmp_path)
    left = np.vdot(a["kspace"], operator.forward(a["image"]))
    right = np.vdot(oracle.recompute(tmp_path), a["image"].astype(oracle.COMPLEX))
    assert abs(left - right) < 1e-16 * abs(left) * 100
    assert (operator.adjoint(a["kspace"])[:, ~mask] == 0).all()


def test_the_oracle_sees_a_wrong_reference(tmp_path):
    make(tmp_path)
    s = oracle.recompute(tmp_path).astype(complex)
    np.save(tmp_path / "reference.npy", s)
    assert oracle.main([str(tmp_path)]) == 0
    s[0, 3] *= 1 + 1e-13
    np.save(tmp_path / "reference.npy", s)
    assert oracle.main([str(tmp_path)]) == 1
    np.save(tmp_path / "reference.npy", s.conj())
    assert oracle.difference(tmp_path) > 0.1
    np.save(tmp_path / "reference.npy", s[:, :-1])
    assert oracle.difference(tmp_path) == float("inf")
