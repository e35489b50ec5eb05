/* SPDX-License-Identifier: Apache-2.0 */
#include "core/mma.cuh"
#include "nufft/interpolate/footprint.cuh"
#include "nufft/interpolate/interpolate_cubes.cuh"
#include "nufft/pipeline_cufft.cuh"
#include "spread_cubes.cuh"
#include "squares.cuh"

#include "nufft/cubes_wait.h"
#include "nufft/window/window.h"

/*
 * Spreading as a matrix product on tensor cores, for many columns in two dimensions: the cells that
 * a tile's samples touch are a box of 16 x 16, and
 *
 *     box (256 cells x columns) = weights (256 x samples) data (samples x columns).
 *
 * A weight is the product of one along x and one along y, and zero outside a sample's window, so
 * that the operand is made in registers from two short rows of weights in shared memory. It is
 * some ten times the work of adding to the window's cells alone, and still less time than moving
 * every sum through shared memory. A warp has the box of 8 coils in registers; operands are split
 * into two parts of tf32, of which three products are formed. The box goes to the grid by atomics,
 * once for all samples of the block. The ceiling is the tensor cores, then atomics in the second
 * cache.
 *
 * Few columns are spread one at a time, by squares (squares.cuh); in three dimensions all are, and
 * read, too, by cubes of a tile (order/cubes.cuh).
 */

namespace
{

constexpr int BOX = 16;             /* cells of an edge */
constexpr int ROW = 2 * BOX + 8;    /* of a sample's weights: a fragment's lanes read other banks */
constexpr int COILS = 8;            /* of a warp */
constexpr int WARPS = 4;            /* of a block */
constexpr int FEW = 8;              /* columns, that go one at a time */
constexpr int MOST_WIDTH = BOX - 3; /* so that tiles have 4 cells along an edge */

using product = ndft_mma_tf32;

/* Parts of the data of one k-step: of real and imaginary parts, sample t and t + 4. */
struct data {
    unsigned high[2][2], low[2][2];

