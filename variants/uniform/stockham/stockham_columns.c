/* SPDX-License-Identifier: Apache-2.0 */
#include "stockham_columns.h"

#include "stockham_convolved.h"
#include "stockham_real.h"

#include "uniform/rader/generator.h"

#include <math.h>

enum { WARP = 32 };

static int over(int a, int b) { return (a + b - 1) / b; }

int ndft_stockham_prime(int64_t numbers)
{
    int64_t prime = numbers;
    for (int radix = 2; radix <= NDFT_STOCKHAM_LARGEST; radix++)
        while (prime % radix == 0 && prime > 0) prime /= radix;
    if (prime < 2 || prime == numbers || numbers > NDFT_STOCKHAM_LONGEST) return 0;
    if (!ndft_stockham_convolved_shape(prime - 1).passes) return 0;
    return ndft_generator_of(prime) ? (int)prime : 0;
}

ndft_stockham_shape ndft_stockham_columns_shape(int64_t numbers, ndft_prec prec)
{
    const int prime = ndft_stockham_prime(numbers);
    ndft_stockham_shape shape = {0};
    if (!prime) return shape;
    const ndft_stockham_shape rest = /* few passes, beside a prime beyond radices */
        ndft_stockham_shape_of(numbers / prime, prec == NDFT_F32 ? 20 : 16);
    shape.passes = 1 + rest.passes;
    shape.radix[0] = prime;
    for (int i = 0; i < rest.passes; i++) shape.radix[i + 1] = rest.radix[i];
    return shape;
}

/* Cells of all passes together of so many threads, those of columns there and back, with what
 * idles, a cell of the line; beyond what registers have: more. */
static double weight(const ndft_stockham_line *line, int per, int threads, int most)
{
    const int prime = line->prime;
    const ndft_stockham_shape inner = ndft_stockham_convolved_shape(prime - 1);
    int all = 0, beyond = 0;
    for (int i = 1 - inner.passes; i < line->shape.passes; i++) {
        const bool column = i < 1;
        const int radix = column ? inner.radix[-i] : line->shape.radix[i];
        const int sums =
            column ? line->length / prime * ((prime - 1) / radix) : line->length / radix;
        const int cells = over(per * sums, threads) * radix;
        all += column ? 2 * cells : cells;
        if (cells > most && cells > radix) beyond += cells;
    }
    return (double)(all + 4 * beyond) * threads / (per * line->length);
}

void ndft_stockham_cut_columns(ndft_stockham_line *line, const ndft_pass *p, ndft_prec prec)
{
    enum { SECTOR = 4, FEW_BLOCKS = 264, CELLS = 4096, THREADS = 1024, FEWEST = 64, WIDER = 384 };
    const int most = prec == NDFT_F32 ? 20 : 14, cells = CELLS / (prec == NDFT_F32 ? 1 : 2);
    const bool beside = (line->in_beside || line->out_beside) && SECTOR * line->length <= cells;
    const int fewest = beside && p->lines >= SECTOR ? SECTOR : 1;
    double least = INFINITY;
    for (int per = fewest;
         per == fewest || (per * line->length <= cells && p->lines / per >= FEW_BLOCKS); per++)
        for (int threads = FEWEST; threads <= (per > 1 ? WIDER : THREADS); threads += WARP) {
            const double idle = weight(line, per, threads, most) * (threads > WIDER ? 1.2 : 1);
            if (idle >= 0.99 * least) continue;
            least = idle;
            line->per = per;
            line->threads = threads;
        }
    line->loads = true;
    line->stores = line->out_beside || line->length % SECTOR > 0;
    line->bulk = line->stores && ndft_stockham_follow(p, &p->out);
    if (line->bulk) line->sectors = SECTOR;
}

ndft_stockham_line ndft_stockham_columns_of(const ndft_stockham_line *line, ndft_prec prec)
{
    const int columns = line->length / line->prime;
    ndft_stockham_line of = {.shape = ndft_stockham_convolved_shape(line->prime - 1),
                             .length = line->prime - 1,
                             .per = line->per * columns,
                             .wide = columns,
                             .threads = line->threads,
                             .teams = 1,
                             .mirrored = -1,
                             .folded = -1,
                             .convolved = line->prime,
                             .table = line->inner};
    ndft_stockham_set_rooms(&of, prec);
    if (of.room < line->held) of.room = line->held;
    ndft_stockham_set_filter(&of);
    return of;
}

void ndft_stockham_set_columns(ndft_stockham_line *line, ndft_prec prec)
{
    line->inner = line->table;
    line->held = line->room;
    const ndft_stockham_line of = ndft_stockham_columns_of(line, prec);
    line->table = of.table;
    line->room = of.room;
}
