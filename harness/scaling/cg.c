/* SPDX-License-Identifier: Apache-2.0 */
#include "cg.h"

#include "cg_vectors.h"

#include <math.h>
#include <string.h>

/* Right hand side, image, residual; where to go, and that through the operator, are its input and
 * output. */
typedef enum vector { B, X, R, OWN, P = OWN, Q } vector;

static const ndft_cg_vectors *with(const ndft_contest *c)
{
    return strcmp(c->backend->name, "cpu") ? &ndft_cg_vectors_cuda : &ndft_cg_vectors_cpu;
}

/* Of each vector in the memory of all, the parts of an inner product behind the last. */
static size_t stride(const ndft_contest *c)
{
    enum { ALIGNED = 256 };
    return (c->in_bytes + ALIGNED - 1) / ALIGNED * ALIGNED;
}

static void *behind(const ndft_contest *c, void *first, int vectors)
{
    return (char *)first + (size_t)vectors * stride(c);
}

static void *at(const ndft_contest *c, const ndft_contestant *one, int place, vector v)
{
    if (v == P) return one->in_of[place];
    if (v == Q) return one->out_of[place];
    return behind(c, one->vectors[place], v);
}

/* What is done on one device: to y, by x where it is of two. */
typedef struct act {
    ndft_status (*run)(const ndft_contest *, ndft_contestant *, int place, const struct act *);
    double a, b;
    vector x, y;
} act;

/* On each device that has the vectors. */
static ndft_status everywhere(const ndft_contest *c, ndft_contestant *one, act what)
{
    ndft_status status = NDFT_OK;
    for (int i = 0; i < ndft_contestant_places(one) && status == NDFT_OK; i++) {
        const ndft_before before = ndft_turn_to(c->backend, c->exec[i]);
        status = what.run(c, one, i, &what);
        ndft_turn_back(c->backend, before);
    }
    return status;
}

static ndft_status run_take(const ndft_contest *c, ndft_contestant *one, int i, const act *what)
{
    const size_t bytes = OWN * stride(c) + NDFT_DOT_PARTS * sizeof(double);
    (void)what;
    NDFT_TRY(c->exec[i]->alloc(c->exec[i], "vectors of an iteration", bytes, &one->vectors[i]));
    return c->exec[i]->upload(c->exec[i], one->in_of[i], c->made.image, c->in_bytes);
}

static ndft_status run_copy(const ndft_contest *c, ndft_contestant *one, int i, const act *what)
{
    return c->backend->copy(c->exec[i], at(c, one, i, what->y), at(c, one, i, what->x),
                            c->in_bytes);
}

static ndft_status run_zero(const ndft_contest *c, ndft_contestant *one, int i, const act *what)
{
    return c->backend->fill(c->exec[i], at(c, one, i, what->y), 0, c->in_bytes);
}

static ndft_status run_combine(const ndft_contest *c, ndft_contestant *one, int i, const act *what)
{
    const ndft_prec prec = c->made.problem.prec;
    return with(c)->combine(c->exec[i], prec, (int64_t)(c->in_bytes / ndft_real_size(prec)),
                            what->a, at(c, one, i, what->x), what->b, at(c, one, i, what->y));
}

static ndft_status run_sync(const ndft_contest *c, ndft_contestant *one, int i, const act *what)
{
    (void)one, (void)what;
    return c->backend->sync(c->exec[i]);
}

static ndft_status copy(const ndft_contest *c, ndft_contestant *one, vector from, vector to)
{
    return everywhere(c, one, (act){.run = run_copy, .x = from, .y = to});
}

/* y = a x + b y */
static ndft_status combine(const ndft_contest *c, ndft_contestant *one, double a, vector x,
                           double b, vector y)
{
    return everywhere(c, one, (act){.run = run_combine, .a = a, .x = x, .b = b, .y = y});
}

static ndft_status sync(const ndft_contest *c, ndft_contestant *one)
{
    return everywhere(c, one, (act){.run = run_sync});
}

/* By the first device's, since all have the same. */
static ndft_status dot(const ndft_contest *c, const ndft_contestant *one, vector a, vector b,
                       double *sum)
{
    const ndft_prec prec = c->made.problem.prec;
    ndft_exec *exec = c->exec[0];
    double parts[NDFT_DOT_PARTS], *of_device = behind(c, one->vectors[0], OWN);
    const ndft_before before = ndft_turn_to(c->backend, exec);
    ndft_status status = with(c)->dot(exec, prec, (int64_t)(c->in_bytes / ndft_real_size(prec)),
                                      at(c, one, 0, a), at(c, one, 0, b), of_device);
    if (status == NDFT_OK) status = c->backend->download(exec, parts, of_device, sizeof parts);
    ndft_turn_back(c->backend, before);
    *sum = 0;
    for (int i = 0; i < NDFT_DOT_PARTS && status == NDFT_OK; i++) *sum += parts[i];
    return status;
}

ndft_status ndft_cg_open(const ndft_contest *c, ndft_contestant *one)
{
    NDFT_TRY(everywhere(c, one, (act){.run = run_take}));
    NDFT_TRY(ndft_contestant_apply(c, one));
    return copy(c, one, Q, B);
}

static ndft_status begin(const ndft_contest *c, ndft_contestant *one)
{
    NDFT_TRY(everywhere(c, one, (act){.run = run_zero, .y = X}));
    NDFT_TRY(copy(c, one, B, R));
    return copy(c, one, B, P);
}

/* Where nothing is left the equations are solved, and further steps go nowhere. */
static double quotient(double a, double b) { return b == 0 ? 0 : a / b; }

static ndft_status step(const ndft_contest *c, ndft_contestant *one, double *energy)
{
    double through;
    const double before = *energy;
    NDFT_TRY(sync(c, one));
    NDFT_TRY(ndft_contestant_apply(c, one));
    NDFT_TRY(dot(c, one, P, Q, &through));
    NDFT_TRY(combine(c, one, quotient(before, through), P, 1, X));
    NDFT_TRY(combine(c, one, -quotient(before, through), Q, 1, R));
    NDFT_TRY(dot(c, one, R, R, energy));
    return combine(c, one, 1, R, quotient(*energy, before), P);
}

ndft_status ndft_cg_run(const ndft_contest *c, ndft_contestant *one)
{
    double first, energy;
    NDFT_TRY(begin(c, one));
    NDFT_TRY(dot(c, one, R, R, &first));
    energy = first;
    for (int i = 0; i < c->iterations; i++) NDFT_TRY(step(c, one, &energy));
    one->residual = sqrt(quotient(energy, first));
    NDFT_TRY(copy(c, one, X, Q));
    return sync(c, one);
}
