# SPDX-License-Identifier: Apache-2.0
"""Operations of one call, which makes a plan and executes it; whoever calls twice makes a Plan."""

from __future__ import annotations

import math
from typing import Any, Sequence

import numpy as np

from ._kinds import kind_of
from ._shapes import most_coils
from ._views import place_name
from .errors import InvalidError
from .plan import Plan


def _planned(data: Any, own: int, shape: Sequence[int], k: Any, operation: str, options: dict[str, Any]) -> Plan:
    if own < 1:
        raise InvalidError("k has no axis of positions; (*samples_shape, dim)")
    view = kind_of(data).view(data)
    options.setdefault("device", place_name(view.place))
    lead = math.prod(view.shape[:max(len(view.shape) - own, 0)])
    coils = most_coils(lead) if options.get("maps") is None else None
    return Plan(shape, k, coils=coils, ops=(operation,), **options)


def _planned_of_image(image: Any, k: Any, shape: Sequence[int] | None, operation: str, options: dict[str, Any]) -> Plan:
    if shape is None:
        shape = np.shape(image)[-np.shape(k)[-1]:]
    own = 1 if options.get("mask") is not None else len(tuple(shape))
    return _planned(image, own, shape, k, operation, options)


def forward(image: Any, k: Any, shape: Sequence[int] | None = None, **options: Any) -> Any:
    """Samples (*lead, *samples_shape) of images (*lead, *shape) at k (*samples_shape, dim) in cycles/FOV.

    shape is that of the last dim axes of image where it is not given, as with a mask it must be. options are those of
    ndft.Plan, apart from coils, interleaved and frames: t, field, decay, phase, gradient, grid, mask, maps, tol, device...
    """
    return _planned_of_image(image, k, shape, "forward", options).forward(image)


def adjoint(samples: Any, k: Any, shape: Sequence[int], **options: Any) -> Any:
    """Images (*lead, *shape) of samples (*lead, *samples_shape) at k (*samples_shape, dim) in cycles/FOV; options as
    of forward."""
    return _planned(samples, np.ndim(k) - 1, shape, k, "adjoint", options).adjoint(samples)


def normal(image: Any, k: Any, shape: Sequence[int] | None = None, **options: Any) -> Any:
    """The adjoint of forward of images (*lead, *shape); arguments as of forward."""
    return _planned_of_image(image, k, shape, "normal", options).normal(image)
