/* SPDX-License-Identifier: Apache-2.0 */
#include "instruments.h"

/* Of the CUDA backend of a build without nvcc, which nobody can open. */
const ndft_instruments ndft_instruments_cuda = {.backend = "cuda"};
