/* SPDX-License-Identifier: Apache-2.0 */
#include "doubled.h"

#include "coils.h"

static ndft_status widen(ndft_arena *own, const char *what, ndft_prec prec, int64_t count,
                         const void **array, ndft_error *err)
{
    if (!*array) return NDFT_OK;
    double *wide = ndft_arena_alloc(own, what, count, sizeof *wide, err);
    if (!wide) return NDFT_ENOMEM;
#pragma omp parallel for
    for (int64_t i = 0; i < count; i++) wide[i] = ndft_real_at(*array, prec, i);
    *array = wide;
    return NDFT_OK;
}

/* A list of all voxels, of which a part can be taken. */
static ndft_status list_voxels(ndft_doubled *d, ndft_error *err)
{
    ndft_problem *p = &d->problem;
    if (p->voxel) return NDFT_OK;
    int32_t *list = ndft_arena_alloc(&d->own, "voxels", p->n_voxels, sizeof *list, err);
    if (!list) return NDFT_ENOMEM;
    for (int64_t v = 0; v < p->n_voxels; v++) list[v] = (int32_t)v;
    p->voxel = list;
    return NDFT_OK;
}

static ndft_status widen_all(ndft_doubled *d, ndft_error *err)
{
    ndft_problem *p = &d->problem;
    const ndft_prec prec = p->prec;
    NDFT_TRY(widen(&d->own, "readout times", prec, p->n_samples, &p->t, err));
    NDFT_TRY(widen(&d->own, "field map", prec, p->n_voxels, &p->dw, err));
    NDFT_TRY(widen(&d->own, "decay map", prec, p->n_voxels, &p->decay, err));
    for (int i = 0; i < 3; i++) {
        NDFT_TRY(widen(&d->own, "trajectory", prec, p->n_samples, &p->k[i], err));
        NDFT_TRY(widen(&d->own, "gradient map", prec, p->n_voxels, &p->g[i], err));
        NDFT_TRY(widen(&d->own, "voxel positions", prec, p->n_voxels, &p->x[i], err));
    }
    for (int l = 0; l < p->higher.terms; l++) {
        NDFT_TRY(widen(&d->own, "phase", prec, p->n_samples, &p->higher.c[l], err));
        NDFT_TRY(widen(&d->own, "phase map", prec, p->n_voxels, &p->higher.b[l], err));
    }
    NDFT_TRY(list_voxels(d, err));
    p->prec = NDFT_F64;
    p->layout = NDFT_INTERLEAVED;
    return NDFT_OK;
}

ndft_status ndft_doubled_make(const ndft_problem *p, ndft_doubled *d, ndft_error *err)
{
    *d = (ndft_doubled){.problem = *p};
    ndft_status status = widen_all(d, err);
    if (status != NDFT_OK) ndft_doubled_free(d);
    return status;
}

void ndft_doubled_free(ndft_doubled *d) { ndft_arena_free(&d->own); }

double *ndft_doubled_input(const ndft_problem *p, ndft_op op, const void *vector, ndft_arena *arena,
                           ndft_error *err)
{
    const bool seen = p->maps && op != NDFT_ADJOINT;
    const ndft_placement columns = ndft_input_placement(p, op);
    double *wide = ndft_arena_alloc(arena, "vector in double", columns.length * p->coils,
                                    2 * sizeof *wide, err);
    if (!wide) return NULL;
#pragma omp parallel for
    for (int64_t e = 0; e < columns.length; e++)
        for (int c = 0; c < p->coils; c++) {
            double *z = wide + 2 * (e * p->coils + c);
            const int64_t at = 2 * (c * columns.coil + e * columns.element);
            if (seen) ndft_coil_image(p, c, e, vector, z);
            for (int part = 0; part < (seen ? 0 : 2); part++)
                z[part] = ndft_real_at(vector, p->prec, at + part);
        }
    return wide;
}

static const void *from(const void *array, int64_t first)
{
    return array ? (const double *)array + first : NULL;
}

ndft_problem ndft_doubled_part(const ndft_problem *doubled, ndft_op op, int64_t first,
                               int64_t count)
{
    ndft_problem part = *doubled;
    part.structure = (ndft_structure){0};
    if (op == NDFT_FORWARD) {
        part.n_samples = count;
        part.t = from(part.t, first);
        for (int i = 0; i < 3; i++) part.k[i] = from(part.k[i], first);
        for (int l = 0; l < part.higher.terms; l++)
            part.higher.c[l] = from(part.higher.c[l], first);
    } else {
        part.n_voxels = count;
        part.voxel += first;
        part.dw = from(part.dw, first);
        part.decay = from(part.decay, first);
        for (int i = 0; i < 3; i++) {
            part.g[i] = from(part.g[i], first);
            part.x[i] = from(part.x[i], first);
        }
        for (int l = 0; l < part.higher.terms; l++)
            part.higher.b[l] = from(part.higher.b[l], first);
    }
    return part;
}
