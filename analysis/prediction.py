# SPDX-License-Identifier: Apache-2.0
"""How a setting's time splits over its declared amounts of work, so that it can be predicted.

Over all records of a setting (device, id, precision, operation, mode), t ~ sum_r rate_r c_r with no
rate below zero, by least squares of relative errors. What a launch or an FFT really costs comes out
of the sizes that were measured; lower bounds from a device's ceilings do not know it.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from . import rank
from .records.load import Record

Rates = dict[Any, dict[str, float]]


def _key(record: Record) -> tuple:
    return (record.device.slug, record.id, record.case.prec, record.case.op, record.mode)


def rates_of(records: Iterable[Record]) -> Rates:
    """Seconds for each unit of every amount, by setting; those without declared costs left out."""
    groups = rank.grouped((r for r in records if r.ranks and r.cost), _key)
    return {key: _rates(group) for key, group in groups.items()}


def parts(rates: Rates, record: Record) -> dict[str, float]:
    """Seconds of the record's time that each amount stands for."""
    amounts = record.cost or {}
    return {name: rate * amounts[name] for name, rate in rates.get(_key(record), {}).items()
            if rate * amounts.get(name, 0) > 0}


def _rates(records: list[Record]) -> dict[str, float]:
    names = sorted({name for r in records for name, amount in r.cost.items() if amount})
    relative = np.array([[r.cost.get(name, 0) / r.median_s for name in names] for r in records])
    scale = relative.max(axis=0)
    return dict(zip(names, non_negative(relative / scale, np.ones(len(records))) / scale))


def non_negative(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """x >= 0 of least |a x - b|: Lawson and Hanson, Solving Least Squares Problems, 23.3."""
    x = np.zeros(a.shape[1])
    free = np.zeros(len(x), bool)
    for _ in range(3 * len(x)):
        descent = np.where(free, 0, a.T @ (b - a @ x))
        if descent.max(initial=0) <= 1e-9 * len(b):
            break
        free[descent.argmax()] = True
        x = _inside(a, b, x, free)
    return x


def _inside(a: np.ndarray, b: np.ndarray, x: np.ndarray, free: np.ndarray) -> np.ndarray:
    """The least squares of the free unknowns; those that would leave the positive are set to 0."""
    while True:
        wanted = np.zeros(len(x))
        wanted[free] = np.linalg.lstsq(a[:, free], b, rcond=None)[0]
        outside = free & (wanted <= 0)
        if not outside.any():
            return wanted
        step = (x[outside] / (x[outside] - wanted[outside])).min(initial=1)
        x = x + step * (wanted - x)
        free &= ~(outside & (x <= 1e-12 * x.max(initial=1e-300)))
        x[~free] = 0
