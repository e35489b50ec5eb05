/* SPDX-License-Identifier: Apache-2.0 */
#include "bounds.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

/* Magnitudes are ordered as their bits are, with those of a NaN above all, in either precision. */
static int32_t higher_f32(int32_t most, float value)
{
    int32_t bits;
    memcpy(&bits, &value, sizeof bits);
    bits &= INT32_MAX;
    return bits > most ? bits : most;
}

/* In parts, none of which waits for another. */
static inline __attribute__((always_inline)) double largest_in_parts(const float *a, int64_t count)
{
    enum { PARTS = 4 };
    const int64_t part = count / PARTS;
    int32_t most[PARTS] = {0};
    float size;
    for (int64_t i = 0; i < part; i++)
        for (int p = 0; p < PARTS; p++) most[p] = higher_f32(most[p], a[p * part + i]);
    for (int64_t i = PARTS * part; i < count; i++) most[0] = higher_f32(most[0], a[i]);
    for (int p = 1; p < PARTS; p++) most[0] = most[p] > most[0] ? most[p] : most[0];
    memcpy(&size, &most[0], sizeof size);
    return size;
}

/* Bits that are ordered as numbers are, and back again. */
static int32_t ordered(int32_t bits) { return bits ^ (bits >> 31 & INT32_MAX); }

