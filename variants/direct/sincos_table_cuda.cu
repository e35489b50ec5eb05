/* SPDX-License-Identifier: Apache-2.0 */
#include "reduced.cuh"

/*
 * No transcendental in the loop: the phase, reduced product by product, picks the nearest of
 * `table` phasors, made in plan in double, and a two-term polynomial turns it by the remaining
 * angle. The table lies in shared memory in up to 16 copies, one per pair of banks, so that lanes
 * with different phases do not collide. Mapping and reduction are fast_math's; issue slots, about
 * 32 a pair, and the table's loads are the ceiling.
 */

namespace
{

enum { TABLE }; /* knobs, in order */
enum { THREADS = 256, OUTPUTS = 2, COPIES = 16, TABLE_BYTES = 32 << 10 };

const ndft_knob knobs[] = {
    {"table",
     "phasors",
     "phasors in a full turn",
     nullptr,
     64,
     8,
     {16, 32, 64, 128, 256, 512, 1024, 2048}},
};

/* Copies of a table that fit, a power of two up to one per pair of banks. */
__host__ __device__ inline int copies_of(int table)
{
    int copies = COPIES;
    while (copies > 1 && copies * table * (int)sizeof(float2) > TABLE_BYTES) copies /= 2;
    return copies;
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
__global__ void __launch_bounds__(THREADS)
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

using kernel = void (*)(ndft_reduced_operands, const float2 *, int, int,
                        const ndft_complex<float> *, ndft_complex<float> *);

struct choose_kernel {
    static constexpr bool built(int, bool, int outputs) { return outputs == OUTPUTS; }
    template <class SUM> kernel operator()() const { return sincos_table<SUM>; }
};

struct sincos_table_plan : ndft_reduced_plan<kernel> {
    int table, shift;
    const float2 *phasors;

    ndft_status prepare(const ndft_problem *p, const int *k, unsigned)
    {
        table = k[TABLE];
        for (shift = 0; 1 << shift < copies_of(table);) shift++;
        NDFT_TRY(ndft_place(&arrays, "table of phasors", table, &phasors, [&](int64_t i) {
            const double angle = ndft_two_pi * (double)i / table;
            return float2{(float)cos(angle), (float)sin(angle)};
        }));
        return place(p, THREADS, OUTPUTS, choose_kernel{});
    }
};

const char *unsupported(const ndft_problem *p, const ndft_device *, const int *k)
{
    if (p->prec != NDFT_F32) return "it is built for f32 only";
    if (k[TABLE] < 16 || k[TABLE] > 4096 || (k[TABLE] & (k[TABLE] - 1)))
        return "table must be a power of two from 16 to 4096";
    return ndft_phase_range_exceeded(p);
}

ndft_status plan(const ndft_problem *p, const int *k, unsigned ops, ndft_exec *exec, void **out)
{
    return ndft_make_plan<sincos_table_plan>(p, k, ops, exec, out);
}

ndft_status execute(void *state, ndft_op op, const void *in, void *out)
{
    const auto *plan = (const sincos_table_plan *)state;
    const bool adjoint = op == NDFT_ADJOINT;
    const size_t shared = ((size_t)plan->table << plan->shift) * sizeof(float2);
    const kernel run = plan->kernels[adjoint];
    run<<<plan->grid(adjoint), THREADS, shared, ndft_stream(plan->arrays.exec)>>>(
        plan->sides[adjoint], plan->phasors, plan->table, plan->shift,
        (const ndft_complex<float> *)in, (ndft_complex<float> *)out);
    return ndft_launched(plan->arrays.exec, "sincos_table");
}

/* The first terms left out, at half a table step: sine x^5/120 and cosine x^6/720. */
double worst(const ndft_problem *, ndft_op, const int *k)
{
    const double x = ndft_two_pi / 2 / k[TABLE];
    return pow(x, 5) / 120 + pow(x, 6) / 720;
}

/* And the phase's rounding. */
double truncation(const ndft_problem *p, const int *k)
{
    return ndft_reduced_rounding(p) + worst(p, NDFT_FORWARD, k);
}

ndft_cost cost(const ndft_problem *p, ndft_op op, const int *)
{
    ndft_cost cost = ndft_reduced_cost(p, op, THREADS, OUTPUTS);
    const double pairs = ndft_coil_pairs(p, op);
    cost.fma += 11 * pairs;
    cost.add += pairs;
    cost.integer += 4 * pairs;
    cost.issue_slots += 15 * pairs;
    cost.shared_bytes = pairs * sizeof(float2);
    cost.launches = 1;
    return cost;
}

} // namespace

extern "C" const ndft_variant ndft_sincos_table_cuda = {
    .name = "sincos_table",
    .backend = "cuda",
    .summary = "phasors from a table in shared memory, short polynomial for the rest",
    .knobs = knobs,
    .n_knobs = sizeof knobs / sizeof *knobs,
    .ops = NDFT_FORWARD | NDFT_ADJOINT,
    .claim = {.a = 0,
              .b = 0.05,
              .c = 16,
              .truncation = truncation,
              .any = {.a = 1,
                      .c = NDFT_ANY_REDUCED + 2 * NDFT_ANY_PRODUCT + NDFT_ANY_SINC,
                      .chain = ndft_reduced_chain,
                      .truncation = worst},
              .deterministic = true,
              .preserves_input = true},
    .unsupported = unsupported,
    .plan = plan,
    .execute = execute,
    .destroy = ndft_destroy_plan,
    .cost = cost,
};
