/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_TESTS_TWO_DEVICES_H
#define NDFT_TESTS_TWO_DEVICES_H

#include "base/exec.h"

/* A processor and a GPU that need not be here. */
static const ndft_device devices[] = {
    {.backend = "cpu", .units = 2, .memory_bytes = (size_t)1 << 33, .isa = NDFT_X86_64_V4},
    {.backend = "cuda",
     .units = 132,
     .memory_bytes = (size_t)1 << 37,
     .l2_bytes = 50 << 20,
     .shared_bytes = 227 << 10,
     .capability = 90,
     .code = 90},
};

#endif
