/* SPDX-License-Identifier: Apache-2.0 */
#include "composed/chirpz_bluestein.h"

#include "composed/convolution.h"
#include "composed/convolution_factors.h"
#include "cost.h"
#include "device/backend.h"
#include "promise.h"

#include <stdlib.h>

enum { DETERMINISTIC, CHIRP_FFT }; /* knobs, in order, which are the convolution's */

typedef struct chirpz {
    const ndft_chirpz_problem *problem;
    ndft_exec *exec;
    const ndft_backend *backend;
    ndft_convolution_problem convolution;
    ndft_prepared prepared;
    void *kernel, *factors;       /* of the host */
    void *before, *after, *moved; /* moved: the input times the first chirp */
    void *between;                /* outputs on the way of a normal operator */
} chirpz;

/* The convolution but for its kernel; what it errs by is promised below. */
static ndft_convolution_problem convolution_of(const ndft_problem *p, double tol)
{
    const int64_t n = p->n[0], m = p->n_samples, cells = ndft_chirpz_cells(ndft_chirpz_of(p));
    return (ndft_convolution_problem){.problem = {.dim = 1,
                                                  .prec = p->prec,
                                                  .coils = p->coils,
                                                  .tol = tol,
                                                  .tol_kind = p->tol_kind,
                                                  .n = {n, 1, 1},
                                                  .n_voxels = n,
                                                  .n_samples = m},
                                      .outputs = {m, 1, 1},
                                      .cells = {cells, 1, 1}};
}

/* What a transform of the convolution is asked to err by, or the worst of its numbers: what fast
 * ones of any library promise (Schatzman 1996: as the root of log2 C), and where they must be
 * deterministic, which may leave sums alone, what these do. */
static double transform_tol(const ndft_problem *p, const int *knobs, ndft_tol_kind kind)
{
    const double cells = (double)ndft_chirpz_cells(ndft_chirpz_of(p));
    const double unit = ndft_roundoff(p->prec), fast = unit * (4 * sqrt(log2(2 * cells)) + 4);
    if (!knobs[DETERMINISTIC]) return kind == NDFT_TOL_ANY ? 4 * fast : fast;
    return unit * (kind == NDFT_TOL_ANY ? 3 * cells + 60 : sqrt(cells) + 12);
}

/*
 * Forward and adjoint alike: two transforms and the product err by that much, and the chirp's where
 * it is a third, of any data by |h|_1 over |h|_2 more; what they make of X grows with the chirps.
 * The products before and after err by 4 units each, rounding of the chirps among it, whose
 * magnitudes are exponentials in double.
 */
static double promise_of(const ndft_problem *p, const int *knobs, ndft_tol_kind kind)
{
    const ndft_chirpz_problem *c = ndft_chirpz_of(p);
    const int64_t cells = ndft_chirpz_cells(c);
    const double unit = ndft_roundoff(p->prec), of_any = sqrt((double)cells);
    const double chirps = !knobs[CHIRP_FFT] ? 0 : kind == NDFT_TOL_ANY ? of_any : 1;
    const ndft_chirpz_growth growth = ndft_chirpz_growth_of(c, cells);
    const double each = (2 + chirps) * transform_tol(p, knobs, kind) + 4 * unit;
    return (kind == NDFT_TOL_ANY ? growth.any : growth.typical) * each + 8 * unit +
           ndft_chirpz_exponents(c) * ndft_roundoff(NDFT_F64);
}

static double promised(const ndft_problem *p, const int *knobs)
{
    return promise_of(p, knobs, NDFT_TOL_TYPICAL);
}

static double promised_any(const ndft_problem *p, ndft_op op, const int *knobs)
{
    (void)op;
    return promise_of(p, knobs, NDFT_TOL_ANY);
}

/* Nothing of the result would be left. */
static const char *unsupported(const ndft_problem *p, const ndft_device *device, const int *knobs)
{
    (void)device;
    (void)knobs;
    const ndft_chirpz_problem *c = ndft_chirpz_of(p);
    const ndft_chirpz_growth growth = ndft_chirpz_growth_of(c, ndft_chirpz_cells(c));
    if (growth.typical * ndft_roundoff(p->prec) < 1e-2) return NULL;
    return p->prec == NDFT_F32
               ? "the dynamic range of its chirps, W^(n^2/2) with |W| not 1, exceeds f32; f64, "
                 "shorter vectors or chirpz_naive do"
               : "the dynamic range of its chirps, W^(n^2/2) with |W| not 1, exceeds f64; "
                 "shorter vectors or chirpz_naive do";
}

