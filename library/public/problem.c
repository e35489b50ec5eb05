/* SPDX-License-Identifier: Apache-2.0 */
#include "base/bounds.h"
#include "base/memo.h"
#include "harness.h"
#include "making.h"
#include "points.h"
#include "structure.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef ndft_making making;

static ndft_status take_memory(making *m, const char *what, int64_t count, size_t size,
                               void **array)
{
    return ndft_take_memory(m->owned, what, count, size, array, m->exec->error);
}

static ndft_status take_mask(making *m)
{
    ndft_problem *p = m->p;
    void *mask, *list;
    p->n_voxels = m->grid;
    if (!m->d->mask) return NDFT_OK;
    const ndft_status status = ndft_fetch_array(m, "mask", m->d->mask, m->grid, 1, &mask);
    m->owned->mask = mask;
    NDFT_TRY(status);
    NDFT_TRY(take_memory(m, "a list of voxels", m->grid, sizeof(int32_t), &list));
    int32_t *voxel = list;
    p->voxel = voxel;
    p->n_voxels = 0;
    for (int64_t i = 0; i < m->grid; i++)
        if (((unsigned char *)mask)[i]) voxel[p->n_voxels++] = (int32_t)i;
    if (p->n_voxels) return NDFT_OK;
    return ndft_fail(m->exec->error, NDFT_EINVAL, "mask is 0 everywhere; it leaves no voxel");
}

/* Of maps on the grid, kept there, those of the voxels. */
static ndft_status of_voxels(making *m, const char *what, const void *grid, int maps, size_t size,
                             void **map)
{
    const ndft_problem *p = m->p;
    NDFT_TRY(take_memory(m, what, maps * p->n_voxels, size, map));
    char *to = *map;
    for (int64_t first = 0; first < maps * m->grid; first += m->grid)
        for (int64_t v = 0; v < p->n_voxels; v++, to += size)
            memcpy(to, (const char *)grid + (size_t)(first + p->voxel[v]) * size, size);
    return NDFT_OK;
}

/* One or more behind each other, of elements of a size. */
static ndft_status take_maps(making *m, const char *what, const void *from, int maps, size_t size,
                             void **grid, const void **map)
{
    void *array = NULL;
    if (!from) return NDFT_OK;
    ndft_status status = ndft_fetch_array(m, what, from, maps * m->grid, size, &array);
    if (m->p->voxel) {
        *grid = array;
        array = NULL;
        if (status == NDFT_OK) status = of_voxels(m, what, *grid, maps, size, &array);
    }
    *map = array;
    return status;
}

static ndft_status take_map(making *m, const char *what, const void *from, void **grid,
                            const void **map)
{
    return take_maps(m, what, from, 1, ndft_real_size(m->p->prec), grid, map);
}

/* They stay with their owner; without a mask the problem has the same. */
static ndft_status take_positions(making *m)
{
    ndft_problem *p = m->p;
    void **position = m->owned->position, *array = NULL;
    const size_t real = ndft_real_size(p->prec);
    for (int axis = 0; axis < p->dim && m->d->position[axis]; axis++) {
        const ndft_status status =
            ndft_fetch_array(m, "position", m->d->position[axis], m->grid, real, &array);
        position[axis] = array;
        NDFT_TRY(status);
    }
    const void *const given[3] = {position[0], position[1], position[2]};
    if (!given[0] || ndft_positions_are_grid(p, p->prec, given)) return NDFT_OK;
    for (int axis = 0; axis < p->dim; axis++) {
        array = position[axis];
        if (p->voxel) NDFT_TRY(of_voxels(m, "position", given[axis], 1, real, &array));
        p->x[axis] = array;
    }
    return NDFT_OK;
}

