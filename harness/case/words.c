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

/* Bytes of the UTF-8 character at text that may be shown as it is; 0: none. */
static int printable(const unsigned char *text)
{
    static const struct {
        unsigned char mask, lead;
        int length;
    } forms[] = {{0xe0, 0xc0, 2}, {0xf0, 0xe0, 3}, {0xf8, 0xf0, 4}};
    if (*text < 0x80) return *text >= 0x20 && *text != 0x7f;
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        if ((*text & forms[i].mask) != forms[i].lead) continue;
        for (int c = 1; c < forms[i].length; c++)
            if ((text[c] & 0xc0) != 0x80) return 0;
        bool control = *text == 0xc2 && text[1] < 0xa0; /* U+0080 to U+009F */
        return control ? 0 : forms[i].length;
    }
    return 0;
}

bool ndft_is_plain(const char *text)
{
    int length = 1;
    for (const unsigned char *at = (const unsigned char *)text; *at && length; at += length)
        length = strchr(" \t\r\n", *at) ? 1 : printable(at);
    return length != 0;
}

void ndft_print_plain(FILE *out, const char *text)
{
    for (const unsigned char *at = (const unsigned char *)text; *at;) {
        int length = printable(at);
        if (length)
            fwrite(at, 1, (size_t)length, out);
        else if (*at == '\n' || *at == '\t')
            fputs(*at == '\n' ? "\\n" : "\\t", out);
        else
            fprintf(out, "\\x%02x", *at);
        at += length ? length : 1;
    }
}
