# SPDX-License-Identifier: Apache-2.0
"""Every operation against the sum that defines it: axes, precisions, maps, masks, coils, frames."""

import numpy as np
import pytest

import ndft
from sums import OPERATIONS, complex_noise, error, matrix, wanted

SHAPES = [(9,), (8, 5), (4, 6, 5)]
COMPLEX = {"float32": "complex64", "float64": "complex128"}
TOL = {"complex64": 1e-4, "complex128": 1e-9}


def problem(shape, dtype="float64", samples=(6, 5), seed=1):
    rng = np.random.default_rng(seed)
    k = rng.uniform(-4, 4, (*samples, len(shape))).astype(dtype)
    t = rng.uniform(0, 8e-3, samples).astype(dtype)
    field = rng.normal(0, 300, shape).astype(dtype)
    gradient = rng.normal(0, 20, (len(shape), *shape)).astype(dtype)
    return rng, k, t, field, gradient


def data(rng, plan, operation, lead=()):
    tail = plan.samples_shape if operation == "adjoint" else plan.voxels_shape
    return complex_noise(rng, (*lead, *tail), plan.dtype)


def check(plan, a, rng, lead=()):
    for operation in OPERATIONS:
        given = data(rng, plan, operation, lead)
        found = getattr(plan, operation)(given)
        tail = plan.voxels_shape if operation != "forward" else plan.samples_shape
        assert found.shape == (*lead, *tail) and found.dtype == plan.dtype
        flat = given.reshape(*lead, -1).astype(complex)
        assert error(found.reshape(*lead, -1), wanted(operation, a, flat)) < TOL[plan.dtype.name], operation


@pytest.mark.parametrize("dtype", COMPLEX)
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("maps", ["", "field", "gradient", "field gradient"])
def test_sums(shape, dtype, maps):
    rng, k, t, field, gradient = problem(shape, dtype)
    given = {name: value for name, value in (("field", field), ("gradient", gradient)) if name in maps.split()}
    plan = ndft.Plan(shape, k, t=t, ops=OPERATIONS, **given)
    assert plan.dtype == COMPLEX[dtype] and plan.shape == shape and plan.samples_shape == (6, 5)
    check(plan, matrix(shape, k, t, **given), rng)


@pytest.mark.parametrize("dtype", COMPLEX)
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("maps", ["", "field", "field gradient"])
def test_decay(shape, dtype, maps):
    rng, k, t, field, gradient = problem(shape, dtype)
    decay = rng.uniform(0, 150, shape).astype(dtype)
    given = {name: value for name, value in (("field", field), ("gradient", gradient)) if name in maps.split()}
    plan = ndft.Plan(shape, k, t=t, decay=decay, ops=OPERATIONS, **given)
    assert plan.maps == {"decay", *maps.split()}
    check(plan, matrix(shape, k, t, decay=decay, **given), rng)
    plan.set_samples(k[::-1], t)
    check(plan, matrix(shape, k[::-1], t, decay=decay, **given), rng)


def test_refused_decay():
    _, k, t, field, _ = problem((8, 5))
    decay = np.abs(field)
    decay[3, 2] = -7
    with pytest.raises(ndft.InvalidError, match=r"decay\[3, 2\] is -7; with decay it must be at least 0"):
        ndft.Plan((8, 5), k, t=t, decay=decay)
    t[2, 1] = -1e-3
    with pytest.raises(ndft.InvalidError, match=r"t\[2, 1\] is -0.001; with decay it must be at least 0"):
        ndft.Plan((8, 5), k, t=t, decay=np.abs(field))
    with pytest.raises(ndft.InvalidError, match=r"decay has the shape \(5, 8\)"):
        ndft.Plan((8, 5), k, t=t, decay=np.abs(field).T)
    with pytest.raises(ndft.InvalidError, match="decay needs times"):
        ndft.Plan((8, 5), k, decay=np.abs(field))


def phase_of(rng, shape, samples, terms, dtype="float64"):
    return (rng.uniform(-3, 3, (terms, *samples)).astype(dtype), rng.uniform(-1, 1, (terms, *shape)).astype(dtype))


@pytest.mark.parametrize("dtype", COMPLEX)
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("maps", ["", "field decay", "gradient"])
def test_phase(shape, dtype, maps):
    rng, k, t, field, gradient = problem(shape, dtype)
    phase = phase_of(rng, shape, (6, 5), 4, dtype)
    given = {"field": field, "gradient": gradient, "decay": rng.uniform(0, 150, shape).astype(dtype)}
    given = {name: given[name] for name in maps.split()}
    plan = ndft.Plan(shape, k, t=t, phase=phase, ops=OPERATIONS, **given)
    assert plan.maps == {"phase", *given}
    check(plan, matrix(shape, k, t, phase=phase, **given), rng)
    with pytest.raises(ndft.UnsupportedError, match="phase_c belongs to the samples"):
        plan.set_samples(k[::-1], t)
    check(plan, matrix(shape, k, t, phase=phase, **given), rng)


