/* SPDX-License-Identifier: Apache-2.0 */
#include "support.h"

#include "case/suite.h"

#include <string.h>

/* The items of a suite hold cases that round-trip; a refused suite is refused with its place, in a
 * line. The suite may include itself by its name, suite.ndft, and no file elsewhere. */

enum { CHECKED = 1000 };

static void check_item(const ndft_item *item)
{
    char line[NDFT_CASE_MAX];
    ndft_case again;
    ndft_error err = {0};
    fuzz_holds(item->variants[0] && item->where[0], "an item without variants or place");
    ndft_case_print(&item->problem, line, sizeof line);
    fuzz_holds(ndft_case_parse(line, &again, &err) == NDFT_OK, "%s: %s", line, err.message);
    fuzz_holds(!memcmp(&again, &item->problem, sizeof again), "another after printing: %s", line);
    fuzz_holds(ndft_case_runs_no_code(&again, &err) == NDFT_OK, "would run code: %s", line);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    ndft_suite suite;
    ndft_error err = {0};
    const bool elsewhere = memmem(data, size, "include", 7) && memchr(data, '/', size);
    if (elsewhere) return 0;
    const char *path = fuzz_file("suite.ndft", data, size);
    const ndft_status status = ndft_suite_read(path, &suite, &err);
    for (size_t i = 0; i < suite.size && i < CHECKED; i++) check_item(&suite.items[i]);
    if (status != NDFT_OK) {
        fuzz_refused(status, status == NDFT_EIO ? NDFT_EIO : NDFT_EINVAL, &err);
        fuzz_holds(!strncmp(err.message, path, strlen(path)), "no place: %s", err.message);
    }
    ndft_suite_free(&suite);
    return 0;
}
