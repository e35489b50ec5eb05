# SPDX-License-Identifier: Apache-2.0
"""Plans of the library, one of each frame, with what is queued on them; destroyed when nobody holds them."""

from __future__ import annotations

import ctypes
import threading
import weakref
from typing import Any, Callable

from ._devices import wait
from ._library import check, described, failure, library, made
from ._shapes import Layout
from ._views import HOST

_execute, _execute_on, _execute_host = library.ndft_execute, library.ndft_execute_on, library.ndft_execute_host


class _Held:
    """What outlives an Engine by the moment in which it is destroyed."""

    __slots__ = "plans", "place", "stream", "keeper", "destroyed_by"

    def __init__(self, plans: list[int], place: int, destroyed_by: Callable[[int], None]) -> None:
        self.plans, self.place, self.destroyed_by = plans, place, destroyed_by
        self.stream = 0
        self.keeper: object = None

    def begin(self, stream: int, keeper: object) -> None:
        """An execution on that stream of the caller's, or, where it is 0, on the library's own."""
        if stream:
            self.stream, self.keeper = stream, keeper
        else:
            self.wait()

    def wait(self) -> None:
        """For executions on the caller's stream; those on the library's own have finished, or are ordered."""
        if self.stream:
            wait(self.place, self.stream)
            self.stream, self.keeper = 0, None

    def destroy(self) -> None:
        try:
            self.wait()
        except Exception:  # a device that failed has nothing left to wait for
            pass
        while self.plans:
            self.destroyed_by(self.plans.pop())


class Engine:
    """Whoever executes, changes or clones it holds its lock, so that threads do so one after the other."""

    __slots__ = "_held", "_on_host", "lock", "place", "__weakref__"
    _destroyed_by = library.ndft_plan_destroy

    def __init__(self, plans: list[int], place: int) -> None:
        self._held = _Held(plans, place, self._destroyed_by)
        self._on_host = _execute if place == HOST else _execute_host
        self.lock = threading.RLock()  # a destructor may execute what its thread holds
        self.place = place
        weakref.finalize(self, self._held.destroy).atexit = False  # memory goes with the process

    def __reduce__(self) -> str:
        raise TypeError("a plan holds memory of its process and is not pickled or copied deeply: make it where it is "
                        "wanted, or clone() it")

    def __len__(self) -> int:
        return len(self._held.plans)

    def add(self, plan: int) -> None:
        self._held.plans.append(plan)

    def run(self, operation: int, given: int, taken: int, layout: Layout, stream: int, keeper: object = None) -> None:
        """All executions of a layout: of host memory where stream is 0, else queued on that stream of the GPU."""
        self._held.begin(stream, keeper)
        for plan in self._held.plans:
            for _ in range(layout.executions):
                if stream:
                    status = _execute_on(plan, stream, operation, given, taken)
                else:
                    status = self._on_host(plan, operation, given, taken)
                if status:
                    raise failure(status)
                given += layout.given
                taken += layout.taken

    def moments(self, count: int, weights: int, image: int, samples: int, layout: Layout, workspace: int, sums: int,
                frame_bytes: int, stream: int, keeper: object = None) -> None:
        """ndft_moments of count weights, summed over all executions of a forward layout; sums of the frames lie
        behind each other."""
        self._held.begin(stream, keeper)
        for plan in self._held.plans:
            for execution in range(layout.executions):
                check(library.ndft_moments(plan, stream, count, weights, image, samples, execution > 0, workspace,
                                           sums))
                image += layout.given
                samples += layout.taken
            sums += frame_bytes

    def moments_bytes(self, count: int) -> int:
        """Of the workspace of moments, which one execution after the other uses."""
        size = ctypes.c_size_t()
        check(library.ndft_moments_workspace(self._held.plans[0], count, ctypes.byref(size)))
        return size.value

    def wait(self) -> None:
        """Until all executions have finished."""
        self._held.wait()

    def change(self, change: Callable[[int, int], int]) -> None:
        """Gives the plans new values, all or none, by a call of a plan and its frame.

        Where there are several frames, clones take the new values and then their places.
        """
        held = self._held
        held.wait()
        if len(held.plans) == 1:
            return check(change(held.plans[0], 0))
        clones = self.clone()
        for index, plan in enumerate(clones._held.plans):
            check(change(plan, index))
        held.plans, clones._held.plans = clones._held.plans, held.plans

    def clone(self) -> Engine:
        clone = Engine([], self.place)
        for plan in self._held.plans:
            clone.add(made(library.ndft_plan_clone, plan))
        return clone

    def describe(self) -> list[dict[str, Any]]:
        return [described(library.ndft_plan_describe, plan) for plan in self._held.plans]

    def workspace_bytes(self) -> int:
        total = 0
        for plan in self._held.plans:
            size = ctypes.c_size_t()
            check(library.ndft_plan_workspace(plan, ctypes.byref(size)))
            total += size.value
        return total
