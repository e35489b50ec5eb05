# SPDX-License-Identifier: Apache-2.0
"""New values in a live plan, clones, and what is left of plans that nobody holds."""

import copy
import os
import subprocess
import sys
import textwrap
import threading
from concurrent.futures import ThreadPoolExecutor
from functools import partial

import numpy as np
import pytest

import ndft
from sums import complex_noise, error, matrix

RNG = np.random.default_rng(3)
SHAPE = (8, 5)
K, T = RNG.uniform(-4, 4, (30, 2)), RNG.uniform(0, 8e-3, 30)
FIELD, IMAGE = RNG.normal(0, 300, SHAPE), complex_noise(RNG, SHAPE)


def right(k=K, t=T, field=FIELD):
    return matrix(SHAPE, k, t, field) @ IMAGE.ravel()


def test_new_values():
    plan = ndft.Plan(SHAPE, K, t=T, field=FIELD)
    plan.set_samples(K[:10].reshape(2, 5, 2), T[:10].reshape(2, 5))
    assert plan.samples_shape == (2, 5)
    assert error(plan.forward(IMAGE).ravel(), right(K[:10], T[:10])) < 1e-9
    plan.set_field(2 * FIELD)
    assert error(plan.forward(IMAGE).ravel(), right(K[:10], T[:10], 2 * FIELD)) < 1e-9
    mask = IMAGE.real > 0
    plan.set_mask(mask)
    a = matrix(SHAPE, K[:10], T[:10], 2 * FIELD)[:, mask.ravel()]
    assert error(plan.forward(IMAGE[mask]).ravel(), a @ IMAGE[mask]) < 1e-9


def test_capacity():
    plan = ndft.Plan(SHAPE, K[:5], t=T[:5], field=FIELD, capacity=ndft.Capacity(K, T, 2 * FIELD))
    before = plan.describe()["bytes"]
    plan.set_samples(K, T)
    assert plan.describe()["bytes"] == before
    assert error(plan.forward(IMAGE), right()) < 1e-9


@pytest.mark.parametrize("frames", [False, True])
def test_refused_values_leave_the_plan(frames):
    shape = (3, 10) if frames else (30,)
    k, t = K.reshape(*shape, 2), T.reshape(shape)
    plan = ndft.Plan(SHAPE, k, t=t, field=FIELD, frames=frames)
    image = np.stack(3 * [IMAGE]) if frames else IMAGE
    before = plan.forward(image)
    wrong = 2 * k
    wrong[..., -1, 1] = np.nan if not frames else [0, 0, np.nan]  # of the last frame alone
    for change in (lambda: plan.set_samples(wrong, t), lambda: plan.set_samples(k.astype("float32"), t),
                   lambda: plan.set_field(FIELD * np.inf), lambda: plan.set_field(FIELD[:3]),
                   lambda: plan.set_mask(np.zeros(SHAPE, bool))):
        with pytest.raises(ndft.InvalidError):
            change()
        assert np.array_equal(plan.forward(image), before)
    plan.set_samples(k / 2, t)
    assert error(plan.forward(image).ravel(), right(K / 2)) < 1e-9


def in_threads(*calls):
    """What they return, each from a thread of its own."""
    with ThreadPoolExecutor(len(calls)) as pool:
        return [future.result() for future in [pool.submit(call) for call in calls]]


def test_clones_in_threads():
    plan = ndft.Plan(SHAPE, K, t=T, field=FIELD)
    before = plan.forward(IMAGE)

    def execute(mine):
        return all(np.array_equal(mine.forward(IMAGE), before) for _ in range(50))

    assert in_threads(*(partial(execute, plan.clone()) for _ in range(8))) == 8 * [True]


def test_one_plan_in_threads():
    """Executions of one plan are one after the other."""
    plan = ndft.Plan(SHAPE, K, t=T, field=FIELD)
    before = plan.forward(IMAGE)
    assert all(in_threads(*4 * [lambda: all(np.array_equal(plan.forward(IMAGE), before) for _ in range(200))]))


