/* SPDX-License-Identifier: Apache-2.0 */
#include "stockham_short.h"

#include "stockham_real.h"

/* As was measured on an H200 (docs/performance/uniform.md). */

enum { COALESCED = 16, FEW_BLOCKS = 264, WARP = 32 };
enum { SECTOR = 4 }; /* cells of one */

static int least_of(int a, int b) { return a < b ? a : b; }

static int fewer_for(int64_t lines, int per)
{
    while (per > 1 && lines / per < FEW_BLOCKS) per /= 2;
    return (int)(per < lines ? per : lines);
}

/* Lines in a thread each, copied as a whole; the longer ones want many registers. */
static void cut_single(ndft_stockham_line *line, int64_t lines)
{
    enum { LINES = 64, FEW = 8, REGISTERS = 24, BEYOND_L2 = 1 << 22 }; /* cells */
    const int n = line->length;
    const bool warps = n < COALESCED || n > REGISTERS;
    line->past_l1 = n > REGISTERS;
    line->teams = !warps ? 1 : n <= FEW ? 4 : 2;
    line->threads = warps ? WARP : 2 * LINES;
    line->per = fewer_for(lines, warps ? WARP : LINES);
    line->loads = line->stores = true;
    line->bulk = n < COALESCED && n * lines > BEYOND_L2;
}

/* Whether the smaller radix of two passes is first, which reads longer pieces and stores shorter
 * ones (measured, as the rest here). */
static bool is_smaller_first(int n, const int radix[2])
{
    enum { LONGER = 80, LONGEST = 120 };
    const int large = radix[0], small = radix[1];
    if (n < LONGER) return small % SECTOR == 0;
    if (n >= LONGEST) return false;
    return small != 7 || large % 2 || large == 10;
}

/* Two passes whose output is copied, by one thread: all of whose copies are whole sectors, since
 * parts of them take L2 twice as long. Lines that fill a warp but for four threads need not wait
 * for other warps; else as many threads as a block of 128 has for one sum each. */
static void cut_copied(ndft_stockham_line *line, int64_t lines, bool follow)
{
    enum { BLOCK = 128, IDLE = 4, TEAMS = 4, LONG = 12 };
    const int n = line->length, sums = n / least_of(line->shape.radix[0], line->shape.radix[1]);
    const int unit = n % 2 ? SECTOR : n % SECTOR ? 2 : 1;
    const bool by_warps = WARP % sums <= IDLE && WARP / sums % unit == 0 && WARP / sums > 0;
    line->stores = line->bulk = follow || sums < LONG; /* else these pieces are as good */
    line->teams = by_warps ? TEAMS : 1;
    line->threads = by_warps ? WARP : BLOCK;
    line->per = line->threads / sums / unit * unit;
    while (line->per > unit && lines / (line->per * line->teams) < FEW_BLOCKS) line->per -= unit;
    if (line->per > lines) line->per = (int)lines;
}

/* Of two passes of which threads have a sum each below 64 cells. */
static void cut_threads(ndft_stockham_line *line, int64_t lines, int most_cells)
{
    enum { SHORT = 64, SHORTS = 128 };
    const int n = line->length, *radix = line->shape.radix;
    line->threads = n < SHORT ? SHORTS : 64;
    int per = line->threads / (n / least_of(radix[0], radix[1]));
    if (n >= SHORT) per = ndft_stockham_lines_for(line, line->threads, most_cells, n % 2);
    line->per = fewer_for(lines, per);
}

/* Whether two lines end to end begin with a sector each. */
static bool is_aligned(const ndft_pass *p)
{
    for (int i = 0; i < p->modes; i++)
        if (p->out.step[i] % SECTOR) return false;
    return true;
}

bool ndft_stockham_cut_short(ndft_stockham_line *line, const ndft_pass *p, int most_cells)
{
    enum { FIRST = 32, SHORT = 64, READ = 9, STORED = 140, LONGER = 49 };
    int *radix = line->shape.radix;
    const int n = line->length, passes = line->shape.passes;
    const bool follow = ndft_stockham_follow(p, &p->out);
    if (n < COALESCED && (n == 1 || !follow)) return false;
    if (passes == 1) {
        cut_single(line, p->lines);
        return true;
    }
    if (ndft_stockham_is_long(&line->shape)) return false;
    if (passes != 2 || (n >= FIRST && n < LONGER && n % SECTOR == 0)) return false;
    const bool smaller = is_smaller_first(n, radix);
    const int large = radix[0], small = radix[1], stored = n / (smaller ? large : small);
    if (n < STORED && stored < COALESCED && (stored % SECTOR || !is_aligned(p))) {
        cut_copied(line, p->lines, follow);
        return true;
    }
    if (smaller) radix[0] = small, radix[1] = large;
    cut_threads(line, p->lines, most_cells);
    line->loads = n < SHORT && n / radix[0] < READ;
    return true;
}
