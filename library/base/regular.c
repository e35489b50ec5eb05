/* SPDX-License-Identifier: Apache-2.0 */
#include "regular.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

FILE *ndft_open_regular(const char *path)
{
    struct stat info;
    int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0) return NULL;
    int failed = fstat(fd, &info);
    if (!failed && S_ISREG(info.st_mode)) return fdopen(fd, "rb");
    if (!failed) errno = S_ISDIR(info.st_mode) ? EISDIR : ESPIPE;
    int why = errno;
    close(fd);
    errno = why;
    return NULL;
}
