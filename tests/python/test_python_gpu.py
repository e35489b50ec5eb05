# SPDX-License-Identifier: Apache-2.0
"""Arrays on a GPU: on the caller's current stream, in a graph, beside arrays of the host."""

import gc

import numpy as np
import pytest

import ndft
from ndft._kinds import kind_of
from sums import complex_noise, error, matrix

RNG = np.random.default_rng(5)
SHAPE = (24, 20)
K = RNG.uniform(-8, 8, (700, 2)).astype("float32")
T = RNG.uniform(0, 8e-3, 700).astype("float32")
FIELD = RNG.normal(0, 300, SHAPE).astype("float32")
IMAGE = complex_noise(RNG, (4, *SHAPE), "complex64")
RIGHT = IMAGE.reshape(4, -1) @ matrix(SHAPE, K, T, FIELD).T

try:
    with_gpu = ndft.Plan((2,), np.zeros((1, 1)), device="cuda")
except ndft.DeviceError as reason:
    pytestmark = pytest.mark.skip(reason=str(reason))


def planned(k=K, t=T, field=FIELD, **options):
    return ndft.Plan(SHAPE, k, t=t, field=field, coils=4, ops=("forward", "adjoint", "normal"), **options)


def module(name):
    """A package that has a GPU."""
    found = pytest.importorskip(name)
    if not (found.cuda.is_available() if name in ("torch", "cupy") else found.default_backend() == "gpu"):
        pytest.skip(f"{name} sees no GPU")
    return found


def test_of_the_host():
    plan = planned(device="cuda")
    assert plan.device == "cuda:0" and error(plan.forward(IMAGE), RIGHT) < 1e-4


def test_torch():
    torch = module("torch")
    k, t, field, image = (torch.from_numpy(array).cuda() for array in (K, T, FIELD, IMAGE))
    plan = planned(k, t, field)
    found = plan.forward(image)
    assert found.device == image.device and error(found.cpu(), RIGHT) < 1e-4
    left = torch.vdot(found.ravel(), found.ravel()).cpu()
    assert abs(left - torch.vdot(image.ravel(), plan.adjoint(found).ravel()).cpu()) < 1e-3 * abs(left)
    assert error(plan.normal(image).cpu(), plan.adjoint(found).cpu().numpy()) < 1e-3
    assert error(plan.forward(IMAGE), RIGHT) < 1e-4  # of the host, behind what is queued
    with pytest.raises(ndft.InvalidError, match="out is on cpu, the input on cuda:0"):
        plan.forward(image, out=torch.empty((4, 700), dtype=torch.complex64))
    with pytest.raises(ndft.InvalidError, match=r"image is on cuda:0, the plan on cpu; .*device='cuda:0'"):
        planned().forward(image)
    plan.set_field(2 * field)
    assert error(plan.forward(image).cpu(), IMAGE.reshape(4, -1) @ matrix(SHAPE, K, T, 2 * FIELD).T) < 1e-4


def test_current_stream_of_torch():
    """What a stream is about to write is read by an execution on it, and by none on another."""
    torch = module("torch")
    plan, image = planned(device="cuda"), torch.zeros((4, *SHAPE), dtype=torch.complex64, device="cuda")
    real, out = torch.from_numpy(IMAGE).cuda(), torch.empty((4, 700), dtype=torch.complex64, device="cuda")
    plan.forward(real)
    stream = torch.cuda.Stream()
    torch.cuda.synchronize()
    with torch.cuda.stream(stream):
        torch.cuda._sleep(200_000_000)  # 0.1 s
        image.copy_(real, non_blocking=True)
        plan.forward(image, out=out)
        assert not stream.query(), "an execution has waited"
    stream.synchronize()
    assert error(out.cpu(), RIGHT) < 1e-4


