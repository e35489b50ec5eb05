/* SPDX-License-Identifier: Apache-2.0 */
#include "rank_decay.h"

#include "in_use.h"

#include <math.h>
#include <stdlib.h>

static const double pi = 3.14159265358979323846;

bool ndft_decays(const ndft_problem *p) { return p->decay && p->decay_max > 0 && p->t_max > 0; }

void ndft_decay_entry(double rate, double w, double t, double value[2])
{
    const double left = exp(-rate * t);
    value[0] = left * cos(w * t);
    value[1] = -left * sin(w * t);
}

static double chebyshev_point(int i, int n) { return cos(pi * (i + 0.5) / n); }

/* Points for a polynomial of this degree; one of what does not vary. */
static int looks_for(double phase) { return phase > 0 ? 3 * ndft_wave_degree(phase) + 1 : 1; }

/* What is left at points of the rectangle's edge and of time, and the factors of the terms so far.
 */
typedef struct search {
    const ndft_decay_range *range;
    int edge, times;
    double *rate, *w; /* [edge] */
    double *left;     /* complex [edge][times] */
    double *u;        /* complex [terms][times]: of time, 1 at the term's own, at most 1 anywhere */
    int *own;         /* [terms] numbers of their times */
} search;

static double time_at(const search *s, int i)
{
    return s->range->t_mid + s->range->t_half * chebyshev_point(i, s->times);
}

static void add_edge(search *s, double rate, double rate_half, double w, double w_half, int n)
{
    for (int i = 0; i < n; i++) {
        const double x = chebyshev_point(i, n);
        s->rate[s->edge] = rate + rate_half * x;
        s->w[s->edge++] = w + w_half * x;
    }
}

/* Edges along w and along the rate; how many points all have, where s is NULL. */
static int put_edges(const ndft_decay_range *r, search *s)
{
    const double mid = (r->rate_low + r->rate_high) / 2, half = r->rate_high - mid;
    const int along_w = looks_for(r->w_half * r->t_half);
    const int along_rate = looks_for(half * (r->t_mid + r->t_half));
    for (int side = -1; s && side <= 1; side += 2) {
        add_edge(s, mid + side * half, 0, 0, r->w_half, along_w);
        add_edge(s, mid, half, side * r->w_half, 0, along_rate);
    }
    return 2 * (along_w + along_rate);
}

static void release(search *s)
{
    free(s->rate);
    free(s->u);
    free(s->left);
    free(s->own);
}

static bool make(const ndft_decay_range *r, search *s)
{
    const double reach = hypot(r->rate_high, r->w_half) * r->t_half;
    const int edge = put_edges(r, NULL), points = reach > 0 ? ndft_wave_degree(reach) + 1 : 1;
    *s = (search){.range = r, .times = 3 * points};
    s->rate = malloc(sizeof(double) * 2 * (size_t)edge);
    s->left = malloc(sizeof(double) * 2 * (size_t)edge * (size_t)s->times);
    s->u = malloc(sizeof(double) * 2 * NDFT_DECAY_TERMS * (size_t)s->times);
    s->own = malloc(sizeof(int) * NDFT_DECAY_TERMS);
    if (!s->rate || !s->left || !s->u || !s->own) return false;
    s->w = s->rate + edge;
    put_edges(r, s);
    for (int z = 0; z < s->edge; z++)
        for (int i = 0; i < s->times; i++)
            ndft_decay_entry(s->rate[z], s->w[z], time_at(s, i), s->left + 2 * (z * s->times + i));
    return true;
}

/* The largest of what is left, and where. */
static double find_largest(const search *s, int *z, int *i)
{
    double most = -1;
    for (int at = 0; at < s->edge * s->times; at++) {
        const double *v = s->left + 2 * at, square = v[0] * v[0] + v[1] * v[1];
        if (square <= most) continue;
        most = square;
        *z = at / s->times;
        *i = at % s->times;
    }
    return sqrt(most);
}

/* One term more: exact at time number i, and at point z. */
static void take_out(search *s, int l, int z, int i)
{
    const double *row = s->left + 2 * z * s->times;
    const double re = row[2 * i], im = row[2 * i + 1], size = re * re + im * im;
    double *u = s->u + 2 * l * s->times;
    s->own[l] = i;
    for (int k = 0; k < s->times; k++) {
        u[2 * k] = (row[2 * k] * re + row[2 * k + 1] * im) / size;
        u[2 * k + 1] = (row[2 * k + 1] * re - row[2 * k] * im) / size;
    }
    for (int e = 0; e < s->edge; e++) {
        double *left = s->left + 2 * e * s->times;
        const double a = left[2 * i], b = left[2 * i + 1];
        for (int k = 0; k < s->times; k++) {
            left[2 * k] -= a * u[2 * k] - b * u[2 * k + 1];
            left[2 * k + 1] -= a * u[2 * k + 1] + b * u[2 * k];
        }
        left[2 * i] = left[2 * i + 1] = 0;
    }
}

