# SPDX-License-Identifier: Apache-2.0
"""Problem classes: what a decision depends on, and the buckets of sizes and coils."""

from __future__ import annotations

import dataclasses
import math
from dataclasses import dataclass

from .cases import OPS
from .load import Record


MOST = 1 << 53  # no bound


@dataclass(frozen=True)
class ProblemClass:
    """What a dispatcher would look at; buckets are bounds, both included."""

    device: str  # slug
    dim: int
    prec: str
    gradients: bool
    field: bool
    coils: tuple[int, int]
    tol: float
    voxels: tuple[int, int]
    samples: tuple[int, int]
    lines: bool  # samples in uniform lines
    per_time: tuple[int, int]  # samples for each distinct time
    turns: tuple[float, float]  # field x readout
    op: str
    mode: str
    kind: str = "nonuniform"

    @property
    def machine(self) -> str:
        """Where it was measured, for pages that speak of machines."""
        return self.device

    @property
    def place(self) -> tuple:
        """In the order of reading."""
        return (self.kind, *dataclasses.astuple(self)[:-3], OPS.index(self.op), self.mode)


@dataclass(frozen=True)
class TransformClass:
    """The same of uniform transforms."""

    device: str
    dim: int
    prec: str
    domain: str
    in_place: bool
    contiguous: bool  # along N1 numbers lie side by side, on both sides
    callbacks: bool
    tol: float
    factor: tuple[int, int]  # the largest prime factor of any length
    length: tuple[int, int]  # terms of a sum
    batch: tuple[int, int]
    mode: str
    kind: str = "uniform"

    @property
    def place(self) -> tuple:
        """In the order of reading."""
        return (self.kind, *dataclasses.astuple(self))


def coils_bucket(coils: int) -> tuple[int, int]:
    return next(bounds for bounds in ((1, 1), (2, 8), (9, 32), (33, 256)) if coils <= bounds[1])


def times_bucket(per_time: float) -> tuple[int, int]:
    """From 64 samples a time on, what one time costs is spread over enough of them."""
    return next(bounds for bounds in ((1, 3), (4, 15), (16, 63), (64, MOST))
                if per_time < bounds[1] + 1)


def turns_bucket(turns: float | None) -> tuple[float, float]:
    """About as many terms as the field map takes a transform that sums it up; None: not known."""
    if turns is None:
        return (0, MOST)
    return next(bounds for bounds in ((0, 1), (1, 3), (3, 15), (15, 60), (60, MOST))
                if turns <= bounds[1])


def factor_bucket(factor: float) -> tuple[int, int]:
    """Up to 7 libraries have kernels of their own, up to 127 a few of them."""
    return next(bounds for bounds in ((1, 7), (8, 127), (128, MOST)) if factor <= bounds[1])


def size_bucket(size: float) -> tuple[int, int]:
    """A range of 4x around a power of four: 32, 64, 128 ... squared are in the middle of one."""
    middle = int(size).bit_length() // 2 * 2
    return (1 << max(middle - 1, 0), (1 << (middle + 1)) - 1)


def problem_class(record: Record) -> ProblemClass | TransformClass:
    case = record.case
    if case.is_uniform:
        return TransformClass(
            device=record.device.slug, dim=case.dim, prec=case.prec, domain=case.domain,
            in_place=case.in_place, contiguous=case.contiguous, callbacks=case.callbacks,
            tol=case.tol, factor=factor_bucket(case.factor), length=size_bucket(case.length),
            batch=size_bucket(case.batch), mode=record.mode or "batch")
    return ProblemClass(
        device=record.device.slug, dim=case.dim, prec=case.prec, gradients=case.gradients,
        field=case.field != "none", coils=coils_bucket(case.coils), tol=case.tol,
        voxels=size_bucket(math.prod(case.n)), samples=size_bucket(case.m), lines=case.lines,
        per_time=times_bucket(case.per_time), turns=turns_bucket(case.turns), op=case.op,
        mode=record.mode or "batch",
    )


def _transform_label(problem: TransformClass) -> str:
    words = [problem.domain, f"{problem.dim}d", f"~{2 * problem.length[0]} long",
             f"~{2 * problem.batch[0]} of them", f"primes to {problem.factor[1]}"
             if problem.factor[1] < MOST else f"primes from {problem.factor[0]}"]
    words += ["in place"] * problem.in_place + ["spread"] * (not problem.contiguous)
    words += ["callbacks"] * problem.callbacks
    words += [problem.prec] * (problem.prec != "f32")
    return " ".join(words + [f"tol={problem.tol:g}"] * (problem.tol != 1e-4))


def class_label(problem: ProblemClass | TransformClass) -> str:
    if isinstance(problem, TransformClass):
        return _transform_label(problem)
    (voxels, _), (samples, _) = problem.voxels, problem.samples
    words = [problem.op, f"{problem.dim}d", f"~{2 * voxels} voxels ~{2 * samples} samples"]
    words.append("field" if problem.field else "no field")
    words += ["{:g}-{:g} turns".format(*problem.turns)] * (problem.field
                                                           and problem.turns[1] < MOST)
    words += [f"over {problem.turns[0]:g} turns"] * (problem.turns[0] == 60)
    words += ["lines"] * problem.lines
    words += ["shared times"] * (problem.per_time[0] > 1)
    words += ["gradients"] * problem.gradients
    words += ["coils={}-{}".format(*problem.coils)] * (problem.coils != (1, 1))
    words += [problem.prec] * (problem.prec != "f32")
    return " ".join(words + [f"tol={problem.tol:g}"] * (problem.tol != 1e-4))
