/* SPDX-License-Identifier: Apache-2.0 */
#include "log.h"

#include "stream.h"

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
static ndft_status claim(const ndft_log *log, bool resume, ndft_error *err)
{
    if (flock(log->fd, LOCK_EX | LOCK_NB) && errno == EWOULDBLOCK)
        return ndft_fail(err, NDFT_EIO, "%s: another sweep is writing it", log->path);
    struct stat info;
    bool emptied = resume || fstat(log->fd, &info) || !S_ISREG(info.st_mode);
    return emptied || !ftruncate(log->fd, 0) ? NDFT_OK : io_error(err, log->path);
}

ndft_status ndft_log_open(const char *path, bool resume, ndft_log *log, ndft_error *err)
{
    if (snprintf(log->path, sizeof log->path, "%s", path) >= (int)sizeof log->path)
        return ndft_fail(err, NDFT_EINVAL, "the file name '%.60s...' is too long", path);
    NDFT_TRY(ndft_stream_folders(path, err));
    log->fd = open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    if (log->fd < 0) return io_error(err, path);
    ndft_status status = claim(log, resume, err);
    if (status == NDFT_OK) status = mend_torn_line(log, err);
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
    return written ? NDFT_OK : io_error(err, log->path);
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
