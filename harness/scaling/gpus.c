/* SPDX-License-Identifier: Apache-2.0 */
#include "gpus.h"

#include "agreement.h"
#include "base/now.h"
#include "cli/own_data.h"
#include "cli/session.h"
#include "cli/show.h"
#include "execution.h"
#include "order.h"
#include "peak/ceilings.h"
#include "rows.h"

#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ndft bench --gpus: one case on several devices. */

/* The plain plan, and for each number of devices, and of ranks, two: with whole arrays, and with
 * those in parts. */
enum { MOST = 1 + 4 * NDFT_MOST_NUMBERS };

typedef struct scaling {
    const ndft_gpus *how;
    ndft_contest contest;
    const char *text; /* of the case */
    ndft_agreement seen;
    ndft_contestant all[MOST];
    int n, samples;
    bool wrong, is_logged; /* the file is open */
    ndft_session session;  /* no groups are run */
    ndft_error err;
} scaling;

static ndft_status take_numbers(scaling *s, const char *text, bool by_ranks)
{
    ndft_contest *c = &s->contest;
    int numbers[NDFT_MOST_NUMBERS], n = 0;
    if (!text) return NDFT_OK;
    NDFT_TRY(ndft_devices_parse(by_ranks ? "--ranks" : "--gpus", text, s->how->backend, &c->backend,
                                numbers, &n, &s->err));
    for (int i = 0; i < n; i++) {
        s->all[s->n++] = (ndft_contestant){.n = numbers[i], .by_ranks = by_ranks};
        if (numbers[i] > 1)
            s->all[s->n++] =
                (ndft_contestant){.n = numbers[i], .by_ranks = by_ranks, .in_parts = true};
        c->devices = numbers[i] > c->devices ? numbers[i] : c->devices;
    }
    return NDFT_OK;
}

/* Each processor of the largest group has its share, and no other has more. */
static void share_threads(ndft_contest *c)
{
    const int share = omp_get_max_threads() / c->devices;
    if (!strcmp(c->backend->name, "cpu")) c->each.threads = share ? share : 1;
}

static ndft_status poison(const ndft_contest *c, const ndft_contestant *one)
{
    const ndft_before before = ndft_turn_to(c->backend, c->exec[0]);
    ndft_status status = c->backend->fill(c->exec[0], one->out_of[0], 0xff, c->out_bytes);
    if (status == NDFT_OK) status = c->backend->sync(c->exec[0]);
    ndft_turn_back(c->backend, before);
    return status;
}

static ndft_status plan(scaling *s, ndft_contestant *one)
{
    const ndft_contestant *before = one - 1;
    one->difference = one->error = NAN;
    one->same_bits = -1;
    one->shares = one->in_parts;
    if (one->by_ranks && !one->shares)
        NDFT_TRY(ndft_ranks_start(&s->contest, s->text, one->n, &one->ranks));
    if (one->shares) one->group = before->group;
    if (one->shares) one->ranks = before->ranks;
    if (one->ranks) one->communicator = one->ranks->communicator;
    return ndft_execution_open(&s->contest, one);
}

/* Of whole results, which those of conjugate gradients are on each device. */
static ndft_status plan_and_check(scaling *s, ndft_contestant *one)
{
    const ndft_contest *c = &s->contest;
    const bool is_whole = !one->in_parts || c->iterations;
    double ignored;
    NDFT_TRY(plan(s, one));
    if (is_whole) NDFT_TRY(poison(c, one));
    NDFT_TRY(ndft_execution_time(c, one, false, &ignored));
    if (!is_whole) return NDFT_OK;
    return ndft_agreement_look(&s->seen, one, &s->wrong);
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
    const bool twice = !s->samples || one->seconds[s->samples - 1] < is_long_s;
    NDFT_TRY(ndft_execution_time(&s->contest, one, twice, &one->seconds[s->samples]));
    if (is_time_for_clocks(s, i)) ndft_contestant_clocks(&s->contest, one);
    return NDFT_OK;
}

/* One execution of each after the other, so that what disturbs one disturbs all, in another order
 * each time: whoever comes after devices that rested has a faster clock under their power limit. */
static ndft_status time_all(scaling *s)
{
    const double begun = ndft_now_s(), budget = s->how->budget_s * s->n;
    ndft_random random = {s->contest.problem.seed};
    int order[MOST];
    while (s->samples < NDFT_MOST_TIMES &&
           (s->samples < s->how->min_samples || ndft_now_s() - begun < budget)) {
        ndft_order_round(order, s->n, s->samples, &random);
        for (int i = 0; i < s->n; i++) NDFT_TRY(time_one(s, order[i]));
        s->samples++;
        if (s->how->interrupted && *s->how->interrupted)
            return ndft_fail(&s->err, NDFT_EINTR, "interrupted");
    }
    for (int i = 0; i < s->n; i++) s->all[i].time = ndft_stats_of(s->all[i].seconds, s->samples);
    return NDFT_OK;
}

/* Of a group, and that in parts behind it. */
static void note_bits(scaling *s, int i, bool same)
{
    s->all[i].same_bits = same;
    if (i + 1 < s->n && s->all[i + 1].shares) s->all[i + 1].same_bits = same;
    s->wrong = s->wrong || !same;
}

