/* SPDX-License-Identifier: Apache-2.0 */
#include "support.h"

#include "cli/resume.h"
#include "device/backend.h"

/* A record file that a sweep goes on with, whatever is in it: lines are passed over, the build or
 * the device refused with a line, or it is taken. */

static const ndft_device device = {.backend = "cpu", .slug = "slug", .driver = "driver"};

static void check_fit(const ndft_resume *r)
{
    ndft_candidate candidate = ndft_candidate_of(&ndft_registry[0]);
    ndft_work item = {.candidates = &candidate, .n = 1};
    const ndft_workload load = {.items = &item, .size = 1, .candidates = 1};
    const ndft_run run = {.devices = {&device}};
    ndft_error err = {0};
    const ndft_status status = ndft_resume_fits(r, &load, &run, &err);
    if (status != NDFT_OK) fuzz_refused(status, NDFT_EINVAL, &err);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *path = fuzz_file("records.jsonl", data, size);
    for (int retry = 0; retry < 2; retry++) {
        ndft_resume r;
        ndft_error err = {0};
        fuzz_holds(ndft_resume_read(path, retry, &r, &err) == NDFT_OK, "%s", err.message);
        check_fit(&r);
        const char *key;
        json_t *record;
        json_object_foreach(r.finished, key, record)
            fuzz_holds(ndft_resume_find(&r, key), "lost: %s", key);
        ndft_resume_free(&r);
    }
    return 0;
}