    __device__ data(ndft_complex<float> first, ndft_complex<float> second)
    {
        ndft_split_tf32(first.re, high[0][0], low[0][0]);
        ndft_split_tf32(second.re, high[0][1], low[0][1]);
        ndft_split_tf32(first.im, high[1][0], low[1][0]);
        ndft_split_tf32(second.im, high[1][1], low[1][1]);
    }
};

/* The rows of weights of the block's samples, zeros after the last up to a multiple of 8. */
template <int W>
__device__ void put_rows(const ndft_nufft_view<float, W> &view, const ndft_nufft_part &part,
                         float *rows, int *numbers)
{
    const int count = part.end - part.begin, tile = part.tile;
    const int begin[2] = {tile % view.samples.tiles[0] * view.samples.tile[0],
                          tile / view.samples.tiles[0] * view.samples.tile[1]};
    for (int e = threadIdx.x; e < (count + 7) / 8 * 8; e += blockDim.x) {
        const int i = part.begin + (e < count ? e : 0);
        float *row = rows + e * ROW;
        numbers[e] = view.samples.number[i];
        for (int x = 0; x < 2 * BOX; x += 4) *(ndft_pack<float, 4> *)(row + x) = {};
        for (int d = 0; d < 2 && e < count; d++) {
            float weight[W];
            ndft_weigh(view.weights, ((const float *)view.samples.s[d])[i], weight);
            float *at = row + d * BOX + view.samples.first[d][i] - begin[d];
#pragma unroll ndft_unroll < W>
            for (int w = 0; w < view.weights.width; w++) at[w] = weight[w];
        }
    }
}

/* A lane's datum of sample e in a term, zero beyond the last coil. */
template <int W>
__device__ __forceinline__ ndft_complex<float> value_of(const ndft_nufft_view<float, W> &view,
                                                        const ndft_complex<float> *in, int64_t j,
                                                        int coil, int term)
{
    if (coil >= view.pass.coils) return {0, 0};
    ndft_complex<float> turn = ndft_sample_weight(view, j, term), value;
    turn.im = -turn.im;
    ndft_rotate(value, turn, in[ndft_datum(view, j, coil)]);
    return value;
}

/* sum += box of 8 samples, whose rows these are. */
__device__ __forceinline__ void multiply(const float *rows, const data &b, float (&sum)[BOX][2][4])
{
    const int g = threadIdx.x % 32 / 4, t = threadIdx.x % 4;
    const float *one = rows + t * ROW, *two = one + 4 * ROW;
    const float x[4] = {one[g], one[g + 8], two[g], two[g + 8]};
#pragma unroll
    for (int quarter = 0; quarter < BOX / 4; quarter++) {
        const ndft_pack<float, 4> y[2] = {*(const ndft_pack<float, 4> *)(one + BOX + 4 * quarter),
                                          *(const ndft_pack<float, 4> *)(two + BOX + 4 * quarter)};
#pragma unroll
        for (int i = 0; i < 4; i++) {
            unsigned high[4], low[4];
#pragma unroll
            for (int e = 0; e < 4; e++) ndft_split_tf32(x[e] * y[e / 2].v[i], high[e], low[e]);
#pragma unroll
            for (int c = 0; c < 2; c++) {
                auto &to = sum[4 * quarter + i][c];
                product::multiply(to, high, b.high[c][0], b.high[c][1]);
                product::multiply(to, low, b.high[c][0], b.high[c][1]);
                product::multiply(to, high, b.low[c][0], b.low[c][1]);
            }
        }
    }
}

/* Adds the box of a warp to its coils' grids. */
template <int W>
__device__ void put_box(const ndft_nufft_view<float, W> &view, int tile, int term, int coil,
                        const float (&sum)[BOX][2][4])
{
    const int *tiles = view.samples.tiles, *edge = view.samples.tile, *n = view.grid.n;
    const int g = threadIdx.x % 32 / 4, t = threadIdx.x % 4;
    const int x0 = tile % tiles[0] * edge[0], y0 = tile / tiles[0] * edge[1];
    const int across = min(edge[0], n[0] - x0) + view.weights.width - 1;
    const int up = min(edge[1], n[1] - y0) + view.weights.width - 1;
#pragma unroll
    for (int e = 0; e < 4; e++) {
        const int x = g + e / 2 * 8, at = coil + 2 * t + e % 2;
        if (x >= across || at >= view.pass.coils) continue;
        ndft_complex<float> *column = ndft_column(view, term, at) + ndft_wrapped(x0 + x, n[0]);
#pragma unroll
        for (int y = 0; y < BOX; y++)
            if (y < up && (sum[y][0][e] != 0 || sum[y][1][e] != 0))
                ndft_atomic_add(column + ndft_wrapped(y0 + y, n[1]) * view.grid.row,
                                {sum[y][0][e], sum[y][1][e]});
    }
}

template <int W>
__global__ void __launch_bounds__(32 * WARPS, 2)
    spread(const __grid_constant__ ndft_nufft_view<float, W> view, const ndft_nufft_part *parts,
           int most, const ndft_complex<float> *in)
{
    extern __shared__ float rows[];
    int *const numbers = (int *)(rows + most * ROW);
    const ndft_nufft_part part = parts[blockIdx.x];
    put_rows(view, part, rows, numbers);
    __syncthreads();
    const int first = (blockIdx.y * (blockDim.x / 32) + threadIdx.x / 32) * COILS;
    const int coil = first + threadIdx.x % 32 / 4, t = threadIdx.x % 4;
    if (first >= view.pass.coils) return;
    const int count = part.end - part.begin;
    for (int term = 0; term < view.pass.terms; term++) {
        float sum[BOX][2][4] = {};
        ndft_complex<float> one = value_of(view, in, numbers[t], coil, term);
        ndft_complex<float> two = value_of(view, in, numbers[t + 4], coil, term);
        for (int k = 0; k < count; k += 8) {
            const data b(one, two);
            if (k + 8 < count) {
                one = value_of(view, in, numbers[k + 8 + t], coil, term);
                two = value_of(view, in, numbers[k + 12 + t], coil, term);
            }
            multiply(rows + k * ROW, b, sum);
        }
        put_box(view, part.tile, term, first, sum);
    }
}

bool fits_cubes(int width) { return width >= CUBE_LEAST_WIDTH && width <= CUBE_MOST_WIDTH; }

/* Whether columns are spread one at a time: to cubes, or to squares where there are few. */
bool by_columns(const ndft_nufft_shape *shape)
{
    return shape->dim == 3 || (shape->columns <= FEW && fits_cubes(shape->window.width));
}

/* What the scheme keeps. */
struct gemm {
    const ndft_nufft_part *parts;
    int count, most;
    ndft_status (*spread)(const ndft_nufft_plan *, const ndft_nufft_pass *, const void *in);
    ndft_status (*interpolate)(const ndft_nufft_plan *, const ndft_nufft_pass *, void *out);
};

template <int W>
ndft_status run_spread(const ndft_nufft_plan *plan, const ndft_nufft_pass *pass, const void *in)
{
    const gemm *own = (const gemm *)plan->own;
    const unsigned warps = ndft_blocks(pass->coils, COILS),
                   of_block = warps < WARPS ? warps : WARPS;
    const dim3 blocks((unsigned)own->count, ndft_blocks(warps, of_block));
    const size_t shared = (size_t)own->most * (ROW * sizeof(float) + sizeof(int));
    spread<W><<<blocks, 32 * of_block, shared, ndft_stream(plan->arrays.exec)>>>(
        ndft_nufft_view_of<float, W>(plan, pass), own->parts, own->most,
        (const ndft_complex<float> *)in);
    return ndft_launched(plan->arrays.exec, "spreading");
}

template <int W>
ndft_status run_cubes(const ndft_nufft_plan *plan, const ndft_nufft_pass *pass, const void *in)
{
    const gemm *own = (const gemm *)plan->own;
    return run_spread_cubes<W>(plan, pass, own->parts, own->count, in);
}

template <int W>
ndft_status run_squares(const ndft_nufft_plan *plan, const ndft_nufft_pass *pass, const void *in)
{
    const gemm *own = (const gemm *)plan->own;
    return run_spread_squares<W>(plan, pass, own->parts, own->count, in);
}

/* The kernels of cubes or squares for a window's width. */
template <int W> ndft_status take_by_columns(const ndft_nufft_plan *plan, gemm *own)
{
    if constexpr (W < CUBE_MOST_WIDTH)
        if (plan->shape.window.width > W) return take_by_columns<W + 1>(plan, own);
    if (plan->shape.dim == 2) {
        own->spread = run_squares<W>;
        return NDFT_OK;
    }
    own->spread = run_cubes<W>;
    own->interpolate = run_interpolate_cubes<W>;
    return ndft_allow_shared(plan->arrays.exec, (const void *)spread_cubes<W>,
                             sizeof(tile_memory<W>));
}

/* The kernel of boxes for a window: one for each of the usual widths, and one for any other. */
template <int W = 5> void take_boxes(const ndft_window *window, gemm *own)
{
    constexpr int MOST_USUAL = 7, NEXT = W < MOST_USUAL ? W + 1 : NDFT_MAX_WIDTH;
    own->spread = run_spread<W>;
    if constexpr (W <= MOST_USUAL)
        if (!ndft_serves<W>(window)) take_boxes<NEXT>(window, own);
}

/* Samples of a part. */
int most_of(const ndft_nufft_shape *shape, int samples)
{
    if (shape->dim == 3 || !by_columns(shape)) return samples;
    return samples / (shape->columns > 1 ? 4 : 8); /* of a warp */
}

ndft_status prepare(ndft_nufft_plan *plan, const int *k)
{
    gemm *own = (gemm *)plan->own;
    own->most = most_of(&plan->shape, k[NDFT_GEMM_SAMPLES]);
    own->interpolate = ndft_interpolate_cells.interpolate;
    if (by_columns(&plan->shape))
        NDFT_TRY(take_by_columns<CUBE_LEAST_WIDTH>(plan, own));
    else
        take_boxes(&plan->shape.window, own);
    const bool by_cells = own->interpolate == ndft_interpolate_cells.interpolate;
    if (by_cells && plan->ops == NDFT_FORWARD) return NDFT_OK;
    return ndft_nufft_parts(&plan->arrays, &plan->samples, own->most, &own->parts, &own->count);
}

ndft_status spread_pass(const ndft_nufft_plan *plan, const ndft_nufft_pass *pass, const void *in)
{
    return ((const gemm *)plan->own)->spread(plan, pass, in);
}

ndft_status interpolate_pass(const ndft_nufft_plan *plan, const ndft_nufft_pass *pass, void *out)
{
    return ((const gemm *)plan->own)->interpolate(plan, pass, out);
}

void tile(const ndft_nufft_shape *shape, const int *, int edge[3])
{
    const int width = shape->window.width,
              square = by_columns(shape) ? SQUARE_TILE : BOX + 1 - width;
    for (int d = 0; d < 3; d++) edge[d] = shape->dim == 3 ? cube_tile(width, d) : square;
}

int box(const ndft_nufft_shape *shape)
{
    return shape->dim == 3 ? CUBE + 1 - shape->window.width : 1;
}

const char *unsupported(const ndft_problem *p, const ndft_device *device, const int *k)
{
    if (p->prec != NDFT_F32) return "it is built for f32 only";
    if (p->dim == 1) return "its products are built for two and three dimensions";
    if (k[NDFT_GEMM_SAMPLES] < 32 || k[NDFT_GEMM_SAMPLES] > 256 || k[NDFT_GEMM_SAMPLES] % 32)
        return "samples of a block must be a multiple of 32 up to 256";
    const char *why = ndft_nufft_field_unsupported(p, device, k);
    if (why) return why;
    const int width = ndft_nufft_width(p, k);
    if (p->dim == 3 && !fits_cubes(width)) return "its cubes of 8 cells are for windows of 4 to 7";
    return width > MOST_WIDTH ? "its boxes of 16 cells are for windows of up to 13" : NULL;
}

/* As Sorensen counts: every sample is read once, and every cell of its box is written once for the
 * block. */
ndft_cost cost(const ndft_problem *p, ndft_op op, const int *k)
{
    const ndft_nufft_work work = ndft_nufft_work_of(p, op, k);
    const int few = fits_cubes(work.shape.window.width) ? FEW : 0;
    ndft_cost cost = ndft_nufft_product_cost(&work, BOX, few, k[NDFT_GEMM_SAMPLES]);
    if (p->dim == 3) cost.launches += ndft_nufft_cubes_wait(p, &work);
    return cost;
}

} // namespace

const ndft_nufft_stage ndft_spread_gemm = {
    .summary = "nonuniform FFT; products on tensor cores: spreading in 2D, both ways in 3D",
    .knobs = ndft_knob_bits(NDFT_GEMM_SAMPLES, NDFT_GEMM_SAMPLES),
    .c = 4,
    .worst = ndft_nufft_any_by_tf32,
    .tile = tile,
    .box = box,
    .own_bytes = sizeof(gemm),
    .prepare = prepare,
    .spread = spread_pass,
    .interpolate = interpolate_pass,
    .unsupported = unsupported,
    .cost = cost,
};
