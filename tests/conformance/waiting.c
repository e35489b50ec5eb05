/* SPDX-License-Identifier: Apache-2.0 */
#include "tally.h"

#include <string.h>

/* A variant that waits for the device inside execute, which none may: whoever holds the device back
 * or captures must say so, and leave the device usable. */

static ndft_status plan(const ndft_problem *p, const int *knobs, unsigned ops, ndft_exec *exec,
                        void **state)
{
    (void)p;
    (void)knobs;
    (void)ops;
    *state = exec;
    return NDFT_OK;
}

static void destroy(void *state) { (void)state; }

static const char *unsupported(const ndft_problem *p, const ndft_device *device, const int *knobs)
{
    (void)p;
    (void)device;
    (void)knobs;
    return NULL;
}

static ndft_status wait(void *state, ndft_op op, const void *in, void *out)
{
    const ndft_backend *backend = ndft_backend_find("cuda");
    (void)op;
    (void)in;
    NDFT_TRY(backend->fill(state, out, 0, sizeof(float)));
    return backend->sync(state);
}

static ndft_cost cost(const ndft_problem *p, ndft_op op, const int *knobs)
{
    (void)p;
    (void)op;
    (void)knobs;
    return (ndft_cost){.launches = 1};
}

static const ndft_variant waiting = {.name = "waiting",
                                     .backend = "cuda",
                                     .ops = NDFT_FORWARD,
                                     .unsupported = unsupported,
                                     .plan = plan,
                                     .execute = wait,
                                     .destroy = destroy,
                                     .cost = cost};

static const ndft_registered entry = {"waiting", "cuda",          &waiting, "",   NULL,
                                      NULL,      NDFT_NONUNIFORM, "",       false};
static const ndft_candidate candidate = {.entry = &entry};

static void expect(variant_suite *s, const char *what, const ndft_fixture *fixture,
                   ndft_status status, const char *message)
{
    const char *said = status == NDFT_OK ? "" : fixture->exec->error->message;
    if (message ? strstr(said, message) != NULL : status == NDFT_OK)
        suite_pass(s);
    else
        suite_fail(s, &candidate, what, "said '%s'", said);
}

static void try_all(variant_suite *s, ndft_fixture *fixture)
{
    ndft_plan *plan;
    const ndft_status planned = ndft_plan_candidate(fixture->device, &candidate,
                                                    &fixture->made->problem, fixture->op, &plan);
    expect(s, "planned", fixture, planned, NULL);
    if (planned != NDFT_OK) return;
    ndft_region region = ndft_region_of(fixture, plan);
    ndft_reading reading;
    void *graph = NULL;
    expect(s, "free", fixture, ndft_region_time(&region, &reading), NULL);
    region.held = true;
    expect(s, "held", fixture, ndft_region_time(&region, &reading), "blocking kernel waited");
    expect(s, "after that", fixture, fixture->backend->sync(fixture->exec), NULL);
    expect(s, "captured", fixture,
           fixture->instruments->capture(fixture->exec, ndft_region_queue, &region, &graph),
           "apture");
    fixture->instruments->graph_free(fixture->exec, graph);
    region.held = false;
    expect(s, "free again", fixture, ndft_region_time(&region, &reading), NULL);
    ndft_plan_destroy(plan);
}

static ndft_status run(variant_suite *s, const ndft_case *problem, const ndft_made *made,
                       ndft_error *err)
{
    ndft_exec *exec;
    ndft_fixture fixture;
    NDFT_TRY(s->backend->open(0, &exec, err));
    ndft_status status =
        ndft_fixture_open(&ndft_nonuniform, problem, made, s->backend, exec, &fixture);
    if (status == NDFT_OK) {
        try_all(s, &fixture);
        ndft_fixture_close(&fixture);
    }
    s->backend->close(exec);
    return status;
}

void test_waiting(variant_suite *s)
{
    ndft_error err = {0};
    ndft_case problem;
    ndft_made made;
    if (!ndft_instruments_of(s->backend->name)->capture) return; /* nothing is queued there */
    ndft_status status = ndft_case_parse("forward 1d n=16 m=16", &problem, &err);
    if (status == NDFT_OK) status = ndft_nonuniform.make(&problem, &made, &err);
    if (status == NDFT_OK) {
        status = run(s, &problem, &made, &err);
        ndft_made_free(&made);
    }
    if (status != NDFT_OK) suite_fail(s, &candidate, "waiting", "%s", err.message);
}
