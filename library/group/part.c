/* SPDX-License-Identifier: Apache-2.0 */
#include "part.h"

#include "coils/coil_maps.h"
#include "harness.h"
#include "public/objects.h"

#include <stdlib.h>
#include <string.h>

const char *ndft_cut_name(ndft_cut cut)
{
    static const char *const names[] = {"coils", "samples", "voxels"};
    return names[cut];
}

static int64_t length_of(const ndft_problem *p, ndft_cut cut)
{
    return cut == NDFT_CUT_COILS ? p->coils : cut == NDFT_CUT_SAMPLES ? p->n_samples : p->n_voxels;
}

/* Parts are of whole ones: structure that engines use stays, and rows of data are aligned. */
static int64_t unit_of(const ndft_problem *p, ndft_cut cut, int parts)
{
    enum { ALIGNED = 8 };
    const int64_t n = length_of(p, cut);
    if (cut == NDFT_CUT_COILS) return 1;
    const int64_t row = cut == NDFT_CUT_SAMPLES ? p->structure.line_length : p->voxel ? 0 : p->n[0];
    if (row && n >= parts * row) return row;
    return n >= parts * ALIGNED ? ALIGNED : 1;
}

ndft_status ndft_part_bounds(const ndft_problem *p, ndft_cut cut, int parts, int64_t first[])
{
    const int64_t n = length_of(p, cut), unit = unit_of(p, cut, parts), units = n / unit;
    if (n < parts)
        return ndft_fail(ndft_thread_error(), NDFT_EINVAL,
                         "%lld %s are less than one for each of %d parts; %lld parts at most",
                         (long long)n, ndft_cut_name(cut), parts, (long long)n);
    for (int part = 0; part < parts; part++) first[part] = units * part / parts * unit;
    first[parts] = n;
    return NDFT_OK;
}

/* A description in the making, with arrays that were made for it. */
enum { MOST_ARRAYS = 12 };

typedef struct cutting {
    const ndft_problem *p;
    ndft_cut cut;
    int64_t first, end, grid;
    ndft_problem_desc d;
    void *array[MOST_ARRAYS];
    int arrays;
    bool failed; /* for want of memory */
} cutting;

static void *new_array(cutting *c, int64_t count, size_t size)
{
    void *array = calloc((size_t)count, size);
    c->array[c->arrays++] = array;
    c->failed = c->failed || !array;
    return array;
}

/* Of samples: those of the part. */
static const void *of_part(const cutting *c, const void *samples)
{
    const int64_t from = c->cut == NDFT_CUT_SAMPLES ? c->first : 0;
    return samples ? (const char *)samples + (size_t)from * ndft_real_size(c->p->prec) : NULL;
}

/* Whether they are maps on the grid, behind each other. */
static bool are_on_grid(const cutting *c, const void *const map[], int maps, size_t size)
{
    bool are = !c->p->voxel;
    for (int l = 1; l < maps; l++)
        are = are && map[l] == (const char *)map[0] + (size_t)(l * c->grid) * size;
    return are;
}

/* Maps of the voxels as maps on the grid. */
static const void *on_grid(cutting *c, const void *const map[], int maps, size_t size)
{
    const ndft_problem *p = c->p;
    if (!map[0] || are_on_grid(c, map, maps, size)) return map[0];
    char *grid = new_array(c, maps * c->grid, size);
    for (int l = 0; grid && l < maps; l++, grid += (size_t)c->grid * size)
        for (int64_t v = 0; v < p->n_voxels; v++)
            memcpy(grid + (size_t)(p->voxel ? p->voxel[v] : v) * size,
                   (const char *)map[l] + (size_t)v * size, size);
    return c->failed ? NULL : grid - (size_t)(maps * c->grid) * size;
}

static const void *map_on_grid(cutting *c, const void *map)
{
    return on_grid(c, &map, 1, ndft_real_size(c->p->prec));
}

static void cut_samples(cutting *c)
{
    const ndft_problem *p = c->p;
    const size_t real = ndft_real_size(p->prec);
    if (c->cut == NDFT_CUT_SAMPLES) c->d.n_samples = c->end - c->first;
    for (int axis = 0; axis < p->dim; axis++) c->d.k[axis] = of_part(c, p->k[axis]);
    c->d.t = of_part(c, p->t);
    c->d.phases = p->higher.terms;
    if (!c->d.phases) return;
    char *phase_c = new_array(c, c->d.phases * c->d.n_samples, real);
    const size_t bytes = (size_t)c->d.n_samples * real;
    for (int l = 0; phase_c && l < c->d.phases; l++)
        memcpy(phase_c + (size_t)l * bytes, of_part(c, p->higher.c[l]), bytes);
    c->d.phase_c = phase_c;
    c->d.phase_b = on_grid(c, p->higher.b, c->d.phases, real);
}

