/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_COIL_DATA_CUH
#define NDFT_COIL_DATA_CUH

#include "coil_side.cuh"
#include "core/mma.cuh"

/*
 * The data of a tile as B matrices, split and scaled by a power of two that fits f16. They consist
 * of core matrices, 8 columns of 16 bytes down the inputs, one after the other; ldmatrix and wgmma
 * read them as they are: [step][substep][part][quantity][column block][word][column][lane % 4],
 * where the quantities are those of ndft_coil_form. Lane l has the inputs 4 (l % 4) .. + 3 of a
 * step: word w of a substep has two of them in f16, or one in tf32.
 */

/* The word of one input quantity v[0..3] of a lane, as high and low part. */
template <int MODE>
__device__ __forceinline__ void ndft_coil_word(const float v[4], int substep, int w, unsigned &hi,
                                               unsigned &lo)
{
    if constexpr (MODE == NDFT_COIL_TF32X3)
        ndft_split_tf32(v[2 * substep + w], hi, lo);
    else
        ndft_split_f16(v[2 * w], v[2 * w + 1], hi, lo);
}

/* Phasors on a grid are smaller by this. */
constexpr float ndft_coil_grid_scale = 0x1p-14f;

/* A word of f16 times a power of two. */
__device__ __forceinline__ unsigned ndft_coil_scaled(unsigned word, float scale)
{
    const half2 scaled =
        __hmul2_rn(*reinterpret_cast<const half2 *>(&word), __float2half2_rn(scale));
    return *reinterpret_cast<const unsigned *>(&scaled);
}

/* A lane's inputs of one coil: zeros for padding. */
__device__ __forceinline__ void ndft_coil_gather(const ndft_coil_side &s, int64_t place, int coil,
                                                 const ndft_complex<float> *in, float re[4],
                                                 float im[4])
{
    const int4 element = *(const int4 *)(s.order + place);
    const int at[4] = {element.x, element.y, element.z, element.w};
#pragma unroll
    for (int v = 0; v < 4; v++) {
        ndft_complex<float> z = {0, 0};
        if (at[v] >= 0 && coil < s.coils) z = in[at[v] * s.in.element + coil * s.in.coil];
        re[v] = z.re;
        im[v] = z.im;
    }
}

/*
 * The sums of a tile by wgmma are cut off towards zero, `cuts` times in a step of 16 inputs: in the
 * end they lack a third of 2^-28 of themselves for each input and cut, on the mean, of whatever
 * data, which the scale gives back.
 */
__device__ __forceinline__ float ndft_coil_unscale(float scale, int cuts, int tile)
{
    const float back = 1 / scale;
    return fmaf(back, 0x1p-28f / 3 * (float)(cuts * tile), back);
}

/* What a thread takes at a time: four inputs of one coil, as a warp those of a step and of eight
 * coils, whose words are one piece of the data. */
struct ndft_coil_item {
    int step, lane, column;

    __device__ ndft_coil_item(int i, int steps)
        : step(i / 32 % steps), lane(i % 4), column(i / 32 / steps * NDFT_COIL_COLUMNS + i / 4 % 8)
    {
    }
    __device__ int place() const { return NDFT_COIL_STEP * step + 4 * lane; }
};

/* The lane's words of one coil, `quantity` being that of the block's columns. */
template <int MODE>
__device__ __forceinline__ void ndft_coil_put(const ndft_coil_side &s, unsigned *data,
                                              const ndft_coil_item &item, int quantity,
                                              const float v[4])
{
    using P = ndft_coil_parts<MODE>;
    const int per_part = ndft_coil_quantities(s.form) * s.blocks * 64; /* words */
    const int block = quantity * s.blocks + item.column / NDFT_COIL_COLUMNS;
#pragma unroll
    for (int substep = 0; substep < P::SUBSTEPS; substep++)
#pragma unroll
        for (int w = 0; w < 2; w++) {
            unsigned part[2];
            ndft_coil_word<MODE>(v, substep, w, part[0], part[1]);
            if (s.form == NDFT_COIL_THREE_SMALL)
                part[1] = ndft_coil_scaled(part[1], 1 / ndft_coil_grid_scale);
            unsigned *to = data + (item.step * P::SUBSTEPS + substep) * P::PARTS * per_part +
                           block * 64 + w * 32 + item.column % NDFT_COIL_COLUMNS * 4 + item.lane;
#pragma unroll
            for (int i = 0; i < P::PARTS; i++) to[i * per_part] = part[i];
        }
}

enum { NDFT_COIL_DATA_THREADS = 1024 };

/* Blocks (tile, group). */
template <int MODE>
__global__ void __launch_bounds__(NDFT_COIL_DATA_THREADS)
    ndft_coil_data(ndft_coil_side s, const ndft_complex<float> *in)
{
    __shared__ unsigned most;
    const int group = blockIdx.y, columns = s.blocks * NDFT_COIL_COLUMNS;
    const int items = s.tile / 4 * columns, steps = s.tile / NDFT_COIL_STEP;
    const int first = group * columns;
    const int64_t tile = (int64_t)group * s.n_tiles + blockIdx.x;
    const int64_t place = (int64_t)blockIdx.x * s.tile;
    unsigned *data = (unsigned *)s.data + tile * (s.data_bytes(MODE) / 4);
    float re[4], im[4], largest = 0;
    if (threadIdx.x == 0) most = 0;
    __syncthreads();
    for (int i = threadIdx.x; i < items; i += blockDim.x) {
        const ndft_coil_item item(i, steps);
        ndft_coil_gather(s, place + item.place(), first + item.column, in, re, im);
        /* re + im may be an operand, too */
        for (int v = 0; v < 4; v++) largest = ndft_larger(largest, fabsf(re[v]) + fabsf(im[v]));
    }
    atomicMax(&most, __float_as_uint(largest)); /* positive floats are ordered as integers */
    __syncthreads();
    /* Low parts that are larger need room, too. */
    const float scale =
        ndft_f16_scale(__uint_as_float(most)) * (s.form == NDFT_COIL_THREE_SMALL ? 0.25f : 1.0f);
    if (threadIdx.x == 0) s.unscale[tile] = ndft_coil_unscale(scale, s.cuts, s.tile);
    for (int i = threadIdx.x; i < items; i += blockDim.x) {
        const ndft_coil_item item(i, steps);
        ndft_coil_gather(s, place + item.place(), first + item.column, in, re, im);
        for (int v = 0; v < 4; v++) {
            re[v] *= scale;
            im[v] *= scale;
        }
        const int base = s.form == NDFT_COIL_FOUR_NEGATED;
        ndft_coil_put<MODE>(s, data, item, base, re);
        ndft_coil_put<MODE>(s, data, item, base + 1, im);
        if (s.form == NDFT_COIL_FOUR) continue;
        for (int v = 0; v < 4; v++) im[v] = base ? -im[v] : re[v] + im[v];
        ndft_coil_put<MODE>(s, data, item, base ? 0 : 2, im);
    }
}

#endif