/* Rounded to the precision, in host memory. */
static ndft_status round_to(ndft_exec *exec, const double *values, int64_t count, ndft_prec prec,
                            void **rounded)
{
    *rounded = malloc((size_t)count * 2 * ndft_real_size(prec));
    if (!*rounded) return ndft_fail(exec->error, NDFT_ENOMEM, "no memory for chirps");
    for (int64_t i = 0; i < 2 * count; i++) ndft_put_real(*rounded, prec, i, values[i]);
    return NDFT_OK;
}

static ndft_status upload_chirp(ndft_exec *exec, const double *values, int64_t count,
                                ndft_prec prec, void **chirp)
{
    void *rounded;
    const size_t bytes = (size_t)count * 2 * ndft_real_size(prec);
    NDFT_TRY(round_to(exec, values, count, prec, &rounded));
    ndft_status status = exec->alloc(exec, "a chirp", bytes, chirp);
    if (status == NDFT_OK) status = exec->upload(exec, *chirp, rounded, bytes);
    free(rounded);
    return status;
}

/* Of the kernel that it has. */
static ndft_status take_kernel(chirpz *s, double *kernel)
{
    ndft_convolution_problem *c = &s->convolution;
    ndft_exec *exec = s->exec;
    const ndft_prec prec = c->problem.prec;
    NDFT_TRY(round_to(exec, kernel, c->cells[0], prec, &s->kernel));
    s->factors = malloc((size_t)c->cells[0] * 2 * ndft_real_size(prec));
    if (!s->factors) return ndft_fail(exec->error, NDFT_ENOMEM, "no memory for factors");
    c->kernel = s->kernel;
    return ndft_convolution_factors(c, kernel, false, s->factors, exec->error);
}

static ndft_status take_chirps(chirpz *s)
{
    const ndft_problem *p = &s->problem->problem;
    const int64_t n = p->n[0], m = p->n_samples, cells = s->convolution.cells[0];
    double *all = malloc((size_t)(n + m + cells) * 2 * sizeof *all);
    if (!all) return ndft_fail(s->exec->error, NDFT_ENOMEM, "no memory for chirps in double");
    const ndft_chirps chirps = {all, all + 2 * n, all + 2 * (n + cells)};
    ndft_chirpz_fill(s->problem, cells, &chirps);
    ndft_status status = upload_chirp(s->exec, chirps.before, n, p->prec, &s->before);
    if (status == NDFT_OK) status = upload_chirp(s->exec, chirps.after, m, p->prec, &s->after);
    if (status == NDFT_OK) status = take_kernel(s, chirps.kernel);
    free(all);
    return status;
}

static void destroy(void *plan)
{
    chirpz *s = plan;
    if (s->prepared.variant) ndft_prepared_destroy(&s->prepared);
    s->exec->release(s->exec, s->between);
    s->exec->release(s->exec, s->moved);
    s->exec->release(s->exec, s->after);
    s->exec->release(s->exec, s->before);
    free(s->factors);
    free(s->kernel);
    free(s);
}

static ndft_status take_memory(chirpz *s, unsigned ops)
{
    const ndft_problem *p = &s->problem->problem;
    const int64_t longest = p->n_voxels > p->n_samples ? p->n_voxels : p->n_samples;
    const size_t bytes = ndft_vector_bytes(p, ops == NDFT_FORWARD ? p->n_voxels : longest);
    NDFT_TRY(s->exec->alloc(s->exec, "input times a chirp", bytes, &s->moved));
    if (!(ops & NDFT_NORMAL)) return NDFT_OK;
    return s->exec->alloc(s->exec, "samples between forward and adjoint",
                          ndft_vector_bytes(p, p->n_samples), &s->between);
}

static ndft_status fill(chirpz *s, const int *knobs, unsigned ops)
{
    const ndft_problem *p = &s->problem->problem;
    const ndft_candidate engine = ndft_convolution_on(s->backend->name, knobs[DETERMINISTIC]);
    NDFT_TRY(take_chirps(s));
    NDFT_TRY(take_memory(s, ops));
    s->convolution.problem.tol =
        ndft_convolution_tol(&s->convolution, knobs, transform_tol(p, knobs, p->tol_kind));
    return ndft_prepare(engine.entry->variant, knobs, &s->convolution.problem,
                        NDFT_FORWARD | NDFT_ADJOINT, s->exec, &s->prepared);
}

static ndft_status plan(const ndft_problem *p, const int *knobs, unsigned ops, ndft_exec *exec,
                        void **out)
{
    chirpz *s = calloc(1, sizeof *s);
    if (!s) return ndft_fail(exec->error, NDFT_ENOMEM, "no memory for a chirp z-transform");
    s->problem = ndft_chirpz_of(p);
    s->exec = exec;
    s->backend = ndft_backend_find(exec->device.backend);
    s->convolution = convolution_of(p, 1);
    const ndft_status status = fill(s, knobs, ops);
    if (status == NDFT_OK)
        *out = s;
    else
        destroy(s);
    return status;
}

