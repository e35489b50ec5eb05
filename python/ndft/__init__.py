# SPDX-License-Identifier: Apache-2.0
"""Field-corrected nonuniform discrete Fourier transforms of MRI, with the fastest engine for the problem.

Plan is the operator; forward, adjoint and normal are calls of one line. Positions are in cycles/FOV, times in s, fields
in rad/s; nothing is scaled.
"""

from . import errors, wisdom
from ._library import version as _version
from .about import describe
from .capacity import Capacity
from .chirpz import ChirpZ
from .errors import DeviceError, Error, FileError, InvalidError, OutOfMemoryError, UnsupportedError
from .functions import adjoint, forward, normal
from .plan import Plan
from .ranks import Ranks
from .transform import Transform

__version__ = _version()
__all__ = ["Capacity", "ChirpZ", "DeviceError", "Error", "FileError", "InvalidError", "OutOfMemoryError", "Plan",
           "Ranks", "Transform", "UnsupportedError", "adjoint", "describe", "errors", "forward", "normal", "wisdom"]
