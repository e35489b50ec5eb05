/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_GEMM_LINES_CUH
#define NDFT_GEMM_LINES_CUH

#include "gemm/separable/separable_block.cuh"
#include "gemm_tile.cuh"

/*
 * Folded products (folded.h) of a warp's lines on tensor cores. Columns are real numbers: two of a
 * complex line, one of a real one or of a half spectrum; rows are outputs, 16 to a tile. The
 * matrices hold the factors that spare the kernel cases: an input that is its own mirror image is
 * folded with itself and counts half, and a half spectrum counts twice.
 */

/* separable_gemm's arithmetics for lines: tiles of 8 columns that a warp has at a time, and whether
 * data have to be scaled into the format's range. */

struct ndft_lines_f16x3 : ndft_mode_f16x3 {
    static constexpr int COLUMN_TILES = 2;
    static constexpr bool SCALED = true;
};

struct ndft_lines_tf32x3 : ndft_mode_tf32x3 {
    static constexpr int COLUMN_TILES = 2;
    static constexpr bool SCALED = false;
};

/* In double by steps of 4 inputs, which compute capability 8.0 has. */
struct ndft_lines_f64 : ndft_mode_f64 {
    static constexpr int COLUMN_TILES = 1;
    static constexpr bool SCALED = false;

    static __device__ __forceinline__ void multiply(ndft_tile_sum<double> &sum, const operand_a &a,
                                                    const operand_b &b)
    {
        double upper[2] = {sum.d[0], sum.d[1]}, lower[2] = {sum.d[2], sum.d[3]};
#pragma unroll
        for (int s = 0; s < 4; s++) {
            ndft_mma_f64::multiply(upper, {a.v[2 * s]}, {b.v[s]});
            ndft_mma_f64::multiply(lower, {a.v[2 * s + 1]}, {b.v[s]});
        }
        sum = {{upper[0], upper[1], lower[0], lower[1]}};
    }
};

/* The reals of input numbers 4v + l of a step, v = 0..3, are a lane's, as are rows g and g + 8 of
 * columns 2l and 2l + 1 of the sums: lane = 4g + l. */
template <class M, int DOMAIN> struct ndft_line_columns {
    using R = typename M::R;
    static constexpr int REALS = DOMAIN == NDFT_C2C ? 2 : 1; /* columns of a line */
    static constexpr int LINES = 8 / REALS;                  /* of a tile of columns */
    /* A warp has as many lines at a time of either kind: half the columns of real ones. */
    static constexpr int COLUMN_TILES = DOMAIN == NDFT_C2C ? M::COLUMN_TILES : 1;

    /* e and o of a lane's column of one tile, whose first line is at `line`. */
    static __device__ __forceinline__ void fold(const R *line, int pitch, int length, int step,
                                                R (&e)[4], R (&o)[4])
    {
        const int lane = threadIdx.x % 32, column = lane / 4, half = length / 2;
        const R *own = line + column / REALS * pitch + column % REALS;
#pragma unroll
        for (int v = 0; v < 4; v++) {
            const int j = 16 * step + 4 * v + lane % 4;
            e[v] = o[v] = 0;
            if (16 * step + 4 * v > half || j > half) continue;
            if constexpr (DOMAIN == NDFT_C2R) {
                e[v] = own[2 * j];
                if (j > 0 && 2 * j < length) o[v] = own[2 * j + 1];
            } else {
                const R x = own[REALS * j], mirrored = own[REALS * (j > 0 ? length - j : 0)];
                e[v] = x + mirrored;
                o[v] = x - mirrored;
            }
        }
    }

    /* Outputs k and length - k of a lane's columns, from sums (k, 2l), (k, 2l + 1). */
    static __device__ __forceinline__ void unfold(R *line, int pitch, int length, int k, R sign,
                                                  const R *e, const R *o)
    {
        const int l = threadIdx.x % 4;
        const bool pair = k > 0 && 2 * k < length;
        if (2 * k > length) return;
        if constexpr (DOMAIN == NDFT_C2C) {
            auto *y = (ndft_complex<R> *)(line + l * pitch);
            y[k] = {e[0] - sign * o[1], e[1] + sign * o[0]};
            if (pair) y[length - k] = {e[0] + sign * o[1], e[1] - sign * o[0]};
        } else {
#pragma unroll
            for (int i = 0; i < 2; i++) {
                R *y = line + (2 * l + i) * pitch;
                if constexpr (DOMAIN == NDFT_R2C) {
                    ((ndft_complex<R> *)y)[k] = {e[i], sign * o[i]};
                } else {
                    y[k] = e[i] - sign * o[i];
                    if (pair) y[length - k] = e[i] + sign * o[i];
                }
            }
        }
    }
};

