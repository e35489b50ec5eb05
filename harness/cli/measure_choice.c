/* SPDX-License-Identifier: Apache-2.0 */
#include "measure_choice.h"

#include "base/convolution.h"
#include "cache.h"
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

/* Maps of the voxels on the whole grid, as descriptions have them, of so many reals a voxel. */
static const void *all_on_grid(const ndft_problem *p, const void *maps, int count, int reals,
                               ndft_arena *arena, ndft_error *err)
{
    const int64_t cells = p->n[0] * p->n[1] * p->n[2];
    const size_t size = (size_t)reals * ndft_real_size(p->prec);
    const char *from = maps;
    if (!maps || !p->voxel) return maps;
    char *grid = ndft_arena_alloc(arena, "map on the grid", count * cells, size, err);
    if (grid) memset(grid, 0, (size_t)(count * cells) * size);
    for (int64_t first = 0; grid && first < count * cells; first += cells)
        for (int64_t v = 0; v < p->n_voxels; v++, from += size)
            memcpy(grid + (size_t)(first + p->voxel[v]) * size, from, size);
    return grid;
}

static const void *on_grid(const ndft_problem *p, const void *map, ndft_arena *arena,
                           ndft_error *err)
{
    return all_on_grid(p, map, 1, 1, arena, err);
}

static const unsigned char *mask_of(const ndft_problem *p, ndft_arena *arena, ndft_error *err)
{
    const int64_t cells = p->n[0] * p->n[1] * p->n[2];
    unsigned char *mask = p->voxel ? ndft_arena_alloc(arena, "mask", cells, 1, err) : NULL;
    if (mask) memset(mask, 0, (size_t)cells);
    for (int64_t v = 0; mask && v < p->n_voxels; v++) mask[p->voxel[v]] = 1;
    return mask;
}

static ndft_status describe(ndft_device *device, const ndft_problem *p, ndft_problem **problem)
{
    ndft_error err = {.status = NDFT_OK};
    ndft_arena arena = {0};
    ndft_problem_desc d = ndft_description_of(p);
    d.t = p->t;
    d.field = on_grid(p, p->dw, &arena, &err);
    d.decay = on_grid(p, p->decay, &arena, &err);
    d.phases = p->higher.terms;
    d.phase_c = p->higher.c[0];
    d.phase_b = all_on_grid(p, p->higher.b[0], d.phases, 1, &arena, &err);
    d.mask = mask_of(p, &arena, &err);
    d.maps = all_on_grid(p, p->maps, p->coils, 2, &arena, &err);
    for (int axis = 0; axis < p->dim; axis++) {
        d.gradient[axis] = on_grid(p, p->g[axis], &arena, &err);
        d.position[axis] = on_grid(p, p->x[axis], &arena, &err);
    }
    const ndft_status status =
        err.status != NDFT_OK ? err.status : ndft_problem_create(device, &d, problem);
    ndft_arena_free(&arena);
    return status;
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
    if (kind->problems == NDFT_NONUNIFORM) return describe(device, p, problem);
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
