/* SPDX-License-Identifier: Apache-2.0 */
#include "isolate.h"

#include "loss.h"
#include "several.h"
#include "supervise.h"
#include "worker.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_BACKENDS = 4 };
static const double patience_s = 10;

const ndft_isolate_options ndft_isolate_defaults = {.deadline_s = 30, .processes = 1};

/* Where groups of one backend run. */
typedef struct slot {
    const ndft_backend *backend;
    ndft_process process;
    ndft_place place; /* once there was a process */
} slot;

struct ndft_isolate {
    ndft_isolate_options options;
    ndft_losses losses;
    slot slots[MAX_BACKENDS];
};

static ndft_status check(const ndft_isolate_options *options, ndft_error *err)
{
    if (options->processes < 1 || options->processes > NDFT_MOST_PROCESSES)
        return ndft_fail(err, NDFT_EINVAL, "--processes %d: it is 1 to %d; nearest: %d",
                         options->processes, NDFT_MOST_PROCESSES,
                         options->processes < 1 ? 1 : NDFT_MOST_PROCESSES);
    if (options->in_process && options->processes > 1)
        return ndft_fail(err, NDFT_EINVAL,
                         "--processes %d needs workers, and --in-process runs all in this process: "
                         "give one of them",
                         options->processes);
    return NDFT_OK;
}

ndft_status ndft_isolate_open(const ndft_isolate_options *options, ndft_isolate **out,
                              ndft_error *err)
{
    *out = NULL;
    NDFT_TRY(check(options, err));
    ndft_isolate *isolate = *out = calloc(1, sizeof *isolate);
    if (!isolate) return ndft_fail(err, NDFT_ENOMEM, "no memory to run groups with");
    isolate->options = *options;
    for (int i = 0; ndft_backends[i]; i++) isolate->slots[i].backend = ndft_backends[i];
    return ndft_losses_begin(&isolate->losses, err);
}

void ndft_isolate_close(ndft_isolate *isolate)
{
    if (!isolate) return;
    for (int i = 0; i < MAX_BACKENDS; i++)
        if (isolate->slots[i].process.pid) ndft_process_end(&isolate->slots[i].process, patience_s);
    ndft_losses_end(&isolate->losses);
    free(isolate);
}

static slot *find_slot(ndft_isolate *isolate, const ndft_backend *backend)
{
    slot *h = isolate->slots;
    while (h->backend != backend) h++;
    return h;
}

/* Starts a worker where there is none; one that is lost before it is ready is replaced once. */
static ndft_status start_worker(const ndft_isolate *isolate, slot *h, ndft_error *err)
{
    ndft_ending start = {.died = true};
    if (h->process.pid) return NDFT_OK;
    for (int tries = 0; tries < 2 && start.died; tries++) {
        NDFT_TRY(ndft_process_start(h->backend, &h->process, err));
        start = ndft_supervise_start(&h->process, isolate->options.deadline_s, err);
    }
    if (start.died)
        return ndft_fail(err, NDFT_EDEVICE, "two workers were lost before they were ready: %s",
                         start.how);
    NDFT_TRY(start.status);
    h->place = h->process.shared->place;
    h->place.device.backend = h->backend->name;
    return NDFT_OK;
}

ndft_status ndft_isolate_describe(ndft_isolate *isolate, const ndft_backend *backend,
                                  ndft_device *device, ndft_error *err)
{
    slot *h = find_slot(isolate, backend);
    NDFT_TRY(isolate->options.in_process ? ndft_worker_describe(backend, &h->place, err)
                                         : start_worker(isolate, h, err));
    *device = h->place.device;
    return NDFT_OK;
}

/* A group on its way to its records. */
typedef struct job {
    ndft_isolate *isolate;
    slot *slot;
    const ndft_work *work;
    const ndft_group_options *options;
    const ndft_run *run;
    const ndft_record_sink *sink;
    ndft_candidate *left;  /* entry NULL: it has its record */
    int n, settled, alone; /* alone: deaths with nothing in hand */
    bool refused;          /* by the sink */
} job;

