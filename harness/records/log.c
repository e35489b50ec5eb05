/* SPDX-License-Identifier: Apache-2.0 */
#include "log.h"

#include "files/output.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

static ndft_status io_error(ndft_error *err, const char *path)
{
    return ndft_fail(err, NDFT_EIO, "%s: %s", path, strerror(errno));
}

static ndft_status mend_torn_line(ndft_log *log, ndft_error *err)
{
    char last = '\n';
    off_t size = lseek(log->fd, 0, SEEK_END);
    if (size > 0 && pread(log->fd, &last, 1, size - 1) != 1) return io_error(err, log->path);
    if (last != '\n' && write(log->fd, "\n", 1) != 1) return io_error(err, log->path);
    return NDFT_OK;
}

/* A file belongs to one sweep at a time; some file systems cannot say. */
static ndft_status claim(const ndft_log *log, ndft_error *err)
{
    if (flock(log->fd, LOCK_EX | LOCK_NB) && errno == EWOULDBLOCK)
        return ndft_fail(err, NDFT_EIO, "%s: another sweep is writing it", log->path);
    return NDFT_OK;
}

/* Every line of a record file, torn or not, begins an object in one way. */
static ndft_status check_kind(const ndft_log *log, ndft_error *err)
{
    static const char object[] = "{\"";
    char start[sizeof object] = "";
    ssize_t got = pread(log->fd, start, sizeof object - 1, 0);
    if (got < 0) return io_error(err, log->path);
    if (!strncmp(start, object, (size_t)got)) return NDFT_OK;
    return ndft_fail(err, NDFT_EINVAL, "%s is no record file; choose another name", log->path);
}

/* Treats what is there as the mode says. What is no regular file, such as a pipe, holds nothing. */
static ndft_status take_over(ndft_log *log, ndft_log_mode mode, ndft_error *err)
{
    struct stat info;
    if (fstat(log->fd, &info)) return io_error(err, log->path);
    if (!S_ISREG(info.st_mode) || !info.st_size) return NDFT_OK;
    NDFT_TRY(check_kind(log, err));
    if (mode == NDFT_LOG_NEW)
        return ndft_fail(err, NDFT_EINVAL,
                         "%s holds records already; --force replaces them (a sweep goes on with "
                         "them by --resume)",
                         log->path);
    if (mode == NDFT_LOG_APPEND) return mend_torn_line(log, err);
    return ftruncate(log->fd, 0) ? io_error(err, log->path) : NDFT_OK;
}

static ndft_status set_path(ndft_log *log, const char *path, const char *end, ndft_error *err)
{
    if (snprintf(log->path, sizeof log->path, "%s%s", path, end) >= (int)sizeof log->path)
        return ndft_fail(err, NDFT_EINVAL, "the file name '%.60s...' is too long", path);
    return ndft_stream_folders(log->path, err);
}

ndft_status ndft_log_open(const char *path, ndft_log_mode mode, ndft_log *log, ndft_error *err)
{
    struct stat info;
    NDFT_TRY(set_path(log, path, "", err));
    /* Who can read from a pipe never hears that its reader has gone. */
    bool regular = stat(path, &info) || S_ISREG(info.st_mode);
    int access = regular ? O_RDWR : O_WRONLY;
    log->fd = open(path, access | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    if (log->fd < 0) return io_error(err, path);
    ndft_status status = claim(log, err);
    if (status == NDFT_OK) status = take_over(log, mode, err);
    if (status != NDFT_OK) ndft_log_close(log);
    return status;
}

ndft_status ndft_log_create(const char *stem, ndft_log *log, ndft_error *err)
{
    for (int n = 1;; n++) {
        char end[24] = ".jsonl";
        if (n > 1) snprintf(end, sizeof end, "-%d.jsonl", n);
        NDFT_TRY(set_path(log, stem, end, err));
        log->fd = open(log->path, O_RDWR | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0666);
        if (log->fd >= 0) break;
        if (errno != EEXIST) return io_error(err, log->path);
    }
    ndft_status status = claim(log, err);
    if (status != NDFT_OK) ndft_log_close(log);
    return status;
}

void ndft_log_close(ndft_log *log) { close(log->fd); }

/* Takes back what was written from start on; where that fails too, --resume mends the line. */
static void take_back(int fd, off_t start)
{
    int why = errno;
    if (ftruncate(fd, start) == 0) fsync(fd);
    errno = why;
}

/* The whole line or, when the disk is full, nothing of it. */
static bool write_line(int fd, const char *line, size_t length)
{
    off_t start = lseek(fd, 0, SEEK_END);
    for (size_t done = 0; done < length;) {
        ssize_t written = write(fd, line + done, length - done);
        if (written < 0) {
            take_back(fd, start);
            return false;
        }
        done += (size_t)written;
    }
    return fsync(fd) == 0 || errno == EINVAL; /* a pipe cannot be synced */
}

/* Writing goes on as before in a file that nobody will find any more. */
static bool was_deleted(int fd)
{
    struct stat info;
    return fstat(fd, &info) == 0 && S_ISREG(info.st_mode) && info.st_nlink == 0;
}

ndft_status ndft_log_write(ndft_log *log, json_t *record, ndft_error *err)
{
    char *line = json_dumps(record, JSON_COMPACT);
    json_decref(record);
    if (!line)
        return ndft_fail(err, NDFT_EIO, "%s: a record is not text in UTF-8, or no memory for it",
                         log->path);
    size_t length = strlen(line);
    line[length++] = '\n'; /* in place of the terminating zero */
    bool written = write_line(log->fd, line, length);
    free(line);
    if (!written) return io_error(err, log->path);
    if (was_deleted(log->fd))
        return ndft_fail(err, NDFT_EIO, "%s was deleted while it was written", log->path);
    return NDFT_OK;
}

ndft_status ndft_log_write_all(ndft_log *log, json_t *lines, ndft_error *err)
{
    ndft_status status = NDFT_OK;
    for (size_t i = 0; i < json_array_size(lines) && status == NDFT_OK; i++)
        status = ndft_log_write(log, json_incref(json_array_get(lines, i)), err);
    json_decref(lines);
    return status;
}

ndft_status ndft_log_read(const char *path, void (*take)(void *context, const json_t *),
                          void *context, ndft_error *err)
{
    FILE *file = fopen(path, "r");
    if (!file) return io_error(err, path);
    char *line = NULL;
    size_t room = 0;
    while (getline(&line, &room, file) > 0) {
        json_t *record = json_loads(line, 0, NULL);
        if (record) take(context, record);
        json_decref(record);
    }
    free(line);
    fclose(file);
    return NDFT_OK;
}
