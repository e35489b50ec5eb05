/* SPDX-License-Identifier: Apache-2.0 */
#include "core/complex.cuh"
#include "core/device.cuh"
#include "phase/coords.h"
#include "phase/decay.h"
#include "phase/worst_entry.h"

#include "base/variant.h"

/*
 * PowerGrid's four kernels of Gdft and GdftR2: a thread per output, 2 pi folded once into its own
 * coordinates, separate coordinate arrays read by all threads at the same address, libm sincos and
 * sinc for every pair. Nothing is staged or reused; issue slots of sincosf are its ceiling.
 */

namespace
{

template <class R> struct naive_sum {
    const R *k[3], *t;  /* [n_samples] cycles/FOV, s */
    const R *r[3], *dw; /* [n_voxels] FOV, rad/s */
    const R *g[3];      /* [n_voxels] Hz/voxel */
    const R *decay;     /* [n_voxels] R2*, 1/s */
    const R *c, *b;     /* [terms][n_samples], [terms][n_voxels] */
    int terms;
    R inv_n[3];
    int64_t n_samples, n_voxels;
    ndft_strides samples, voxels;
};

template <class R> __device__ R sinc(R x)
{
    const R pi_x = (R)3.14159265358979323846 * x;
    return x == 0 ? (R)1 : sin(pi_x) / pi_x;
}

template <class R> __device__ R dephasing(const naive_sum<R> &s, const R k[3], R t, const R g[3])
{
    R product = 1;
    for (int d = 0; d < 3; d++) product *= sinc(k[d] * s.inv_n[d] + g[d] * t);
    return product;
}

template <class R> __device__ R higher(const naive_sum<R> &s, int64_t j, int64_t v)
{
    R sum = 0;
    for (int l = 0; l < s.terms; l++) sum += s.c[l * s.n_samples + j] * s.b[l * s.n_voxels + v];
    return sum;
}

template <class R, bool GRADS, bool DECAY, bool HIGHER>
__global__ void naive_forward(naive_sum<R> s, const ndft_complex<R> *in, ndft_complex<R> *out)
{
    const int64_t j = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (j >= s.n_samples) return;
    in += blockIdx.y * s.voxels.coil;
    out += blockIdx.y * s.samples.coil;
    const R two_pi = (R)ndft_two_pi;
    const R k[3] = {s.k[0][j], s.k[1][j], s.k[2][j]}, t = s.t[j];
    const R kx = two_pi * k[0], ky = two_pi * k[1], kz = two_pi * k[2];
    ndft_complex<R> sum = {0, 0};
    for (int64_t v = 0; v < s.n_voxels; v++) {
        R phase = kx * s.r[0][v] + ky * s.r[1][v] + kz * s.r[2][v] + s.dw[v] * t, sine, cosine;
        if (HIGHER) phase += higher(s, j, v);
        sincos(-phase, &sine, &cosine);
        if (GRADS) {
            const R g[3] = {s.g[0][v], s.g[1][v], s.g[2][v]};
            const R b = dephasing(s, k, t, g);
            sine *= b;
            cosine *= b;
        }
        if (DECAY) {
            const R left = ndft_decay(s.decay[v], t);
            sine *= left;
            cosine *= left;
        }
        ndft_accumulate(sum, cosine, sine, in[v * s.voxels.element]);
    }
    out[j * s.samples.element] = sum;
}

template <class R, bool GRADS, bool DECAY, bool HIGHER>
__global__ void naive_adjoint(naive_sum<R> s, const ndft_complex<R> *in, ndft_complex<R> *out)
{
    const int64_t v = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (v >= s.n_voxels) return;
    in += blockIdx.y * s.samples.coil;
    out += blockIdx.y * s.voxels.coil;
    const R two_pi = (R)ndft_two_pi;
    const R x = two_pi * s.r[0][v], y = two_pi * s.r[1][v], z = two_pi * s.r[2][v], dw = s.dw[v];
    R g[3] = {};
    if (GRADS)
        for (int d = 0; d < 3; d++) g[d] = s.g[d][v];
    const R rate = DECAY ? s.decay[v] : (R)0;
    ndft_complex<R> sum = {0, 0};
    for (int64_t j = 0; j < s.n_samples; j++) {
        const R k[3] = {s.k[0][j], s.k[1][j], s.k[2][j]}, t = s.t[j];
        R phase = k[0] * x + k[1] * y + k[2] * z + dw * t, sine, cosine;
        if (HIGHER) phase += higher(s, j, v);
        sincos(phase, &sine, &cosine);
        if (GRADS) {
            const R b = dephasing(s, k, t, g);
            sine *= b;
            cosine *= b;
        }
        if (DECAY) {
            const R left = ndft_decay(rate, t);
            sine *= left;
            cosine *= left;
        }
        ndft_accumulate(sum, cosine, sine, in[j * s.samples.element]);
    }
    out[v * s.voxels.element] = sum;
}

enum { THREADS = 256 };

template <class R> struct naive_plan : ndft_base_plan {
    bool grads, decays;
    unsigned coils;
    naive_sum<R> sum;

    ndft_status prepare(const ndft_problem *p, const int *, unsigned)
    {
        grads = ndft_has_gradients(p);
        decays = p->decay;
        coils = (unsigned)p->coils;
        sum.n_samples = p->n_samples;
        sum.n_voxels = p->n_voxels;
        sum.samples = ndft_strides_of(p, p->n_samples);
        sum.voxels = ndft_strides_of(p, p->n_voxels);
        auto samples = [&](const char *what, const void *array, const R **device) {
            return ndft_place(&arrays, what, p->n_samples, device, [&](int64_t j) {
                return array ? (R)ndft_real_at(array, p->prec, j) : (R)0;
            });
        };
        auto voxels = [&](const char *what, const void *array, const R **device) {
            return ndft_place(&arrays, what, p->n_voxels, device, [&](int64_t v) {
                return array ? (R)ndft_real_at(array, p->prec, v) : (R)0;
            });
        };
        for (int d = 0; d < 3; d++) {
            sum.inv_n[d] = (R)(1.0 / (double)p->n[d]);
            NDFT_TRY(samples("trajectory", p->k[d], &sum.k[d]));
            NDFT_TRY(ndft_place(&arrays, "voxel positions", p->n_voxels, &sum.r[d], [&](int64_t v) {
                double x[3];
                ndft_voxel_at(p, v, x);
                return (R)(x[d] / (double)p->n[d]);
            }));
            if (grads) NDFT_TRY(voxels("gradient maps", p->g[d], &sum.g[d]));
        }
        NDFT_TRY(samples("readout times", p->t, &sum.t));
        if (decays) NDFT_TRY(voxels("decay map", p->decay, &sum.decay));
        NDFT_TRY(place_higher(p));
        return voxels("field map", p->dw, &sum.dw);
    }

    ndft_status place_higher(const ndft_problem *p)
    {
        const ndft_higher_phase &h = p->higher;
        sum.terms = h.terms;
        if (!h.terms) return NDFT_OK;
        NDFT_TRY(ndft_place(
            &arrays, "phase coefficients", h.terms * p->n_samples, &sum.c, [&](int64_t i) {
                return (R)ndft_real_at(h.c[i / p->n_samples], p->prec, i % p->n_samples);
            }));
        return ndft_place(&arrays, "phase maps", h.terms * p->n_voxels, &sum.b, [&](int64_t i) {
            return (R)ndft_real_at(h.b[i / p->n_voxels], p->prec, i % p->n_voxels);
        });
    }

    using kernel = void (*)(naive_sum<R>, const ndft_complex<R> *, ndft_complex<R> *);

    template <bool GRADS, bool DECAY, bool HIGHER> static kernel kernel_of(ndft_op op)
    {
        return op == NDFT_FORWARD ? naive_forward<R, GRADS, DECAY, HIGHER>
                                  : naive_adjoint<R, GRADS, DECAY, HIGHER>;
    }

    template <bool GRADS, bool DECAY> kernel kernel_for(ndft_op op) const
    {
        return sum.terms ? kernel_of<GRADS, DECAY, true>(op) : kernel_of<GRADS, DECAY, false>(op);
    }

    ndft_status run(ndft_op op, const void *in, void *out) const
    {
        const auto *from = (const ndft_complex<R> *)in;
        auto *to = (ndft_complex<R> *)out;
        const kernel run = grads
                               ? (decays ? kernel_for<true, true>(op) : kernel_for<true, false>(op))
                           : decays ? kernel_for<false, true>(op)
                                    : kernel_for<false, false>(op);
        const int64_t outputs = op == NDFT_FORWARD ? sum.n_samples : sum.n_voxels;
        const dim3 grid(ndft_blocks(outputs, THREADS), coils);
        run<<<grid, THREADS, 0, ndft_stream(arrays.exec)>>>(sum, from, to);
        return ndft_launched(arrays.exec, "naive");
    }
};

ndft_cost cost(const ndft_problem *p, ndft_op op, const int *)
{
    const double pairs = ndft_coil_pairs(p, op), grads = ndft_has_gradients(p) ? 3 : 0;
    ndft_cost cost = {};
    cost.fma = pairs * (21 + 20 * grads); /* sincosf: two polynomials, three-part reduction */
    cost.integer = pairs * (20 + 4 * grads);
    cost.special = pairs * (1 + grads); /* a conversion, the reciprocal of each sinc's division */
    cost.issue_slots = pairs * (84 + 40 * grads);
    if (p->decay) { /* a polynomial, and its product with the phasor */
        cost.fma += pairs * 13;
        cost.integer += pairs * 2;
        cost.issue_slots += pairs * 21;
    }
    cost.fma += pairs * p->higher.terms;
    cost.issue_slots += pairs * 3 * p->higher.terms;
    cost.l2_bytes =
        pairs * (6 + p->higher.terms) * (double)ndft_real_size(p->prec) / (double)THREADS;
    cost.dram_bytes =
        ndft_both_bytes(p) + (double)(p->n_voxels * (4 + (int)grads) + p->n_samples * 4) *
                                 (double)ndft_real_size(p->prec);
    cost.launches = 1;
    return cost;
}

} // namespace

extern "C" const ndft_variant ndft_naive_cuda = {
    .name = "naive",
    .backend = "cuda",
    .summary = "a thread per output, phase in radians, libm sincos, as PowerGrid's Gdft",
    .decays = true,
    .higher = true,
    .off_grid = true,
    .claim = {.a = 0.5,
              .b = 0.8,
              .c = 8,
              .truncation = ndft_higher_rounding,
              .any = {.a = NDFT_ANY_RADIAN,
                      .c = NDFT_ANY_LIBM + NDFT_ANY_PRODUCT + NDFT_ANY_SINC,
                      .truncation = ndft_higher_worst},
              .deterministic = true},
    NDFT_BASE_PLAN(naive_plan),
    .cost = cost,
};