/* The record of a result; phase: in which it crashed, -1: it did not. */
static json_t *record_of(const ndft_run *run, const ndft_result *result, int phase)
{
    json_t *record = ndft_record_case(run, result);
    if (phase >= 0)
        json_object_set_new(record, "phase", json_string(ndft_phase_name((ndft_phase)phase)));
    return record;
}

static void settle(job *e, int i, const ndft_answer *a)
{
    const ndft_place *place = &e->slot->place;
    const ndft_result result = {.problem = &e->work->problem,
                                .candidate = &e->left[i],
                                .device = a->opened ? &place->device : NULL,
                                .threads = a->opened ? place->threads : 0,
                                .how = ndft_sampling_of(e->options, e->work->mode),
                                .check = a->check,
                                .timing = a->timed ? &a->timing : NULL,
                                .cost = a->cost,
                                .coil_pairs = a->coil_pairs};
    json_t *record = record_of(e->run, &result, a->phase);
    ndft_losses_take(&e->isolate->losses, &e->left[i], &a->check);
    e->refused |= !e->sink->take(e->sink->context, record);
    json_decref(record);
    e->left[i].entry = NULL;
    e->settled++;
}

static void settle_lost(job *e, int i, const ndft_check *check, int phase)
{
    settle(e, i, &(ndft_answer){.check = *check, .phase = phase, .opened = true});
}

static const char *word_of(const char word[16]) { return *word ? word : NULL; }

static bool take(void *context, ndft_answer *a)
{
    job *e = context;
    const int i = a->candidate;
    if (i < 0 || i >= e->n || !e->left[i].entry) return !e->refused;
    a->check.reference = word_of(a->words[0]);
    a->timing.stop = word_of(a->words[1]);
    a->timing.order = word_of(a->words[2]);
    a->timing.regime = word_of(a->words[3]);
    a->timing.step_names = ndft_mode_steps(e->work->mode, &e->left[i]);
    settle(e, i, a);
    return !e->refused;
}

/* Drops what has a record, and what will not be started again. */
static void tidy(job *e)
{
    int kept = 0;
    for (int i = 0; i < e->n; i++) {
        ndft_check check;
        if (e->left[i].entry && ndft_losses_bar(&e->isolate->losses, &e->left[i], &check))
            settle_lost(e, i, &check, -1);
        if (e->left[i].entry) e->left[kept++] = e->left[i];
    }
    e->n = kept;
}

static ndft_status record_crash(job *e, const ndft_ending *ending, ndft_error *err)
{
    const char *phase = ndft_phase_name(ending->last.phase);
    int i = ending->last.candidate;
    ndft_check check = ndft_check_blank();
    if (i >= 0 && i < e->n && e->left[i].entry) {
        ndft_set_verdict(&check, ending->verdict, "%s in %s", ending->how, phase);
        settle_lost(e, i, &check, (int)ending->last.phase);
        return NDFT_OK;
    }
    if (!e->alone++) return NDFT_OK;
    return ndft_fail(err, NDFT_EINVAL, "two workers were lost before any variant ran: %s in %s",
                     ending->how, phase);
}

/* A worker that is gone is found out by whoever waits for its answers. */
static void send_request(const job *e, int socket)
{
    const ndft_request request = {e->work->problem, e->work->mode, e->n};
    bool sent = ndft_channel_send(socket, &request, sizeof request);
    for (int i = 0; i < e->n && sent; i++) {
        ndft_request_candidate c = {.entry = (int)(e->left[i].entry - ndft_registry)};
        memcpy(c.knobs, e->left[i].knobs, sizeof c.knobs);
        sent = ndft_channel_send(socket, &c, sizeof c);
    }
}

