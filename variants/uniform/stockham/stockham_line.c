/* SPDX-License-Identifier: Apache-2.0 */
#include "stockham_real.h"

#include <math.h>

enum { COALESCED = 16, FEW_BLOCKS = 264, REGISTERS = 65536, SHARED = 227 << 10, WARP = 32 };
/* Of lines of a thread each: of a block, and the cells beyond which they want many registers. */
enum { THREAD_LINES = 64, REGISTER_CELLS = 24 };
enum { SECTOR = 4 }; /* cells of one */

static int least_of(int a, int b) { return a < b ? a : b; }
static int most_of(int a, int b) { return a > b ? a : b; }
static int over(int a, int b) { return (a + b - 1) / b; }

int ndft_stockham_most_cells(ndft_prec prec) { return prec == NDFT_F32 ? 20 : 12; }

static bool lies_beside(const ndft_pass *p, const ndft_line_side *side)
{
    for (int i = 0; i < p->modes; i++)
        if (p->shape[i] > 1) return side->step[i] < side->stride;
    return false;
}

int ndft_stockham_kept(const ndft_stockham_line *line, int pass)
{
    const int radix = line->shape.radix[pass];
    return pass == line->folded ? (radix + 1) / 2 : radix;
}

int ndft_stockham_shares(const ndft_stockham_line *line, int pass)
{
    const int sums = line->length / ndft_stockham_kept(line, pass);
    return pass == line->mirrored ? over(sums, 2) : sums;
}

int ndft_stockham_cells(const ndft_stockham_line *line, int pass)
{
    return line->shape.radix[pass] * (pass == line->mirrored ? 2 : 1);
}

/* Of the pass that fewest threads have work in. */
static int fewest_shares(const ndft_stockham_line *line)
{
    int fewest = line->length;
    for (int i = 0; i < line->shape.passes; i++)
        fewest = least_of(fewest, ndft_stockham_shares(line, i));
    return fewest;
}

/* Cells of a thread's sums in all passes together, and the most in one. */
typedef struct share {
    int all, most;
} share;

