/* SPDX-License-Identifier: Apache-2.0 */
#include "check/check.h"
#include "measure/region.h"
#include "problem/kinds.h"
#include "tally.h"

#include <stdlib.h>
#include <string.h>

/* Bluestein's transforms are told apart by the nodes of an execute, counted in a graph: chirp,
 * pad_mul, fft, fft_mul, ifft and res_mul; fft, chirp's fft and ifft, or without the chirp's; one.
 * A node is a kernel. Where the plan found a matrix of cells faster than one line, each fft is two
 * (rows and columns), of which those beside the product are one. */

static const char text[] = "uniform:scfo1009*3 tol=1e-3";

static const struct {
    const char *variant, *knobs;
    size_t of_line, of_matrix;
} expected[] = {
    {"bluestein_split", "padded=power", 6, 6},
    {"bluestein_fused", "chirp_fft=execute", 3, 5},
    {"bluestein_fused", "chirp_fft=plan", 2, 3},
    {"bluestein_single", "", 1, 1},
};

static bool is_matrix(const char *chosen)
{
    const char *column = strstr(chosen, "column=");
    return column && atoi(column + strlen("column=")) > 1;
}

static void count(variant_suite *s, const ndft_candidate *candidate, ndft_fixture *fixture, int i)
{
    ndft_plan *plan;
    ndft_status planned;
    size_t found = 0;
    const ndft_check check =
        ndft_check_run(fixture, candidate, ndft_timing_defaults.limit_s, &plan, &planned);
    suite_judge(s, candidate, fixture->problem, &check);
    if (!plan) return;
    const size_t nodes = is_matrix(check.chosen) ? expected[i].of_matrix : expected[i].of_line;
    ndft_region region = ndft_region_of(fixture, plan);
    const ndft_status status =
        fixture->instruments->count_nodes(fixture->exec, ndft_region_queue, &region, &found);
    if (status != NDFT_OK)
        suite_fail(s, candidate, text, "%s", fixture->exec->error->message);
    else if (found != nodes)
        suite_fail(s, candidate, text, "has %zu nodes, not %zu", found, nodes);
    else
        suite_pass(s);
    ndft_plan_destroy(plan);
}

static ndft_status run(variant_suite *s, const ndft_candidate *candidate, const ndft_case *problem,
                       const ndft_made *made, int i, ndft_error *err)
{
    ndft_exec *exec;
    ndft_fixture fixture;
    NDFT_TRY(s->backend->open(0, &exec, err));
    const ndft_status status =
        ndft_fixture_open(&ndft_uniform_kind, problem, made, s->backend, exec, &fixture);
    if (status == NDFT_OK) {
        count(s, candidate, &fixture, i);
        ndft_fixture_close(&fixture);
    }
    s->backend->close(exec);
    return status;
}

static ndft_status make_and_run(variant_suite *s, ndft_candidate *candidate, int i, ndft_error *err)
{
    const char *knobs = expected[i].knobs;
    ndft_case problem;
    ndft_made made;
    if (*knobs) NDFT_TRY(ndft_knobs_parse(candidate, knobs, err));
    NDFT_TRY(ndft_case_parse(text, &problem, err));
    NDFT_TRY(ndft_uniform_kind.make(&problem, &made, err));
    const ndft_status status = run(s, candidate, &problem, &made, i, err);
    ndft_made_free(&made);
    return status;
}

void test_nodes(variant_suite *s, const ndft_registered *entry)
{
    if (!ndft_instruments_of(s->backend->name)->count_nodes) return; /* nothing is queued there */
    for (int i = 0; i < (int)(sizeof expected / sizeof *expected); i++) {
        ndft_error err = {0};
        ndft_candidate candidate = ndft_candidate_of(entry);
        if (strcmp(entry->name, expected[i].variant)) continue;
        if (make_and_run(s, &candidate, i, &err) != NDFT_OK)
            suite_fail(s, &candidate, text, "%s", err.message);
    }
}
