# SPDX-License-Identifier: Apache-2.0
"""The field-corrected discrete Fourier transform of MRI, planned once and executed many times."""

from __future__ import annotations

from typing import Any, Sequence

import numpy as np

from . import _intake as intake
from . import _masks as masks
from ._execution import execute, moments
from ._group import names_of
from ._kinds import kind_of
from ._library import library
from ._make import Choice, count, make_engine, names_of_operations, one_of, positive
from ._problem import Problem, pointer, pointers, said_in_place
from ._shapes import Layout, Shapes
from ._structures import ADJOINT, COMPLEX, FORWARD, MOST_BYTES, MOST_COILS, MOST_THREADS, NORMAL, TOL_KINDS
from ._views import place_name
from .capacity import Capacity, largest
from .errors import InvalidError, UnsupportedError
from .ranks import ranks_of

_MOST_LAYOUTS = 64  # that are remembered


class Plan:
    """An operator between an image m and samples s of k-space at any positions, with i = sqrt(-1):

        forward   s_j = sum_v m_v B_jv exp(-i phi_jv)        image -> samples
        adjoint   m_v = sum_j s_j B_jv exp(+i phi_jv)        samples -> image
        normal    forward and then adjoint                   image -> image
        phi_jv  = 2 pi (k_j . r_v) + field_v t_j + sum_l c_lj b_lv
        B_jv    = exp(-decay_v t_j), 1 without decay, and with gradients its product with
                  prod_d sinc(k_jd / N_d + G_dv t_j), sinc(x) = sin(pi x) / (pi x)

    With coil maps there is one image: forward is the samples of every coil's map times it, adjoint the sum over coils
    of conjugate map times the adjoint of the coil's samples.

    Voxel i of N along an axis lies at r = (i - N // 2) / N, or with a grid of one's own at r = grid / N. Nothing is
    scaled: adjoint is not inverse.

    shape          1 to 3 sizes of the image's array, in C order
    k              (*samples_shape, dim), position in cycles/FOV; k[..., d] belongs to axis d of the image. float32
                   makes data complex64, float64 complex128
    t              time since excitation in s; broadcasts to samples_shape
    field          off-resonance in rad/s, of the image's shape
    decay          R2* in 1/s, at least 0, of the image's shape; t is then at least 0, too
    phase          (c, b): coefficients (terms, *samples_shape) in rad per unit of b, maps (terms, *shape), of up to
                   16 terms: concomitant fields, what a field camera measures. It belongs to its samples
    gradient       (dim, *shape), gradient of the field along each axis in Hz/voxel
    grid           (*shape, dim), position of every voxel in voxels from the centre; grid[..., d] is along axis d. The
                   grid's own are i - N // 2, and serve as if none were given; others are left to exact sums
    mask           bool, of the image's shape; the image is then the vector of the voxels where it is true, in C order
    maps           (coils, *shape) complex coil maps (sensitivities): an image is one of all coils, without an axis for
                   them, and samples are (*lead, coils, *samples_shape)
    coils          1 to 256 images and sample vectors that one execution takes; with maps as many as they have
    tol, tol_kind  error that is allowed, 1e-13 to 1; None: 1e-4 (float32), 1e-9 (float64). "typical": relative l2
                   error of white data; "any": each output errs by at most tol times the sum of the inputs' moduli
    ops            of "forward", "adjoint", "normal"
    device         "cpu", "cuda", "cuda:N" or "auto"; None: where k is. A plan on a GPU takes arrays there, queued on
                   the caller's current stream, and arrays of the host, finished on return
    devices        several in place of the one, as ["cuda:0", "cuda:1"] or [0, 1], or "cpu" as many times as there are
                   to be: whole frames, coils, samples or voxels are dealt over them, arrays are on the first or on the
                   host, and executions have finished on return. With deterministic the bits are the same on 1, 2, 4 and 8 of
                   them. Such a plan takes no new values and has no clones and moments
    group          the same over processes that make the same calls, each with its one device: ndft.Ranks, "env" of
                   torchrun, mpirun or Slurm, a torch.distributed process group, or an mpi4py communicator. Arrays are
                   whole on every rank
    interleaved    coils are the last axis of data
    frames         k is (frames, *samples_shape, dim), a trajectory for each frame; t broadcasts to (frames,
                   *samples_shape), and frames are the first axis of data
    mode           how engines are chosen: "estimate", "measure" (for time_limit seconds, 2 by default), "exhaustive"
    memory_limit   bytes that the plan of a frame may hold on the device
    deterministic  the same bits from execution to execution
    one_engine     one engine for all operations
    variant        the engine by its id, as describe() has it
    capacity       memory is kept for new values up to these
    threads        of the processor

    Data are (*lead, *shape) and (*lead, *samples_shape) in C order; the product of lead is a multiple of coils, and
    each group of coils is one execution. Interleaved they are (*lead, *shape, coils). With maps (*lead, *shape) and
    (*lead, coils, *samples_shape), each of lead one execution, interleaved (*lead, *samples_shape, coils).

    Arrays are of NumPy, CuPy, PyTorch or JAX, or have __cuda_array_interface__ or __dlpack__. k, t and maps are
    copied, data never are. A plan may be used by any thread, one at a time; clone() is another thread's own.
    Raises the classes of ndft.errors, with the value that is wrong and what is valid.
    """

    def __init__(self, shape: Sequence[int], k: Any, *, t: Any = None, field: Any = None, decay: Any = None,
                 phase: Any = None, gradient: Any = None, grid: Any = None, mask: Any = None, maps: Any = None,
                 coils: int | None = None, tol: float | None = None, tol_kind: str = "typical", ops: Sequence[str] = ("forward", "adjoint"),
                 device: Any = None, interleaved: bool = False, frames: bool = False, mode: str = "estimate",
                 time_limit: float | None = None, memory_limit: int | None = None, deterministic: bool = False,
                 one_engine: bool = False, variant: str | None = None, capacity: Capacity | None = None,
                 threads: int | None = None, devices: Sequence[Any] | None = None, group: Any = None) -> None:
        self._shape = intake.shape_of(shape)
        one_of("tol_kind", tol_kind, TOL_KINDS)
        coils = count("coils", coils, MOST_COILS)
        if device is not None and devices is not None:
            raise InvalidError(f"device={device!r} and devices={devices!r}; one of them")
        if group is not None and devices is not None:
            raise InvalidError(f"devices={devices!r} and a group; each rank has one, device=")
        choice = Choice(names_of_operations(ops),
                        place_name(kind_of(k).place(k)) if device is None else str(device), mode,
                        positive("time_limit", time_limit), count("memory_limit", memory_limit, MOST_BYTES),
                        deterministic, one_engine, variant, count("threads", threads, MOST_THREADS),
                        () if devices is None else names_of(devices), None if group is None else ranks_of(group))
        dtype, samples = intake.samples_of(k, t, len(self._shape))
        self._real, self._framed = dtype, frames
        self._mask = None if mask is None else intake.mask_of(mask, self._shape)
        each = intake.by_frame(samples, self._framed)
        field = None if field is None else intake.field_of(field, dtype, self._shape)
        decay = None if decay is None else intake.decay_of(decay, dtype, self._shape)
        phase = None if phase is None else intake.phase_of(phase, dtype, self._shape, samples.shape)
        phases = intake.phase_by_frame(phase, len(each) if frames else None)
        gradients = () if gradient is None else intake.gradients_of(gradient, dtype, self._shape)
        self._grid = None if grid is None else intake.grid_of(grid, dtype, self._shape)
        maps = None if maps is None else intake.maps_of(maps, dtype, self._shape, coils)
        coils = coils or (1 if maps is None else len(maps))
        problems = [Problem(self._shape, dtype, one, field, decay, of_one, gradients, self._grid, self._mask, maps,
                            coils, interleaved, positive("tol", tol), tol_kind) for one, of_one in zip(each, phases)]
        intake.warn_without_effect(samples, field=field, decay=decay)
        self._engine = make_engine(problems, choice, largest(problems, capacity, frames))
        self._dtype = COMPLEX[dtype]
        given = (("field", field), ("decay", decay), ("phase", phase), ("gradient", gradient), ("maps", maps))
        self._maps = {name for name, values in given if values is not None}
        self._changes = 0
        self._take_shapes(Shapes(self._voxels(), each[0].shape, coils, interleaved, len(each) if frames else None,
                                 np.dtype(self._dtype).itemsize, maps is not None))

    def _voxels(self) -> tuple[int, ...]:
        return self._shape if self._mask is None else (int(np.count_nonzero(self._mask)),)

    def _take_shapes(self, shapes: Shapes) -> None:
        self._shapes = shapes
        self._changes += 1
        self._layouts: dict[tuple[int, tuple[int, ...]], Layout] = {}

    def _layout(self, operation: int, shape: tuple[int, ...]) -> Layout:
        """Of the data of an operation; those that were asked for lately are remembered."""
        key = operation, shape
        found = self._layouts.get(key)
        if found is None:
            found = self._shapes.layout(operation, shape)
            if len(self._layouts) == _MOST_LAYOUTS:
                self._layouts.clear()
            self._layouts[key] = found
        return found

    def forward(self, image: Any, out: Any = None) -> Any:
        """Samples (*lead, *samples_shape) of images (*lead, *shape); out takes them and is returned."""
        return execute(self._engine, self._layout, self._dtype, FORWARD, "image", image, out)

    def adjoint(self, samples: Any, out: Any = None) -> Any:
        """Images (*lead, *shape) of samples (*lead, *samples_shape); out takes them and is returned."""
        return execute(self._engine, self._layout, self._dtype, ADJOINT, "samples", samples, out)

    def normal(self, image: Any, out: Any = None) -> Any:
        """Images (*lead, *shape) of images, adjoint after forward; ops had "normal"."""
        return execute(self._engine, self._layout, self._dtype, NORMAL, "image", image, out)

    def moments(self, weights: Any, image: Any, samples: Any) -> Any:
        """Sums that derivatives by k and t are made of (Wang and Fessler, IEEE TCI 9, 2023), new reals
        ([frames], *samples_shape, n): Im((A (w_l x_c))_j conj(s_cj)) summed over coils and lead, of real weights
        w (n, *voxels_shape), n up to 4, and of images x with as many samples s as forward makes of them."""
        frames = () if self.frames is None else (self.frames,)
        return moments(self._engine, self._layout, self._dtype, self._real, self.voxels_shape,
                       (*frames, *self.samples_shape), weights, image, samples)

    def set_samples(self, k: Any, t: Any = None) -> None:
        """Another trajectory, with its times, of as many frames. Where it is refused the plan is as it was."""
        _, samples = intake.samples_of(k, t, len(self._shape), self._real)
        each = intake.by_frame(samples, self._framed)
        if self._framed and len(each) != self._shapes.frames:
            raise InvalidError(f"k has {len(each)} frames; {self._shapes.frames}, as the plan")
        with self._engine.lock, said_in_place(self._shape, samples.shape[self._framed:]):
            self._engine.change(lambda plan, frame: library.ndft_plan_set_samples(
                plan, each[frame].k[0].size, pointers(each[frame].k), pointer(each[frame].t)))
            self._take_shapes(self._shapes.with_samples(each[0].shape))

    def set_field(self, field: Any) -> None:
        """Another field, in rad/s, of the image's shape. Where it is refused the plan is as it was."""
        found = intake.field_of(field, self._real, self._shape)
        with self._engine.lock, said_in_place(self._shape, self._shapes.samples):
            self._engine.change(lambda plan, _: library.ndft_plan_set_field(plan, pointer(found)))
            self._maps = self._maps | {"field"}
            self._take_shapes(self._shapes)

    def set_mask(self, mask: Any) -> None:
        """Another mask, bool, of the image's shape. Where it is refused the plan is as it was."""
        found = intake.mask_of(mask, self._shape)
        with self._engine.lock:
            self._engine.change(lambda plan, _: library.ndft_plan_set_mask(plan, pointer(found)))
            self._mask = found
            self._take_shapes(self._shapes.with_voxels(self._voxels()))

    def set_maps(self, maps: Any) -> None:
        """Other coil maps, (coils, *shape), of a plan that has some. Where they are refused the plan is as it was."""
        found = intake.maps_of(maps, self._real, self._shape, self.coils)
        with self._engine.lock, said_in_place(self._shape, self._shapes.samples):
            self._engine.change(lambda plan, _: library.ndft_plan_set_maps(plan, pointer(found)))
            self._take_shapes(self._shapes)

    def on_grid(self, voxels: Any) -> Any:
        """(*lead, n_voxels) -> a new (*lead, *shape), 0 outside of the mask."""
        return masks.on_grid(voxels, self._masked())

    def of_grid(self, image: Any) -> Any:
        """(*lead, *shape) -> a new (*lead, n_voxels), those of the mask."""
        return masks.of_grid(image, self._masked())

    def _masked(self) -> masks.Mask:
        if self._mask is None:
            raise UnsupportedError("the plan has no mask: its images are on the grid")
        if self._shapes.interleaved and not self._shapes.maps:
            raise UnsupportedError("images with interleaved coils are not taken to the grid here")
        return self._mask

    def clone(self) -> Plan:
        """The same with memory of its own, for another thread."""
        clone = object.__new__(type(self))
        with self._engine.lock:
            clone.__dict__.update(self.__dict__, _engine=self._engine.clone(), _layouts={})
        return clone

    __copy__ = clone  # two that shared an engine would not hear of each other's new values

    def describe(self) -> dict[str, Any]:
        """What ndft_plan_describe has: of each operation its variant, why, and the errors that it promises; bytes.
        With frames, that of each as "frames"."""
        each = self._engine.describe()
        return {"frames": each} if self._framed else each[0]

    @property
    def shape(self) -> tuple[int, ...]:
        """Of the image on the grid."""
        return self._shape

    @property
    def grid(self) -> np.ndarray[Any, Any] | None:
        """(*shape, dim), positions of voxels as they were given; None: on the grid."""
        return self._grid

    @property
    def voxels_shape(self) -> tuple[int, ...]:
        """Of the image as data have it: shape, or with a mask (n_voxels,)."""
        return self._shapes.voxels

    @property
    def samples_shape(self) -> tuple[int, ...]:
        """Of the samples of a frame."""
        return self._shapes.samples

    @property
    def frames(self) -> int | None:
        """Trajectories; None without frames."""
        return self._shapes.frames

    @property
    def maps(self) -> frozenset[str]:
        """What the plan has of "field", "decay", "phase", "gradient" and "maps"."""
        return frozenset(self._maps)

    @property
    def changes(self) -> int:
        """Grows with new values: what was found before is of others where it differs."""
        return self._changes

    @property
    def interleaved(self) -> bool:
        """Whether coils are the last axis of data."""
        return self._shapes.interleaved

    @property
    def dtype(self) -> np.dtype[Any]:
        """Of data: complex64 or complex128."""
        return np.dtype(self._dtype)

    @property
    def coils(self) -> int:
        """Of one execution."""
        return self._shapes.coils

    @property
    def device(self) -> str:
        """ "cpu" or "cuda:N" """
        return place_name(self._engine.place)

    @property
    def workspace_bytes(self) -> int:
        """What engines write anew whenever they are executed."""
        return self._engine.workspace_bytes()

    def __repr__(self) -> str:
        return (f"<ndft.Plan of {self.shape} and {self.samples_shape}, coils={self.coils}, {self.dtype}, "
                f"{self.device}>")
