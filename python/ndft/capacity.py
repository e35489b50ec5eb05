# SPDX-License-Identifier: Apache-2.0
"""Memory for the largest values that a plan will be given."""

from __future__ import annotations

from typing import Any, NamedTuple

from . import _intake as intake
from ._problem import Problem
from .errors import InvalidError


class Capacity(NamedTuple):
    """As many samples, as long times, as strong a field as will come, with the shapes and units of ndft.Plan."""

    k: Any
    t: Any = None
    field: Any = None


def largest(problems: list[Problem], capacity: Capacity | None, framed: bool) -> list[Problem]:
    """What memory is kept for, of each problem; none without a capacity."""
    if capacity is None:
        return []
    if not isinstance(capacity, Capacity):
        raise InvalidError(f"capacity is {type(capacity).__name__}; ndft.Capacity(k, t, field) is wanted")
    shape, dtype = problems[0].shape, problems[0].dtype
    each = intake.by_frame(intake.samples_of(capacity.k, capacity.t, len(shape), dtype)[1], framed)
    if len(each) != len(problems):
        raise InvalidError(f"capacity has {len(each)} frames; {len(problems)}")
    field = None if capacity.field is None else intake.field_of(capacity.field, dtype, shape)
    return [problem.with_values(most, field) for problem, most in zip(problems, each)]
