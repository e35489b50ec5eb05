/* SPDX-License-Identifier: Apache-2.0 */
#include "check/check.h"
#include "tally.h"

#include <stdio.h>
#include <string.h>

/* Devices of little memory, as a variant is told: those that hold what they can and go through
 * their columns (coils, and terms of a field map) in several passes must get the same sums. And
 * memory that others have taken: what is refused once must do in smaller passes. */

/* From one column at a time over all coils of a term, and of a few terms, to everything at once:
 * where that fits, a variant must fit. */
static const size_t memories[] = {1 << 16, 1 << 17, 1 << 18, 1 << 19, 1 << 20, 1 << 24};
enum { EVERYTHING = sizeof memories / sizeof *memories - 1 };

/* How much is held, where a knob may say so, is left to the memory. */
static ndft_candidate unbounded(const ndft_registered *entry)
{
    ndft_candidate candidate = ndft_candidate_of(entry);
    for (int k = 0; k < entry->variant->n_knobs; k++)
        if (!strcmp(entry->variant->knobs[k].name, "grids")) candidate.knobs[k] = 0;
    return candidate;
}

static void check_all(variant_suite *s, const ndft_candidate *candidate, ndft_fixture *fixture)
{
    const double limit_s = ndft_timing_defaults.limit_s;
    for (size_t i = 0; i <= EVERYTHING; i++) {
        ndft_plan *plan;
        ndft_status planned;
        fixture->exec->device.memory_bytes = memories[i];
        const ndft_check check = ndft_check_run(fixture, candidate, limit_s, &plan, &planned);
        ndft_plan_destroy(plan);
        const int failed = s->failed;
        if (check.verdict == NDFT_UNSUPPORTED && i < EVERYTHING)
            suite_unsupported(s);
        else
            suite_judge(s, candidate, fixture->problem, &check);
        if (s->failed > failed) printf("     of %zu bytes of memory\n", memories[i]);
    }
}

/* The exec's own allocator, and how many calls it still serves before it refuses one. */
static ndft_status (*allocator)(ndft_exec *, const char *, size_t, void **);
static int served;

static ndft_status refuse_one(ndft_exec *exec, const char *what, size_t bytes, void **memory)
{
    if (served-- != 0) return allocator(exec, what, bytes, memory);
    *memory = NULL;
    return ndft_fail(exec->error, NDFT_ENOMEM, "%s is refused %zu bytes", what, bytes);
}

/* Each allocation of a plan is refused once, until a plan asks for no more. */
static void check_refusals(variant_suite *s, const ndft_candidate *candidate, ndft_fixture *fixture)
{
    ndft_exec *exec = fixture->exec;
    const size_t held = exec->live_bytes;
    bool refused = true;
    allocator = exec->alloc;
    exec->alloc = refuse_one;
    for (int first = 0; refused; first++) {
        ndft_plan *plan;
        ndft_status planned;
        served = first;
        const ndft_check check =
            ndft_check_run(fixture, candidate, ndft_timing_defaults.limit_s, &plan, &planned);
        refused = served < 0;
        ndft_plan_destroy(plan);
        suite_judge(s, candidate, fixture->problem, &check);
        if (planned == NDFT_ENOMEM) suite_fail(s, candidate, fixture->label, "%s", check.reason);
        if (exec->live_bytes != held)
            suite_fail(s, candidate, fixture->label, "%zu bytes stay", exec->live_bytes - held);
    }
    exec->alloc = allocator;
}

static ndft_status run_case(variant_suite *s, const ndft_candidate *candidate,
                            const ndft_case *problem, const ndft_made *made, ndft_error *err)
{
    ndft_exec *exec;
    ndft_fixture fixture;
    NDFT_TRY(s->backend->open(0, &exec, err));
    const ndft_status status =
        ndft_fixture_open(&ndft_nonuniform, problem, made, s->backend, exec, &fixture);
    if (status == NDFT_OK) {
        check_refusals(s, candidate, &fixture);
        check_all(s, candidate, &fixture);
        ndft_fixture_close(&fixture);
    }
    s->backend->close(exec);
    return status;
}

void test_memory(variant_suite *s, const ndft_registered *entry)
{
    static const char *const cases[] = {
        "forward 2d n=23x19 m=311 field=random:60Hz t=20ms coils=6 tol=1e-3",
        "adjoint 2d n=23x19 m=311 field=random:60Hz t=20ms coils=6 layout=interleaved tol=1e-3",
        "forward 2d n=23x19 m=320 traj=radial:10 field=random:60Hz t=20ms coils=6 tol=1e-3",
        "normal 2d n=23x19 m=311 field=random:60Hz t=20ms coils=6 tol=1e-3",
        "forward 2d n=23x19 m=311 coils=31 tol=1e-3",
        "adjoint 2d n=23x19 m=320 traj=radial:10 field=random:60Hz t=20ms coils=7 tol=1e-3"};
    const ndft_candidate candidate = unbounded(entry);
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        ndft_case problem;
        ndft_made made;
        ndft_error err = {0};
        ndft_status status = ndft_case_parse(cases[c], &problem, &err);
        if (status == NDFT_OK) status = ndft_nonuniform.make(&problem, &made, &err);
        if (status == NDFT_OK) {
            status = run_case(s, &candidate, &problem, &made, &err);
            ndft_made_free(&made);
        }
        if (status != NDFT_OK) suite_fail(s, &candidate, cases[c], "%s", err.message);
    }
}
