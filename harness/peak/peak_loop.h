/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_PEAK_LOOP_H
#define NDFT_PEAK_LOOP_H

#include "core/loop.h"

/*
 * The loops of one thread, per instruction set and precision. Each returns the lane operations (or
 * bytes) of its rounds, and what it computed in out.
 *
 * in, out: 64 bytes, aligned to them; in holds values of [1, 2). minus: -1, which is for the caller
 * to know.
 */
NDFT_LOOP_DECLARE(double, peak_fma, (const void *in, double minus, int rounds, void *out));
NDFT_LOOP_DECLARE(double, peak_add, (const void *in, double minus, int rounds, void *out));
NDFT_LOOP_DECLARE(double, peak_issue, (const void *in, double minus, int rounds, void *out));

/* Reads bytes of memory, a multiple of 8192. */
NDFT_LOOP_DECLARE(double, peak_read, (const void *memory, size_t bytes, int rounds, void *out));

#endif
