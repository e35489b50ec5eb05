/* SPDX-License-Identifier: Apache-2.0 */
#include "stockham_convolved.h"
#include "stockham_real.h"

#include "uniform/bluestein/chirp.h"
#include "uniform/rader/generator.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { WARP = 32, MOST_THREADS = 160 };

static int over(int a, int b) { return (a + b - 1) / b; }

/* Threads of a block's warps for each that has work, by the best number of lines. */
static double idle_of(int threads)
{
    double least = INFINITY;
    for (int each = 1; each == 1 || each * threads <= MOST_THREADS; each++)
        least = fmin(least, (double)over(each * threads, WARP) * WARP / (each * threads));
    return least;
}

/* What a sum of so many cells counts; those of primes are longer. */
static int sum_of(int radix)
{
    enum { SOME = 13 };
    if (!ndft_stockham_is_prime(radix)) return radix;
    return radix + (radix > SOME ? SOME : 1);
}

/* Cells of all passes, with those of threads that idle. */
static double weight(int cells, const ndft_stockham_shape *shape)
{
    enum { THREADS = 1024 };
    const int *radix = shape->radix;
    double least = INFINITY;
    for (int i = 0; i < shape->passes; i++) {
        const int threads = cells / radix[i];
        int all = 0;
        for (int k = 0; k < shape->passes; k++)
            all += over(cells / radix[k], threads) * sum_of(radix[k]);
        if (threads <= THREADS) least = fmin(least, all * threads * idle_of(threads));
    }
    return least;
}

static int padded(int least, int longest)
{
    const int most = least + least / 4 < longest ? least + least / 4 : longest;
    double lightest = INFINITY;
    int best = 0;
    for (int cells = least; cells <= most; cells++) {
        const ndft_stockham_shape shape = ndft_stockham_convolved_shape(cells);
        if (shape.passes == 0 || weight(cells, &shape) >= lightest) continue;
        lightest = weight(cells, &shape);
        best = cells;
    }
    return best;
}

int ndft_stockham_convolution(int64_t numbers, int longest)
{
    enum { CHIRP = 4096 }; /* beyond which others are as fast */
    if (numbers < 2 || numbers > longest) return 0;
    const int cells = (int)numbers - 1;
    if (ndft_stockham_convolved_shape(cells).passes && ndft_generator_of(numbers)) return cells;
    return padded(2 * cells + 1, longest < CHIRP ? longest : CHIRP);
}

/* Threads of a line in the pass that has most. */
static int most_shares(const ndft_stockham_line *line)
{
    int most = 1;
    for (int i = 0; i < line->shape.passes; i++) {
        const int shares = ndft_stockham_shares(line, i);
        if (shares > most) most = shares;
    }
    return most;
}

/* Lines of a block: the fewest of which few threads idle; of short ones that are copied, whole
 * sectors. */
static int lines_of(const ndft_stockham_line *line, int64_t lines)
{
    enum { SHORT = 400, LONG = 1000, FEWEST = 56, FEW_BLOCKS = 264 };
    const int shares = most_shares(line), n = line->length;
    int unit = !line->loads || n >= LONG ? 1 : n >= SHORT ? 2 : 4;
    while (unit > 1 && unit * shares > MOST_THREADS) unit /= 2;
    const int fewest = line->shape.passes == 1 ? WARP : FEWEST;
    double least = INFINITY;
    int best = unit;
    for (int per = unit; per * shares <= MOST_THREADS; per += unit) {
        const int threads = per * shares;
        const double idle = (double)over(threads, WARP) * WARP / threads + (threads < fewest);
        if (idle >= least) continue;
        least = idle;
        best = per;
    }
    while (best > 1 && lines / best < FEW_BLOCKS) best /= 2;
    return best;
}

void ndft_stockham_cut_convolved(ndft_stockham_line *line, const ndft_pass *p)
{
    enum { SECTOR = 4, COALESCED = 16 };
    const bool ordered = ndft_stockham_is_ordered(line);
    const int last = line->shape.passes - 1;
    line->loads |= ordered || ndft_stockham_shares(line, 0) < COALESCED;
    line->stores |= ordered || ndft_stockham_shares(line, last) < COALESCED;
    line->per = lines_of(line, p->lines);
    line->bulk = line->stores && ndft_stockham_follow(p, &p->out);
    if (line->bulk) line->sectors = SECTOR;
}

void ndft_stockham_set_filter(ndft_stockham_line *line)
{
    const bool ordered = ndft_stockham_is_ordered(line);
    line->filter = line->table;
    line->along = line->filter + line->length;
    line->table = line->along + (ordered ? line->length : line->convolved);
    line->held = line->room;
    if (ordered) line->room += line->per;
}

/* y = sum over n of x[n stride] exp(sign 2 pi i n k / cells), by the least factor of `cells` first.
 */
static void transform(const double (*x)[2], int stride, int cells, int sign, double (*y)[2])
{
    int radix = 2;
    while (radix < cells && cells % radix) radix++;
    const int part = cells / radix;
    double turned[NDFT_STOCKHAM_LARGEST][2];
    if (cells == 1) memcpy(y, x, sizeof *y);
    if (cells == 1) return;
    for (int q = 0; q < radix; q++)
        transform(x + q * stride, stride * radix, part, sign, y + q * part);
    for (int k = 0; k < part; k++) {
        for (int q = 0; q < radix; q++) memcpy(turned[q], y[q * part + k], sizeof *y);
        for (int j = 0; j < radix; j++) {
            double sum[2] = {0, 0}, turn[2];
            for (int q = 0; q < radix; q++) {
                ndft_half_turns(sign * 2 * (int64_t)(q * (k + j * part) % cells), cells, turn);
                sum[0] += turned[q][0] * turn[0] - turned[q][1] * turn[1];
                sum[1] += turned[q][0] * turn[1] + turned[q][1] * turn[0];
            }
            memcpy(y[j * part + k], sum, sizeof sum);
        }
    }
}

/* Places are beyond the number whose bits in f32 are all but the last ones
 * (stockham_convolved.cuh).
 */
enum { PLACES = 1 << 23 };

/* Cell m of the line is number g^m, that of the result g^-m, and they are convolved with turn g^-m.
 */
static void put_order(int prime, int sign, double (*along)[2], double (*kernel)[2])
{
    const int64_t generator = ndft_generator_of(prime);
    int64_t power = 1;
    for (int m = 0; m < prime - 1; m++, power = power * generator % prime) {
        const int back = m ? prime - 1 - m : 0;
        along[m][0] = along[back][1] = (double)(PLACES + power);
        ndft_half_turns(sign * 2 * power, prime, kernel[back]);
    }
}

void ndft_stockham_filter(const ndft_stockham_line *line, int sign, double *table)
{
    const int cells = line->length, numbers = line->convolved;
    double(*filter)[2] = (double(*)[2])table + line->filter;
    double(*along)[2] = (double(*)[2])table + line->along;
    double(*kernel)[2] = calloc((size_t)cells, sizeof *kernel);
    if (ndft_stockham_is_ordered(line)) {
        put_order(numbers, sign, along, kernel);
    } else {
        ndft_chirp_fill(0, numbers, numbers, sign, *along);
        ndft_chirp_filter(numbers, sign, numbers, numbers, cells, *kernel);
    }
    transform((const double(*)[2])kernel, 1, cells, sign, filter);
    for (int k = 0; k < cells; k++) filter[k][0] /= cells, filter[k][1] /= cells;
    free(kernel);
}
