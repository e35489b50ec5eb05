/* SPDX-License-Identifier: Apache-2.0 */
#include "fixture.h"

#include "base/memory/memory.h"

#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

ndft_status ndft_fixture_restore(ndft_fixture *fixture, ndft_side side)
{
    return fixture->exec->upload(fixture->exec, fixture->in[side], fixture->given[side],
                                 fixture->bytes[side]);
}

ndft_status ndft_fixture_host_alloc(ndft_fixture *fixture, size_t bytes, void **memory)
{
    size_t available = ndft_memory_available();
    *memory = bytes <= available ? malloc(bytes) : NULL;
    if (*memory) return NDFT_OK;
    return ndft_fail(fixture->exec->error, NDFT_ENOMEM,
                     "no host memory: %zu bytes wanted, %zu free", bytes, available);
}

static ndft_status open_side(ndft_fixture *fixture, ndft_side side)
{
    static const char *const in_names[] = {"input image", "input k-space"};
    static const char *const out_names[] = {"output image", "output k-space"};
    ndft_exec *exec = fixture->exec;
    if (fixture->given[side])
        NDFT_TRY(exec->alloc(exec, in_names[side], fixture->bytes[side], &fixture->in[side]));
    NDFT_TRY(exec->alloc(exec, out_names[side], fixture->bytes[side], &fixture->out[side]));
    NDFT_TRY(ndft_fixture_host_alloc(fixture, fixture->bytes[side], &fixture->fetched[side]));
    return fixture->given[side] ? ndft_fixture_restore(fixture, side) : NDFT_OK;
}

/* The forward operation's one vector takes the place of both. */
static void share(ndft_fixture *fixture)
{
    fixture->in_place = true;
    fixture->exec->release(fixture->exec, fixture->out[NDFT_SIDE_KSPACE]);
    fixture->out[NDFT_SIDE_KSPACE] = fixture->in[NDFT_SIDE_IMAGE];
}

ndft_status ndft_fixture_open(const ndft_kind *kind, const ndft_case *problem,
                              const ndft_made *made, const ndft_backend *backend, ndft_exec *exec,
                              ndft_fixture *fixture)
{
    *fixture = (ndft_fixture){.kind = kind,
                              .backend = backend,
                              .instruments = ndft_instruments_of(backend->name),
                              .exec = exec,
                              .problem = problem,
                              .made = made,
                              .op = problem->op,
                              .expected_s = NAN,
                              .reference_s = 120,
                              .given = {made->image, made->kspace}};
    fixture->device = ndft_device_around(backend, exec);
    if (!fixture->device) return ndft_fail(exec->error, NDFT_ENOMEM, "no memory for a device");
    ndft_case_print(problem, fixture->label, sizeof fixture->label);
    fixture->bytes[NDFT_SIDE_IMAGE] = ndft_input_bytes(&made->problem, NDFT_FORWARD);
    fixture->bytes[NDFT_SIDE_KSPACE] = ndft_output_bytes(&made->problem, NDFT_FORWARD);
    bool more_samples = fixture->bytes[NDFT_SIDE_KSPACE] > fixture->bytes[NDFT_SIDE_IMAGE];
    ndft_status status =
        ndft_fixture_host_alloc(fixture, fixture->bytes[more_samples], &fixture->scratch);
    if (status == NDFT_OK) status = open_side(fixture, NDFT_SIDE_IMAGE);
    if (status == NDFT_OK) status = open_side(fixture, NDFT_SIDE_KSPACE);
    if (status == NDFT_OK && ndft_in_place(kind->problems, &made->problem)) share(fixture);
    if (status != NDFT_OK) ndft_fixture_close(fixture);
    return status;
}

ndft_status ndft_fixture_execute(const ndft_fixture *fixture, ndft_plan *plan, ndft_op op)
{
    return ndft_execute(plan, op, fixture->in[ndft_side_in(op)], fixture->out[ndft_side_out(op)]);
}

