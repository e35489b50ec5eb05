# SPDX-License-Identifier: Apache-2.0
"""Derivatives of every operation against differences, in double precision."""

import numpy as np
import pytest

import ndft
from sums import OPERATIONS, complex_noise

torch = pytest.importorskip("torch")
import ndft.torch  # noqa: E402  behind what says that there is no PyTorch

RNG = np.random.default_rng(7)
SHAPE = (5, 4)
K, T = RNG.uniform(-2, 2, (3, 2, 2)), RNG.uniform(0, 4e-3, (3, 2))
FIELD = RNG.normal(0, 300, SHAPE)
MASK = RNG.random(SHAPE) < .6
DEVICES = ["cpu", pytest.param("cuda", marks=pytest.mark.skipif(not torch.cuda.is_available(),
                                                                reason="PyTorch sees no GPU"))]


def planned(device, **options):
    return ndft.Plan(SHAPE, K, t=T, field=FIELD, tol=1e-11, device=device, ops=OPERATIONS, **options)


def given(plan, operation, device, lead=(2,)):
    tail = plan.samples_shape if operation == "adjoint" else plan.voxels_shape
    return torch.from_numpy(complex_noise(RNG, (*lead, *tail))).to(device).requires_grad_()


def values(device):
    """k, t in ms and the field in 1000 rad/s, so that differences of all are alike."""
    return [torch.tensor(v, device=device, requires_grad=True) for v in (K, 1e3 * T, 1e-3 * FIELD)]


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("masked", [False, True])
@pytest.mark.parametrize("operation", OPERATIONS)
def test_by_everything(operation, masked, device):
    def operate(data, k, t, field):
        """By a plan of its own, whose backward comes later."""
        plan = ndft.Plan(SHAPE, k, t=1e-3 * t, field=1e3 * field, tol=1e-11, device=device, ops=OPERATIONS, mask=mask)
        return getattr(ndft.torch, operation)(plan, data, k=k, t=1e-3 * t, field=1e3 * field)

    mask = MASK if masked else None
    data = given(planned(device, mask=mask), operation, device)
    assert torch.autograd.gradcheck(operate, (data, *values(device)))


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("interleaved", [False, True])
@pytest.mark.parametrize("operation", OPERATIONS)
def test_with_coil_maps(operation, interleaved, device):
    def operate(data, k, t, field):
        plan = ndft.Plan(SHAPE, k, t=1e-3 * t, field=1e3 * field, maps=maps, interleaved=interleaved, tol=1e-11,
                         device=device, ops=OPERATIONS)
        return getattr(ndft.torch, operation)(plan, data, k=k, t=1e-3 * t, field=1e3 * field)

    maps = complex_noise(RNG, (2, *SHAPE))
    samples = (*K.shape[:-1], 2) if interleaved else (2, *K.shape[:-1])
    shape = (2, *(samples if operation == "adjoint" else SHAPE))
    data = torch.from_numpy(complex_noise(RNG, shape)).to(device).requires_grad_()
    assert torch.autograd.gradcheck(operate, (data, *values(device)))


def test_coil_maps_with_gradient_maps_are_refused():
    plan = ndft.Plan(SHAPE, K, t=T, gradient=np.ones((2, *SHAPE)), maps=np.ones((2, *SHAPE), complex))
    k, t, gradient = torch.tensor(K, requires_grad=True), torch.from_numpy(T), torch.ones(2, *SHAPE, dtype=torch.float64)
    with pytest.raises(ndft.UnsupportedError, match="derivatives by k of a plan with coil maps and gradient maps"):
        ndft.torch.forward(plan, torch.ones(*SHAPE, dtype=torch.complex128), k=k, t=t, gradient=gradient)


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("options", [dict(interleaved=True, coils=2), dict(coils=2)])
@pytest.mark.parametrize("operation", OPERATIONS)
def test_by_data(operation, options, device):
    plan = planned(device, **options)
    tail = plan.samples_shape if operation == "adjoint" else plan.voxels_shape
    shape = (*tail, 2) if plan.interleaved else (2, *tail)
    data = torch.from_numpy(complex_noise(RNG, shape)).to(device).requires_grad_()
    assert torch.autograd.gradcheck(lambda x: getattr(ndft.torch, operation)(plan, x), (data,))


def test_times_that_are_broadcast():
    t = torch.tensor(T[:1], requires_grad=True)
    plan = ndft.Plan(SHAPE, K, t=T[:1], field=FIELD, tol=1e-11)
    image = given(plan, "forward", "cpu", ())
    ndft.torch.forward(plan, image, t=t, field=torch.from_numpy(FIELD)).abs().square().sum().backward()
    assert t.grad.shape == t.shape


def laid(data, framed, interleaved):
    """(frames, coils, *own) as a plan has it."""
    data = data if framed else data[0]
    return data.movedim(int(framed), -1).contiguous() if interleaved else data


