/* SPDX-License-Identifier: Apache-2.0 */
#include "stockham_split.h"

#include "stockham_line.h"

/* Parts of sectors that lines beside each other begin in. */
static int parts_of_sectors(int64_t apart) { return apart % 4 == 0 ? 0 : apart % 2 == 0 ? 1 : 2; }

/* How much slower passes of `column` numbers and then of `row` are than others: columns are read
 * `row` numbers apart, rows are read and stored `column` numbers apart. */
static int64_t weight(int64_t column, int64_t row)
{
    enum { BESIDE_PASSES = 4, WHOLE = 8 };
    const int passes =
        ndft_stockham_shape_of(column, 16).passes + ndft_stockham_shape_of(row, 16).passes;
    const int parts = 2 * parts_of_sectors(column) + parts_of_sectors(row);
    return (column + row) * (BESIDE_PASSES + passes) * (WHOLE + parts);
}

/* Numbers of a column; 0: there is no such matrix. */
static int64_t column_of(int64_t length)
{
    enum { LONGEST = 4096 };
    int64_t best = 0;
    for (int64_t a = 2; a <= LONGEST; a++) {
        if (length % a || length / a > LONGEST) continue;
        if (!ndft_stockham_shape_of(a, 16).passes) continue;
        if (!ndft_stockham_shape_of(length / a, 16).passes) continue;
        if (!best || weight(a, length / a) < weight(best, length / best)) best = a;
    }
    return best;
}

/* Whether a line is better off in two kernels though one would do: its one block takes longer than
 * a launch where few others are beside it. */
static bool is_alone(const ndft_pass *whole, ndft_prec prec)
{
    enum { LONG = 32000, FEW = 8, LONGER = 60000, MORE = 32 }; /* bytes, lines */
    const int64_t bytes = whole->length * 2 * (int64_t)ndft_real_size(prec);
    return whole->lines <= (bytes >= LONGER ? MORE : bytes >= LONG ? FEW : 0);
}

/* The same lines in parts of `length` numbers, of which one is `parts` lines now. */
static ndft_pass parts_of(const ndft_pass *whole, int64_t length)
{
    ndft_pass p = *whole;
    const int64_t parts = whole->length / length;
    p.length = p.in.count = p.out.count = length;
    p.lines = whole->lines * parts;
    p.modes = whole->modes + 1;
    p.shape[0] = parts;
    for (int i = 0; i < whole->modes; i++) {
        p.shape[i + 1] = whole->shape[i];
        p.in.step[i + 1] = whole->in.step[i];
        p.out.step[i + 1] = whole->out.step[i];
    }
    return p;
}

/* Lines of a side that lie one after the other, `whole` numbers each. */
static void pack(ndft_pass *p, ndft_line_side *side, int64_t whole)
{
    for (int i = 1; i < p->modes; i++) {
        side->step[i] = whole;
        whole *= p->shape[i];
    }
}

ndft_axes ndft_stockham_axes_of(const ndft_transform *t, int64_t *split)
{
    ndft_axes axes = ndft_axes_of(t, true);
    const ndft_pass whole = axes.pass[0];
    const bool served = t->dim == 1 && t->domain == NDFT_C2C && !t->load && !t->store &&
                        (ndft_stockham_passes(&whole, t->prec) == 0 || is_alone(&whole, t->prec));
    const int64_t column = served ? column_of(whole.length) : 0;
    *split = column > 0 ? whole.length : 0;
    if (!*split) return axes;
    const int64_t row = whole.length / column;
    ndft_pass columns = parts_of(&whole, column), rows = parts_of(&whole, row);
    columns.in.stride *= row;
    columns.in.step[0] = whole.in.stride;
    columns.out.stride = 1;
    columns.out.step[0] = column;
    rows.in.stride = column;
    rows.in.step[0] = 1;
    rows.out.stride *= column;
    rows.out.step[0] = whole.out.stride;
    pack(&columns, &columns.out, whole.length);
    pack(&rows, &rows.in, whole.length);
    columns.to = rows.from = NDFT_AXES_WORK;
    columns.from = NDFT_AXES_IN;
    rows.to = NDFT_AXES_OUT;
    return (ndft_axes){.passes = 2, .pass = {columns, rows}, .room = {whole.length * whole.lines}};
}
