/* SPDX-License-Identifier: Apache-2.0 */
#include "process.h"

#include "base/now.h"
#include "worker.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

/* Signals to a whole process group are the parent's to answer. */
static void block_signals(posix_spawnattr_t *attributes)
{
    sigset_t blocked;
    sigemptyset(&blocked);
    const int all[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) sigaddset(&blocked, all[i]);
    posix_spawnattr_setsigmask(attributes, &blocked);
    posix_spawnattr_setflags(attributes, POSIX_SPAWN_SETSIGMASK);
}

static int spawn(const char *backend, int socket, int shared, pid_t *pid)
{
    char parent[16], name[] = "ndft", verb[] = "worker", place[32];
    snprintf(parent, sizeof parent, "%d", (int)getpid());
    snprintf(place, sizeof place, "%s", backend);
    char *argv[] = {name, verb, place, parent, NULL};
    posix_spawn_file_actions_t files;
    posix_spawnattr_t attributes;
    posix_spawn_file_actions_init(&files);
    posix_spawnattr_init(&attributes);
    block_signals(&attributes);
    posix_spawn_file_actions_adddup2(&files, socket, NDFT_WORKER_SOCKET);
    posix_spawn_file_actions_adddup2(&files, shared, NDFT_WORKER_DESK);
    posix_spawn_file_actions_adddup2(&files, STDERR_FILENO, STDOUT_FILENO);
    int error = posix_spawn(pid, "/proc/self/exe", &files, &attributes, argv, environ);
    posix_spawn_file_actions_destroy(&files);
    posix_spawnattr_destroy(&attributes);
    return error;
}

ndft_status ndft_process_start(const ndft_backend *backend, ndft_process *process, ndft_error *err)
{
    int sockets[2], shared;
    *process = (ndft_process){0};
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, sockets))
        return ndft_fail(err, NDFT_EDEVICE, "no socket to a worker: %s", strerror(errno));
    process->socket = sockets[0];
    process->shared = ndft_shared_state_new(&shared);
    int error = process->shared ? spawn(backend->name, sockets[1], shared, &process->pid) : ENOMEM;
    close(sockets[1]);
    if (process->shared) close(shared);
    if (!error) return NDFT_OK;
    close(process->socket);
    ndft_shared_state_free(process->shared);
    *process = (ndft_process){0};
    return ndft_fail(err, NDFT_EDEVICE, "a worker could not be started: %s", strerror(error));
}

int ndft_process_end(ndft_process *process, double patience_s)
{
    int status = 0;
    double start = ndft_now_s();
    close(process->socket);
    while (waitpid(process->pid, &status, WNOHANG) == 0) {
        if (ndft_now_s() - start > patience_s) kill(process->pid, SIGKILL);
        poll(NULL, 0, 1);
    }
    ndft_shared_state_free(process->shared);
    *process = (ndft_process){0};
    return status;
}
