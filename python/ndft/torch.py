# SPDX-License-Identifier: Apache-2.0
"""Operations of a plan that PyTorch differentiates: by image or samples, and by k, t, field and gradient maps.

With A the operator, r the voxels' positions and g the derivative of a real loss by the conjugate of the result, those
by data are A^H g of forward and A g of adjoint. With m the image and s the samples, g being one of them:

    by k_jd     2 pi Im((A r_d m)_j conj(s_j))
    by t_j      Im((A field m)_j conj(s_j))
    by field_v  Im(m_v conj((A^H t s)_v))

(Wang and Fessler, IEEE TCI 9, 2023). A derivative by k costs an execution of dim times as many columns.

With gradient maps k and t are in the factors B, too. What that adds, and derivatives by the maps, are no sums of the
operator's own form: they are exact sums over all pairs of a sample and a voxel in PyTorch, of any number of coils at
once, by tens of calls a tile of pairs. Where none of them is wanted they are not computed: by field and data there
are executions alone.
"""

from __future__ import annotations

from typing import Any, Callable, TypeVar, cast

import torch
from torch import Tensor
from torch.autograd.function import once_differentiable

from ._moments import Values, Wants, derivatives, packed
from .errors import InvalidError, UnsupportedError
from .plan import Plan

_Call = TypeVar("_Call", bound=Callable[..., Tensor])


def _uncompiled(call: _Call) -> _Call:
    """torch.compile goes around it: the library's calls are no graph of PyTorch's."""
    disable: Any = torch.compiler.disable
    return cast(_Call, disable(call))


class _Operation(torch.autograd.Function):
    """forward or adjoint."""

    @staticmethod
    def forward(ctx: Any, plan: Plan, name: str, data: Tensor, *values: Tensor | None) -> Tensor:
        ctx.plan, ctx.name, ctx.changes = plan, name, plan.changes
        ctx.save_for_backward(data, *values)
        found: Tensor = getattr(plan, name)(data)
        return found

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, g: Tensor) -> tuple[Any, ...]:
        plan, (data, *given) = ctx.plan, ctx.saved_tensors
        if plan.changes != ctx.changes:
            raise InvalidError("the plan has new values since the operation that is to be differentiated; "
                               "set them behind backward(), or in a clone")
        g, data = packed(g), data.detach()
        is_forward = ctx.name == "forward"
        image, samples = (data, g) if is_forward else (g, data)
        by_data = getattr(plan, "adjoint" if is_forward else "forward")(g) if ctx.needs_input_grad[2] else None
        by_values = derivatives(plan, Values(*given), Wants(*ctx.needs_input_grad[3:]), image, samples)
        return None, None, by_data, *by_values


class _Normal(torch.autograd.Function):
    """Its own adjoint."""

    @staticmethod
    def forward(ctx: Any, plan: Plan, image: Tensor) -> Tensor:
        ctx.plan, ctx.changes = plan, plan.changes
        found: Tensor = plan.normal(image)
        return found

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, g: Tensor) -> tuple[Any, ...]:
        if ctx.plan.changes != ctx.changes:
            raise InvalidError("the plan has new values since the operation that is to be differentiated")
        return None, ctx.plan.normal(packed(g))


def _needed(name: str, maps: frozenset[str]) -> list[str]:
    """What else derivatives by a value are made of."""
    if name == "field":
        return ["t"]
    with_factors = ["k", "t", "gradient"] if "gradient" in maps else []
    return with_factors + (["field"] if "field" in maps and (with_factors or name == "t") else [])


def _refuse_other_shapes(plan: Plan, given: dict[str, Tensor | None]) -> None:
    """t may broadcast."""
    samples = plan.samples_shape if plan.frames is None else (plan.frames, *plan.samples_shape)
    right = {"k": (*samples, len(plan.shape)), "field": plan.shape, "gradient": (len(plan.shape), *plan.shape)}
    for name, shape in right.items():
        value = given[name]
        if value is not None and value.shape != shape:
            raise InvalidError(f"{name} has the shape {tuple(value.shape)}; {shape}, that of the plan's")


def _refuse_factors(plan: Plan, wanted: list[str]) -> None:
    """By k and field decay is a factor of the sums, as it is of data, and a phase always; the others have terms of
    their own, and with gradient maps sums of their own, which know of neither."""
    summed = ["k", "t", "gradient"] if "gradient" in plan.maps else []
    for other, missing in (("decay", [*summed, "t"]), ("phase", summed)):
        for name in wanted:
            if other in plan.maps and name in missing:
                raise UnsupportedError(
                    f"derivatives by {name} of a plan with {other} are not built yet; without {other}")


def _refuse_maps(plan: Plan, wanted: list[str]) -> None:
    """Through the factors of gradient maps pairs are summed of images and samples of as many coils."""
    for name in wanted:
        if {"maps", "gradient"} <= plan.maps and name != "field":
            raise UnsupportedError(f"derivatives by {name} of a plan with coil maps and gradient maps are not built "
                                   "yet; without coil maps, of images times them")


def _checked(plan: Plan, values: Values) -> Values:
    given = values._asdict()
    wanted = [name for name, value in given.items() if value is not None and value.requires_grad]
    _refuse_maps(plan, wanted)
    _refuse_factors(plan, wanted)
    if "gradient" in wanted and "gradient" not in plan.maps:
        raise InvalidError("the plan has no gradient maps; derivatives by gradient need a plan with them")
    for name in wanted:
        for other in _needed(name, plan.maps):
            if given[other] is None:
                raise InvalidError(f"{other} is None; derivatives by {name} need the plan's")
    if wanted:
        _refuse_other_shapes(plan, given)
    return values


@_uncompiled
def forward(plan: Plan, image: Tensor, *, k: Tensor | None = None, t: Tensor | None = None,
            field: Tensor | None = None, gradient: Tensor | None = None) -> Tensor:
    """plan.forward(image), with derivatives by image, and by those of k, t, field and gradient that require them.

    They have the values of the plan (set_samples and set_field give it others). Where one of t and field requires
    derivatives, the other is given, too; with gradient maps, where one of k, t and gradient does, all that the plan
    has.
    """
    found: Tensor = _Operation.apply(plan, "forward", image, *_checked(plan, Values(k, t, field, gradient)))
    return found


@_uncompiled
def adjoint(plan: Plan, samples: Tensor, *, k: Tensor | None = None, t: Tensor | None = None,
            field: Tensor | None = None, gradient: Tensor | None = None) -> Tensor:
    """plan.adjoint(samples), with derivatives by samples, k, t, field and gradient, as of forward."""
    found: Tensor = _Operation.apply(plan, "adjoint", samples, *_checked(plan, Values(k, t, field, gradient)))
    return found


@_uncompiled
def normal(plan: Plan, image: Tensor, *, k: Tensor | None = None, t: Tensor | None = None,
           field: Tensor | None = None, gradient: Tensor | None = None) -> Tensor:
    """plan.normal(image), with derivatives by image; where any of the others requires some, adjoint after forward."""
    values = {"k": k, "t": t, "field": field, "gradient": gradient}
    if any(value is not None and value.requires_grad for value in values.values()):
        return adjoint(plan, forward(plan, image, **values), **values)
    found: Tensor = _Normal.apply(plan, image)
    return found