static ndft_status compare_with(scaling *s, int i)
{
    FILE *to = s->how->json ? stderr : stdout;
    const ndft_contestant *one = &s->all[i];
    const char *what = one->by_ranks ? "rank" : "device", *more = one->n > 1 ? "s" : "";
    double ignored = 0;
    bool all, same = false;
    if (NDFT_COMPARED_PARTS % one->n) {
        fprintf(to, "bits on %d %s%s: not compared, %d parts are not as many on each\n", one->n,
                what, more, NDFT_COMPARED_PARTS);
        return NDFT_OK;
    }
    NDFT_TRY(ndft_ranks_compare(one->ranks, &all));
    if (all) {
        NDFT_TRY(ndft_contest_by_parts(&s->contest, one->communicator, one->n, s->seen.result));
        NDFT_TRY(ndft_ranks_wait(one->ranks, &ignored));
        same = !memcmp(s->seen.right, s->seen.result, s->contest.out_bytes);
    }
    note_bits(s, i, same);
    fprintf(to, "bits on %d %s%s of %d parts: %s as on 1\n", one->n, what, more,
            NDFT_COMPARED_PARTS, same ? "the same" : "NOT the same");
    return NDFT_OK;
}

static ndft_status compare_bits(scaling *s)
{
    const ndft_status status = ndft_contest_by_parts(&s->contest, NULL, 1, s->seen.right);
    if (status == NDFT_EINVAL) { /* there is less than one sample, or voxel, for each */
        fprintf(s->how->json ? stderr : stdout, "bits: not compared, %s\n", s->err.message);
        return NDFT_OK;
    }
    NDFT_TRY(status);
    for (int i = 1; i < s->n; i++)
        if (!s->all[i].shares) NDFT_TRY(compare_with(s, i));
    return NDFT_OK;
}

static ndft_status make(scaling *s)
{
    ndft_contest *c = &s->contest;
    c->err = &s->err;
    c->devices = s->n = 1;
    c->variant = s->how->variant;
    c->iterations = s->how->iterations;
    NDFT_TRY(ndft_contest_parse(c, s->text));
    NDFT_TRY(take_numbers(s, s->how->numbers, false));
    NDFT_TRY(take_numbers(s, s->how->ranks, true));
    NDFT_TRY(ndft_contest_make(c));
    ndft_own_data_say(&c->problem, &c->made);
    return NDFT_OK;
}

/* Before anything is measured, which would be lost. */
static ndft_status open_file(scaling *s)
{
    if (!s->how->output) return NDFT_OK;
    NDFT_TRY(ndft_log_open(s->how->output, NDFT_LOG_APPEND, &s->session.log, &s->err));
    s->is_logged = true;
    return NDFT_OK;
}

static ndft_status measure(scaling *s)
{
    NDFT_TRY(make(s));
    NDFT_TRY(open_file(s));
    share_threads(&s->contest);
    NDFT_TRY(ndft_contest_open(&s->contest));
    NDFT_TRY(ndft_agreement_open(&s->seen, &s->contest, s->all));
    for (int i = 0; i < s->n; i++) NDFT_TRY(plan_and_check(s, &s->all[i]));
    return time_all(s);
}

/* Appends a run of its own to the record file. */
static ndft_status write_file(scaling *s, const ndft_scaled *found)
{
    ndft_session *session = &s->session;
    session->run.seed = (long long)s->contest.problem.seed;
    session->run.plan_cases = s->n;
    ndft_status status = ndft_session_head(session, &s->err);
    for (int i = 0; i < s->n && status == NDFT_OK; i++)
        status =
            ndft_log_write(&session->log, ndft_scaled_record(found, session->run.id, i), &s->err);
    return ndft_session_end(session, status, false, &s->err);
}

static ndft_status scale(scaling *s)
{
    NDFT_TRY(measure(s));
    const ndft_device *device = &s->contest.exec[0]->device;
    const ndft_scaled found = {&s->contest, s->all, s->n, s->samples};
    if (!s->how->json) ndft_scaled_print(&found);
    NDFT_TRY(compare_bits(s));
    for (int i = 0; i < s->n && s->how->json; i++)
        ndft_show_json(ndft_scaled_record(&found, s->session.run.id, i), JSON_COMPACT);
    ndft_session_add(&s->session, device, ndft_ceilings_read(device));
    return s->is_logged ? write_file(s, &found) : NDFT_OK;
}

static void close(scaling *s)
{
    for (int i = 0; i < s->n; i++) ndft_contestant_free(&s->contest, &s->all[i]);
    ndft_contest_close(&s->contest);
    ndft_agreement_free(&s->seen);
    if (s->is_logged) ndft_log_close(&s->session.log);
    ndft_session_close(&s->session);
}

int ndft_gpus_run(const ndft_gpus *how, const char *text)
{
    scaling *s = calloc(1, sizeof *s);
    if (!s) return NDFT_EXIT_ENVIRONMENT;
    s->how = how;
    s->text = text;
    s->session.roofs = json_object();
    s->session.run = (ndft_run){.suite = "scaling", .argc = how->argc, .argv = how->argv};
    ndft_run_begin(&s->session.run);
    int code = NDFT_EXIT_OK;
    if (scale(s) != NDFT_OK) {
        code = ndft_cli_fail(&s->err);
    } else if (s->wrong) {
        fprintf(stderr, "ndft: results of several devices are not those of one\n");
        code = NDFT_EXIT_FAILED;
    }
    close(s);
    free(s);
    return code;
}
