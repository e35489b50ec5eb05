/* SPDX-License-Identifier: Apache-2.0 */
#include "words.h"

#include <string.h>

/* Words longer than this are compared by their beginning. */
enum { LONGEST = 63 };

static int least(int a, int b) { return a < b ? a : b; }

/*
 * Optimal string alignment distance: insertions, deletions, substitutions and swaps of neighbours,
 * no substring edited twice. Three rows of the table suffice.
 */
static int distance(const char *a, const char *b)
{
    int rows[3][LONGEST + 1];
    int *above2 = rows[0], *above = rows[1], *row = rows[2];
    int height = (int)strnlen(a, LONGEST), width = (int)strnlen(b, LONGEST);
    for (int j = 0; j <= width; j++) row[j] = j;
    for (int i = 1; i <= height; i++) {
        int *spare = above2;
        above2 = above;
        above = row;
        row = spare;
        row[0] = i;
        for (int j = 1; j <= width; j++) {
            row[j] = least(above[j], row[j - 1]) + 1;
            row[j] = least(row[j], above[j - 1] + (a[i - 1] != b[j - 1]));
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                row[j] = least(row[j], above2[j - 2] + 1);
        }
    }
    return row[width];
}

const char *ndft_nearest(const char *word, const char *const *words)
{
    const char *nearest = NULL;
    int nearest_distance = 0;
    for (; *words; words++) {
        int d = distance(word, *words);
        if (nearest && d >= nearest_distance) continue;
        nearest = *words;
        nearest_distance = d;
    }
    return nearest;
}
