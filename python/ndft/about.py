# SPDX-License-Identifier: Apache-2.0
"""What serves on this machine."""

from __future__ import annotations

import ctypes
from typing import Any

from ._devices import opened, said_of
from ._library import check, described, library, made, path, version
from ._make import Choice, make_plan
from ._structures import TransformDesc
from .errors import DeviceError, UnsupportedError


def _uniform(device: int, variant: str) -> dict[str, Any]:
    """The description of a plan that takes the host's or the GPU's FFT."""
    transform = TransformDesc()
    check(library.ndft_transform_parse(b"scfo8", ctypes.byref(transform)))
    problem = made(library.ndft_transform_create, device, ctypes.byref(transform), None)
    try:
        plan = make_plan(problem, Choice(variant=variant))
    finally:
        library.ndft_problem_destroy(problem)
    try:
        return described(library.ndft_plan_describe, plan)
    finally:
        library.ndft_plan_destroy(plan)


def _fft(device: int, backend: str) -> str | None:
    """None where there is one, else what to install."""
    try:
        _uniform(device, f"uniform_vendor.{backend}")
    except UnsupportedError as error:
        return str(error)
    return None


def _device(name: str) -> dict[str, Any]:
    with opened(name) as device:
        said = said_of(device)
        return {"device": name, **said, "fft_missing": _fft(device, said["backend"])}


def describe() -> dict[str, Any]:
    """version, library (its file), devices that serve here, each with its name and what of an FFT is missing; and as
    cuda_missing why there is no GPU, None where there is one. Every GPU is opened, which takes some of its memory."""
    devices, missing = [_device("cpu")], None
    try:
        while True:
            devices.append(_device(f"cuda:{len(devices) - 1}"))
    except DeviceError as error:
        missing = str(error) if len(devices) == 1 else None
    return {"version": version(), "library": path, "devices": devices, "cuda_missing": missing}
