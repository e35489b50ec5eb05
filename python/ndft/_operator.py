# SPDX-License-Identifier: Apache-2.0
"""What operators of other packages hold: plans of one problem, made where data are and for as many as there are."""

from __future__ import annotations

import math
import sys
from typing import Any, Callable, NamedTuple, Sequence

import numpy as np

from ._kinds import kind_of
from ._shapes import most_coils
from ._structures import COMPLEX
from ._views import place_name
from .errors import Error, UnsupportedError
from .plan import Plan

Array = np.ndarray[Any, Any]
_MOST_PLANS = 8  # that are kept


class Values(NamedTuple):
    """What a live plan is given anew, with the shapes and units of ndft.Plan."""

    k: Array
    t: Array | None = None
    field: Array | None = None
    decay: Array | None = None
    phase: tuple[Array, ...] | None = None  # coefficients and maps

    @classmethod
    def of(cls, k: Any, t: Any, field: Any, decay: Any = None, phase: Any = None) -> Values:
        """Arrays of any kind, on the host."""
        def host(values: Any) -> Array | None:
            return None if values is None else kind_of(values).host(values)
        pair = None if phase is None else tuple(kind_of(values).host(values) for values in phase)
        return cls(kind_of(k).host(k), host(t), host(field), host(decay), pair)

    def astype(self, dtype: Any) -> Values:
        """With k of another precision, of which that of a plan follows."""
        return self._replace(k=self.k.astype(dtype, copy=False))


class _Key(NamedTuple):
    """A plan for its data."""

    place: str
    columns: int
    operations: tuple[str, ...]


def packed(array: Any, dtype: str) -> Any:
    """The array, or where it is of another dtype or has gaps a copy as plans take it."""
    if kind_of(array).name == "torch":
        torch = sys.modules["torch"]
        return array.detach().resolve_conj().resolve_neg().to(getattr(torch, dtype)).contiguous()
    found = array.astype(dtype, order="C", copy=False)
    return found if found.flags.c_contiguous else found.copy()


class Operator:
    """forward, adjoint and normal of ndft.Plan times a scale, normal times its square, of arrays anywhere.

    Arrays are (*lead, *shape) and (*lead, n_samples), of any dtype and lead; all of lead is one execution up to 256.
    With maps among the options they are (*lead, *shape) and (*lead, coils, n_samples).
    A plan is made when it is first wanted, where data are, or on a device, or devices, of the options,
    which are ndft.Plan's.
    """

    def __init__(self, shape: Sequence[int], values: Values, scale: float = 1, device: str | None = None,
                 **options: Any) -> None:
        self.shape, self.values, self.scale = tuple(shape), values, scale
        self.dtype: str = COMPLEX[values.k.dtype.name]
        self._device, self._options = device, options
        self._plans: dict[_Key, Plan] = {}

    def with_values(self, values: Values) -> Operator:
        """The same of other values, with plans of its own."""
        return Operator(self.shape, values, self.scale, self._device, **self._options)

    def with_maps(self, maps: Any) -> Operator:
        """The same with coil maps (coils, *shape), or None, with plans of its own."""
        return Operator(self.shape, self.values, self.scale, self._device, **self._options | {"maps": maps})

    def forward(self, image: Any) -> Any:
        """(*lead, *shape) -> (*lead, *samples_shape)"""
        return self._scaled(self.plan(image, len(self.shape)).forward, image, self.scale)

    def adjoint(self, samples: Any) -> Any:
        """(*lead, *samples_shape) -> (*lead, *shape)"""
        return self._scaled(self.plan(samples, self.values.k.ndim - 1).adjoint, samples, self.scale)

    def normal(self, image: Any) -> Any:
        """(*lead, *shape) -> (*lead, *shape), by the engine that is best for it."""
        return self._scaled(self.plan(image, len(self.shape), ("normal",)).normal, image, self.scale ** 2)

    def _scaled(self, operation: Callable[[Any], Any], data: Any, scale: float) -> Any:
        found = operation(packed(data, self.dtype))
        found *= scale
        return found

    def plan(self, data: Any, axes: int, operations: tuple[str, ...] = ("forward", "adjoint")) -> Plan:
        """That takes data, of which the last axes are those of an image or its samples."""
        maps = self._options.get("maps")
        columns = most_coils(math.prod(data.shape[:data.ndim - axes])) if maps is None else len(maps)
        key = _Key(self._device or place_name(kind_of(data).place(data)), columns, operations)
        found = self._plans.get(key)
        if found is None:
            if len(self._plans) == _MOST_PLANS:
                del self._plans[next(iter(self._plans))]
            found = self._plans[key] = self._made(key)
        return found

    def _made(self, key: _Key) -> Plan:
        k, t, field, decay, phase = self.values
        place = {} if "devices" in self._options else {"device": key.place}
        return Plan(self.shape, k, t=t, field=field, decay=decay, phase=phase, coils=key.columns, ops=key.operations,
                    **place, **self._options)

    def set_samples(self, k: Array, t: Array | None = None) -> None:
        """Another trajectory with its times, in place where a plan takes it, else by another plan."""
        if self.values.phase is not None:
            raise UnsupportedError("phase[0] belongs to the samples that there are; another operator is valid")
        self._renew(self.values._replace(k=k, t=t), lambda plan: plan.set_samples(k, t))

    def set_field(self, field: Array) -> None:
        """Another field, in place where a plan takes it, else by another plan."""
        self._renew(self.values._replace(field=field), lambda plan: plan.set_field(field))

    def _renew(self, values: Values, change: Callable[[Plan], None]) -> None:
        """Of all plans, or where the values are refused of none."""
        before, self.values = self.values, values
        try:
            for key, plan in self._plans.items():
                self._plans[key] = self._changed(key, plan, change)
        except Error:
            self.values = before
            self._plans.clear()
            raise

    def _changed(self, key: _Key, plan: Plan, change: Callable[[Plan], None]) -> Plan:
        """The plan, or another where its capacity or its engine is not for the values."""
        try:
            change(plan)
        except Error:
            return self._made(key)
        return plan
