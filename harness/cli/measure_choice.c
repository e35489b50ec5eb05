/* SPDX-License-Identifier: Apache-2.0 */
#include "measure_choice.h"

#include "base/cache_file.h"
#include "base/convolution.h"
#include "files/output.h"
#include "harness.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* The library's own way to its fastest engine: a device, the problem as its users describe it, and
 * a plan that measures. */

static bool wisdom_path(char path[NDFT_CACHE_PATH + 16])
{
    char folder[NDFT_CACHE_PATH];
    if (!ndft_cache_directory(folder)) return false;
    snprintf(path, NDFT_CACHE_PATH + 16, "%s/wisdom", folder);
    return true;
}

void ndft_load_wisdom(void)
{
    char path[NDFT_CACHE_PATH + 16];
    if (!wisdom_path(path) || access(path, F_OK)) return;
    if (ndft_wisdom_load(path) != NDFT_OK)
        fprintf(stderr, "ndft: %s; going on without it\n", ndft_message());
}

static void keep(void)
{
    char path[NDFT_CACHE_PATH + 16];
    ndft_error err = {.status = NDFT_OK};
    if (!wisdom_path(path)) return;
    if (ndft_stream_folders(path, &err) != NDFT_OK || ndft_wisdom_save(path) != NDFT_OK)
        fprintf(stderr, "ndft: %s; what was measured is not kept\n",
                err.status == NDFT_OK ? ndft_message() : err.message);
}

static ndft_status describe_convolution(ndft_device *device, const ndft_problem *p,
                                        ndft_problem **problem)
{
    const ndft_convolution_problem *c = ndft_convolution_of(p);
    ndft_convolution_desc d = {.struct_size = sizeof d,
                               .dim = p->dim,
                               .prec = p->prec,
                               .batch = p->coils,
                               .tol = p->tol,
                               .tol_kind = p->tol_kind,
                               .kernel = c->kernel};
    memcpy(d.n, p->n, sizeof d.n);
    memcpy(d.outputs, c->outputs, sizeof d.outputs);
    memcpy(d.cells, c->cells, sizeof d.cells);
    return ndft_convolution_create(device, &d, problem);
}

static ndft_status describe_chirpz(ndft_device *device, const ndft_problem *p,
                                   ndft_problem **problem)
{
    const ndft_chirpz_problem *c = ndft_chirpz_of(p);
    const ndft_chirpz_desc d = {.struct_size = sizeof d,
                                .n = p->n[0],
                                .outputs = p->n_samples,
                                .w = c->w,
                                .a = c->a,
                                .prec = p->prec,
                                .batch = p->coils,
                                .tol = p->tol,
                                .tol_kind = p->tol_kind};
    return ndft_chirpz_create(device, &d, problem);
}

static ndft_status create(ndft_device *device, const ndft_kind *kind, const ndft_problem *p,
                          ndft_problem **problem)
{
    if (kind->problems == NDFT_NONUNIFORM) return ndft_problem_again(device, p, problem);
    if (kind->problems == NDFT_CONVOLUTION) return describe_convolution(device, p, problem);
    if (kind->problems == NDFT_CHIRPZ) return describe_chirpz(device, p, problem);
    const ndft_transform_options o = {
        .struct_size = sizeof o, .tol = p->tol, .tol_kind = p->tol_kind};
    return ndft_transform_create(device, ndft_transform_of(p), &o, problem);
}

static ndft_status mode_of(const char *word, ndft_plan_mode *mode, ndft_error *err)
{
    *mode = !strcmp(word, "measure") ? NDFT_MEASURE : NDFT_EXHAUSTIVE;
    if (*mode == NDFT_MEASURE || !strcmp(word, "exhaustive")) return NDFT_OK;
    return ndft_fail(err, NDFT_EINVAL, "--mode '%.60s'; estimate, measure or exhaustive", word);
}

static ndft_status plan(const ndft_kind *kind, const ndft_made *made, ndft_op op,
                        const char *backend, const ndft_plan_options *options)
{
    ndft_device *device = NULL;
    ndft_problem *problem = NULL;
    ndft_plan *plan = NULL;
    ndft_status status = ndft_device_open(backend, NULL, &device);
    if (status == NDFT_OK) status = create(device, kind, &made->problem, &problem);
    if (status == NDFT_OK) status = ndft_plan_create(problem, op, options, &plan);
    ndft_plan_destroy(plan);
    ndft_problem_destroy(problem);
    ndft_device_close(device);
    return status;
}

ndft_status ndft_measure_choice(const ndft_kind *kind, const ndft_made *made, ndft_op op,
                                const char *backend, const ndft_choosing *how, ndft_error *err)
{
    ndft_plan_options o = {.struct_size = sizeof o,
                           .deterministic = how->deterministic,
                           .time_limit_s = how->time_limit_s};
    NDFT_TRY(mode_of(how->mode, &o.mode, err));
    const ndft_status status = plan(kind, made, op, backend, &o);
    if (status != NDFT_OK) return ndft_fail(err, status, "%s", ndft_message());
    keep();
    return NDFT_OK;
}
