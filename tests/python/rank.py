# SPDX-License-Identifier: Apache-2.0
"""A rank of test_python_ranks: python rank.py WHAT FOLDER, its rank in the environment."""

import os
import sys
import time
from pathlib import Path

import numpy as np

import ndft
from ndft import recon
from scans import blob, coil_maps, field, lines, samples as measured, times
from sums import complex_noise

SHAPE, COILS, ALL = (10, 12), 3, ("forward", "adjoint", "normal")


def given():
    random = np.random.default_rng(5)
    where = dict(k=random.uniform(-4, 4, (40, 2)), t=np.linspace(0, 1e-2, 40), field=random.uniform(-300, 300, SHAPE))
    return where, complex_noise(random, (COILS, *SHAPE)), complex_noise(random, (COILS, 40))


def results(**options):
    where, image, samples = given()
    plan = ndft.Plan(SHAPE, **where, coils=COILS, ops=ALL, **options)
    return [plan.forward(image), plan.adjoint(samples), plan.normal(image)]


def image(**options):
    k, maps, of = lines(), coil_maps(4), field()
    data = measured(blob()[None, None], k, times(k), of, maps)
    acquisition = recon.Acquisition(blob().shape, k, data, t=times(k), field=of, maps=maps)
    return recon.reconstruct(acquisition, recon.Settings(iterations=5, options=options)).images


class Communicator:
    """As mpi4py's, by files."""

    def __init__(self, folder):
        self.folder, self.rank, self.size = folder, int(os.environ["RANK"]), int(os.environ["WORLD_SIZE"])

    def Get_rank(self):
        return self.rank

    def Get_size(self):
        return self.size

    def allgather(self, one):
        part = self.folder / f"said.{self.rank}.part"
        part.write_text(repr(one))
        part.rename(part.with_suffix(""))
        files = [self.folder / f"said.{rank}" for rank in range(self.size)]
        while not all(file.exists() for file in files):
            time.sleep(.01)
        return [eval(file.read_text()) for file in files]


def torch_group():
    import torch.distributed as distributed
    distributed.init_process_group("gloo")
    return distributed.group.WORLD


def until_it_fails():
    where, image, _ = given()
    plan = ndft.Plan(SHAPE, **where, coils=COILS, ops=("normal",), group=ndft.Ranks.of_environment(timeout=10))
    try:
        while True:
            plan.normal(image)
            print("works", flush=True)
    except ndft.DeviceError as error:
        return [np.array(str(error))]


def mine():
    return next(os.environ[name] for name in ("RANK", "OMPI_COMM_WORLD_RANK", "SLURM_PROCID") if name in os.environ)


def main(what, folder):
    group = {"mpi4py": lambda: Communicator(folder), "torch": torch_group}.get(what, lambda: "env")
    if what == "killed":
        found = until_it_fails()
    elif what == "image":
        found = [image(group="env")]
    else:
        found = results(group=group(), deterministic=True)
    np.savez(folder / f"{mine()}.npz", *found)


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]))
