# SPDX-License-Identifier: Apache-2.0
"""MRI-NUFFT's operator, all coils and batches by one execution."""

from __future__ import annotations

from typing import Any, Sequence

import numpy as np
from mrinufft._utils import proper_trajectory
from mrinufft.operators.base import FourierOperatorBase, power_method

from .._kinds import kind_of
from .._operator import Operator, Values
from ..errors import InvalidError

Array = np.ndarray[Any, Any]


def _proper(samples: Any, unsafe: bool = False) -> Array:
    """(n_samples, dim) in [-pi, pi]."""
    given = kind_of(samples).host(samples)
    found: Array = given if unsafe else proper_trajectory(given, normalize="pi")
    return found


class MRIndft(FourierOperatorBase):  # type: ignore[misc]
    """Fourier operator of MRI-NUFFT, of arrays of NumPy, CuPy and PyTorch where they are.

    samples       (n_samples, dim) or (n_shots, n_points, dim), in [-0.5, 0.5] or [-pi, pi], which MRI-NUFFT guesses;
                  float32 or float64, of which the precision of everything follows
    shape         of the image, 1 to 3 sizes
    density       weights of the adjoint's samples: an array (n_samples), the name of a method, or True for "pipe"
    n_coils       images that share the trajectory, or with smaps coils
    n_batchs      as many times that many
    n_trans       of other backends, how many one call transforms; here one execution takes all
    smaps         coil sensitivities (n_coils, *shape), an array or the name of a method
    squeeze_dims  results without the axes of batches and coils where they are of size 1
    eps           the error that is allowed: tol of ndft.Plan
    options       of ndft.Plan: device, mode, threads, variant and others

    Images are (n_batchs, n_coils or with smaps 1, *shape), samples (n_batchs, n_coils, n_samples); axes of size 1 may
    be left out. Plans are made when data first come, where these are, or on the device of options.
    """

    backend = "ndft"
    available = True
    autograd_available = True

    def __init__(self, samples: Any, shape: Sequence[int], density: Any = False, n_coils: int = 1, n_batchs: int = 1,
                 n_trans: int | None = None, smaps: Any = None, squeeze_dims: bool = True, eps: float | None = None,
                 **options: Any) -> None:
        super().__init__()
        self.shape: tuple[int, ...] = tuple(shape)
        self.n_coils, self.n_batchs, self.n_trans = n_coils, n_batchs, n_trans
        self.squeeze_dims = squeeze_dims
        self._kept: dict[tuple[str, type, int], tuple[Any, Any]] = {}
        self._samples = _proper(samples)
        self.dtype = self._samples.dtype
        values = Values(self._positions(self._samples))
        self._operator = Operator(self.shape, values, float(1 / self.norm_factor), tol=eps, **options)
        self.compute_density(density)
        self.compute_smaps(smaps)

    def __init_subclass__(cls) -> None:
        """A subclass is another backend only by a name of its own."""
        if "backend" in vars(cls):
            super().__init_subclass__()

    def _positions(self, samples: Array) -> Array:
        """k in cycles/FOV."""
        k: Array = (samples * (np.array(self.shape) / (2 * np.pi))).astype(self.dtype)
        return k

    def _times(self, n_samples: int) -> Array | None:
        """s, of all samples; without a field there are none."""
        return None

    def op(self, data: Any, ksp: Any = None) -> Any:
        """Samples of images; ksp takes them where it is given."""
        self.check_shape(image=data, ksp=ksp)
        return self._given_out(self._forward(data), ksp)

    def adj_op(self, coeffs: Any, img: Any = None) -> Any:
        """Images of samples, weighted by the density; img takes them where it is given."""
        self.check_shape(image=img, ksp=coeffs)
        return self._given_out(self._adjoint(coeffs), img)

    def data_consistency(self, image_data: Any, obs_data: Any) -> Any:
        """The gradient adj_op(op(image_data) - obs_data)."""
        self.check_shape(image=image_data, ksp=obs_data)
        residual = self._forward(image_data)
        residual -= obs_data.reshape(self.ksp_full_shape)
        return self._safe_squeeze(self._adjoint(residual))

    def gram_op(self, image_data: Any, toeplitz: bool = True) -> Any:
        """adj_op(op(image_data)), where there is no density by an engine of its own, unless toeplitz is false."""
        self.check_shape(image=image_data)
        if not toeplitz:
            return self._safe_squeeze(self._adjoint(self._forward(image_data)))
        return self._safe_squeeze(self._combined(self._gram(self._by_coil(image_data))))

    def get_lipschitz_cst(self, max_iter: int = 10) -> Any:
        """The largest eigenvalue of the gram operator of one coil, with the density, by the power method."""
        rng = np.random.default_rng(0)
        start = (rng.random(self.shape) + 1j * rng.random(self.shape)).astype(self.cpx_dtype)
        return power_method(max_iter, self._gram, x=start)[0]

    def update_samples(self, new_samples: Any, *, unsafe: bool = False) -> None:
        """Another trajectory; unsafe: it is in [-pi, pi] and nothing is guessed. Where it is refused the operator is
        as it was. A density that was computed is computed again."""
        samples = _proper(new_samples, unsafe).astype(self.dtype, copy=False)
        self._operator.set_samples(self._positions(samples), self._times(len(samples)))
        self._samples = samples
        if self._density_method is not None:
            self.compute_density(self._density_method)

    def with_off_resonance_correction(self, readout_time: Any, b0_map: Any = None, r2star_map: Any = None,
                                      mask: Any = None, interpolator: Any = "svd") -> Any:
        """The operator with exp(+2 pi i b0_map t), exact: nothing is interpolated, and interpolator has no say.

        readout_time  s, (n_samples) or of a shot, all of which have the same
        b0_map        Hz, of the image's shape; or rad/s as imaginary numbers
        r2star_map    refused: there is no decay
        mask          has no effect: the operator is exact everywhere
        """
        from .off_resonance import MRIndftOffResonance
        return MRIndftOffResonance(self, b0_map, readout_time, r2star_map, mask)

    def make_autograd(self, *, wrt_data: bool = True, wrt_traj: bool = False, wrt_field_map: bool = False,
                      paired_batch: bool = False) -> Any:
        """A module of PyTorch with derivatives by data, trajectory, field map and coil sensitivities."""
        from .autodiff import NdftAutoGrad
        return NdftAutoGrad(self, wrt_data, wrt_traj, wrt_field_map, paired_batch)

    @classmethod
    def pipe(cls, kspace_loc: Any, volume_shape: Sequence[int], max_iter: int = 10, osf: float = 2,
             normalize: bool = True, **options: Any) -> Array:
        """Density weights (n_samples), as of density.pipe."""
        from .density import pipe
        return pipe(cls, kspace_loc, volume_shape, max_iter, osf, normalize, **options)

    @property
    def smaps(self) -> Any:
        """Coil sensitivities (n_coils, *shape) of any kind of array, or None."""
        return self._smaps

    @smaps.setter
    def smaps(self, new_smaps: Any) -> None:
        if new_smaps is not None:
            if tuple(new_smaps.shape[1:]) != self.shape:
                raise InvalidError(f"smaps have the shape {tuple(new_smaps.shape)}; (n_coils, *{self.shape})")
            self.n_coils = new_smaps.shape[0]
        self._smaps = new_smaps

    def _beside(self, name: str, data: Any) -> Any:
        """density or smaps as an array of the kind and place of data, kept while it is the same."""
        source, kind = getattr(self, name), kind_of(data)
        key = name, type(data), kind.place(data)
        kept, found = self._kept.get(key, (None, None))
        if kept is not source:
            values = kind_of(source).host(source)
            dtype = self.cpx_dtype if np.iscomplexobj(values) else self.dtype
            found = kind.like(values.astype(dtype, copy=False), data)
            self._kept[key] = source, found
        return found

    def _by_coil(self, images: Any) -> Any:
        """(n_batchs, n_coils, *shape)"""
        images = images.reshape(self.img_full_shape)
        return images * self._beside("smaps", images) if self.uses_sense else images

    def _combined(self, images: Any) -> Any:
        """(n_batchs, 1 or n_coils, *shape)"""
        if not self.uses_sense:
            return images
        images *= self._beside("smaps", images).conj()
        return images.sum(1)[:, None]

    def _forward(self, images: Any) -> Any:
        return self._operator.forward(self._by_coil(images))

    def _adjoint(self, samples: Any) -> Any:
        return self._combined(self._operator.adjoint(self._weighted(samples.reshape(self.ksp_full_shape))))

    def _weighted(self, samples: Any) -> Any:
        return samples * self._beside("density", samples) if self.uses_density else samples

    def _gram(self, images: Any) -> Any:
        """Of each image by itself."""
        if self.uses_density:
            return self._operator.adjoint(self._weighted(self._operator.forward(images)))
        return self._operator.normal(images)

    def _given_out(self, found: Any, out: Any) -> Any:
        if out is None:
            return self._safe_squeeze(found)
        out[...] = found.reshape(out.shape)
        return out
