/* SPDX-License-Identifier: Apache-2.0 */
#include "uniform/callback/uniform_index.cuh"

#include "core/chosen.h"
#include "direct_cost.h"
#include "direct_inner_loop.cuh"
#include "phase/worst_entry.h"
#include "uniform/axis_plan.cuh"
#include "uniform/bluestein/chirp.h"
#include "uniform/callback/callback_plan.cuh"

/*
 * Direct sums axis by axis: inputs in shared memory, a thread's output of up to four lines in
 * registers (direct_inner_loop.cuh). Two variants differ in how a thread takes a tile of inputs.
 *
 * uniform_tiled has no phasors within a tile at all, for its sum is a polynomial in w = exp(i k):
 * Horner's rule, from the last input to the first, takes one complex multiply-add each. The tile's
 * sum is then turned to its place, by an exact integer phase, so that the errors of w's powers end
 * with the tile. FMA issue is the ceiling, 4 a pair.
 *
 * uniform_sincos_table has a table of the N roots of unity, made in plan: the phasor of a pair is
 * at n k mod N in the table, by addition with a wrap, and good for all of the thread's lines. A
 * warp's look-ups are scattered over the table: the load path is the ceiling.
 */

namespace
{

const ndft_knob tiled_knobs[] = {
    NDFT_KNOB("tile", "inputs", "inputs summed about one exact phase", 32, (8, 16, 32)),
};

const ndft_knob table_knobs[] = {
    NDFT_KNOB("tile", "inputs", "inputs of each line in shared memory", 64, (16, 32, 64)),
};

/* exp(sign 2 pi i index/n) */
template <class R> __device__ ndft_complex<R> turn_of(int index, int n, int sign)
{
    ndft_complex<R> turn;
    const int near = index > n / 2 ? index - n : index;
    sincospi((R)(2 * sign) * ((R)near / (R)n), &turn.im, &turn.re);
    return turn;
}

template <class R, int LINES> struct horner_inner_loop {
    int n, sign, at, step; /* at: the tile's phase */
    ndft_complex<R> w;

    __device__ horner_inner_loop(const ndft_direct<R> &d, int k)
        : n((int)d.pass.length), sign(d.pass.sign), at(0), step((int)((int64_t)k * d.tile % n)),
          w(turn_of<R>(k % n, n, sign))
    {
    }

    __device__ __forceinline__ void add(const ndft_values<R, LINES> *values, int terms,
                                        ndft_complex<R> (&sum)[LINES])
    {
        ndft_complex<R> power[LINES] = {};
#pragma unroll 4
        for (int j = terms - 1; j >= 0; j--) {
            ndft_values<R, LINES> x = values[j];
#pragma unroll
            for (int l = 0; l < LINES; l++) {
                ndft_accumulate(x.z[l], w.re, w.im, power[l]);
                power[l] = x.z[l];
            }
        }
        const ndft_complex<R> turn = turn_of<R>(at, n, sign);
#pragma unroll
        for (int l = 0; l < LINES; l++) ndft_accumulate(sum[l], turn.re, turn.im, power[l]);
        at = at >= n - step ? at - (n - step) : at + step;
    }
};

template <class R, int LINES> struct table_inner_loop {
    const ndft_complex<R> *roots;
    int n, at, step;

    __device__ table_inner_loop(const ndft_direct<R> &d, int k)
        : roots(d.roots), n((int)d.pass.length), at(0), step(k % n)
    {
    }

    __device__ __forceinline__ void add(const ndft_values<R, LINES> *values, int terms,
                                        ndft_complex<R> (&sum)[LINES])
    {
        ndft_complex<R> part[LINES] = {}; /* of the tile, that no sum is long */
#pragma unroll 4
        for (int j = 0; j < terms; j++) {
            const ndft_values<R, LINES> x = values[j];
            const ndft_complex<R> root = roots[at];
#pragma unroll
            for (int l = 0; l < LINES; l++) ndft_accumulate(part[l], root.re, root.im, x.z[l]);
            at = at >= n - step ? at - (n - step) : at + step;
        }
#pragma unroll
        for (int l = 0; l < LINES; l++) {
            sum[l].re += part[l].re;
            sum[l].im += part[l].im;
        }
    }
};

template <class R> struct direct_launch {
    void (*kernel)(ndft_direct<R>, const R *, R *);
    ndft_direct<R> direct;
    unsigned blocks;
    size_t shared;
};

/* Outputs of a block and groups of lines: all threads have one, or nearly so. */
int block_outputs(const ndft_pass &pass)
{
    return (int)min(pass.out.count, (int64_t)NDFT_DIRECT_THREADS);
}

template <class R, template <class, int> class InnerLoop, int LINES>
direct_launch<R> launch_of(const ndft_pass &pass, int tile)
{
    direct_launch<R> l = {ndft_direct_sum<R, InnerLoop, LINES>, {pass, nullptr, 0, 0, 0, 0}, 0, 0};
    tile = (int)min((int64_t)tile, pass.in.count);
    l.direct.tile = tile;
    l.direct.outputs = block_outputs(pass);
    l.direct.groups = NDFT_DIRECT_THREADS / l.direct.outputs;
    l.direct.chunks = ndft_blocks(pass.out.count, l.direct.outputs);
    l.blocks = l.direct.chunks * ndft_blocks(pass.lines, (int64_t)l.direct.groups * LINES);
    l.shared = (size_t)l.direct.groups * ndft_group_values(tile) * sizeof(ndft_values<R, LINES>);
    return l;
}

enum { MOST_LINES = 4 }; /* of a thread */

/* Four, or one where there are fewer. */
int lines_of(const ndft_pass &pass) { return pass.lines < MOST_LINES ? 1 : MOST_LINES; }

template <class R, template <class, int> class InnerLoop, bool TABLE>
struct direct_plan : ndft_base_plan {
    ndft_axes axes;
    direct_launch<R> launch[3];

