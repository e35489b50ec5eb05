/* SPDX-License-Identifier: Apache-2.0 */
#include "support.h"

#include "naming/filter.h"

#include <stdlib.h>
#include <string.h>

/* An expression chooses a variant at least, or is refused with a reason that is one line, in little
 * time and memory. */

static int chosen(const ndft_filter *filter)
{
    int count = 0;
    for (int i = 0; i < ndft_registry_size; i++)
        count += ndft_filter_match(filter, &ndft_registry[i]);
    return count;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = fuzz_text(data, size);
    text[strcspn(text, "\n")] = '\0'; /* an expression is a word */
    ndft_filter filter;
    ndft_error err = {0};
    const ndft_status status = ndft_filter_open(text, &filter, &err);
    if (status == NDFT_OK) {
        fuzz_holds(chosen(&filter) > 0, "nothing chosen by '%s'", text);
        ndft_filter_close(&filter);
    } else {
        fuzz_refused(status, NDFT_EINVAL, &err);
    }
    free(text);
    return 0;
}
