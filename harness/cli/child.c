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

static void close_pipe(const int ends[2])
{
    for (int i = 0; i < 2; i++)
        if (ends[i] >= 0) close(ends[i]);
}

/* As streams, which have their ends of pipes from then on. */
static bool take_ends(ndft_child *child, int told[2], int said[2])
{
    if ((child->in = fdopen(told[1], "w"))) told[1] = -1;
    if ((child->out = fdopen(said[0], "r"))) said[0] = -1;
    return child->in && child->out;
}

ndft_status ndft_child_start(char *const argv[], const char *const set[], ndft_child *child,
                             ndft_error *err)
{
    int told[2] = {-1, -1}, said[2] = {-1, -1};
    *child = (ndft_child){0};
    int error = open_pipe(told) && open_pipe(said) && take_ends(child, told, said) ? 0 : errno;
    if (!error) error = spawn(argv, set, told[0], said[1], &child->pid);
    close_pipe(told);
    close_pipe(said);
    if (!error) return NDFT_OK;
    if (child->in) fclose(child->in);
    if (child->out) fclose(child->out);
    *child = (ndft_child){0};
    return ndft_fail(err, NDFT_EDEVICE, "a process could not be started: %s", strerror(error));
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
