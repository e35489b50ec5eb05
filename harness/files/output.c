/* SPDX-License-Identifier: Apache-2.0 */
#include "output.h"

#include "base/regular.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LONGEST_KIND = 16 };

ndft_status ndft_output_allowed(const char *path, const char *kind, ndft_error *err)
{
    char start[LONGEST_KIND];
    FILE *file = kind ? ndft_open_regular(path) : NULL;
    if (!file) return NDFT_OK;
    size_t got = fread(start, 1, strlen(kind), file);
    fclose(file);
    if (!memcmp(start, kind, got)) return NDFT_OK;
    return ndft_fail(err, NDFT_EINVAL,
                     "%s is a file of another kind, and is not replaced; choose another name",
                     path);
}

static ndft_status io_error(const ndft_output *o, ndft_error *err)
{
    return ndft_fail(err, NDFT_EIO, "%s: cannot write: %s", o->path, strerror(errno));
}

/* Where a link leads, so that the file is replaced and not the link. */
static void resolve(const char *path, ndft_output *o)
{
    if (!realpath(path, o->path)) snprintf(o->path, sizeof o->path, "%s", path);
}

ndft_status ndft_output_open(const char *path, const char *kind, ndft_output *o, ndft_error *err)
{
    struct stat info;
    if (strlen(path) + 32 > sizeof o->path)
        return ndft_fail(err, NDFT_EINVAL, "the file name '%.60s...' is too long", path);
    NDFT_TRY(ndft_output_allowed(path, kind, err));
    resolve(path, o);
    bool direct = stat(o->path, &info) == 0 && !S_ISREG(info.st_mode);
    o->part[0] = 0;
    if (!direct)
        snprintf(o->part, sizeof o->part, "%.*s.part-%ld", PATH_MAX - 32, o->path, (long)getpid());
    int flags = O_WRONLY | O_CLOEXEC | (direct ? 0 : O_CREAT | O_EXCL);
    int fd = open(direct ? o->path : o->part, flags, 0666);
    if (fd < 0) return io_error(o, err);
    o->file = fdopen(fd, "wb");
    return o->file ? NDFT_OK : io_error(o, err);
}

/* Whether all of it is on the disk; a pipe cannot be synced. */
static bool finish(ndft_output *o)
{
    bool whole = !ferror(o->file) && !fflush(o->file);
    if (whole) whole = !fsync(fileno(o->file)) || errno == EINVAL;
    int why = errno;
    if (fclose(o->file) && whole) return false;
    errno = why;
    return whole;
}

ndft_status ndft_output_close(ndft_output *o, ndft_error *err)
{
    if (finish(o) && (!o->part[0] || !rename(o->part, o->path))) return NDFT_OK;
    ndft_status status = io_error(o, err);
    if (o->part[0]) unlink(o->part);
    return status;
}

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

ndft_status ndft_stream_open(const char *path, FILE **file, ndft_error *err)
{
    *file = ndft_open_regular(path);
    if (*file) return NDFT_OK;
    return ndft_fail(err, NDFT_EIO, "%s: %s", path,
                     errno == ESPIPE ? "a pipe or a device; a file is read" : strerror(errno));
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
