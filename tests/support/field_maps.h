/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_TEST_FIELD_MAPS_H
#define NDFT_TEST_FIELD_MAPS_H

#include <math.h>
#include <stdint.h>

/* Field maps and clocks at which what is fitted to histograms or ranges goes wrong: few values,
 * rare ones, clusters. */

enum { FIELD_MAPS = 17, CLOCKS = 4 };

/* In [-1, 1), the same for the same numbers. */
static inline double hashed(uint64_t a, uint64_t b)
{
    uint64_t x = (a + 1) * 6364136223846793005u + (b + 1) * 1442695040888963407u;
    for (int i = 0; i < 3; i++) x = (x ^ (x >> 29)) * 0xbf58476d1ce4e5b9u;
    return (double)(x >> 11) * 0x1p-52 - 1;
}

/* Hz at voxel v of n. The first eight maps have as many random values. */
static inline double field_map(int map, int v, int n)
{
    static const double fat[] = {0, -440, -640}, cluster[] = {200, -300, 222, 0};
    const double x = 2.0 * v / (n - 1) - 1;
    switch (map) {
    case 8:
        return 150 * (v % 6); /* evenly spaced values */
    case 9:
        return cluster[v % 4] + hashed(9, v); /* four narrow bands */
    case 10:
        return v == n / 3 ? 900 : 17; /* constant but for one voxel */
    case 11:
        return v == n / 3 ? 333 : fabs(x) < 0.5 ? 80 : 0; /* a disk and one voxel */
    case 12:
        return fat[v % 3];
    case 13:
        return 600 * rint(4 * x) / 4; /* linear, in rows */
    case 14:
        return v == 5 ? 1e5 : v % 3; /* very far away */
    case 15:
        return 250 * hashed(15, v) + 4000;
    case 16:
        return 250 * x * x * x; /* stragglers about a crowd */
    default:
        return 700 * hashed(map, v % (map + 1));
    }
}

/* s of sample j of m, below 30 ms. */
static inline double clock_of(int kind, int j, int m)
{
    switch (kind) {
    case 1:
        return 0.013; /* one time */
    case 2:
        return j % 2 ? 0.004 : 0.027; /* two echoes */
    case 3:
        return j == m / 3 ? 0.03 : 0.002 * j / m; /* one far from the rest */
    default:
        return 0.001 + 0.029 * j / m;
    }
}

#endif
