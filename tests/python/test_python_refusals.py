# SPDX-License-Identifier: Apache-2.0
"""What is wrong is refused, with the value and what is valid; nothing is copied in silence."""

import copy
import os
import pickle
import subprocess
import sys
import tracemalloc
import warnings

import numpy as np
import pytest

import ndft
from sums import complex_noise

K = np.zeros((6, 2))
T = np.zeros(6)


def with_nan(array, *at):
    array = np.array(array, float)
    array[at] = np.nan
    return array


PLANS = [
    (dict(shape=8), "shape=8; 1 to 3 sizes"),
    (dict(shape=(8, 0)), r"shape=\(8, 0\); 1 to 3 sizes of at least 1"),
    (dict(shape=(2, 2, 2, 2)), "1 to 3 sizes"),
    (dict(k=K.astype("float16")), r"k is float16; .*astype\('float32'\)"),
    (dict(k=K.astype(int)), r"k is int64; .*astype\('float64'\)"),
    (dict(k=K.astype(">f8")), "k is >f8; float32"),
    (dict(k=K[:, :1]), r"k has the shape \(6, 1\); \(\*samples_shape, 2\)"),
    (dict(k=K[:0]), r"k has the shape \(0, 2\); one sample or more"),
    (dict(k=K.astype(object)), "k is an array of objects; an array of numbers"),
    (dict(shape=(10**6, 10**6)), r"shape=\(1000000, 1000000\); at most 2147483647 voxels"),
    (dict(k=with_nan(K, 4, 1)), r"k\[4, 1\] is nan; it must be finite"),
    (dict(k=with_nan(K, 3, 0).reshape(2, 3, 2)), r"k\[1, 0, 0\] is nan"),
    (dict(k=K + [0, 1e12]), r"k\[0, 1\] is 1e\+12; it must be finite and below"),
    (dict(t=with_nan(T, 5)), r"t\[5\] is nan"),
    (dict(t=np.zeros(5)), r"t has the shape \(5,\), which does not broadcast to \(6,\)"),
    (dict(t=T.astype(int)), "t is int64; float64 is wanted"),
    (dict(field=np.zeros((8, 5))), "t is None, but field needs times"),
    (dict(t=T, field=np.zeros((5, 8))), r"field has the shape \(5, 8\); \(8, 5\)"),
    (dict(t=T, field=np.zeros(5)), r"field has the shape \(5,\); \(8, 5\)"),
    (dict(t=T, field=with_nan(np.zeros((8, 5)), 3, 2)), r"field\[3, 2\] is nan"),
    (dict(t=T, gradient=np.zeros((8, 5))), r"gradient has the shape \(8, 5\); \(2, 8, 5\)"),
    (dict(t=T, gradient=with_nan(np.zeros((2, 8, 5)), 1, 3, 2)), r"gradient\[1, 3, 2\] is nan"),
    (dict(mask=np.ones((8, 5))), "mask is float64; bool is wanted"),
    (dict(mask=np.ones((8, 4), bool)), r"mask has the shape \(8, 4\); \(8, 5\)"),
    (dict(mask=np.zeros((8, 5), bool)), "mask is 0 everywhere"),
    (dict(coils=0), "coils=0; 1 to 256"),
    (dict(coils=257), "coils=257; 1 to 256"),
    (dict(shape=(8.5, 5)), "shape=.8.5, 5.; 1 to 3 sizes"),
    (dict(shape=(2**64 + 8, 5)), "and at most 2147483647"),
    (dict(tol="fine"), "tol='fine'; above 0"),
    (dict(ops=None), "ops=None; one or more of 'forward'"),
    (dict(coils=2.5), "coils=2.5; 1 to 256"),
    (dict(ops=()), r"ops=\(\); one or more of 'forward'"),
    (dict(memory_limit=-1), "memory_limit=-1; 1 to"),
    (dict(tol=0), "tol=0; above 0"),
    (dict(tol=np.full(2, 1e-3)), r"tol=array\(.*; above 0"),
    (dict(tol_kind=["any"]), r"tol_kind=\['any'\]; one of 'typical', 'any'"),
    (dict(mode=[]), r"mode=\[\]; one of 'estimate'"),
    (dict(variant=""), "there is no variant ''; nearest: naive.cpu"),
    (dict(variant=0), "variant=0; a text"),
    (dict(devices=2), "devices=2; a list of 'cpu'"),
    (dict(capacity=K), r"capacity is ndarray; ndft.Capacity\(k, t, field\)"),
    (dict(tol=2.), "tol=2; 1e-13 to 1"),
    (dict(tol_kind="worst"), "tol_kind='worst'; one of 'typical', 'any'"),
    (dict(mode="guess"), "mode='guess'; one of 'estimate'"),
    (dict(ops=("inverse",)), "ops='inverse'; one of 'forward'"),
    (dict(device="tpu"), "tpu"),
    (dict(variant="fastest.cpu"), "fastest"),
    (dict(k=K[:0], frames=True), "k has no frames"),
    (dict(k=K.reshape(2, 3, 2), frames=True, t=np.zeros(4)), r"t has the shape \(4,\)"),
    (dict(threads=-1), "threads=-1"),
    (dict(k=np.ma.masked_array(K)), r"a masked array: x.filled\(0\)"),
    (dict(variant="naive.cpu\0"), "variant='naive.cpu.x00'; a text without NUL"),
]


