# SPDX-License-Identifier: Apache-2.0
"""What FINUFFT takes on the processor for the error that is asked for.

    python3 -m analysis.peers.finufft_plan [-o FILE] [--error E] [--threads N] [CASE...]

Problem and reference are those of `ndft export`. For each oversampling of FINUFFT's grid the largest
of its tolerances, in steps of half a decade, whose error against our reference is at most E (the
case's tol) is timed: execute alone, after one to warm up, all coils in one plan, with one thread
and with all. plan_s is the time of making the plan and of setting its points. It has no field map. Exit status 3: no finufft here
(`pip install finufft`, in a virtual environment that sees numpy).
"""

from __future__ import annotations

import argparse
import math
import os
import statistics
import sys
import time
from typing import Any, Callable

import numpy as np

from ..records import cases, outputs
from ..records.load import RecordsError
from .exported import Exported, campaign, refuse

CASES = [f"{op} 2d {problem}" for problem in (
    "n=128x128 m=16384 traj=radial:128", "n=256x256 m=65536 traj=radial:256",
    "n=256x256 m=65536 traj=radial:256 coils=32", "n=512x512 m=262144 traj=radial:512")
    for op in ("forward", "adjoint")]
OVERSAMPLING = (2.0, 1.25)
SAMPLES = 15
SHORTEST = 5e-3  # s, of a sample: shorter executions are repeated in it
ENVIRONMENT = 3


class Transform:
    """A FINUFFT plan of a case with its points set, and its vectors."""

    def __init__(self, finufft: Any, case: Exported, tolerance: float, oversampling: float,
                 threads: int):
        forward, single = case.op == "forward", case.k.dtype == np.float32
        kind, real = ("complex64", np.float32) if single else ("complex128", np.float64)
        shape = case.used.shape[3 - case.dim:]
        given = case.image if forward else case.kspace
        self.data = np.ascontiguousarray(given.reshape(case.coils, *shape) if forward else given)
        self.out = np.empty((case.coils, len(case.k)) if forward else (case.coils, *shape), kind)
        self.shape = case.reference.shape
        turns = 2 * math.pi * case.k.astype(float)[:, ::-1] / np.array(shape)  # slowest axis first
        points = [np.ascontiguousarray(column, real) for column in turns.T]
        begin = time.perf_counter()
        self.plan = finufft.Plan(2 if forward else 1, shape, n_trans=case.coils, eps=tolerance,
                                 isign=-1 if forward else 1, dtype=kind, upsampfac=oversampling,
                                 nthreads=threads)
        self.plan.setpts(*points)
        self.plan_s = time.perf_counter() - begin

    def execute(self) -> None:
        self.plan.execute(self.data, out=self.out)

    def result(self) -> np.ndarray:
        """The output in the shape of the reference."""
        self.execute()
        return self.out.reshape(self.shape)


def seconds_of(run: Callable[[], None]) -> list[float]:
    """Samples of one execution, each the mean of as many as last SHORTEST together."""
    def mean(count: int) -> float:
        begin = time.perf_counter()
        for _ in range(count):
            run()
        return (time.perf_counter() - begin) / count

    count = max(1, math.ceil(SHORTEST / mean(1)))
    return [mean(count) for _ in range(SAMPLES)]


def loosest(make: Callable[[float], Transform], case: Exported,
            error: float) -> tuple[Transform, float, float] | None:
    """The plan of the largest tolerance that is accurate enough, this tolerance and its error."""
    least = 1e-6 if case.k.dtype == np.float32 else 1e-14
    for step in range(2, math.ceil(-2 * math.log10(least)) + 1):
        transform = make(10 ** (-step / 2))
        found = case.error(transform.result())
        if found <= error:
            return transform, 10 ** (-step / 2), found
    return None


def measure(finufft: Any, case: Exported, wanted: float | None,
            threads: int) -> list[dict[str, Any]]:
    """One peer line for each oversampling that can be as accurate, with all threads or with one,
    whichever is faster."""
    refuse(case, field=False)
    error = wanted or cases.parse(case.case).tol
    lines = []
    for oversampling in OVERSAMPLING:
        def make(tolerance: float, threads: int = threads) -> Transform:
            return Transform(finufft, case, tolerance, oversampling, threads)
        fit = loosest(make, case, error)
        if fit is None:
            continue
        all_threads, tolerance, found = fit
        timed = {n: (plan, seconds_of(plan.execute)) for n, plan in
                 ((threads, all_threads), *(((1, make(tolerance, 1)),) if threads > 1 else ()))}
        used = min(timed, key=lambda n: statistics.median(timed[n][1]))
        plan, samples = timed[used]
        median = statistics.median(samples)
        how = f"eps={tolerance:.1e}, oversampling {oversampling:g}, threads {used}"
        lines.append({"case": case.case, "backend": "cpu", "peer": "finufft",
                      "version": finufft.__version__, "how": how, "rel_l2": found,
                      "samples_s": samples, "median_s": median,
                      "coil_pairs_per_s": case.coil_pairs / median, "plan_s": plan.plan_s})
    if not lines:
        raise RecordsError(f"{case.case}: FINUFFT reaches no error of {error:g} in this precision")
    return lines


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python3 -m analysis.peers.finufft_plan",
                                     description="FINUFFT beside ndft, at equal error.")
    parser.add_argument("cases", nargs="*", metavar="CASE", help="default: radial lines, 128², "
                        "256² and 512², both directions; 256² with 32 coils, too")
    parser.add_argument("-o", "--out", type=outputs.written_as(".jsonl"), metavar="FILE",
                        help="default: results/DEVICE/peers-finufft-UTC.jsonl")
    parser.add_argument("--error", type=float, metavar="E", help="rel_l2 that it must reach, such "
                        "as that of a variant of ours (the case's tol)")
    parser.add_argument("--threads", type=int, default=len(os.sched_getaffinity(0)), metavar="N",
                        help="most threads (all there are)")
    options = parser.parse_args(arguments)
    try:
        import finufft
    except ImportError:
        print("ndft: finufft is not installed (pip install finufft): nothing was measured",
              file=sys.stderr)
        return ENVIRONMENT
    try:
        campaign("finufft", "cpu", options.cases or CASES, len(OVERSAMPLING), options.out,
                 lambda case: measure(finufft, case, options.error, options.threads))
    except (RecordsError, OSError) as error:
        print(f"ndft: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