/* The adjoint has conjugate chirps, the last one first. */
static ndft_status transform(const chirpz *s, bool adjoint, const void *in, void *out)
{
    const ndft_problem *p = &s->problem->problem;
    const ndft_backend *backend = s->backend;
    const int64_t from = adjoint ? p->n_samples : p->n_voxels;
    const int64_t to = adjoint ? p->n_voxels : p->n_samples;
    const void *first = adjoint ? s->after : s->before, *last = adjoint ? s->before : s->after;
    NDFT_TRY(backend->copy(s->exec, s->moved, in, ndft_vector_bytes(p, from)));
    NDFT_TRY(backend->multiply(s->exec, p->prec, p->coils, from, first, adjoint, s->moved));
    NDFT_TRY(
        ndft_prepared_execute(&s->prepared, adjoint ? NDFT_ADJOINT : NDFT_FORWARD, s->moved, out));
    return backend->multiply(s->exec, p->prec, p->coils, to, last, adjoint, out);
}

static ndft_status execute(void *plan, ndft_op op, const void *in, void *out)
{
    const chirpz *s = plan;
    if (op != NDFT_NORMAL) return transform(s, op == NDFT_ADJOINT, in, out);
    NDFT_TRY(transform(s, false, in, s->between));
    return transform(s, true, s->between, out);
}

double ndft_chirpz_launches(const ndft_prepared *prepared, ndft_op op)
{
    const chirpz *s = prepared->state;
    const double rounds = 1 + (op == NDFT_NORMAL);
    return prepared->variant->plan == plan
               ? rounds * (3 + ndft_convolution_launches(&s->prepared, NDFT_FORWARD))
               : NAN;
}

/* The convolution's, a copy and two products. */
static ndft_cost cost(const ndft_problem *p, ndft_op op, const int *knobs)
{
    const ndft_convolution_problem c = convolution_of(p, 1);
    const ndft_candidate engine = ndft_convolution_on("cpu", false); /* whose cost is any's */
    const double rounds = 1 + (op == NDFT_NORMAL), batch = rounds * p->coils;
    const double numbers = (double)(p->n[0] + p->n_samples);
    const double moved = (double)ndft_real_size(p->prec) * 2 * batch;
    const double copied = op == NDFT_FORWARD   ? (double)p->n[0]
                          : op == NDFT_ADJOINT ? (double)p->n_samples
                                               : numbers / 2; /* of a round */
    const ndft_cost own = {.fma = 4 * numbers * batch,
                           .issue_slots = 4 * numbers * batch,
                           .dram_bytes = moved * (2 * numbers + 2 * copied),
                           .l2_bytes = moved * (2 * numbers + 2 * copied),
                           .launches = 3 * rounds};
    const ndft_cost convolution = engine.entry->variant->cost(&c.problem, op, knobs);
    return ndft_cost_sum(&own, &convolution);
}

static void chosen(const void *plan, char *text, size_t size)
{
    const chirpz *s = plan;
    ndft_prepared_chosen(&s->prepared, text, size);
}

static ndft_traits traits(const int *knobs)
{
    return (ndft_traits){.summary = "a chirp z-transform as a convolution with scaled chirps",
                         .ops = NDFT_FORWARD | NDFT_ADJOINT | NDFT_NORMAL,
                         .claim = {.truncation = promised,
                                   .any = {.chain = ndft_no_chain, .truncation = promised_any},
                                   .deterministic = knobs[DETERMINISTIC]},
                         .matter = UINT32_MAX};
}

static const ndft_knob choices[] = {
    NDFT_KNOB("deterministic", "", "transforms that are", 0, (0, 1)),
    NDFT_KNOB_WORDS("chirp_fft", "when the chirp is transformed: once in plan, or in every execute",
                    ndft_kernel_moments, NDFT_KERNEL_IN_PLAN,
                    (NDFT_KERNEL_IN_PLAN, NDFT_KERNEL_IN_EXECUTE, NDFT_KERNEL_BESIDE)),
};

#define ENGINE(on)                                                                                 \
    {                                                                                              \
        .name = "chirpz_bluestein", .backend = on,                                                 \
        .summary = "a chirp z-transform as a convolution with scaled chirps", NDFT_KNOBS(choices), \
        .ops = NDFT_FORWARD | NDFT_ADJOINT | NDFT_NORMAL, .unsupported = unsupported,              \
        .plan = plan, .execute = execute, .destroy = destroy, .cost = cost, .chosen = chosen,      \
        .traits = traits,                                                                          \
    }

extern const ndft_variant ndft_chirpz_bluestein_cpu, ndft_chirpz_bluestein_cuda;
const ndft_variant ndft_chirpz_bluestein_cpu = ENGINE("cpu");
const ndft_variant ndft_chirpz_bluestein_cuda = ENGINE("cuda");
