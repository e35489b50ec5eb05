# SPDX-License-Identifier: Apache-2.0
"""ndft.recon of samples with a phase of higher order, as concomitant fields have."""

from dataclasses import replace

import numpy as np
import pytest

from scans import SHAPE, blob, coil_maps, concomitant, field, lines, places, samples, times
from sums import error

import ndft
from ndft import recon
from ndft.recon._quality import nrmse
from ndft.recon._reconstruct import weights_of
from ndft.recon._simulation import coils_on, means, measured, spiral
from ndft.recon._simulation import places as fine_places

K = lines()
T = times(K)
PHASE = concomitant(K, T, *places())
CLOSE = recon.Settings(iterations=60, stop=1e-5, density=0, options={"tol": 1e-5})


def scan(of=None):
    """Of one image, with the phase."""
    return recon.Acquisition(SHAPE, K, samples(blob()[None, None], K, T, of, coil_maps(4), phase=PHASE), t=T, field=of,
                             phase=PHASE, maps=coil_maps(4))


@pytest.mark.parametrize("density", [0, 10])
@pytest.mark.parametrize("of", [None, field()], ids=["homogeneous", "field"])
def test_images_are_found_again(of, density):
    """With the phase; without it, or with its negative, they are not."""
    given, settings = scan(of), replace(CLOSE, density=density)
    assert error(recon.reconstruct(given, settings).images[0, 0], blob()) < 3e-3
    for wrong in (None, (-PHASE[0], PHASE[1])):
        assert nrmse(recon.reconstruct(replace(given, phase=wrong), settings).images[0, 0], blob()) > .1


def test_no_clock_is_needed():
    given = scan()
    assert error(recon.reconstruct(replace(given, t=None), CLOSE).images[0, 0], blob()) < 3e-3


def test_a_phantom_on_a_finer_grid():
    """Coil maps are estimated from the samples, and the image is as near to the truth as without gradients' fields."""
    n, fine = 32, 3
    k, t = spiral(n, 4, 600, 20e-3)
    z, x = fine_places(n, fine)
    body = ((z / .43) ** 2 + (x / .36) ** 2 < 1) * (1 - .4 * ((abs(z - .1) < .12) & (abs(x) < .2)))
    seen = coils_on(z, x, 4) * body
    truth = np.sqrt((abs(means(seen, fine)) ** 2).sum(0))
    data, plain = (measured(seen, n, k, t, **options)[None, None] for options in (
        {"phase": concomitant(k, t, z, x), "variant": "naive.cpu"}, {}))
    given = recon.Acquisition((n, n), k, data, t=t, phase=concomitant(k, t, *fine_places(n)))
    weights = weights_of(given, recon.Settings())
    found, without, homogeneous = (nrmse(recon.reconstruct(one, weights=weights).images[0, 0], truth) for one in (
        given, replace(given, phase=None), replace(given, phase=None, data=plain)))
    assert found < 1.2 * homogeneous < .1 and without > 2 * homogeneous


@pytest.mark.parametrize("own", ["frames slices", "frames", "slices"])
def test_frames_and_slices_of_their_own(own):
    """Coefficients of each frame's trajectory, maps of each slice."""
    ks = np.stack([K, K[::-1, ::-1]])
    images = blob() * np.array([[1, 2j], [3, -1]])[..., None, None]
    c = [PHASE[0], concomitant(ks[1], T, *places(), 1)[0] if "frames" in own else PHASE[0]]
    b = [PHASE[1], (-.5 if "slices" in own else 1) * PHASE[1]]
    data = np.stack([[samples(images[f, s], ks[f], T, field(), coil_maps(4), phase=(c[f], b[s])) for s in range(2)]
                     for f in range(2)])
    phase = np.stack(c, 1) if "frames" in own else c[0], np.stack(b, 1) if "slices" in own else b[0]
    given = recon.Acquisition(SHAPE, ks, data, t=T, field=field(), phase=phase, maps=coil_maps(4))
    assert error(recon.reconstruct(given, CLOSE).images, images) < 3e-3


def test_the_misfit_knows_the_phase_of_the_first_frame_and_the_slice_in_the_middle():
    b = [scale * PHASE[1] for scale in (.2, 1, -.5)]
    data = np.stack([samples(blob(), K, T, None, coil_maps(4), phase=(PHASE[0], one)) for one in b])[None]
    data, ks = np.concatenate([data, -data]), np.stack([K, K])
    given = recon.Acquisition(SHAPE, ks, data, t=T, phase=(np.stack([PHASE[0], 0 * PHASE[0]], 1), np.stack(b, 1)),
                              maps=coil_maps(4))
    found, alone, other = (recon.misfit(one, recon.Settings(density=0)) for one in (
        given, scan(), replace(scan(), phase=(PHASE[0], b[2]))))
    assert found == pytest.approx(alone, rel=1e-3) and other > 2 * alone


def test_the_sign_of_a_field_is_seen_beside_a_phase():
    """Without it, what blurs more looks sharper with the negative map."""
    given = scan(field(120))
    weights = weights_of(given, recon.Settings())[0]
    known, unknown = (recon.signs(SHAPE, K, T, field(120), given.data[0, 0], weights, phase=phase)
                      for phase in (PHASE, None))
    assert not known.wrong and known.given > known.negative and unknown.wrong


def test_an_operator_keeps_the_samples_of_its_phase():
    operator = recon.fourier(SHAPE, K, T, phase=PHASE)
    with pytest.raises(ndft.UnsupportedError, match=r"phase\[0\] belongs to the samples"):
        operator.set_samples(K[::-1], T)


def test_what_is_no_pair_is_refused():
    for wrong in (PHASE[0], (*PHASE, PHASE[1])):
        with pytest.raises(ndft.InvalidError, match=r"phase is no pair \(c, b\)"):
            replace(scan(), phase=wrong)
