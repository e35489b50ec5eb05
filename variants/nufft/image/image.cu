/* SPDX-License-Identifier: Apache-2.0 */
#include "image.cuh"

#include "core/kept_table.cuh"

#include <algorithm>

namespace
{

enum { THREADS = 128, MOST_SHARES = 65535 }; /* blocks along y and z are no more */
enum { VOXELS = 32, GROUPS = 8 };            /* of a block that sums coils */

/* All that a kernel needs, by precision. */
template <class R> struct work {
    ndft_nufft_image image;
    ndft_nufft_grid grid;
    ndft_nufft_pass pass;
    ndft_rank_view<R> rank;
};

/* Term l's weight of voxel v. */
template <class R>
__device__ ndft_complex<R> weight(const ndft_rank_view<R> &rank, int64_t v, int l)
{
    return ndft_rank_voxel(rank, v, l / rank.terms, l % rank.terms);
}

template <class R> __device__ R scale(const ndft_nufft_image &image, int d, int i)
{
    return ((const R *)image.scale[d])[i];
}

/* The place in the image of what lies at a cell, -1: only zeros do; and its deapodisation. */
template <class R>
__device__ int64_t place_at(const work<R> &w, int x, int vy, int vz, R across, R *factor)
{
    const int vx = ndft_voxel_at(x, w.grid.n[0], w.image.n[0]);
    if (vx < 0 || vy < 0 || vz < 0) return -1;
    *factor = across * scale<R>(w.image, 0, vx);
    const int64_t v = ((int64_t)vz * w.image.n[1] + vy) * w.image.n[0] + vx;
    return w.image.inside ? w.image.inside[v] : v;
}

/* A warp has a row of the grid or its share of one, of which its lanes write 16 bytes at a time, in
 * the columns of the coil of blockIdx.y. */
template <class R> __global__ void pad(work<R> w, const ndft_complex<R> *image)
{
    constexpr int PAIR = 16 / sizeof(ndft_complex<R>);
    const int row = blockIdx.x * blockDim.y + threadIdx.y, coil = blockIdx.y;
    const int z = row / w.grid.n[1], y = row - z * w.grid.n[1];
    if (z >= w.grid.n[2]) return;
    const int vy = ndft_voxel_at(y, w.grid.n[1], w.image.n[1]);
    const int vz = ndft_voxel_at(z, w.grid.n[2], w.image.n[2]);
    R across = 0;
    if (vy >= 0 && vz >= 0) across = scale<R>(w.image, 1, vy) * scale<R>(w.image, 2, vz);
    image += (w.pass.coil + coil) * w.image.strides.coil;
    const ndft_complex<R> *map = ndft_map_of<R>(w.image, w.pass.coil + coil);
    ndft_complex<R> *cells =
        (ndft_complex<R> *)w.grid.cells + y * w.grid.row + z * w.grid.plane + coil * w.grid.column;
    for (unsigned x = (blockIdx.z * 32 + threadIdx.x) * PAIR; x < (unsigned)w.grid.n[0];
         x += gridDim.z * 32 * PAIR) {
        int64_t v[PAIR];
        ndft_complex<R> value[PAIR];
#pragma unroll
        for (int e = 0; e < PAIR; e++) {
            R factor = 0;
            v[e] = place_at(w, (int)x + e, vy, vz, across, &factor);
            value[e] = {0, 0};
            if (v[e] >= 0) value[e] = ndft_seen(map, v[e], image[v[e] * w.image.strides.element]);
            value[e].re *= factor;
            value[e].im *= factor;
        }
        for (int l = 0; l < w.pass.terms; l++) {
            ndft_pack<R, 2 * PAIR> pack;
#pragma unroll
            for (int e = 0; e < PAIR; e++) {
                ndft_complex<R> weighted = value[e];
                if (w.rank.place && v[e] >= 0)
                    ndft_rotate(weighted, weight(w.rank, v[e], w.pass.term + l), value[e]);
                pack.v[2 * e] = weighted.re;
                pack.v[2 * e + 1] = weighted.im;
            }
            *(ndft_pack<R, 2 * PAIR> *)(cells + l * w.pass.coils * w.grid.column + x) = pack;
        }
    }
}

/* Where voxel v lies on the grid of the pass' first column, and its deapodisation. */
template <class R> struct cell {
    const ndft_complex<R> *at;
    R factor;
};

template <class R> __device__ __forceinline__ cell<R> cell_of(const work<R> &w, int64_t v)
{
    const int at = w.image.voxel ? w.image.voxel[v] : (int)v;
    const int nx = w.image.n[0], ny = w.image.n[1];
    const int vx = at % nx, vy = at / nx % ny, vz = at / nx / ny;
    const R factor = scale<R>(w.image, 0, vx) * scale<R>(w.image, 1, vy) * scale<R>(w.image, 2, vz);
    const ndft_complex<R> *from = (const ndft_complex<R> *)w.grid.cells +
                                  ndft_grid_cell(vx - nx / 2, w.grid.n[0]) +
                                  ndft_grid_cell(vy - ny / 2, w.grid.n[1]) * w.grid.row +
                                  ndft_grid_cell(vz - w.image.n[2] / 2, w.grid.n[2]) * w.grid.plane;
    return {from, factor};
}

/* Voxel v of the pass' coil c: the terms' sum, deapodised. */
template <class R>
__device__ __forceinline__ ndft_complex<R> sum_of_terms(const work<R> &w, const cell<R> &from,
                                                        int64_t v, int c)
{
    ndft_complex<R> sum = {0, 0};
    for (int l = 0; l < w.pass.terms; l++) {
        const ndft_complex<R> value = from.at[(l * w.pass.coils + c) * w.grid.column];
        ndft_complex<R> turn = weight(w.rank, v, w.pass.term + l);
        ndft_accumulate(sum, turn.re, -turn.im, value);
    }
    return {sum.re * from.factor, sum.im * from.factor};
}

template <class R>
__device__ __forceinline__ void put(const work<R> &w, ndft_complex<R> sum, ndft_complex<R> &out)
{
    if (w.pass.joins) sum = {out.re + sum.re, out.im + sum.im};
    out = sum;
}

/* A thread has a voxel, and the coils of blockIdx.y. */
template <class R> __global__ void crop(work<R> w, ndft_complex<R> *image)
{
    const int64_t v = blockIdx.x * (int64_t)THREADS + threadIdx.x;
    if (v >= w.image.count) return;
    const cell<R> from = cell_of(w, v);
    for (int c = blockIdx.y; c < w.pass.coils; c += gridDim.y)
        put(w, sum_of_terms(w, from, v, c),
            image[v * w.image.strides.element + (w.pass.coil + c) * w.image.strides.coil]);
}

/* The sum over coils with conjugate maps: a thread has a voxel and every eighth coil, and a block's
 * eight sums are added in order. */
template <class R> __global__ void crop_seen(work<R> w, ndft_complex<R> *image)
{
    __shared__ ndft_complex<R> sums[GROUPS][VOXELS];
    const int64_t v = blockIdx.x * (int64_t)VOXELS + threadIdx.x;
    const bool inside = v < w.image.count;
    ndft_complex<R> sum = {0, 0};
    if (inside) {
        const cell<R> from = cell_of(w, v);
        for (int c = threadIdx.y; c < w.pass.coils; c += GROUPS) {
            const ndft_complex<R> map = ndft_map_of<R>(w.image, w.pass.coil + c)[v];
            ndft_accumulate(sum, map.re, -map.im, sum_of_terms(w, from, v, c));
        }
    }
    sums[threadIdx.y][threadIdx.x] = sum;
    __syncthreads();
    if (threadIdx.y > 0 || !inside) return;
    for (int g = 1; g < GROUPS; g++) {
        sum.re += sums[g][threadIdx.x].re;
        sum.im += sums[g][threadIdx.x].im;
    }
    put(w, sum, image[v * w.image.strides.element]);
}

/* place[v] of the voxels in use, -1 of the others. */
ndft_status put_inside(ndft_arrays *arrays, const ndft_problem *p, ndft_nufft_image *image)
{
    const int64_t all = p->n[0] * p->n[1] * p->n[2];
    int64_t next = 0;
    NDFT_TRY(ndft_place(arrays, "voxels in use", p->n_voxels, &image->voxel,
                        [&](int64_t i) { return p->voxel[i]; }));
    return ndft_place(arrays, "voxels in use", all, &image->inside, [&](int64_t v) {
        return next < p->n_voxels && p->voxel[next] == v ? (int32_t)next++ : -1;
    });
}

/* All that deapodisation follows from. */
ndft_table_key key_of(const ndft_nufft_shape *shape, ndft_prec prec)
{
    const ndft_window *window = &shape->window;
    ndft_table_key key = {{(double)prec, (double)shape->dim, (double)window->kind,
                           (double)window->width, window->sigma, window->beta}};
    for (int d = 0; d < 3; d++) {
        key.number[6 + d] = (double)shape->n[d];
        key.number[9 + d] = (double)shape->grid[d];
    }
    return key;
}

/* Axis after axis in one array. */
template <class R>
ndft_status put_scales(ndft_arrays *arrays, const ndft_nufft_shape *shape, ndft_nufft_image *image)
{
    const int64_t first[] = {0, shape->n[0], shape->n[0] + shape->n[1]};
    const R *device = nullptr;
    NDFT_TRY(ndft_place_kept(arrays, "deapodisation", key_of(shape, image->prec),
                             first[2] + shape->n[2], &device, [&](R *host) {
                                 for (int d = 0; d < 3; d++) {
                                     R *to = host + first[d];
                                     *to = 1;
                                     if (d < shape->dim)
                                         ndft_nufft_put_deapodisation(shape, d, image->prec, to);
                                 }
                             }));
    for (int d = 0; d < 3; d++) image->scale[d] = device + first[d];
    return NDFT_OK;
}

template <class R>
ndft_status run_pad(ndft_exec *exec, const ndft_nufft_image *image, const ndft_nufft_rank *rank,
                    const ndft_nufft_grid *grid, const ndft_nufft_pass *pass, const void *in)
{
    const work<R> w = {*image, *grid, *pass, ndft_rank_of<R>(*rank)};
    const int64_t rows = (int64_t)grid->n[1] * grid->n[2];
    const bool few = rows * pass->coils < 32 * exec->device.units;
    const unsigned shares = few ? ndft_blocks(grid->n[0], 64) : 1;
    const dim3 threads(32, 4);
    const dim3 blocks(ndft_blocks(rows, threads.y), (unsigned)pass->coils,
                      std::min<unsigned>(shares, MOST_SHARES));
    pad<<<blocks, threads, 0, ndft_stream(exec)>>>(w, (const ndft_complex<R> *)in);
    return ndft_launched(exec, "padding");
}

template <class R>
ndft_status run_crop(ndft_exec *exec, const ndft_nufft_image *image, const ndft_nufft_rank *rank,
                     const ndft_nufft_grid *grid, const ndft_nufft_pass *pass, void *out)
{
    const work<R> w = {*image, *grid, *pass, ndft_rank_of<R>(*rank)};
    const dim3 blocks(ndft_blocks(image->count, THREADS), (unsigned)pass->coils);
    if (image->maps)
        crop_seen<<<ndft_blocks(image->count, VOXELS), dim3(VOXELS, GROUPS), 0,
                    ndft_stream(exec)>>>(w, (ndft_complex<R> *)out);
    else
        crop<<<blocks, THREADS, 0, ndft_stream(exec)>>>(w, (ndft_complex<R> *)out);
    return ndft_launched(exec, "cropping");
}

} // namespace

