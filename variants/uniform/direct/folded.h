/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_FOLDED_H
#define NDFT_FOLDED_H

#include <stdint.h>

/*
 * A line's transform as two real matrix products of half its size. With e_j = x_j + x_{N-j} and
 * o_j = x_j - x_{N-j}, over the pairs 0 < j < N/2 and with e_0 = x_0 (and e_{N/2} = x_{N/2}),
 *
 *     E_k = sum_j cos(2 pi j k/N) e_j,  O_k = sum_j sin(2 pi j k/N) o_j,
 *     y_k = E_k + i sign O_k,  y_{N-k} = E_k - i sign O_k,
 *
 * which are N^2 real multiply-adds and not 4 N^2 (half of that for reals). The matrices are real,
 * so that real and imaginary parts are columns alike. A half spectrum needs no folding: there e_k
 * is its weighted real part and o_k its imaginary part, and y_n = E_n - sign O_n.
 */

/* Rows of the cosines, from 0 to N/2, and of the sines, 0 < j < N/2. */
static inline int64_t ndft_even_rows(int64_t length) { return length / 2 + 1; }
static inline int64_t ndft_odd_rows(int64_t length) { return (length - 1) / 2; }

#endif
