/* SPDX-License-Identifier: Apache-2.0 */
#include "stockham_real.h"

/* As was measured on an H200 (docs/performance/uniform.md). */

enum { WARP = 32, FEW_BLOCKS = 264 };

static int least_of(int a, int b) { return a < b ? a : b; }

static void turn_round(ndft_stockham_shape *shape)
{
    for (int i = 0; i < shape->passes / 2; i++) {
        const int radix = shape->radix[i], last = shape->passes - 1 - i;
        shape->radix[i] = shape->radix[last];
        shape->radix[last] = radix;
    }
}

/* Whether sums of the last pass are no more cells of a thread by twos than those of the first. */
static bool fits(const ndft_stockham_shape *s)
{
    return 2 * s->radix[s->passes - 1] <= s->radix[0];
}

/* The smallest radix is beside half spectra, which pieces of PIECE pairs are stored to by the last
 * pass or loaded from by the first one. From reals its threads have no more cells than others, or
 * of long lines, whose other passes are turned round then, as many as leave registers. */
static void set_mirrored(ndft_stockham_line *line, ndft_domain domain, ndft_prec prec, bool any)
{
    enum { PIECE = 24, LONG = 256, LONGER = 1000, APART = 12 };
    const bool from = domain == NDFT_R2C, beside = from ? line->out_beside : line->in_beside;
    const int passes = line->shape.passes, last = passes - 1;
    ndft_stockham_shape shape = line->shape;
    if (beside || passes < 2) return;
    if (any && passes > 2 && line->length >= LONG)
        shape = ndft_stockham_mirrored_shape(line->length, passes, from);
    const int first = shape.radix[0], least = shape.radix[last];
    const bool apart = first > APART && first != line->shape.radix[0] && 10 * first > 27 * least;
    if (from && fits(&shape) && apart) return;
    const bool registers = !from || (any && line->length >= LONGER);
    const int most = registers ? ndft_stockham_most_cells(prec) : shape.radix[0];
    if (2 * shape.radix[last] > most) return;
    if (line->length / shape.radix[last] < 2 * PIECE) return;
    line->mirrored = from ? last : 0;
    line->shape = shape;
    if (!from) turn_round(&line->shape);
    if (from && !fits(&shape)) {
        line->shape.passes = last;
        turn_round(&line->shape);
        line->shape.passes = passes;
    }
}

/* Of the largest radix, with which least is kept. */
static void set_folded(ndft_stockham_line *line, ndft_domain domain)
{
    const int last = line->shape.passes - 1;
    if (domain == NDFT_C2R) turn_round(&line->shape);
    const int pass = domain == NDFT_C2R ? last : 0, radix = line->shape.radix[pass];
    line->length = line->length / radix * ((radix + 1) / 2);
    line->folded = pass;
}

void ndft_stockham_set_real(ndft_stockham_line *line, ndft_domain domain, ndft_prec prec, bool any)
{
    if (line->halved)
        set_mirrored(line, domain, prec, any);
    else
        set_folded(line, domain);
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
    enum { THREADS = 100, BULK = 220 };
    const bool from = p->domain == NDFT_R2C;
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
    cut.bulk = from && (!per || n < BULK);
    cut.in_whole = cut.out_whole = true;
    *line = cut;
}

bool ndft_stockham_is_whole(const ndft_stockham_line *line, const ndft_pass *p,
                            const ndft_line_side *side, ndft_prec prec)
{
    const bool cells = !side->real || line->halved;
    const bool follow = p->modes == 0 || (p->modes == 1 && side->step[0] == side->count);
    const int64_t numbers = side->real ? side->count / 2 : side->count;
    return cells && side->stride == 1 && follow &&
           (prec == NDFT_F64 || line->per * numbers % 2 == 0);
}

void ndft_stockham_set_copied(ndft_stockham_line *line, const ndft_pass *p, ndft_prec prec,
                              bool is_short)
{
    const bool from = p->domain == NDFT_R2C, to = p->domain == NDFT_C2R;
    const bool in_piece = line->loads && ndft_stockham_is_whole(line, p, &p->in, prec);
    const bool out_piece = line->stores && ndft_stockham_is_whole(line, p, &p->out, prec);
    const bool in = is_short || from || line->in_whole, out = is_short || to || line->out_whole;
    line->in_whole = in_piece && (in || !line->halved) && (from || to || is_short);
    line->out_whole = out_piece && (out || !line->halved) && (from || to || is_short);
    line->spectra = to && line->halved && line->loads &&
                    (line->in_whole || line->per <= 8 || line->length <= 32);
    line->bulk &= line->out_whole;
    line->in_numbers = line->halved && !line->spectra ? line->length : (int)p->in.count;
    line->out_numbers =
        line->halved && !(from && line->out_whole) ? line->length : (int)p->out.count;
}
