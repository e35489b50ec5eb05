/* SPDX-License-Identifier: Apache-2.0 */
#include "elsewhere.h"

#include "base/words.h"
#include "harness.h"
#include "model.h"

#include <stdio.h>
#include <string.h>

/* What one block may ask for where nothing else is said, and what memory there is. */
enum { SHARED = 227 << 10, USUAL_GB = 80 };

static ndft_status set(ndft_device *d, const char *word, ndft_error *err)
{
    uint64_t value = 0;
    const size_t name = strcspn(word, "=");
    const struct {
        const char *name;
        bool known;
    } of[] = {{"units", true},
              {"mhz", true},
              {"gb", true},
              {"gbs", true},
              {"capability", d->capability > 0}};
    if (!word[name] || ndft_whole_parse(word + name + 1, &value) || !value || value > 1000000)
        return ndft_fail(err, NDFT_EINVAL, "--on: '%.60s' is no NAME=NUMBER", word);
    for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
        if (!of[i].known || strlen(of[i].name) != name || strncmp(of[i].name, word, name)) continue;
        if (i == 0) d->units = (int)value;
        if (i == 1) d->clock_mhz = (double)value;
        if (i == 2) d->memory_bytes = (size_t)value << 30;
        if (i == 3) d->bytes_s = 1e9 * (double)value;
        if (i == 4) d->capability = d->code = (int)value;
        return NDFT_OK;
    }
    return ndft_fail(err, NDFT_EINVAL, "--on: there is no '%.*s'; units, mhz, gb, gbs%s", (int)name,
                     word, d->capability > 0 ? " and capability" : "");
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
    *device = *ndft_model_device(backend);
    device->memory_bytes = (size_t)USUAL_GB << 30;
    device->code = device->capability;
    if (device->capability) device->shared_bytes = SHARED;
    for (const char *word; (word = strtok_r(NULL, ",", &rest));) NDFT_TRY(set(device, word, err));
    snprintf(device->slug, sizeof device->slug, "%.63s", text);
    return NDFT_OK;
}
