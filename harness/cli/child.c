/* SPDX-License-Identifier: Apache-2.0 */
#include "child.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static bool is_set_anew(const char *variable, const char *const set[])
{
    for (; *set; set++)
        if (!strncmp(variable, *set, strcspn(*set, "=") + 1)) return true;
    return false;
}

/* To be freed; the texts are others'. NULL: no memory. */
static char **variables(const char *const set[])
{
    size_t n = 0, more = 0;
    while (environ[n]) n++;
    while (set[more]) more++;
    char **all = calloc(n + more + 1, sizeof *all);
    char **next = all;
    for (size_t i = 0; all && i < n; i++)
        if (!is_set_anew(environ[i], set)) *next++ = environ[i];
    for (size_t i = 0; all && i < more; i++) *next++ = (char *)(size_t)set[i];
    return all;
}

static int spawn(char *const argv[], const char *const set[], int in, int out, pid_t *pid)
{
    posix_spawn_file_actions_t files;
    char **all = variables(set);
    if (!all) return ENOMEM;
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_adddup2(&files, in, STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&files, out, STDOUT_FILENO);
    const int error = posix_spawn(pid, "/proc/self/exe", &files, NULL, argv, all);
    posix_spawn_file_actions_destroy(&files);
    free(all);
    return error;
}

/* Of which no other process is given an end. */
static bool open_pipe(int ends[2])
{
    return !pipe(ends) && fcntl(ends[0], F_SETFD, FD_CLOEXEC) >= 0 &&
           fcntl(ends[1], F_SETFD, FD_CLOEXEC) >= 0;
}

ndft_status ndft_child_start(char *const argv[], const char *const set[], ndft_child *child,
                             ndft_error *err)
{
    int told[2], said[2];
    *child = (ndft_child){0};
    if (!open_pipe(told) || !open_pipe(said))
        return ndft_fail(err, NDFT_EDEVICE, "no pipe to a process: %s", strerror(errno));
    const int error = spawn(argv, set, told[0], said[1], &child->pid);
    close(told[0]);
    close(said[1]);
    if (!error && (child->in = fdopen(told[1], "w")) && (child->out = fdopen(said[0], "r")))
        return NDFT_OK;
    close(told[1]);
    close(said[0]);
    return ndft_fail(err, NDFT_EDEVICE, "a process could not be started: %s",
                     strerror(error ? error : errno));
}

void ndft_child_tell_no_more(ndft_child *child)
{
    if (child->in) fclose(child->in);
    child->in = NULL;
}

int ndft_child_end(ndft_child *child)
{
    int status = 0;
    char away[4096];
    ndft_child_tell_no_more(child);
    while (fread(away, 1, sizeof away, child->out)) continue;
    fclose(child->out);
    while (waitpid(child->pid, &status, 0) < 0 && errno == EINTR) continue;
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}
