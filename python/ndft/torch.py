# SPDX-License-Identifier: Apache-2.0
"""Operations of a plan that PyTorch differentiates: by image or samples, and by k, t and field.

With A the operator, r the voxels' positions and g the derivative of a real loss by the conjugate of the result, those
by data are A^H g of forward and A g of adjoint. With m the image and s the samples, g being one of them:

    by k_jd     2 pi Im((A r_d m)_j conj(s_j))
    by t_j      Im((A field m)_j conj(s_j))
    by field_v  Im(m_v conj((A^H t s)_v))

(Wang and Fessler, IEEE TCI 9, 2023). A derivative by k costs an execution of dim times as many columns.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Callable, NamedTuple, TypeVar, cast

import numpy as np
import torch
from torch import Tensor
from torch.autograd.function import once_differentiable

from .errors import InvalidError, UnsupportedError
from .plan import Plan


class _Values(NamedTuple):
    """What the plan was given, where derivatives by it may be wanted."""

    k: Tensor | None
    t: Tensor | None
    field: Tensor | None


_Call = TypeVar("_Call", bound=Callable[..., Tensor])


def _uncompiled(call: _Call) -> _Call:
    """torch.compile goes around it: the library's calls are no graph of PyTorch's."""
    disable: Any = torch.compiler.disable
    return cast(_Call, disable(call))


def _packed(x: Tensor) -> Tensor:
    """Derivatives come in any layout."""
    return x.detach().resolve_conj().contiguous()


def _over_lead(x: Tensor, own: int) -> Tensor:
    """Summed over what is before the own axes."""
    return x.reshape(-1, *x.shape[x.dim() - own:]).sum(0)


@lru_cache(maxsize=4)
def _turns(shape: tuple[int, ...], dtype: torch.dtype, device: torch.device) -> Tensor:
    """(dim, *shape), 2 pi times the positions along each axis of an image."""
    axes = [2 * np.pi / n * (torch.arange(n, dtype=torch.float64) - n // 2) for n in shape]
    return torch.stack(torch.meshgrid(*axes, indexing="ij")).to(device, dtype)


def _weights(plan: Plan, values: _Values, wants: tuple[bool, ...], like: Tensor) -> Tensor:
    """(n, *voxels_shape) of voxels: the sums with them are derivatives by k along each axis, and by t."""
    found = []
    if wants[0]:
        found.append(_turns(plan.shape, like.real.dtype, like.device))
    if wants[1]:
        field = torch.zeros(plan.shape, device=like.device) if values.field is None else values.field.detach()
        found.append(field[None].to(like.real.dtype))
    weights = found[0] if len(found) == 1 else torch.cat(found)
    return weights if plan.voxels_shape == plan.shape else cast(Tensor, plan.of_grid(weights))


def _by_samples(plan: Plan, values: _Values, wants: tuple[bool, ...], image: Tensor, samples: Tensor,
                ) -> tuple[Tensor | None, Tensor | None]:
    """Im((A w image)_j conj(samples_j)) summed over coils, for every weight w: by k, and by t."""
    if not (wants[0] or wants[1]):
        return None, None
    weights = _weights(plan, values, wants, image)
    lead = image.dim() - len(plan.voxels_shape)
    columns = weights.view(len(weights), *lead * [1], *plan.voxels_shape) * image
    found = plan.forward(columns) * samples.conj()
    sums = (found.sum(tuple(range(1, 1 + lead))) if lead else found).imag
    dim = len(plan.shape) if wants[0] else 0
    by_t = sums[-1].sum_to_size(values.t.shape) if wants[1] and values.t is not None else None
    return (sums[:dim].movedim(0, -1) if wants[0] else None), by_t


def _by_field(plan: Plan, values: _Values, wanted: bool, image: Tensor, samples: Tensor) -> Tensor | None:
    """Im(image_v conj((A^H t samples)_v)) summed over coils."""
    if not wanted or values.t is None:
        return None
    late = plan.adjoint(_packed(values.t.detach().expand(plan.samples_shape) * samples))
    found = _over_lead((image * late.conj()).imag, len(plan.voxels_shape))
    return found if plan.voxels_shape == plan.shape else plan.on_grid(found)


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
        g, data, values, wants = _packed(g), data.detach(), _Values(*given), ctx.needs_input_grad[3:]
        is_forward = ctx.name == "forward"
        image, samples = (data, g) if is_forward else (g, data)
        by_data = getattr(plan, "adjoint" if is_forward else "forward")(g) if ctx.needs_input_grad[2] else None
        by_k_and_t = _by_samples(plan, values, wants, image, samples)
        return None, None, by_data, *by_k_and_t, _by_field(plan, values, wants[2], image, samples)


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
        return None, ctx.plan.normal(_packed(g))


def _checked(plan: Plan, values: _Values) -> _Values:
    wanted = [name for name, value in zip(_Values._fields, values) if value is not None and value.requires_grad]
    if not wanted:
        return values
    if plan.interleaved or plan.frames is not None:
        raise UnsupportedError(f"derivatives by {', '.join(wanted)} with interleaved coils or frames; a plan without")
    if "gradient" in plan.maps and wanted != ["field"]:
        raise UnsupportedError(f"derivatives by {', '.join(wanted)} with gradient maps; by data and field there are")
    if "field" in plan.maps and values.field is None and "t" in wanted:
        raise InvalidError("field is None; derivatives by t need the plan's")
    if values.t is None and "field" in wanted:
        raise InvalidError("t is None; derivatives by field need the plan's")
    return values


@_uncompiled
def forward(plan: Plan, image: Tensor, *, k: Tensor | None = None, t: Tensor | None = None,
            field: Tensor | None = None) -> Tensor:
    """plan.forward(image), with derivatives by image, and by those of k, t and field that require them.

    k, t and field have the values of the plan (set_samples and set_field give it others); where one of t and field
    requires derivatives, the other is given, too.
    """
    found: Tensor = _Operation.apply(plan, "forward", image, *_checked(plan, _Values(k, t, field)))
    return found


@_uncompiled
def adjoint(plan: Plan, samples: Tensor, *, k: Tensor | None = None, t: Tensor | None = None,
            field: Tensor | None = None) -> Tensor:
    """plan.adjoint(samples), with derivatives by samples, k, t and field, as of forward."""
    found: Tensor = _Operation.apply(plan, "adjoint", samples, *_checked(plan, _Values(k, t, field)))
    return found


@_uncompiled
def normal(plan: Plan, image: Tensor, *, k: Tensor | None = None, t: Tensor | None = None,
           field: Tensor | None = None) -> Tensor:
    """plan.normal(image), with derivatives by image; where k, t or field require some, adjoint after forward."""
    values = {"k": k, "t": t, "field": field}
    if any(value is not None and value.requires_grad for value in values.values()):
        return adjoint(plan, forward(plan, image, **values), **values)
    found: Tensor = _Normal.apply(plan, image)
    return found