    ndft_status place(const ndft_pass &pass, int tile, direct_launch<R> *l)
    {
        *l = lines_of(pass) == 1 ? launch_of<R, InnerLoop, 1>(pass, tile)
                                 : launch_of<R, InnerLoop, MOST_LINES>(pass, tile);
        if (!TABLE) return NDFT_OK;
        return ndft_place(&arrays, "roots of unity", pass.length, &l->direct.roots, [&](int64_t j) {
            double root[2];
            ndft_half_turns(pass.sign * 2 * j, pass.length, root);
            return ndft_complex<R>{(R)root[0], (R)root[1]};
        });
    }

    ndft_status prepare(const ndft_problem *p, const int *knobs, unsigned)
    {
        axes = ndft_axes_of(ndft_transform_of(p), false);
        for (int i = 0; i < axes.passes; i++) NDFT_TRY(place(axes.pass[i], knobs[0], &launch[i]));
        return ndft_axes_reserve(&arrays, prec, &axes);
    }

    ndft_status run(ndft_op, const void *in, void *out) const
    {
        NDFT_TRY(ndft_axes_copy(arrays.exec, prec, axes, in));
        for (int i = 0; i < axes.passes; i++) {
            const direct_launch<R> &l = launch[i];
            l.kernel<<<l.blocks, NDFT_DIRECT_THREADS, l.shared, ndft_stream(arrays.exec)>>>(
                l.direct, (const R *)ndft_pass_from(&axes, i, in),
                (R *)ndft_pass_to(&axes, i, out));
        }
        return ndft_launched(arrays.exec, "a direct sum");
    }

