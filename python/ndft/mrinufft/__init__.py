# SPDX-License-Identifier: Apache-2.0
"""A backend of MRI-NUFFT: `import ndft.mrinufft` registers it, and `mrinufft.get_operator("ndft")` finds it.

With off-resonance it is exact where MRI-NUFFT's own operator interpolates. Conventions are MRI-NUFFT's (1.5): samples
of +-0.5 or +-pi, b0 in Hz with the sign of exp(+2 pi i b0 t) in forward, and 1 / sqrt(N 2^dim) for N voxels.
"""

from .operator import MRIndft

__all__ = ["MRIndft"]
