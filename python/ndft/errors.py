# SPDX-License-Identifier: Apache-2.0
"""What calls raise: the status of the library as a class, its sentence as the text."""

from __future__ import annotations


class Error(Exception):
    """Any failure of ndft; catches all of those below."""


class InvalidError(Error, ValueError):
    """A value or an array is wrong; the text names it and what is valid."""


class OutOfMemoryError(Error, MemoryError):
    """Memory of the host or the device does not suffice."""


class UnsupportedError(Error, NotImplementedError):
    """This cannot be served so; the text says why."""


class DeviceError(Error, RuntimeError):
    """There is no such device, or it or its driver failed."""


class FileError(Error, OSError):
    """A file could not be read or written."""


BY_STATUS: dict[int, type[Error]] = {
    1: InvalidError, 2: OutOfMemoryError, 3: UnsupportedError, 4: DeviceError, 5: FileError}
