# SPDX-License-Identifier: Apache-2.0
"""A plugin of pytest by which MRI-NUFFT's own tests run on ndft: their lists of backends are literal, so that ndft
takes the name of one of them.

NDFT_ALIAS names the backend that ndft takes the place of. The operator says "ndft" of itself, for which their
tolerances are the tight ones; as cufinufft it says that name, without which arrays of GPUs are not tried.
NDFT_DESELECTED names a file of lines `alias:part of a test's id  reason`, as mrinufft.deselected.
"""

import os
from pathlib import Path

import ndft.mrinufft
from mrinufft.operators import FourierOperatorBase

ALIAS = os.environ["NDFT_ALIAS"]


class AsCufinufft(ndft.mrinufft.MRIndft):
    """What tests ask of cufinufft alone."""

    backend = "cufinufft"

    def __init__(self, *args, smaps_cached=False, **options):
        super().__init__(*args, device="cuda", **options)
        self.smaps_cached = smaps_cached

    def _make_plan_grad(self):
        """There is no plan of its own for derivatives."""

    def get_lipschitz_cst(self, max_iter=10):
        return on_gpu(super().get_lipschitz_cst(max_iter))

    @classmethod
    def pipe(cls, *args, **options):
        return on_gpu(super().pipe(*args, **options))


def on_gpu(values):
    import cupy
    return cupy.asarray(values)


FourierOperatorBase.interfaces[ALIAS] = True, AsCufinufft if ALIAS == "cufinufft" else ndft.mrinufft.MRIndft


def deselected(alias):
    """(part of a test's id, reason) of each line."""
    lines = Path(os.environ["NDFT_DESELECTED"]).read_text().splitlines()
    pairs = [line.split(maxsplit=1) for line in lines if line and not line.startswith("#")]
    return [(part.partition(":")[2], reason) for part, reason in pairs if part.partition(":")[0] in (alias, "any")]


def pytest_collection_modifyitems(config, items):
    found = {}
    for item in items:
        for part, reason in deselected(ALIAS):
            if part in item.nodeid:
                found.setdefault(reason, []).append(item)
    for reason, those in found.items():
        print(f"deselected {len(those)}: {reason}")
    gone = {item for those in found.values() for item in those}
    if gone:
        config.hook.pytest_deselected(items=list(gone))
        items[:] = [item for item in items if item not in gone]
