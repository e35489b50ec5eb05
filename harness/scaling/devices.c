/* SPDX-License-Identifier: Apache-2.0 */
#include "devices.h"

#include "base/words.h"
#include "work.h"

#include <stdio.h>
#include <string.h>

static bool is_cpu(const ndft_backend *backend) { return !strcmp(backend->name, "cpu"); }

const char *ndft_device_name(const ndft_backend *backend, int device, char name[NDFT_DEVICE_NAME])
{
    snprintf(name, NDFT_DEVICE_NAME, is_cpu(backend) ? "%s" : "%s:%d", backend->name, device);
    return name;
}

/* How many there are, up to the most that a group takes. */
static int devices_of(const ndft_backend *backend)
{
    char name[NDFT_DEVICE_NAME];
    ndft_device *device;
    int n = is_cpu(backend) ? NDFT_MOST_PARTS : 0;
    for (; n < NDFT_MOST_PARTS; n++) {
        if (ndft_device_open(ndft_device_name(backend, n, name), NULL, &device) != NDFT_OK) break;
        ndft_device_close(device);
    }
    return n;
}

static ndft_status find_backend(const char *option, const char *name, const ndft_backend **backend,
                                ndft_error *err)
{
    NDFT_TRY(ndft_backend_check(name, err));
    if (!name) name = ndft_backend_find("cuda")->missing() ? "cpu" : "cuda";
    *backend = ndft_backend_find(name);
    const char *why = (*backend)->missing();
    return why ? ndft_fail(err, NDFT_EINVAL, "%s on %s: %s; nearest: --backend cpu", option, name,
                           why)
               : NDFT_OK;
}

static ndft_status parse_one(const char *option, const char *word, const ndft_backend *backend,
                             int most, int *number, ndft_error *err)
{
    uint64_t value = 0;
    const int parsed = ndft_whole_parse(word, &value);
    if (parsed < 0)
        return ndft_fail(err, NDFT_EINVAL, "%s '%s'; numbers of devices, as 1,2,4", option, word);
    if (parsed || value < 1 || value > (uint64_t)most)
        return ndft_fail(err, NDFT_EINVAL, "%s %s; 1 to %d of %s, nearest: %d", option, word, most,
                         backend->name, !parsed && value < 1 ? 1 : most);
    *number = (int)value;
    return NDFT_OK;
}

ndft_status ndft_devices_parse(const char *option, const char *text, const char *name,
                               const ndft_backend **backend, int numbers[NDFT_MOST_NUMBERS], int *n,
                               ndft_error *err)
{
    NDFT_TRY(find_backend(option, name, backend, err));
    const int most = devices_of(*backend);
    for (*n = 0;; text++) {
        char word[24];
        const int length = (int)strcspn(text, ",");
        snprintf(word, sizeof word, "%.*s", length, text);
        if (*n == NDFT_MOST_NUMBERS)
            return ndft_fail(err, NDFT_EINVAL, "%s has more than %d numbers", option,
                             NDFT_MOST_NUMBERS);
        NDFT_TRY(parse_one(option, word, *backend, most, &numbers[(*n)++], err));
        text += length;
        if (!*text) return NDFT_OK;
    }
}
