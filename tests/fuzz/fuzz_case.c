/* SPDX-License-Identifier: Apache-2.0 */
#include "support.h"

#include "case/case.h"
#include "case/suite.h"

#include <stdlib.h>
#include <string.h>

/* A case that parses prints as a line that parses to the same, bit for bit, and as a line of a
 * suite stands for itself alone. */

static void as_suite_line(const ndft_case *c, const char *line)
{
    ndft_suite suite = {0};
    ndft_error err = {0};
    const ndft_status status = ndft_suite_add(&suite, line, "line", &err);
    if (status != NDFT_OK) fuzz_refused(status, NDFT_EINVAL, &err);
    for (size_t i = 0; i < suite.size; i++)
        fuzz_holds(!memcmp(&suite.items[i].problem, c, sizeof *c), "another in a suite: %s", line);
    ndft_suite_free(&suite);
}

static void round_trip(const ndft_case *c)
{
    char line[NDFT_CASE_MAX];
    ndft_case again;
    ndft_error err = {0};
    const int length = ndft_case_print(c, line, sizeof line);
    fuzz_holds(length > 0 && length < NDFT_CASE_MAX, "%d characters of a case", length);
    fuzz_holds(ndft_case_parse(line, &again, &err) == NDFT_OK, "%s: %s", line, err.message);
    fuzz_holds(!memcmp(&again, c, sizeof *c), "another case after printing: %s", line);
    as_suite_line(c, line);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = fuzz_text(data, size);
    ndft_case c;
    ndft_error err = {0};
    const ndft_status status = ndft_case_parse(text, &c, &err);
    if (status == NDFT_OK)
        round_trip(&c);
    else
        fuzz_holds(status == NDFT_EINVAL && err.message[0], "no reason: %s", text);
    free(text);
    return 0;
}