/* The factor for the data of a lane's column of one tile, whose first line is at `line`: a line is
 * as exact as its own size allows. lines: those that are data; reals: of one. */
template <class M, int DOMAIN>
__device__ __forceinline__ typename M::R ndft_scale_of(const typename M::R *line, int pitch,
                                                       int reals, int lines)
{
    if constexpr (!M::SCALED) return 1;
    constexpr int REALS = ndft_line_columns<M, DOMAIN>::REALS;
    const int lane = threadIdx.x % 32, column = lane / 4;
    line += column / REALS * pitch + column % REALS;
    float most = 0;
    for (int n = lane % 4 * REALS; n < reals && column / REALS < lines; n += 4 * REALS)
        most = ndft_larger(most, fabsf((float)line[n]));
    for (int apart = 1; apart < 4; apart *= 2)
        most = ndft_larger(most, __shfl_xor_sync(~0u, most, apart));
    return ndft_f16_scale(2 * most); /* of sums of two */
}

/* What takes it off again, for column 2l + c of the sums. */
template <class M> __device__ __forceinline__ typename M::R ndft_back_of(typename M::R scale, int c)
{
    using R = typename M::R;
    if constexpr (!M::SCALED) return 1 / (R)M::TOP;
    return 1 / __shfl_sync(~0u, scale, 4 * (threadIdx.x % 4 * 2 + c)) / (R)M::TOP;
}

/* The lines from `line` on, as many as COLUMN_TILES hold, in place. lines: those that are data. */
template <class M, int DOMAIN, int TILES>
__device__ __forceinline__ void ndft_transform_lines(const ndft_gemm_lines &g, const uint4 *matrix,
                                                     typename M::R *line, int lines)
{
    using R = typename M::R;
    using columns = ndft_line_columns<M, DOMAIN>;
    constexpr int A_VECS = sizeof(typename M::operand_a) / 16, N = columns::COLUMN_TILES;
    const int lane = threadIdx.x % 32, length = (int)g.pass.length;
    const int reals = (int)g.pass.in.count * (g.pass.in.real ? 1 : 2);
    R scale[N], back[N][2];
#pragma unroll
    for (int t = 0; t < N; t++) {
        const R *first = line + t * columns::LINES * g.pitch;
        scale[t] = ndft_scale_of<M, DOMAIN>(first, g.pitch, reals, lines - t * columns::LINES);
    }
    ndft_tile_sum<R> even[TILES][N] = {}, odd[TILES][N] = {};
    matrix += lane;
#pragma unroll 1
    for (int step = 0; step < g.steps; step++) {
        typename M::operand_b e[N], o[N];
#pragma unroll
        for (int t = 0; t < N; t++) {
            R x[4], y[4];
            columns::fold(line + t * columns::LINES * g.pitch, g.pitch, length, step, x, y);
#pragma unroll
            for (int v = 0; v < 4; v++) x[v] *= scale[t], y[v] *= scale[t];
            e[t] = M::split(x);
            o[t] = M::split(y);
        }
#pragma unroll
        for (int m = 0; m < TILES; m++) {
            if (m >= g.steps) break;
            const auto a = ndft_load_vecs<typename M::operand_a>(matrix, 32);
            const auto b = ndft_load_vecs<typename M::operand_a>(matrix + A_VECS * 32, 32);
            matrix += 2 * A_VECS * 32;
#pragma unroll
            for (int t = 0; t < N; t++) {
                M::multiply(even[m][t], a, e[t]);
                M::multiply(odd[m][t], b, o[t]);
            }
        }
    }
    __syncwarp(); /* all lanes have read */
    const R sign = (R)g.pass.sign;
#pragma unroll
    for (int t = 0; t < N; t++)
#pragma unroll
        for (int c = 0; c < 2; c++) back[t][c] = ndft_back_of<M>(scale[t], c);
#pragma unroll
    for (int m = 0; m < TILES; m++) {
#pragma unroll
        for (int i = 0; i < 2 * N; i++) {
            R e[2], o[2];
#pragma unroll
            for (int c = 0; c < 2; c++) {
                e[c] = even[m][i / 2].d[2 * (i % 2) + c] * back[i / 2][c];
                o[c] = odd[m][i / 2].d[2 * (i % 2) + c] * back[i / 2][c];
            }
            columns::unfold(line + i / 2 * columns::LINES * g.pitch, g.pitch, length,
                            16 * m + lane / 4 + 8 * (i % 2), sign, e, o);
        }
    }
}

