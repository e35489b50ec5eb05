/* SPDX-License-Identifier: Apache-2.0 */
#include "build_info.h"

#include "build_facts.inc"

const ndft_build_facts ndft_build_info = {
    .version = NDFT_FACT_VERSION,
    .commit = NDFT_FACT_COMMIT,
    .dirty = NDFT_FACT_DIRTY,
    .cc = NDFT_FACT_CC,
    .nvcc = NDFT_FACT_NVCC,
    .flags = NDFT_FACT_FLAGS,
    .type = NDFT_FACT_TYPE,
};
