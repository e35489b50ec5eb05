/* SPDX-License-Identifier: Apache-2.0 */
#include "libraries.h"

/* In place of libraries_cuda.cu where there is no nvcc. */
ndft_cuda_versions ndft_cuda_versions_find(void) { return (ndft_cuda_versions){.runtime = ""}; }
