/* SPDX-License-Identifier: Apache-2.0 */
#include "stockham_columns.h"
#include "stockham_convolved.h"

#include <math.h>

/* The table of turns that a kernel has. */

void ndft_stockham_set_twists(ndft_stockham_line *line, int64_t whole)
{
    line->whole = (int)whole;
    line->twists = line->table;
    line->table += NDFT_STOCKHAM_LOW + (line->whole + NDFT_STOCKHAM_LOW - 1) / NDFT_STOCKHAM_LOW;
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
    enum { LOW = NDFT_STOCKHAM_LOW };
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
    if (line->convolved) ndft_stockham_filter(line, sign, table);
    if (line->prime) {
        const ndft_stockham_line columns = ndft_stockham_columns_of(line, NDFT_F32);
        ndft_stockham_turns(&columns, sign, table);
    }
    for (int k = 0; line->halved && k <= line->length; k++)
        put_turn(k, 2 * line->length, sign, table + 2 * (line->ends + k));
    for (int i = 0; line->whole && i < line->table - line->twists; i++)
        put_turn(i < LOW ? i : (i - LOW) * LOW, line->whole, sign, table + 2 * (line->twists + i));
}
