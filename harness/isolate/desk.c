/* SPDX-License-Identifier: Apache-2.0 */
#include "desk.h"

#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

ndft_desk *ndft_desk_map(int fd)
{
    struct stat info;
    if (fstat(fd, &info) || info.st_size != sizeof(ndft_desk)) return NULL;
    void *memory = mmap(NULL, sizeof(ndft_desk), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    return memory == MAP_FAILED ? NULL : memory;
}

ndft_desk *ndft_desk_new(int *fd)
{
    *fd = memfd_create("ndft-desk", MFD_CLOEXEC);
    if (*fd < 0) return NULL;
    ndft_desk *desk = ftruncate(*fd, sizeof *desk) ? NULL : ndft_desk_map(*fd);
    if (!desk) close(*fd);
    return desk;
}

void ndft_desk_free(ndft_desk *desk)
{
    if (desk) munmap(desk, sizeof *desk);
}
