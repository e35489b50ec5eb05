/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_NUFFT_COLUMNS_CUH
#define NDFT_NUFFT_COLUMNS_CUH

#include "nufft/pipeline_cufft.cuh"

/*
 * The values of sorted samples for a kernel whose lanes are columns: of sample i from
 * value[(number ? number[i] : i) * pitch] on, side by side. A single column without a field map is
 * used as it is; all others are brought into the order of samples first, times their weights in the
 * field map's terms, and padded to whole lanes.
 */
template <class R> struct ndft_nufft_columns {
    ndft_complex<R> *value;
    const int32_t *number;
    int64_t pitch;
    int count; /* columns of the pass */
};

/* Columns side by side in a warp, as many as leave room for tile_lanes others. */
inline int ndft_nufft_column_lanes(int columns, int tile_lanes)
{
    int lanes = 1;
    while (lanes < columns && 2 * lanes * tile_lanes <= 32) lanes *= 2;
    return lanes;
}

inline int ndft_log2(int64_t power)
{
    int log = 0;
    while ((int64_t)1 << log < power) log++;
    return log;
}

inline int64_t ndft_nufft_pitch(int columns)
{
    const int64_t lanes = ndft_nufft_column_lanes(columns, 1);
    return (columns + lanes - 1) / lanes * lanes;
}

/* The buffer of a plan, NULL where it needs none. Columns between a pass's last and the pitch are
 * read, though what comes of them is not. */
template <class R>
ndft_status ndft_nufft_buffer_make(ndft_nufft_plan *plan, ndft_complex<R> **buffer)
{
    *buffer = nullptr;
    if (plan->shape.columns == 1 && !plan->rank.place) return NDFT_OK;
    return ndft_reserve_zeros(&plan->arrays, "sorted samples",
                              plan->samples.count * ndft_nufft_pitch(plan->shape.chunk), buffer);
}

template <class R>
ndft_nufft_columns<R> ndft_nufft_columns_of(const ndft_nufft_plan *plan,
                                            const ndft_nufft_pass *pass, const void *data,
                                            ndft_complex<R> *buffer)
{
    const int count = pass->terms * pass->coils;
    if (buffer) return {buffer, nullptr, ndft_nufft_pitch(count), count};
    return {(ndft_complex<R> *)data, plan->samples.number, plan->data.element, count};
}

/* Thread = sorted sample and column, columns fastest. */
template <class R>
__global__ void ndft_nufft_fill_columns(ndft_nufft_columns<R> out, int64_t samples,
                                        const int32_t *number, ndft_nufft_pass pass,
                                        ndft_rank_view<R> rank, ndft_strides strides,
                                        const ndft_complex<R> *in)
{
    const int64_t at = blockIdx.x * (int64_t)blockDim.x + threadIdx.x;
    const int64_t i = at / out.count;
    if (i >= samples) return;
    const int c = (int)(at - i * out.count), coil = pass.coil + c % pass.coils;
    const int64_t j = number[i];
    ndft_complex<R> value = in[j * strides.element + coil * strides.coil];
    if (rank.place) {
        const int term = pass.term + c / pass.coils;
        ndft_complex<R> weight = ndft_rank_sample(rank, j, term / rank.terms, term % rank.terms);
        weight.im = -weight.im;
        const ndft_complex<R> plain = value;
        ndft_rotate(value, weight, plain);
    }
    out.value[i * out.pitch + c] = value;
}

/* Fills the buffer, if there is one, from a pass's samples, times their conjugate weights. */
template <class R>
ndft_status ndft_nufft_fill(const ndft_nufft_plan *plan, const ndft_nufft_pass *pass,
                            const ndft_nufft_columns<R> &columns, const void *in)
{
    if (columns.number) return NDFT_OK;
    const int64_t n = plan->samples.count, threads = 256;
    ndft_nufft_fill_columns<<<ndft_blocks(n * columns.count, threads), threads, 0,
                              ndft_stream(plan->arrays.exec)>>>(
        columns, n, plan->samples.number, *pass, ndft_rank_of<R>(plan->rank), plan->data,
        (const ndft_complex<R> *)in);
    return ndft_launched(plan->arrays.exec, "sorting columns");
}

/* Thread = sorted sample and coil: the sum over the pass's terms, from the buffer. */
template <class R>
__global__ void ndft_nufft_drain_columns(ndft_nufft_columns<R> in, int64_t samples,
                                         const int32_t *number, ndft_nufft_pass pass,
                                         ndft_rank_view<R> rank, ndft_strides strides,
                                         ndft_complex<R> *out)
{
    const int64_t at = blockIdx.x * (int64_t)blockDim.x + threadIdx.x;
    const int64_t i = at / pass.coils;
    if (i >= samples) return;
    const int coil = (int)(at - i * pass.coils);
    const int64_t j = number[i];
    ndft_complex<R> *to = out + j * strides.element + (pass.coil + coil) * strides.coil;
    ndft_complex<R> sum = {0, 0};
    if (pass.joins) sum = *to;
    for (int l = 0; l < pass.terms; l++) {
        const int term = pass.term + l;
        const ndft_complex<R> w = ndft_rank_sample(rank, j, term / rank.terms, term % rank.terms);
        ndft_accumulate(sum, w.re, w.im, in.value[i * in.pitch + l * pass.coils + coil]);
    }
    *to = sum;
}

/* Empties the buffer, if there is one, to a pass's samples: summed over terms with their weights.
 */
template <class R>
ndft_status ndft_nufft_drain(const ndft_nufft_plan *plan, const ndft_nufft_pass *pass,
                             const ndft_nufft_columns<R> &columns, void *out)
{
    if (columns.number) return NDFT_OK;
    const int64_t n = plan->samples.count, threads = 256;
    ndft_nufft_drain_columns<<<ndft_blocks(n * pass->coils, threads), threads, 0,
                               ndft_stream(plan->arrays.exec)>>>(
        columns, n, plan->samples.number, *pass, ndft_rank_of<R>(plan->rank), plan->data,
        (ndft_complex<R> *)out);
    return ndft_launched(plan->arrays.exec, "columns to samples");
}

/* Where cell x, y, z of a column lies from the column's first. */
__device__ __forceinline__ int64_t ndft_nufft_cell_at(const ndft_nufft_grid &grid, int x, int y,
                                                      int z)
{
    return z * grid.plane + y * grid.row + x;
}

template <class R>
__device__ __forceinline__ ndft_complex<R> *ndft_nufft_column_at(const ndft_nufft_grid &grid,
                                                                 int column)
{
    return (ndft_complex<R> *)grid.cells + column * grid.column;
}

#endif