    /* Lines of a thread, outputs of a block. */
    void chosen(char *text, size_t size) const
    {
        int64_t lines[3], outputs[3];
        for (int i = 0; i < axes.passes; i++) {
            lines[i] = lines_of(axes.pass[i]);
            outputs[i] = block_outputs(axes.pass[i]);
        }
        ndft_chosen_add(text, size, "lines", lines, axes.passes);
        ndft_chosen_add(text, size, "outputs", outputs, axes.passes);
    }
};

/* NULL, or a sentence saying why not; knobs: the tile. */
const char *unsupported(const ndft_problem *p, const ndft_device *, const int *knobs)
{
    const ndft_axes axes = ndft_axes_of(ndft_transform_of(p), false);
    for (int i = 0; i < axes.passes; i++)
        if (axes.pass[i].lines * ((axes.pass[i].out.count - 1) / NDFT_DIRECT_THREADS + 1) > INT_MAX)
            return "it has a block for every few lines: 2^31 at most";
    return ndft_direct_unsupported(p, knobs);
}

/* per_phasor: instructions of one for all lines of a thread; per_tile: of the end of a tile. */
ndft_cost cost_of(const ndft_problem *p, const int *knobs, double per_phasor, double per_tile)
{
    const ndft_transform *t = ndft_transform_of(p);
    const ndft_axes axes = ndft_axes_of(t, false);
    ndft_cost cost = {};
    for (int i = 0; i < axes.passes; i++) {
        const ndft_pass &pass = axes.pass[i];
        const double lines = lines_of(pass);
        const double pairs = (double)pass.lines * (double)pass.in.count * (double)pass.out.count;
        cost.fma += 4 * pairs * (1 + 1. / knobs[0]);
        cost.integer += pairs / lines * per_phasor + pairs / lines / knobs[0] * per_tile;
        cost.shared_bytes += pairs / 32 * 2 * (double)ndft_real_size(p->prec) * (16 / lines);
    }
    cost.issue_slots = cost.fma + 2 * cost.integer;
    cost.dram_bytes = cost.l2_bytes = ndft_axes_bytes(t, false);
    cost.launches = axes.passes + (axes.copies ? 1 : 0);
    return cost;
}

template <class R> using tiled_plan = direct_plan<R, horner_inner_loop, false>;
template <class R> using table_plan = direct_plan<R, table_inner_loop, true>;

ndft_cost tiled_cost(const ndft_problem *p, ndft_op, const int *k) { return cost_of(p, k, 1, 40); }

ndft_cost table_cost(const ndft_problem *p, ndft_op, const int *k) { return cost_of(p, k, 4, 0); }

/* The j-th power of a rounded w is off by j of its roundings. */
double truncation(const ndft_problem *p, const int *k)
{
    return ndft_roundoff(p->prec) * 0.5 * k[0];
}

/* And each step multiplies the sum so far, on each of three axes. */
double worst(const ndft_problem *p, ndft_op, const int *k)
{
    return ndft_roundoff(p->prec) * 3 * 4 * k[0];
}

} // namespace

extern "C" const ndft_variant ndft_uniform_tiled_cuda = {
    .name = "uniform_tiled",
    .backend = "cuda",
    .summary = "direct sums axis by axis, tiles by Horner's rule about exact phases",
    NDFT_KNOBS(tiled_knobs),
    .ops = NDFT_FORWARD,
    .claim = {.b = 0.2,
              .c = 8,
              .truncation = truncation,
              .any = {.c = 3 * (NDFT_ANY_LIBM + 2 * NDFT_ANY_PRODUCT), .truncation = worst},
              .deterministic = true},
    NDFT_WITH_CALLBACKS(ndft_make_plan<tiled_plan>, unsupported, tiled_cost),
    .chosen = ndft_chosen_plan,
};

extern "C" const ndft_variant ndft_uniform_sincos_table_cuda = {
    .name = "uniform_sincos_table",
    .backend = "cuda",
    .summary = "direct sums axis by axis, phasors from the roots of unity",
    NDFT_KNOBS(table_knobs),
    .ops = NDFT_FORWARD,
    .claim = {.b = 0.2,
              .c = 8,
              .any = {.c = 3 * (NDFT_ANY_LIBM + 2 * NDFT_ANY_PRODUCT)},
              .deterministic = true},
    NDFT_WITH_CALLBACKS(ndft_make_plan<table_plan>, unsupported, table_cost),
    .chosen = ndft_chosen_plan,
};
