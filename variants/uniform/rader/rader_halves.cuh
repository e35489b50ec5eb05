/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_RADER_HALVES_CUH
#define NDFT_RADER_HALVES_CUH

#include "rader.cuh"

/* Prime lengths whose convolution is two halves (rader_halves_kernel.cuh). */

/* P = 1 + 2 A R S. */
struct ndft_rader_factors {
    int a, r, s;

    __host__ __device__ constexpr int length() const { return 1 + 2 * a * r * s; }
};

constexpr ndft_rader_factors ndft_rader_halves[] = {
    {5, 7, 7},   {9, 7, 5},   {9, 7, 7},   {7, 13, 5},   {11, 9, 5},
    {7, 15, 5},  {9, 13, 5},  {15, 7, 7},  {11, 9, 9},   {7, 13, 11},
    {9, 11, 11}, {7, 15, 11}, {11, 15, 9}, {15, 11, 11}, {11, 13, 13}};

constexpr int ndft_rader_halved = sizeof ndft_rader_halves / sizeof *ndft_rader_halves;

/* Where things begin in a block's memory, the turns first; what lies before the cells is the
 * table's, which has there the cells of inputs, then of outputs, up to half the length. */
struct ndft_rader_halves_layout {
    int filter, cells, end, table;

    __host__ __device__ constexpr explicit ndft_rader_halves_layout(const ndft_rader_factors &f)
        : filter((8 * f.r * f.s + 15) / 16 * 16), cells(filter + 8 * f.length() / 16 * 16),
          end(cells + 8 * f.length() / 16 * 16), table(cells + 2 * (f.length() + 1))
    {
    }
};

enum { NDFT_RADER_ODD = 1 << 15 }; /* of a cell's number: its generator's power is odd */

/* The shape of a length; length 0: it is none of those. */
inline ndft_rader_shape ndft_rader_halves_of(int64_t length)
{
    for (const ndft_rader_factors &f : ndft_rader_halves)
        if (f.length() == length) return {f.length(), f.a, f.r * f.s, f.r * f.s, 0, 0, f.r};
    return {};
}

#endif
