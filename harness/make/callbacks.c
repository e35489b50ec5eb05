/* SPDX-License-Identifier: Apache-2.0 */
#include "callbacks.h"

#include <dlfcn.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static ndft_load_function zero_pad;
static ndft_store_function crop, deapodise;
static bool is_kept(const int64_t *index, const int64_t *keep);

#include "callback_functions.h"

#include "callback_functions.inc" /* the same as text, callback_functions_text */

static const char functions_module[] = "callback_functions.h";

/* Fourier transform of the Kaiser-Bessel window at `cycles` per cell, relative to that at 0. */
static double window_hat(int width, double cycles)
{
    const double w = width, twice = 1.5 * w / 2; /* (sigma - 1/2) W/sigma, sigma = 2 */
    const double beta = M_PI * sqrt(twice * twice - 0.8), at = M_PI * w * cycles;
    const double root = sqrt(beta * beta - at * at);
    return sinh(root) / root / (sinh(beta) / beta);
}

static ndft_status make_keep(const ndft_case_callback *c, ndft_callback *callback, ndft_arena *own,
                             ndft_error *err)
{
    int64_t *keep = ndft_arena_alloc(own, "a callback's data", 3, sizeof *keep, err);
    if (!keep) return NDFT_ENOMEM;
    memcpy(keep, c->keep, sizeof c->keep);
    callback->data = keep;
    callback->bytes = sizeof c->keep;
    return NDFT_OK;
}

static ndft_status make_deapodise(const ndft_case_callback *c, const ndft_transform *t,
                                  ndft_callback *callback, ndft_arena *own, ndft_error *err)
{
    const int64_t *n = t->shape + NDFT_MODE_N, size = 3 + n[0] + n[1] + n[2];
    int64_t *first = ndft_arena_alloc(own, "a callback's data", size, sizeof(double), err);
    if (!first) return NDFT_ENOMEM;
    double *table = (double *)(first + 3), *next = table;
    for (int d = 0; d < 3; next += n[d], d++) {
        first[d] = next - table;
        for (int64_t k = 0; k < n[d]; k++)
            next[k] =
                1 / window_hat(c->width, (double)(2 * k < n[d] ? k : n[d] - k) / (double)n[d]);
    }
    callback->data = first;
    callback->bytes = (size_t)size * sizeof(double);
    return NDFT_OK;
}

/* The text of PATH.cu, NULL where there is none. */
static ndft_status read_source(const char *path, ndft_callback *callback, ndft_arena *own,
                               ndft_error *err)
{
    FILE *file = fopen(path, "rb");
    callback->source = NULL;
    if (!file && errno == ENOENT) return NDFT_OK;
    char *text = NULL, *kept = NULL;
    size_t room = 0;
    const ssize_t length = file ? getdelim(&text, &room, '\0', file) : -1;
    ndft_status status = NDFT_ENOMEM;
    if (length < 0)
        status = ndft_fail(err, NDFT_EIO, "%s: it is empty or cannot be read", path);
    else
        kept = ndft_arena_alloc(own, "a callback's source", length + 1, 1, err);
    if (kept) memcpy(kept, text, (size_t)length + 1);
    callback->source = kept;
    free(text);
    if (file) fclose(file);
    return kept ? NDFT_OK : status;
}

/* A path that has no slash would be looked for where libraries are. */
static ndft_status find_function(const char *path, const char *function, void *pointer,
                                 ndft_error *err)
{
    char object[NDFT_PATH_MAX + 8];
    snprintf(object, sizeof object, "%s%s.so", strchr(path, '/') ? "" : "./", path);
    void *library = dlopen(object, RTLD_NOW | RTLD_LOCAL);
    if (!library)
        return ndft_fail(err, NDFT_EIO,
                         "file:%s:%s: the reference calls the function in C: %.300s; e.g. cc "
                         "-shared -fPIC -I include -x c %s.cu -o %s.so",
                         path, function, dlerror(), path, path);
    void *symbol = dlsym(library, function);
    memcpy(pointer, &symbol, sizeof symbol);
    if (symbol) return NDFT_OK;
    return ndft_fail(err, NDFT_EINVAL, "file:%s:%s: %s has no function %s", path, function, object,
                     function);
}

static ndft_status make_file(const ndft_case_callback *c, ndft_callback *callback, ndft_arena *own,
                             ndft_error *err)
{
    const size_t room = sizeof c->path + 4;
    char *module = ndft_arena_alloc(own, "a callback's path", (int64_t)room, 1, err);
    char *name = ndft_arena_alloc(own, "a callback's name", sizeof c->function, 1, err);
    if (!module || !name) return NDFT_ENOMEM;
    snprintf(module, room, "%s.cu", c->path);
    strcpy(name, c->function);
    callback->name = name;
    callback->module = module;
    NDFT_TRY(read_source(module, callback, own, err));
    return find_function(c->path, c->function, &callback->load, err);
}

static ndft_status make(const ndft_case_callback *c, const ndft_transform *t,
                        const ndft_callback **result, ndft_arena *own, ndft_error *err)
{
    *result = NULL;
    if (c->word == NDFT_CALLBACK_NONE) return NDFT_OK;
    ndft_callback *callback = ndft_arena_alloc(own, "a callback", 1, sizeof *callback, err);
    if (!callback) return NDFT_ENOMEM;
    *callback = (ndft_callback){.module = functions_module, .source = callback_functions_text};
    *result = callback;
    switch (c->word) {
    case NDFT_CALLBACK_ZERO_PAD:
        callback->name = "zero_pad";
        callback->load = zero_pad;
        return make_keep(c, callback, own, err);
    case NDFT_CALLBACK_CROP:
        callback->name = "crop";
        callback->store = crop;
        return make_keep(c, callback, own, err);
    case NDFT_CALLBACK_DEAPODISE:
        callback->name = "deapodise";
        callback->store = deapodise;
        return make_deapodise(c, t, callback, own, err);
    default:
        return make_file(c, callback, own, err);
    }
}

ndft_status ndft_callbacks_make(const ndft_case *c, ndft_transform *t, ndft_arena *own,
                                ndft_error *err)
{
    NDFT_TRY(make(&c->load, t, &t->load, own, err));
    return make(&c->store, t, &t->store, own, err);
}

void ndft_callback_digest(const ndft_callback *callback, ndft_digest *digest)
{
    if (!callback) return;
    ndft_digest_add(digest, callback->name, strlen(callback->name));
    ndft_digest_add(digest, callback->source, callback->source ? strlen(callback->source) : 0);
    ndft_digest_add(digest, callback->data, callback->bytes);
}
