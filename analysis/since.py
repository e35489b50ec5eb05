# SPDX-License-Identifier: Apache-2.0
"""Since when engines take what they take now: records from before are of other kernels, and no fit counts them."""

from __future__ import annotations

from .records.record import Record

# Of GPUs' engines whose declarations changed, the first in f32 that counts, and all in double, whose kernels are as
# they were; of others the work that they declare tells (model.py).
SINCE = {"nufft_scatter": "20261129T09", "nufft_gather": "20261129T09", "nufft_hybrid": "20261129T09",
         "nufft_subproblem": "20261129T09", "nufft_gemm": "20261129T09", "nufft_interleaved": "20261129T14"}
UNIFORM = {"stockham": "20261130T12"}  # in either precision: radices from 17 to 31, and a first pass of a larger prime
LINES = "20261129T21"  # of one dimension, which clusters transform
LATER = "20261129T22"  # planes of one column, which blocks transform; nufft_interleaved's adjoint, and its lanes of eight
STRIPS = "20261130T02"  # planes of more than eight coils in lanes of eight, which nufft_interleaved reads by strips
AS_BEFORE = ("nufft_hybrid", "nufft_scatter", "nufft_gather", "nufft_subproblem")  # adjoint, where blocks did already


def is_dated(record: Record) -> bool:
    return record.backend == "cuda" and (record.family in SINCE or record.family in UNIFORM)


def is_of_now(record: Record) -> bool:
    case, name, is_adjoint = record.case, record.family, record.case.op == "adjoint"
    if name in UNIFORM:
        return record.run.started >= UNIFORM[name]
    if case.prec == "f64":
        return True
    alone = case.dim == 2 and case.coils == 1 and "field=none" in case.text
    as_before = is_adjoint and name in AS_BEFORE and "fft=own" in (record.raw.get("chosen") or "")
    if name == "nufft_interleaved" and case.dim == 2 and case.coils > 8 and "lanes=8" in (record.raw.get("chosen") or ""):
        return record.run.started >= STRIPS
    other_lanes = name == "nufft_interleaved" and (is_adjoint or (case.coils > 6 and case.coils % 8))
    if (alone and not as_before) or other_lanes:
        return record.run.started >= LATER
    return record.run.started >= (LINES if case.dim == 1 else SINCE[name])
