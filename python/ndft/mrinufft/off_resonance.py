# SPDX-License-Identifier: Apache-2.0
"""MRI-NUFFT's operator with off-resonance, exact: the field is in the plan."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from mrinufft.operators.off_resonance import MRIFourierCorrected
from scipy.ndimage import zoom

from .._kinds import kind_of
from ..errors import InvalidError, UnsupportedError
from .operator import MRIndft

Array = np.ndarray[Any, Any]


def _complex_field(b0_map: Any, shape: tuple[int, ...]) -> Array:
    """2 pi i b0 of b0 in Hz, in rad/s, of the image's shape; complex numbers are in rad/s and as they are."""
    given = kind_of(b0_map).host(b0_map)
    field = given if np.iscomplexobj(given) else 2j * np.pi * given.astype(np.float64)
    if field.real.any():
        raise UnsupportedError("a field map with a real part, which is decay (R2*): this backend has none, ndft.Plan has")
    if field.shape != shape:
        warnings.warn("the field map is interpolated to the image's shape", stacklevel=4)
        field = 1j * zoom(field.imag, np.divide(shape, field.shape), order=1)
    return np.asarray(field)


class MRIndftOffResonance(MRIndft, MRIFourierCorrected):  # type: ignore[misc]
    """The sum over voxels with exp(field_map t), field_map = 2 pi i b0.

    It is an MRIFourierCorrected by its interface: field_map, readout_time and full_readout_time are there, and
    nothing that tells of interpolators.
    """

    def __init__(self, fourier_op: MRIndft, b0_map: Any, readout_time: Any, r2star_map: Any = None,
                 mask: Any = None) -> None:
        if r2star_map is not None:
            raise UnsupportedError("r2star_map: this backend has no decay; by ndft.Plan, or by MRI-NUFFT's own operator, "
                                   "mrinufft.operators.MRIFourierCorrected")
        if b0_map is None or readout_time is None:
            raise InvalidError("b0_map and readout_time are wanted")
        self.__dict__.update(fourier_op.__dict__, _kept={}, mask=mask)
        self.readout_time = kind_of(readout_time).host(readout_time)
        self._field_map = _complex_field(b0_map, self.shape).astype(self.cpx_dtype)
        values = fourier_op._operator.values._replace(t=self.full_readout_time, field=self._field_in_plan())
        self._operator = fourier_op._operator.with_values(values)

    def __getattr__(self, name: str) -> Any:
        """There is no operator within, as MRIFourierCorrected has."""
        raise AttributeError(f"{type(self).__name__} has no {name}")

    def _field_in_plan(self) -> Array:
        """rad/s, with the sign of exp(-i field t)."""
        return np.ascontiguousarray(-self._field_map.imag)

    def _times(self, n_samples: int) -> Array:
        """s, of all samples: a shot's times, one shot after the other."""
        shots, rest = divmod(n_samples, self.readout_time.size)
        if rest:
            raise InvalidError(f"readout_time has {self.readout_time.size} values, which do not divide the "
                               f"{n_samples} samples")
        times: Array = np.tile(self.readout_time.ravel(), shots).astype(self.dtype)
        return times

    @property
    def full_readout_time(self) -> Array:
        """s, of all samples."""
        return self._times(self.n_samples)

    @property
    def field_map(self) -> Array:
        """rad/s, 2 pi i b0."""
        return self._field_map

    @field_map.setter
    def field_map(self, new_field_map: Any) -> None:
        self.update_field_map(new_field_map)

    def update_field_map(self, new_field_map: Any) -> None:
        """Another field map, in Hz, or in rad/s as imaginary numbers."""
        self._field_map = _complex_field(new_field_map, self.shape).astype(self.cpx_dtype)
        self._operator.set_field(self._field_in_plan())