/* h at time number k: sum_m h_m u_l(t_m) = u_l, where u_l(t_m) is 0 for m < l and 1 for m = l. */
static void solve(const search *s, int terms, int k, double *h)
{
    for (int l = terms - 1; l >= 0; l--) {
        const double *u = s->u + 2 * l * s->times;
        double re = u[2 * k], im = u[2 * k + 1];
        for (int m = l + 1; m < terms; m++) {
            const double *at = u + 2 * s->own[m];
            re -= h[2 * m] * at[0] - h[2 * m + 1] * at[1];
            im -= h[2 * m] * at[1] + h[2 * m + 1] * at[0];
        }
        h[2 * l] = re;
        h[2 * l + 1] = im;
    }
}

/* Of h at one time. */
static void look_at_gain(const search *s, const double *h, ndft_decay_terms *t)
{
    double sum = 0, squares = 0;
    for (int l = 0; l < t->terms; l++) {
        const double size = hypot(h[2 * l], h[2 * l + 1]) * exp(-s->range->rate_low * t->time[l]);
        sum += size;
        squares += size * size;
    }
    t->gain = fmax(t->gain, sum * ndft_points_margin);
    t->root = fmax(t->root, sqrt(squares) * ndft_points_margin);
}

/* Every third of the times is one of as many Chebyshev points as h's degree takes. */
static bool put_terms(const search *s, ndft_decay_terms *t)
{
    t->points = s->times / 3;
    t->time = malloc(sizeof(double) * (size_t)t->terms);
    t->h = malloc(sizeof(double) * 2 * (size_t)t->terms * (size_t)t->points);
    if (!t->time || !t->h) return false;
    for (int l = 0; l < t->terms; l++) t->time[l] = time_at(s, s->own[l]);
    for (int k = 0; k < s->times; k++) {
        double h[2 * NDFT_DECAY_TERMS];
        solve(s, t->terms, k, h);
        look_at_gain(s, h, t);
        for (int i = 0; k % 3 == 1 && i < 2 * t->terms; i++)
            t->h[2 * t->terms * (k / 3) + i] = h[i];
    }
    return true;
}

/* Beyond, points are too many: 100 turns, or exp(-300) left. */
static const char *beyond(const ndft_decay_range *r)
{
    static const double most = 300;
    if (r->rate_high * (r->t_mid + r->t_half) > most)
        return "its decay leaves less than exp(-300) in a readout, beyond what terms follow";
    return NULL;
}

bool ndft_decay_search(const ndft_decay_range *range, double tol, ndft_decay_terms *t)
{
    const double both = ndft_points_margin * ndft_points_margin, rounding = 1e-15;
    search s = {0};
    *t = (ndft_decay_terms){
        .t_mid = range->t_mid, .t_half = range->t_half, .out_of_reach = beyond(range)};
    if (t->out_of_reach) return true;
    bool made = make(range, &s);
    for (int z = 0, i = 0; made; t->terms++) {
        const double most = find_largest(&s, &z, &i);
        t->worst = both * most;
        if (t->terms && (t->worst <= tol || most <= rounding)) break;
        if (t->terms == NDFT_DECAY_TERMS) break;
        take_out(&s, t->terms, z, i);
    }
    made = made && put_terms(&s, t);
    release(&s);
    if (!made) ndft_decay_release(t);
    return made;
}

void ndft_decay_release(ndft_decay_terms *t)
{
    free(t->time);
    free(t->h);
    *t = (ndft_decay_terms){0};
}

/* The barycentric formula for Chebyshev points (J.-P. Berrut, L. N. Trefethen, SIAM Review 2004).
 */
void ndft_decay_h(const ndft_decay_terms *t, double at, double *h)
{
    const double x = t->t_half > 0 ? (at - t->t_mid) / t->t_half : 0;
    const int reals = 2 * t->terms;
    double sum = 0;
    for (int l = 0; l < reals; l++) h[l] = 0;
    for (int i = 0; i < t->points; i++) {
        const double distance = x - chebyshev_point(i, t->points);
        const double *row = t->h + reals * i;
        if (distance == 0 || t->points == 1) {
            for (int l = 0; l < reals; l++) h[l] = row[l];
            return;
        }
        const double weight = (i % 2 ? -1 : 1) * sin(pi * (i + 0.5) / t->points) / distance;
        sum += weight;
        for (int l = 0; l < reals; l++) h[l] += weight * row[l];
    }
    for (int l = 0; l < reals; l++) h[l] /= sum;
}
