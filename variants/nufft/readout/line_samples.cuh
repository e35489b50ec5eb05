/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_NUFFT_LINE_SAMPLES_CUH
#define NDFT_NUFFT_LINE_SAMPLES_CUH

#include "line_place.cuh"

/* Between the vectors of a problem and what nufft_line works on. */

/* The samples of lines, and their grids: [coils][lines][cells]. */
struct ndft_line_ends {
    const ndft_line_direction *lines;
    int n_lines, cells, middle;
    const float *scale; /* [samples of a piece] 1/hat */
    ndft_strides strides;
};

/* Blocks (line, coil): the transformed grid to samples. */
static __global__ void ndft_line_crop(ndft_line_ends s, const ndft_complex<float> *grids,
                                      ndft_complex<float> *out)
{
    const ndft_line_direction &line = s.lines[blockIdx.x];
    grids += ((int64_t)blockIdx.y * s.n_lines + blockIdx.x) * s.cells;
    out += blockIdx.y * s.strides.coil + line.first * s.strides.element;
    for (int q = threadIdx.x; q < line.length; q += blockDim.x) {
        const int i = q + line.before, x = i - s.middle;
        const ndft_complex<float> z = grids[x < 0 ? x + s.cells : x];
        out[q * s.strides.element] = {z.re * s.scale[i], z.im * s.scale[i]};
    }
}

/* The other way round, with zeros where there is no sample. */
static __global__ void ndft_line_pad(ndft_line_ends s, const ndft_complex<float> *in,
                                     ndft_complex<float> *grids)
{
    const ndft_line_direction &line = s.lines[blockIdx.x];
    grids += ((int64_t)blockIdx.y * s.n_lines + blockIdx.x) * s.cells;
    in += blockIdx.y * s.strides.coil + line.first * s.strides.element;
    for (int cell = threadIdx.x; cell < s.cells; cell += blockDim.x) {
        const int i = (cell < (s.cells + 1) / 2 ? cell : cell - s.cells) + s.middle;
        const int q = i - line.before;
        ndft_complex<float> z = {0, 0};
        if (q >= 0 && q < line.length) {
            z = in[q * s.strides.element];
            z = {z.re * s.scale[i], z.im * s.scale[i]};
        }
        grids[cell] = z;
    }
}

/* values[coil][axis][i] = in of voxel order[axis][i], 0 where that is -1; coils in y. */
static __global__ void ndft_line_arrange(const ndft_complex<float> *in, ndft_strides strides,
                                         const int32_t *order, int64_t count,
                                         ndft_complex<float> *values)
{
    const int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count) return;
    const int32_t v = order[i];
    ndft_complex<float> z = {0, 0};
    if (v >= 0) z = in[v * strides.element + blockIdx.y * strides.coil];
    values[blockIdx.y * count + i] = z;
}

#endif
