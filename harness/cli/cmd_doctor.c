/* SPDX-License-Identifier: Apache-2.0 */
#include "backend.h"
#include "build_info.h"
#include "cache.h"
#include "cli.h"
#include "registry.h"

#include <stdio.h>
#include <string.h>

/* ndft doctor: what this build can use on this machine, and what it lacks. */

static int count_built(const ndft_backend *backend, int *all)
{
    int built = 0;
    *all = 0;
    for (int i = 0; i < ndft_registry_size; i++) {
        if (strcmp(ndft_registry[i].backend, backend->name)) continue;
        built += ndft_registry[i].variant != NULL;
        ++*all;
    }
    return built;
}

static ndft_status print_backend(const ndft_backend *backend, ndft_error *err)
{
    int all, built = count_built(backend, &all);
    printf("%-8s %d of %d variants built\n", backend->name, built, all);
    if (backend->missing()) {
        printf("         missing: %s\n", backend->missing());
        return NDFT_OK;
    }
    ndft_exec *exec;
    NDFT_TRY(backend->open(0, &exec, err));
    const ndft_device *d = &exec->device;
    printf("         %s (%s), %d units, %.1f GiB memory, %.1f MiB L2\n", d->name, d->slug, d->units,
           (double)d->memory_bytes / 0x1p30, (double)d->l2_bytes / 0x1p20);
    if (d->capability)
        printf("         compute capability %d.%d, driver %s\n", d->capability / 10,
               d->capability % 10, d->driver);
    else
        printf("         %d threads, %s\n", exec->threads, ndft_isa_name(d->isa));
    backend->close(exec);
    return NDFT_OK;
}

static int run(ndft_cli *cli)
{
    int code = ndft_cli_options(cli, &(ndft_option){0}, 0);
    if (code != NDFT_PROCEED) return code;
    const ndft_build_facts *b = &ndft_build_info;
    char cache[NDFT_CACHE_PATH];
    ndft_error err = {0};
    ndft_status status = NDFT_OK;
    printf("build    ndft %s, commit %s%s\n", b->version, b->commit, b->dirty ? ", modified" : "");
    printf("         %s, %s, %s %s\n", b->cc, *b->nvcc ? b->nvcc : "no nvcc", b->type, b->flags);
    for (const ndft_backend *const *backend = ndft_backends; *backend && status == NDFT_OK;
         backend++)
        status = print_backend(*backend, &err);
    bool kept = ndft_cache_directory(cache);
    printf("cache    %s\n", kept ? cache : "off");
    return status == NDFT_OK ? NDFT_EXIT_OK : ndft_cli_fail(&err);
}

const ndft_verb ndft_verb_doctor = {
    .name = "doctor",
    .arguments = "",
    .summary = "what this build can use on this machine, and what it lacks",
    .run = run,
};