def planar(found, framed, interleaved):
    """Back."""
    found = found.movedim(-1, int(framed)) if interleaved else found
    return found if framed else found[None]


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("masked", [False, True])
@pytest.mark.parametrize("with_maps", [False, True])
@pytest.mark.parametrize("framed,interleaved", [(True, False), (False, True), (True, True)])
@pytest.mark.parametrize("operation", OPERATIONS)
def test_layouts(operation, framed, interleaved, with_maps, masked, device):
    """Derivatives by everything are those of planar data, a frame after the other."""
    def operate(plan, x, k, t):
        return getattr(ndft.torch, operation)(plan, x, k=k, t=t, field=field, gradient=maps)

    k, t, field = (torch.tensor(v, device=device, requires_grad=True) for v in (K, T[:1], FIELD))
    maps = torch.tensor(RNG.normal(0, 30, (2, *SHAPE)), device=device, requires_grad=True) if with_maps else None
    shared = dict(field=field, gradient=maps, mask=MASK if masked else None, tol=1e-11, device=device, ops=OPERATIONS)
    plan = ndft.Plan(SHAPE, k, t=t, frames=framed, interleaved=interleaved, coils=2, **shared)
    frames = [(one, t[0]) for one in k] if framed else [(k, t)]
    single = [ndft.Plan(SHAPE, one, t=times, **shared) for one, times in frames]
    data = torch.stack([given(each, operation, device) for each in single])
    found = planar(operate(plan, laid(data, framed, interleaved), k, t), framed, interleaved)
    right = torch.stack([operate(each, x, *values) for each, x, values in zip(single, data, frames)])
    by, weights = [data, k, t, field, *[maps] * with_maps], torch.from_numpy(complex_noise(RNG, found.shape)).to(device)
    for mine, theirs in zip(*(torch.autograd.grad((x * weights).real.sum(), by) for x in (found, right))):
        assert mine.shape == theirs.shape
        assert (mine - theirs).norm() <= 1e-9 * theirs.norm()


def test_refusals():
    k, t, field = torch.tensor(K, requires_grad=True), torch.from_numpy(T), torch.tensor(FIELD, requires_grad=True)
    plan = planned("cpu")
    image = given(plan, "forward", "cpu")
    with pytest.raises(ndft.InvalidError, match="t is None; derivatives by field"):
        ndft.torch.forward(plan, image, field=field)
    with pytest.raises(ndft.InvalidError, match="field is None; derivatives by t"):
        ndft.torch.forward(plan, image, t=t.clone().requires_grad_())
    with pytest.raises(ndft.InvalidError, match=r"k has the shape \(6, 2\); \(3, 2, 2\)"):
        ndft.torch.forward(plan, image, k=k.reshape(6, 2))
    found = ndft.torch.forward(plan, image, k=k).abs().sum()
    plan.set_samples(K / 2, T)
    with pytest.raises(ndft.InvalidError, match="new values since"):
        found.backward()


def test_decay_has_no_derivatives_by_times():
    plan = planned("cpu", decay=np.abs(FIELD) / 10)
    image, field = given(plan, "forward", "cpu"), torch.tensor(FIELD)
    with pytest.raises(ndft.UnsupportedError, match="derivatives by t of a plan with decay"):
        ndft.torch.forward(plan, image, t=torch.tensor(T, requires_grad=True), field=field)
    ndft.torch.forward(plan, image, t=torch.tensor(T), field=field.requires_grad_()).abs().sum().backward()


PHASE = (RNG.uniform(-2, 2, (2, 3, 2)), RNG.uniform(-1, 1, (2, *SHAPE)))


def test_by_everything_with_a_phase():
    def operate(data, k, t, field):
        plan = ndft.Plan(SHAPE, k, t=1e-3 * t, field=1e3 * field, phase=PHASE, tol=1e-11, device="cpu", ops=OPERATIONS)
        return ndft.torch.forward(plan, data, k=k, t=1e-3 * t, field=1e3 * field)

    data = given(planned("cpu"), "forward", "cpu")
    assert torch.autograd.gradcheck(operate, (data, *values("cpu")))


def test_by_everything_off_the_grid():
    def operate(data, k, t, field):
        plan = ndft.Plan(SHAPE, k, t=1e-3 * t, field=1e3 * field, grid=grid, tol=1e-11, device="cpu", ops=OPERATIONS)
        return ndft.torch.adjoint(plan, data, k=k, t=1e-3 * t, field=1e3 * field)

    grid = RNG.uniform(-4, 4, (*SHAPE, 2))
    data = given(planned("cpu"), "adjoint", "cpu")
    assert torch.autograd.gradcheck(operate, (data, *values("cpu")))


def test_phase_and_gradients_have_no_derivatives_by_maps():
    gradient = RNG.normal(0, 20, (2, *SHAPE))
    plan = planned("cpu", phase=PHASE, gradient=gradient)
    image = given(plan, "forward", "cpu")
    with pytest.raises(ndft.UnsupportedError, match="derivatives by gradient of a plan with phase"):
        ndft.torch.forward(plan, image, k=torch.tensor(K), t=torch.tensor(T), field=torch.tensor(FIELD),
                           gradient=torch.tensor(gradient, requires_grad=True))


def test_compiled():
    plan = planned("cpu")
    image = given(plan, "forward", "cpu")
    compiled = torch.compile(lambda x: ndft.torch.forward(plan, x).abs().sum(), backend="eager")
    assert torch.equal(compiled(image), ndft.torch.forward(plan, image).abs().sum())