static void cut_mask(cutting *c)
{
    const ndft_problem *p = c->p;
    const bool cut = c->cut == NDFT_CUT_VOXELS;
    if (!p->voxel && !cut) return;
    unsigned char *mask = new_array(c, c->grid, 1);
    const int64_t first = cut ? c->first : 0, end = cut ? c->end : p->n_voxels;
    for (int64_t v = first; mask && v < end; v++) mask[p->voxel ? p->voxel[v] : v] = 1;
    c->d.mask = mask;
}

/* Those of the part's coils, one behind the other in either layout. */
static void cut_coil_maps(cutting *c)
{
    const ndft_problem *p = c->p;
    const size_t size = 2 * ndft_real_size(p->prec);
    const void *map[NDFT_MOST_COILS];
    const int64_t from = c->cut == NDFT_CUT_COILS ? c->first : 0;
    for (int l = 0; l < c->d.coils; l++)
        map[l] = (const char *)p->maps + (size_t)((from + l) * p->n_voxels) * size;
    c->d.maps = on_grid(c, map, c->d.coils, size);
}

static void cut_maps(cutting *c)
{
    const ndft_problem *p = c->p;
    cut_mask(c);
    c->d.field = map_on_grid(c, p->dw);
    c->d.decay = map_on_grid(c, p->decay);
    for (int axis = 0; axis < p->dim; axis++) {
        c->d.gradient[axis] = map_on_grid(c, p->g[axis]);
        c->d.position[axis] = map_on_grid(c, p->x[axis]);
    }
    if (c->cut == NDFT_CUT_COILS) c->d.coils = (int)(c->end - c->first);
    if (p->maps) cut_coil_maps(c);
}

ndft_status ndft_part_create(ndft_device *device, const ndft_problem *p, ndft_cut cut,
                             int64_t first, int64_t end, ndft_problem **part)
{
    cutting c = {.p = p, .cut = cut, .first = first, .end = end, .d = ndft_description_of(p)};
    c.grid = p->n[0] * p->n[1] * p->n[2];
    cut_samples(&c);
    cut_maps(&c);
    const ndft_status status =
        c.failed ? ndft_fail(ndft_thread_error(), NDFT_ENOMEM, "no memory for a part of a problem")
                 : ndft_problem_create(device, &c.d, part);
    for (int i = 0; i < c.arrays; i++) free(c.array[i]);
    if (status == NDFT_OK && p->maps && (*part)->coils < p->coils)
        (*part)->tol = ndft_tol_of_some_coils(*part, p);
    return status;
}

ndft_status ndft_problem_again(ndft_device *device, const ndft_problem *p, ndft_problem **again)
{
    return ndft_part_create(device, p, NDFT_CUT_COILS, 0, p->coils, again);
}

ndft_piece ndft_piece_of(const ndft_problem *p, ndft_cut cut, ndft_range there, ndft_range wanted,
                         bool samples)
{
    const bool coils = ndft_cuts_coils(p, cut, samples);
    const bool elements = ndft_cuts_elements(cut, samples);
    const int64_t cut_there = there.end - there.first;
    const ndft_placement all = ndft_placement_of(p->layout,
                                                 coils     ? (int)cut_there
                                                 : samples ? p->coils
                                                           : ndft_image_coils(p),
                                                 elements  ? cut_there
                                                 : samples ? p->n_samples
                                                           : p->n_voxels);
    const size_t element = 2 * ndft_real_size(p->prec);
    const size_t bytes = (size_t)all.coils * (size_t)all.length * element;
    if (!coils && !elements) return (ndft_piece){0, bytes, bytes, 1};
    const size_t step = (size_t)(coils ? all.coil : all.element) * element;
    ndft_piece piece = {(size_t)(wanted.first - there.first) * step,
                        (size_t)(wanted.end - wanted.first) * step, bytes, 1};
    if (elements && p->layout == NDFT_PLANAR && cut_there > wanted.end - wanted.first) {
        piece.rows = all.coils;
        piece.stride = (size_t)all.coil * element;
    } else if (elements && p->layout == NDFT_PLANAR) {
        piece.row_bytes = bytes;
    }
    return piece;
}