def test_graph_of_torch():
    torch = module("torch")
    plan, image = planned(device="cuda"), torch.zeros((4, *SHAPE), dtype=torch.complex64, device="cuda")
    out = torch.empty((4, 700), dtype=torch.complex64, device="cuda")
    plan.forward(image, out=out)
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        plan.forward(image, out=out)
    image.copy_(torch.from_numpy(IMAGE))
    graph.replay()
    assert error(out.cpu(), RIGHT) < 1e-4


def test_a_plan_that_goes_while_it_works():
    torch = module("torch")
    plan, image = planned(device="cuda"), torch.from_numpy(IMAGE).cuda()
    with torch.cuda.stream(torch.cuda.Stream()) as _:
        torch.cuda._sleep(100_000_000)
        out = plan.forward(image)
        del plan
        gc.collect()
        torch.cuda.current_stream().synchronize()
    assert error(out.cpu(), RIGHT) < 1e-4


def test_cupy():
    cupy = module("cupy")
    plan, image = planned(*map(cupy.asarray, (K, T, FIELD))), cupy.asarray(IMAGE)
    found = plan.forward(image)
    assert isinstance(found, cupy.ndarray) and error(found.get(), RIGHT) < 1e-4
    assert kind_of(image).view(image).address == image.data.ptr
    with cupy.cuda.Stream(non_blocking=True) as stream:
        again = plan.forward(image)
    stream.synchronize()
    del stream
    assert cupy.array_equal(found, again)
    with pytest.raises(ndft.InvalidError, match="cupy.ascontiguousarray"):
        plan.forward(image[:, ::-1])


class Exported:
    """An array of a package that nobody knows."""

    def __init__(self, array, name):
        setattr(type(self), name, property(lambda self: getattr(array, name)))


def test_interface_of_cuda():
    cupy = module("cupy")
    plan, out = planned(device="cuda"), cupy.empty((4, 700), "complex64")
    image = cupy.asarray(IMAGE)
    plan.forward(Exported(image, "__cuda_array_interface__"), out=out)
    assert error(out.get(), RIGHT) < 1e-4


def test_jax():
    jax = module("jax")
    plan, image = planned(device="cuda"), jax.numpy.asarray(IMAGE)
    found = plan.forward(image)
    assert isinstance(found, jax.Array) and error(found, RIGHT) < 1e-4


@pytest.mark.parametrize("name", ["torch", "cupy"])
def test_a_reconstruction_stays_where_its_data_are(name):
    from ndft import recon
    package = module(name)
    data = RIGHT.astype("complex64")[None, None]
    scan = recon.Acquisition(SHAPE, K, data, t=T, field=FIELD)
    there = package.from_numpy(data).cuda() if name == "torch" else package.asarray(data)
    for density in (0, 10):
        settings = recon.Settings(iterations=5, stop=0, density=density)
        found = recon.reconstruct(recon.Acquisition(SHAPE, K, there, t=T, field=FIELD), settings).images
        assert isinstance(found, type(there)) and found.device == there.device
        assert error(kind_of(found).host(found), recon.reconstruct(scan, settings).images) < 1e-2


@pytest.mark.parametrize("package", ["torch", "cupy"])
def test_chirp_z_transforms(package):
    found = module(package)
    signal = complex_noise(RNG, (6, 100), "complex64")
    there = found.from_numpy(signal).cuda() if package == "torch" else found.asarray(signal)
    planned = ndft.ChirpZ(100, 30, (1, -1e-3), (1, .25), batch=3, dtype="complex64", device="cuda")
    n, k = np.arange(100), np.arange(30)[:, None]
    matrix = np.exp(2j * np.pi * (-1e-3 * k - .25) * n)
    spectrum = planned(there)
    assert type(spectrum) is type(there) and error(spectrum.cpu() if package == "torch" else spectrum.get(),
                                                   signal @ matrix.T) < 1e-4
    back = planned.adjoint(spectrum)
    assert error(back.cpu() if package == "torch" else back.get(), signal @ matrix.T @ matrix.conj()) < 1e-3
    assert error(planned(signal), signal @ matrix.T) < 1e-4  # of the host
