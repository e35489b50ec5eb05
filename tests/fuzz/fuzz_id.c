/* SPDX-License-Identifier: Apache-2.0 */
#include "support.h"

#include "id.h"

#include <stdlib.h>
#include <string.h>

/* An id that parses prints as one that parses to the same knobs. */

static void round_trip(const ndft_candidate *candidate, const char *text)
{
    char printed[NDFT_ID_MAX];
    ndft_candidate again;
    ndft_error err = {0};
    const int length = ndft_id_print(candidate, printed, sizeof printed);
    fuzz_holds(length > 0 && length < NDFT_ID_MAX, "%d characters of %s", length, text);
    fuzz_holds(ndft_id_parse(printed, &again, &err) == NDFT_OK, "%s: %s", printed, err.message);
    fuzz_holds(again.entry == candidate->entry &&
                   !memcmp(again.knobs, candidate->knobs, sizeof again.knobs),
               "%s becomes %s", text, printed);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = fuzz_text(data, size);
    ndft_candidate candidate;
    ndft_error err = {0};
    const ndft_status status = ndft_id_parse(text, &candidate, &err);
    if (status == NDFT_OK)
        round_trip(&candidate, text);
    else
        fuzz_holds(status == NDFT_EINVAL && err.message[0], "no reason: %s", text);
    free(text);
    return 0;
}
