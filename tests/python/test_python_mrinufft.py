# SPDX-License-Identifier: Apache-2.0
"""ndft.mrinufft against the sum in MRI-NUFFT's convention. MRI-NUFFT's own tests are run by mrinufft.sh."""

import numpy as np
import pytest

import ndft
from sums import complex_noise, error, matrix

mrinufft = pytest.importorskip("mrinufft")
import ndft.mrinufft  # noqa: E402  behind what says that there is no MRI-NUFFT

RNG = np.random.default_rng(11)
SHAPE, COILS, BATCHES, SHOTS, POINTS = (9, 8), 3, 2, 5, 16
pytestmark = pytest.mark.filterwarnings("ignore:Samples will be rescaled", "ignore:the field map is interpolated")
N, SAMPLES = 72, SHOTS * POINTS
UNIT = RNG.uniform(-.5, .5, (SHOTS, POINTS, 2))
TIMES, B0 = np.linspace(0, 5e-3, POINTS), RNG.normal(0, 80, SHAPE)
SMAPS, WEIGHTS = complex_noise(RNG, (COILS, *SHAPE)), RNG.uniform(.5, 2, SAMPLES)
FIELDS = pytest.mark.parametrize("b0", [None, B0], ids=["plain", "off_resonance"])


def dense(unit=UNIT, b0=None, shape=SHAPE, times=TIMES):
    """exp(-2 pi i k r + 2 pi i b0 t) / sqrt(N 2^dim)"""
    k = unit.reshape(-1, len(shape)) * shape
    t = np.tile(times, len(k) // len(times))
    found = matrix(shape, k, t, None if b0 is None else -2 * np.pi * b0)
    return found / np.sqrt(np.prod(shape) * 2 ** len(shape))


def operator(b0=None, samples=UNIT, **options):
    """In double precision, of all coils and batches."""
    given = {"n_coils": COILS, "n_batchs": BATCHES, "squeeze_dims": False, "eps": 1e-11, **options}
    made = mrinufft.get_operator("ndft")(samples, SHAPE, **given)
    return made if b0 is None else made.with_off_resonance_correction(TIMES, b0)


def images(op):
    return complex_noise(RNG, op.img_full_shape)


def samples(op):
    return complex_noise(RNG, op.ksp_full_shape)


def flat(x):
    return x.reshape(*x.shape[:2], -1)


@FIELDS
@pytest.mark.parametrize("scale", [1, 2 * np.pi], ids=["unit", "pi"])
def test_coils_and_batches(b0, scale):
    op, a = operator(b0, scale * UNIT), dense(b0=b0)
    x, y = images(op), samples(op)
    assert error(op.op(x), flat(x) @ a.T) < 1e-9
    assert error(flat(op.adj_op(y)), y @ a.conj()) < 1e-9
    assert error(flat(op.data_consistency(x, y)), (flat(x) @ a.T - y) @ a.conj()) < 1e-9
    for toeplitz in (False, True):
        assert error(flat(op.gram_op(x, toeplitz)), flat(x) @ a.T @ a.conj()) < 1e-9


@FIELDS
def test_coil_sensitivities_and_density(b0):
    op, a = operator(b0, smaps=SMAPS, density=WEIGHTS), dense(b0=b0)
    x, y = images(op), samples(op)
    assert x.shape == (BATCHES, 1, *SHAPE)
    forward = flat(x * SMAPS) @ a.T

    def back(s):
        return ((s * WEIGHTS) @ a.conj() * flat(SMAPS[None]).conj()).sum(1, keepdims=True)

    assert error(op.op(x), forward) < 1e-9
    assert error(flat(op.adj_op(y)), back(y)) < 1e-9
    assert error(flat(op.data_consistency(x, y)), back(forward - y)) < 1e-9
    assert error(flat(op.gram_op(x)), back(forward)) < 1e-9
    largest = np.linalg.norm(a.conj().T @ (WEIGHTS[:, None] * a), 2)
    assert abs(op.get_lipschitz_cst(200) - largest) < 1e-2 * largest


def test_one_execution():
    op = operator()
    op.op(images(op))
    assert [plan.coils for plan in op._operator._plans.values()] == [COILS * BATCHES]


def test_axes_of_one():
    op = operator(n_coils=1, n_batchs=1, squeeze_dims=True)
    x = images(op)
    assert op.op(x[0, 0]).shape == (SAMPLES,) and op.adj_op(op.op(x)).shape == SHAPE
    assert error(op.op(x[0, 0]), dense() @ x.ravel()) < 1e-9


@FIELDS
def test_tensors(b0):
    torch = pytest.importorskip("torch")
    op = operator(b0, smaps=SMAPS, density=WEIGHTS)
    x, y = images(op), samples(op)
    for found, right in ((op.op(torch.from_numpy(x)), op.op(x)), (op.adj_op(torch.from_numpy(y)), op.adj_op(y))):
        assert isinstance(found, torch.Tensor) and error(found.numpy(), right) < 1e-14


@FIELDS
def test_other_samples(b0):
    op, other = operator(b0, density=WEIGHTS), RNG.uniform(-.5, .5, UNIT.shape)
    x, y = images(op), samples(op)
    op.op(x)
    plan = next(iter(op._operator._plans.values()))
    op.update_samples(other)
    assert next(iter(op._operator._plans.values())) is plan  # in place
    a = dense(other, b0)
    assert error(op.op(x), flat(x) @ a.T) < 1e-9
    assert error(flat(op.adj_op(y)), (y * WEIGHTS) @ a.conj()) < 1e-9
    with pytest.raises(ndft.InvalidError):
        op.update_samples(other * np.nan)
    assert error(op.op(x), flat(x) @ a.T) < 1e-9
    op.density = None
    op.update_samples(2 * np.pi * other[:2])
    fewer = dense(other[:2], b0)
    assert error(op.samples, 2 * np.pi * other[:2].reshape(-1, 2)) < 1e-15 and op.n_samples == 2 * POINTS
    assert error(op.op(x), flat(x) @ fewer.T) < 1e-9
    assert error(flat(op.adj_op(y[..., :2 * POINTS])), y[..., :2 * POINTS] @ fewer.conj()) < 1e-9


def test_off_resonance_of_their_example():
    """Of tests/operators/test_orc.py, where their own operator errs by 5e-2."""
    from mrinufft.extras.field_map import make_b0map
    shape, rng = (64, 128), np.random.default_rng(0)
    unit = np.clip(rng.normal(0, .16, (1000, 2)), -.48, .48).astype(np.float32)
    b0, mask = make_b0map(shape, b0range=(-300, 300))
    times = np.linspace(0, 5e-2, 1000, dtype=np.float32)
    op = mrinufft.get_operator("ndft")(unit, shape).with_off_resonance_correction(times, b0, mask=mask)
    assert isinstance(op, mrinufft.operators.MRIFourierCorrected)
    a = dense(unit.astype(float), b0, shape, times)
    x, y = complex_noise(rng, shape, np.complex64), complex_noise(rng, 1000, np.complex64)
    assert error(op.op(x), a @ x.ravel()) < 1e-4
    assert error(op.adj_op(y).ravel(), a.conj().T @ y) < 1e-4


def test_field_maps():
    op = operator(B0)
    x = images(op)
    assert error(op.field_map, 2j * np.pi * B0) < 1e-15
    assert error(op.full_readout_time, np.tile(TIMES, SHOTS)) < 1e-15
    op.field_map = -B0
    assert error(op.op(x), flat(x) @ dense(b0=-B0).T) < 1e-9
    op.field_map = 2j * np.pi * B0
    assert error(op.op(x), flat(x) @ dense(b0=B0).T) < 1e-9
    coarse = operator().with_off_resonance_correction(TIMES, np.full((4, 4), 50.))
    assert error(coarse.op(x), flat(x) @ dense(b0=np.full(SHAPE, 50)).T) < 1e-9


def test_refused():
    with pytest.raises(ndft.UnsupportedError, match="r2star_map"):
        operator().with_off_resonance_correction(TIMES, B0, r2star_map=B0)
    with pytest.raises(ndft.UnsupportedError, match="R2"):
        operator().with_off_resonance_correction(TIMES, 2j * np.pi * B0 + 1)
    with pytest.raises(ndft.InvalidError, match="readout_time has 7"):
        operator().with_off_resonance_correction(TIMES[:7], B0)
    with pytest.raises(AttributeError, match="n_interpolators"):
        operator(B0).n_interpolators
    with pytest.raises(ValueError, match="not compatible"):
        operator().op(np.zeros((BATCHES, COILS, 8, 8), complex))


def test_registered():
    assert mrinufft.get_operator("ndft") is ndft.mrinufft.MRIndft
    operator(B0)  # whose class is a subclass
    assert mrinufft.get_operator("ndft") is ndft.mrinufft.MRIndft


def test_density():
    angle = np.pi * np.arange(50)[:, None] / 50
    radius = np.linspace(-.5, .5, 32, endpoint=False)
    radial = np.stack([radius * np.sin(angle), radius * np.cos(angle)], -1)
    op = mrinufft.get_operator("ndft")(radial, (32, 32), density=True)
    inner = (abs(radius) > .1) & (abs(radius) < .4)
    found, right = op.density.reshape(50, 32)[:, inner], np.broadcast_to(abs(radius[inner]), (50, inner.sum()))
    assert error(found / found.mean(), right / right.mean()) < .02
    op.update_samples(radial[::2])
    assert op.density.shape == (25 * 32,)  # computed again


@FIELDS
@pytest.mark.parametrize("adjoint", [False, True], ids=["op", "adj_op"])
def test_derivatives(adjoint, b0):
    torch = pytest.importorskip("torch")
    pytest.importorskip("deepinv")  # of which MRI-NUFFT's module is
    op = operator(b0, 2 * np.pi * UNIT, smaps=SMAPS, density=WEIGHTS)
    wanted = {"wrt_field_map": True} if b0 is not None else {}
    module = op.make_autograd(wrt_data=True, wrt_traj=True, **wanted)
    data = torch.from_numpy(samples(op) if adjoint else images(op)).requires_grad_()
    target = torch.from_numpy(images(op) if adjoint else samples(op))
    by = [data, module.samples] + ([module.field_map] if wanted else [])
    found = module.adj_op(data) if adjoint else module.op(data)
    right = summed_by_torch(torch, adjoint, data, *by[1:])
    assert error(found.detach(), right.detach().reshape(found.shape).numpy()) < 1e-9

    def derivatives(of):
        return torch.autograd.grad((of.reshape(target.shape) - target).abs().square().sum(), by)

    for ours, dense_ones in zip(derivatives(found), derivatives(right)):
        dense_ones = 1j * dense_ones.imag if dense_ones.shape == SHAPE else dense_ones  # without decay
        assert error(ours, dense_ones.numpy()) < 1e-8


def summed_by_torch(torch, adjoint, data, k, field=None):
    """The sum that PyTorch differentiates; k in rad/voxel, field 2 pi i b0."""
    voxels = np.stack(np.meshgrid(*(np.arange(n) - n // 2 for n in SHAPE), indexing="ij"), -1).reshape(-1, 2)
    phase = -1j * (k @ torch.from_numpy(voxels).double().T)
    if field is not None:
        phase = phase + torch.from_numpy(np.tile(TIMES, SHOTS))[:, None] * field.reshape(1, -1)
    a, maps = torch.exp(phase) / np.sqrt(4 * N), torch.from_numpy(SMAPS).reshape(1, COILS, -1)
    if adjoint:
        return ((data * torch.from_numpy(WEIGHTS)) @ a.conj() * maps.conj()).sum(1)
    return (data.reshape(BATCHES, 1, -1) * maps) @ a.T


def test_pairs():
    """paired_batch: each with its own coil sensitivities and samples."""
    torch = pytest.importorskip("torch")
    pytest.importorskip("deepinv")
    op = operator(smaps=SMAPS)
    module = op.make_autograd(wrt_data=True, wrt_traj=True, paired_batch=True)
    units = RNG.uniform(-.5, .5, (2, SAMPLES, 2))
    maps = complex_noise(RNG, (2, *SMAPS.shape))
    x = complex_noise(RNG, (2, *op.img_full_shape))
    given = torch.from_numpy(2 * np.pi * units).requires_grad_()
    found = module.op(torch.from_numpy(x), smaps=torch.from_numpy(maps), samples=given)
    for i in range(2):
        assert error(found[i].detach(), flat(x[i] * maps[i]) @ dense(units[i]).T) < 1e-9
    found.abs().square().sum().backward()
    assert given.grad.abs().min() > 0
