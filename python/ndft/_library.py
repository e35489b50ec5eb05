# SPDX-License-Identifier: Apache-2.0
"""libndft, found and loaded once, with the prototypes of what is called."""

from __future__ import annotations

import ctypes
import json
import os
import re
from ctypes import POINTER, c_bool, c_char_p, c_int, c_int64, c_size_t, c_void_p
from pathlib import Path
from typing import Any, Callable

from . import _structures as s
from .errors import BY_STATUS, Error, InvalidError

NAME = "libndft.so.0"
_PLACE = POINTER(c_void_p)
_EXECUTION = [c_int, c_void_p, c_void_p]  # operation, in, out

_STATUS_CALLS: dict[str, list[Any]] = {
    "ndft_device_open": [c_char_p, POINTER(s.DeviceOptions), _PLACE],
    "ndft_device_sync": [c_void_p],
    "ndft_device_describe": [c_void_p, c_char_p, c_size_t],
    "ndft_problem_create": [c_void_p, POINTER(s.ProblemDesc), _PLACE],
    "ndft_transform_parse": [c_char_p, POINTER(s.TransformDesc)],
    "ndft_transform_create": [c_void_p, POINTER(s.TransformDesc), POINTER(s.TransformOptions), _PLACE],
    "ndft_chirpz_create": [c_void_p, POINTER(s.ChirpzDesc), _PLACE],
    "ndft_plan_create": [c_void_p, ctypes.c_uint, POINTER(s.PlanOptions), _PLACE],
    "ndft_plan_clone": [c_void_p, _PLACE],
    "ndft_execute": [c_void_p, *_EXECUTION],
    "ndft_execute_on": [c_void_p, c_void_p, *_EXECUTION],
    "ndft_execute_host": [c_void_p, *_EXECUTION],
    "ndft_group_create": [c_int, POINTER(c_char_p), c_int, POINTER(s.DeviceOptions), _PLACE],
    "ndft_group_join": [c_void_p, c_char_p, c_int, POINTER(s.DeviceOptions), _PLACE],
    "ndft_communicator_create": [POINTER(s.CommunicatorOptions), _PLACE],
    "ndft_group_plan_create": [c_void_p, c_void_p, ctypes.c_uint, POINTER(s.GroupPlanOptions), _PLACE],
    "ndft_group_execute": [c_void_p, *_EXECUTION],
    "ndft_group_execute_host": [c_void_p, *_EXECUTION],
    "ndft_group_frames_create": [c_void_p, c_int, POINTER(c_void_p), ctypes.c_uint, POINTER(s.PlanOptions), _PLACE],
    "ndft_group_frames_execute": [c_void_p, c_int, c_int, c_void_p, c_void_p],
    "ndft_group_frames_execute_host": [c_void_p, c_int, c_int, c_void_p, c_void_p],
    "ndft_group_frames_describe": [c_void_p, c_int, c_char_p, c_size_t],
    "ndft_group_plan_describe": [c_void_p, c_char_p, c_size_t],
    "ndft_moments": [c_void_p, c_void_p, c_int, c_void_p, c_void_p, c_void_p, c_bool, c_void_p, c_void_p],
    "ndft_moments_workspace": [c_void_p, c_int, POINTER(c_size_t)],
    "ndft_plan_set_samples": [c_void_p, c_int64, c_void_p * s.AXES, c_void_p],
    "ndft_plan_set_field": [c_void_p, c_void_p],
    "ndft_plan_set_mask": [c_void_p, c_void_p],
    "ndft_plan_set_maps": [c_void_p, c_void_p],
    "ndft_plan_workspace": [c_void_p, POINTER(c_size_t)],
    "ndft_plan_describe": [c_void_p, c_char_p, c_size_t],
    "ndft_wisdom_load": [c_char_p],
    "ndft_wisdom_save": [c_char_p],
}
_OTHER_CALLS: dict[str, tuple[Any, list[Any]]] = {
    "ndft_message": (c_char_p, []),
    "ndft_version": (c_char_p, []),
    "ndft_problem_lengths": (None, [c_void_p, POINTER(c_int64), POINTER(c_int64)]),
    "ndft_device_close": (None, [c_void_p]),
    "ndft_problem_destroy": (None, [c_void_p]),
    "ndft_group_destroy": (None, [c_void_p]),
    "ndft_communicator_destroy": (None, [c_void_p]),
    "ndft_group_plan_destroy": (None, [c_void_p]),
    "ndft_group_frames_destroy": (None, [c_void_p]),
    "ndft_plan_destroy": (None, [c_void_p]),
    "ndft_wisdom_forget": (None, []),
}


def _places() -> list[str]:
    """Where it may be: where the environment says, else beside the package, else wherever the loader looks."""
    named = os.environ.get("NDFT_LIBRARY")
    return [named] if named else [str(Path(__file__).with_name(NAME)), NAME]


def _load() -> tuple[ctypes.CDLL, str]:
    failures = []
    for place in _places():
        try:
            return ctypes.CDLL(place), place
        except OSError as error:
            failures.append(str(error))
    raise ImportError(f"libndft was not found ({'; '.join(failures)}); NDFT_LIBRARY names the file {NAME}")


def _prototyped(loaded: ctypes.CDLL, path: str) -> ctypes.CDLL:
    calls = {name: (c_int, arguments) for name, arguments in _STATUS_CALLS.items()} | _OTHER_CALLS
    for name, (result, arguments) in calls.items():
        function = getattr(loaded, name, None)
        if function is None:
            raise ImportError(f"{path} has no {name}: it is no libndft, or an older one than this package")
        function.restype, function.argtypes = result, arguments
    return loaded


_loaded, path = _load()
library = _prototyped(_loaded, path)


def _of_python(said: str) -> str:
    """With the names of operations."""
    def names(found: re.Match[str]) -> str:
        op, ops = (tuple(name for name, bit in s.OPERATIONS.items() if int(bits) & bit) for bits in found.groups())
        return f"{op[0]!r}: the plan was made for ops={ops}"
    return re.sub(r"op=([124]): the plan was made for ops=([1-7]) \(1 .*\)", names, said)


def message() -> str:
    """Of this thread's last call that failed, with Python's word for what is not given."""
    said: bytes = library.ndft_message()
    return _of_python(said.decode(errors="replace").replace(" is NULL", " is None"))


def failure(status: int) -> Error:
    """The exception of a status that is not NDFT_OK."""
    return BY_STATUS.get(status, Error)(message())


def check(status: int) -> None:
    if status:
        raise failure(status)


def encoded(name: str, text: str) -> bytes:
    """A text that the library reads to its end."""
    if not isinstance(text, str) or "\0" in text:
        raise InvalidError(f"{name}={text!r}; a text without NUL")
    return os.fsencode(text)


def made(call: Callable[..., int], *arguments: Any) -> int:
    """The object that a call puts at the place of its last argument."""
    place = c_void_p()
    check(call(*arguments, ctypes.byref(place)))
    assert place.value is not None
    return place.value


def described(call: Callable[..., int], handle: int, *which: int) -> dict[str, Any]:
    """What a call writes as a line of JSON, however long."""
    size = 4096
    while True:
        text = ctypes.create_string_buffer(size)
        status = call(handle, *which, text, size)
        if not status:
            return dict(json.loads(text.value))
        if size >= 1 << 24:
            raise failure(status)
        size *= 8


def version() -> str:
    """Of the library that is loaded, as "0.1.0"."""
    said: bytes = library.ndft_version()
    return said.decode()
