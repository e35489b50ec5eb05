/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_UNIFORM_CHIRP_H
#define NDFT_UNIFORM_CHIRP_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * The chirp w_n = exp(sign pi i n^2 / N), with which a transform of any length N is a convolution
 * (Bluestein 1970): since n k = (n^2 + k^2 - (k - n)^2) / 2,
 *
 *     y_k = w_k sum_n (x_n w_n) conj(w_{k-n}).
 *
 * n^2 is reduced modulo 2N in integers, so that every phasor is as exact as libm's sine.
 */

#define NDFT_CHIRP_LONGEST ((int64_t)1 << 40)

/* n^2 mod 2 length, in half turns over length; n >= 0. */
int64_t ndft_chirp_phase(int64_t n, int64_t length);

/* exp(pi i phase/length), phase any integer from -2 length to 2 length; quarter turns are exact. */
void ndft_half_turns(int64_t phase, int64_t length, double phasor[2]);

/* w_n, [re, im]. */
void ndft_chirp_at(int64_t n, int64_t length, int sign, double w[2]);

/* w_first, ..., w_{first + count - 1}: [count][re, im]. */
void ndft_chirp_fill(int64_t first, int64_t count, int64_t length, int sign, double *w);

/* What x_n w_n is convolved with for n < inputs and k < outputs, at most length each: conj(w_{|m|})
 * at m mod cells for -inputs < m < outputs, zeros between, in all [cells][re, im]; cells >= inputs
 * + outputs - 1. */
void ndft_chirp_filter(int64_t length, int sign, int64_t inputs, int64_t outputs, int64_t cells,
                       double *b);

#ifdef __cplusplus
}
#endif

#endif
