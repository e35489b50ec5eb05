/* SPDX-License-Identifier: Apache-2.0 */
#include "extent.h"

#include "base/bounds.h"
#include "base/text.h"

#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

/* The least and the greatest of count values, at least 1. */
static ndft_span span_of(const void *array, ndft_prec prec, int64_t count)
{
    ndft_span span = {INFINITY, -INFINITY};
    for (int64_t i = 0; i < count; i++) {
        const double value = ndft_real_at(array, prec, i);
        span.low = fmin(span.low, value);
        span.high = fmax(span.high, value);
    }
    return span;
}

ndft_extent ndft_extent_of(const ndft_problem *p)
{
    ndft_extent e = {.time_s = span_of(p->t, p->prec, p->n_samples)};
    for (int d = 0; d < p->dim; d++) e.k[d] = p->k_max[d] / ((double)p->n[d] / 2);
    if (p->decay) e.decay = span_of(p->decay, p->prec, p->n_voxels);
    if (!p->dw) return e;
    const ndft_span dw = span_of(p->dw, p->prec, p->n_voxels);
    e.field_hz = (ndft_span){dw.low / (2 * M_PI), dw.high / (2 * M_PI)};
    e.cycles = (e.field_hz.high - e.field_hz.low) * (e.time_s.high - e.time_s.low);
    return e;
}

int ndft_extent_print(const ndft_extent *e, const ndft_case *c, const ndft_problem *p, char *text,
                      size_t size)
{
    char k[64], field[64] = "no field map", decay[64] = "", higher[80] = "", maps[64] = "";
    char voxels[64] = "", off[96] = "";
    const int64_t grid = p->n[0] * p->n[1] * p->n[2];
    ndft_text reach_of_k = ndft_text_in(k, sizeof k), reach_of_x = ndft_text_in(off, sizeof off);
    for (int d = 0; d < p->dim; d++) ndft_text_add(&reach_of_k, "%s%.3g", d ? ", " : "", e->k[d]);
    for (int d = 0; ndft_is_off_grid(p) && d < p->dim; d++)
        ndft_text_add(&reach_of_x, "%s%.4g", d ? ", " : "; off the grid, |x| up to ", p->x_max[d]);
    if (p->dw)
        snprintf(field, sizeof field, "field %.4g to %.4g Hz", e->field_hz.low, e->field_hz.high);
    if (p->decay)
        snprintf(decay, sizeof decay, "; R2* %.4g to %.4g 1/s", e->decay.low, e->decay.high);
    if (p->maps) snprintf(maps, sizeof maps, "; coil maps up to %.4g", p->maps_max);
    if (p->higher.terms)
        snprintf(higher, sizeof higher, "; %d terms of a phase up to %.4g rad", p->higher.terms,
                 p->higher.most);
    if (c->mask.kind == NDFT_SOURCE_FILE)
        snprintf(voxels, sizeof voxels, "; %lld of %lld voxels", (long long)p->n_voxels,
                 (long long)grid);
    return snprintf(text, size,
                    "|k| up to %s of N/2; %s%s%s%s; times %.6g to %.6g ms; %.3g cycles of "
                    "phase%s%s%s",
                    k, field, decay, higher, maps, 1e3 * e->time_s.low, 1e3 * e->time_s.high,
                    e->cycles, off, off[0] ? " voxels" : "", voxels);
}

/* One after the other, and NULL. */
static const ndft_source *source_of(const ndft_case *c, int i)
{
    const ndft_source *const all[] = {&c->traj,  &c->times, &c->field,  &c->decay,
                                      &c->phase, &c->grad,  &c->grid,   &c->mask,
                                      &c->maps,  &c->data,  &c->kernel, NULL};
    return all[i];
}

bool ndft_case_reads_files(const ndft_case *c)
{
    const ndft_source *s;
    for (int i = 0; (s = source_of(c, i)); i++)
        if (c->kind == NDFT_NONUNIFORM && s->kind == NDFT_SOURCE_FILE) return true;
    return false;
}

