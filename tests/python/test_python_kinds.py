# SPDX-License-Identifier: Apache-2.0
"""Arrays of other packages in host memory: results of the same kind, the same bits as NumPy's, no copies."""

import ctypes

import numpy as np
import pytest

import ndft
from ndft._kinds import kind_of
from sums import complex_noise

RNG = np.random.default_rng(4)
K, T = RNG.uniform(-4, 4, (30, 2)), RNG.uniform(0, 8e-3, 30)
FIELD, IMAGE = RNG.normal(0, 300, (8, 5)), complex_noise(RNG, (8, 5))


@pytest.fixture
def plan():
    return ndft.Plan((8, 5), K, t=T, field=FIELD, mask=None)


def refused(call, message, error=ndft.InvalidError):
    with pytest.raises(error, match=message):
        call()


class Exported:
    """An array of a package that nobody knows."""

    def __init__(self, array):
        self.__dlpack__, self.__dlpack_device__ = array.__dlpack__, array.__dlpack_device__


Exported.__dlpack__ = lambda self: self.__dict__["__dlpack__"]()
Exported.__dlpack_device__ = lambda self: self.__dict__["__dlpack_device__"]()


def test_dlpack(plan):
    out = np.empty(30, complex)
    assert plan.forward(Exported(IMAGE), out=out) is out
    assert np.array_equal(out, plan.forward(IMAGE))
    refused(lambda: plan.forward(Exported(IMAGE)), "out=... of shape .30,. takes", ndft.UnsupportedError)
    refused(lambda: plan.forward(Exported(IMAGE.real.copy())), "image is float64")
    refused(lambda: plan.forward(Exported(np.zeros((8, 10), complex)[:, ::2])), "image is not packed")


def test_numpy_subclasses(plan):
    class Mine(np.ndarray):
        pass
    assert np.array_equal(plan.forward(IMAGE.view(Mine)), plan.forward(IMAGE))
    frozen = IMAGE.copy()
    frozen.flags.writeable = False
    assert np.array_equal(plan.forward(frozen), plan.forward(IMAGE))


def test_torch(plan):
    torch = pytest.importorskip("torch")
    image, out = torch.from_numpy(IMAGE), torch.empty(30, dtype=torch.complex128)
    right = plan.forward(IMAGE)
    of_torch = ndft.Plan((8, 5), torch.from_numpy(K), t=torch.from_numpy(T), field=torch.from_numpy(FIELD))
    found = of_torch.forward(image.requires_grad_())
    assert isinstance(found, torch.Tensor) and not found.requires_grad and np.array_equal(found.numpy(), right)
    assert plan.forward(image, out=out) is out and np.array_equal(out.numpy(), right)
    assert kind_of(image).view(image).address == image.data_ptr() == IMAGE.ctypes.data
    refused(lambda: plan.forward(image.detach().conj()), "image is not packed .*resolve_conj")
    refused(lambda: plan.forward(image.detach().to(torch.complex64)), r"image.to\(torch.complex128\)")
    refused(lambda: plan.forward(image.detach().T), "contiguous")
    refused(lambda: plan.forward(torch.empty((8, 5), dtype=torch.complex128, device="meta")), "a tensor on meta")
    masked = ndft.Plan((8, 5), K, mask=IMAGE.real > 0)
    assert np.array_equal(masked.of_grid(image.detach()).numpy(), masked.of_grid(IMAGE))
    assert np.array_equal(masked.on_grid(masked.of_grid(image.detach())).numpy(), masked.on_grid(masked.of_grid(IMAGE)))


def test_jax(plan):
    jax = pytest.importorskip("jax")
    doubles = jax.experimental.enable_x64() if hasattr(jax.experimental, "enable_x64") else jax.enable_x64(True)
    with doubles, jax.default_device(jax.devices("cpu")[0]):
        image = jax.numpy.asarray(IMAGE)
        right = plan.forward(IMAGE)
        found, again = plan.forward(image), plan.forward(2 * image)
        assert isinstance(found, jax.Array) and np.array_equal(found, right) and np.array_equal(again, 2 * right)
        assert not np.any(jax.numpy.empty(30, complex))  # what was filled was nobody's
        refused(lambda: plan.forward(image, out=found), "out cannot be written")
        refused(lambda: jax.jit(plan.forward)(image), "outside of jit", ndft.UnsupportedError)
        refused(lambda: jax.grad(lambda x: plan.forward(x).real.sum(), holomorphic=True)(image), "outside of jit",
                ndft.UnsupportedError)
        of_jax = ndft.Plan((8, 5), jax.numpy.asarray(K), t=jax.numpy.asarray(T), field=jax.numpy.asarray(FIELD))
        assert np.array_equal(of_jax.forward(IMAGE), right)


def test_bytes_behind_the_arrays_stay(plan):
    """Neither more than the result is written, nor the input."""
    memory, image = np.full(40, 7j), IMAGE.copy()
    plan.forward(image, out=memory[5:35])
    assert np.all(memory[:5] == 7j) and np.all(memory[35:] == 7j) and np.array_equal(image, IMAGE)
    assert ctypes.string_at(memory[5:35].ctypes.data, 480) == plan.forward(IMAGE).tobytes()
