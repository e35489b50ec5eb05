/* SPDX-License-Identifier: Apache-2.0 */
#include "record.h"

#include "base/now.h"
#include "base/text.h"
#include "fields.h"
#include "harness.h"
#include "libraries.h"
#include "measure/timing_version.h"

#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

/* The first and last lines of a run: what was built, where it ran, how it ended. */

/* Runs that many machines begin in the same second have ids of their own all the same. */
static unsigned draw(void)
{
    unsigned drawn;
    if (getrandom(&drawn, sizeof drawn, GRND_NONBLOCK) == sizeof drawn) return drawn;
    return (unsigned)getpid();
}

void ndft_run_begin(ndft_run *run)
{
    time_t now = time(NULL);
    struct tm utc;
    strftime(run->utc, sizeof run->utc, "%Y%m%dT%H%M%SZ", gmtime_r(&now, &utc));
    snprintf(run->id, sizeof run->id, "%s-%08x", run->utc, draw());
    run->start = ndft_now_s();
}

/* The part of path below the working directory, else its last part. */
static const char *relative(const char *path)
{
    char cwd[4096];
    size_t length = getcwd(cwd, sizeof cwd) ? strlen(cwd) : 0;
    if (length > 1 && !strncmp(path, cwd, length) && path[length] == '/') return path + length + 1;
    const char *slash = strrchr(path, '/');
    return slash[1] ? slash + 1 : "";
}

void ndft_relative_argument(const char *argument, char *text, size_t size)
{
    static const char ends[] = "=:,{} \t";
    ndft_text line = ndft_text_in(text, size);
    while (*argument && line.used + 1 < size) {
        size_t length = strcspn(argument, ends);
        char word[4096];
        snprintf(word, sizeof word, "%.*s", (int)length, argument);
        ndft_text_add(&line, "%s%.1s", *word == '/' ? relative(word) : word, argument + length);
        argument += length + (argument[length] != 0);
    }
}

static json_t *argv_json(int argc, char **argv)
{
    json_t *array = json_array();
    for (int i = 0; i < argc; i++) {
        char text[4096];
        ndft_relative_argument(argv[i], text, sizeof text);
        json_array_append_new(array, json_string(text));
    }
    return array;
}

static json_t *build_json(void)
{
    const ndft_build_facts *b = &ndft_build_info;
    return json_pack("{s:s, s:s, s:b, s:s, s:s?, s:s, s:s}", "version", b->version, "commit",
                     b->commit, "dirty", b->dirty, "cc", b->cc, "nvcc", *b->nvcc ? b->nvcc : NULL,
                     "flags", b->flags, "type", b->type);
}

static json_t *device_json(const ndft_device *d)
{
    json_t *json =
        json_pack("{s:s, s:s, s:i, s:I, s:I, s:o?}", "name", d->name, "slug", d->slug, "units",
                  d->units, "memory_bytes", (json_int_t)d->memory_bytes, "l2_bytes",
                  (json_int_t)d->l2_bytes, "driver", ndft_field_of_text(d->driver));
    json_t *more = strcmp(d->backend, "cpu")
                       ? json_pack("{s:i, s:I, s:o?, s:o?}", "capability", d->capability,
                                   "shared_bytes", (json_int_t)d->shared_bytes, "clock_mhz",
                                   d->clock_mhz > 0 ? json_real(d->clock_mhz) : NULL, "bytes_s",
                                   d->bytes_s > 0 ? json_real(d->bytes_s) : NULL)
                       : json_pack("{s:s, s:o?}", "isa", ndft_isa_name(d->isa), "wait_policy",
                                   ndft_field_of_text(getenv("OMP_WAIT_POLICY")));
    json_object_update_new(json, more);
    return json;
}

json_t *ndft_record_run(const ndft_run *run)
{
    json_t *devices = json_object();
    for (int i = 0; run->devices[i]; i++)
        json_object_set_new(devices, run->devices[i]->backend, device_json(run->devices[i]));
    return json_pack("{s:s, s:s, s:s, s:s, s:s, s:o, s:i, s:o, s:i, s:o, s:o, s:o}", "type", "run",
                     "schema", "ndft-results/2", "run", run->id, "started_utc", run->utc, "suite",
                     run->suite, "argv", argv_json(run->argc, run->argv), "plan_cases",
                     run->plan_cases, "seed", run->seed < 0 ? json_null() : json_integer(run->seed),
                     "timing_version", NDFT_TIMING_VERSION, "build", build_json(), "libraries",
                     ndft_libraries(), "devices", devices);
}

json_t *ndft_record_end(const ndft_run *run, bool interrupted)
{
    json_t *end =
        json_pack("{s:s, s:s, s:b}", "type", "end", "run", run->id, "interrupted", interrupted);
    for (int v = 0; v < NDFT_N_VERDICTS; v++)
        json_object_set_new(end, ndft_verdict_name((ndft_verdict)v),
                            json_integer(run->verdicts[v]));
    json_object_set_new(end, "wall_s", json_real(ndft_now_s() - run->start));
    return end;
}
