# SPDX-License-Identifier: Apache-2.0
"""The library's structures and constants, member by member as its headers have them."""

from __future__ import annotations

import ctypes
from ctypes import c_bool, c_char_p, c_double, c_int, c_int64, c_size_t, c_void_p
from numbers import Integral
from typing import Any, TypeVar

from .errors import InvalidError

FORWARD, ADJOINT, NORMAL = 1, 2, 4
OPERATIONS = {"forward": FORWARD, "adjoint": ADJOINT, "normal": NORMAL}
PRECISIONS = {"float32": 0, "float64": 1}
COMPLEX = {"float32": "complex64", "float64": "complex128"}
LAYOUTS = {"planar": 0, "interleaved": 1}
TOL_KINDS = {"typical": 0, "any": 1}
MODES = {"estimate": 0, "measure": 1, "exhaustive": 2}
AXES, TENSOR_MODES = 3, 5
MOST_COILS, MOST_THREADS, MOST_BYTES = 256, 4096, 2**63 - 1
MOST_PHASES = 16
MOST_SIZE = 2**31 - 1  # voxels along an axis, and of all
SAME_BITS = 8  # parts of a problem, on 1, 2, 4 or 8 devices
STREAM_LEGACY = 1  # cudaStreamLegacy, CUDA's default stream


class DeviceOptions(ctypes.Structure):
    """ndft_device_options"""

    _fields_ = [("struct_size", c_size_t), ("stream", c_void_p), ("threads", c_int), ("memory_limit", c_size_t),
                ("alloc", c_void_p), ("release", c_void_p), ("user", c_void_p)]


class ProblemDesc(ctypes.Structure):
    """ndft_problem_desc"""

    _fields_ = [("struct_size", c_size_t), ("dim", c_int), ("n", c_int64 * AXES), ("prec", c_int), ("layout", c_int),
                ("coils", c_int), ("frames", c_int), ("tol", c_double), ("tol_kind", c_int), ("n_samples", c_int64),
                ("k", c_void_p * AXES), ("t", c_void_p), ("field", c_void_p), ("decay", c_void_p),
                ("phases", c_int), ("phase_c", c_void_p), ("phase_b", c_void_p),
                ("gradient", c_void_p * AXES), ("mask", c_void_p), ("position", c_void_p * AXES),
                ("maps", c_void_p)]


class PlanOptions(ctypes.Structure):
    """ndft_plan_options"""

    _fields_ = [("struct_size", c_size_t), ("deterministic", c_bool), ("one_engine", c_bool),
                ("memory_limit", c_size_t), ("variant", c_char_p), ("mode", c_int), ("time_limit_s", c_double),
                ("capacity", c_void_p)]


class GroupPlanOptions(ctypes.Structure):
    """ndft_group_plan_options"""

    _fields_ = [("struct_size", c_size_t), ("split", c_int), ("each", ctypes.POINTER(PlanOptions)),
                ("link_bytes_s", c_double), ("link_step_s", c_double)]


class CommunicatorOptions(ctypes.Structure):
    """ndft_communicator_options"""

    _fields_ = [("struct_size", c_size_t), ("rank", c_int), ("size", c_int), ("timeout_s", c_double),
                ("address", c_char_p), ("id", c_void_p), ("nccl", c_void_p), ("meeting_s", c_double)]


class TransformOptions(ctypes.Structure):
    """ndft_transform_options"""

    _fields_ = [("struct_size", c_size_t), ("tol", c_double), ("tol_kind", c_int), ("scale", c_double)]


class Tensor(ctypes.Structure):
    """ndft_tensor"""

    _fields_ = [("real", c_bool), ("shape", c_int64 * TENSOR_MODES), ("stride", c_int64 * TENSOR_MODES)]


class TransformDesc(ctypes.Structure):
    """ndft_transform"""

    _fields_ = [("dim", c_int), ("prec", c_int), ("domain", c_int), ("sign", c_int), ("in_place", c_bool),
                ("shape", c_int64 * TENSOR_MODES), ("in", Tensor), ("out", Tensor), ("load", c_void_p),
                ("store", c_void_p)]


class Polar(ctypes.Structure):
    """ndft_polar"""

    _fields_ = [("modulus", c_double), ("turns", c_double)]


class ChirpzDesc(ctypes.Structure):
    """ndft_chirpz_desc"""

    _fields_ = [("struct_size", c_size_t), ("n", c_int64), ("outputs", c_int64), ("w", Polar), ("a", Polar),
                ("prec", c_int), ("batch", c_int), ("tol", c_double), ("tol_kind", c_int)]


S = TypeVar("S", bound=ctypes.Structure)


def sized(structure: type[S], **members: Any) -> S:
    """One of those that begin with their own size."""
    made = structure(struct_size=ctypes.sizeof(structure), **members)
    for name, value in members.items():
        if isinstance(value, Integral) and getattr(made, name) not in (value, None):  # cut to its type's bits
            raise InvalidError(f"{name}={value}; too {'small' if value < 0 else 'large'} a number, nearest: "
                               f"{0 if value < 0 else 2**31 - 1}")
    return made