def test_phase_with_masks_and_frames():
    rng, k, t, _, _ = problem((8, 5))
    mask = rng.random((8, 5)) < .6
    phase = phase_of(rng, (8, 5), (6, 5), 2)
    plan = ndft.Plan((8, 5), k, phase=phase, mask=mask, ops=OPERATIONS)
    check(plan, matrix((8, 5), k, phase=phase)[:, mask.ravel()], rng)
    plan.set_mask(~mask)
    check(plan, matrix((8, 5), k, phase=phase)[:, ~mask.ravel()], rng)
    plan = ndft.Plan((8, 5), k, phase=phase, frames=True)
    image = complex_noise(rng, (6, 8, 5))
    found = plan.forward(image)
    for frame in range(6):
        a = matrix((8, 5), k[frame], phase=(phase[0][:, frame], phase[1]))
        assert error(found[frame], a @ image[frame].ravel()) < 1e-9


def test_refused_phase():
    rng, k, _, _, _ = problem((8, 5))
    c, b = phase_of(rng, (8, 5), (6, 5), 3)

    def refused(phase, words):
        with pytest.raises(ndft.InvalidError, match=words):
            ndft.Plan((8, 5), k, phase=phase)

    refused(c, r"phase is no pair \(c, b\)")
    refused((c, b[:2]), r"phase\[1\] has the shape \(2, 8, 5\); \(3, 8, 5\), a map for each of the 3 terms")
    refused((c[:, 1:], b), r"phase\[0\] has the shape \(3, 5, 5\); \(3, 6, 5\), of each sample")
    refused((np.zeros((17, 6, 5)), np.zeros((17, 8, 5))), "1 to 16 terms")
    refused((c.astype(complex), b), r"phase\[0\] is complex128")
    c[2, 4, 1] = np.nan
    refused((c, b), r"phase\[0\]\[2, 4, 1\] is nan; it must be finite")
    c[2, 4, 1] = 1e300
    refused((c, b), "phase_c and phase_b reach")


def grid_of(rng, shape, dtype="float64"):
    return (rng.uniform(-.7, .7, (*shape, len(shape))) * shape).astype(dtype)


@pytest.mark.parametrize("dtype", COMPLEX)
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("maps", ["", "field", "gradient"])
def test_grid(shape, dtype, maps):
    rng, k, t, field, gradient = problem(shape, dtype)
    given = {name: value for name, value in (("field", field), ("gradient", gradient)) if name in maps.split()}
    grid = grid_of(rng, shape, dtype)
    plan = ndft.Plan(shape, k, t=t, grid=grid, ops=OPERATIONS, **given)
    assert np.array_equal(plan.grid, grid)
    check(plan, matrix(shape, k, t, grid=grid, **given), rng)
    plan.set_samples(k[::-1], t)
    check(plan, matrix(shape, k[::-1], t, grid=grid, **given), rng)


def test_grid_with_masks_frames_and_calls():
    rng, k, _, _, _ = problem((8, 5))
    mask, grid = rng.random((8, 5)) < .6, grid_of(rng, (8, 5))
    plan = ndft.Plan((8, 5), k, grid=grid, mask=mask, ops=OPERATIONS)
    a = matrix((8, 5), k, grid=grid)
    check(plan, a[:, mask.ravel()], rng)
    plan.set_mask(~mask)
    check(plan, a[:, ~mask.ravel()], rng)
    plan = ndft.Plan((8, 5), k, grid=grid, frames=True)
    image = complex_noise(rng, (6, 8, 5))
    found = plan.forward(image)
    for frame in range(6):
        assert error(found[frame], matrix((8, 5), k[frame], grid=grid) @ image[frame].ravel()) < 1e-9
    assert error(ndft.forward(image[0], k, grid=grid).ravel(), a @ image[0].ravel()) < 1e-9


def test_the_grids_own_positions_are_the_grid():
    _, k, _, _, _ = problem((8, 5))
    grid = np.stack(np.meshgrid(np.arange(8) - 4, np.arange(5) - 2, indexing="ij"), -1).astype(float)
    plan = ndft.Plan((8, 5), k, grid=grid, variant="separable_gemm.cpu")
    image = complex_noise(np.random.default_rng(3), (8, 5))
    assert np.array_equal(plan.forward(image), ndft.Plan((8, 5), k, variant="separable_gemm.cpu").forward(image))
    grid[7, 4, 0] += 1e-9
    with pytest.raises(ndft.UnsupportedError, match="it takes no voxels off the grid"):
        ndft.Plan((8, 5), k, grid=grid, variant="separable_gemm.cpu")


