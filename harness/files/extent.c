/* SPDX-License-Identifier: Apache-2.0 */
#include "extent.h"

#include <math.h>
#include <stdio.h>

ndft_span ndft_span_of(const void *array, ndft_prec prec, int64_t count)
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
    ndft_extent e = {.time_s = ndft_span_of(p->t, p->prec, p->n_samples)};
    for (int d = 0; d < p->dim; d++) e.k[d] = p->k_max[d] / ((double)p->n[d] / 2);
    if (!p->dw) return e;
    const ndft_span dw = ndft_span_of(p->dw, p->prec, p->n_voxels);
    e.field_hz = (ndft_span){dw.low / (2 * M_PI), dw.high / (2 * M_PI)};
    e.cycles = (e.field_hz.high - e.field_hz.low) * (e.time_s.high - e.time_s.low);
    return e;
}

int ndft_extent_print(const ndft_extent *e, const ndft_case *c, const ndft_problem *p, char *text,
                      size_t size)
{
    char k[64], field[64] = "no field map", voxels[64] = "";
    const int64_t grid = p->n[0] * p->n[1] * p->n[2];
    int length = 0;
    for (int d = 0; d < p->dim; d++)
        length += snprintf(k + length, sizeof k - (size_t)length, "%s%.3g", d ? ", " : "", e->k[d]);
    if (p->dw)
        snprintf(field, sizeof field, "field %.4g to %.4g Hz", e->field_hz.low, e->field_hz.high);
    if (c->mask.kind == NDFT_SOURCE_FILE)
        snprintf(voxels, sizeof voxels, "; %lld of %lld voxels", (long long)p->n_voxels,
                 (long long)grid);
    return snprintf(text, size,
                    "|k| up to %s of N/2; %s; times %.6g to %.6g ms; %.3g cycles of phase%s", k,
                    field, 1e3 * e->time_s.low, 1e3 * e->time_s.high, e->cycles, voxels);
}

bool ndft_case_reads_files(const ndft_case *c)
{
    const ndft_source *const sources[] = {&c->traj, &c->times, &c->field,
                                          &c->grad, &c->mask,  &c->data};
    for (size_t i = 0; i < sizeof sources / sizeof *sources; i++)
        if (c->kind == NDFT_NONUNIFORM && sources[i]->kind == NDFT_SOURCE_FILE) return true;
    return false;
}
