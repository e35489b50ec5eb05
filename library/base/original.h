/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_ORIGINAL_H
#define NDFT_ORIGINAL_H

#include "base/exec.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What an array of the problem is copied from the fastest: memory of the device while a plan takes
 * samples that the caller has there, else the array itself. */
const void *ndft_original_of(const ndft_exec *, const void *array);

#ifdef __cplusplus
}
#endif
#endif
