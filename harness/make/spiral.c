/* SPDX-License-Identifier: Apache-2.0 */
#include "spiral.h"

#include <math.h>
#include <stddef.h>

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
    const ndft_spiral *interleaf;
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
static double play(const ndft_spiral *interleaf, int64_t samples, double dwell, double *theta)
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

double ndft_spiral_time(const ndft_spiral *interleaf, int64_t samples)
{
    return play(interleaf, samples, 0, NULL);
}

double ndft_spiral_play(const ndft_spiral *interleaf, int64_t samples, double *theta)
{
    double time = ndft_spiral_time(interleaf, samples);
    play(interleaf, samples, samples > 1 ? time / (double)(samples - 1) : time, theta);
    return time;
}
