/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_NUFFT_GRID_CUH
#define NDFT_NUFFT_GRID_CUH

#include <cstdint>

/* Cell x, y, z of column c is at cells[x + y * row + z * plane + c * column], complex of the
 * problem's precision; all strides are even. */
struct ndft_nufft_grid {
    void *cells;
    int64_t row, plane, column;
    int n[3]; /* cells per axis, 1 beyond dim */
};

/* The cell behind the last is the first. */
__device__ __forceinline__ int ndft_wrapped(int cell, int n) { return cell < n ? cell : cell - n; }

#endif
