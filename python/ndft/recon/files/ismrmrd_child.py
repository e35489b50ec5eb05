# SPDX-License-Identifier: Apache-2.0
"""A program: dataset/xml and dataset/data of an HDF5 file, pickled to standard output, by blocks of readouts.

libhdf5 crashes on some broken files: the process that ends then is this one. In the end stands None, or the name and
the words of what was raised.
"""

from __future__ import annotations

import os
import pickle
import sys
from typing import Any, Callable

_READOUTS = 256  # in a block


def _show(path: str, show: Callable[[Any], None]) -> None:
    import h5py
    with h5py.File(path, "r") as file:
        group = file["dataset"]
        show(group["xml"][0])
        readouts = group["data"]
        if len(readouts) > os.path.getsize(path):
            raise ValueError(f"dataset/data tells of {len(readouts)} readouts, more than the file has bytes")
        for first in range(0, max(1, len(readouts)), _READOUTS):
            show(readouts[first:first + _READOUTS])


def main(path: str) -> None:
    pipe = sys.stdout.buffer
    try:
        _show(path, lambda found: pickle.dump(found, pipe, protocol=5))
        end = None
    except Exception as error:  # whatever h5py may raise is told
        end = type(error).__name__, str(error)
    pickle.dump(("end", end), pipe)


if __name__ == "__main__":
    del sys.path[0]  # this folder, whose names are no modules
    main(sys.argv[1])
