/* SPDX-License-Identifier: Apache-2.0 */
#include "cg_vectors.h"

/* Of the CUDA backend of a build without nvcc, which nobody can open. */
const ndft_cg_vectors ndft_cg_vectors_cuda = {.dot = 0};