static bool is_same(const struct stat *a, const struct stat *b)
{
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

/* A file, which is there, or in there by whatever name. */
static bool lies_at(const char *path, const char *place)
{
    struct stat file, found;
    if (stat(path, &file) || stat(place, &found)) return false;
    bool same = is_same(&file, &found);
    DIR *folder = opendir(place);
    for (struct dirent *one; folder && !same && (one = readdir(folder));)
        same = !fstatat(dirfd(folder), one->d_name, &found, 0) && is_same(&file, &found);
    if (folder) closedir(folder);
    return same;
}

bool ndft_case_reads_at(const ndft_case *c, const char *path)
{
    const ndft_source *s;
    for (int i = 0; (s = source_of(c, i)); i++) {
        char file[NDFT_PATH_MAX];
        if (s->kind != NDFT_SOURCE_FILE) continue;
        snprintf(file, sizeof file, "%s", s->path);
        char *second = s == &c->phase ? strchr(file, ':') : NULL;
        if (second) *second++ = 0;
        if (lies_at(file, path) || (second && lies_at(second, path))) return true;
    }
    return false;
}

bool ndft_case_is_doubted(const ndft_case *c)
{
    const bool timed = c->field.kind != NDFT_SOURCE_NONE || c->decay.kind != NDFT_SOURCE_NONE;
    return ndft_case_reads_files(c) || (timed && c->t == 0);
}

/* What a doubt looks at, and where its sentence goes. */
typedef struct asked {
    const ndft_extent *e;
    const ndft_case *c;
    const ndft_problem *p;
    ndft_texts *texts;
    ndft_error *err;
} asked;

/* On smaller grids a few cycles/FOV are all there is. */
enum { LARGE = 16 };

static ndft_status doubt_readout(const asked *a)
{
    const char *idle = ndft_without_effect(a->p);
    if (!idle) return NDFT_OK;
    return ndft_texts_format(a->texts, a->err,
                             "no effect of %s, since all samples are read at t=0: give t=READOUT "
                             "or times=file:PATH",
                             idle);
}

static ndft_status doubt_times(const asked *a)
{
    const double longest = 1; /* s; no signal lasts so long */
    if (a->c->times.kind != NDFT_SOURCE_FILE || a->p->t_max <= longest) return NDFT_OK;
    return ndft_texts_format(a->texts, a->err,
                             "times reach %.4g s: if the file is in ms, divide it by 1000",
                             a->p->t_max);
}

/* The largest |k| of all axes long enough to tell; NaN: none. */
static double reach(const ndft_problem *p)
{
    double most = NAN;
    for (int d = 0; d < p->dim; d++)
        if (p->n[d] > LARGE) most = fmax(most, p->k_max[d]);
    return most;
}

/* Other software takes k as radians or cycles a voxel. */
static ndft_status doubt_unit(const asked *a, bool *doubted)
{
    const double most = reach(a->p), rounded = 1 + 1e-6;
    *doubted = most > 0 && most <= M_PI * rounded;
    if (!*doubted) return NDFT_OK;
    const bool cycles = most <= 0.5 * rounded;
    return ndft_texts_format(a->texts, a->err,
                             "k reaches %.4g cycles/FOV only: if the file is in %s, multiply it by "
                             "%s",
                             most, cycles ? "cycles/voxel" : "radians/voxel",
                             cycles ? "N" : "N/(2 pi)");
}

/* The axis that uses most of its k-space, or least of those long enough to tell and used at all. */
static int extreme_axis(const asked *a, bool most)
{
    int axis = 0;
    double best = most ? 0 : INFINITY;
    for (int d = 0; d < a->p->dim; d++) {
        const double used = a->e->k[d];
        if (most ? used <= best : used >= best || used == 0 || a->p->n[d] <= LARGE) continue;
        best = used;
        axis = d;
    }
    return axis;
}

/* Other software takes positions as parts of the field of view. */
static ndft_status doubt_grid(const asked *a)
{
    double most = 0;
    bool large = false;
    for (int d = 0; d < a->p->dim; d++) {
        most = fmax(most, ndft_reach(a->p, d));
        large = large || a->p->n[d] > LARGE;
    }
    if (!ndft_is_off_grid(a->p) || !large || most > 1) return NDFT_OK;
    return ndft_texts_format(a->texts, a->err,
                             "voxels reach %.4g voxels from the centre only: if the file is in "
                             "FOV, multiply it by N",
                             most);
}

static ndft_status doubt_range(const asked *a)
{
    const int widest = extreme_axis(a, true), narrowest = extreme_axis(a, false);
    const double most = a->e->k[widest], least = a->e->k[narrowest];
    if (most > 1.5)
        return ndft_texts_format(a->texts, a->err,
                                 "k_%c reaches %.3g of N/2, beyond what the grid holds: if the "
                                 "file is in 1/m, multiply it by the FOV in m; if in radians/FOV, "
                                 "divide it by 2 pi",
                                 "xyz"[widest], most);
    if (a->p->n[narrowest] > LARGE && least > 0 && least < 0.1)
        return ndft_texts_format(a->texts, a->err,
                                 "k_%c reaches %.3g of N/2, less than a tenth of k-space: it is "
                                 "wanted in cycles/FOV",
                                 "xyz"[narrowest], least);
    return NDFT_OK;
}

static ndft_status doubt_trajectory(const asked *a)
{
    bool doubted;
    if (a->c->traj.kind != NDFT_SOURCE_FILE) return NDFT_OK;
    NDFT_TRY(doubt_unit(a, &doubted));
    return doubted ? NDFT_OK : doubt_range(a);
}

static bool all_whole(const ndft_problem *p)
{
    for (int64_t v = 0; v < p->n_voxels; v++) {
        const double dw = ndft_real_at(p->dw, p->prec, v);
        if (dw != rint(dw)) return false;
    }
    return true;
}

/*
 * Maps in Hz and in rad/s overlap: 300 may be either. What tells are whole numbers, which scanners
 * write for Hz and no product with 2 pi is, and a map so weak that nobody would correct for it,
 * below 30 Hz and a cycle, which 2 pi times as strong would be an ordinary one.
 */
static ndft_status doubt_field(const asked *a)
{
    const ndft_problem *p = a->p;
    if (a->c->field.kind != NDFT_SOURCE_FILE || p->dw_max == 0) return NDFT_OK;
    if (all_whole(p))
        return ndft_texts_format(a->texts, a->err,
                                 "every value of the field map is a whole number of rad/s: if the "
                                 "file is in Hz, multiply it by 2 pi");
    if (p->dw_max >= 2 * M_PI * 30 || a->e->cycles >= 1) return NDFT_OK;
    return ndft_texts_format(a->texts, a->err,
                             "the field map stays below %.3g Hz and %.2g cycles in the readout: if "
                             "the file is in Hz, multiply it by 2 pi",
                             p->dw_max / (2 * M_PI), a->e->cycles);
}

/* Rates of 1/ms. */
static ndft_status doubt_decay(const asked *a)
{
    const ndft_problem *p = a->p;
    const double lost = p->decay_max * p->t_max;
    if (a->c->decay.kind != NDFT_SOURCE_FILE || p->decay_max == 0 || lost == 0 || lost >= 0.01)
        return NDFT_OK;
    return ndft_texts_format(a->texts, a->err,
                             "R2* stays below %.3g 1/s and takes %.2g of the signal in the "
                             "readout: if the file is in 1/ms, multiply it by 1000",
                             p->decay_max, lost);
}

/* Coefficients of another unit of length than that of the maps: mm for m are 1e6 of a product. */
static ndft_status doubt_phase(const asked *a)
{
    const double most = a->p->higher.most;
    if (a->c->phase.kind != NDFT_SOURCE_FILE || (most > 1e-3 && most < 1e4)) return NDFT_OK;
    return ndft_texts_format(a->texts, a->err,
                             "the phase of higher order reaches %.3g rad: c is wanted in rad per "
                             "unit of b",
                             most);
}

ndft_status ndft_doubts_add(const ndft_extent *e, const ndft_case *c, const ndft_problem *p,
                            ndft_texts *texts, ndft_error *err)
{
    const asked a = {e, c, p, texts, err};
    NDFT_TRY(doubt_readout(&a));
    NDFT_TRY(doubt_times(&a));
    NDFT_TRY(doubt_trajectory(&a));
    NDFT_TRY(doubt_grid(&a));
    NDFT_TRY(doubt_field(&a));
    NDFT_TRY(doubt_phase(&a));
    return doubt_decay(&a);
}
