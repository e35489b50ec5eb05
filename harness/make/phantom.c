/* SPDX-License-Identifier: Apache-2.0 */
#include "phantom.h"

#include <math.h>

/* Half axes and centres for an object in [-1, 1], which is the FOV; angle about z, degrees. */
typedef struct ellipsoid {
    double value, axis[3], centre[3], angle;
} ellipsoid;

static const ellipsoid ellipsoids[] = {
    {1, {.69, .92, .81}, {0, 0, 0}, 0},        {-.8, {.6624, .874, .78}, {0, -.0184, 0}, 0},
    {-.2, {.11, .31, .22}, {.22, 0, 0}, -18},  {-.2, {.16, .41, .28}, {-.22, 0, 0}, 18},
    {.1, {.21, .25, .41}, {0, .35, -.15}, 0},  {.1, {.046, .046, .05}, {0, .1, .25}, 0},
    {.1, {.046, .046, .05}, {0, -.1, .25}, 0}, {.1, {.046, .023, .05}, {-.08, -.605, 0}, 0},
    {.1, {.023, .023, .02}, {0, -.606, 0}, 0}, {.1, {.023, .046, .02}, {.06, -.605, 0}, 0},
};

enum { ELLIPSOIDS = sizeof ellipsoids / sizeof *ellipsoids };

/* Turns a vector into the frame of the ellipsoid's axes; in 1D there is no angle. */
static void turn(const ellipsoid *e, int dim, double v[3])
{
    if (dim == 1) return;
    double c = cos(e->angle * M_PI / 180), s = sin(e->angle * M_PI / 180);
    double x = v[0], y = v[1];
    v[0] = c * x + s * y;
    v[1] = c * y - s * x;
}

double ndft_phantom_at(int dim, const double *r)
{
    double sum = 0;
    for (const ellipsoid *e = ellipsoids; e < ellipsoids + ELLIPSOIDS; e++) {
        double v[3] = {0, 0, 0}, square = 0;
        for (int d = 0; d < dim; d++) v[d] = 2 * r[d] - e->centre[d];
        turn(e, dim, v);
        for (int d = 0; d < dim; d++) square += v[d] * v[d] / (e->axis[d] * e->axis[d]);
        if (square <= 1) sum += e->value;
    }
    return sum;
}

/* Transform of the unit ball of dim dimensions at the radial frequency x rad. */
static double ball(int dim, double x)
{
    if (dim == 1) return x == 0 ? 2 : 2 * sin(x) / x;
    if (dim == 2) return x == 0 ? M_PI : 2 * M_PI * j1(x) / x;
    /* The difference of the 3D formula cancels at small x; four terms of its series do not. */
    double y = x * x;
    if (x < 0.1) return 4 * M_PI / 3 * (1 - y / 10 * (1 - y / 28 * (1 - y / 54)));
    return 4 * M_PI * (sin(x) - x * cos(x)) / (x * y);
}

void ndft_phantom_transform(int dim, const double *k, double z[2])
{
    z[0] = z[1] = 0;
    for (const ellipsoid *e = ellipsoids; e < ellipsoids + ELLIPSOIDS; e++) {
        double v[3] = {0, 0, 0}, turns = 0, volume = e->value, square = 0;
        for (int d = 0; d < dim; d++) {
            v[d] = k[d];
            turns += k[d] * e->centre[d] / 2;
            volume *= e->axis[d] / 2;
        }
        turn(e, dim, v);
        for (int d = 0; d < dim; d++) square += v[d] * v[d] * e->axis[d] * e->axis[d] / 4;
        double magnitude = volume * ball(dim, 2 * M_PI * sqrt(square));
        z[0] += magnitude * cos(2 * M_PI * turns);
        z[1] -= magnitude * sin(2 * M_PI * turns);
    }
}

void ndft_phantom_coil(int c, int coils, double z[2])
{
    double part = (double)c / coils, magnitude = 1 - part / 2;
    z[0] = magnitude * cos(2 * M_PI * part);
    z[1] = magnitude * sin(2 * M_PI * part);
}
