/* SPDX-License-Identifier: Apache-2.0 */
#include "base/chirpz.h"
#include "base/convolution.h"
#include "base/memo.h"
#include "base/text.h"
#include "coils/coil_maps.h"
#include "descriptor.h"
#include "wisdom.h"

#include <math.h>

/* A power of two at least as large: 0 for nothing. */
static int size_of(double value) { return value > 0 ? (int)fmax(1, ceil(log2(value)) + 16) : 0; }

static void add_transform(ndft_text *l, const ndft_transform *t)
{
    char text[256];
    ndft_descriptor_print(t, text, sizeof text);
    ndft_text_add(l, "uniform %s%s%s", text, t->load ? " load" : "", t->store ? " store" : "");
}

static void add_box(ndft_text *l, const char *name, const int64_t n[3])
{
    ndft_text_add(l, " %s=%lldx%lldx%lld", name, (long long)n[0], (long long)n[1], (long long)n[2]);
}

static void add_convolution(ndft_text *l, const ndft_problem *p, unsigned ops)
{
    const ndft_convolution_problem *c = ndft_convolution_of(p);
    ndft_text_add(l, "convolution ops=%u batch=%d", ops, p->coils);
    add_box(l, "n", p->n);
    add_box(l, "outputs", c->outputs);
    add_box(l, "cells", c->cells);
}

/* W and A decide who serves by their moduli, in parts that no locale writes otherwise. */
static void add_chirpz(ndft_text *l, const ndft_problem *p, unsigned ops)
{
    const ndft_chirpz_problem *c = ndft_chirpz_of(p);
    ndft_text_add(l, "chirpz ops=%u n=%lld m=%lld batch=%d w=%.0f a=%.0f", ops, (long long)p->n[0],
                  (long long)p->n_samples, p->coils, round(1e9 * log2(c->w.modulus)),
                  round(1e9 * log2(c->a.modulus)));
}

enum { LOOKED_AT = 1024 };

/* How samples lie, by some of them: how many halvings of all are within half of the reach, which
 * are as many as there are axes where samples are spread evenly; and whether they come along lines
 * that are drawn closely, as readouts are. */
typedef struct spread {
    int halvings;
    bool drawn;
} spread;

static spread look(const ndft_problem *p)
{
    int seen = 0, within = 0, close = 0;
    const int64_t step = p->n_samples / LOOKED_AT + 1;
    for (int64_t j = 0; j + 1 < p->n_samples; j += step, seen++) {
        bool inside = true, beside = true;
        for (int d = 0; d < p->dim; d++) {
            const double k = ndft_real_at(p->k[d], p->prec, j);
            inside = inside && fabs(k) <= p->k_max[d] / 2;
            beside = beside && fabs(ndft_real_at(p->k[d], p->prec, j + 1) - k) < 2;
        }
        within += inside;
        close += beside;
    }
    return (spread){within ? (int)round(log2((double)seen / within)) : LOOKED_AT, 2 * close > seen};
}

static spread spread_of(const ndft_problem *p)
{
    const ndft_question question = {.name = "how samples lie"};
    spread found;
    if (ndft_memo_recall(p, question, &found, sizeof found)) return found;
    found = look(p);
    ndft_memo_remember(p, question, &found, sizeof found);
    return found;
}

static void add_operator(ndft_text *l, const ndft_problem *p, unsigned ops)
{
    double reach = 0, gradient = 0;
    for (int axis = 0; axis < p->dim; axis++) {
        reach = fmax(reach, p->k_max[axis] / (double)p->n[axis]);
        gradient = fmax(gradient, p->g_max[axis] * p->t_max);
    }
    ndft_text_add(l, "ops=%u n=%lldx%lldx%lld voxels=%lld m=%lld coils=%d layout=%d", ops,
                  (long long)p->n[0], (long long)p->n[1], (long long)p->n[2],
                  (long long)p->n_voxels, (long long)p->n_samples, p->coils, (int)p->layout);
    const spread samples = spread_of(p);
    ndft_text_add(l, " halvings=%d drawn=%d", samples.halvings, (int)samples.drawn);
    ndft_text_add(l, " reach=%d field=%d gradient=%d lines=%lld times=%lld", size_of(reach),
                  size_of(p->dw ? p->dw_max * p->t_max : 0), size_of(gradient),
                  (long long)p->structure.line_length, (long long)p->structure.distinct_times);
    if (p->higher.terms) ndft_text_add(l, " phase=%d/%d", p->higher.terms, size_of(p->higher.most));
    if (ndft_is_off_grid(p)) ndft_text_add(l, " off_grid");
    if (p->decay) ndft_text_add(l, " decay=%d", size_of(p->decay_max * p->t_max));
    if (p->maps) ndft_text_add(l, " maps=%d", size_of(ndft_unevenness(p)));
}

void ndft_wisdom_shape(ndft_kind_of_problem kind, const ndft_problem *p, unsigned ops,
                       const ndft_device *device, bool deterministic, char text[NDFT_SHAPE_MAX])
{
    ndft_text l = ndft_text_in(text, NDFT_SHAPE_MAX);
    ndft_text_add(&l, "%s %d ", device->slug, device->units);
    if (kind == NDFT_UNIFORM)
        add_transform(&l, ndft_transform_of(p));
    else if (kind == NDFT_CONVOLUTION)
        add_convolution(&l, p, ops);
    else if (kind == NDFT_CHIRPZ)
        add_chirpz(&l, p, ops);
    else
        add_operator(&l, p, ops);
    ndft_text_add(&l, " prec=%d tol=%.0f/%d%s", p->prec == NDFT_F32 ? 32 : 64,
                  round(-100 * log10(p->tol)), (int)p->tol_kind,
                  deterministic ? " deterministic" : "");
}
