/* SPDX-License-Identifier: Apache-2.0 */
#include "workers.h"

#include "base/words.h"
#include "child.h"
#include "records/log.h"

#include <omp.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_WORKERS = 64, MOST_ARGUMENTS = 40, PATH = 560 };

typedef struct worker {
    ndft_child child;
    char file[PATH], shard[24], variable[96];
} worker;

static bool is_cpu(const ndft_backend *backend) { return !backend->pin; }

/* Asked of another process: to open a device would keep memory of each in this one. */
static ndft_status count_devices(const ndft_backend *backend, int *n, ndft_error *err)
{
    static const char *const as_it_is[] = {NULL};
    char name[] = "ndft", verb[] = "worker", count[] = "count", place[32];
    char *argv[] = {name, verb, place, count, NULL};
    ndft_child child;
    snprintf(place, sizeof place, "%s", backend->name);
    NDFT_TRY(ndft_child_start(argv, as_it_is, &child, err));
    const bool told = fscanf(child.out, "%d", n) == 1;
    if (!ndft_child_end(&child) && told) return NDFT_OK;
    return ndft_fail(err, NDFT_EDEVICE, "devices of %s could not be counted", backend->name);
}

ndft_status ndft_workers_parse(const char *text, const ndft_backend *backend, int *n,
                               ndft_error *err)
{
    uint64_t asked = 0;
    int most = MOST_WORKERS;
    const bool numbered = !strncmp(text, "auto:", 5);
    if (!numbered && strcmp(text, "auto") != 0)
        return ndft_fail(err, NDFT_EINVAL, "--shard '%s'; I/N, auto or auto:N", text);
    if (is_cpu(backend) && !numbered)
        return ndft_fail(err, NDFT_EINVAL,
                         "--shard auto is of GPUs; a processor is as many as one says, nearest: "
                         "--shard auto:2");
    if (!is_cpu(backend)) NDFT_TRY(count_devices(backend, &most, err));
    *n = most;
    if (!numbered) return NDFT_OK;
    if (ndft_whole_parse(text + 5, &asked) || asked < 1 || asked > (uint64_t)most)
        return ndft_fail(err, NDFT_EINVAL, "--shard %s; 1 to %d workers of %s, nearest: auto:%d",
                         text, most, backend->name, asked ? most : 1);
    *n = (int)asked;
    return NDFT_OK;
}

/* The device that a worker is to see: one of those that this process does. */
static void find_device(int i, char *name, size_t size)
{
    const char *seen = getenv("CUDA_VISIBLE_DEVICES");
    for (int skip = i; seen && *seen && skip > 0; skip--) {
        seen += strcspn(seen, ",");
        seen += *seen == ',';
    }
    if (seen && *seen)
        snprintf(name, size, "%.*s", (int)strcspn(seen, ","), seen);
    else
        snprintf(name, size, "%d", i);
}

static void set_up(const ndft_workers *all, int i, worker *w)
{
    char device[64];
    const int share = omp_get_max_threads() / all->n;
    find_device(i, device, sizeof device);
    if (is_cpu(all->backend))
        snprintf(w->variable, sizeof w->variable, "OMP_NUM_THREADS=%d", share ? share : 1);
    else
        snprintf(w->variable, sizeof w->variable, "CUDA_VISIBLE_DEVICES=%s", device);
    snprintf(w->shard, sizeof w->shard, "%d/%d", i + 1, all->n);
    snprintf(w->file, sizeof w->file, "%.*s-shard-%d-of-%d.jsonl", (int)strlen(all->output) - 6,
             all->output, i + 1, all->n);
}

static ndft_status start(const ndft_workers *all, int i, worker *w, ndft_error *err)
{
    const char *argv[MOST_ARGUMENTS] = {"ndft", "sweep", "--shard", w->shard, "-o", w->file};
    const char *const set[] = {w->variable, NULL};
    int n = 6;
    set_up(all, i, w);
    argv[n++] = "--force";
    for (const char *const *a = all->argument; *a && n < MOST_ARGUMENTS - 1; a++) argv[n++] = *a;
    return ndft_child_start((char *const *)(size_t)argv, set, &w->child, err);
}

static bool end(const ndft_workers *all, int i, worker *w)
{
    const int code = ndft_child_end(&w->child);
    if (code)
        fprintf(stderr, "ndft: worker %d of %d ended with %s %d\n", i + 1, all->n,
                code > 128 ? "signal" : "exit code", code > 128 ? code - 128 : code);
    return code == 0;
}

/* Lines on their way into the file of all. */
typedef struct joining {
    ndft_log log;
    ndft_status status;
    ndft_error *err;
} joining;

static void take(void *context, const json_t *line)
{
    joining *j = context;
    if (j->status == NDFT_OK) j->status = ndft_log_write(&j->log, json_deep_copy(line), j->err);
}

/* A worker that wrote nothing has no file. */
static ndft_status join(const ndft_workers *all, const worker *workers, ndft_error *err)
{
    joining j = {.err = err};
    ndft_error ignored;
    NDFT_TRY(ndft_log_open(all->output, all->force ? NDFT_LOG_REPLACE : NDFT_LOG_NEW, &j.log, err));
    for (int i = 0; i < all->n && j.status == NDFT_OK; i++)
        if (!access(workers[i].file, F_OK)) ndft_log_read(workers[i].file, take, &j, &ignored);
    ndft_log_close(&j.log);
    for (int i = 0; i < all->n && j.status == NDFT_OK; i++) (void)unlink(workers[i].file);
    return j.status;
}

/* Before hours of work: a file that may not be written is refused. */
static ndft_status check_output(const ndft_workers *all, ndft_error *err)
{
    ndft_log log;
    NDFT_TRY(ndft_log_open(all->output, all->force ? NDFT_LOG_APPEND : NDFT_LOG_NEW, &log, err));
    ndft_log_close(&log);
    return NDFT_OK;
}

ndft_status ndft_workers_run(const ndft_workers *all, bool *failed, ndft_error *err)
{
    worker *workers = calloc((size_t)all->n, sizeof *workers);
    ndft_status status =
        workers ? check_output(all, err) : ndft_fail(err, NDFT_ENOMEM, "no memory for workers");
    int started = 0;
    while (status == NDFT_OK && started < all->n) {
        status = start(all, started, &workers[started], err);
        started += status == NDFT_OK;
    }
    for (int i = 0; i < started; i++) *failed |= !end(all, i, &workers[i]);
    if (status == NDFT_OK) status = join(all, workers, err);
    free(workers);
    return status;
}
