/* SPDX-License-Identifier: Apache-2.0 */
#include "stockham_convolved.h"
#include "stockham_real.h"

#include "uniform/bluestein/chirp.h"
#include "uniform/rader/generator.h"

#include <stdlib.h>
#include <string.h>

enum { PASSES = 4 };

/* The product of radices, none larger than the one before, that is at least so many cells. */
typedef struct padding {
    int least, longest, best;
    int64_t weight;
} padding;

/* What cells cost threads that have a sum each of the pass with most: all passes' cells, and memory
 * of a block. */
static void pad(padding *to, int radix, int passes, int cells, int sum)
{
    const int64_t weight = (int64_t)cells * (sum + 1 + radix) / radix;
    if (cells >= to->least && weight < to->weight) {
        to->weight = weight;
        to->best = cells;
    }
    if (cells >= to->least || passes == PASSES) return;
    for (int r = radix; r > 1; r--)
        if (cells * r <= to->longest) pad(to, r, passes + 1, cells * r, sum + r);
}

int ndft_stockham_convolution(int64_t numbers, int most, int longest)
{
    if (numbers < 2 || numbers > longest) return 0;
    const int cells = (int)numbers - 1;
    if (ndft_stockham_shape_of(cells, most).passes && ndft_generator_of(numbers)) return cells;
    padding to = {2 * cells + 1, longest, 0, INT64_MAX};
    pad(&to, most, 0, 1, 0);
    return to.best;
}

void ndft_stockham_cut_convolved(ndft_stockham_line *line, const ndft_pass *p)
{
    enum { PAIRED = 2048, SECTOR = 4 };
    line->loads |= ndft_stockham_is_ordered(line);
    line->stores |= ndft_stockham_is_ordered(line);
    if (line->loads && line->per % 2 && line->per < p->lines && line->length < PAIRED) line->per++;
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
    double turned[13][2];
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
