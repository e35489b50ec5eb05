/* SPDX-License-Identifier: Apache-2.0 */
#include "stockham_convolved.h"
#include "stockham_real.h"
#include "stockham_short.h"

#include <math.h>

/* Threads of a block, and blocks of a multiprocessor. */

enum { REGISTERS = 65536, PARTS = 4 /* of a multiprocessor */, SHARED = 227 << 10, WARP = 32 };

static int least_of(int a, int b) { return a < b ? a : b; }
static int most_of(int a, int b) { return a > b ? a : b; }
static int over(int a, int b) { return (a + b - 1) / b; }

/* Cells of a thread's sums in all passes together, and the most in one. */
typedef struct share {
    int all, most;
} share;

static share share_of(const ndft_stockham_line *line, int threads)
{
    share s = {0, 0};
    const int columns = line->prime ? line->length / line->prime : 0;
    const ndft_stockham_shape inner = ndft_stockham_convolved_shape(line->prime - 1);
    for (int i = 0; columns && i < inner.passes; i++) {
        const int sums = line->per * columns * (line->prime - 1) / inner.radix[i];
        s.most = most_of(s.most, over(sums, threads) * inner.radix[i]);
    }
    for (int i = columns > 0; i < line->shape.passes; i++) {
        const int each = ndft_stockham_cells(line, i);
        const int cells = over(line->per * ndft_stockham_shares(line, i), threads) * each;
        s.all += cells;
        s.most = most_of(s.most, cells);
    }
    return s;
}

/* The threads of as many sums as a pass has, of the pass with which fewest idle. */
static int threads_of(const ndft_stockham_line *line, int most_cells)
{
    double least = INFINITY;
    int best = 0;
    for (int i = 0; i < line->shape.passes; i++) {
        const int threads = line->per * ndft_stockham_shares(line, i);
        if (threads > 1024) continue;
        const share s = share_of(line, threads);
        const double idle = (double)s.all * over(threads, WARP) * WARP;
        if (s.most > most_cells || idle >= least) continue;
        least = idle;
        best = threads;
    }
    return best;
}

/* Cells that a thread has of a prime's sums beside those that they are of. */
static int prime_of(const ndft_stockham_line *line)
{
    enum { FEW = 13 };
    int most = 0;
    for (int i = 0; i < line->shape.passes; i++) {
        const int radix = line->shape.radix[i];
        if (ndft_stockham_is_prime(radix) && radix > FEW) most = most_of(most, radix);
    }
    return most;
}

void ndft_stockham_set_threads(ndft_stockham_line *line, ndft_prec prec)
{
    const int *radix = line->shape.radix, last = line->shape.passes - 1;
    const int largest = most_of(radix[last / 2], most_of(radix[0], radix[last]));
    int most = most_of(largest, ndft_stockham_most_cells(prec));
    if (last == 2 && radix[0] > ndft_stockham_most_cells(NDFT_F32))
        most = most_of(largest, NDFT_STOCKHAM_MOST);
    if (prime_of(line)) most = largest + largest / 4;
    line->threads = threads_of(line, most);
    if (!line->threads) line->threads = least_of(1024, line->per * line->length / radix[last]);
}

int ndft_stockham_lines_for(const ndft_stockham_line *line, int threads, int most_cells, bool even)
{
    const int largest = most_of(line->shape.radix[0], line->shape.radix[1]);
    const int most = threads / (line->length / largest);
    ndft_stockham_line tried = *line;
    double least = INFINITY;
    int best = 1;
    for (tried.per = 1; tried.per <= most; tried.per++) {
        const share s = share_of(&tried, threads);
        const double idle = (double)s.all * threads / (tried.per * tried.length);
        if (s.most > most_of(most_cells, largest) || (even && tried.per % 2) ||
            idle >= 0.99 * least)
            continue;
        least = idle;
        best = tried.per;
    }
    return best;
}

/* Registers of a convolution beside, so that it spills nothing. */
static int more_of(const ndft_stockham_line *line, int words)
{
    enum { ORDERED = 18, CHIRP = 38, TWICE = 20, SEVERAL = 10, COLUMNS = 46, OF_F64 = 36 };
    if (line->prime)
        return (words > 1 ? OF_F64 : COLUMNS) +
               (ndft_stockham_convolved_shape(line->prime - 1).passes > 2 ? SEVERAL : 0);
    const share s = share_of(line, line->threads);
    int sum = 0;
    for (int i = 0; i < line->shape.passes; i++) sum += line->shape.radix[i];
    const int twice = s.all > sum ? TWICE : 0, most = line->shape.radix[0];
    if (words > 1 || !ndft_stockham_is_ordered(line)) return CHIRP + twice;
    const bool several = line->shape.passes > 2 && most > SEVERAL;
    return ORDERED + twice + (several ? 4 * (most - SEVERAL) : 0);
}

int ndft_stockham_blocks(const ndft_stockham_line *line, ndft_prec prec)
{
    const int words = prec == NDFT_F32 ? 1 : 2;
    enum { OTHERS = 32, FEWER = 8, MOST = 16, BESIDES = 1024 };
    enum { WIDE = 24, FIXED = 14 };
    const bool wide =
        line->shape.passes == 3 && line->shape.radix[0] >= WIDE && !prime_of(line) && !line->prime;
    const int more =
        (line->convolved || line->prime ? more_of(line, words) : 0) + prime_of(line) / 2;
    const int threads = line->threads * line->teams, whole = over(threads, WARP) * WARP;
    const int each =
        words * (2 * share_of(line, line->threads).most + more) + (wide ? FIXED : OTHERS);
    const int room = 8 * words * line->room * line->teams + BESIDES;
    const int most = least_of(SHARED / room, least_of(2048 / threads, MOST));
    int blocks = least_of(REGISTERS / (whole * each), most);
    while (blocks > 1 && (line->prime || prime_of(line)) &&
           over(blocks * whole, PARTS * WARP) * PARTS * WARP * each > REGISTERS)
        blocks--;
    if (blocks < 2 && most >= 2 && 2 * whole * (each - FEWER) <= REGISTERS) return 2;
    return most_of(1, blocks);
}
