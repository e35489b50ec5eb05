/* SPDX-License-Identifier: Apache-2.0 */
#include "stockham_real.h"

/* As was measured on an H200 (docs/performance/uniform.md). */

enum { WARP = 32, FEW_BLOCKS = 264 };

static int least_of(int a, int b) { return a < b ? a : b; }
static int most_of(int a, int b) { return a > b ? a : b; }

static void turn_round(ndft_stockham_shape *shape)
{
    for (int i = 0; i < shape->passes / 2; i++) {
        const int radix = shape->radix[i], last = shape->passes - 1 - i;
        shape->radix[i] = shape->radix[last];
        shape->radix[last] = radix;
    }
}

static void turn_round_but_last(ndft_stockham_shape *shape)
{
    shape->passes--;
    turn_round(shape);
    shape->passes++;
}

/* Whether sums of the last pass are no more cells of a thread by twos than those of the first. */
static bool fits(const ndft_stockham_shape *s)
{
    return 2 * s->radix[s->passes - 1] <= s->radix[0];
}

static bool is_among(int n, const int *some, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (n == some[i]) return true;
    return false;
}

static bool is_apart(const ndft_stockham_shape *shape, int first)
{
    enum { APART = 12 };
    const int most = shape->radix[0], least = shape->radix[shape->passes - 1];
    return most > APART && most != first && 10 * most > 27 * least;
}

/* Half spectra that are stored as whole sectors, whose numbers the last pass makes: of two passes
 * of short lines or three of long ones. A single pass of SHORT cells and more becomes two.
 * What is slower so is as it was: of three passes small batches, in which other blocks do not
 * work while one waits for its copy. */
static bool set_staged(ndft_stockham_line *line, int64_t lines)
{
    static const int slower[] = {21, 35, 56, 63, 64, 72, 126, 441, 1029, 1200};
    enum { SHORT = 20, MIDDLE = 128, LONG = 256, LONGER = 1024, MOST = 20, WIDE = 18, WIDER = 21 };
    enum { LONGEST = 1900, TIMED = 2048, FEW = 1 << 20, MANY = 1 << 21 }; /* cells */
    enum { FEW_LINES = 3 * FEW_BLOCKS, SLOWER_OF_FEW = 48 };
    const int n = line->length, passes = n < SHORT ? 1 : most_of(2, line->shape.passes);
    if (passes == 1 || (passes == 2 ? n > MIDDLE : n < LONG || n > TIMED)) return false;
    if (passes > 2 ? n * lines < FEW || lines < FEW_LINES : n == SLOWER_OF_FEW && n * lines < FEW)
        return false;
    const int wide = passes == 2 ? 0 : n < LONGER ? WIDER : WIDE;
    const ndft_stockham_shape shape = ndft_stockham_mirrored_shape(n, passes, passes > 2, wide);
    if (shape.passes != passes || 2 * shape.radix[passes - 1] > MOST) return false;
    if (passes > 2 && !fits(&shape) && (passes > 3 || n > LONGEST)) return false;
    if (passes > 2 && n * lines < MANY && is_apart(&shape, line->shape.radix[0])) return false;
    if (is_among(n, slower, sizeof slower / sizeof *slower)) return false;
    line->mirrored = passes - 1;
    line->shape = shape;
    if (passes > 2 && !fits(&shape)) turn_round_but_last(&line->shape);
    return true;
}

/* The smallest radix is beside half spectra, which pieces of PIECE pairs are stored to by the last
 * pass or loaded from by the first one. From reals its threads have no more cells than others, or
 * of long lines, whose other passes are turned round then, as many as leave registers. */
static void set_mirrored(ndft_stockham_line *line, ndft_domain domain, ndft_prec prec, bool any)
{
    enum { PIECE = 24, LONG = 256, LONGER = 1000 };
    const bool from = domain == NDFT_R2C, beside = from ? line->out_beside : line->in_beside;
    const int passes = line->shape.passes, last = passes - 1;
    ndft_stockham_shape shape = line->shape;
    if (beside || passes < 2) return;
    if (any && passes > 2 && line->length >= LONG)
        shape = ndft_stockham_mirrored_shape(line->length, passes, from, 0);
    if (from && fits(&shape) && is_apart(&shape, line->shape.radix[0])) return;
    const bool registers = !from || (any && line->length >= LONGER);
    const int most = registers ? ndft_stockham_most_cells(prec) : shape.radix[0];
    if (2 * shape.radix[last] > most) return;
    if (line->length / shape.radix[last] < 2 * PIECE) return;
    line->mirrored = from ? last : 0;
    line->shape = shape;
    if (!from) turn_round(&line->shape);
    if (from && !fits(&shape)) turn_round_but_last(&line->shape);
}

