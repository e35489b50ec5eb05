# SPDX-License-Identifier: Apache-2.0
"""Devices by name, opened while something of them is made or waited for."""

from __future__ import annotations

import ctypes
from contextlib import contextmanager
from typing import Any, Iterator

from ._library import check, described, encoded, library, made
from ._structures import DeviceOptions, sized
from ._views import HOST


@contextmanager
def opened(name: str, stream: int = 0, threads: int = 0) -> Iterator[int]:
    """Plans that are made meanwhile keep it."""
    options = sized(DeviceOptions, stream=stream, threads=threads)
    device = made(library.ndft_device_open, encoded("device", name), ctypes.byref(options))
    try:
        yield device
    finally:
        library.ndft_device_close(device)


def said_of(device: int) -> dict[str, Any]:
    """backend, name, slug, units, memory_bytes, threads"""
    return described(library.ndft_device_describe, device)


def place_of(device: int, name: str) -> int:
    """The number of its GPU, or HOST; "auto" and "cuda" take the first."""
    if said_of(device)["backend"] == "cpu":
        return HOST
    return int(name.partition(":")[2] or 0)


def wait(place: int, stream: int) -> None:
    """Until all that is queued on a stream of a GPU has finished."""
    with opened(f"cuda:{place}", stream) as device:
        check(library.ndft_device_sync(device))
