/* SPDX-License-Identifier: Apache-2.0 */
#include "export.h"

#include "base/regular.h"
#include "files/npy.h"
#include "files/output.h"
#include "uniform.h"

#include <stdbool.h>
#include <string.h>

enum { PATH_BYTES = 1024 };

/* One file being put together: columns of the problem become an array in C order. */
typedef struct writer {
    const ndft_problem *p;
    ndft_array array;
    ndft_arena arena;
    ndft_error *err;
} writer;

static int64_t grid_size(const ndft_problem *p) { return p->n[0] * p->n[1] * p->n[2]; }

/* Sets type and shape, all zero; the lengths end with 0. */
static ndft_status begin(writer *w, ndft_element element, const int64_t *shape)
{
    w->array = (ndft_array){.element = element};
    for (; shape[w->array.rank]; w->array.rank++)
        w->array.shape[w->array.rank] = shape[w->array.rank];
    int64_t count = ndft_array_count(&w->array);
    size_t size = ndft_element_size(element);
    w->array.data = ndft_arena_alloc(&w->arena, "exported array", count, size, w->err);
    if (!w->array.data) return NDFT_ENOMEM;
    memset(w->array.data, 0, (size_t)count * size);
    return NDFT_OK;
}

/* Copies one column, from + e * stride, to its voxels' places or its samples'. */
static void move(writer *w, ndft_side side, const void *column, int64_t from, int64_t stride,
                 int64_t to, int64_t to_stride)
{
    const ndft_problem *p = w->p;
    size_t size = ndft_element_size(w->array.element);
    bool masked = side == NDFT_SIDE_IMAGE && p->voxel;
    for (int64_t e = 0; e < ndft_side_length(p, side); e++) {
        int64_t place = to + (masked ? p->voxel[e] : e) * to_stride;
        memcpy((char *)w->array.data + (size_t)place * size,
               (const char *)column + (size_t)(from + e * stride) * size, size);
    }
}

static ndft_status end(writer *w, ndft_status status, const char *path)
{
    if (status == NDFT_OK) status = ndft_npy_write(path, &w->array, w->err);
    ndft_arena_free(&w->arena);
    return status;
}

static ndft_element element_of(bool real, ndft_prec prec)
{
    if (prec == NDFT_F32) return real ? NDFT_ELEMENT_F32 : NDFT_ELEMENT_C64;
    return real ? NDFT_ELEMENT_F64 : NDFT_ELEMENT_C128;
}

static ndft_status write_columns(const char *path, const ndft_problem *p, ndft_side side,
                                 const void *data, ndft_prec prec, const ndft_placement *columns,
                                 ndft_error *err)
{
    writer w = {.p = p, .err = err};
    const bool image = side == NDFT_SIDE_IMAGE;
    const int64_t full = image ? grid_size(p) : columns->length;
    const int64_t grid[] = {columns->coils, p->n[2], p->n[1], p->n[0], 0};
    const int64_t samples[] = {columns->coils, p->n_samples, 0};
    ndft_status status = begin(&w, element_of(false, prec), image ? grid : samples);
    for (int64_t c = 0; status == NDFT_OK && c < columns->coils; c++)
        move(&w, side, data, c * columns->coil, columns->element, c * full, 1);
    return end(&w, status, path);
}

ndft_status ndft_export_vector(const char *path, const ndft_problem *p, ndft_side side,
                               const void *data, ndft_prec prec, ndft_layout layout,
                               ndft_error *err)
{
    const ndft_placement columns =
        ndft_placement_of(layout, ndft_side_coils(p, side), ndft_side_length(p, side));
    return write_columns(path, p, side, data, prec, &columns, err);
}

static ndft_status write_maps(const char *path, const ndft_problem *p, ndft_error *err)
{
    const ndft_placement columns = ndft_placement_of(NDFT_PLANAR, p->coils, p->n_voxels);
    return p->maps ? write_columns(path, p, NDFT_SIDE_IMAGE, p->maps, p->prec, &columns, err)
                   : NDFT_OK;
}

/* The real arrays of a problem: `columns` of one side, as the fastest axis or the slowest. */
typedef struct real_file {
    const char *name;
    ndft_side side;
    const void *const *column; /* NULL: the case has none */
    int columns;               /* 0: one, and no axis for it */
    bool interleaved;
} real_file;

