# SPDX-License-Identifier: Apache-2.0
"""MRI-NUFFT's module with derivatives, by those of ndft.torch: of the sums that are computed, in one execution more."""

from __future__ import annotations

from typing import Any, Callable

import numpy as np
import torch
from mrinufft._utils import proper_trajectory
from mrinufft.operators.autodiff import MRINufftAutoGrad
from torch import Tensor

from .. import torch as ndft_torch
from .._operator import Operator
from ..plan import Plan

_Operation = Callable[..., Tensor]


class NdftAutoGrad(MRINufftAutoGrad):  # type: ignore[misc]
    """op and adj_op of an MRIndft with derivatives by data, samples, field_map and coil sensitivities.

    A field map is complex, 2 pi i b0 in rad/s, and its derivative imaginary: there is no decay.
    """

    def op(self, x: Tensor, smaps: Any = None, samples: Any = None, field_map: Any = None) -> Tensor:
        """Samples (n_batchs, n_coils, n_samples) of images; with paired_batch of each with its own smaps."""
        return self._each(self._image_to_samples, x, smaps, samples, field_map)

    def adj_op(self, kspace: Tensor, smaps: Any = None, samples: Any = None, field_map: Any = None) -> Tensor:
        """Images (n_batchs, n_coils or 1, *shape) of samples; with paired_batch of each with its own smaps."""
        return self._each(self._samples_to_image, kspace, smaps, samples, field_map)

    def _each(self, operation: _Operation, data: Tensor, smaps: Any, samples: Any, field_map: Any) -> Tensor:
        if not self.nufft_op._grad_wrt_data:
            data = data.detach()
        if not self.paired_batch:
            return operation(self.nufft_op._operator, data, self._maps(smaps, data), self.samples,
                             self._field(field_map))
        return torch.stack([self._one(operation, i, each, smaps, samples) for i, each in enumerate(data)])

    def _one(self, operation: _Operation, i: int, data: Tensor, smaps: Any, samples: Any) -> Tensor:
        """Of a batch; one with samples of its own has an operator of its own."""
        operator, k = self.nufft_op._operator, self.samples
        if samples is not None:
            k = samples[i]
            operator = operator.with_values(operator.values._replace(k=self._positions(k).detach().cpu().numpy()))
        return operation(operator, data, self._maps(None if smaps is None else smaps[i], data), k, self._field(None))

    def _maps(self, smaps: Any, data: Tensor) -> Tensor | None:
        if smaps is not None:
            return torch.as_tensor(smaps, device=data.device)
        maps: Tensor | None = self.nufft_op._beside("smaps", data) if self.nufft_op.uses_sense else None
        return maps

    def _field(self, field_map: Any) -> Tensor | None:
        given = self._field_map_torch if field_map is None else field_map
        return None if given is None else -given.imag

    def _positions(self, samples: Tensor) -> Tensor:
        """k in cycles/FOV, as the operator has it."""
        scale = torch.tensor(self.nufft_op.shape, dtype=torch.float64, device=samples.device) / (2 * np.pi)
        k: Tensor = proper_trajectory(samples.double(), normalize="pi") * scale
        return k.to(samples.dtype)

    def _values(self, plan: Plan, operator: Operator, samples: Any, field: Tensor | None, like: Tensor,
                ) -> dict[str, Tensor]:
        """What derivatives are wanted by, beside data."""
        found = {}
        if self.nufft_op._grad_wrt_traj:
            found["k"] = self._positions(samples).to(like.device)
        if field is not None:
            found["field"] = field.to(like.device)
            found["t"] = torch.as_tensor(operator.values.t, device=like.device)
        return found

    def _image_to_samples(self, operator: Operator, images: Tensor, maps: Tensor | None, samples: Any,
                          field: Tensor | None) -> Tensor:
        op = self.nufft_op
        columns = images.reshape(op.n_batchs, -1, *op.shape)
        columns = self._packed(columns if maps is None else columns * maps, operator)
        plan = operator.plan(columns, len(op.shape))
        found = ndft_torch.forward(plan, columns, **self._values(plan, operator, samples, field, columns))
        return found * operator.scale

    def _samples_to_image(self, operator: Operator, given: Tensor, maps: Tensor | None, samples: Any,
                          field: Tensor | None) -> Tensor:
        columns = self._packed(self.nufft_op._weighted(given.reshape(self.nufft_op.ksp_full_shape)), operator)
        plan = operator.plan(columns, 1)
        found = ndft_torch.adjoint(plan, columns, **self._values(plan, operator, samples, field, columns))
        found = found * operator.scale
        return found if maps is None else (found * maps.conj()).sum(1, keepdim=True)

    @staticmethod
    def _packed(columns: Tensor, operator: Operator) -> Tensor:
        return columns.resolve_conj().to(getattr(torch, operator.dtype)).contiguous()
