/* SPDX-License-Identifier: Apache-2.0 */
#include "device/cuda_parts.h"
#include "registry.h"

#include "build_id.inc"

#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/*
 * The backends of libndft: CUDA's is in libndft_cuda.so.0, which is opened when somebody first asks
 * for a CUDA device, and gives the registry its variants then. NDFT_CUDA names another file; else
 * it lies beside libndft, or where the loader finds it.
 */

static const char file_name[] = "libndft_cuda.so.0";

static struct {
    const ndft_cuda_parts *parts; /* NULL: there are none */
    ndft_error error;             /* why */
} loaded;

/* Whether a file of that name lies beside libndft, and its path. */
static bool is_beside(char *path, size_t size)
{
    Dl_info self;
    if (!dladdr(file_name, &self) || !self.dli_fname) return false;
    const char *slash = strrchr(self.dli_fname, '/');
    const int folder = slash ? (int)(slash - self.dli_fname) + 1 : 0;
    snprintf(path, size, "%.*s%s", folder, self.dli_fname, file_name);
    return folder && !access(path, F_OK);
}

static void *open_file(void)
{
    char path[1024];
    const char *asked = getenv("NDFT_CUDA");
    if (!asked || !*asked) asked = is_beside(path, sizeof path) ? path : file_name;
    return dlopen(asked, RTLD_NOW | RTLD_LOCAL);
}

static ndft_status take(void *file)
{
    ndft_cuda_entry *entry;
    void *address = file ? dlsym(file, NDFT_CUDA_ENTRY) : NULL;
    if (!address) {
        const char *why = dlerror();
        return ndft_fail(&loaded.error, NDFT_EDEVICE, "%s cannot be used: %s", file_name,
                         why ? why : "it has no entry");
    }
    memcpy(&entry, &address, sizeof entry);
    return entry(NDFT_BUILD_ID, &loaded.parts, &loaded.error);
}

/* Engines of the library itself are there. */
static void register_variants(void)
{
    for (int i = 0; i < ndft_registry_size; i++)
        if (!strcmp(ndft_registry[i].backend, "cuda") && !ndft_registry[i].variant)
            __atomic_store_n(&ndft_registry[i].variant,
                             loaded.parts->variant(ndft_registry[i].name), __ATOMIC_RELAXED);
}

static void load(void)
{
    if (take(open_file()) == NDFT_OK)
        register_variants();
    else
        loaded.parts = NULL;
}

static const ndft_backend *find(void);

static const char *missing(void)
{
    find();
    return loaded.error.message;
}

static ndft_status open_none(int index, ndft_exec **exec, ndft_error *err)
{
    (void)index;
    *exec = NULL;
    return ndft_fail(err, NDFT_EDEVICE, "%s", missing());
}

static const ndft_backend cuda = {
    .name = "cuda", .missing = missing, .open = open_none, .loaded = find};

static const ndft_backend *find(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, load);
    return loaded.parts ? loaded.parts->backend : &cuda;
}

const ndft_backend *const ndft_backends[] = {&ndft_backend_cpu, &cuda, NULL};
