/* SPDX-License-Identifier: Apache-2.0 */
#include "planted.h"

#include "reference.h"

#include <math.h>
#include <stdlib.h>
#include <time.h>

typedef struct planted_plan {
    const ndft_problem *problem;
    ndft_exec *exec;
    planted_fault fault;
    unsigned ops;
    int executed;
} planted_plan;

static void write_output(const planted_plan *plan, ndft_op op, const double *result, void *out)
{
    const ndft_problem *p = plan->problem;
    int64_t length = ndft_output_length(p, op), coil = ndft_coil_stride(p, length);
    bool skewed = (plan->fault == PLANTED_NOT_ADJOINT && op == NDFT_ADJOINT) ||
                  (plan->fault == PLANTED_NOT_FORWARD && op == NDFT_FORWARD);
    double skew = skewed ? 1.001 : 1;
    for (int64_t e = 0; e < length; e++) {
        if (plan->fault == PLANTED_UNWRITTEN && e == length - 1) continue;
        for (int c = 0; c < p->coils; c++) {
            int64_t at = 2 * (c * coil + e * ndft_element_stride(p));
            ndft_put_real(out, p->prec, at, result[2 * (e * p->coils + c)]);
            ndft_put_real(out, p->prec, at + 1, skew * result[2 * (e * p->coils + c) + 1]);
        }
    }
}

/* Whether the fault is one that comes and goes, and is there now. */
static bool is_off(const planted_plan *plan)
{
    switch (plan->fault) {
    case PLANTED_ONE_WRONG:
        return true;
    case PLANTED_LATE:
        return plan->executed > 100;
    case PLANTED_IN_GRAPH:
        return plan->exec->stream != NULL;
    case PLANTED_MARKED:
        return plan->exec->mark != NULL;
    case PLANTED_ALONE:
        return (plan->ops & (plan->ops - 1)) == 0;
    default:
        return false;
    }
}

static void spoil(const planted_plan *plan, ndft_op op, void *in, void *out)
{
    const ndft_problem *p = plan->problem;
    int64_t reals = 2 * ndft_output_length(p, op) * p->coils;
    if (is_off(plan)) ndft_put_real(out, p->prec, 2, ndft_real_at(out, p->prec, 2) + 1);
    switch (plan->fault) {
    case PLANTED_UNSTEADY:
        if (plan->executed % 2)
            ndft_put_real(out, p->prec, 0,
                          ndft_real_at(out, p->prec, 0) * (1 + 2 * ndft_roundoff(p->prec)));
        break;
    case PLANTED_OVERRUN:
        ndft_put_real(out, p->prec, reals, 0);
        break;
    case PLANTED_UNDERRUN:
        ndft_put_real(out, p->prec, -1, 0);
        break;
    case PLANTED_EATS_INPUT:
        ndft_put_real(in, p->prec, 0, 0);
        break;
    case PLANTED_NAN:
        ndft_put_real(out, p->prec, 0, NAN);
        break;
    default:
        break;
    }
}

static ndft_status execute(void *state, ndft_op op, const void *in, void *out)
{
    planted_plan *plan = state;
    const ndft_problem *p = plan->problem;
    plan->executed++;
    if (plan->fault == PLANTED_FAILS || (plan->fault == PLANTED_FAILS_LATE && plan->executed > 2) ||
        (plan->fault == PLANTED_FAILS_OVER && plan->executed > 100))
        return ndft_fail(plan->exec->error, NDFT_EDEVICE, "the planted device failed");
    if (plan->fault == PLANTED_SLOW) nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
    int64_t length = ndft_output_length(p, op);
    double *result = malloc((size_t)(length * p->coils) * 2 * sizeof *result);
    ndft_status status =
        ndft_reference(p, op, in, NULL, length, result, plan->exec->threads, plan->exec->error);
    write_output(plan, op, result, out);
    spoil(plan, op, (void *)in, out);
    ndft_mark(plan->exec, "sum");
    free(result);
    return status;
}