void ndft_watch_phase(const ndft_watch *watch, const ndft_candidate *candidate, ndft_phase phase,
                      double expected_s)
{
    if (watch) watch->phase(watch->context, candidate, phase, expected_s);
}

void ndft_fixture_push(const ndft_fixture *fixture, ndft_phase phase)
{
    char label[NDFT_CASE_MAX + 16];
    snprintf(label, sizeof label, "%s %s", ndft_phase_name(phase), fixture->label);
    ndft_watch_phase(fixture->watch, phase == NDFT_PHASE_REFERENCE ? NULL : fixture->candidate,
                     phase, fixture->expected_s);
    fixture->instruments->range_push(phase, label, fixture->made->hash[0]);
}

void ndft_fixture_pop(const ndft_fixture *fixture) { fixture->instruments->range_pop(); }

void ndft_fixture_close(ndft_fixture *fixture)
{
    for (int side = 0; side < 2; side++) {
        fixture->exec->release(fixture->exec, fixture->in[side]);
        if (!fixture->in_place || side == NDFT_SIDE_IMAGE)
            fixture->exec->release(fixture->exec, fixture->out[side]);
        free(fixture->fetched[side]);
    }
    fixture->exec->release(fixture->exec, fixture->kept);
    ndft_device_close(fixture->device);
    free(fixture->scratch);
    for (int way = 0; way < NDFT_KNOWN_WAYS; way++) {
        free(fixture->known[way].outputs);
        free(fixture->known[way].values);
    }
    *fixture = (ndft_fixture){0};
}

/* Made when it is first needed, so that who needs none has the memory. */
static ndft_status keep_a_copy(ndft_fixture *fixture, ndft_side side)
{
    ndft_exec *exec = fixture->exec;
    NDFT_TRY(exec->alloc(exec, "copy of the input", fixture->bytes[side], &fixture->kept));
    return exec->upload(exec, fixture->kept, fixture->given[side], fixture->bytes[side]);
}

ndft_status ndft_fixture_renew(ndft_fixture *fixture)
{
    const ndft_side side = ndft_side_in(fixture->op);
    const ndft_status kept = fixture->kept ? NDFT_OK : keep_a_copy(fixture, side);
    if (kept == NDFT_ENOMEM) return ndft_fixture_restore(fixture, side);
    NDFT_TRY(kept);
    return fixture->backend->copy(fixture->exec, fixture->in[side], fixture->kept,
                                  fixture->bytes[side]);
}

/* log2 |x|_2 of the input; what lies between its elements may be NaN. */
static double input_bits(const ndft_fixture *fixture)
{
    const ndft_prec prec = fixture->made->problem.prec;
    const ndft_side side = ndft_side_in(fixture->op);
    const int64_t reals = (int64_t)(fixture->bytes[side] / ndft_real_size(prec));
    double largest = 0;
    for (int64_t i = 0; i < reals; i++) {
        const double x = fabs(ndft_real_at(fixture->given[side], prec, i));
        if (isfinite(x)) largest = fmax(largest, x);
    }
    return log2(fmax(largest, DBL_MIN)) + 0.5 * log2((double)reals);
}

/*
 * With g bits that an execution adds to |x|_2, at most, the input of the last of n has (n-1) g more
 * than the first. Inside, the most is a convolution of padded length L < 4N through transforms
 * without a scale: its numbers stay below L^2 |x|_2, and g is log2(2N)/2.
 */
int ndft_most_in_a_row(const ndft_fixture *fixture)
{
    const ndft_problem *p = &fixture->made->problem;
    const double range = (p->prec == NDFT_F32 ? FLT_MAX_EXP : DBL_MAX_EXP) - 1;
    const double growth = fixture->kind->growth_bits ? fixture->kind->growth_bits(p) : INFINITY;
    const double room = range - input_bits(fixture) - 2 * (2 * growth + 1);
    if (!(room > 0)) return 1;
    return (int)fmin(1 + floor(room / growth), INT_MAX);
}
