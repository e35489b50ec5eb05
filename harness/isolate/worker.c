/* SPDX-License-Identifier: Apache-2.0 */
#include "worker.h"

#include "base/memory.h"
#include "base/proc.h"
#include "channel.h"
#include "request.h"
#include "shared_state.h"

#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

/* What the process has mapped for writing so far counts, too. */
static void limit_memory(void)
{
    struct rlimit limit;
    const long long held_kib = ndft_proc_field("/proc/self/status", "VmData", 10);
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

static bool take(void *context, json_t *record)
{
    const ndft_channel *parent = context;
    return ndft_channel_send(parent, json_incref(record)); /* a parent that is gone has killed us */
}

static ndft_status run(const json_t *request, const ndft_backend *backend,
                       ndft_shared_state *shared, ndft_channel *parent, ndft_error *err)
{
    ndft_work work;
    ndft_run run;
    ndft_group_options options = shared->options;
    options.timing.interrupted = &shared->heartbeat.stop;
    if (!strcmp(backend->name, "cpu")) limit_memory();
    ndft_status status = ndft_request_parse(request, backend, &work, &run, err);
    if (status == NDFT_OK)
        status = ndft_here_run(&work, work.candidates, work.n, &options, &run, &shared->heartbeat,
                               &(ndft_record_sink){take, parent}, err);
    ndft_request_free(&work);
    return status;
}

static bool answer(const ndft_channel *parent, const char *what, ndft_status status,
                   const ndft_error *err)
{
    return ndft_channel_send(parent, json_pack("{s:i, s:s}", what, (int)status, "message",
                                               status == NDFT_OK ? "" : err->message));
}

static int serve(const ndft_backend *backend, ndft_shared_state *shared, ndft_channel *parent)
{
    ndft_error err = {0};
    json_t *request;
    ndft_status status = ndft_here_describe(backend, &shared->place, &err);
    bool heard = answer(parent, "ready", status, &err);
    while (heard && ndft_channel_receive(parent, -1, &request) == NDFT_MESSAGE) {
        status = run(request, backend, shared, parent, &err);
        json_decref(request);
        heard = answer(parent, "done", status, &err);
    }
    return EXIT_SUCCESS;
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
    ndft_channel channel = {.fd = NDFT_WORKER_SOCKET};
    int code = serve(backend, shared, &channel);
    ndft_channel_close(&channel);
    ndft_shared_state_free(shared);
    return code;
}
