# SPDX-License-Identifier: Apache-2.0
"""What PyTorch gives without a kernel of one's own: exp(i phi), a chunk of samples at a time, times
the data.

    python3 -m analysis.peers.torch_direct [-o FILE] [CASE...]

Problem and reference are those of `ndft export`. Both ways to write exp(i phi) and several sizes of
the chunk are timed by CUDA events, whole operations after one to warm up; the fastest chunk of each
way becomes a line of type peer. Exit status 3: there is no PyTorch, or no GPU for it.
"""

from __future__ import annotations

import argparse
import math
import statistics
import sys
from dataclasses import dataclass
from typing import Any, Callable

import numpy as np

from ..records import outputs
from ..records.errors import RecordsError
from .exported import Exported, campaign, refuse

PROBLEM = "2d n=256x256 m=65536 field=random:200Hz t=30ms"
CASES = [f"{op} {PROBLEM} coils={coils}" for coils in (1, 32) for op in ("forward", "adjoint")]
CHUNKS = (64, 512, 4096, 16384)  # samples
SAMPLES = 15
ENVIRONMENT = 3

# phi as the modules of numpy and of PyTorch both take it.
WAYS: dict[str, Callable[[Any, Any], Any]] = {
    "exp": lambda module, phi: module.exp(1j * phi),
    "polar": lambda module, phi: module.polar(module.ones_like(phi), phi),
}


@dataclass
class Problem:
    """A case as a matrix: phi = samples @ voxels, the sign of the operation included."""

    forward: bool
    samples: Any  # (m, d + 1): 2 pi k and t
    voxels: Any  # (d + 1, N): r and dw
    data: Any  # (N or m, coils)


def matrix(case: Exported) -> Problem:
    """RecordsError for what this way cannot do."""
    refuse(case, field=True)
    forward, shape = case.op == "forward", case.used.shape
    grid = np.meshgrid(*((np.arange(n) - n // 2) / n for n in shape), indexing="ij")
    dw = np.zeros(shape) if case.dw is None else case.dw
    sign = -1 if forward else 1
    samples = sign * np.column_stack([2 * math.pi * case.k, case.t])
    voxels = np.stack([axis[case.used] for axis in [*grid[::-1][:case.dim], dw]])
    return Problem(forward, samples.astype(case.k.dtype), voxels.astype(case.k.dtype),
                   case.image[:, case.used].T if forward else case.kspace.T)


def vector(case: Exported, columns: np.ndarray) -> np.ndarray:
    """(N or m, coils) as a vector of the export."""
    if case.op == "forward":
        return columns.T
    found = np.zeros(case.image.shape, columns.dtype)
    found[:, case.used] = columns.T
    return found


def execute(module: Any, way: str, chunk: int, p: Problem, out: Any) -> None:
    """out = A data, or A^H data; never holds more than chunk samples of the matrix."""
    for first in range(0, p.samples.shape[0], chunk):
        rows = slice(first, first + chunk)
        e = WAYS[way](module, p.samples[rows] @ p.voxels)
        if p.forward:
            out[rows] = e @ p.data
        elif first == 0:
            out[:] = e.T @ p.data[rows]
        else:
            out += e.T @ p.data[rows]


def seconds_of(torch: Any, run: Callable[[], None], count: int) -> list[float]:
    run()
    found = []
    for _ in range(count):
        begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        begin.record()
        run()
        end.record()
        end.synchronize()
        found.append(begin.elapsed_time(end) / 1e3)
    return found


def measure(torch: Any, case: Exported) -> list[dict[str, Any]]:
    """One peer line for each way, of its fastest chunk."""
    p = matrix(case)
    device = Problem(p.forward, *(torch.from_numpy(np.ascontiguousarray(a)).cuda()
                                  for a in (p.samples, p.voxels, p.data)))
    length = len(p.samples) if p.forward else p.voxels.shape[1]
    out = torch.empty((length, case.coils), dtype=device.data.dtype, device="cuda")
    lines = []
    for way in WAYS:
        runs = {chunk: lambda c=chunk: execute(torch, way, c, device, out) for chunk in CHUNKS}
        chunk = min(CHUNKS, key=lambda c: seconds_of(torch, runs[c], 1))
        samples = seconds_of(torch, runs[chunk], SAMPLES)
        median = statistics.median(samples)
        lines.append({"case": case.case, "backend": "cuda", "peer": "torch",
                      "version": torch.__version__, "how": f"{way}, {chunk} samples at a time",
                      "rel_l2": case.error(vector(case, out.cpu().numpy())), "samples_s": samples,
                      "median_s": median, "coil_pairs_per_s": case.coil_pairs / median})
    return lines


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python3 -m analysis.peers.torch_direct",
                                     description="PyTorch's exp(i phi) @ m beside ndft.")
    parser.add_argument("cases", nargs="*", metavar="CASE", help=f"default: {PROBLEM}, 1 and 32 "
                        "coils, both directions")
    parser.add_argument("-o", "--out", type=outputs.written_as(".jsonl"), metavar="FILE",
                        help="default: results/DEVICE/peers-torch-UTC.jsonl")
    options = parser.parse_args(arguments)
    try:
        import torch
    except ImportError:
        print("ndft: PyTorch is not installed: nothing was measured", file=sys.stderr)
        return ENVIRONMENT
    if not torch.cuda.is_available():
        print("ndft: PyTorch finds no CUDA device: nothing was measured", file=sys.stderr)
        return ENVIRONMENT
    try:
        campaign("torch", "cuda", options.cases or CASES, len(WAYS), options.out,
                 lambda case: measure(torch, case))
    except (RecordsError, OSError) as error:
        print(f"ndft: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