static ndft_status take_higher(making *m)
{
    const ndft_problem_desc *d = m->d;
    ndft_problem *p = m->p;
    ndft_higher_phase *h = &p->higher;
    const size_t real = ndft_real_size(p->prec);
    void *c = NULL;
    if (!d->phases) return NDFT_OK;
    const ndft_status status =
        ndft_fetch_array(m, "phase_c", d->phase_c, d->phases * p->n_samples, real, &c);
    h->c[0] = c;
    NDFT_TRY(status);
    NDFT_TRY(take_maps(m, "phase_b", d->phase_b, d->phases, real, &m->owned->phase_b, &h->b[0]));
    h->terms = d->phases;
    for (int l = 1; l < h->terms; l++) {
        h->c[l] = (const char *)h->c[0] + (size_t)(l * p->n_samples) * real;
        h->b[l] = (const char *)h->b[0] + (size_t)(l * p->n_voxels) * real;
    }
    return NDFT_OK;
}

ndft_status ndft_problem_derive(ndft_problem *p, ndft_error *err)
{
    ndft_measure_bounds(p, NULL);
    return ndft_structure_find(p, NULL, err);
}

/* What is known already is not looked for. */
static void measure(making *m)
{
    ndft_problem known;
    if (!m->from) {
        ndft_measure_bounds(m->p, NULL);
        return;
    }
    known = m->from->problem;
    for (int axis = 0; m->k_measured && axis < m->p->dim; axis++) {
        known.k[axis] = m->p->k[axis];
        known.k_max[axis] = m->k_max[axis];
    }
    ndft_measure_bounds(m->p, &known);
}

static ndft_status take(making *m)
{
    ndft_problem *p = m->p;
    NDFT_TRY(ndft_take_samples(m));
    NDFT_TRY(take_mask(m));
    NDFT_TRY(take_positions(m));
    NDFT_TRY(take_map(m, "field", m->d->field, &m->owned->field, &p->dw));
    NDFT_TRY(take_map(m, "decay", m->d->decay, &m->owned->decay, &p->decay));
    for (int axis = 0; axis < p->dim; axis++)
        NDFT_TRY(
            take_map(m, "gradient", m->d->gradient[axis], &m->owned->gradient[axis], &p->g[axis]));
    NDFT_TRY(take_maps(m, "maps", m->d->maps, p->coils, 2 * ndft_real_size(p->prec),
                       &m->owned->maps, &p->maps));
    NDFT_TRY(take_higher(m));
    measure(m);
    NDFT_TRY(ndft_check_values(p, m->exec->error));
    NDFT_TRY(ndft_find_structure(m));
    p->memo = ndft_memo_create();
    return NDFT_OK;
}

/* Member by member: what lies between them stays zero, by which a memo tells problems apart. */
static void describe(const ndft_problem_desc *d, ndft_problem *p)
{
    p->dim = d->dim;
    p->prec = d->prec;
    p->layout = d->layout;
    p->coils = d->coils ? d->coils : 1;
    p->tol = ndft_tol_or_usual(d->tol, d->prec);
    p->tol_kind = d->tol_kind;
    p->n_samples = d->n_samples;
    for (int axis = 0; axis < 3; axis++) p->n[axis] = axis < d->dim ? d->n[axis] : 1;
}

static ndft_status make(ndft_owned *owned, const ndft_problem_desc *d, const ndft_owned *from)
{
    ndft_opened *device = owned->device;
    ndft_error err = {.status = NDFT_OK};
    making m = {
        .d = d, .from = from, .owned = owned, .p = &owned->problem, .backend = device->backend};
    describe(d, &owned->problem);
    m.grid = owned->problem.n[0] * owned->problem.n[1] * owned->problem.n[2];
    NDFT_TRY(device->backend->fork(device->exec, &m.exec, ndft_thread_error()));
    m.exec->error = &err;
    const ndft_before before = ndft_enter(device, true);
    const ndft_status status = take(&m);
    device->backend->close(m.exec);
    ndft_leave(device, before);
    return status == NDFT_OK ? status : ndft_tell(&err);
}

