/* SPDX-License-Identifier: Apache-2.0 */
#include "gpus.h"

#include "base/now.h"
#include "case/case.h"
#include "cli/own_data.h"
#include "cli/session.h"
#include "cli/show.h"
#include "peak/ceilings.h"
#include "rows.h"
#include "truth.h"

#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ndft bench --gpus: one case on several devices. */

/* The plain plan, and for each number of devices two: with whole arrays, and with those in parts.
 */
enum { MOST = 1 + 2 * NDFT_MOST_NUMBERS, PARTS = 8 };

typedef struct scaling {
    const ndft_gpus *how;
    ndft_contest contest;
    ndft_case problem;
    ndft_made made;
    ndft_truth truth;
    void *result, *right; /* on the host */
    size_t out_bytes;
    int devices; /* of the largest group */
    ndft_contestant all[MOST];
    int n, samples;
    bool wrong, is_logged; /* the file is open */
    ndft_session session;  /* no groups are run */
    ndft_error err;
} scaling;

static ndft_status take_numbers(scaling *s)
{
    int numbers[NDFT_MOST_NUMBERS], n;
    NDFT_TRY(ndft_devices_parse(s->how->numbers, s->how->backend, &s->contest.backend, numbers, &n,
                                &s->err));
    s->n = s->devices = 1;
    for (int i = 0; i < n; i++) {
        s->all[s->n++].n = numbers[i];
        if (numbers[i] > 1) s->all[s->n++] = (ndft_contestant){.n = numbers[i], .in_parts = true};
        s->devices = numbers[i] > s->devices ? numbers[i] : s->devices;
    }
    return NDFT_OK;
}

/* Each processor of the largest group has its share, and no other has more. */
static void share_threads(scaling *s)
{
    ndft_device_options *each = &s->contest.each;
    const int share = omp_get_max_threads() / s->devices;
    each->struct_size = sizeof *each;
    if (!strcmp(s->contest.backend->name, "cpu")) each->threads = share ? share : 1;
}

static ndft_status fill_vectors(scaling *s, size_t in_bytes)
{
    ndft_contest *c = &s->contest;
    NDFT_TRY(c->exec[0]->alloc(c->exec[0], "input", in_bytes, &c->in));
    NDFT_TRY(c->exec[0]->alloc(c->exec[0], "output", s->out_bytes, &c->out));
    return c->exec[0]->upload(c->exec[0], c->in, ndft_made_input(&s->made, c->op), in_bytes);
}

static ndft_status open_vectors(scaling *s)
{
    ndft_contest *c = &s->contest;
    const ndft_problem *p = &s->made.problem;
    const size_t in_bytes = ndft_input_bytes(p, c->op);
    const bool is_cpu = !strcmp(c->backend->name, "cpu");
    s->out_bytes = ndft_output_bytes(p, c->op);
    s->result = malloc(s->out_bytes);
    s->right = malloc(s->out_bytes);
    if (!s->result || !s->right)
        return ndft_fail(&s->err, NDFT_ENOMEM, "no host memory for results");
    for (int i = 0; i < s->devices; i++)
        NDFT_TRY(c->backend->open(is_cpu ? 0 : i, &c->exec[i], &s->err));
    const ndft_before before = ndft_turn_to(c->backend, c->exec[0]);
    const ndft_status status = fill_vectors(s, in_bytes);
    ndft_turn_back(c->backend, before);
    return status;
}

static ndft_status open_problem(scaling *s)
{
    char name[NDFT_DEVICE_NAME];
    ndft_contest *c = &s->contest;
    NDFT_TRY(ndft_device_open(ndft_device_name(c->backend, 0, name), &c->each, &c->device));
    return ndft_problem_again(c->device, &s->made.problem, &c->whole);
}

static double difference(const scaling *s)
{
    const ndft_prec prec = s->made.problem.prec;
    double square = 0, all = 0;
    for (size_t i = 0; i < s->out_bytes / ndft_real_size(prec); i++) {
        const double right = ndft_real_at(s->right, prec, (int64_t)i);
        const double error = ndft_real_at(s->result, prec, (int64_t)i) - right;
        square += error * error;
        all += right * right;
    }
    return sqrt(square / all);
}

static ndft_status poison(const ndft_contest *c, size_t bytes)
{
    const ndft_before before = ndft_turn_to(c->backend, c->exec[0]);
    ndft_status status = c->backend->fill(c->exec[0], c->out, 0xff, bytes);
    if (status == NDFT_OK) status = c->backend->sync(c->exec[0]);
    ndft_turn_back(c->backend, before);
    return status;
}

static ndft_status fetch(const ndft_contest *c, void *result, size_t bytes)
{
    const ndft_before before = ndft_turn_to(c->backend, c->exec[0]);
    const ndft_status status = c->backend->download(c->exec[0], result, c->out, bytes);
    ndft_turn_back(c->backend, before);
    return status;
}

