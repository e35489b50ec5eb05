/* SPDX-License-Identifier: Apache-2.0 */
#include "device/backend.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

/* The backends of ndft-planted: those of the program, except that whoever opens one leaves a line
 * "NAME PID" in the file that NDFT_PLANTED_OPENED names, and is killed for a byte of the file that
 * NDFT_PLANTED_KILLED names. */

static void tell(const char *name)
{
    const char *path = getenv("NDFT_PLANTED_OPENED");
    FILE *file = path ? fopen(path, "a") : NULL;
    if (!file) return;
    fprintf(file, "%s %d\n", name, (int)getpid());
    fclose(file);
}

static void die_for_a_byte(void)
{
    const char *path = getenv("NDFT_PLANTED_KILLED");
    struct stat file;
    if (!path || stat(path, &file) || !file.st_size) return;
    if (!truncate(path, file.st_size - 1)) raise(SIGKILL);
}

static ndft_status open_cpu(int index, ndft_exec **exec, ndft_error *err)
{
    tell("cpu");
    die_for_a_byte();
    return ndft_backend_cpu.open(index, exec, err);
}

static ndft_status open_cuda(int index, ndft_exec **exec, ndft_error *err)
{
    tell("cuda");
    return ndft_backend_cuda.open(index, exec, err);
}

static ndft_backend cpu, cuda;

/* The tables are no constants that could be copied by an initialiser. */
__attribute__((constructor)) static void plant(void)
{
    cpu = ndft_backend_cpu;
    cpu.open = open_cpu;
    cuda = ndft_backend_cuda;
    cuda.open = open_cuda;
}

const ndft_backend *const ndft_backends[] = {&cpu, &cuda, NULL};
