/* SPDX-License-Identifier: Apache-2.0 */
#include "objects.h"

#include <string.h>

static _Thread_local ndft_error last;

const char *ndft_message(void) { return last.message; }

ndft_error *ndft_thread_error(void) { return &last; }

ndft_status ndft_tell(const ndft_error *err)
{
    last = *err;
    return err->status;
}

static bool all_zero(const char *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++)
        if (bytes[i]) return false;
    return true;
}

ndft_status ndft_take_options(const char *name, const void *theirs, void *mine, size_t size)
{
    memset(mine, 0, size);
    if (!theirs) return NDFT_OK;
    enum { MOST = 1 << 16 }; /* of any release: more is no size */
    const size_t given = *(const size_t *)theirs;
    if (given < sizeof(size_t) || given > MOST)
        return ndft_fail(&last, NDFT_EINVAL, "%s: struct_size is %zu; it is sizeof, %zu here", name,
                         given, size);
    if (given > size && !all_zero((const char *)theirs + size, given - size))
        return ndft_fail(
            &last, NDFT_EINVAL,
            "%s: struct_size is %zu, of a later release; this one knows %zu bytes, and "
            "what is beyond them is not zero",
            name, given, size);
    memcpy(mine, theirs, given < size ? given : size);
    return NDFT_OK;
}

#define TEXT_OF(number) #number
#define VERSION(major, minor, patch) TEXT_OF(major) "." TEXT_OF(minor) "." TEXT_OF(patch)

const char *ndft_version(void)
{
    return VERSION(NDFT_VERSION_MAJOR, NDFT_VERSION_MINOR, NDFT_VERSION_PATCH);
}
