/* SPDX-License-Identifier: Apache-2.0 */
#include "elsewhere.h"

#include "base/words.h"
#include "model.h"

#include <stdio.h>
#include <string.h>

/* What one block may ask for where nothing else is said, and what memory there is. */
enum { SHARED = 227 << 10, USUAL_GB = 80 };

/* Takes one NAME=NUMBER; word is cut behind its name. */
static ndft_status set(ndft_device *d, char *word, ndft_error *err)
{
    uint64_t value = 0;
    const bool has_capability = d->capability > 0;
    char *equals = strchr(word, '=');
    if (!equals || ndft_whole_parse(equals + 1, &value) || !value || value > 1000000)
        return ndft_fail(err, NDFT_EINVAL, "--on: '%.60s' is no NAME=NUMBER", word);
    *equals = 0;
    if (!strcmp(word, "units"))
        d->units = (int)value;
    else if (!strcmp(word, "mhz"))
        d->clock_mhz = (double)value;
    else if (!strcmp(word, "gb"))
        d->memory_bytes = (size_t)value << 30;
    else if (!strcmp(word, "gbs"))
        d->bytes_s = 1e9 * (double)value;
    else if (!strcmp(word, "capability") && has_capability)
        d->capability = d->code = (int)value;
    else
        return ndft_fail(err, NDFT_EINVAL, "--on: there is no '%s'; units, mhz, gb, gbs%s", word,
                         has_capability ? " and capability" : "");
    return NDFT_OK;
}

ndft_status ndft_elsewhere_parse(const char *text, ndft_device *device, ndft_error *err)
{
    char words[256], *rest = NULL;
    if (snprintf(words, sizeof words, "%s", text) >= (int)sizeof words)
        return ndft_fail(err, NDFT_EINVAL, "--on has %zu characters; %zu at most", strlen(text),
                         sizeof words - 1);
    const char *backend = strtok_r(words, ":", &rest);
    if (!backend || (strcmp(backend, "cpu") != 0 && strcmp(backend, "cuda") != 0))
        return ndft_fail(err, NDFT_EINVAL, "--on '%.60s' is no backend; cpu or cuda", text);
    *device = *ndft_model_device(&(ndft_device){.backend = backend});
    device->memory_bytes = (size_t)USUAL_GB << 30;
    device->code = device->capability;
    if (device->capability) device->shared_bytes = SHARED;
    for (char *word; (word = strtok_r(NULL, ",", &rest));) NDFT_TRY(set(device, word, err));
    snprintf(device->slug, sizeof device->slug, "%.63s", text);
    return NDFT_OK;
}
