/* SPDX-License-Identifier: Apache-2.0 */
#include "trajectory.h"

#include <math.h>
#include <stdio.h>

/*
 * One interleaf of a spiral, k(theta) = reach (theta/theta_max)^alpha exp(i theta), theta = 0 ..
 * 2 pi turns: Archimedean for alpha = 1, denser in the centre for alpha > 1 (D. Kim, E.
 * Adalsteinsson, D. M. Spielman, "Simple analytic variable density spiral design", Magn. Reson.
 * Med. 50, 2003).
 */
typedef struct spiral {
    double reach; /* 1/m */
    double turns;
    double alpha; /* 1..2 */
} spiral;

/*
 * The fastest way along a given curve under limits of speed V (gradient) and acceleration S (slew),
 * both in k-space units: with the arc length s, the curvature c(s) and y = speed^2,
 *
 *     dy/ds = 2 sqrt(S^2 - c^2 y^2),   y <= V^2
 *
 * (M. Lustig, S.-J. Kim, J. M. Pauly, "A fast method for designing time-optimal gradient waveforms
 * for arbitrary k-space trajectories", IEEE Trans. Med. Imaging 27, 2008). A spiral's curvature
 * falls outwards, so one pass from rest never has to brake. Near the limit c y = S the equation is
 * stiff; the implicit Euler step is a quadratic in y, and keeps c y <= S whatever its length. Both
 * regimes of the usual analytic designs (G. H. Glover, "Simple analytic spiral K-space algorithm",
 * Magn. Reson. Med. 42, 1999), slew and then gradient limited, come out of it, and so does
 * the start at rest.
 */
typedef struct walk {
    const spiral *interleaf;
    double theta_max;
    double u, theta, y, time; /* the walk's place; u^2 is the radius over the reach */
} walk;

/* In u the walk is as in time at first, whatever alpha: from rest, radius and u^2 grow as t^2. */
static double theta_of(const walk *w, double u)
{
    return w->theta_max * pow(u, 2 / w->interleaf->alpha);
}

/* The implicit step from w->u to u. */
static void step(walk *w, double u)
{
    const double slew = NDFT_GAMMA * NDFT_SLEW_LIMIT, speed = NDFT_GAMMA * NDFT_GRADIENT_LIMIT;
    double a = w->interleaf->alpha, reach = w->interleaf->reach, theta = theta_of(w, u);
    double middle = (w->u + u) / 2, slant = a / theta_of(w, middle);
    double ds = reach * middle * middle * sqrt(1 + slant * slant) * (theta - w->theta);
    double bend = theta * theta + a * a;
    double curvature = (bend + a) * theta / (reach * u * u * bend * sqrt(bend));
    double q = 4 * ds * ds * curvature * curvature, pull = curvature * w->y;
    double y = (w->y + 2 * ds * sqrt((1 + q) * slew * slew - pull * pull)) / (1 + q);
    y = fmin(y, speed * speed);
    w->time += 2 * ds / (sqrt(w->y) + sqrt(y));
    w->u = u;
    w->theta = theta;
    w->y = y;
}

/* Walks the interleaf in cells; where theta is given, notes its value at i * dwell, i < samples. */
static double play(const spiral *interleaf, int64_t samples, double dwell, double *theta)
{
    int64_t cells = 16 * samples > 1 << 16 ? 16 * samples : 1 << 16, i = 0;
    walk w = {.interleaf = interleaf, .theta_max = 2 * M_PI * interleaf->turns};
    for (int64_t cell = 1; cell <= cells; cell++) {
        walk before = w;
        step(&w, (double)cell / (double)cells);
        for (; theta && i < samples && (double)i * dwell <= w.time; i++) {
            double part = ((double)i * dwell - before.time) / (w.time - before.time);
            theta[i] = theta_of(&w, before.u + part * (w.u - before.u));
        }
    }
    for (; theta && i < samples; i++) theta[i] = w.theta_max; /* the end, but for rounding */
    return w.time;
}

/* The shortest time, in s, in which the gradients can play the interleaf from rest; samples sets
 * the resolution of the integration. */
static double shortest_time(const spiral *interleaf, int64_t samples)
{
    return play(interleaf, samples, 0, NULL);
}

/* As that, and theta (rad) at `samples` equidistant times from 0 to the end. */
static double play_evenly(const spiral *interleaf, int64_t samples, double *theta)
{
    double time = shortest_time(interleaf, samples);
    play(interleaf, samples, samples > 1 ? time / (double)(samples - 1) : time, theta);
    return time;
}