@pytest.mark.parametrize("wrong,message", PLANS, ids=[message for _, message in PLANS])
def test_plans(wrong, message):
    with pytest.raises(ValueError, match=message) as caught:
        ndft.Plan(**{"shape": (8, 5), "k": K, **wrong})
    assert isinstance(caught.value, ndft.InvalidError)


def test_maps_that_only_time_makes_seen():
    plan = {"shape": (8, 5), "k": K, "field": np.full((8, 5), 9.0), "decay": np.full((8, 5), 9.0)}
    with pytest.warns(UserWarning, match="^no effect of field and decay, since all t are 0$") as said:
        idle = ndft.Plan(**plan, t=np.zeros(6))
    assert len(said) == 1 and said[0].filename == __file__
    assert idle.describe()["warning"] == "no effect of field map and decay, since all samples are read at t=0"
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert "warning" not in ndft.Plan(**plan, t=np.ones(6)).describe()
        ndft.Plan((8, 5), K, field=np.zeros((8, 5)), t=np.zeros(6))


def test_classes():
    with pytest.raises(RuntimeError) as caught:
        ndft.Plan((8,), np.zeros((1, 1)), device="cuda:77")
    assert isinstance(caught.value, ndft.DeviceError)
    with pytest.raises(MemoryError):
        ndft.Plan((64, 64), np.zeros((9, 2)), memory_limit=1)
    with pytest.raises(NotImplementedError):
        ndft.Transform("dcfi8")
    with pytest.raises(NotImplementedError, match="^tiled.cpu:tile=3: tile must be a multiple of 8 up to 4096$"):
        ndft.Plan((8, 5), K, variant="tiled.cpu:tile=3")
    with pytest.raises(OSError):
        ndft.wisdom.load("there/is/no/such/file")


def test_threads_that_openmp_cannot_make():
    """Of 100000 libgomp ends the process by a signal, and says nothing."""
    made = "import ndft, numpy; ndft.Plan((8,), numpy.zeros((1, 1)), device='cpu')"
    done = subprocess.run([sys.executable, "-c", made], capture_output=True, text=True,
                          env={**os.environ, "OMP_NUM_THREADS": "100000"})
    assert "InvalidError: OpenMP is to have 100000 threads (OMP_NUM_THREADS); nearest: 4096" in done.stderr


