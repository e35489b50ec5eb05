/* SPDX-License-Identifier: Apache-2.0 */
#include "stockham_columns.h"
#include "stockham_convolved.h"
#include "stockham_real.h"
#include "stockham_short.h"

#include <math.h>

enum { COALESCED = 16, SECTOR = 4 }; /* cells */
enum { UNITS = 120, FEW_BLOCKS = 264, WARP = 32 };

static int least_of(int a, int b) { return a < b ? a : b; }
static int most_of(int a, int b) { return a > b ? a : b; }
static int over(int a, int b) { return (a + b - 1) / b; }

int ndft_stockham_most_cells(ndft_prec prec) { return prec == NDFT_F32 ? 21 : 12; }

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

/* Of things of so many threads each: how many, so that a block has as many threads as are wanted or
 * up to twice as many, the fewest of which idle. */
static int fewest_idle(int sums, int most, int wanted)
{
    double least = INFINITY;
    int best = 1;
    for (int each = 1; each == 1 || each <= most; each++) {
        const int threads = each * sums;
        const double idle = (double)over(threads, WARP) * WARP / threads + (threads < wanted);
        if (idle >= least) continue;
        least = idle;
        best = each;
    }
    return best;
}

/* Cells of a block whose lines are beside each other. */
static int beside_cells(ndft_prec prec) { return prec == NDFT_F32 ? 8192 : 4096; }

/* Lines of a block; enough blocks. */
static int lines_of(const ndft_stockham_line *line, int64_t lines, int wanted, ndft_prec prec)
{
    const int sums = fewest_shares(line);
    const bool long_sums =
        sums > 1 && line->length / sums > 16 && !ndft_stockham_is_long(&line->shape);
    const bool beside = line->in_beside || line->out_beside;
    int best = 1;
    if (beside) {
        const int cells = beside_cells(prec);
        for (best = COALESCED; best > 1 && best * line->length > cells; best /= 2) continue;
        if (best < 4 && 4 * sums <= 1024 && 4 * line->length <= 2 * cells) best = 4;
    } else {
        best = fewest_idle(sums, long_sums ? 1 : 2 * wanted / sums, wanted);
    }
    enum { SLOWER = 256 }; /* by fewer lines: 256 x 256 */
    const bool fewer = !line->out_beside || line->length != SLOWER;
    const int fewest = !beside ? 1 : fewer ? COALESCED / 2 : COALESCED;
    while (best > fewest && lines / best < FEW_BLOCKS) best /= 2;
    while (best > SECTOR && beside && fewer && lines / best < UNITS) best /= 2;
    return (int)(best < lines ? best : lines);
}

/* Lines beside each other, in a block those of one sector or more. Where all that are beside each
 * other are few, a block has all of them, or some such groups: each is one piece. */
