/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_SEPARABLE_PLAN_CUH
#define NDFT_SEPARABLE_PLAN_CUH

#include "phase/coords.h"
#include "separable_kernels.cuh"
#include "separable_units.h"

#include <cmath>

/* The device arrays of a separable_gemm plan. */

/* value/divisor as a sum of two numbers of type R, the second what the first lacks. */
template <class R> struct ndft_two {
    R hi, lo;
};

template <class R> ndft_two<R> ndft_divide(double value, double divisor)
{
    const R hi = (R)(value / divisor);
    return {hi, (R)(fma(-(double)hi, divisor, value) / divisor)};
}

inline double ndft_k_at(const ndft_problem *p, int d, int64_t sample)
{
    return sample >= 0 && p->k[d] ? ndft_real_at(p->k[d], p->prec, sample) : 0;
}

/* Times of units, and what each sample needs along y and z. */
template <class R>
ndft_status ndft_place_units(ndft_arrays *arrays, const ndft_problem *p, const ndft_units &units,
                             ndft_separable<R> *s)
{
    const double steps = ndft_phase<R>::STEPS;
    NDFT_TRY(ndft_place(arrays, "times of units", units.n, &s->times, [&](int64_t i) {
        const double t = ndft_real_at(p->t, p->prec, units.order[i * units.size]);
        const double two_pi_rest = 2.4492935982947064e-16; /* 2 pi less its double */
        ndft_two<R> turns = ndft_divide<R>(steps * t, ndft_two_pi);
        turns.lo -= (R)(steps * t / ndft_two_pi * (two_pi_rest / ndft_two_pi));
        return ndft_complex<R>{turns.hi, turns.lo};
    }));
    NDFT_TRY(ndft_place(arrays, "samples", units.n * units.size, &s->samples, [&](int64_t i) {
        const int64_t j = units.order[i];
        const ndft_two<R> y = ndft_divide<R>(steps * ndft_k_at(p, 1, j), (double)p->n[1]);
        const ndft_two<R> z = ndft_divide<R>(steps * ndft_k_at(p, 2, j), (double)p->n[2]);
        const double half = p->n[0] % 2 ? 0 : ndft_k_at(p, 0, j) / (double)(2 * p->n[0]);
        return ndft_sample_turns<R>{y.hi, y.lo, z.hi, z.lo, (R)(steps * (rint(half) - half))};
    }));
    return ndft_place(arrays, "phasors of a turn", ndft_phase<R>::STEPS, &s->turn, [&](int64_t i) {
        const double angle = ndft_two_pi * (double)i / steps;
        return ndft_complex<double>{cos(angle), sin(angle)};
    });
}

/* t/(2 pi) in which the field turns no voxel by more than half a turn. */
template <class R> R ndft_field_span(const ndft_problem *p)
{
    double most = 0;
    for (int64_t v = 0; p->dw && v < p->n_voxels; v++)
        most = fmax(most, fabs(ndft_real_at(p->dw, p->prec, v)));
    return (R)(most > 0 ? 0.5 / most : 1e30);
}

/* kx/nx in turns, hi and lo. */
inline ndft_status ndft_place_x(ndft_arrays *arrays, const ndft_problem *p, const ndft_units &units,
                                const double2 **x)
{
    return ndft_place(arrays, "kx", units.n * units.size, x, [&](int64_t i) {
        const ndft_two<double> turns =
            ndft_divide<double>(ndft_k_at(p, 0, units.order[i]), (double)p->n[0]);
        return double2{turns.hi, turns.lo};
    });
}

/* Each grid point's place among the voxels in use, -1: none; NULL: no memory. */
inline int32_t *ndft_voxel_places(const ndft_problem *p)
{
    const int64_t grid = p->n[0] * p->n[1] * p->n[2];
    int32_t *places = (int32_t *)malloc((size_t)grid * sizeof *places);
    if (!places) return nullptr;
    for (int64_t i = 0; i < grid; i++) places[i] = p->voxel ? -1 : (int32_t)i;
    for (int64_t v = 0; p->voxel && v < p->n_voxels; v++) places[p->voxel[v]] = (int32_t)v;
    return places;
}

/* s->voxel and s->dw, in the order of the threads. */
template <class R>
ndft_status ndft_place_voxels(ndft_arrays *arrays, const ndft_problem *p, ndft_op op,
                              const ndft_separable_kernels<R> &kernels, ndft_separable<R> *s)
{
    const int own = kernels.own, threads = kernels.threads;
    const int64_t count = s->slabs.count * own * threads;
    int32_t *places = ndft_voxel_places(p);
    if (!places) return ndft_fail(arrays->exec->error, NDFT_ENOMEM, "no host memory for voxels");
    const auto voxel_at = [&](int64_t at) {
        const int i = (int)(at / threads % own), thread = (int)(at % threads);
        const int64_t grid = kernels.voxel(s->slabs, at / threads / own, thread, i, op);
        return grid < 0 ? -1 : places[grid];
    };
    ndft_status status = ndft_place(arrays, "voxels of slabs", count, &s->voxel, voxel_at);
    if (status == NDFT_OK && p->dw)
        status = ndft_place(arrays, "field of slabs", count, &s->dw, [&](int64_t at) {
            const int32_t v = voxel_at(at);
            return v < 0 ? (R)0 : (R)ndft_real_at(p->dw, p->prec, v);
        });
    free(places);
    return status;
}

/* s->phasors and s->babies, made on the device. */
template <class R>
ndft_status ndft_make_phasors(ndft_arrays *arrays, const ndft_separable_kernels<R> &kernels,
                              int tiles, const double2 *x, const int32_t *order,
                              ndft_separable<R> *s)
{
    const int64_t threads = s->slabs.along_x * s->n_units * kernels.unit_threads;
    uint4 *phasors = nullptr;
    NDFT_TRY(ndft_reserve(arrays, "phasors along x", threads * kernels.thread_vecs, &phasors));
    s->phasors = phasors;
    kernels.build<<<ndft_blocks(threads, 128), 128, 0, ndft_stream(arrays->exec)>>>(
        s->slabs, s->n_units, tiles, x, order, phasors);
    NDFT_TRY(ndft_launched(arrays->exec, "the phasors along x"));
    if (!kernels.build_babies) return NDFT_OK;
    const int64_t count = (int64_t)s->n_units * NDFT_GROUP_ROWS * (16 * tiles + NDFT_BABY_PAD);
    ndft_complex<R> *babies = nullptr;
    NDFT_TRY(ndft_reserve(arrays, "phasors of rows", count, &babies));
    s->babies = babies;
    kernels.build_babies<<<ndft_blocks(count, 256), 256, 0, ndft_stream(arrays->exec)>>>(
        s->samples, 16 * tiles, count, babies);
    return ndft_launched(arrays->exec, "the phasors of rows");
}

#endif
