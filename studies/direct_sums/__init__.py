# SPDX-License-Identifier: Apache-2.0
"""PowerGrid's four kernels of Gdft and GdftR2 as specified for CUDA, and what became of them."""

from .kernels import PAGE

COMMANDS: dict = {}
