/* SPDX-License-Identifier: Apache-2.0 */
#include "supervise.h"

#include "base/now.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>

enum { TICK_MS = 100 };
static const double longest_tick_s = 1, patience_s = 10, largest_reference = 0x1p28;

/* How long a worker has been silent. */
typedef struct silence {
    ndft_heartbeat_reading last;
    double seconds, looked;
} silence;

static silence begin_silence(const ndft_process *process)
{
    return (silence){.last = ndft_heartbeat_read(&process->shared->heartbeat),
                     .looked = ndft_now_s()};
}

/* A tick that took long was not the worker's fault: this process was stopped, or the disk slow. */
static void listen(silence *s, const ndft_process *process, bool spoke)
{
    double now = ndft_now_s();
    ndft_heartbeat_reading beat = ndft_heartbeat_read(&process->shared->heartbeat);
    spoke |= beat.number != s->last.number;
    s->seconds = spoke ? 0 : s->seconds + fmin(now - s->looked, longest_tick_s);
    s->looked = now;
    s->last = beat;
}

static double patience(const ndft_heartbeat_reading *beat, const ndft_case *problem,
                       double deadline_s)
{
    if (beat->candidate >= 0) return fmax(deadline_s, 20 * beat->expected_s); /* NaN: deadline_s */
    double pairs = (double)problem->m;
    for (int d = 0; d < problem->dim; d++) pairs *= (double)problem->n[d];
    if (problem->op != NDFT_NORMAL) pairs = fmin(pairs, largest_reference);
    return 10 * deadline_s + 1e-7 * pairs * problem->coils;
}

static ndft_ending post_mortem(ndft_process *process, ndft_heartbeat_reading last)
{
    ndft_ending ending = {.died = true, .verdict = NDFT_CRASHED, .last = last};
    int status = ndft_process_end(process, patience_s);
    if (WIFSIGNALED(status))
        snprintf(ending.how, sizeof ending.how, "signal %d (%s)", WTERMSIG(status),
                 strsignal(WTERMSIG(status)));
    else
        snprintf(ending.how, sizeof ending.how, "exit with status %d", WEXITSTATUS(status));
    return ending;
}

static ndft_ending kill_silent(ndft_process *process, const silence *s, double allowed)
{
    ndft_ending ending = {.died = true, .verdict = NDFT_TIMEOUT, .last = s->last};
    ndft_process_end(process, 0);
    snprintf(ending.how, sizeof ending.how, "no sign of life for %.3g s", allowed);
    return ending;
}

static ndft_ending kill_in_vain(ndft_process *process, ndft_error *err)
{
    ndft_process_end(process, 0);
    return (ndft_ending){.status = ndft_fail(err, NDFT_EIO, "a record could not be kept")};
}

static ndft_status status_of(const ndft_answer *answer, ndft_error *err)
{
    if (answer->error.status != NDFT_OK) *err = answer->error;
    return answer->error.status;
}

ndft_ending ndft_supervise(ndft_process *process, const ndft_case *problem, double deadline_s,
                           const volatile sig_atomic_t *interrupted, const ndft_answer_sink *sink,
                           ndft_error *err)
{
    silence s = begin_silence(process);
    ndft_answer answer;
    while (true) {
        if (interrupted && *interrupted) process->shared->heartbeat.stop = 1;
        ndft_received got = ndft_channel_receive(process->socket, TICK_MS, &answer, sizeof answer);
        listen(&s, process, got == NDFT_MESSAGE);
        double allowed = patience(&s.last, problem, deadline_s);
        if (got == NDFT_GONE) return post_mortem(process, s.last);
        if (s.seconds > allowed) return kill_silent(process, &s, allowed);
        if (got != NDFT_MESSAGE) continue;
        if (answer.what == NDFT_DONE) return (ndft_ending){.status = status_of(&answer, err)};
        if (!sink->take(sink->context, &answer)) return kill_in_vain(process, err);
    }
}

ndft_ending ndft_supervise_start(ndft_process *process, double deadline_s, ndft_error *err)
{
    silence s = begin_silence(process);
    ndft_ending ending = {.status = NDFT_OK};
    ndft_answer answer;
    while (s.seconds <= 10 * deadline_s) {
        ndft_received got = ndft_channel_receive(process->socket, TICK_MS, &answer, sizeof answer);
        listen(&s, process, false);
        if (got == NDFT_GONE) return post_mortem(process, s.last);
        if (got != NDFT_MESSAGE) continue;
        ending.status = status_of(&answer, err);
        if (ending.status != NDFT_OK) ndft_process_end(process, patience_s);
        return ending;
    }
    ndft_process_end(process, 0);
    ending.status =
        ndft_fail(err, NDFT_EDEVICE, "a worker was not ready within %g s", 10 * deadline_s);
    return ending;
}
