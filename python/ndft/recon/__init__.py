# SPDX-License-Identifier: Apache-2.0
"""Images of what a scanner measured: CG-SENSE with field map, decay, phase of higher order, coil maps and density
weights.

    scan = ndft.recon.Acquisition((192, 192), k, data, t=t, field=field)   # data (frames, slices, coils, *samples)
    images = ndft.recon.reconstruct(scan).images                           # (frames, slices, 192, 192)

Units are those of ndft.Plan: k in cycles/FOV, t in s, field in rad/s with exp(-i field t) in the signal, decay (R2*)
in 1/s, a phase of higher order in rad and of the field's sign.
"""

from ._acquisition import Acquisition
from ._conjugate_gradients import conjugate_gradients
from ._density import density_weights
from ._field import extended
from ._misfit import misfit
from ._reconstruct import Reconstruction, Settings, reconstruct
from ._sense import Sense, fourier
from ._sharpness import Signs, sharpness, signs
from ._units import Units

__all__ = ["Acquisition", "Reconstruction", "Sense", "Settings", "Signs", "Units", "conjugate_gradients",
           "density_weights", "extended", "fourier", "misfit", "reconstruct", "sharpness", "signs"]
