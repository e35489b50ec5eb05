# SPDX-License-Identifier: Apache-2.0
"""Plans of the library, made of problems and of choices by name."""

from __future__ import annotations

import ctypes
from contextlib import ExitStack
from dataclasses import dataclass
from numbers import Integral
from typing import Any, Callable, Iterable

import numpy as np

from ._devices import opened, place_of
from ._engine import Engine
from ._group import make_group_engine
from ._library import encoded, library, made
from ._problem import Problem, created
from ._structures import MODES, OPERATIONS, PlanOptions, sized
from .errors import InvalidError, UnsupportedError
from .ranks import Ranks


def one_of(name: str, value: str, valid: Iterable[str]) -> str:
    if not isinstance(value, str) or value not in valid:
        raise InvalidError(f"{name}={value!r}; one of {', '.join(map(repr, valid))}")
    return value


def is_number(value: Any) -> bool:
    """Real, and one."""
    return hasattr(value, "__float__") and np.ndim(value) == 0


def positive(name: str, value: float | None) -> float:
    """0, which leaves it to the library, where it is None."""
    if value is not None and not (is_number(value) and value > 0):
        raise InvalidError(f"{name}={value!r}; above 0, or None")
    return value or 0


def count(name: str, value: int | None, most: int) -> int:
    """0, which leaves it to the library, where it is None."""
    if value is not None and not (isinstance(value, Integral) and 1 <= int(value) <= most):
        raise InvalidError(f"{name}={value!r}; 1 to {most}")
    return int(value or 0)


def names_of_operations(ops: Any) -> tuple[str, ...]:
    try:
        return (ops,) if isinstance(ops, str) else tuple(ops)
    except TypeError:
        raise InvalidError(f"ops={ops!r}; one or more of {', '.join(map(repr, OPERATIONS))}") from None


@dataclass(frozen=True)
class Choice:
    """Where a plan is made and how its engine is chosen; 0 and None leave it to the library."""

    ops: tuple[str, ...] = ("forward",)
    device: str = "cpu"
    mode: str = "estimate"
    time_limit: float = 0
    memory_limit: int = 0
    deterministic: bool = False
    one_engine: bool = False
    variant: str | None = None
    threads: int = 0
    devices: tuple[str, ...] = ()  # several, in place of the one
    ranks: Ranks | None = None  # processes that have one each

    def __post_init__(self) -> None:
        one_of("mode", self.mode, MODES)
        if not self.ops:
            raise InvalidError(f"ops=(); one or more of {', '.join(map(repr, OPERATIONS))}")
        for name in self.ops:
            one_of("ops", name, OPERATIONS)

    @property
    def operations(self) -> int:
        return sum({OPERATIONS[name] for name in self.ops})

    def options(self, capacity: int | None = None) -> PlanOptions:
        return sized(PlanOptions, deterministic=self.deterministic, one_engine=self.one_engine,
                     memory_limit=self.memory_limit, capacity=capacity, time_limit_s=self.time_limit,
                     variant=None if self.variant is None else encoded("variant", self.variant), mode=MODES[self.mode])


def make_plan(problem: int, choice: Choice, capacity: int | None = None) -> int:
    return made(library.ndft_plan_create, problem, choice.operations, ctypes.byref(choice.options(capacity)))


def make_engine_of(choice: Choice, create: Callable[..., int], *described: Any) -> Engine:
    """A plan of the one problem that a call of the library creates on the device."""
    with opened(choice.device, threads=choice.threads) as device:
        problem = made(create, device, *described)
        try:
            return Engine([make_plan(problem, choice)], place_of(device, choice.device))
        finally:
            library.ndft_problem_destroy(problem)


def make_engine(problems: list[Problem], choice: Choice, most: list[Problem]) -> Engine:
    """A plan of each problem, with memory for as many others as there are in most."""
    if choice.devices or choice.ranks:
        if most:
            raise UnsupportedError("capacity: a plan of several devices takes no new values")
        return make_group_engine(problems, choice.devices or (choice.device,), choice.operations, choice.options(),
                                 choice.threads, choice.ranks)
    with opened(choice.device, threads=choice.threads) as device:
        engine = Engine([], place_of(device, choice.device))
        for index, problem in enumerate(problems):
            with ExitStack() as stack:
                capacity = stack.enter_context(created(device, most[index])) if most else None
                engine.add(make_plan(stack.enter_context(created(device, problem)), choice, capacity))
    return engine