/* Of whole arrays: both are within tol of what is right. */
static ndft_status plan_and_check(scaling *s, ndft_contestant *one)
{
    const ndft_contest *c = &s->contest;
    const bool first = one == s->all;
    one->difference = one->error = NAN;
    one->same_bits = -1;
    one->shares = one->in_parts;
    if (one->shares) one->group = (one - 1)->group;
    NDFT_TRY(ndft_contestant_plan(c, ndft_made_input(&s->made, c->op), one));
    NDFT_TRY(poison(c, s->out_bytes));
    NDFT_TRY(ndft_contestant_execute(c, one));
    if (one->in_parts) return NDFT_OK;
    NDFT_TRY(fetch(c, first ? s->right : s->result, s->out_bytes));
    one->error = ndft_truth_error(&s->truth, first ? s->right : s->result);
    if (first) return NDFT_OK;
    one->difference = difference(s);
    s->wrong = s->wrong || !(one->difference <= 2 * s->made.problem.tol);
    return NDFT_OK;
}

/* Between executions, in few rounds: to ask takes a millisecond. */
static bool is_time_for_clocks(const scaling *s, int contestant)
{
    enum { EVERY = 10 };
    return s->samples % EVERY == contestant % EVERY;
}

/*
 * After one of its own that is not timed, as in an iteration: threads of a group that waited for
 * the others would have to be woken, and devices that had nothing to do. Of long ones it makes no
 * difference.
 */
static ndft_status time_one(scaling *s, int i)
{
    static const double is_long_s = 0.02;
    ndft_contestant *one = &s->all[i];
    if (!s->samples || one->seconds[s->samples - 1] < is_long_s)
        NDFT_TRY(ndft_contestant_execute(&s->contest, one));
    const double before = ndft_now_s();
    NDFT_TRY(ndft_contestant_execute(&s->contest, one));
    one->seconds[s->samples] = ndft_now_s() - before;
    if (is_time_for_clocks(s, i)) ndft_contestant_clocks(&s->contest, one);
    return NDFT_OK;
}

/* One execution of each after the other, so that what disturbs one disturbs all. */
static ndft_status time_all(scaling *s)
{
    const double begun = ndft_now_s(), budget = s->how->budget_s * s->n;
    while (s->samples < NDFT_MOST_TIMES &&
           (s->samples < s->how->min_samples || ndft_now_s() - begun < budget)) {
        for (int i = 0; i < s->n; i++) NDFT_TRY(time_one(s, i));
        s->samples++;
        if (s->how->interrupted && *s->how->interrupted)
            return ndft_fail(&s->err, NDFT_EINTR, "interrupted");
    }
    for (int i = 0; i < s->n; i++) s->all[i].time = ndft_stats_of(s->all[i].seconds, s->samples);
    return NDFT_OK;
}

/* Eight parts on n devices, in host memory. */
static ndft_status execute_parts(scaling *s, int n, void *out)
{
    const ndft_contest *c = &s->contest;
    ndft_group_plan *plan = NULL;
    NDFT_TRY(ndft_contest_group(c, n, PARTS, NDFT_ESTIMATE, &plan));
    const ndft_status status =
        ndft_group_execute_host(plan, c->op, ndft_made_input(&s->made, c->op), out);
    ndft_group_plan_destroy(plan);
    return ndft_contest_status(c, status);
}

/* Of both that n devices have. */
static void note_bits(scaling *s, int n, bool same)
{
    for (int i = 0; i < s->n; i++)
        if (s->all[i].n == n) s->all[i].same_bits = same;
    s->wrong = s->wrong || !same;
}

static ndft_status compare_with(scaling *s, int n)
{
    FILE *to = s->how->json ? stderr : stdout;
    if (PARTS % n) {
        fprintf(to, "bits on %d devices: not compared, %d parts are not as many on each\n", n,
                PARTS);
        return NDFT_OK;
    }
    NDFT_TRY(execute_parts(s, n, s->result));
    const bool same = !memcmp(s->right, s->result, s->out_bytes);
    note_bits(s, n, same);
    fprintf(to, "bits on %d device%s of %d parts: %s as on 1\n", n, n > 1 ? "s" : "", PARTS,
            same ? "the same" : "NOT the same");
    return NDFT_OK;
}

static ndft_status compare_bits(scaling *s)
{
    const ndft_status status = execute_parts(s, 1, s->right);
    if (status == NDFT_EINVAL) { /* there is less than one sample, or voxel, for each */
        fprintf(s->how->json ? stderr : stdout, "bits: not compared, %s\n", s->err.message);
        return NDFT_OK;
    }
    NDFT_TRY(status);
    for (int i = 1; i < s->n; i++)
        if (!s->all[i].in_parts) NDFT_TRY(compare_with(s, s->all[i].n));
    return NDFT_OK;
}

