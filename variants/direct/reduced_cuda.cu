/* SPDX-License-Identifier: Apache-2.0 */
#include "reduced.cuh"

/*
 * The naive mapping, no inputs in shared memory: only the arithmetic changes (reduced.cuh). Two
 * variants differ in their sine and cosine.
 *
 * fast_math has the hardware's. With the phase reduced, its absolute error of 2^-21 is all that
 * "fast" costs; sinc is a polynomial in u^2 up to |u| = 1.5, sine and division beyond. Issue slots
 * are the ceiling, about 20 a pair in 2D.
 *
 * sincos_table has no transcendental in the loop: the phase picks the nearest of `table` phasors,
 * made in plan in double, and a two-term polynomial turns it by the remaining angle. The table lies
 * in shared memory in up to 16 copies, one per pair of banks, so that lanes with different phases
 * do not collide. Issue slots, about 32 a pair, and the table's loads are the ceiling.
 */

namespace
{

enum { OUTPUTS, THREADS }; /* fast_math's knobs, in order */
enum { TABLE };            /* sincos_table's */
enum { USUAL_OUTPUTS = 2, TABLE_THREADS = 256, COPIES = 16, TABLE_BYTES = 32 << 10 };

const ndft_knob fast_knobs[] = {
    NDFT_KNOB("outputs", "per thread", "outputs in the registers of a thread", USUAL_OUTPUTS,
              (1, 2, 4, 8)),
    NDFT_KNOB("threads", "per block", "threads of a block", 128, (64, 128, 256)),
};

const ndft_knob table_knobs[] = {
    NDFT_KNOB("table", "phasors", "phasors in a full turn", 64,
              (16, 32, 64, 128, 256, 512, 1024, 2048)),
};

struct hardware_sincos {
    __device__ __forceinline__ void operator()(float turns, float &s, float &c) const
    {
        __sincosf(6.28318531f * turns, &s, &c);
    }
};

template <class SUM>
__global__ void fast_math(ndft_reduced_operands s, const ndft_complex<float> *in,
                          ndft_complex<float> *out)
{
    SUM::run(hardware_sincos{}, s, in, out);
}

struct table_sincos {
    const float2 *own; /* this lane's copy: entry e at own[e * copies] */
    float size, step;  /* table, 1/table */
    int mask, shift;   /* table - 1, log2(copies) */

    __device__ __forceinline__ void operator()(float turns, float &s, float &c) const
    {
        const float magic = 0x1.8p23f;
        const float nearest = __fmaf_rn(turns, size, magic);
        const float2 entry = own[(__float_as_int(nearest) & mask) << shift];
        const float rest = __fmaf_rn(__fadd_rn(nearest, -magic), -step, turns);
        const float w = rest * rest; /* turns^2; the angle is 2 pi rest */
        const float small_s = rest * fmaf(w, -41.3417022f, 6.28318531f);
        const float small_c = fmaf(w, fmaf(w, 64.9393940f, -19.7392088f), 1.0f);
        c = fmaf(entry.x, small_c, -entry.y * small_s);
        s = fmaf(entry.y, small_c, entry.x * small_s);
    }
};

template <class SUM>
__global__ void __launch_bounds__(TABLE_THREADS)
    sincos_table(ndft_reduced_operands s, const float2 *phasors, int table, int shift,
                 const ndft_complex<float> *in, ndft_complex<float> *out)
{
    extern __shared__ __align__(16) unsigned char shared[];
    float2 *copies = (float2 *)shared;
    for (int i = threadIdx.x; i < table << shift; i += blockDim.x) copies[i] = phasors[i >> shift];
    __syncthreads();
    const int lane = threadIdx.x & ((1 << shift) - 1);
    const table_sincos sincos = {copies + lane, (float)table, 1.0f / (float)table, table - 1,
                                 shift};
    SUM::run(sincos, s, in, out);
}

struct fast_kernels {
    using kernel = void (*)(ndft_reduced_operands, const ndft_complex<float> *,
                            ndft_complex<float> *);
    static constexpr bool built(int dim, bool gradients, int outputs)
    {
        return outputs == USUAL_OUTPUTS || ndft_built_for_sweeps(dim, gradients);
    }
    template <int D, int DEPHASING, bool TO_VOXELS, int O> static kernel of()
    {
        return fast_math<ndft_reduced<D, DEPHASING, TO_VOXELS, O>>;
    }
};

struct table_kernels {
    using kernel = void (*)(ndft_reduced_operands, const float2 *, int, int,
                            const ndft_complex<float> *, ndft_complex<float> *);
    static constexpr bool built(int, bool, int outputs) { return outputs == USUAL_OUTPUTS; }
    template <int D, int DEPHASING, bool TO_VOXELS, int O> static kernel of()
    {
        return sincos_table<ndft_reduced<D, DEPHASING, TO_VOXELS, O>>;
    }
};

struct fast_math_plan : ndft_reduced_plan<fast_kernels> {
    ndft_status prepare(const ndft_problem *p, const int *k, unsigned)
    {
        return place(p, k[THREADS], k[OUTPUTS]);
    }

    ndft_status run(ndft_op op, const void *in, void *out) const
    {
        return launch("fast_math", op, 0, in, out);
    }
};

struct sincos_table_plan : ndft_reduced_plan<table_kernels> {
    int table, shift;
    const float2 *phasors;