def test_refused_grids():
    rng, k, _, _, _ = problem((8, 5))
    grid = grid_of(rng, (8, 5))

    def refused(grid, words):
        with pytest.raises(ndft.InvalidError, match=words):
            ndft.Plan((8, 5), k, grid=grid)

    refused(grid.reshape(40, 2), r"grid has the shape \(40, 2\); \(8, 5, 2\), a position along each axis")
    refused(grid.astype(int), "grid is int64; float64 is wanted")
    grid[3, 2, 0] = np.nan
    refused(grid, r"grid\[3, 2, 0\] is nan; it must be finite")
    grid[3, 2, 0] = 1e10
    refused(grid, r"grid\[3, 2, 0\] is 1e\+10; it must be finite and below")


def test_times_broadcast():
    rng, k, t, field, _ = problem((8, 5))
    whole = np.broadcast_to(t[0], (6, 5))
    check(ndft.Plan((8, 5), k, t=t[0], field=field, ops=OPERATIONS), matrix((8, 5), k, whole, field), rng)


@pytest.mark.parametrize("m", [116, 1000])
def test_pieces_of_a_line_have_its_step(m):
    """Which the difference of two doubles in the line's middle is not."""
    t = np.linspace(0, .02, m)
    plan = ndft.Plan((252,), np.zeros((m, 1)), t=t, field=np.full(252, 800.), variant="line_gemm.cpu", ops="forward")
    image = np.zeros(252, complex)
    image[3] = 1
    assert abs(plan.forward(image) - np.exp(-800j * t)).max() <= plan.describe()["operations"][0]["any"]


def test_a_million_samples_in_one_place_are_summed_as_promised():
    """By A^H A as a convolution, of which all sums over samples lie in a few cells."""
    m = 1000000
    plan = ndft.Plan((16,), np.zeros((m, 1)), tol=1e-12, variant="nufft_toeplitz.cpu", ops="normal")
    image = np.arange(16) + 1j
    (promised,) = plan.describe()["operations"]
    exact = np.full(16, m * image.sum())
    assert error(plan.normal(image), exact) <= promised["typical"]
    assert abs(plan.normal(image) - exact).max() <= promised["any"] * m * abs(image).sum()


def test_mask():
    rng, k, t, field, _ = problem((8, 5))
    mask = rng.random((8, 5)) < .6
    plan = ndft.Plan((8, 5), k, t=t, field=field, mask=mask, ops=OPERATIONS)
    assert plan.voxels_shape == (mask.sum(),)
    check(plan, matrix((8, 5), k, t, field)[:, mask.ravel()], rng, (2,))
    image = complex_noise(rng, (3, 8, 5))
    assert np.array_equal(plan.of_grid(image), image[:, mask])
    assert np.array_equal(plan.on_grid(image[:, mask]), np.where(mask, image, 0))
    image[:, mask] = np.inf  # which times 0 is not 0
    assert np.array_equal(plan.on_grid(image[:, mask]), np.where(mask, image, 0))
    for call, words in ((lambda: plan.on_grid(image[:, :2, 0]), r"voxels has the shape \(3, 2\); \(\*lead, "),
                        (lambda: plan.of_grid(image[..., 1:]), r"image has the shape \(3, 8, 4\); \(\*lead, 8, 5\)"),
                        (lambda: plan.on_grid([1.0]), "voxels is list"), (lambda: plan.of_grid(3), "image is int")):
        with pytest.raises(ndft.InvalidError, match=words):
            call()


@pytest.mark.parametrize("coils,lead", [(1, ()), (1, (2, 3)), (3, (3,)), (3, (2, 3)), (2, (4, 1)), (6, (2, 3))])
def test_coils_and_lead(coils, lead):
    rng, k, t, field, _ = problem((8, 5))
    plan = ndft.Plan((8, 5), k, t=t, field=field, coils=coils, ops=OPERATIONS)
    check(plan, matrix((8, 5), k, t, field), rng, lead)