static void cut_beside(ndft_stockham_line *line, const ndft_pass *p, int wanted, ndft_prec prec)
{
    int i = 0;
    while (i < p->modes - 1 && p->shape[i] == 1) i++;
    const int64_t beside = p->shape[i], cells = beside * line->length;
    line->wide = line->per;
    if (beside < 2 || beside >= COALESCED || 2 * cells > 3 * beside_cells(prec)) return;
    if (line->shape.passes < 2) return; /* whose threads have cells apart */
    const int sums = (int)beside * fewest_shares(line);
    const int most = least_of(2 * wanted / sums, beside_cells(prec) / (int)cells);
    int groups = fewest_idle(sums, most, wanted);
    while (groups > 1 && p->lines / (groups * beside) < FEW_BLOCKS) groups /= 2;
    line->wide = (int)beside;
    line->per = (int)(groups * beside < p->lines ? groups * beside : p->lines);
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

/* Of three passes, two of which are alike: the third one is between them where its threads, all at
 * work, are more than the others', or, of odd lines of a middle length, store pieces that begin
 * anywhere. */
static void order_passes(ndft_stockham_line *line)
{
    enum { FIRST = 500, LAST = 1200 };
    int *radix = line->shape.radix;
    const int n = line->length;
    const bool odd = n % 2 && n > FIRST && n < LAST;
    if (line->shape.passes != 3 || line->wide > 1 || radix[0] != radix[1]) return;
    if (!odd && line->threads != line->per * n / radix[2]) return;
    radix[1] = radix[2];
    radix[2] = radix[0];
}

/* A lone line of two warps is slower than two such lines in small batches of them. */
static void pair_lines(ndft_stockham_line *line, int64_t lines)
{
    enum { FEW = 1 << 21 }; /* cells */
    if (line->per > 1 || line->threads != 2 * WARP || lines * line->length >= FEW) return;
    if (line->shape.passes < 3 || line->shape.radix[0] > 8 || lines <= 2 * FEW_BLOCKS) return;
    line->per = 2;
    ndft_stockham_set_threads(line, NDFT_F32);
}

/* Odd numbers of cells end to end that go to memory begin anywhere in a sector: they are stored as
 * whole ones, unless few blocks are beside one that waits for its copy. */
static void set_sectors(ndft_stockham_line *line, const ndft_pass *p)
{
    enum { WIDEST = 144, BEYOND_L2 = 1 << 22 /* cells */ };
    if (line->length % 2 == 0 || !ndft_stockham_follow(p, &p->out)) return;
    if (line->length * p->lines < BEYOND_L2 || line->threads >= WIDEST) return;
    if (line->shape.passes > 3) return;
    line->sectors = SECTOR;
    line->stores = line->bulk = true;
}

/* Numbers that are not side by side: where a block's output is copied, it is whole sectors. */
static void set_stored(ndft_stockham_line *line, const ndft_pass *p)
{
    if (!ndft_stockham_follow(p, &p->out)) return;
    line->sectors = SECTOR;
    line->bulk = true;
}

/* As were measured before, of any strides and either precision. */
static void cut_lines(ndft_stockham_line *line, const ndft_pass *p, ndft_prec prec, int threads)
{
    const int last = line->shape.passes - 1;
    const int wanted = threads ? threads : threads_wanted(line);
    line->per = lines_of(line, p->lines, wanted, prec);
    if (p->domain == NDFT_C2C && line->in_beside && line->out_beside && !line->convolved)
        cut_beside(line, p, wanted, prec);
    if (line->wide == 1) {
        const int read = ndft_stockham_shares(line, 0), stored = ndft_stockham_shares(line, last);
        line->loads = line->in_beside || (!is_direct(line, read) && line->folded != 0);
        line->stores =
            line->out_beside || !is_direct(line, stored) ||
            (prec == NDFT_F32 && line->length % SECTOR && ndft_stockham_is_long(&line->shape));
    }
    if (line->convolved) ndft_stockham_cut_convolved(line, p);
    ndft_stockham_set_threads(line, prec);
}

enum { SEVERAL = 16 };

/* Whether three passes have a radix beyond SEVERAL that leaves most threads idle in the others. */
static bool is_apart(const ndft_stockham_shape *shape)
{
    return shape->passes == 3 && shape->radix[0] > most_of(SEVERAL, 2 * shape->radix[1]);
}

/* Whether real lines that something lies between do so, too. */
static bool gains_padded(const ndft_stockham_line *line, const ndft_pass *p)
{
    enum { LONG = 140, MIDDLE = 54, SLOWER = 240, BEYOND_L2 = 1 << 22 }; /* cells */
    const bool from = p->domain == NDFT_R2C;
    const int n = line->length;
    if (!line->halved || p->in.stride > 1 || p->out.stride > 1) return false;
    if (!from && n == SLOWER) return false;
    if (n >= LONG || (from && ndft_stockham_follow(p, &p->out))) return true;
    return n >= MIDDLE && n * p->lines > BEYOND_L2 / 2;
}

/* Whether lines are cut as it was measured of lines end to end: complex ones wherever they begin,
 * but for the longest of a thread each; reals where a block's are one piece. */
static bool in_pieces(const ndft_stockham_line *line, const ndft_pass *p)
{
    enum { LONG = 24 }; /* cells */
    const int n = line->length;
    const bool whole = ndft_stockham_is_whole(line, p, &p->in, NDFT_F32) &&
                       ndft_stockham_is_whole(line, p, &p->out, NDFT_F32);
    if (p->domain != NDFT_C2C) return whole || gains_padded(line, p);
    if (n > LONG && n <= NDFT_STOCKHAM_MOST) return whole;
    return p->in.stride == 1 && p->out.stride == 1;
}

int ndft_stockham_length(const ndft_pass *p, ndft_prec prec)
{
    const int longest = NDFT_STOCKHAM_LONGEST / (prec == NDFT_F32 ? 1 : 2);
    const bool halved = p->domain != NDFT_C2C && p->length % 2 == 0;
    const int64_t cells = halved ? p->length / 2 : p->length;
    if (cells > longest) return 0;
    if (ndft_stockham_shape_of(cells, SEVERAL).passes) return (int)cells;
    if (p->domain != NDFT_C2C) return 0;
    return ndft_stockham_prime(cells) ? (int)cells : ndft_stockham_convolution(cells, longest);
}

int ndft_stockham_passes(const ndft_pass *p, ndft_prec prec)
{
    const int cells = ndft_stockham_length(p, prec);
    if (p->domain == NDFT_C2C && cells != p->length)
        return ndft_stockham_convolved_shape(cells).passes;
    const ndft_stockham_shape columns = ndft_stockham_columns_shape(cells, prec);
    if (p->domain == NDFT_C2C && columns.passes) return columns.passes;
    return ndft_stockham_shape_of(cells, most_radix(cells, prec)).passes;
}

/* The radices of a line's passes; `radix`: the largest, 0: as is known to be fast. */
static ndft_stockham_shape shape_of(const ndft_stockham_line *line, const ndft_pass *p,
                                    ndft_prec prec, int radix, bool pieces)
{
    enum { BEYOND = 6000 }; /* no two radices need be so unlike that most threads idle */
    const bool real = p->domain != NDFT_C2C;
    const int cells = line->length;
    if (line->prime) return ndft_stockham_columns_shape(cells, prec);
    /* two passes are slower to 150 reals */
    const bool three = p->domain == NDFT_C2R && cells == 75;
    const int most = pieces && !three ? NDFT_STOCKHAM_MOST : most_radix(cells, prec);
    ndft_stockham_shape shape =
        line->sectors && !line->halved
            ? ndft_stockham_folded_shape(cells, p->domain == NDFT_R2C ? 16 : 20)
            : ndft_stockham_shape_of(cells, radix ? radix : most);
    if (line->convolved && !radix) shape = ndft_stockham_convolved_shape(cells);
    if (!real && is_apart(&shape)) shape = ndft_stockham_shape_of(cells, SEVERAL);
    if (!real && pieces && shape.passes > 3 && cells > BEYOND)
        shape = ndft_stockham_long_shape(cells);
    return shape;
}

ndft_stockham_line ndft_stockham_line_of(const ndft_pass *p, ndft_prec prec,
                                         ndft_stockham_choice choice)
{
    const bool real = p->domain != NDFT_C2C, single = prec == NDFT_F32;
    ndft_stockham_line line = {
        .halved = real && p->length % 2 == 0, .per = 2, .wide = 1, .teams = 1, .mirrored = -1};
    const int cells = line.length = ndft_stockham_length(p, prec);
    const bool convolved = !line.halved && cells != p->length;
    if (!ndft_stockham_passes(p, prec)) return line;
    line.folded = -1;
    line.convolved = convolved ? (int)p->length : 0;
    line.prime = real ? 0 : ndft_stockham_prime(cells);
    const bool pieces = single && !convolved && !line.prime && !choice.radix && !choice.threads &&
                        in_pieces(&line, p);
    line.sectors = single && !choice.radix && !choice.threads && ndft_stockham_has_sectors(p);
    line.shape = shape_of(&line, p, prec, choice.radix, pieces);
    if (line.shape.passes == 0) return line;
    line.in_beside = lies_beside(p, &p->in);
    line.out_beside = lies_beside(p, &p->out);
    if (real) ndft_stockham_set_real(&line, p, prec, single && !choice.radix);
    if (pieces && line.halved) ndft_stockham_order_real(&line, p);
    const bool is_short = pieces && !real && ndft_stockham_cut_short(&line, p, 20);
    if (line.prime)
        ndft_stockham_cut_columns(&line, p, prec);
    else if (!is_short)
        cut_lines(&line, p, prec, choice.threads);
    if (!is_short && pieces && !real) {
        order_passes(&line);
        pair_lines(&line, p->lines);
        set_sectors(&line, p);
        if (line.stores && ndft_stockham_is_long(&line.shape)) set_stored(&line, p);
    } else if (single && !real && line.stores && !is_short && !convolved)
        set_stored(&line, p);
    if (pieces && line.halved) ndft_stockham_cut_real(&line, p, prec);
    if (line.mirrored < 0) {
        line.loads |= p->domain == NDFT_C2R;
        line.stores |= p->domain == NDFT_R2C;
    } else if (p->domain == NDFT_C2R)
        line.loads = false;
    else
        line.stores = false;
    line.stores |= line.sectors > 0;
    ndft_stockham_set_copied(&line, p, prec,
                             is_short || convolved || line.prime || (!real && line.sectors));
    ndft_stockham_set_rooms(&line, prec);
    line.ends = line.table;
    if (line.halved) line.table += line.length + 1;
    if (convolved) ndft_stockham_set_filter(&line);
    if (line.prime) ndft_stockham_set_columns(&line, prec);
    line.room += line.room % 2; /* of each team from 16 bytes on */
    line.blocks = ndft_stockham_blocks(&line, prec);
    return line;
}
