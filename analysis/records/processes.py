# SPDX-License-Identifier: Apache-2.0
"""A measurement in several processes: its samples, one process after the other."""

from __future__ import annotations

from typing import Any

LISTS = ("samples_s", "clocks_mhz")


def timed(entry: dict[str, Any]) -> list[dict[str, Any]]:
    """What each process with a timing had of its own; of a record of one process, the record."""
    parts = entry.get("by_process") or [entry]
    return [part for part in parts if part.get("samples_s")]


def joined(entry: dict[str, Any]) -> dict[str, Any]:
    """The record with the samples of all its processes, which throttled, host_bound and clocks_mhz refer
    to."""
    if not entry.get("by_process") or entry.get("samples_s") or not entry.get("median_s"):
        return entry
    parts, throttled, host_bound, by_rule, start = timed(entry), [], [], {}, 0
    for part in parts:
        throttled += [start + i for i in part.get("throttled") or ()]
        host_bound += [start + i for i in part.get("host_bound") or ()]
        for rule, samples in (part.get("throttled_by") or {}).items():
            by_rule.setdefault(rule, []).extend(start + i for i in samples or ())
        start += len(part["samples_s"])
    lists = {name: [value for part in parts for value in _padded(part, name)] for name in LISTS}
    return entry | lists | {"throttled": throttled, "host_bound": host_bound,
                            "throttled_by": by_rule or None}


def _padded(part: dict[str, Any], name: str) -> list[Any]:
    """As many values as there are samples."""
    values, n = list(part.get(name) or ()), len(part["samples_s"])
    return values[:n] + [None] * (n - len(values))
