# SPDX-License-Identifier: Apache-2.0
"""Work shared among the cores: the same answers in the same order, and the same errors."""

import os

import pytest


from analysis import cores


@pytest.fixture(params=[1, 2, 3])
def here(request, monkeypatch):
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: set(range(request.param)))
    return request.param


@pytest.mark.parametrize("items", [[], [1], list(range(7))])
def test_results_come_in_order(here, items):
    assert cores.each(lambda item: (item, item ** 2), items) == [(i, i ** 2) for i in items]


def test_several_processes_work(here):
    ids = set(cores.each(lambda _: os.getpid(), [0] * 6))
    assert len(ids) == here and (os.getpid() in ids) == (here == 1)


def test_errors_are_raised_here(here):
    with pytest.raises(ZeroDivisionError):
        cores.each(lambda item: 1 / item, [1, 2, 0, 3])


def test_a_process_that_is_gone_is_an_error(monkeypatch):
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0, 1})
    with pytest.raises(ChildProcessError, match="without an answer"):
        cores.each(lambda item: os._exit(3) if item else item, [0, 1])
