# SPDX-License-Identifier: Apache-2.0
"""Work shared among the cores by forked processes, for what the interpreter itself takes long."""

from __future__ import annotations

import multiprocessing
import os
from multiprocessing.connection import Connection
from typing import Callable, Sequence, TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")


def each(function: Callable[[Item], Result], items: Sequence[Item]) -> list[Result]:
    """[function(item) for item in items]; what any of them raises is raised here. Results are
    pickled on their way back, the function and its items are not."""
    shares = min(len(os.sched_getaffinity(0)), len(items))
    if shares < 2:
        return [function(item) for item in items]
    fork = multiprocessing.get_context("fork")
    workers = []
    for first in range(shares):
        here, there = fork.Pipe(duplex=False)
        workers.append((here, fork.Process(target=_work,
                                           args=(function, items[first::shares], there))))
        workers[-1][1].start()
        there.close()
    results: list[Result] = [None] * len(items)
    found = [_result(here, process) for here, process in workers]
    for first, answer in enumerate(found):
        if isinstance(answer, BaseException):
            raise answer
        results[first::shares] = answer
    return results


def _work(function: Callable[[Item], Result], items: Sequence[Item], there: Connection) -> None:
    try:
        there.send([function(item) for item in items])
    except Exception as error:  # whatever it is, it is the caller's
        there.send(error)


def _result(here: Connection, process: multiprocessing.Process) -> list | BaseException:
    try:
        return here.recv()
    except EOFError:
        return ChildProcessError(f"a process ended without an answer (exit {process.exitcode})")
    finally:
        process.join()
