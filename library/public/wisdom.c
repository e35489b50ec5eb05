/* SPDX-License-Identifier: Apache-2.0 */
#include "wisdom.h"
#include "objects.h"

#include <errno.h>
#include <fcntl.h>
#include <ndft/wisdom.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

/* Files of wisdom. Who writes one has it alone, and writes it in its place, so that whoever is
 * interrupted damages a line. */

static const char title[] = "ndft-wisdom 1\n";

static ndft_status trouble(const char *path, const char *what)
{
    return ndft_fail(ndft_thread_error(), NDFT_EIO, "%s cannot be %s: %s", path, what,
                     strerror(errno));
}

/* A text has no zero bytes: another letter stands for each, which damages its line as well. */
static void fill_zeros(char *text, size_t size)
{
    for (size_t i = 0; i < size; i++)
        if (!text[i]) text[i] = '?';
}

static ndft_status read_bytes(const char *path, int file, char *text, size_t size)
{
    for (size_t done = 0; done < size;) {
        const ssize_t some = read(file, text + done, size - done);
        if (some < 0 && errno == EINTR) continue;
        if (some < 0) return trouble(path, "read");
        if (some == 0) break; /* it has become shorter */
        fill_zeros(text + done, (size_t)some);
        done += (size_t)some;
    }
    return NDFT_OK;
}

/* An empty file is one without entries. */
static ndft_status take(const char *path, const char *text)
{
    if (!*text) return NDFT_OK;
    if (!strncmp(text, title, sizeof title - 1))
        return ndft_wisdom_take(text + sizeof title - 1, ndft_thread_error());
    return ndft_fail(ndft_thread_error(), NDFT_EINVAL,
                     "%s is no wisdom: it does not begin with '%.*s'", path, (int)sizeof title - 2,
                     title);
}

static ndft_status read_all(const char *path, int file)
{
    struct stat facts;
    if (fstat(file, &facts)) return trouble(path, "read");
    if (!S_ISREG(facts.st_mode))
        return ndft_fail(ndft_thread_error(), NDFT_EIO, "%s cannot be read: it is no file", path);
    char *text = calloc((size_t)facts.st_size + 1, 1);
    if (!text) return ndft_fail(ndft_thread_error(), NDFT_ENOMEM, "no memory for %s", path);
    ndft_status status = read_bytes(path, file, text, (size_t)facts.st_size);
    if (status == NDFT_OK) status = take(path, text);
    free(text);
    return status;
}

/* Before any of it is written, so that a full disk leaves what was there. */
static ndft_status reserve(const char *path, int file, size_t size)
{
    const off_t before = lseek(file, 0, SEEK_END);
    const int failed = posix_fallocate(file, 0, (off_t)size);
    if (failed != ENOSPC && failed != EFBIG && failed != EDQUOT) return NDFT_OK;
    if (ftruncate(file, before)) return trouble(path, "written");
    errno = failed;
    return trouble(path, "written");
}

static ndft_status write_all(const char *path, int file)
{
    char *text;
    NDFT_TRY(ndft_wisdom_give(title, &text, ndft_thread_error()));
    const size_t size = strlen(text);
    ndft_status status = reserve(path, file, size);
    for (size_t done = 0; done < size && status == NDFT_OK;) {
        const ssize_t some = pwrite(file, text + done, size - done, (off_t)done);
        if (some < 0 && errno != EINTR) status = trouble(path, "written");
        if (some > 0) done += (size_t)some;
    }
    if (status == NDFT_OK && ftruncate(file, (off_t)size)) status = trouble(path, "written");
    free(text);
    return status;
}

/* The file opened and locked; -1 with the thread's message. */
static int open_locked(const char *path, int flags, int lock, const char *what)
{
    enum { MODE = 0666 };
    if (!path || !*path) {
        (void)ndft_fail(ndft_thread_error(), NDFT_EINVAL, "path is %s; the name of a file is valid",
                        path ? "empty" : "NULL");
        return -1;
    }
    const int file = open(path, flags | O_CLOEXEC | O_NONBLOCK, MODE); /* of a pipe, nothing */
    while (file >= 0 && flock(file, lock) && errno == EINTR) continue;
    if (file < 0) (void)trouble(path, what);
    return file;
}

ndft_status ndft_wisdom_load(const char *path)
{
    const int file = open_locked(path, O_RDONLY, LOCK_SH, "read");
    if (file < 0) return ndft_thread_error()->status;
    const ndft_status status = read_all(path, file);
    close(file);
    return status;
}

ndft_status ndft_wisdom_save(const char *path)
{
    const int file = open_locked(path, O_RDWR | O_CREAT, LOCK_EX, "written");
    if (file < 0) return ndft_thread_error()->status;
    ndft_status status = read_all(path, file);
    if (status == NDFT_OK) status = write_all(path, file);
    if (close(file) && status == NDFT_OK) status = trouble(path, "written");
    return status;
}
