/* SPDX-License-Identifier: Apache-2.0 */
#include "worker.h"

#include "base/memory/memory.h"
#include "base/memory/number_in.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

ndft_status ndft_worker_describe(const ndft_backend *backend, ndft_place *place, ndft_error *err)
{
    ndft_exec *exec;
    NDFT_TRY(backend->open(0, &exec, err));
    *place = (ndft_place){exec->device, exec->threads};
    backend->close(exec);
    return NDFT_OK;
}

/* Who listens to the phases of a group. */
typedef struct listener {
    const ndft_candidate *candidates;
    ndft_heartbeat *heartbeat;
    double *expected_s; /* of every candidate, once it was estimated */
} listener;

static void beat(void *context, const ndft_candidate *candidate, ndft_phase phase,
                 double expected_s)
{
    const listener *l = context;
    int index = candidate ? (int)(candidate - l->candidates) : -1;
    if (index >= 0 && !isnan(expected_s)) l->expected_s[index] = expected_s;
    ndft_heartbeat_write(l->heartbeat, index, phase, index < 0 ? NAN : l->expected_s[index]);
}

ndft_status ndft_worker_run(const ndft_work *work, const ndft_candidate *candidates, int n,
                            const ndft_group_options *options, ndft_heartbeat *heartbeat,
                            const ndft_sink *sink, ndft_error *err)
{
    listener l = {candidates, heartbeat, calloc((size_t)n, sizeof(double))};
    const ndft_watch watch = {beat, &l};
    if (!l.expected_s) return ndft_fail(err, NDFT_ENOMEM, "no memory for a group");
    ndft_group_options own = *options;
    own.timing.mode = work->mode;
    own.watch = &watch;
    ndft_status status = ndft_run_group(ndft_kind_of(&work->problem), &work->problem, work->backend,
                                        candidates, n, &own, sink, err);
    free(l.expected_s);
    return status;
}

int ndft_worker_phase(const ndft_heartbeat *heartbeat, const ndft_result *result)
{
    return result->check.verdict == NDFT_CRASHED ? (int)ndft_heartbeat_read(heartbeat).phase : -1;
}

/* What the process has mapped for writing so far counts, too. */
static void limit_memory(void)
{
    struct rlimit limit;
    const long long held_kib = ndft_number_in("/proc/self/status", "VmData:", 10);
    if (held_kib < 0 || getrlimit(RLIMIT_DATA, &limit)) return;
    rlim_t wanted = (rlim_t)held_kib * 1024 + ndft_memory_available();
    limit.rlim_cur = wanted < limit.rlim_max ? wanted : limit.rlim_max;
    setrlimit(RLIMIT_DATA, &limit);
}

static void volunteer_for_the_oom_killer(void)
{
    FILE *file = fopen("/proc/self/oom_score_adj", "w");
    if (!file) return;
    fputs("1000", file);
    fclose(file);
}

/* A group that is asked for. */
typedef struct asked_group {
    ndft_work work;
    const ndft_heartbeat *heartbeat;
} asked_group;

static void put_word(char word[16], const char *text)
{
    snprintf(word, 16, "%s", text ? text : "");
}

/* A parent that is gone has killed us. */
static void take(void *context, const ndft_result *result)
{
    const asked_group *e = context;
    const ndft_timing *t = result->timing;
    ndft_answer answer = {.what = NDFT_FOUND,
                          .candidate = (int)(result->candidate - e->work.candidates),
                          .phase = ndft_worker_phase(e->heartbeat, result),
                          .opened = result->device,
                          .check = result->check,
                          .timed = t,
                          .cost = result->cost,
                          .coil_pairs = result->coil_pairs};
    put_word(answer.words[0], result->check.reference);
    if (t) {
        answer.timing = *t;
        put_word(answer.words[1], t->stop);
        put_word(answer.words[2], t->order);
        put_word(answer.words[3], t->regime);
    }
    ndft_channel_send(NDFT_WORKER_SOCKET, &answer, sizeof answer);
}

static ndft_status receive_candidates(ndft_work *work, int n, ndft_error *err)
{
    work->candidates = malloc((size_t)n * sizeof *work->candidates);
    for (; work->n < n; work->n++) {
        ndft_request_candidate c;
        if (ndft_channel_receive(NDFT_WORKER_SOCKET, -1, &c, sizeof c) != NDFT_MESSAGE)
            return ndft_fail(err, NDFT_EINVAL, "this is no request to a worker");
        if (!work->candidates) continue;
        work->candidates[work->n].entry = &ndft_registry[c.entry];
        memcpy(work->candidates[work->n].knobs, c.knobs, sizeof c.knobs);
    }
    return work->candidates ? NDFT_OK : ndft_fail(err, NDFT_ENOMEM, "no memory for a group");
}

static ndft_status run(const ndft_request *request, const ndft_backend *backend,
                       ndft_shared_state *shared, ndft_error *err)
{
    asked_group e = {{.problem = request->problem, .backend = backend, .mode = request->mode},
                     &shared->heartbeat};
    ndft_group_options options = shared->options;
    options.timing.interrupted = &shared->heartbeat.stop;
    if (!strcmp(backend->name, "cpu")) limit_memory();
    ndft_status status = receive_candidates(&e.work, request->n, err);
    if (status == NDFT_OK)
        status = ndft_worker_run(&e.work, e.work.candidates, e.work.n, &options, &shared->heartbeat,
                                 &(ndft_sink){take, &e}, err);
    free(e.work.candidates);
    return status;
}

static bool answer_with(int what, ndft_status status, const ndft_error *err)
{
    ndft_answer answer = {.what = what};
    if (status != NDFT_OK) answer.error = *err;
    answer.error.status = status;
    return ndft_channel_send(NDFT_WORKER_SOCKET, &answer, sizeof answer);
}

static void serve(const ndft_backend *backend, ndft_shared_state *shared)
{
    ndft_error err = {0};
    ndft_request request;
    ndft_status status = ndft_worker_describe(backend, &shared->place, &err);
    bool heard = answer_with(NDFT_READY, status, &err);
    while (heard &&
           ndft_channel_receive(NDFT_WORKER_SOCKET, -1, &request, sizeof request) == NDFT_MESSAGE) {
        status = run(&request, backend, shared, &err);
        heard = answer_with(NDFT_DONE, status, &err);
    }
}

int ndft_worker_main(const char *name, const char *parent)
{
    const ndft_backend *backend = ndft_backend_find(name);
    ndft_shared_state *shared = ndft_shared_state_map(NDFT_WORKER_DESK);
    if (!backend || !shared) return EXIT_FAILURE;
    close(NDFT_WORKER_DESK);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != atoi(parent)) return EXIT_FAILURE; /* it died before it could take us along */
    setrlimit(RLIMIT_CORE, &(struct rlimit){0});
    volunteer_for_the_oom_killer();
    serve(backend, shared);
    close(NDFT_WORKER_SOCKET);
    ndft_shared_state_free(shared);
    return EXIT_SUCCESS;
}