static ndft_status write_reals(const char *path, const ndft_problem *p, const real_file *f,
                               ndft_error *err)
{
    writer w = {.p = p, .err = err};
    const bool image = f->side == NDFT_SIDE_IMAGE;
    const int columns = f->columns ? f->columns : 1;
    const int64_t length = image ? grid_size(p) : p->n_samples;
    const int64_t grid[] = {f->columns, p->n[2], p->n[1], p->n[0], 0};
    const int64_t rows[] = {f->columns, length, f->interleaved ? f->columns : 0, 0};
    const int64_t *shape = image && !f->interleaved ? grid : rows;
    if (!f->column[0]) return NDFT_OK;
    if (!f->columns || f->interleaved) shape++;
    ndft_status status = begin(&w, element_of(true, p->prec), shape);
    for (int d = 0; status == NDFT_OK && d < columns; d++)
        move(&w, f->side, f->column[d], 0, 1, f->interleaved ? d : d * length,
             f->interleaved ? columns : 1);
    return end(&w, status, path);
}

static ndft_status write_mask(const char *path, const ndft_problem *p, ndft_error *err)
{
    writer w = {.p = p, .err = err};
    if (!p->voxel) return NDFT_OK;
    ndft_status status = begin(&w, NDFT_ELEMENT_BOOL, (int64_t[]){p->n[2], p->n[1], p->n[0], 0});
    for (int64_t v = 0; status == NDFT_OK && v < p->n_voxels; v++)
        ((unsigned char *)w.array.data)[p->voxel[v]] = 1;
    return end(&w, status, path);
}

static ndft_status in(const char *folder, const char *name, char path[PATH_BYTES], ndft_error *err)
{
    if (snprintf(path, PATH_BYTES, "%s/%s", folder, name) < PATH_BYTES) return NDFT_OK;
    return ndft_fail(err, NDFT_EINVAL, "the folder's name '%.60s...' is too long", folder);
}

/* NDFT_EINVAL when it holds anything but the line of a case. */
static ndft_status check_case_file(const char *path, ndft_error *err)
{
    char line[NDFT_CASE_MAX] = "";
    ndft_case c;
    ndft_error ignored;
    FILE *file = ndft_open_regular(path);
    if (!file) return NDFT_OK;
    bool known = !fgets(line, sizeof line, file) || ndft_case_parse(line, &c, &ignored) == NDFT_OK;
    fclose(file);
    if (known) return NDFT_OK;
    return ndft_fail(err, NDFT_EINVAL,
                     "%s holds no case, and is not replaced; choose another folder", path);
}

/* Makes the folder where it is missing, with the case's line in it. */
static ndft_status write_case(const char *folder, const ndft_case *c, ndft_error *err)
{
    char text[NDFT_CASE_MAX], path[PATH_BYTES];
    ndft_output out;
    NDFT_TRY(in(folder, "case.txt", path, err));
    NDFT_TRY(ndft_stream_folders(path, err));
    NDFT_TRY(check_case_file(path, err));
    ndft_case_print(c, text, sizeof text);
    NDFT_TRY(ndft_output_open(path, NULL, &out, err));
    fprintf(out.file, "%s\n", text);
    return ndft_output_close(&out, err);
}

ndft_status ndft_export(const ndft_case *c, const ndft_made *made, const char *folder,
                        ndft_error *err)
{
    const ndft_problem *p = &made->problem;
    const real_file files[] = {
        {"k.npy", NDFT_SIDE_KSPACE, p->k, p->dim, true},
        {"t.npy", NDFT_SIDE_KSPACE, &p->t, 0, false},
        {"grid.npy", NDFT_SIDE_IMAGE, p->x, p->dim, true},
        {"dw.npy", NDFT_SIDE_IMAGE, &p->dw, 0, false},
        {"decay.npy", NDFT_SIDE_IMAGE, &p->decay, 0, false},
        {"phase_c.npy", NDFT_SIDE_KSPACE, p->higher.c, p->higher.terms, false},
        {"phase_b.npy", NDFT_SIDE_IMAGE, p->higher.b, p->higher.terms, false},
        {"grad.npy", NDFT_SIDE_IMAGE, p->g, p->dim, false}};
    char path[PATH_BYTES];
    NDFT_TRY(write_case(folder, c, err));
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        NDFT_TRY(in(folder, files[i].name, path, err));
        NDFT_TRY(write_reals(path, p, &files[i], err));
    }
    NDFT_TRY(in(folder, "mask.npy", path, err));
    NDFT_TRY(write_mask(path, p, err));
    NDFT_TRY(in(folder, "maps.npy", path, err));
    NDFT_TRY(write_maps(path, p, err));
    NDFT_TRY(in(folder, "image.npy", path, err));
    NDFT_TRY(ndft_export_vector(path, p, NDFT_SIDE_IMAGE, made->image, p->prec, p->layout, err));
    NDFT_TRY(in(folder, "kspace.npy", path, err));
    return ndft_export_vector(path, p, NDFT_SIDE_KSPACE, made->kspace, p->prec, p->layout, err);
}

