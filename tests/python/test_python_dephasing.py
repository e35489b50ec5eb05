# SPDX-License-Identifier: Apache-2.0
"""Derivatives with gradient maps, against differences and against PyTorch's own of the plain sums."""

import numpy as np
import pytest

import ndft
from sums import OPERATIONS, complex_noise, positions

torch = pytest.importorskip("torch")
import ndft.torch  # noqa: E402  behind what says that there is no PyTorch
from ndft import _dephasing as dephasing  # noqa: E402

RNG = np.random.default_rng(11)
SHAPES = [(7,), (5, 4), (3, 4, 2)]
SAMPLES = (3, 2)
NAMES = "k", "t", "field", "gradient"
DEVICES = ["cpu", pytest.param("cuda", marks=pytest.mark.skipif(not torch.cuda.is_available(),
                                                                reason="PyTorch sees no GPU"))]


def one_axis(gradient):
    gradient[:-1] = 0
    return gradient


MAPS = {
    "noise": lambda gradient: gradient,
    "none": lambda gradient: 0 * gradient,
    "one axis": one_axis,
    "whole cycles": lambda gradient: 1e5 * np.sign(gradient),
    "huge": lambda gradient: 1e4 * gradient,
}


def drawn(shape, maps="noise", dtype="float64", samples=SAMPLES):
    """k, t, field and gradient maps; one sample is at the centre, and one at time 0."""
    k = RNG.uniform(-.7, .7, (*samples, len(shape))) * shape
    t = RNG.uniform(0, 4e-3, samples)
    k[(0,) * len(samples)], t[(0,) * len(samples)] = 0, 0
    found = k, t, RNG.normal(0, 300, shape), MAPS[maps](RNG.normal(0, 100, (len(shape), *shape)))
    return [value.astype(dtype) for value in found]


def tensors(values, device="cpu"):
    return {name: torch.tensor(value, device=device, requires_grad=True) for name, value in zip(NAMES, values)}


def planned(shape, k, t, field, gradient, **options):
    return ndft.Plan(shape, k, t=t, field=field, gradient=gradient, ops=OPERATIONS, **options)


def matrix(shape, k, t, field, gradient, mask=None):
    """(samples, voxels) by the formula, which PyTorch differentiates."""
    k, t = k.reshape(-1, len(shape)), t.reshape(-1, 1)
    found = 2 * np.pi * k @ torch.from_numpy(positions(shape)).to(k.device).T
    found = torch.exp(-1j * (found if field is None else found + t * field.reshape(1, -1)))
    for axis, n in enumerate(shape):
        found = found * torch.sinc(k[:, axis, None] / n + t * gradient[axis].reshape(1, -1))
    return found if mask is None else found[:, torch.from_numpy(mask.ravel()).to(k.device)]


def plainly(operation, a, data):
    columns = data.reshape(-1, a.shape[0 if operation == "adjoint" else 1])
    if operation != "adjoint":
        columns = columns @ a.T
    return columns if operation == "forward" else columns @ a.conj()


def gradients_of(found, weights, values):
    """Of a real loss to which every element of what was found adds."""
    loss = (found.reshape(-1) * weights).real.sum()
    return torch.autograd.grad(loss, [value for value in values if value is not None])


def agree(shape, values, operation, lead=(2,), mask=None, device="cpu", dtype="complex128", bound=1e-9, **options):
    """Everything that ndft.torch differentiates by, and PyTorch by the formula."""
    plan = planned(shape, **{name: None if value is None else value.detach() for name, value in values.items()},
                   mask=mask, device=device, **options)
    tail = plan.samples_shape if operation == "adjoint" else plan.voxels_shape
    data = torch.from_numpy(complex_noise(RNG, (*lead, *tail), dtype)).to(device).requires_grad_()
    by = [data, *values.values()]
    found = getattr(ndft.torch, operation)(plan, data, **values)
    weights = torch.from_numpy(complex_noise(RNG, found.numel())).to(device)
    double = {name: value if value is None else value.double() for name, value in values.items()}
    right = plainly(operation, matrix(shape, **double, mask=mask), data.to(torch.complex128))
    for mine, theirs in zip(gradients_of(found, weights, by), gradients_of(right, weights, by)):
        assert mine.shape == theirs.shape
        assert (mine - theirs).norm() <= bound * theirs.norm()


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("maps", MAPS)
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("operation", OPERATIONS)
def test_by_everything(operation, shape, maps, device):
    agree(shape, tensors(drawn(shape, maps), device), operation, device=device, tol=1e-11)


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("options", [dict(lead=()), dict(lead=(4,), coils=2), dict(lead=(2, 3)), dict(mask=True),
                                     dict(mask=True, coils=2)])