static share share_of(const ndft_stockham_line *line, int threads)
{
    share s = {0, 0};
    for (int i = 0; i < line->shape.passes; i++) {
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

void ndft_stockham_set_threads(ndft_stockham_line *line, ndft_prec prec)
{
    const int *radix = line->shape.radix, last = line->shape.passes - 1;
    const int most = most_of(most_of(radix[0], radix[last]), ndft_stockham_most_cells(prec));
    line->threads = threads_of(line, most);
    if (!line->threads) line->threads = least_of(1024, line->per * line->length / radix[last]);
}

/* Of two passes: the lines of which fewest of so many threads idle, none with two sums of the
 * larger radix. */
static int lines_for(const ndft_stockham_line *line, int threads, int most_cells, bool even)
{
    const int largest = most_of(line->shape.radix[0], line->shape.radix[1]);
    const int most = threads / (line->length / largest);
    ndft_stockham_line tried = *line;
    double least = INFINITY;
    int best = 1;
    for (tried.per = 1; tried.per <= most; tried.per++) {
        const share s = share_of(&tried, threads);
        const double idle = (double)s.all * threads / (tried.per * tried.length);
        if (s.most > most_cells || (even && tried.per % 2) || idle >= 0.99 * least) continue;
        least = idle;
        best = tried.per;
    }
    return best;
}

/* Lines of a block, so that it has as many threads as are wanted or up to twice as many, the fewest
 * of which idle; enough blocks. */
static int lines_of(const ndft_stockham_line *line, int64_t lines, int wanted, ndft_prec prec)
{
    const int sums = fewest_shares(line);
    const bool beside = line->in_beside || line->out_beside;
    int best = 1;
    if (beside) {
        const int cells = prec == NDFT_F32 ? 8192 : 4096;
        for (best = COALESCED; best > 1 && best * line->length > cells; best /= 2) continue;
        if (best < 4 && 4 * sums <= 1024 && 4 * line->length <= 2 * cells) best = 4;
    } else {
        double least = INFINITY;
        const int most = line->length / sums > 16 ? 1 : 2 * wanted / sums;
        for (int per = 1; per == 1 || per <= most; per++) {
            const int threads = per * sums;
            const double idle = (double)over(threads, WARP) * WARP / threads + (threads < wanted);
            if (idle >= least) continue;
            least = idle;
            best = per;
        }
    }
    while (best > 1 && !beside && lines / best < FEW_BLOCKS) best /= 2;
    return (int)(best < lines ? best : lines);
}

/* As was measured on an H200 (docs/performance/uniform.md). */
static int most_radix(int64_t cells, ndft_prec prec)
{
    if (prec == NDFT_F64) return 10;
    return cells == 16 || (cells > 35 && cells < 80) ? 8 : 20;
}

static int threads_wanted(const ndft_stockham_line *line)
{
    if (line->shape.passes == 1) return line->length > 8 && line->folded < 0 ? 32 : 64;
    return line->length < (line->folded < 0 ? 36 : 30) ? 128 : 64;
}

/* Whether so many cells beside each other are read and written where they are: of lines that begin
 * with a sector fewer suffice. */
static bool is_direct(const ndft_stockham_line *line, int cells)
{
    return cells >= (line->length % 4 ? COALESCED : 7);
}

static int fewer_for(int64_t lines, int per)
{
    while (per > 1 && lines / per < FEW_BLOCKS) per /= 2;
    return (int)(per < lines ? per : lines);
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
static void cut_copied(ndft_stockham_line *line, int64_t lines)
{
    enum { BLOCK = 128, IDLE = 4, TEAMS = 4 };
    const int n = line->length, sums = n / least_of(line->shape.radix[0], line->shape.radix[1]);
    const int unit = n % 2 ? SECTOR : n % SECTOR ? 2 : 1;
    const bool by_warps = WARP % sums <= IDLE && WARP / sums % unit == 0 && WARP / sums > 0;
    line->stores = line->bulk = true;
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
    if (n >= SHORT) per = lines_for(line, line->threads, most_cells, n % 2);
    line->per = fewer_for(lines, per);
}

/* Lines of one piece in a thread each, or of two passes. What is not stored in long pieces or whole
 * sectors is copied as a whole, or else what is not read in pieces of 9 cells. False: it is
 * neither, or two passes of 32, 36, 40 or 48 cells, which are slower so. */
static bool cut_short_lines(ndft_stockham_line *line, int64_t lines, int most_cells)
{
    enum { FIRST = 32, SHORT = 64, READ = 9, STORED = 140, LONGER = 49 };
    int *radix = line->shape.radix;
    const int n = line->length, passes = line->shape.passes;
    if (passes == 1 && n >= COALESCED) {
        const bool warps = n > REGISTER_CELLS;
        line->past_l1 = warps;
        line->teams = warps ? 2 : 1;
        line->threads = warps ? WARP : 2 * THREAD_LINES;
        line->per = fewer_for(lines, warps ? WARP : THREAD_LINES);
        line->loads = line->stores = true;
        return true;
    }
    if (passes != 2 || (n >= FIRST && n < LONGER && n % SECTOR == 0)) return false;
    const bool smaller = is_smaller_first(n, radix);
    const int large = radix[0], small = radix[1], stored = n / (smaller ? large : small);
    if (n < STORED && stored < COALESCED && (stored % SECTOR || n % SECTOR)) {
        cut_copied(line, lines);
        return true;
    }
    if (smaller) radix[0] = small, radix[1] = large;
    cut_threads(line, lines, most_cells);
    line->loads = n < SHORT && n / radix[0] < READ;
    return true;
}

/* As were measured before, of any strides and either precision. */
static void cut_lines(ndft_stockham_line *line, const ndft_pass *p, ndft_prec prec, int threads)
{
    const int last = line->shape.passes - 1;
    line->per = lines_of(line, p->lines, threads ? threads : threads_wanted(line), prec);
    line->wide = p->domain == NDFT_C2C && line->in_beside && line->out_beside ? line->per : 1;
    if (line->wide == 1) {
        const int read = ndft_stockham_shares(line, 0), stored = ndft_stockham_shares(line, last);
        line->loads = line->in_beside || (!is_direct(line, read) && line->folded != 0);
        line->stores = line->out_beside || !is_direct(line, stored);
    }
    ndft_stockham_set_threads(line, prec);
}

/* Blocks of a multiprocessor, of numbers of so many words: a second one is worth eight registers.
 */
static int blocks_of(const ndft_stockham_line *line, int words)
{
    enum { OTHERS = 32, FEWER = 8, MOST = 16, BESIDES = 1024 };
    const int threads = line->threads * line->teams, whole = over(threads, WARP) * WARP;
    const int each = 2 * words * share_of(line, line->threads).most + OTHERS;
    const int room = 8 * words * line->room * line->teams + BESIDES;
    const int most = least_of(SHARED / room, least_of(2048 / threads, MOST));
    const int blocks = least_of(REGISTERS / (whole * each), most);
    if (blocks < 2 && most >= 2 && 2 * whole * (each - FEWER) <= REGISTERS) return 2;
    return most_of(1, blocks);
}

ndft_stockham_line ndft_stockham_line_of(const ndft_pass *p, ndft_prec prec,
                                         ndft_stockham_choice choice)
{
    const bool real = p->domain != NDFT_C2C, single = prec == NDFT_F32;
    ndft_stockham_line line = {
        .halved = real && p->length % 2 == 0, .per = 2, .wide = 1, .teams = 1, .mirrored = -1};
    line.length = (int)(line.halved ? p->length / 2 : p->length);
    const int64_t cells = p->length / (line.halved ? 2 : 1);
    if (cells > NDFT_STOCKHAM_LONGEST) return line;
    line.folded = -1;
    const bool pieces = single && !choice.radix && !choice.threads &&
                        ndft_stockham_is_whole(&line, p, &p->in, prec) &&
                        ndft_stockham_is_whole(&line, p, &p->out, prec);
    /* two passes are slower to 150 reals */
    const bool three = p->domain == NDFT_C2R && cells == 75;
    const int most = pieces && !three ? NDFT_STOCKHAM_MOST : most_radix(cells, prec);
    line.sectors = single && !choice.radix && !choice.threads && ndft_stockham_has_sectors(p);
    line.shape = line.sectors && !line.halved
                     ? ndft_stockham_folded_shape(cells, p->domain == NDFT_R2C ? 16 : 20)
                     : ndft_stockham_shape_of(cells, choice.radix ? choice.radix : most);
    if (line.shape.passes == 0) return line;
    line.in_beside = lies_beside(p, &p->in);
    line.out_beside = lies_beside(p, &p->out);
    if (real) ndft_stockham_set_real(&line, p, prec, single && !choice.radix);
    if (pieces && line.halved) ndft_stockham_order_real(&line, p);
    const bool is_short = pieces && !real && cut_short_lines(&line, p->lines, 20);
    if (!is_short) cut_lines(&line, p, prec, choice.threads);
    if (pieces && line.halved) ndft_stockham_cut_real(&line, p, prec);
    if (line.mirrored < 0) {
        line.loads |= p->domain == NDFT_C2R;
        line.stores |= p->domain == NDFT_R2C;
    } else if (p->domain == NDFT_C2R)
        line.loads = false;
    else
        line.stores = false;
    line.stores |= line.sectors > 0;
    ndft_stockham_set_copied(&line, p, prec, is_short);
    ndft_stockham_set_rooms(&line, prec);
    line.ends = line.table;
    if (line.halved) line.table += line.length + 1;
    line.room += line.room % 2; /* of each team from 16 bytes on */
    line.blocks = blocks_of(&line, single ? 1 : 2);
    return line;
}

/* exp(sign 2 pi i part/whole), exact where it is a quarter of a turn. */
static void put_turn(int part, int whole, int sign, double turn[2])
{
    const double angle = 2 * M_PI * ((double)(part % whole) / whole);
    turn[0] = 4 * part % whole || 4 * part / whole % 2 == 0 ? cos(angle) : 0;
    turn[1] = 2 * part % whole ? sign * sin(angle) : 0;
}

void ndft_stockham_turns(const ndft_stockham_line *line, int sign, double *table)
{
    const int kept = ndft_stockham_kept(line, 0), first = line->shape.radix[0];
    int done = 1, whole = 1;
    for (int i = 1; i < line->shape.passes; i++) {
        done *= ndft_stockham_kept(line, i - 1);
        whole *= line->shape.radix[i - 1];
        const int radix = line->shape.radix[i];
        for (int q = 1; q < radix; q++)
            for (int j = 0; j < done; j++)
                put_turn(q * (j / kept * first + j % kept), whole * radix, sign,
                         table + 2 * (line->turns[i] + (q - 1) * done + j));
    }
    for (int k = 0; line->halved && k <= line->length; k++)
        put_turn(k, 2 * line->length, sign, table + 2 * (line->ends + k));
}