static double number_of(int32_t order)
{
    const int32_t bits = ordered(order);
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static inline __attribute__((always_inline)) void ends_by_bits(const float *a, int64_t count,
                                                               double *low, double *high)
{
    int32_t least = INT32_MAX, most = INT32_MIN;
    for (int64_t i = 0; i < count; i++) {
        int32_t bits;
        memcpy(&bits, &a[i], sizeof bits);
        bits = ordered(bits);
        least = bits < least ? bits : least;
        most = bits > most ? bits : most;
    }
    *low = number_of(least);
    *high = number_of(most);
}

#ifdef __x86_64__
__attribute__((target("avx2"))) static double largest_by_avx2(const float *a, int64_t count)
{
    return largest_in_parts(a, count);
}

__attribute__((target("avx2"))) static void ends_by_avx2(const float *a, int64_t count, double *low,
                                                         double *high)
{
    ends_by_bits(a, count, low, high);
}

static double largest_f32(const float *a, int64_t count)
{
    return __builtin_cpu_supports("avx2") ? largest_by_avx2(a, count) : largest_in_parts(a, count);
}

static void ends_f32(const float *a, int64_t count, double *low, double *high)
{
    (__builtin_cpu_supports("avx2") ? ends_by_avx2 : ends_by_bits)(a, count, low, high);
}
#else
static double largest_f32(const float *a, int64_t count) { return largest_in_parts(a, count); }

static void ends_f32(const float *a, int64_t count, double *low, double *high)
{
    ends_by_bits(a, count, low, high);
}
#endif

static double largest_f64(const double *a, int64_t count)
{
    int64_t most = 0;
    double size;
    for (int64_t i = 0; i < count; i++) {
        int64_t bits;
        memcpy(&bits, &a[i], sizeof bits);
        bits &= INT64_MAX;
        most = bits > most ? bits : most;
    }
    memcpy(&size, &most, sizeof size);
    return size;
}

double ndft_largest(const void *array, ndft_prec prec, int64_t count)
{
    if (!array) return 0;
    return prec == NDFT_F32 ? largest_f32(array, count) : largest_f64(array, count);
}

void ndft_ends(const void *array, ndft_prec prec, int64_t count, double *low, double *high)
{
    if (prec == NDFT_F32) {
        ends_f32(array, count, low, high);
        return;
    }
    const double *a = array;
    *low = *high = a[0];
    for (int64_t i = 1; i < count; i++) {
        *low = a[i] < *low ? a[i] : *low;
        *high = a[i] > *high ? a[i] : *high;
    }
}

static double sinc(double u) { return u == 0 ? 1 : sin(M_PI * u) / (M_PI * u); }

static double entry(const ndft_problem *p, int64_t j, int64_t v)
{
    const double t = ndft_real_at(p->t, p->prec, j);
    double b = p->decay ? exp(-ndft_real_at(p->decay, p->prec, v) * t) : 1;
    for (int d = 0; d < p->dim; d++)
        b *= sinc(ndft_real_at(p->k[d], p->prec, j) / (double)p->n[d] +
                  ndft_real_at(p->g[d], p->prec, v) * t);
    return b;
}

enum { PAIRS = 4096 };

static int64_t part_of(int64_t count, double x)
{
    return (int64_t)((x - floor(x)) * (double)count);
}

/* Over pairs that fill both axes evenly (additive recurrence by the plastic number's powers, M.
 * Roberts' R2), whatever the lengths of lines and rows. */
static double rms_of_entries(const ndft_problem *p)
{
    const double plastic = 1.32471795724474602596;
    double sum = 0;
    for (int i = 0; i < PAIRS; i++) {
        const double b = entry(p, part_of(p->n_samples, 0.5 + i / plastic),
                               part_of(p->n_voxels, 0.5 + i / (plastic * plastic)));
        sum += b * b;
    }
    return sqrt(sum / PAIRS);
}

/* |s_cv|^2, and what all coils see of a voxel. */
static double square_of(const ndft_problem *p, int64_t c, int64_t v)
{
    const int64_t at = 2 * (c * p->n_voxels + v);
    const double re = ndft_real_at(p->maps, p->prec, at);
    const double im = ndft_real_at(p->maps, p->prec, at + 1);
    return re * re + im * im;
}

static double power_of(const ndft_problem *p, int64_t v)
{
    double power = 0;
    for (int64_t c = 0; c < p->coils; c++) power += square_of(p, c, v);
    return power;
}

/* The same where voxels count by what the coils see of them: each pair stands for as much of it. */
static double rms_of_entries_seen(const ndft_problem *p)
{
    const double golden = 0.61803398874989484820;
    const double all = p->power_mean * (double)p->n_voxels;
    double seen = 0, sum = 0;
    int i = 0;
    for (int64_t v = 0; v < p->n_voxels; v++) {
        seen += power_of(p, v);
        for (; i < PAIRS && (i + 0.5) / PAIRS * all < seen; i++)
            sum += pow(entry(p, part_of(p->n_samples, 0.5 + i * golden), v), 2);
    }
    return sqrt(sum / fmax(i, 1));
}

/* Values from 0 to the largest by bins that are narrow near 0, each with its largest. */
enum { DECAY_BINS = 128 };

typedef struct histogram {
    double largest[DECAY_BINS], count[DECAY_BINS];
} histogram;

/* seen: of the problem's voxels, which count by what coils see of them; NULL: each is one. */
static void count_values(const void *array, ndft_prec prec, int64_t count, double most,
                         const ndft_problem *seen, histogram *h)
{
    *h = (histogram){.count = {0}};
    for (int64_t i = 0; i < count; i++) {
        const double value = ndft_real_at(array, prec, i);
        const double share = most > 0 ? sqrt(fmax(value, 0) / most) : 0;
        const int bin = (int)fmin(ceil(share * (DECAY_BINS - 1)), DECAY_BINS - 1);
        h->count[bin] += seen ? power_of(seen, i) : 1;
        h->largest[bin] = fmax(h->largest[bin], value);
    }
}

/* Of exp(-R t) over all pairs, from below: every value counts as the largest of its bin. Zeros have
 * a bin of their own. */
static double rms_of_decay(const ndft_problem *p)
{
    histogram times, rates;
    double sum = 0;
    if (!(isfinite(p->decay_max) && isfinite(p->t_max))) return NAN;
    count_values(p->t, p->prec, p->n_samples, p->t_max, NULL, &times);
    count_values(p->decay, p->prec, p->n_voxels, p->decay_max, p->maps ? p : NULL, &rates);
    for (int i = 0; i < DECAY_BINS; i++)
        for (int k = 0; k < (times.count[i] > 0 ? DECAY_BINS : 0); k++)
            sum += times.count[i] * rates.count[k] * exp(-2 * times.largest[i] * rates.largest[k]);
    const double voxels = (double)p->n_voxels * (p->maps ? p->power_mean : 1);
    return sqrt(sum / (double)p->n_samples / voxels);
}

static double rms_of_gradients(const ndft_problem *p)
{
    return p->maps ? rms_of_entries_seen(p) : rms_of_entries(p);
}

static double rms(const ndft_problem *p)
{
    if (!p->decay) return rms_of_gradients(p);
    const double decay = rms_of_decay(p);
    return ndft_has_gradients(p) ? fmin(decay, rms_of_gradients(p)) : decay;
}

/* Some voxels at a time, map after map; a NaN anywhere is one of the mean. */
static void measure_maps(ndft_problem *p)
{
    enum { AT_ONCE = 512 };
    double largest = 0, sum = 0;
    p->power_max = 0;
    for (int64_t first = 0; first < p->n_voxels; first += AT_ONCE) {
        double power[AT_ONCE] = {0};
        const int64_t left = p->n_voxels - first, n = left < AT_ONCE ? left : AT_ONCE;
        for (int64_t c = 0; c < p->coils; c++)
            for (int64_t i = 0; i < n; i++) {
                const double square = square_of(p, c, first + i);
                power[i] += square;
                largest = square > largest ? square : largest;
            }
        for (int64_t i = 0; i < n; i++) {
            p->power_max = fmax(p->power_max, power[i]);
            sum += power[i];
        }
    }
    p->maps_max = sqrt(largest);
    p->power_mean = sum / (double)p->n_voxels;
}

static void take_maps(ndft_problem *p, const ndft_problem *b)
{
    if (!p->maps) return;
    if (p->maps != b->maps) {
        measure_maps(p);
        return;
    }
    p->maps_max = b->maps_max;
    p->power_max = b->power_max;
    p->power_mean = b->power_mean;
}

const char *ndft_without_effect(const ndft_problem *p)
{
    const bool field = p->dw && p->dw_max > 0, decay = p->decay && p->decay_max > 0;
    if (p->t_max > 0 || !(field || decay)) return NULL;
    return field && decay ? "field map and decay" : field ? "field map" : "decay";
}

double ndft_tol_of_entries(const ndft_problem *p)
{
    return p->tol_kind == NDFT_TOL_TYPICAL && ndft_is_weighted(p) ? p->tol * p->b_rms : p->tol;
}

int64_t ndft_first_negative(const void *array, ndft_prec prec, int64_t count)
{
    int64_t i = 0;
    while (i < count && ndft_real_at(array, prec, i) >= 0) i++;
    return i;
}

static double known_or_largest(const void *array, const void *before, double known, ndft_prec prec,
                               int64_t count)
{
    return array && array == before ? known : ndft_largest(array, prec, count);
}

static void measure_higher(ndft_problem *p, const ndft_higher_phase *b)
{
    ndft_higher_phase *h = &p->higher;
    h->most = 0;
    for (int l = 0; l < h->terms; l++) {
        h->c_max[l] = known_or_largest(h->c[l], b->c[l], b->c_max[l], p->prec, p->n_samples);
        h->b_max[l] = known_or_largest(h->b[l], b->b[l], b->b_max[l], p->prec, p->n_voxels);
        h->most += h->c_max[l] * h->b_max[l];
    }
}

void ndft_measure_bounds(ndft_problem *p, const ndft_problem *before)
{
    const ndft_problem none = {0}, *b = before ? before : &none;
    p->t_max = known_or_largest(p->t, b->t, b->t_max, p->prec, p->n_samples);
    p->dw_max = known_or_largest(p->dw, b->dw, b->dw_max, p->prec, p->n_voxels);
    p->decay_max = known_or_largest(p->decay, b->decay, b->decay_max, p->prec, p->n_voxels);
    measure_higher(p, &b->higher);
    p->phi_max = p->dw_max * p->t_max + p->higher.most;
    for (int d = 0; d < 3; d++) {
        p->k_max[d] = known_or_largest(p->k[d], b->k[d], b->k_max[d], p->prec, p->n_samples);
        p->g_max[d] = known_or_largest(p->g[d], b->g[d], b->g_max[d], p->prec, p->n_voxels);
        p->x_max[d] = known_or_largest(p->x[d], b->x[d], b->x_max[d], p->prec, p->n_voxels);
        p->phi_max += 2 * M_PI * p->k_max[d] * (ndft_reach(p, d) / (double)p->n[d]);
    }
    take_maps(p, b);
    if (ndft_is_weighted(p)) p->b_rms = rms(p);
}

int64_t ndft_period(const void *array, ndft_prec prec, int64_t count)
{
    const size_t real = ndft_real_size(prec);
    const double first = ndft_real_at(array, prec, 0);
    int64_t n = 1;
    while (n < count && ndft_real_at(array, prec, n) != first) n++;
    const char *again = (const char *)array + (size_t)n * real;
    return memcmp(array, again, (size_t)(count - n) * real) ? count : n;
}

double ndft_chance(double m) { return fmax(1, 0.94 + 4 / sqrt(m) + 28 / (m * m) + 67 / pow(m, 5)); }
