/* SPDX-License-Identifier: Apache-2.0 */
#include "support.h"

#include "descriptor.h"

#include <stdlib.h>
#include <string.h>

/* A descriptor that parses prints as one that parses to the same, stays within the 2^40 elements
 * that its strides may span, and a refused one is named, the nearest being valid. */

static void check(const ndft_transform *t, const char *text)
{
    char printed[512];
    ndft_transform again;
    ndft_error err = {0};
    const int length = ndft_descriptor_print(t, printed, sizeof printed);
    fuzz_holds(length > 0 && length < (int)sizeof printed, "%d characters of %s", length, text);
    fuzz_holds(ndft_descriptor_parse(printed, &again, &err) == NDFT_OK, "%s: %s", printed,
               err.message);
    fuzz_holds(!memcmp(&again, t, sizeof *t), "%s becomes %s", text, printed);
    const int64_t most = NDFT_MODES * ((int64_t)1 << 40);
    fuzz_holds(ndft_tensor_room(&t->in) > 0 && ndft_tensor_room(&t->in) <= most &&
                   ndft_tensor_room(&t->out) > 0 && ndft_tensor_room(&t->out) <= most,
               "no place for %s", text);
}

static void check_refusal(const char *text, const ndft_error *err)
{
    static const char nearest[] = "; nearest: ";
    fuzz_refused(err->status, NDFT_EINVAL, err);
    fuzz_holds(strpbrk(text, "\n") || strlen(text) > 300 || strstr(err->message, text),
               "not named: %s", err->message);
    const char *at = strstr(err->message, nearest);
    if (!at || strstr(text, nearest)) return;
    ndft_transform t;
    ndft_error inner = {0};
    fuzz_holds(ndft_descriptor_parse(at + strlen(nearest), &t, &inner) == NDFT_OK, "%s: %s",
               err->message, inner.message);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = fuzz_text(data, size);
    ndft_transform t;
    ndft_error err = {0};
    if (ndft_descriptor_parse(text, &t, &err) == NDFT_OK)
        check(&t, text);
    else
        check_refusal(text, &err);
    free(text);
    return 0;
}
