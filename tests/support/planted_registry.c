/* SPDX-License-Identifier: Apache-2.0 */
#include "planted.h"
#include "planted_deadly.h"

/* The registry of ndft-planted, in place of the one that variants.def makes. */
ndft_registered ndft_registry[] = {
    {"planted", "cpu", &planted_variant, "0123456789abcdef", NULL, NULL, NDFT_NONUNIFORM, "",
     false},
    {"deadly", "cpu", &deadly_cpu, "0123456789abcdef", NULL, NULL, NDFT_NONUNIFORM, "", false},
    {"deadly", "cuda", &deadly_cuda, "0123456789abcdef", NULL, NULL, NDFT_NONUNIFORM, "", false},
    {"planted_no_sum", "cpu", &planted_variant, "0123456789abcdef", "planted", "its sum",
     NDFT_NONUNIFORM, "", false},
};

const int ndft_registry_size = sizeof ndft_registry / sizeof *ndft_registry;