@pytest.mark.parametrize("made", [lambda: ndft.Plan((8, 5), K), lambda: ndft.Transform("scfo8"), lambda: ndft.ChirpZ(8)])
def test_plans_are_not_pickled(made):
    for call in pickle.dumps, copy.deepcopy:
        with pytest.raises(TypeError, match="memory of its process"):
            call(made())


@pytest.mark.parametrize("wrong, message", [(dict(scale=0), "scale=0; any number but 0, or None for 1"),
                                            (dict(scale="2"), "scale='2'; any number but 0"),
                                            (dict(descriptor="scfo8\0"), "descriptor=.*; a text without NUL"),
                                            (dict(descriptor=8), "descriptor=8; a text without NUL")])
def test_transforms(wrong, message):
    with pytest.raises(ndft.InvalidError, match=message):
        ndft.Transform(**{"descriptor": "scfo8", **wrong})


def refused(call, message):
    with pytest.raises(ndft.InvalidError, match=message):
        call()


def read_only(array):
    array.flags.writeable = False
    return array


def test_data():
    plan = ndft.Plan((8, 5), K, coils=2)
    image, out = np.zeros((2, 8, 5), complex), np.empty((2, 6), complex)
    refused(lambda: plan.forward(None), "image is None")
    refused(lambda: plan.forward([[1j]]), "list is no array: .*numpy.asarray")
    refused(lambda: plan.forward(image.astype("complex64")), r"image is complex64; .*image.astype\('complex128'\)")
    refused(lambda: plan.forward(image.astype(">c16")), "image is >c16")
    for other in ("float64", "int64", "object"):
        refused(lambda: plan.forward(image.real.astype(other)), f"image is {other}; complex128")
    refused(lambda: plan.forward(image.transpose(0, 2, 1)), "image is not packed .*numpy.ascontiguousarray")
    refused(lambda: plan.forward(image[:, :, :4].copy()), r"image has the shape \(2, 8, 4\); \(\*lead, 8, 5\)")
    refused(lambda: plan.forward(image[:1].copy()), "with 1 before the image's own axes; a multiple of coils=2")
    refused(lambda: plan.adjoint(image), r"samples has the shape .*; \(\*lead, 6\)")
    refused(lambda: plan.forward(image, out=out[:1]), r"out has the shape \(1, 6\); \(2, 6\)")
    refused(lambda: plan.forward(image, out=out.astype("complex64")), "out is complex64")
    refused(lambda: plan.forward(image, out=np.empty((6, 2), complex).T), "out is not packed")
    refused(lambda: plan.forward(image, out=read_only(out)), "out cannot be written")
    refused(lambda: plan.normal(image), r"^'normal': the plan was made for ops=\('forward', 'adjoint'\)$")


def test_overlap():
    plan = ndft.Plan((8, 5), K)
    memory = np.zeros(100, complex)
    refused(lambda: plan.forward(memory[:40].reshape(8, 5), out=memory[39:45]), "shares memory")
    plan.forward(memory[:40].reshape(8, 5), out=memory[40:46])


def test_a_refused_execution_leaves_the_plan():
    plan, image = ndft.Plan((8, 5), K), complex_noise(np.random.default_rng(1), (8, 5))
    before = plan.forward(image)
    refused(lambda: plan.forward(image[:4]), "image has the shape")
    assert np.array_equal(plan.forward(image), before)


def test_nothing_is_copied():
    """Of 4 MB of images, a result in out takes next to nothing, and without it its own bytes."""
    plan = ndft.Plan((128, 128), np.zeros((50, 2)), coils=16)
    image, out = np.zeros((16, 128, 128), complex), np.empty((16, 50), complex)
    plan.forward(image, out=out)
    tracemalloc.start()
    plan.forward(image, out=out)
    with_out = tracemalloc.get_traced_memory()[1]
    tracemalloc.reset_peak()
    found = plan.forward(image)
    without = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert with_out < 4096 and without < found.nbytes + 8192
