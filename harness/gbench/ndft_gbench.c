/* SPDX-License-Identifier: Apache-2.0 */
#include "check/check.h"
#include "cli/cli.h"
#include "measure/measure.h"
#include "measure/recheck.h"
#include "records/libraries.h"
#include "shim.h"
#include "work.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * ndft-gbench: the registry as benchmarks of Google Benchmark, one for each variant and case, for
 * its filters and its compare.py. A benchmark is checked when its turn comes, so that one that the
 * filter leaves out costs nothing, and is timed by the backend's timer. The library decides how
 * often: a fixed number of iterations would become part of the name that compare.py goes by.
 */

/* One case on one backend, and one candidate there, kept from run to run. */
typedef struct bench {
    const ndft_work *work; /* NULL: nothing is open */
    ndft_made made;
    ndft_exec *exec;
    ndft_fixture fixture;
    const ndft_candidate *candidate; /* the one that check and plan are of */
    ndft_check check;
    ndft_plan *plan; /* NULL unless it passed */
    ndft_region region;
    bool failed; /* one that had its turn was wrong, or could not be run */
    ndft_error error;
} bench;

typedef struct entry {
    bench *bench;
    const ndft_work *work;
    const ndft_candidate *candidate;
} entry;

static void close_work(bench *b)
{
    ndft_plan_destroy(b->plan);
    b->plan = NULL;
    b->candidate = NULL;
    if (!b->work) return;
    if (b->fixture.exec) ndft_fixture_close(&b->fixture);
    b->work->backend->close(b->exec);
    b->exec = NULL;
    ndft_made_free(&b->made);
    b->work = NULL;
}

static ndft_status open_work(bench *b, const ndft_work *work)
{
    const ndft_backend *backend = work->backend;
    if (b->work == work) return NDFT_OK;
    close_work(b);
    NDFT_TRY(ndft_kind_of(&work->problem)->make(&work->problem, &b->made, &b->error));
    ndft_status status = backend->open(0, &b->exec, &b->error);
    if (status == NDFT_OK)
        status = ndft_fixture_open(ndft_kind_of(&work->problem), &work->problem, &b->made, backend,
                                   b->exec, &b->fixture);
    b->work = work;
    if (status != NDFT_OK) close_work(b);
    return status;
}

static ndft_check check(bench *b, const entry *e)
{
    ndft_check check = ndft_check_blank();
    const char *missing = e->work->backend->missing();
    ndft_status planned;
    if (missing)
        ndft_set_verdict(&check, e->candidate->entry->variant ? NDFT_UNSUPPORTED : NDFT_NOT_BUILT,
                         "%s", missing);
    else if (open_work(b, e->work) != NDFT_OK)
        ndft_set_verdict(&check, NDFT_ERROR, "%s", b->error.message);
    else
        check = ndft_check_run(&b->fixture, e->candidate, ndft_timing_defaults.limit_s, &b->plan,
                               &planned);
    if (check.verdict != NDFT_PASS) return check;
    ndft_reading last;
    b->region = ndft_region_of(&b->fixture, b->plan);
    b->region.consumes = check.consumes;
    b->region.held = true;
    if (ndft_region_calibrate(&b->region, &last) != NDFT_OK)
        ndft_set_verdict(&check, NDFT_ERROR, "while timing: %s", b->error.message);
    return check;
}

static int run_batch(void *context, double *seconds)
{
    const bench *b = context;
    ndft_reading reading;
    const ndft_status status = ndft_region_time(&b->region, &reading);
    *seconds = reading.seconds;
    return status != NDFT_OK;
}

/* What was timed is checked, as a batch of the program's own. */
static void check_again(bench *b)
{
    ndft_subject subject = {.fixture = &b->fixture,
                            .candidate = b->candidate,
                            .plan = &b->plan,
                            .region = b->region,
                            .consumes = b->check.consumes,
                            .begun = true};
    ndft_recheck(NDFT_BATCH, &subject, &b->check);
}

static void report(const bench *b, const ndft_check *c, ndft_gbench_state *state)
{
    char why[sizeof c->reason + 32];
    if (c->verdict == NDFT_PASS) {
        double coil_pairs = b->fixture.kind->useful(&b->fixture.made->problem, b->fixture.op);
        ndft_gbench_counter(state, "coil_pairs_per_s", coil_pairs, true);
        ndft_gbench_counter(state, "rel_l2", c->rel_l2, false);
        ndft_gbench_counter(state, "claim", c->claim, false);
    } else {
        snprintf(why, sizeof why, "SKIP: %s %s", ndft_verdict_name(c->verdict), c->reason);
        ndft_gbench_skip(state, why);
    }
}

