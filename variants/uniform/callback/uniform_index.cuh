/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_UNIFORM_INDEX_CUH
#define NDFT_UNIFORM_INDEX_CUH

/* The indices of uniform.h and axes.h on the device as well. Comes before all who include those. */
#define NDFT_INDEX static __host__ __device__ __forceinline__

#include "base/uniform.h"

#endif