def test_new_samples_beside_executions():
    """An execution sees the samples before or after, with an output that is theirs."""
    plan, done = ndft.Plan(SHAPE, K, t=T, field=FIELD), threading.Event()

    def execute():
        while not done.is_set():
            found = plan.forward(IMAGE)
            assert error(found, right()[:found.size]) < 1e-9

    def change():
        try:
            for count in 60 * [30, 7]:
                plan.set_samples(K[:count], T[:count])
        finally:
            done.set()

    in_threads(*3 * [execute], change)


@pytest.mark.parametrize("of", [ndft.Plan.clone, copy.copy])
def test_a_clone_keeps_what_it_has(of):
    plan = ndft.Plan(SHAPE, K, t=T, field=FIELD)
    clone, before = of(plan), plan.forward(IMAGE)
    plan.set_samples(-K[:7], T[:7])
    assert np.array_equal(clone.forward(IMAGE), before) and plan.forward(IMAGE).shape == (7,)


def resident_bytes():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * 4096


def test_plans_go():
    def some(count):
        for _ in range(count):
            ndft.Plan((32, 32), np.zeros((500, 2)), coils=4).forward(np.zeros((4, 32, 32), complex))

    some(100)
    before = resident_bytes()
    some(1000)
    assert resident_bytes() - before < 8 << 20


def run(text):
    done = subprocess.run([sys.executable, "-c", textwrap.dedent(text)], capture_output=True, text=True)
    assert done.returncode == 0 and not done.stderr, done.stderr
    return done.stdout


def test_the_interpreter_ends_with_a_live_plan():
    run("""
        import atexit, numpy as np, ndft, threading
        atexit.register(lambda: plan.forward(np.zeros((8, 5), complex)))
        plan = ndft.Plan((8, 5), np.zeros((6, 2)))
        plan.itself = plan
        threading.Thread(target=plan.clone, daemon=True).start()
    """)


def test_nothing_is_imported_but_numpy():
    said = run("""
        import sys, ndft
        print([name for name in ("torch", "cupy", "jax", "scipy") if name in sys.modules])
        print(ndft.describe()["version"] == ndft.__version__)
    """)
    assert said == "[]\nTrue\n"


@pytest.mark.parametrize("file, words", [("/nowhere.so", "libndft was not found (/nowhere.so"),
                                         ("libm.so.6", "libm.so.6 has no ndft_device_open: it is no libndft")])
def test_a_library_that_is_missing(file, words):
    done = subprocess.run([sys.executable, "-c", "import ndft"], capture_output=True, text=True,
                          env={"NDFT_LIBRARY": file, "PYTHONPATH": ":".join(sys.path)})
    assert f"ImportError: {words}" in done.stderr


def test_without_a_host_fft():
    done = subprocess.run([sys.executable, "-m", "ndft"], capture_output=True, text=True,
                          env={**os.environ, "NDFT_HOST_FFT": "none", "PYTHONPATH": ":".join(sys.path)})
    assert done.returncode == 0 and '"fft_missing": "' in done.stdout


def test_nobody_reads():
    read, written = os.pipe()
    os.close(read)
    done = subprocess.run([sys.executable, "-m", "ndft"], stdout=written, stderr=subprocess.PIPE, text=True,
                          env={**os.environ, "PYTHONPATH": ":".join(sys.path)})
    os.close(written)
    assert not done.stderr


def test_describe():
    said = ndft.Plan(SHAPE, K).describe()
    assert [operation["op"] for operation in said["operations"]] == ["forward", "adjoint"]
    assert ndft.Plan(SHAPE, K).workspace_bytes == said["workspace_bytes"]
    first = ndft.describe()["devices"][0]
    assert first["device"] == "cpu" and first["name"]