@pytest.mark.parametrize("with_field", [False, True])
@pytest.mark.parametrize("operation", OPERATIONS)
def test_layouts(operation, with_field, options, device):
    values = tensors(drawn((5, 4)), device)
    if not with_field:
        values["field"] = None
    mask = RNG.random((5, 4)) < .6 if "mask" in options else None
    agree((5, 4), values, operation, device=device, tol=1e-11, **{**options, "mask": mask})


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("operation", OPERATIONS)
def test_against_differences(operation, shape, device):
    """In units in which all change alike: ms, 1000 rad/s, 100 Hz."""
    def operate(data, *scaled):
        values = {name: unit * value for name, unit, value in zip(NAMES, units, scaled)}
        plan = planned(shape, *(value.detach() for value in values.values()), tol=1e-12, device=device)
        return getattr(ndft.torch, operation)(plan, data, **values)

    units = 1, 1e-3, 1e3, 1e2
    scaled = [torch.tensor(value / unit, device=device, requires_grad=True)
              for unit, value in zip(units, drawn(shape))]
    data = torch.from_numpy(complex_noise(RNG, SAMPLES if operation == "adjoint" else shape)).to(device)
    assert torch.autograd.gradcheck(operate, (data.requires_grad_(), *scaled))


@pytest.mark.parametrize("pairs", [1, 7, 64])
def test_tiles(pairs, monkeypatch):
    monkeypatch.setattr(dephasing, "_PAIRS_CPU", pairs)
    agree((5, 4), tensors(drawn((5, 4))), "forward", tol=1e-11)


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("operation", OPERATIONS)
def test_single_precision(operation, device):
    """At positions of 44 cycles."""
    values = tensors(drawn((64, 64), dtype="float32", samples=(150,)), device)
    agree((64, 64), values, operation, device=device, dtype="complex64", bound=2e-5, tol=2e-5)


def slope(a):
    """Of sinc, in 80 bits; by its series where the difference cancels."""
    x = np.pi * np.longdouble(1) * a
    series = 1
    for term in range(7, 0, -1):
        series = 1 - x * x / (2 * term * (2 * term + 3)) * series
    return np.where(abs(x) < .2, -np.pi * x / 3 * series, np.pi * (x * np.cos(x) - np.sin(x)) / (x * x))


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_slope_of_sinc(dtype):
    a = np.concatenate([np.geomspace(1e-18, .9, 4000), -np.linspace(.1, 30, 4000)]).astype(dtype)
    sinc, found = dephasing._sinc_and_slope(torch.from_numpy(a))
    right, eps = slope(a.astype(np.longdouble)), np.finfo(dtype).eps
    assert np.all(abs(found.numpy() - right) <= 32 * eps * np.minimum(1, abs(a)))
    assert np.all(abs(sinc.numpy() - np.sinc(a.astype(np.longdouble))) <= 4 * eps)
    sinc, found = dephasing._sinc_and_slope(torch.zeros(1))
    assert sinc == 1 and found == 0


def test_by_field_pairs_are_not_summed(monkeypatch):
    monkeypatch.setattr(dephasing, "_tile", None)
    k, t, field, gradient = drawn((5, 4))
    plan, field = planned((5, 4), k, t, field, gradient), torch.tensor(field, requires_grad=True)
    image = torch.from_numpy(complex_noise(RNG, (5, 4)))
    ndft.torch.forward(plan, image, t=torch.from_numpy(t), field=field).abs().sum().backward()
    assert field.grad.shape == (5, 4)


def test_refusals():
    k, t, field, gradient = tensors(drawn((5, 4))).values()
    plan, image = planned((5, 4), k, t, field, gradient), torch.zeros((5, 4), dtype=torch.complex128)
    for given, message in [
        (dict(k=k), "t is None; derivatives by k need"),
        (dict(k=k, t=t), "gradient is None; derivatives by k need"),
        (dict(k=k, t=t, gradient=gradient), "field is None; derivatives by k need"),
        (dict(t=t, field=field, gradient=gradient), "k is None; derivatives by t need"),
        (dict(gradient=gradient, t=t, field=field), "k is None; derivatives by t need"),
        (dict(k=k, t=t, field=field, gradient=gradient.mT), r"gradient has the shape \(2, 4, 5\); \(2, 5, 4\)"),
        (dict(k=k.reshape(6, 2), t=t, field=field, gradient=gradient), r"k has the shape \(6, 2\); \(3, 2, 2\)"),
    ]:
        with pytest.raises(ndft.InvalidError, match=message):
            ndft.torch.forward(plan, image, **given)
    with pytest.raises(ndft.InvalidError, match="the plan has no gradient maps"):
        ndft.torch.forward(ndft.Plan((5, 4), k, t=t), image, gradient=gradient)
