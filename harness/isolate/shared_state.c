/* SPDX-License-Identifier: Apache-2.0 */
#include "shared_state.h"

#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

ndft_shared_state *ndft_shared_state_map(int fd)
{
    struct stat info;
    if (fstat(fd, &info) || info.st_size != sizeof(ndft_shared_state)) return NULL;
    void *memory = mmap(NULL, sizeof(ndft_shared_state), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    return memory == MAP_FAILED ? NULL : memory;
}

ndft_shared_state *ndft_shared_state_new(int *fd)
{
    *fd = memfd_create("ndft-shared", MFD_CLOEXEC);
    if (*fd < 0) return NULL;
    ndft_shared_state *shared = ftruncate(*fd, sizeof *shared) ? NULL : ndft_shared_state_map(*fd);
    if (!shared) close(*fd);
    return shared;
}

void ndft_shared_state_free(ndft_shared_state *shared)
{
    if (shared) munmap(shared, sizeof *shared);
}
