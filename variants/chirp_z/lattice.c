/* SPDX-License-Identifier: Apache-2.0 */
#include "lattice.h"

#include "base/memo.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>

/* In cycles/FOV: what counts as the same coordinate, and the finest step there can be. */
static const double same = 1e-4, finest = 0x1p-9;

/* Places for each sample, at most; what few samples may have beside that. */
enum { SPARSE = 16, FEW = 4096 };

/* As fmax, which is a call for each sample. */
static inline double more(double a, double b) { return a > b ? a : b; }

/* Whether a distance is so close to a multiple of a step that they have none smaller in common;
 * an error of the step counts as often as it fits in. */
static bool is_multiple(double distance, double step)
{
    return fabs(distance - step * rint(distance / step)) < more(same, step / 32);
}

/* Euclid's algorithm on lengths that are not known exactly. */
static double common_step(double a, double b)
{
    while (!is_multiple(a, b)) {
        const double rest = fmod(a, b);
        a = b;
        b = rest;
        if (b < finest) return 0;
    }
    return b;
}

/* The largest step of which all distances from the first sample are multiples: 0 where there are no
 * distances, NAN where there is no step. The longest distance so far says best what it is. */
static double step_of(const ndft_problem *p, int axis)
{
    const double first = ndft_real_at(p->k[axis], p->prec, 0);
    double step = 0, longest = 0;
    for (int64_t j = 1; j < p->n_samples; j++) {
        const double distance = fabs(ndft_real_at(p->k[axis], p->prec, j) - first);
        if (distance < same || (distance <= longest && is_multiple(distance, step))) continue;
        longest = more(longest, distance);
        step = step == 0 ? distance : common_step(distance, step);
        if (step < finest) return NAN;
        step = longest / rint(longest / step);
    }
    return step;
}

static int64_t place_along(const ndft_lattice *l, int axis, double k)
{
    return l->step[axis] > 0 ? (int64_t)rint((k - l->first[axis]) / l->step[axis]) : 0;
}

static bool fit_axis(const ndft_problem *p, int axis, ndft_lattice *l)
{
    double low = INFINITY, high = -INFINITY;
    l->count[axis] = 1;
    if (!p->k[axis] || p->n[axis] == 1) return true;
    const double step = step_of(p, axis);
    if (isnan(step)) return false;
    for (int64_t j = 0; j < p->n_samples; j++) {
        const double k = ndft_real_at(p->k[axis], p->prec, j);
        low = -more(-low, -k);
        high = more(high, k);
    }
    l->first[axis] = low;
    if (high - low >= same) {
        if (step == 0) return false; /* no distance was more than `same`, two of them were */
        l->count[axis] = (int64_t)rint((high - low) / step) + 1;
        l->step[axis] = (high - low) / (double)(l->count[axis] - 1);
    }
    for (int64_t j = 0; j < p->n_samples; j++) {
        const double k = ndft_real_at(p->k[axis], p->prec, j);
        const double place = low + (double)place_along(l, axis, k) * l->step[axis];
        l->apart[axis] = more(l->apart[axis], fabs(k - place));
    }
    return l->apart[axis] <= same;
}

static const char *fit(const ndft_problem *p, ndft_lattice *l)
{
    *l = (ndft_lattice){.places = 1};
    for (int d = 0; d < 3; d++) {
        if (!fit_axis(p, d, l)) return "its samples are not equispaced along the axes of the grid";
        if (l->count[d] > (SPARSE * p->n_samples + FEW) / l->places)
            return "its samples fill less than a sixteenth of the lattice that they lie on";
        l->places *= l->count[d];
    }
    return NULL;
}

const char *ndft_lattice_of(const ndft_problem *p, ndft_lattice *l)
{
    const ndft_question question = {"lattice", {0}};
    struct {
        ndft_lattice lattice;
        const char *unsupported;
    } found;
    if (!ndft_memo_recall(p, question, &found, sizeof found)) {
        found.unsupported = fit(p, &found.lattice);
        ndft_memo_remember(p, question, &found, sizeof found);
    }
    *l = found.lattice;
    return found.unsupported;
}

int64_t ndft_lattice_place(const ndft_problem *p, const ndft_lattice *l, int64_t sample)
{
    int64_t place = 0;
    for (int d = 2; d >= 0; d--) {
        place *= l->count[d];
        if (l->step[d] > 0) place += place_along(l, d, ndft_real_at(p->k[d], p->prec, sample));
    }
    return place;
}

double ndft_lattice_error(const ndft_problem *p, const ndft_lattice *l)
{
    double phase = 0;
    for (int d = 0; d < p->dim; d++)
        phase += 2 * M_PI * l->apart[d] * (double)(p->n[d] / 2) / (double)p->n[d];
    return phase;
}

static int64_t count_crowd(const ndft_problem *p, const ndft_lattice *l)
{
    int32_t *taken = calloc((size_t)l->places, sizeof *taken);
    int64_t most = 0;
    if (!taken) return p->n_samples;
    for (int64_t j = 0; j < p->n_samples; j++) {
        const int32_t now = ++taken[ndft_lattice_place(p, l, j)];
        most = now > most ? now : most;
    }
    free(taken);
    return most;
}

int64_t ndft_lattice_crowd(const ndft_problem *p, const ndft_lattice *l)
{
    const ndft_question question = {"crowd of a lattice", {0}};
    int64_t most;
    if (ndft_memo_recall(p, question, &most, sizeof most)) return most;
    most = count_crowd(p, l);
    ndft_memo_remember(p, question, &most, sizeof most);
    return most;
}

/* a i mod 2n: fmod is exact, and the FMA finds what the product's rounding took. */
static double reduced(double a, int64_t i, int64_t n)
{
    const double product = a * (double)i, rest = fma(a, (double)i, -product);
    return fmod(product, 2 * (double)n) + rest;
}

void ndft_lattice_phasor(double a, int64_t i, double b, int64_t j, int64_t n, double phasor[2])
{
    const double angle = M_PI * (reduced(a, i, n) + reduced(b, j, n)) / (double)n;
    phasor[0] = cos(angle);
    phasor[1] = sin(angle);
}
