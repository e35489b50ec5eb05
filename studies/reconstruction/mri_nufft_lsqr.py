# SPDX-License-Identifier: Apache-2.0
"""What MRI-NUFFT makes of a scan, in a process and, where it is asked for, a Python of its own.

    python3 mri_nufft_lsqr.py FOLDER BACKEND ITERATIONS...

As its documentation has it: get_operator with coil maps, with_off_resonance_correction with the interpolator that it
has by itself, and pinv_solver with its own solver, LSQR, which is conjugate gradients on the normal equations. Its
optim="cg" of 1.5.1 has a fixed step and is farther away after as many iterations, and with density=True not finite.
Its sign of R2* is that of exp(+R2* t).

FOLDER has k.npy (samples, 2) in cycles/voxel, data.npy, maps.npy, and field.npy (Hz), decay.npy (1/s) and t.npy where
there are these; images.npy takes an image for each number of iterations and seconds.npy their times, with what making
the operator took. Printed is what it was.
"""

import sys
import time
import warnings
from importlib.metadata import version
from pathlib import Path

import numpy as np


def operator_of(backend, k, maps, field=None, t=None, decay=None, terms=-1, **options):
    """terms of the field, -1 for as many as it finds; options of the backend."""
    import mrinufft
    operator = mrinufft.get_operator(backend)(k, maps.shape[1:], n_coils=len(maps), smaps=maps, **options)
    if field is None:
        return operator
    return operator.with_off_resonance_correction(readout_time=t, b0_map=field,
                                                  r2star_map=None if decay is None else -decay,
                                                  interpolator={"name": "svd", "L": terms})


def arrays_of(folder):
    return {name: np.load(folder / f"{name}.npy") for name in ("k", "data", "maps", "field", "t", "decay")
            if (folder / f"{name}.npy").exists()}


def main(folder, backend, *iterations):
    warnings.simplefilter("ignore")
    folder = Path(folder)
    arrays = arrays_of(folder)
    data = arrays.pop("data")
    started = time.perf_counter()
    operator = operator_of(backend, **arrays)
    made = time.perf_counter() - started
    images, seconds = [], []
    for count in iterations:
        started = time.perf_counter()
        images.append(np.squeeze(operator.pinv_solver(data, max_iter=int(count), progressbar=False)))
        seconds.append(time.perf_counter() - started + made)
    np.save(folder / "images.npy", images)
    np.save(folder / "seconds.npy", seconds)
    terms = getattr(operator, "n_interpolators", 1)
    print(f"MRI-NUFFT {version('mri-nufft')}, {backend}" + f", {terms} terms" * (terms > 1))


if __name__ == "__main__":
    main(*sys.argv[1:])
