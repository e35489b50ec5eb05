/* SPDX-License-Identifier: Apache-2.0 */
#include "stockham_line.h"

#include <limits.h>

/* Where cells lie in shared memory, so that few threads meet in a bank. */

enum { WARP = 32, SECTOR = 4 };

static int most_of(int a, int b) { return a > b ? a : b; }

/* Threads that read at the same time from 128 bytes. */
static int lanes_of(ndft_prec prec) { return prec == NDFT_F32 ? 16 : 8; }

/* How often threads meet in a bank, of those that write what pass p - 1 has, and read for pass p;
 * p 0: that read and p passes: that write lines of so many numbers. */
static int meeting(const ndft_stockham_line *line, int lanes, int pass, int done, int block,
                   int row)
{
    const int apart = ndft_stockham_shares(line, pass) * line->wide;
    int sum = 0;
    for (int i = 0; i < 4 * WARP; i += lanes) {
        int count[16] = {0}, most = 0;
        for (int k = i; k < i + lanes; k++) {
            const int t = k % apart, at = k / apart * row + t / done * block + t % done;
            most = most_of(most, ++count[at % lanes]);
        }
        sum += most;
    }
    return sum;
}

/* Places between two passes: numbers are skipped after each block of what is done and each row. */
static void set_places(ndft_stockham_line *line, int lanes, int pass, int done)
{
    const int cells = line->length * line->wide, radix = ndft_stockham_kept(line, pass - 1);
    int least = INT_MAX;
    for (int skipped = 0; skipped < lanes * lanes; skipped++) {
        const int block = done + skipped % lanes, row = cells / done * block + skipped / lanes;
        const int met = meeting(line, lanes, pass - 1, done / radix, block, row) +
                        meeting(line, lanes, pass, done, block, row);
        if (met >= least) continue;
        least = met;
        line->block[pass] = block;
        line->row[pass] = row;
    }
}

/* Lines of one piece begin with 16 bytes, or follow each other. */
static int pitch_of(const ndft_stockham_line *line, int lanes, int pass, bool whole, int numbers)
{
    const int apart = line->length / ndft_stockham_kept(line, pass);
    const int unit = whole ? lanes / 8 : 1, most = numbers % unit ? 1 : lanes;
    int least = INT_MAX, best = numbers;
    for (int pitch = numbers; pitch < numbers + most; pitch += unit) {
        const int met = meeting(line, lanes, pass, apart, apart, pitch);
        if (met >= least) continue;
        least = met;
        best = pitch;
    }
    return best;
}

/* Of so many numbers that begin anywhere in a sector. */
static int cells_of(int numbers, int sector) { return (numbers / sector + 2) * SECTOR; }

void ndft_stockham_set_rooms(ndft_stockham_line *line, ndft_prec prec)
{
    const int lanes = lanes_of(prec);
    const int last = line->shape.passes - 1;
    int done = line->wide, rows = line->per / line->wide;
    line->in_pitch = line->loads ? pitch_of(line, lanes, 0, line->in_whole, line->in_numbers) : 0;
    line->out_pitch =
        line->stores ? pitch_of(line, lanes, last, line->out_whole, line->out_numbers) : 0;
    if (line->bulk || line->sectors) line->out_pitch = line->out_numbers;
    const int out = line->per * line->out_pitch, numbers = line->sectors;
    line->room = most_of(line->per * line->in_pitch, numbers ? cells_of(out, numbers) : out);
    for (int i = 1; i <= last; i++) {
        done *= ndft_stockham_kept(line, i - 1);
        set_places(line, lanes, i, done);
        line->room = most_of(line->room, rows * line->row[i]);
        line->turns[i] = line->table;
        line->table += done / line->wide * (line->shape.radix[i] - 1);
    }
}