@pytest.mark.parametrize("lead", [(), (2,)])
def test_interleaved(lead):
    rng, k, _, _, _ = problem((8, 5))
    plan = ndft.Plan((8, 5), k, coils=3, interleaved=True)
    image = complex_noise(rng, (*lead, 8, 5, 3))
    found = plan.forward(image)
    assert found.shape == (*lead, 6, 5, 3)
    right = np.moveaxis(image, -1, len(lead)).reshape(*lead, 3, 40) @ matrix((8, 5), k).T
    assert error(np.moveaxis(found, -1, len(lead)).reshape(*lead, 3, 30), right) < 1e-9


def test_frames():
    rng, k, t, field, _ = problem((8, 5), samples=(4, 7))  # four frames of seven samples
    plan = ndft.Plan((8, 5), k, t=t, field=field, coils=2, frames=True)
    assert plan.frames == 4 and plan.samples_shape == (7,)
    image = complex_noise(rng, (4, 2, 8, 5))
    found = plan.forward(image)
    assert found.shape == (4, 2, 7)
    for frame in range(4):
        right = image[frame].reshape(2, -1) @ matrix((8, 5), k[frame], t[frame], field).T
        assert error(found[frame], right) < 1e-9


def test_frames_of_one_sample():
    _, k, _, _, _ = problem((8, 5), samples=(4,))
    plan = ndft.Plan((8, 5), k, frames=True)
    found = plan.forward(np.ones((4, 8, 5), complex))
    assert plan.samples_shape == () and error(found, matrix((8, 5), k).sum(1)) < 1e-9


def test_no_data_is_no_execution():
    assert ndft.Plan((8, 5), np.zeros((3, 2))).forward(np.zeros((0, 8, 5), complex)).shape == (0, 3)


def test_one_call():
    rng, k, t, field, _ = problem((8, 5))
    a = matrix((8, 5), k, t, field)
    image, samples = complex_noise(rng, (3, 8, 5)), complex_noise(rng, (3, 6, 5))
    maps = {"t": t, "field": field}
    assert error(ndft.forward(image, k, **maps).reshape(3, -1), image.reshape(3, -1) @ a.T) < 1e-9
    assert error(ndft.adjoint(samples, k, (8, 5), **maps).reshape(3, -1), samples.reshape(3, -1) @ a.conj()) < 1e-9
    assert error(ndft.normal(image, k, **maps).reshape(3, -1), wanted("normal", a, image.reshape(3, -1))) < 1e-9
    mask = rng.random((8, 5)) < .5
    assert error(ndft.forward(image[0][mask], k, (8, 5), mask=mask, **maps).ravel(), a[:, mask.ravel()]
                 @ image[0][mask]) < 1e-9


def test_out_is_filled_and_returned():
    rng, k, _, _, _ = problem((8, 5))
    plan, image, out = ndft.Plan((8, 5), k), complex_noise(rng, (8, 5)), np.empty((6, 5), complex)
    assert plan.forward(image, out=out) is out
    assert np.array_equal(out, plan.forward(image))


@pytest.mark.parametrize("descriptor,reference", [
    ("dcfo8*33", np.fft.fft), ("dcbo8*33", lambda x: np.fft.ifft(x) * 8), ("drfo8*33", lambda x: np.fft.rfft(x.real))])
def test_transforms(descriptor, reference):
    rng = np.random.default_rng(2)
    signal = complex_noise(rng, (33, 8))
    transform = ndft.Transform(descriptor)
    given = signal.real.copy() if transform.input_dtype.kind == "f" else signal
    found = transform(given)
    assert transform.input_shape == (33, 8) and found.shape == transform.output_shape
    assert error(found, reference(signal)) < 1e-12


def test_transform_of_several_axes_and_batches():
    signal = complex_noise(np.random.default_rng(2), (3, 4, 5, 2))
    found = ndft.Transform("dcfo2.5x4*3", scale=.5)(signal)
    assert error(found, np.fft.fft2(signal, axes=(1, 2)) / 2) < 1e-12


@pytest.mark.parametrize("half_a_cell", [0, .25])
@pytest.mark.parametrize("dtype", COMPLEX)
def test_windows_of_every_width_on_a_line(dtype, half_a_cell):
    """Of a full batch, whose last row ends where weights begin that axes have which are not there."""
    rng, k, *_ = problem((13,), dtype, samples=(64,))
    k = np.round(2 * k) / 2 + np.asarray(half_a_cell, dtype)
    for width in range(3, 17 if dtype == "float64" else 7):
        plan = ndft.Plan((13,), k, tol=.5, variant=f"nufft_scatter.cpu:sigma=200,width={width}")
        for operation in ("forward", "adjoint"):
            given = data(rng, plan, operation)
            right = wanted(operation, matrix((13,), k), given.astype(complex))
            assert error(getattr(plan, operation)(given), right) < max(10.**(2 - width), 1e-12), (width, operation)