/*
 * S interleaves from the centre to N/2, interleaf j turned by 2 pi j / S, N/(2S) turns each, so
 * that a uniform spiral's interleaves are one cycle/FOV apart. vdspiral has as many turns with
 * alpha = 2: interleaves closer than that inside a quarter of the reach, up to twice as far apart
 * outside. Designed for the longest axis; other axes are scaled down.
 *
 * Each interleaf is played as fast as the gradients can, and then evenly slowed down so that it
 * fills the readout: the last sample of an uncut shot is at the reach. Without a clock (t=0) the
 * places are the same and no limit is checked.
 */
static int64_t longest_axis(const ndft_case *c) { return c->n[0] > c->n[1] ? c->n[0] : c->n[1]; }

static spiral interleaf_of(const ndft_case *c, int64_t shots)
{
    double n = (double)longest_axis(c);
    return (spiral){.reach = n / (2 * c->fov),
                    .turns = n / (2 * (double)shots),
                    .alpha = c->traj.kind == NDFT_TRAJ_VDSPIRAL ? 2 : 1};
}

/* Whether the readout of a shot, snapped as it is, lasts for one of `shots` interleaves. */
static int fits(const ndft_case *c, int64_t shots)
{
    int64_t length = (c->m - 1) / shots + 1;
    spiral interleaf = interleaf_of(c, shots);
    if (length == 1) return 1;
    return shortest_time(&interleaf, length) <= ndft_dwell(c->t, length) * (double)(length - 1);
}

/* The fewest shots that fit, 0 if none does: doubled until they fit, then bisected. */
static int64_t shots_that_fit(const ndft_case *c)
{
    int64_t low = c->traj.a, high = low;
    do {
        low = high;
        high *= 2;
    } while (high < c->m && !fits(c, high));
    if (high >= c->m) return 0;
    while (high - low > 1) {
        int64_t middle = low + (high - low) / 2;
        if (fits(c, middle))
            high = middle;
        else
            low = middle;
    }
    return high;
}

/* A t that fits in whole 10 us: the interleaf, the sample after its end and the rounding of the
 * dwell. */
static double shortest_t(double interleaf, int64_t length)
{
    double t = (interleaf / (double)(length - 1) + 0x1p-28) * (double)length;
    return ceil(t * 1e5) / 100; /* ms */
}

static ndft_status too_short(const ndft_case *c, double interleaf, int64_t length, ndft_error *err)
{
    const char *name = c->traj.kind == NDFT_TRAJ_VDSPIRAL ? "vdspiral" : "spiral";
    int64_t shots = shots_that_fit(c);
    char instead[96] = "no number of shots fits";
    if (shots)
        snprintf(instead, sizeof instead, "%lld shots would fit: traj=%s:%lld", (long long)shots,
                 name, (long long)shots);
    return ndft_fail(err, NDFT_EINVAL,
                     "t=%gms is too short for traj=%s:%lld of fov=%gmm with %g mT/m and %g T/m/s: "
                     "the shortest is t=%gms; in %gms %s",
                     c->t * 1e3, name, (long long)c->traj.a, c->fov * 1e3,
                     NDFT_GRADIENT_LIMIT * 1e3, NDFT_SLEW_LIMIT, shortest_t(interleaf, length),
                     c->t * 1e3, instead);
}

ndft_status ndft_trajectory_spiral(ndft_trajectory *traj, ndft_error *err)
{
    const ndft_case *c = traj->problem;
    if (!(c->fov > 0)) return ndft_fail(err, NDFT_EINVAL, "fov=%g: must be above 0", c->fov);
    spiral interleaf = interleaf_of(c, traj->shots);
    double *theta =
        ndft_arena_alloc(traj->scratch, "spiral interleaf", traj->length, sizeof(double), err);
    if (!theta) return NDFT_ENOMEM;
    double time = play_evenly(&interleaf, traj->length, theta);
    if (c->t > 0 && traj->length > 1 && time > traj->dwell * (double)(traj->length - 1))
        return too_short(c, time, traj->length, err);

    const double turn = 2 * M_PI;
#pragma omp parallel for
    for (int64_t j = 0; j < c->m; j++) {
        double a = theta[j % traj->length];
        double r = pow(a / (turn * interleaf.turns), interleaf.alpha) / 2;
        double angle = a + turn * (double)(j / traj->length) / (double)traj->shots;
        traj->k[0][j] = (double)c->n[0] * r * cos(angle);
        traj->k[1][j] = (double)c->n[1] * r * sin(angle);
    }
    return NDFT_OK;
}
