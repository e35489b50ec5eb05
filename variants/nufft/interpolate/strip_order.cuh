/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_NUFFT_STRIP_ORDER_CUH
#define NDFT_NUFFT_STRIP_ORDER_CUH

#include "strip_walk.cuh"

namespace
{

/* What is known of samples that are read by strips before there are data. */
template <int W> struct strip_order {
    ndft_nufft_samples samples; /* sorted by tiles */
    ndft_weights<float, W> weights;
    const ndft_nufft_part *part;
    strip_sample *to;
};

/* A sample among those of its part: how many are before it, and the key of the last of these; and
 * how many numbers are below its own. */
struct strip_place {
    int before, last, rank;

    __device__ strip_place(const int *keys, const int *numbers, int count, int s)
        : before(0), last(-1), rank(0)
    {
        for (int t = 0; t < count; t++) {
            const bool first = keys[t] < keys[s] || (keys[t] == keys[s] && t < s);
            before += first;
            if (first) last = max(last, keys[t]);
            rank += numbers[t] < numbers[s];
        }
    }
};

/* Weights of sorted sample i whose window begins in a slot. Halves of an odd window share a row,
 * which is the first one's. */
template <int W>
__device__ void weigh_strip(const strip_order<W> &o, int i, int slot, strip_sample *to)
{
    constexpr int HALF = strip_form<W>::HALF, FROM = W - HALF;
    float w[W], *x = (float *)to->x, *y = (float *)to->y;
    ndft_weigh(o.weights, ((const float *)o.samples.s[0])[i], w);
#pragma unroll
    for (int k = 0; k < W; k++) x[slot + k < W ? slot + k : slot + k - W] = w[k];
    ndft_weigh(o.weights, ((const float *)o.samples.s[1])[i], w);
#pragma unroll
    for (int k = 0; k < HALF; k++) {
        y[k] = w[k];
        y[4 + k] = FROM + k < HALF ? 0 : w[FROM + k];
    }
}

/* Block = part, thread = sample: sorts a part by strips and columns. */
template <int W>
__global__ void __launch_bounds__(NDFT_BOX_SAMPLES)
    sort_strips(const __grid_constant__ strip_order<W> o)
{
    using form = strip_form<W>;
    __shared__ int keys[NDFT_BOX_SAMPLES], numbers[NDFT_BOX_SAMPLES];
    const ndft_nufft_part part = o.part[blockIdx.x];
    const int s = threadIdx.x, count = part.end - part.begin, i = part.begin + min(s, count - 1);
    const int x = o.samples.first[0][i] % NDFT_BOX_EDGE, slot = x % W;
    const int y = o.samples.first[1][i] % NDFT_BOX_EDGE, row = y / form::ROWS * form::ROWS;
    keys[s] = row * NDFT_BOX_EDGE + x;
    numbers[s] = o.samples.number[i];
    __syncthreads();
    if (s >= count) return;
    const strip_place place(keys, numbers, count, s);
    const bool anew = place.last < row * NDFT_BOX_EDGE; /* it begins a strip */
    const int last = place.last % NDFT_BOX_EDGE, steps = anew ? W : min(x - last, W);
    const int turned = anew ? form::SLOTS : ((1 << steps) - 1) << last % W;
    strip_sample *to = o.to + part.begin + place.before;
    weigh_strip(o, i, slot, to);
    to->at.x = row * form::LINE + (x - slot) * form::CELL;
    to->at.y =
        ((turned | turned >> W) & form::SLOTS) | (y > row ? form::SECOND : 0) | slot << form::FIRST;
    to->at.z = place.rank * (int)sizeof(strip_room<W>::sum[0]);
    o.to[part.begin + place.rank].at.w = numbers[s];
}

} // namespace

#endif