ndft_status ndft_nufft_image_make(ndft_arrays *arrays, const ndft_problem *p,
                                  const ndft_nufft_shape *shape, ndft_nufft_image *image)
{
    *image = {};
    image->prec = p->prec;
    image->count = p->n_voxels;
    image->strides = ndft_strides_of(p, p->n_voxels);
    for (int d = 0; d < 3; d++) image->n[d] = (int)p->n[d];
    if (p->voxel) NDFT_TRY(put_inside(arrays, p, image));
    return p->prec == NDFT_F32 ? put_scales<float>(arrays, shape, image)
                               : put_scales<double>(arrays, shape, image);
}

ndft_status ndft_nufft_image_through(ndft_arrays *arrays, int coils, const void *maps,
                                     ndft_nufft_image *image)
{
    const int64_t bytes = coils * image->count * 2 * (int64_t)ndft_real_size(image->prec);
    unsigned char *device = nullptr;
    NDFT_TRY(ndft_reserve(arrays, "coil maps", bytes, &device));
    image->maps = device;
    image->strides = {1, 0};
    return ndft_queue_upload(arrays->exec, device, maps, (size_t)bytes);
}

ndft_status ndft_nufft_pad(ndft_exec *exec, const ndft_nufft_image *image,
                           const ndft_nufft_rank *rank, const ndft_nufft_grid *grid,
                           const ndft_nufft_pass *pass, const void *in)
{
    return image->prec == NDFT_F32 ? run_pad<float>(exec, image, rank, grid, pass, in)
                                   : run_pad<double>(exec, image, rank, grid, pass, in);
}

ndft_status ndft_nufft_crop(ndft_exec *exec, const ndft_nufft_image *image,
                            const ndft_nufft_rank *rank, const ndft_nufft_grid *grid,
                            const ndft_nufft_pass *pass, void *out)
{
    return image->prec == NDFT_F32 ? run_crop<float>(exec, image, rank, grid, pass, out)
                                   : run_crop<double>(exec, image, rank, grid, pass, out);
}