static void run(void *context, ndft_gbench_state *state)
{
    const entry *e = context;
    bench *b = e->bench;
    if (b->candidate != e->candidate) {
        ndft_plan_destroy(b->plan);
        b->plan = NULL;
        b->check = check(b, e);
        b->candidate = e->candidate;
    }
    if (b->check.verdict == NDFT_PASS &&
        ndft_gbench_loop(state, b->region.repetitions, run_batch, b))
        ndft_set_verdict(&b->check, NDFT_ERROR, "while timing: %s", b->error.message);
    if (b->check.verdict == NDFT_PASS) check_again(b);
    b->failed |= b->check.verdict == NDFT_WRONG || b->check.verdict == NDFT_ERROR;
    report(b, &b->check, state);
}

/* The commit, and the devices that the variants run on. */
static void describe(void)
{
    char text[128];
    snprintf(text, sizeof text, "%s%s", ndft_build_info.commit,
             ndft_build_info.dirty ? ", modified" : "");
    ndft_gbench_context("commit", text);
    for (const ndft_backend *const *b = ndft_backends; *b; b++) {
        ndft_exec *exec = NULL;
        ndft_error ignored;
        if ((*b)->missing() || (*b)->open(0, &exec, &ignored) != NDFT_OK) continue;
        snprintf(text, sizeof text, "device_%s", (*b)->name);
        ndft_gbench_context(text, exec->device.name);
        (*b)->close(exec);
    }
}

static ndft_status add_all(const ndft_workload *load, bench *b, entry *entries, ndft_error *err)
{
    for (int i = 0; i < load->size; i++) {
        const ndft_work *w = &load->items[i];
        for (int c = 0; c < w->n; c++, entries++) {
            char id[NDFT_ID_MAX], name[NDFT_ID_MAX + NDFT_CASE_MAX];
            ndft_id_print(&w->candidates[c], id, sizeof id);
            snprintf(name, sizeof name, "%s %s", id, w->text);
            *entries = (entry){b, w, &w->candidates[c]};
            if (ndft_gbench_add(name, run, entries))
                return ndft_fail(err, NDFT_ENOMEM, "no memory for benchmark %s", name);
        }
    }
    return NDFT_OK;
}

static int run_all(const ndft_workload *load, ndft_error *err)
{
    bench b = {0};
    entry *entries = calloc((size_t)load->candidates, sizeof *entries);
    ndft_status status = entries ? add_all(load, &b, entries, err)
                                 : ndft_fail(err, NDFT_ENOMEM, "no memory for benchmarks");
    size_t matched = status == NDFT_OK ? ndft_gbench_run() : 0;
    close_work(&b);
    free(entries);
    if (status != NDFT_OK) return ndft_cli_fail(err);
    if (!matched) return NDFT_EXIT_USAGE;
    return b.failed ? NDFT_EXIT_FAILED : NDFT_EXIT_OK;
}

/* What runs when no suite is named: small, for every variant. */
static const char *const built_in[] = {
    "{forward,adjoint} 2d zip(n={32x32,64x64},m={1024,4096}) field=smooth:200Hz t=20ms",
    "uniform:scfo{128,127}*64", "convolve:sf64*8 cells=128", "chirpz:s100*8"};
enum { BUILT_IN = sizeof built_in / sizeof *built_in };

static ndft_status plan_built_in(ndft_workload *load, ndft_error *err)
{
    ndft_suite suite = {0};
    ndft_status status = NDFT_OK;
    for (int i = 0; i < BUILT_IN && status == NDFT_OK; i++)
        status = ndft_suite_add(&suite, built_in[i], "built in", err);
    if (status == NDFT_OK)
        status = ndft_work_plan(suite.items, suite.size, &(ndft_wanted){0}, load, err);
    ndft_suite_free(&suite);
    return status;
}

/* The workload that the arguments left by the library name. */
static ndft_status read_work(int argc, char **argv, ndft_workload *load, ndft_error *err)
{
    bool line = argc == 3 && !strcmp(argv[1], "--case");
    if (argc > 1 && !line && (argc != 2 || argv[1][0] == '-'))
        return ndft_fail(err, NDFT_EINVAL,
                         "ndft-gbench takes one suite file, or --case LINE; see --help");
    if (argc == 1) return plan_built_in(load, err);
    return ndft_work_read(argv[1], line ? argv[2] : NULL, &(ndft_wanted){0}, load, err);
}

int main(int argc, char **argv)
{
    ndft_error err = {0};
    ndft_workload load;
    if (argc == 2 && !strcmp(argv[1], "--help"))
        printf("usage: ndft-gbench [--benchmark_...] [SUITE]\n"
               "       ndft-gbench [--benchmark_...] --case LINE\n\n"
               "Without a suite: %s; %s\n\n",
               built_in[0], built_in[1]);
    ndft_gbench_begin(&argc, argv);
    if (read_work(argc, argv, &load, &err) != NDFT_OK) return ndft_cli_fail(&err);
    describe();
    int code = run_all(&load, &err);
    ndft_work_free(&load);
    return code;
}