static ndft_status plan(const ndft_problem *p, const int *knobs, unsigned ops, ndft_exec *exec,
                        void **out)
{
    void *memory;
    if (knobs[0] == PLANTED_BAD_PLAN)
        return ndft_fail(exec->error, NDFT_EDEVICE, "the planted tables failed");
    if (knobs[0] == PLANTED_BAD_CASE)
        return ndft_fail(exec->error, NDFT_EINVAL, "planted.cu(3): error: a planted word");
    if (knobs[0] == PLANTED_HUNGRY)
        NDFT_TRY(exec->alloc(exec, "planted table", (size_t)1 << 60, &memory));
    planted_plan *made = malloc(sizeof *made);
    *made =
        (planted_plan){.problem = p, .exec = exec, .fault = (planted_fault)knobs[0], .ops = ops};
    *out = made;
    return NDFT_OK;
}

static const char *unsupported(const ndft_problem *p, const ndft_device *device, const int *knobs)
{
    (void)p;
    (void)device;
    return knobs[0] == PLANTED_REFUSES ? "it is planted to refuse" : NULL;
}

static double truncation(const ndft_problem *p, const int *knobs)
{
    (void)p;
    return knobs[0] == PLANTED_MODEST ? 2 : knobs[0] == PLANTED_BOASTS ? -1 : 0;
}

static ndft_cost cost(const ndft_problem *p, ndft_op op, const int *knobs)
{
    double slots = knobs[0] == PLANTED_SLOW ? 1e12 : 60;
    return (ndft_cost){.issue_slots = slots * ndft_coil_pairs(p, op)};
}

static const char *const faults[] = {
    "none",     "one_wrong",  "overrun",     "underrun",    "unwritten", "eats_input", "nan",
    "fails",    "fails_late", "not_adjoint", "not_forward", "refuses",   "hungry",     "bad_plan",
    "bad_case", "boasts",     "modest",      "slow",        "late",      "in_graph",   "alone",
    "unsteady", "marked",     "fails_over",  NULL};

static const ndft_knob knobs[] = {
    {.name = "fault", .words = faults, .n_candidates = 1, .candidates = {PLANTED_NONE}}};

const ndft_variant planted_variant = {
    .name = "planted",
    .backend = "cpu",
    .summary = "the reference with a fault",
    .knobs = knobs,
    .n_knobs = 1,
    .claim = {.c = 2, .truncation = truncation, .deterministic = true},
    .unsupported = unsupported,
    .plan = plan,
    .execute = execute,
    .destroy = free,
    .cost = cost,
};

static const ndft_variant careless = {
    .name = "careless",
    .backend = "cpu",
    .summary = "the reference with a fault, and no promise of its input or the same bits",
    .knobs = knobs,
    .n_knobs = 1,
    .claim = {.c = 2, .truncation = truncation, .overwrites_input = true},
    .unsupported = unsupported,
    .plan = plan,
    .execute = execute,
    .destroy = free,
    .cost = cost,
};

static const char *const stages[] = {"sum", NULL};

static const ndft_variant fused = {
    .name = "fused",
    .backend = "cpu",
    .summary = "the reference with a fault, the normal operator at once",
    .knobs = knobs,
    .n_knobs = 1,
    .ops = NDFT_FORWARD | NDFT_ADJOINT | NDFT_NORMAL,
    .claim = {.c = 2, .truncation = truncation, .deterministic = true},
    .unsupported = unsupported,
    .plan = plan,
    .execute = execute,
    .destroy = free,
    .cost = cost,
    .stages = stages,
};

const ndft_registered planted = {
    "planted", "cpu", &planted_variant, "0123456789abcdef", NULL, NULL, NDFT_NONUNIFORM, "", false};
const ndft_registered planted_careless = {
    "careless", "cpu", &careless, "0123456789abcdef", NULL, NULL, NDFT_NONUNIFORM, "", false};
const ndft_registered planted_fused = {
    "fused", "cpu", &fused, "0123456789abcdef", NULL, NULL, NDFT_NONUNIFORM, "", false};
const ndft_registered planted_ablation = {"planted_no_sum",   "cpu",     &planted_variant,
                                          "0123456789abcdef", "planted", "its sum",
                                          NDFT_NONUNIFORM,    "",        false};