/* The matrices [step][tile][cosines, sines][operand A], a thread a lane's values. */
template <class M>
__global__ void ndft_build_folded(int length, int steps, double weight, uint4 *matrix)
{
    constexpr int A_VECS = sizeof(typename M::operand_a) / 16;
    const int thread = (int)(blockIdx.x * blockDim.x + threadIdx.x), at = thread / 32;
    const int lane = thread % 32, step = at / steps, tile = at % steps;
    if (step >= steps) return;
    alignas(16) typename M::element value[2][M::PARTS][8];
    for (int v = 0; v < 8; v++) {
        const int input = M::a_col(lane, v), j = 16 * step + input % 4 * 4 + input / 4;
        const int k = 16 * tile + M::a_row(lane, v);
        double cosine = 0, sine = 0;
        if (2 * j <= length && 2 * k <= length)
            sincospi(2 * (double)(j * k % length) / (double)length, &sine, &cosine);
        if (j == 0 || 2 * j == length) cosine *= 0.5;
        for (int p = 0; p < M::PARTS; p++) {
            value[0][p][v] = M::part(weight * M::TOP * cosine, p);
            value[1][p][v] = M::part(weight * M::TOP * sine, p);
        }
    }
    uint4 *to = matrix + at * 2 * A_VECS * 32 + lane;
    for (int i = 0; i < 2 * A_VECS; i++) to[i * 32] = ((const uint4 *)value)[i];
}

/* Vectors of 16 bytes of both matrices. */
template <class M> __host__ __device__ int ndft_matrix_vecs(int steps)
{
    return steps * steps * 2 * 32 * (int)(sizeof(typename M::operand_a) / 16);
}

/* A block for tiles blockIdx.x, + gridDim.x and so on: while one is multiplied, the copies of the
 * next are under way. */
template <class M, int DOMAIN, int TILES>
__global__ void __launch_bounds__(NDFT_GEMM_THREADS, TILES == 1   ? 6
                                                     : TILES == 2 ? 4
                                                                  : 1)
    ndft_multiply_lines(ndft_gemm_lines g, int64_t tiles, const typename M::R *in,
                        typename M::R *out)
{
    using R = typename M::R;
    extern __shared__ uint4 room[];
    const int vecs = ndft_matrix_vecs<M>(g.steps), warp = threadIdx.x / 32;
    using columns = ndft_line_columns<M, DOMAIN>;
    constexpr int AT_ONCE = columns::COLUMN_TILES * columns::LINES;
    auto *places = (int64_t *)(room + vecs);
    R *reals = (R *)(places + 4 * g.lines);
    ndft_line_tile<R> own = {reals, places, places + g.lines, 0};
    ndft_line_tile<R> next = {reals + g.lines * g.pitch, places + 2 * g.lines, places + 3 * g.lines,
                              0};
    for (int i = threadIdx.x; i < vecs; i += NDFT_GEMM_THREADS)
        __pipeline_memcpy_async(room + i, g.matrix + i, sizeof *room);
    own.find(g, blockIdx.x);
    __syncthreads();
    ndft_with_types<DOMAIN, R>([&](auto x, auto y) {
        own.template fetch<decltype(x)>(g, in);
        for (int64_t tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
            next.find(g, tile + gridDim.x);
            ndft_arrive();
            next.template fetch<decltype(x)>(g, in);
            for (int line = warp * AT_ONCE; line < own.lines;
                 line += NDFT_GEMM_THREADS / 32 * AT_ONCE)
                ndft_transform_lines<M, DOMAIN, TILES>(g, room, own.reals + line * g.pitch,
                                                       own.lines - line);
            __syncthreads();
            own.template store<decltype(y)>(g, out);
            __syncthreads();
            const ndft_line_tile<R> done = own;
            own = next;
            next = done;
        }
    });
}

#endif
