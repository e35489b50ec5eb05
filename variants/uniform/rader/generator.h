/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_GENERATOR_H
#define NDFT_GENERATOR_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The least generator of the numbers 1..P-1 under multiplication modulo a prime P from 3 on; 0: it
 * is none, or beyond 2^31. */
int ndft_generator_of(int64_t prime);

#ifdef __cplusplus
}
#endif

#endif
