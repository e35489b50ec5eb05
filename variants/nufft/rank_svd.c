/* SPDX-License-Identifier: Apache-2.0 */
#include "nufft/rank_svd.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

enum { SWEEPS = 40 };

static double dot(int n, const double *x, const double *y)
{
    double sum = 0;
    for (int i = 0; i < n; i++) sum += x[i] * y[i];
    return sum;
}

static void rotate(int n, double *x, double *y, double c, double s)
{
    for (int i = 0; i < n; i++) {
        const double old = x[i];
        x[i] = c * old - s * y[i];
        y[i] = s * old + c * y[i];
    }
}

/* Makes two columns orthogonal; false where they were. */
static bool turn_pair(int rows, int columns, double *x, double *y, double *vx, double *vy)
{
    const double xx = dot(rows, x, x), yy = dot(rows, y, y), xy = dot(rows, x, y);
    if (fabs(xy) <= DBL_EPSILON * sqrt(xx * yy) || fabs(xy) < DBL_MIN) return false;
    const double zeta = (yy - xx) / (2 * xy);
    const double t = copysign(1, zeta) / (fabs(zeta) + hypot(1, zeta));
    const double c = 1 / hypot(1, t);
    rotate(rows, x, y, c, c * t);
    rotate(columns, vx, vy, c, c * t);
    return true;
}

static void swap(int n, double *x, double *y)
{
    for (int i = 0; i < n; i++) {
        const double old = x[i];
        x[i] = y[i];
        y[i] = old;
    }
}

static void sort_columns(int rows, int columns, double *a, double *v, double *sigma)
{
    for (int i = 0; i < columns; i++) sigma[i] = sqrt(dot(rows, a + i * rows, a + i * rows));
    for (int i = 0; i < columns; i++) {
        int largest = i;
        for (int j = i + 1; j < columns; j++)
            if (sigma[j] > sigma[largest]) largest = j;
        if (largest == i) continue;
        swap(1, sigma + i, sigma + largest);
        swap(rows, a + i * rows, a + largest * rows);
        swap(columns, v + i * columns, v + largest * columns);
    }
}

void ndft_rank_svd(int rows, int columns, double *a, double *v, double *sigma)
{
    memset(v, 0, sizeof *v * (size_t)columns * (size_t)columns);
    for (int i = 0; i < columns; i++) v[i * columns + i] = 1;
    bool turned = true;
    for (int sweep = 0; turned && sweep < SWEEPS; sweep++) {
        turned = false;
        for (int i = 0; i < columns; i++)
            for (int j = i + 1; j < columns; j++)
                turned |= turn_pair(rows, columns, a + i * rows, a + j * rows, v + i * columns,
                                    v + j * columns);
    }
    sort_columns(rows, columns, a, v, sigma);
}
