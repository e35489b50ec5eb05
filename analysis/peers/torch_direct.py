# SPDX-License-Identifier: Apache-2.0
"""What PyTorch gives without a kernel of one's own: exp(i phi), a chunk of samples at a time, times
the data.

    python3 -m analysis.peers.torch_direct [-o FILE] [CASE...]

Problem and reference are those of `ndft export`, which takes a while for many coils. Both ways to write exp(i phi) and several sizes of
the chunk are timed by CUDA events, whole operations after one to warm up; the fastest chunk of each
way becomes a line of type peer. Exit status 3: there is no PyTorch, or no GPU for it.
"""

from __future__ import annotations

import argparse
import json
import math
import statistics
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Callable

import numpy as np

from .. import program
from ..load import RecordsError

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
    """An exported case: phi = samples @ voxels, the sign of the operation included."""

    case: str
    forward: bool
    samples: Any  # (m, d + 1): 2 pi k and t
    voxels: Any  # (d + 1, N): r and dw
    data: Any  # (N or m, coils)
    reference: np.ndarray  # (m or N, coils)

    @property
    def coil_pairs(self) -> int:
        return self.samples.shape[0] * self.voxels.shape[1] * self.data.shape[1]


def read(folder: Path) -> Problem:
    """What `ndft export` left in a folder; RecordsError for what this way cannot do."""
    def array(name: str) -> np.ndarray | None:
        path = folder / f"{name}.npy"
        return np.load(path) if path.exists() else None

    case = (folder / "case.txt").read_text().strip()
    forward = case.startswith("forward")
    if array("grad") is not None or case.startswith("normal"):
        raise RecordsError(f"{case}: gradients and the normal operator are not served here")
    k, shape = array("k"), array("image").shape[1:]
    used = np.ones(shape, bool) if array("mask") is None else array("mask") != 0
    grid = np.meshgrid(*((np.arange(n) - n // 2) / n for n in shape), indexing="ij")
    dw = np.zeros(shape) if array("dw") is None else array("dw")
    turn = -2 * math.pi if forward else 2 * math.pi
    samples = np.column_stack([turn * k, math.copysign(1, turn) * array("t")])
    voxels = np.stack([axis[used] for axis in [*grid[::-1][:k.shape[1]], dw]])
    image, kspace = array("image")[:, used].T, array("kspace").T
    reference = array("reference")
    return Problem(case, forward, samples.astype(k.dtype), voxels.astype(k.dtype),
                   image if forward else kspace,
                   reference.T if forward else reference[:, used].T)


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


def measure(torch: Any, p: Problem) -> list[dict[str, Any]]:
    """One peer line for each way, of its fastest chunk."""
    device = Problem(p.case, p.forward, *(torch.from_numpy(np.ascontiguousarray(a)).cuda()
                                          for a in (p.samples, p.voxels, p.data)), p.reference)
    out = torch.empty(p.reference.shape, dtype=device.data.dtype, device="cuda")
    lines = []
    for way in WAYS:
        runs = {chunk: lambda c=chunk: execute(torch, way, c, device, out) for chunk in CHUNKS}
        chunk = min(CHUNKS, key=lambda c: seconds_of(torch, runs[c], 1))
        samples = seconds_of(torch, runs[chunk], SAMPLES)
        median = statistics.median(samples)
        error = np.linalg.norm(out.cpu().numpy() - p.reference) / np.linalg.norm(p.reference)
        lines.append({"type": "peer", "case": p.case, "backend": "cuda", "peer": "torch",
                      "version": torch.__version__, "how": f"{way}, {chunk} samples at a time",
                      "rel_l2": float(error), "samples_s": samples, "median_s": median,
                      "coil_pairs_per_s": p.coil_pairs / median})
    return lines


def header(case: str, plan: int) -> tuple[dict[str, Any], dict[str, Any]]:
    """A run line and an end line, with the device as the program knows it."""
    said = json.loads(program.ask("profile", case, "--variant", "naive.cuda", "--launches", "1",
                                  "--no-check", "--json"))
    words = (Path(word).name if word.startswith("/") else word for word in sys.argv[1:])
    argv = ["torch_direct", *words]
    run = said["run"] | {"suite": "peers-torch", "argv": argv, "plan_cases": plan}
    return run, {"type": "end", "run": run["run"]}


def campaign(torch: Any, cases: list[str], out: Path | None) -> None:
    run, end = header(cases[0], len(cases) * len(WAYS))
    slug = run["devices"]["cuda"]["slug"]
    out = out or Path("results") / slug / f"peers-torch-{program.utc()}.jsonl"
    out.parent.mkdir(parents=True, exist_ok=True)
    with out.open("w", encoding="utf-8") as file:
        print(json.dumps(run), file=file)
        for case in cases:
            with tempfile.TemporaryDirectory() as folder:
                program.ask("export", case, folder)
                problem = read(Path(folder))
            for line in measure(torch, problem):
                print(json.dumps(line | {"run": run["run"]}), file=file, flush=True)
                print(f"{line['coil_pairs_per_s']:.3g} coil_pairs/s  rel_l2 {line['rel_l2']:.2g}  "
                      f"{line['how']}  {case}", file=sys.stderr)
        print(json.dumps(end), file=file)
    print(f"records in {out}")


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python3 -m analysis.peers.torch_direct",
                                     description="PyTorch's exp(i phi) @ m beside ndft.")
    parser.add_argument("cases", nargs="*", metavar="CASE", help=f"default: {PROBLEM}, 1 and 32 "
                        "coils, both directions")
    parser.add_argument("-o", "--out", type=Path, metavar="FILE",
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
        campaign(torch, options.cases or CASES, options.out)
    except (RecordsError, OSError) as error:
        print(f"ndft: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
