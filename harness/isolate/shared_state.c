/* SPDX-License-Identifier: Apache-2.0 */
#include "shared_state.h"

#include <errno.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

void ndft_heartbeat_write(ndft_heartbeat *heartbeat, int candidate, ndft_phase phase,
                          double expected_s)
{
    heartbeat->expected_s = expected_s;
    heartbeat->in_hand = (int64_t)(candidate + 1) * NDFT_N_PHASES + phase;
    heartbeat->beats++;
}

ndft_heartbeat_reading ndft_heartbeat_read(const ndft_heartbeat *heartbeat)
{
    uint32_t number = heartbeat->beats;
    int64_t in_hand = heartbeat->in_hand;
    return (ndft_heartbeat_reading){.number = number,
                                    .candidate = (int)(in_hand / NDFT_N_PHASES) - 1,
                                    .phase = (ndft_phase)(in_hand % NDFT_N_PHASES),
                                    .expected_s = heartbeat->expected_s};
}

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

bool ndft_channel_send(int fd, const void *message, size_t size)
{
    ssize_t sent;
    do {
        sent = send(fd, message, size, MSG_NOSIGNAL);
    } while (sent < 0 && errno == EINTR);
    return sent == (ssize_t)size;
}

ndft_received ndft_channel_receive(int fd, int timeout_ms, void *message, size_t size)
{
    struct pollfd ready = {.fd = fd, .events = POLLIN};
    int n;
    do {
        n = poll(&ready, 1, timeout_ms);
    } while (n < 0 && errno == EINTR && timeout_ms < 0);
    if (n == 0 || (n < 0 && errno == EINTR)) return NDFT_SILENCE;
    return n > 0 && recv(fd, message, size, 0) == (ssize_t)size ? NDFT_MESSAGE : NDFT_GONE;
}