/* Of the largest radix, with which least is kept. The smallest one is not beside memory, but from
 * reals where the others of a long line are alike. */
static void set_folded(ndft_stockham_line *line, ndft_domain domain)
{
    enum { LONG = 500 };
    const int last = line->shape.passes - 1, least = line->shape.radix[last];
    const bool alike = line->shape.radix[0] == line->shape.radix[1] && line->length > LONG;
    if (last > 1 && (domain == NDFT_C2R || last > 2 || !alike)) {
        line->shape.radix[last] = line->shape.radix[last - 1];
        line->shape.radix[last - 1] = least;
    }
    if (domain == NDFT_C2R) turn_round(&line->shape);
    const int pass = domain == NDFT_C2R ? last : 0, radix = line->shape.radix[pass];
    line->length = line->length / radix * ((radix + 1) / 2);
    line->folded = pass;
}

void ndft_stockham_set_real(ndft_stockham_line *line, const ndft_pass *p, ndft_prec prec, bool any)
{
    static const int slower[] = {189, 294, 840, 1575};
    const ndft_domain domain = p->domain;
    const bool from = domain == NDFT_R2C;
    const int last = line->shape.passes - 1, whole = line->sectors;
    line->sectors = 0;
    if (!line->halved) {
        set_folded(line, domain);
        line->sectors = from || last < 2 ? whole : 0;
    } else if (from && whole && set_staged(line, p->lines)) {
        line->sectors = whole;
    } else {
        set_mirrored(line, domain, prec, any);
        /* pieces of some sectors are stored where they belong */
        const int n = line->length;
        const bool parts = from ? n < 256 : n / line->shape.radix[last] % 4 != 0;
        if (line->mirrored >= 0 && last > 1 && parts &&
            !is_among(n, slower, sizeof slower / sizeof *slower))
            line->sectors = whole;
    }
    line->bulk = line->sectors > 0;
}

enum { TEAMS = 4 };

/* Lines of a warp by itself, which has two passes of them, where they fill it but for four threads;
 * else 0. */
static int of_a_warp(const ndft_stockham_line *line, bool from, int64_t lines)
{
    enum { IDLE = 4, FROM = 7, TO = 10, APART = 128, LONGEST = 256 };
    const int n = line->length, small = least_of(line->shape.radix[0], line->shape.radix[1]);
    const int unit = n % 2 ? 1 : 2, per = WARP / (n / small) / unit * unit;
    if (small < (from ? FROM : TO) || per * (n / small) < WARP - IDLE || n == APART) return 0;
    return (!from && n >= LONGEST) || lines / (per * TEAMS) < FEW_BLOCKS ? 0 : per;
}

enum { SHORT = 36, LONG = 64 }; /* beyond and below which two passes are cut otherwise */

void ndft_stockham_order_real(ndft_stockham_line *line, const ndft_pass *p)
{
    const bool from = p->domain == NDFT_R2C;
    const int n = line->length, *radix = line->shape.radix;
    if (line->shape.passes != 2 || line->mirrored >= 0) return;
    if (n > SHORT && n < LONG ? (from ? radix[0] >= 10 : radix[1] % 2 == 0 && n % 8)
                              : !from && of_a_warp(line, from, p->lines))
        turn_round(&line->shape);
}

/* Of sums that mirror each other: warps by themselves where two passes fill them; of three passes
 * not fewer than so many threads, and of more than WIDEST, which few other blocks are beside that
 * work while it waits for its copy, pieces are stored where they belong. */
static void cut_staged(ndft_stockham_line *line, int64_t lines, ndft_prec prec)
{
    enum { IDLE = 4, FEWEST = 75, WIDEST = 150 };
    const int n = line->length, last = ndft_stockham_shares(line, 1);
    const int most = most_of(ndft_stockham_shares(line, 0), last);
    const int per = WARP / most, idle = WARP % most;
    if (line->shape.passes > 2) {
        if (line->per == 1 && line->threads < FEWEST && lines > 2 * FEW_BLOCKS) line->per = 2;
        if (line->per == 1 && line->threads > WIDEST) line->sectors = line->bulk = 0;
    } else if (per % 2 == 0 && per && idle <= (n < LONG ? 0 : IDLE) &&
               lines / (per * TEAMS) >= FEW_BLOCKS) {
        line->threads = WARP;
        line->teams = TEAMS;
        line->per = per;
        return;
    } else {
        line->per = n < LONG && last > 4 ? WARP : WARP / 2;
        while (line->per > 1 && lines / line->per < FEW_BLOCKS) line->per /= 2;
        if (line->per > lines) line->per = (int)lines;
    }
    ndft_stockham_set_threads(line, prec);
}