/* Lets a worker run what is left. NDFT_OK: whatever then is left shall be run by another one. */
static ndft_status take_turn(job *e, ndft_error *err)
{
    int before = e->settled;
    const ndft_answer_sink sink = {take, e};
    NDFT_TRY(start_worker(e->isolate, e->slot, err));
    ndft_process *process = &e->slot->process;
    process->shared->options = *e->options;
    process->shared->heartbeat.stop = 0;
    ndft_heartbeat_write(&process->shared->heartbeat, -1, NDFT_PHASE_MAKE, NAN);
    send_request(e, process->socket);
    ndft_ending ending = ndft_supervise(process, &e->work->problem, e->isolate->options.deadline_s,
                                        e->options->timing.interrupted, &sink, err);
    if (ending.died) return record_crash(e, &ending, err);
    bool progressed = e->settled > before;
    if (ending.status == NDFT_EDEVICE) ndft_process_end(process, patience_s);
    if (ending.status == NDFT_EDEVICE && progressed) return NDFT_OK;
    if (ending.status == NDFT_OK && !progressed)
        return ndft_fail(err, NDFT_EDEVICE, "a worker answered without a record");
    return ending.status;
}

static ndft_status run_away(job *e, ndft_error *err)
{
    const volatile sig_atomic_t *interrupted = e->options->timing.interrupted;
    for (tidy(e); e->n && !e->refused; tidy(e)) {
        if (interrupted && *interrupted) return ndft_fail(err, NDFT_EINTR, "interrupted");
        NDFT_TRY(take_turn(e, err));
    }
    return e->refused ? ndft_fail(err, NDFT_EIO, "a record could not be kept") : NDFT_OK;
}

/* What a group is asked for with, whichever of its candidates are run. */
typedef struct wish {
    ndft_isolate *isolate;
    const ndft_work *work;
    ndft_group_options options;
    const ndft_run *run;
} wish;

/* In the worker that there is, or in those that follow it. */
static ndft_status run_once(const wish *slip, const ndft_candidate *candidates, int n,
                            const ndft_record_sink *sink, ndft_error *err)
{
    job e = {.isolate = slip->isolate,
             .slot = find_slot(slip->isolate, slip->work->backend),
             .work = slip->work,
             .options = &slip->options,
             .run = slip->run,
             .sink = sink,
             .left = malloc((size_t)n * sizeof *candidates),
             .n = n};
    if (!e.left) return ndft_fail(err, NDFT_ENOMEM, "no memory for a group");
    memcpy(e.left, candidates, (size_t)n * sizeof *candidates);
    ndft_status status = run_away(&e, err);
    free(e.left);
    return status;
}

/* In a worker of its own. */
static ndft_status run_afresh(void *context, const ndft_candidate *candidates, int n,
                              const ndft_record_sink *sink, ndft_error *err)
{
    const wish *slip = context;
    slot *h = find_slot(slip->isolate, slip->work->backend);
    if (h->process.pid) ndft_process_end(&h->process, patience_s);
    return run_once(slip, candidates, n, sink, err);
}

/* A group that runs in this process. */
typedef struct own_group {
    const ndft_run *run;
    const ndft_record_sink *sink;
    ndft_heartbeat heartbeat;
} own_group;

static void take_own(void *context, const ndft_result *result)
{
    const own_group *g = context;
    json_t *record = record_of(g->run, result, ndft_worker_phase(&g->heartbeat, result));
    g->sink->take(g->sink->context, record);
    json_decref(record);
}

ndft_status ndft_isolate_run(ndft_isolate *isolate, const ndft_work *work,
                             const ndft_candidate *candidates, int n,
                             const ndft_group_options *options, const ndft_run *run,
                             const ndft_record_sink *sink, ndft_error *err)
{
    wish slip = {isolate, work, *options, run};
    slip.options.processes = isolate->options.processes;
    if (isolate->options.in_process || work->backend->missing()) {
        own_group own = {.run = run, .sink = sink};
        return ndft_worker_run(work, candidates, n, &slip.options, &own.heartbeat,
                               &(ndft_sink){take_own, &own}, err);
    }
    if (slip.options.processes < 2) return run_once(&slip, candidates, n, sink, err);
    return ndft_several_run(&(ndft_once){run_afresh, &slip}, slip.options.processes, candidates, n,
                            work->problem.seed, sink, err);
}
