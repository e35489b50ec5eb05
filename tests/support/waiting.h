/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_TESTS_WAITING_H
#define NDFT_TESTS_WAITING_H

#include "public/plan_objects.h"
#include "registry.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Three engines of which it is known how long they take, by a clock that they alone put forward, in
 * the places of engines whose estimates cannot be told apart. */

double __wrap_ndft_now_s(void); /* by the linker, for ndft_now_s */

static double now_s;

/* Asking takes a while, too. */
double __wrap_ndft_now_s(void) { return now_s += 5e-8; }

enum { N = 16, M = 100, MANY = 1 << 17, BYTES = 1 << 20 };

typedef struct waiting {
    double seconds, adjoint_s; /* of an execution, of two coils and M samples */
    double at_125;             /* how many times as long with that setting; 0: as long */
    int plans, executions;
    double patience_s; /* that the last plan was given */
} waiting;

static waiting engines[3]; /* by the variants' order */
static int spoilt;         /* executions whose input was not white */
static double foreseen;    /* multiply-adds of two coils that all declare */
static double host_s;      /* that queuing an execution takes; 0: it is executed at once */
static double done_s;      /* when all that is queued is */

static void queue(double seconds)
{
    now_s += host_s;
    done_s = fmax(done_s, now_s) + seconds;
    if (!(host_s > 0)) now_s = done_s;
}

typedef struct waiting_plan {
    ndft_exec *exec;
    waiting *engine;
    double times;    /* its seconds: by coils and setting */
    size_t reals[2]; /* of an image, of samples */
    bool in_place;
    void *memory;
} waiting_plan;

static const char *always(const ndft_problem *p, const ndft_device *device, const int *knobs)
{
    (void)p, (void)device, (void)knobs;
    return NULL;
}

static double size_of(const ndft_problem *p)
{
    return fmax(1, p->coils / 2.0) * fmax(1, (double)p->n_samples / M);
}

static ndft_status make(waiting *engine, const ndft_problem *p, const int *knobs, ndft_exec *exec,
                        void **out)
{
    waiting_plan *made = calloc(1, sizeof *made);
    *made = (waiting_plan){
        .exec = exec,
        .engine = engine,
        .times = size_of(p) * (knobs[0] == 125 && engine->at_125 > 0 ? engine->at_125 : 1),
        .reals = {2 * (size_t)(p->n_voxels * p->coils), 2 * (size_t)(p->n_samples * p->coils)},
        .in_place = !p->k[0]};
    engine->plans++;
    engine->patience_s = exec->patience_s;
    const ndft_status status = exec->alloc(exec, "memory", BYTES, &made->memory);
    if (status == NDFT_OK)
        *out = made;
    else
        free(made);
    return status;
}

#define PLAN(i)                                                                                    \
    static ndft_status plan_##i(const ndft_problem *p, const int *knobs, unsigned ops,             \
                                ndft_exec *exec, void **out)                                       \
    {                                                                                              \
        (void)ops;                                                                                 \
        return make(&engines[i], p, knobs, exec, out);                                             \
    }
PLAN(0)
PLAN(1)
PLAN(2)

/* Numbers of both signs and of about the same size; in place they are twice as large afterwards. */
static ndft_status execute(void *state, ndft_op op, const void *in, void *out)
{
    const waiting_plan *p = state;
    const float *from = in;
    float *to = out;
    double sum = 0, squares = 0;
    for (size_t i = 0; i < p->reals[op == NDFT_ADJOINT]; i++) {
        sum += (double)from[i];
        squares += (double)from[i] * (double)from[i];
        if (p->in_place) to[i] = 2 * from[i];
    }
    spoilt += !(squares > 0) || !isfinite(squares) || fabs(sum) > 8 * sqrt(squares);
    p->engine->executions++;
    queue(p->times * (op == NDFT_ADJOINT ? p->engine->adjoint_s : p->engine->seconds));
    return NDFT_OK;
}

static void destroy(void *state)
{
    waiting_plan *p = state;
    p->exec->release(p->exec, p->memory);
    free(p);
}

static ndft_cost cost(const ndft_problem *p, ndft_op op, const int *knobs)
{
    (void)op, (void)knobs;
    return (ndft_cost){.fma = foreseen * size_of(p), .launches = 1};
}

#define VARIANT(i)                                                                                 \
    {                                                                                              \
        .name = "waiting", .backend = "cpu", .ops = NDFT_FORWARD | NDFT_ADJOINT,                   \
        .claim = {.c = 1}, .unsupported = always, .plan = plan_##i, .execute = execute,            \
        .destroy = destroy, .cost = cost, .knobs = &sigma, .n_knobs = 1                            \
    }
static ndft_knob sigma = {.name = "sigma", .preset = 200, .candidates = {200, 125}};
static const ndft_variant variants[] = {VARIANT(0), VARIANT(1), VARIANT(2)};

/* Nobody else is left. */
static void take_places(const char *const names[3])
{
    for (int i = 0; i < ndft_registry_size; i++) {
        ndft_registry[i].variant = NULL;
        for (int j = 0; j < 3; j++)
            if (!strcmp(ndft_registry[i].backend, "cpu") &&
                !strcmp(ndft_registry[i].name, names[j]))
                ndft_registry[i].variant = &variants[j];
    }
}

#endif