/* Of one pass: a line of a thread. */
static void cut_single(ndft_stockham_line *line, bool from, int64_t lines)
{
    enum { FROM = 4, TO = 2, BULK = 28 };
    line->teams = from ? FROM : TO;
    line->threads = line->per = WARP;
    while (line->teams > 1 && lines / (WARP * line->teams) < FEW_BLOCKS) line->teams /= 2;
    while (line->per > 2 && lines / line->per < FEW_BLOCKS) line->per /= 2;
    if (line->per > lines) line->per = (int)lines;
    line->bulk = from && line->length < BULK;
    line->in_whole = line->out_whole = true;
}

void ndft_stockham_cut_real(ndft_stockham_line *line, const ndft_pass *p, ndft_prec prec)
{
    enum { THREADS = 100, BULK = 220, APART = 128, LONGEST = 256, FEW = 1 << 20 };
    const bool from = p->domain == NDFT_R2C;
    if (from && line->sectors) cut_staged(line, p->lines, prec);
    if (line->shape.passes == 1) cut_single(line, from, p->lines);
    if (line->shape.passes != 2 || line->mirrored >= 0) return;
    const int n = line->length, per = of_a_warp(line, from, p->lines);
    ndft_stockham_line cut = *line;
    cut.per = per ? per : line->per + (n % 2 ? 0 : line->per % 2);
    cut.teams = per ? TEAMS : 1;
    cut.threads = WARP;
    if (!per) ndft_stockham_set_threads(&cut, prec);
    if (!per && (from ? cut.threads > THREADS : n <= SHORT || n >= LONG || n % 8 == 0)) return;
    if (cut.per > p->lines) return;
    const bool even = cut.shape.radix[0] % 2 == 0 && cut.shape.radix[1] % 2 == 0;
    const bool few = n >= LONGEST && n * p->lines < FEW;
    cut.sectors = from && per && n > APART && even && !few;
    cut.bulk = cut.sectors || (from && (!per || n < BULK));
    cut.in_whole = cut.out_whole = true;
    *line = cut;
}

bool ndft_stockham_follow(const ndft_pass *p, const ndft_line_side *side)
{
    return side->stride == 1 && (p->modes == 0 || (p->modes == 1 && side->step[0] == side->count));
}

bool ndft_stockham_has_sectors(const ndft_pass *p)
{
    enum { FROM = 20, TO = 15, FROM_MANY = 1500000, TO_MANY = 1000000 };
    enum { SINGLE = 30, BEYOND_L2 = 1 << 23 }; /* where two passes keep memory busier */
    enum { SLOWER = 1875, SLOWER_FROM = 245 };
    const bool from = p->domain == NDFT_R2C;
    const int64_t n = p->length, all = n * p->lines;
    if (p->domain == NDFT_C2C || !ndft_stockham_follow(p, &p->out)) return false;
    if (n % 2 == 0) return true;
    if (n == SLOWER || (from && (n == SLOWER_FROM || (n < SINGLE && all > BEYOND_L2))))
        return false;
    return from ? n >= FROM && all >= FROM_MANY : n >= TO && all >= TO_MANY;
}

bool ndft_stockham_is_whole(const ndft_stockham_line *line, const ndft_pass *p,
                            const ndft_line_side *side, ndft_prec prec)
{
    const bool cells = !side->real || line->halved;
    const int64_t numbers = side->real ? side->count / 2 : side->count;
    return cells && ndft_stockham_follow(p, side) &&
           (prec == NDFT_F64 || line->per * numbers % 2 == 0);
}

void ndft_stockham_set_copied(ndft_stockham_line *line, const ndft_pass *p, ndft_prec prec,
                              bool is_short)
{
    const bool from = p->domain == NDFT_R2C, to = p->domain == NDFT_C2R;
    const bool in_piece = line->loads && ndft_stockham_is_whole(line, p, &p->in, prec);
    const bool out_piece =
        line->stores && (line->sectors || ndft_stockham_is_whole(line, p, &p->out, prec));
    const bool in = is_short || from || line->in_whole;
    const bool out = is_short || to || line->out_whole || line->sectors;
    line->in_whole = in_piece && (in || !line->halved) && (from || to || is_short);
    line->out_whole = out_piece && (out || !line->halved) && (from || to || is_short);
    line->spectra = to && line->halved && line->loads &&
                    (line->in_whole || line->per <= 8 || line->length <= 32);
    line->bulk &= line->out_whole;
    if (line->sectors) line->sectors = !line->out_whole ? 0 : to && !line->halved ? 8 : 4;
    line->in_numbers = line->halved && !line->spectra ? line->length : (int)p->in.count;
    line->out_numbers =
        line->halved && !(from && line->out_whole) ? line->length : (int)p->out.count;
}