    /* In as many copies as fit, a power of two up to one per pair of banks. */
    ndft_status prepare(const ndft_problem *p, const int *k, unsigned)
    {
        table = k[TABLE];
        int copies = COPIES;
        while (copies > 1 && copies * table * (int)sizeof(float2) > TABLE_BYTES) copies /= 2;
        for (shift = 0; 1 << shift < copies;) shift++;
        NDFT_TRY(ndft_place(&arrays, "table of phasors", table, &phasors, [&](int64_t i) {
            const double angle = ndft_two_pi * (double)i / table;
            return float2{(float)cos(angle), (float)sin(angle)};
        }));
        return place(p, TABLE_THREADS, USUAL_OUTPUTS);
    }

    ndft_status run(ndft_op op, const void *in, void *out) const
    {
        const size_t shared = ((size_t)table << shift) * sizeof(float2);
        return launch("sincos_table", op, shared, in, out, phasors, table, shift);
    }
};

const char *fast_unsupported(const ndft_problem *p, const ndft_device *, const int *k)
{
    if (p->prec != NDFT_F32) return "it is built for f32 only";
    if (k[OUTPUTS] != 1 && k[OUTPUTS] != 2 && k[OUTPUTS] != 4 && k[OUTPUTS] != 8)
        return "outputs is built for 1, 2, 4 and 8";
    if (!fast_kernels::built(p->dim, ndft_has_gradients(p), k[OUTPUTS]))
        return "with gradients and outside 2D outputs is built for 2; -DNDFT_ALL=ON builds all";
    const char *why = ndft_block_unsupported(k[THREADS]);
    return why ? why : ndft_phase_range_exceeded(p);
}

const char *table_unsupported(const ndft_problem *p, const ndft_device *, const int *k)
{
    if (p->prec != NDFT_F32) return "it is built for f32 only";
    if (k[TABLE] < 16 || k[TABLE] > 4096 || (k[TABLE] & (k[TABLE] - 1)))
        return "table must be a power of two from 16 to 4096";
    return ndft_phase_range_exceeded(p);
}

ndft_cost fast_cost(const ndft_problem *p, ndft_op op, const int *k)
{
    ndft_cost cost = ndft_reduced_cost(p, op, k[THREADS], k[OUTPUTS]);
    const double pairs = ndft_coil_pairs(p, op);
    cost.fma += 2 * pairs; /* turns to rad, and back inside the hardware's sine */
    cost.special = 2 * pairs;
    cost.issue_slots += 4 * pairs;
    return cost;
}

ndft_cost table_cost(const ndft_problem *p, ndft_op op, const int *)
{
    ndft_cost cost = ndft_reduced_cost(p, op, TABLE_THREADS, USUAL_OUTPUTS);
    const double pairs = ndft_coil_pairs(p, op);
    cost.fma += 11 * pairs;
    cost.add += pairs;
    cost.integer += 4 * pairs;
    cost.issue_slots += 15 * pairs;
    cost.shared_bytes = pairs * sizeof(float2);
    return cost;
}

double rounding(const ndft_problem *p, const int *) { return ndft_reduced_rounding(p); }

/* The first terms left out, at half a table step: sine x^5/120 and cosine x^6/720. */
double table_worst(const ndft_problem *, ndft_op, const int *k)
{
    const double x = ndft_two_pi / 2 / k[TABLE];
    return pow(x, 5) / 120 + pow(x, 6) / 720;
}

/* And the phase's rounding. */
double table_truncation(const ndft_problem *p, const int *k)
{
    return ndft_reduced_rounding(p) + table_worst(p, NDFT_FORWARD, k);
}

} // namespace

extern "C" const ndft_variant ndft_fast_math_cuda = {
    .name = "fast_math",
    .backend = "cuda",
    .summary = "naive's mapping, every product reduced in turns, hardware sincos",
    NDFT_KNOBS(fast_knobs),
    .off_grid = true,
    .claim = {.b = 0.05,
              .c = 24,
              .truncation = rounding,
              .any = {.a = 1,
                      .c = NDFT_ANY_REDUCED + NDFT_ANY_ANGLE + NDFT_ANY_HARDWARE +
                           NDFT_ANY_PRODUCT + NDFT_ANY_SINC,
                      .chain = ndft_reduced_chain},
              .deterministic = true},
    .unsupported = fast_unsupported,
    NDFT_BASE_PLAN(fast_math_plan),
    .cost = fast_cost,
};

extern "C" const ndft_variant ndft_sincos_table_cuda = {
    .name = "sincos_table",
    .backend = "cuda",
    .summary = "phasors from a table in shared memory, short polynomial for the rest",
    NDFT_KNOBS(table_knobs),
    .off_grid = true,
    .claim = {.b = 0.05,
              .c = 16,
              .truncation = table_truncation,
              .any = {.a = 1,
                      .c = NDFT_ANY_REDUCED + 2 * NDFT_ANY_PRODUCT + NDFT_ANY_SINC,
                      .chain = ndft_reduced_chain,
                      .truncation = table_worst},
              .deterministic = true},
    .unsupported = table_unsupported,
    NDFT_BASE_PLAN(sincos_table_plan),
    .cost = table_cost,
};
