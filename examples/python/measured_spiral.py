# SPDX-License-Identifier: Apache-2.0
"""A measured spiral without its field map, with it, and with the map's negative.

    python3 examples/python/measured_spiral.py DATA [FOLDER]     # with SciPy; FOLDER takes pictures

DATA is the folder sample_data of OCTOPUS (github.com/imr-framework/OCTOPUS, GPL-3.0): 54 spirals of 310 samples every
10 us, echo time 4.6 ms, 20 coils, 192 x 192 over 384 mm, a field map of +-600 Hz, and the density weights that its
authors used. Printed is the sharpness of each image, gradient energy of the normalised modulus, over that without a
map: of the weighted adjoint's root of the sum of squares, and of CG-SENSE. The map is 0 outside of the object. As it
is, it ends in a jump there; `ndft recon` continues it.
"""

import gzip
import sys
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import scipy.io
from scipy.ndimage import binary_dilation, binary_erosion

from ndft import recon
from ndft.recon.files import save

SHAPE, FOV_M, ECHO_S, DWELL_S = (192, 192), .384, 4.6e-3, 1e-5


def field_map(path):
    """rad/s, (*SHAPE): left and right are exchanged in the file, whose first axis is ours."""
    content = gzip.decompress(path.read_bytes())
    first = int(np.frombuffer(content, "<f4", 1, 108)[0])
    return np.ascontiguousarray(np.fliplr(np.frombuffer(content, "<f4", offset=first).reshape(SHAPE).T))


def read(folder):
    """The scan, and its density weights (54, 310)."""
    along = np.load(folder / "ktraj.npy").T
    k = (FOV_M * np.stack([along.real, along.imag], -1)).astype("f4")
    data = scipy.io.loadmat(folder / "rawdata_spiral.mat")["dat"].transpose(2, 1, 0)
    weights = scipy.io.loadmat(folder / "dcf.mat")["dcf_out"].T.astype("f4")
    times = (ECHO_S + DWELL_S * np.arange(along.shape[1])).astype("f4")
    scan = recon.Acquisition(SHAPE, k, np.ascontiguousarray(data)[None, None], t=times,
                             field=field_map(folder / "fieldmap_unwrapped.nii.gz"), fov=(FOV_M, FOV_M))
    return scan, weights


def adjoints(scan, weights):
    """Sharpness of the weighted adjoints."""
    return recon.signs(SHAPE, scan.k, scan.t, scan.field, scan.data[0, 0], weights)


def places(scan, weights):
    """Gradient energy of the weighted adjoint without the map and with it, by where it is: within 3 voxels of the edge
    of what the map covers, inside of it, and outside."""
    covered = scan.field != 0
    inside, reach = binary_erosion(covered, iterations=3), binary_dilation(covered, iterations=3)
    found = []
    for field in (None, scan.field):
        operator = recon.fourier(SHAPE, scan.k, None if field is None else scan.t, field)
        image = np.sqrt((abs(operator.adjoint(weights * scan.data[0, 0])) ** 2).sum(0))
        down, right = np.diff(image, axis=0), np.diff(image, axis=1)
        energy = (np.pad(down, ((0, 1), (0, 0))) ** 2 + np.pad(right, ((0, 0), (0, 1))) ** 2) / (image ** 2).sum()
        found.append([float(energy[place].sum()) for place in (reach & ~inside, inside, ~reach)])
    return found


def misfits(scan):
    """How much of the samples no image explains, after some iterations."""
    weights = recon.density_weights(scan.k, SHAPE)
    return [recon.misfit(replace(scan, field=field), recon.Settings(), weights)
            for field in (None, scan.field, -scan.field)]


def conjugate_gradients(scan, settings, name, folder):
    """Sharpness of the images, which are written into the folder, if there is one."""
    found = []
    for kind, field in (("without", None), ("with", scan.field), ("negative", -scan.field)):
        image = recon.reconstruct(replace(scan, field=field), settings).images
        found.append(recon.sharpness(image[0, 0]))
        if folder:
            save(str(Path(folder) / f"{name}_{kind}.png"), image)
    return recon.Signs(*found)


def main(data, folder=None):
    scan, weights = read(Path(data))
    continued = replace(scan, field=recon.extended(scan.field))
    found = {}
    for name, call in {
            "adjoint": lambda name: adjoints(scan, weights),
            "adjoint, map continued": lambda name: adjoints(continued, weights),
            "adjoint, Pipe's weights": lambda name: adjoints(scan, recon.density_weights(scan.k, SHAPE)),
            "CG-SENSE": lambda name: conjugate_gradients(scan, recon.Settings(), name, folder),
            "CG-SENSE, map continued": lambda name: conjugate_gradients(continued, recon.Settings(), name, folder),
            "plain CG, map continued": lambda name: conjugate_gradients(
                continued, recon.Settings(density=0, iterations=20), name, folder)}.items():
        started = time.monotonic()
        found[name] = call(name.replace(",", "").replace(" ", "_"))
        print(f"{name:26}{found[name]}; {time.monotonic() - started:.1f} s")
    found["places"] = places(scan, weights)
    for name, energies in zip(("without the map", "with the map"), found["places"]):
        print("adjoint {}: {:.4f} at the map's edge, {:.4f} inside, {:.4f} outside".format(name, *energies))
    found["misfit"] = misfits(continued)
    print("misfit, map continued: {:.4f} without the map, {:.4f} with it, {:.4f} with its negative".format(
        *found["misfit"]))
    return found


if __name__ == "__main__":
    FOUND = main(*sys.argv[1:3]) if sys.argv[1:] else sys.exit(__doc__)
