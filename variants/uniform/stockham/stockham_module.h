/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_STOCKHAM_MODULE_H
#define NDFT_STOCKHAM_MODULE_H

#include "stockham_line.h"

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Whether NVRTC can be loaded. */
bool ndft_stockham_compiler_found(void);

/* Compiles the kernel ndft_stockham of pass `pass` of a transform, with the functions that it calls
 * as ndft_module_compile_with, else as ndft_nvrtc_compile_once. */
ndft_status ndft_stockham_compile(const ndft_transform *, int pass, const ndft_pass *,
                                  const ndft_stockham_line *, int capability, void **code,
                                  size_t *size, ndft_error *);

#ifdef __cplusplus
}
#endif

#endif
