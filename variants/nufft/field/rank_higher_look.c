/* SPDX-License-Identifier: Apache-2.0 */
#include "rank_higher_sides.h"

#include <omp.h>
#include <stdlib.h>
#include <string.h>

/* What is left over, pair by pair: a block of voxels, whose factors stay in cache, with a block of
 * samples, whose h do. */

enum { VOXELS = NDFT_HIGHER_VOXELS, LANES = NDFT_HIGHER_SAMPLES, SAMPLES = 128 * LANES };

typedef struct looking {
    const ndft_higher_sides *s;
    const ndft_higher_sum *sum;
    const int64_t *sample, *voxel;
    int64_t n_samples, n_voxels;
    int threads;
    double *h;            /* of SAMPLES, LANES at a time */
    double *work;         /* of each thread */
    double *row, *column; /* [n_samples], [n_voxels] sums of squares */
    ndft_higher_look *look;
} looking;

/* h of sample i of a block. */
static double *h_of(const looking *l, int64_t i)
{
    return l->h + i / LANES * LANES * 2 * l->sum->terms;
}

static void put_h(const looking *l, int64_t first, int64_t count)
{
    const int terms = l->sum->terms;
    double gain = 0, root = 0;
#pragma omp parallel for reduction(max : gain, root)
    for (int64_t i = 0; i < count; i += LANES) {
        const int lanes = (int)(count - i < LANES ? count - i : LANES);
        const double *h = h_of(l, i);
        ndft_higher_h(l->s, l->sum, l->sample + first + i, lanes, h_of(l, i));
        for (int lane = 0; lane < lanes; lane++) {
            double sum = 0, squares = 0;
            for (int t = 0; t < terms; t++) {
                const double re = h[2 * t * LANES + lane], im = h[(2 * t + 1) * LANES + lane];
                sum += sqrt(re * re + im * im);
                squares += re * re + im * im;
            }
            gain = fmax(gain, sum);
            root = fmax(root, sqrt(squares));
        }
    }
    l->look->gain = fmax(l->look->gain, gain);
    l->look->root = fmax(l->look->root, root);
}

/* A block of voxels with a block of samples; row, most: of these samples, sums and largest. */
static void look_at_block(const looking *l, int64_t first, int64_t samples, int64_t at, int voxels,
                          double *rows, double *row, double *most)
{
    const int terms = l->sum->terms;
    const int64_t *voxel = l->voxel + at;
    double left[2 * VOXELS];
    for (int t = 0; t < terms; t++)
        ndft_higher_row(l->s, l->sum->sample[t], voxel, voxels, rows + 2 * t * VOXELS);
    for (int64_t i = 0; i < samples; i++) {
        ndft_higher_row(l->s, l->sample[first + i], voxel, voxels, left);
        ndft_higher_subtract(terms, h_of(l, i), (int)(i % LANES), rows, left);
        for (int v = 0; v < voxels; v++) {
            const double square = left[v] * left[v] + left[VOXELS + v] * left[VOXELS + v];
            row[i] += square;
            most[i] = square > most[i] ? square : most[i];
            l->column[at + v] += square;
            if (square > l->look->by_voxel[at + v]) l->look->by_voxel[at + v] = square;
        }
    }
}

/* Sums over a block's voxels, of one thread: [samples] twice, behind the terms' rows. */
static void look_at_samples(const looking *l, int64_t first, int64_t count)
{
    const size_t rows = 2 * (size_t)l->sum->terms * VOXELS, own = rows + 2 * SAMPLES;
    put_h(l, first, count);
    memset(l->work, 0, sizeof *l->work * own * (size_t)l->threads);
#pragma omp parallel num_threads(l->threads)
    {
        double *work = l->work + own * (size_t)omp_get_thread_num();
#pragma omp for schedule(static)
        for (int64_t at = 0; at < l->n_voxels; at += VOXELS) {
            const int64_t left = l->n_voxels - at;
            look_at_block(l, first, count, at, (int)(left < VOXELS ? left : VOXELS), work,
                          work + rows, work + rows + SAMPLES);
        }
    }
    for (int t = 0; t < l->threads; t++) {
        const double *row = l->work + own * (size_t)t + rows, *most = row + SAMPLES;
        for (int64_t i = 0; i < count; i++) {
            double *largest = &l->look->by_sample[first + i];
            l->row[first + i] += row[i];
            *largest = fmax(*largest, most[i]);
        }
    }
}

static double largest(const double *x, int64_t count)
{
    double most = 0;
    for (int64_t i = 0; i < count; i++) most = fmax(most, x[i]);
    return most;
}

bool ndft_higher_look_at(const ndft_higher_sides *s, const ndft_higher_sum *sum,
                         const int64_t *sample, int64_t n_samples, const int64_t *voxel,
                         int64_t n_voxels, ndft_higher_look *look)
{
    looking l = {.s = s,
                 .sum = sum,
                 .sample = sample,
                 .voxel = voxel,
                 .n_samples = n_samples,
                 .n_voxels = n_voxels,
                 .threads = omp_get_max_threads(),
                 .look = look};
    const size_t work = 2 * (size_t)sum->terms * VOXELS + 2 * SAMPLES;
    const size_t m = (size_t)n_samples, n = (size_t)n_voxels;
    *look = (ndft_higher_look){0};
    l.h = malloc(sizeof(double) * 2 * SAMPLES * (size_t)sum->terms);
    l.work = malloc(sizeof(double) * work * (size_t)l.threads);
    l.row = calloc(m, sizeof(double));
    l.column = calloc(n, sizeof(double));
    look->by_sample = calloc(m, sizeof(double));
    look->by_voxel = calloc(n, sizeof(double));
    const bool made = l.h && l.work && l.row && l.column && look->by_sample && look->by_voxel;
    for (int64_t first = 0; made && first < n_samples; first += SAMPLES)
        look_at_samples(&l, first, n_samples - first < SAMPLES ? n_samples - first : SAMPLES);
    if (made) {
        look->worst = sqrt(largest(look->by_sample, n_samples));
        look->error = sqrt(fmax(largest(l.row, n_samples) / (double)n_voxels,
                                largest(l.column, n_voxels) / (double)n_samples));
    }
    free(l.h);
    free(l.work);
    free(l.row);
    free(l.column);
    if (!made) ndft_higher_look_release(look);
    return made;
}

void ndft_higher_look_release(ndft_higher_look *look)
{
    free(look->by_sample);
    free(look->by_voxel);
    *look = (ndft_higher_look){0};
}
