/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_RADER_CUH
#define NDFT_RADER_CUH

#include "core/device.cuh"
#include "uniform/axes.h"
#include "uniform/direct/gemm_wgmma.cuh"

/* Rader's convolution of a prime length, or the transform of a product of two coprime numbers, as
 * it is launched: rader_sm90a.cu has the kernels. */

enum { NDFT_RADER_THREADS = 256 };

/* P - 1 numbers, or those of a product, as a matrix, whose sizes are coprime, or as two halves
 * alike. */
struct ndft_rader_shape {
    int length, columns, rows; /* P = 1 + columns rows: how long a column is, and a row */
    int pitch, room;           /* numbers from row to row, an odd one, and of all, an even one */
    int generator;             /* of the numbers 1..P-1 under multiplication modulo P */
    int first;                 /* of halves, P = 1 + 2 columns rows: a factor of rows; else 0 */

    __host__ __device__ bool is_product() const { return length == columns * rows; }
};

struct ndft_rader {
    ndft_pass pass;
    ndft_rader_shape shape;
    const void *table; /* what lies before the cells in a block's memory */
};

/* Folded DFT matrices have so many times 16 rows. */
__host__ __device__ inline int ndft_rader_steps(int length) { return (length / 2 + 16) / 16; }

/* Where things begin in a block's memory: the matrices of rows, those of columns, the filter, which
 * a product has not, the cells' numbers of inputs and outputs, and the cells. */
struct ndft_rader_layout {
    int of_columns, filter, input, output, cells, end;

    __host__ __device__ explicit ndft_rader_layout(const ndft_rader_shape &s)
    {
        const int numbers = (2 * s.length + 15) / 16 * 16;
        of_columns = ndft_wgmma_matrix(ndft_rader_steps(s.rows));
        filter = of_columns + ndft_wgmma_matrix(ndft_rader_steps(s.columns));
        input = filter + (s.is_product() ? 0 : 8 * s.room);
        output = input + numbers;
        cells = output + numbers;
        end = cells + 8 * s.room;
    }
};

using ndft_rader_kernel = void (*)(ndft_rader, const float *, float *);

/* How lines of a shape are transformed. */
struct ndft_rader_form {
    ndft_rader_kernel kernel; /* nullptr: not built */
    int threads, table, end;  /* of a block, bytes of its table and of its memory */
};

ndft_rader_form ndft_rader_choose(const ndft_rader_shape &shape);

/* Fills the table, and waits for it: a kernel copies it before the one before has ended. */
ndft_status ndft_rader_build(ndft_exec *exec, const ndft_rader_shape &shape, int sign, void *table);

#endif
