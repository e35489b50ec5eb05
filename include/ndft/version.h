/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_VERSION_H
#define NDFT_VERSION_H

#include <ndft/status.h>

#define NDFT_VERSION_MAJOR 0 /* of these headers, and of libndft.so.N: changes with the ABI */
#define NDFT_VERSION_MINOR 1 /* changes with what is there */
#define NDFT_VERSION_PATCH 0 /* changes with how it does that */

#ifdef __cplusplus
extern "C" {
#endif

/* "0.1.0", of the library that is loaded. */
NDFT_API const char *ndft_version(void);

#ifdef __cplusplus
}
#endif
#endif