ndft_owned *ndft_new_problem(ndft_device *device, ndft_kind_of_problem kind)
{
    ndft_owned *owned = calloc(1, sizeof *owned);
    if (!owned) {
        ndft_fail(ndft_thread_error(), NDFT_ENOMEM, "no memory for a problem");
        return NULL;
    }
    owned->kind = kind;
    owned->users = 1;
    owned->device = (ndft_opened *)device;
    ndft_keep_device(owned->device);
    return owned;
}

ndft_status ndft_describe_problem(ndft_device *device, const ndft_problem_desc *d,
                                  const ndft_owned *from, ndft_owned **out)
{
    NDFT_TRY(ndft_check_description(d));
    ndft_owned *owned = ndft_new_problem(device, NDFT_NONUNIFORM);
    if (!owned) return NDFT_ENOMEM;
    const ndft_status status = make(owned, d, from);
    if (status != NDFT_OK)
        ndft_problem_destroy(&owned->problem);
    else
        *out = owned;
    return status;
}

ndft_problem_desc ndft_description_of(const ndft_problem *p)
{
    return (ndft_problem_desc){.struct_size = sizeof(ndft_problem_desc),
                               .dim = p->dim,
                               .n = {p->n[0], p->n[1], p->n[2]},
                               .prec = p->prec,
                               .layout = p->layout,
                               .coils = p->coils,
                               .tol = p->tol,
                               .tol_kind = p->tol_kind,
                               .n_samples = p->n_samples,
                               .k = {p->k[0], p->k[1], p->k[2]}};
}

ndft_status ndft_problem_create(ndft_device *device, const ndft_problem_desc *desc,
                                ndft_problem **problem)
{
    NDFT_POINTS;
    ndft_problem_desc d;
    ndft_owned *owned;
    if (!device || !desc || !problem)
        return ndft_fail(ndft_thread_error(), NDFT_EINVAL,
                         "a problem needs a device, a description and a place");
    *problem = NULL;
    NDFT_TRY(ndft_take_options("problem description", desc, &d, sizeof d));
    NDFT_TRY(ndft_describe_problem(device, &d, NULL, &owned));
    *problem = &owned->problem;
    return NDFT_OK;
}

void ndft_problem_lengths(const ndft_problem *p, int64_t *n_voxels, int64_t *n_samples)
{
    if (n_voxels) *n_voxels = p ? p->n_voxels : 0;
    if (n_samples) *n_samples = p ? p->n_samples : 0;
}

void ndft_keep_problem(ndft_owned *owned)
{
    __atomic_add_fetch(&owned->users, 1, __ATOMIC_RELAXED);
}

static void free_arrays(ndft_owned *owned)
{
    const ndft_problem *p = &owned->problem;
    ndft_free_memory(p->voxel);
    ndft_free_memory(p->t);
    ndft_free_memory(p->dw);
    ndft_free_memory(p->decay);
    ndft_free_memory(p->maps);
    ndft_free_memory(p->higher.c[0]);
    ndft_free_memory(p->higher.b[0]);
    if (owned->kind == NDFT_CONVOLUTION) ndft_free_memory(owned->convolution.spectrum);
    ndft_free_memory(owned->mask);
    ndft_free_memory(owned->field);
    ndft_free_memory(owned->decay);
    ndft_free_memory(owned->maps);
    ndft_free_memory(owned->phase_b);
    for (int axis = 0; axis < 3; axis++) {
        ndft_free_memory(p->k[axis]);
        ndft_free_memory(p->g[axis]);
        ndft_free_memory(owned->gradient[axis]);
        ndft_free_memory(owned->position[axis]);
        if (p->voxel) ndft_free_memory(p->x[axis]);
    }
}

void ndft_problem_destroy(ndft_problem *p)
{
    ndft_owned *owned = (ndft_owned *)p;
    if (!owned || __atomic_sub_fetch(&owned->users, 1, __ATOMIC_ACQ_REL)) return;
    ndft_memo_destroy(p->memo);
    if (!owned->borrowed) free_arrays(owned);
    ndft_account_give_back(&owned->device->account, owned->held);
    ndft_device_close(&owned->device->device);
    free(owned);
}