static ndft_status make(scaling *s, const char *text)
{
    NDFT_TRY(ndft_case_parse(text, &s->problem, &s->err));
    const ndft_kind *kind = ndft_kind_of(&s->problem);
    if (kind->problems != NDFT_NONUNIFORM)
        return ndft_fail(&s->err, NDFT_EINVAL,
                         "--gpus divides cases of samples and voxels, and this is a %s case",
                         kind->name);
    NDFT_TRY(take_numbers(s));
    NDFT_TRY(kind->make(&s->problem, &s->made, &s->err));
    ndft_own_data_say(&s->problem, &s->made);
    return ndft_truth_find(kind, &s->made, s->problem.op, s->problem.seed, &s->truth, &s->err);
}

/* Before anything is measured, which would be lost. */
static ndft_status open_file(scaling *s)
{
    if (!s->how->output) return NDFT_OK;
    NDFT_TRY(ndft_log_open(s->how->output, NDFT_LOG_APPEND, &s->session.log, &s->err));
    s->is_logged = true;
    return NDFT_OK;
}

static ndft_status measure(scaling *s, const char *text)
{
    ndft_contest *c = &s->contest;
    NDFT_TRY(make(s, text));
    NDFT_TRY(open_file(s));
    c->op = s->problem.op;
    c->variant = s->how->variant;
    c->err = &s->err;
    share_threads(s);
    NDFT_TRY(open_vectors(s));
    ndft_contest_link(c);
    NDFT_TRY(ndft_contest_status(c, open_problem(s)));
    for (int i = 0; i < s->n; i++) NDFT_TRY(plan_and_check(s, &s->all[i]));
    return time_all(s);
}

/* Appends a run of its own to the record file. */
static ndft_status write_file(scaling *s, const ndft_scaled *found)
{
    ndft_session *session = &s->session;
    session->run.seed = (long long)s->problem.seed;
    session->run.plan_cases = s->n;
    ndft_status status = ndft_session_head(session, &s->err);
    for (int i = 0; i < s->n && status == NDFT_OK; i++)
        status =
            ndft_log_write(&session->log, ndft_scaled_record(found, session->run.id, i), &s->err);
    return ndft_session_end(session, status, false, &s->err);
}

static ndft_status scale(scaling *s, const char *text)
{
    NDFT_TRY(measure(s, text));
    const ndft_device *device = &s->contest.exec[0]->device;
    const ndft_scaled found = {&s->problem, &s->contest, s->all, s->n, s->samples};
    if (!s->how->json) ndft_scaled_print(&found);
    NDFT_TRY(compare_bits(s));
    for (int i = 0; i < s->n && s->how->json; i++)
        ndft_show_json(ndft_scaled_record(&found, s->session.run.id, i), JSON_COMPACT);
    ndft_session_add(&s->session, device, ndft_ceilings_read(device));
    return s->is_logged ? write_file(s, &found) : NDFT_OK;
}

static void close(scaling *s)
{
    ndft_contest *c = &s->contest;
    for (int i = 0; i < s->n; i++) ndft_contestant_free(c, &s->all[i]);
    ndft_problem_destroy(c->whole);
    ndft_device_close(c->device);
    for (int i = 0; i < s->devices; i++) {
        if (!c->exec[i]) continue;
        const ndft_before before = ndft_turn_to(c->backend, c->exec[i]);
        if (!i && c->in) c->exec[0]->release(c->exec[0], c->in);
        if (!i && c->out) c->exec[0]->release(c->exec[0], c->out);
        c->backend->close(c->exec[i]);
        ndft_turn_back(c->backend, before);
    }
    free(s->result);
    free(s->right);
    ndft_truth_free(&s->truth);
    if (s->made.image) ndft_made_free(&s->made);
    if (s->is_logged) ndft_log_close(&s->session.log);
    ndft_session_close(&s->session);
}

int ndft_gpus_run(const ndft_gpus *how, const char *text)
{
    scaling *s = calloc(1, sizeof *s);
    if (!s) return NDFT_EXIT_ENVIRONMENT;
    s->how = how;
    s->session.roofs = json_object();
    s->session.run = (ndft_run){.suite = "scaling", .argc = how->argc, .argv = how->argv};
    ndft_run_begin(&s->session.run);
    int code = NDFT_EXIT_OK;
    if (scale(s, text) != NDFT_OK) {
        code = ndft_cli_fail(&s->err);
    } else if (s->wrong) {
        fprintf(stderr, "ndft: results of several devices are not those of one\n");
        code = NDFT_EXIT_FAILED;
    }
    close(s);
    free(s);
    return code;
}
