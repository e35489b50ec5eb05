/* SPDX-License-Identifier: Apache-2.0 */
#include "stream.h"

#include <errno.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>

ndft_status ndft_stream_folders(const char *path, ndft_error *err)
{
    const char *slash = strchr(path + strspn(path, "/"), '/');
    for (; slash; slash = strchr(slash + 1, '/')) {
        char folder[PATH_MAX];
        snprintf(folder, sizeof folder, "%.*s", (int)(slash - path), path);
        if (mkdir(folder, 0777) && errno != EEXIST)
            return ndft_fail(err, NDFT_EIO, "%s: %s", folder, strerror(errno));
    }
    return NDFT_OK;
}

ndft_status ndft_stream_open(const char *path, const char *mode, FILE **file, ndft_error *err)
{
    *file = fopen(path, mode);
    if (*file) return NDFT_OK;
    return ndft_fail(err, NDFT_EIO, "%s: %s", path, strerror(errno));
}

ndft_status ndft_stream_read_array(FILE *file, const char *path, ndft_arena *arena, ndft_array *a,
                                   ndft_error *err)
{
    struct stat info;
    long start = ftell(file);
    if (start < 0 || fstat(fileno(file), &info))
        return ndft_fail(err, NDFT_EIO, "%s: %s", path, strerror(errno));
    int64_t count = ndft_array_count(a), found = info.st_size - start;
    size_t size = ndft_element_size(a->element);
    if (found != count * (int64_t)size)
        return ndft_fail(err, NDFT_EINVAL,
                         "%s: %s: %lld bytes of data expected by its header, %lld found", path,
                         found < count * (int64_t)size ? "cut short" : "trailing bytes",
                         (long long)count * (long long)size, (long long)found);
    a->data = ndft_arena_alloc(arena, path, count, size, err);
    if (!a->data) return NDFT_ENOMEM;
    if (fread(a->data, size, (size_t)count, file) == (size_t)count) return NDFT_OK;
    return ndft_fail(err, NDFT_EIO, "%s: %s", path, strerror(errno));
}
