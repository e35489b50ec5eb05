# SPDX-License-Identifier: Apache-2.0
"""Plans of the library over several devices, with the calls of those of one."""

from __future__ import annotations

import ctypes
import weakref
from contextlib import ExitStack
from functools import lru_cache
from numbers import Integral
from typing import Any, Callable, Sequence

from ._devices import opened, place_of
from ._engine import Engine
from ._library import check, described, encoded, library, made
from ._problem import Problem, created
from ._shapes import Layout
from ._structures import SAME_BITS, DeviceOptions, GroupPlanOptions, PlanOptions, sized
from ._views import HOST
from .errors import InvalidError, UnsupportedError
from .ranks import Ranks

_NO_OTHER = "a plan of several devices has no {}; a plan of one device has"


def names_of(devices: Sequence[Any]) -> tuple[str, ...]:
    """"cpu" and "cuda:N", which a number stands for."""
    if isinstance(devices, str) or not hasattr(devices, "__len__") or not len(devices):
        raise InvalidError(f"devices={devices!r}; a list of 'cpu', 'cuda:N' or numbers of GPUs, as [0, 1]")
    return tuple(f"cuda:{int(one)}" if isinstance(one, Integral) else str(one) for one in devices)


def _group(names: tuple[str, ...], parts: int, threads: int, ranks: Ranks | None) -> int:
    """Of devices of this process, or of one of each rank."""
    if ranks:
        options = sized(DeviceOptions, threads=threads)
        return made(library.ndft_group_join, ranks.communicator, encoded("device", names[0]), parts,
                    ctypes.byref(options))
    texts = (ctypes.c_char_p * len(names))(*(encoded("devices", name) for name in names))
    options = sized(DeviceOptions, threads=threads)
    return made(library.ndft_group_create, len(names), texts, parts, ctypes.byref(options))


class _Stream:
    """One of the caller's on a GPU, which is waited for often."""

    def __init__(self, place: int, stream: int) -> None:
        options = sized(DeviceOptions, stream=stream)
        self._device = made(library.ndft_device_open, encoded("device", f"cuda:{place}"), ctypes.byref(options))
        weakref.finalize(self, library.ndft_device_close, self._device).atexit = False

    def wait(self) -> None:
        check(library.ndft_device_sync(self._device))


_stream = lru_cache(maxsize=16)(_Stream)


class GroupEngine(Engine):
    """Executions have finished on return."""

    __slots__ = ()
    _destroyed_by = library.ndft_group_plan_destroy

    def run(self, operation: int, given: int, taken: int, layout: Layout, stream: int, keeper: object = None) -> None:
        if stream:
            _stream(self.place, stream).wait()
        execute = library.ndft_group_execute if stream or self.place == HOST else library.ndft_group_execute_host
        for plan in self._held.plans:
            for _ in range(layout.executions):
                check(execute(plan, operation, given, taken))
                given += layout.given
                taken += layout.taken

    def moments_bytes(self, count: int) -> int:
        raise UnsupportedError(_NO_OTHER.format("moments"))

    def change(self, change: Callable[[int, int], int]) -> None:
        raise UnsupportedError(_NO_OTHER.format("new values"))

    def clone(self) -> Engine:
        raise UnsupportedError(_NO_OTHER.format("clones"))

    def workspace_bytes(self) -> int:
        raise UnsupportedError(_NO_OTHER.format("workspace"))

    def describe(self) -> list[dict[str, Any]]:
        return [described(library.ndft_group_plan_describe, plan) for plan in self._held.plans]


class FramesEngine(GroupEngine):
    """Frames that are dealt whole, by one object that has the plans of all."""

    __slots__ = ("_frames",)
    _destroyed_by = library.ndft_group_frames_destroy

    def __init__(self, frames: int, place: int) -> None:
        super().__init__([], place)
        self._frames = frames

    def run(self, operation: int, given: int, taken: int, layout: Layout, stream: int, keeper: object = None) -> None:
        if not layout.executions:
            return
        if stream:
            _stream(self.place, stream).wait()
        on_device = stream or self.place == HOST
        execute = library.ndft_group_frames_execute if on_device else library.ndft_group_frames_execute_host
        check(execute(self._held.plans[0], operation, layout.executions, given, taken))

    def describe(self) -> list[dict[str, Any]]:
        return [described(library.ndft_group_frames_describe, self._held.plans[0], frame)
                for frame in range(self._frames)]


def _are_dealt(frames: int, devices: int) -> bool:
    """Whether whole frames leave devices without work for a tenth of the time at most."""
    return frames > 1 and 10 * -(-frames // devices) * devices <= 11 * frames


def make_group_engine(problems: list[Problem], names: tuple[str, ...], operations: int, options: PlanOptions,
                      threads: int, ranks: Ranks | None) -> GroupEngine:
    """Frames whole where they can be dealt evenly, else a plan of each problem over all devices; deterministic: the
    same bits on 1, 2, 4 and 8, for which frames are dealt as over 8."""
    each = sized(GroupPlanOptions, each=ctypes.pointer(options))
    with ExitStack() as stack:
        device = stack.enter_context(opened(names[0]))
        group = _group(names, SAME_BITS if options.deterministic else 0, threads, ranks)
        stack.callback(library.ndft_group_destroy, group)  # plans keep it
        place, parts = place_of(device, names[0]), SAME_BITS if options.deterministic else len(names)
        if ranks is None and _are_dealt(len(problems), parts):
            each_of = (ctypes.c_void_p * len(problems))(*(stack.enter_context(created(device, one)) for one in problems))
            frames = FramesEngine(len(problems), place)
            frames.add(made(library.ndft_group_frames_create, group, len(problems), each_of, operations,
                            ctypes.byref(options)))
            return frames
        engine = GroupEngine([], place)
        for problem in problems:
            with created(device, problem) as one:
                engine.add(made(library.ndft_group_plan_create, group, one, operations, ctypes.byref(each)))
    return engine