/* What read_by's load function leaves alone is 0 in the file; NULL: all elements are written. */
static ndft_status write_tensor(const char *path, int dim, const ndft_tensor *t, const void *data,
                                ndft_prec prec, const ndft_transform *read_by, ndft_error *err)
{
    writer w = {.err = err};
    int64_t shape[NDFT_MODES + 1] = {t->shape[NDFT_MODE_K]};
    for (int d = 0; d <= dim; d++) shape[1 + d] = t->shape[dim - d]; /* ND..N1, M */
    ndft_status status = begin(&w, element_of(t->real, prec), shape);
    const size_t size = ndft_element_size(w.array.element);
    for (int64_t e = 0; status == NDFT_OK && e < ndft_tensor_size(t); e++) {
        int64_t index[NDFT_MODES];
        ndft_tensor_index(t, e, index);
        if (read_by && !ndft_uniform_reads(read_by, index)) continue;
        memcpy((char *)w.array.data + (size_t)e * size,
               (const char *)data + (size_t)ndft_tensor_offset(t, index) * size, size);
    }
    return end(&w, status, path);
}

ndft_status ndft_export_tensor(const char *path, int dim, const ndft_tensor *t, const void *data,
                               ndft_prec prec, ndft_error *err)
{
    return write_tensor(path, dim, t, data, prec, NULL, err);
}

ndft_status ndft_export_uniform(const ndft_case *c, const ndft_made *made, const char *folder,
                                ndft_error *err)
{
    const ndft_transform *t = &made->uniform.transform;
    char path[PATH_BYTES];
    NDFT_TRY(write_case(folder, c, err));
    NDFT_TRY(in(folder, "input.npy", path, err));
    return write_tensor(path, t->dim, &t->in, made->image, t->prec, t, err);
}

/* Boxes of complex numbers, x fastest: (batch,nz,ny,nx), of a batch of 0 without that axis. */
static ndft_status write_boxes(const char *path, int batch, const int64_t n[3], const void *data,
                               ndft_prec prec, ndft_error *err)
{
    writer w = {.err = err};
    const int64_t shape[] = {batch, n[2], n[1], n[0], 0};
    const ndft_status status = begin(&w, element_of(false, prec), batch ? shape : shape + 1);
    if (status == NDFT_OK)
        memcpy(w.array.data, data,
               (size_t)ndft_array_count(&w.array) * ndft_element_size(w.array.element));
    return end(&w, status, path);
}

ndft_status ndft_export_convolution(const ndft_case *c, const ndft_made *made, const char *folder,
                                    ndft_error *err)
{
    const ndft_convolution_problem *problem = &made->convolution;
    const int64_t *n = c->op == NDFT_ADJOINT ? c->outputs : c->n;
    char path[PATH_BYTES];
    NDFT_TRY(write_case(folder, c, err));
    NDFT_TRY(in(folder, "kernel.npy", path, err));
    NDFT_TRY(write_boxes(path, 0, c->cells, problem->kernel, c->prec, err));
    NDFT_TRY(in(folder, "input.npy", path, err));
    return write_boxes(path, c->coils, n, ndft_made_input(made, c->op), c->prec, err);
}

ndft_status ndft_export_chirpz(const ndft_case *c, const ndft_made *made, const char *folder,
                               ndft_error *err)
{
    char path[PATH_BYTES];
    NDFT_TRY(write_case(folder, c, err));
    NDFT_TRY(in(folder, "input.npy", path, err));
    return write_boxes(path, c->coils, c->n, made->image, c->prec, err);
}
