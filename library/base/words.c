/* SPDX-License-Identifier: Apache-2.0 */
#include "base/words.h"

#include <errno.h>
#include <stdlib.h>
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

/* The UTF-8 character at text and its bytes; 0 bytes: there is none. */
static int decode(const unsigned char *text, uint32_t *character)
{
    static const struct {
        unsigned char mask, lead;
        int length;
    } forms[] = {{0x80, 0x00, 1}, {0xe0, 0xc0, 2}, {0xf0, 0xe0, 3}, {0xf8, 0xf0, 4}};
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        if ((*text & forms[i].mask) != forms[i].lead) continue;
        *character = *text & (unsigned char)~forms[i].mask;
        for (int c = 1; c < forms[i].length; c++) {
            if ((text[c] & 0xc0) != 0x80) return 0;
            *character = *character << 6 | (text[c] & 0x3f);
        }
        return forms[i].length;
    }
    return 0;
}

/* Bytes of the character at text that may be shown as it is; 0: none. What a terminal obeys, or by
 * which it shows other text than there is, may not: control characters, those of no width, those
 * that turn the direction of writing, separators of lines, surrogates and private ones. */
static int printable(const unsigned char *text)
{
    static const struct {
        uint32_t first, last;
    } hidden[] = {{0x00, 0x1f},     {0x7f, 0x9f},     {0xad, 0xad},     {0x61c, 0x61c},
                  {0x180e, 0x180e}, {0x200b, 0x200f}, {0x2028, 0x202e}, {0x2060, 0x206f},
                  {0xd800, 0xf8ff}, {0xfeff, 0xfeff}, {0xfff0, 0xfffb}, {0xfffe, 0xffff},
                  {0xe0000, ~0u}};
    uint32_t character = 0;
    const int length = decode(text, &character);
    for (size_t i = 0; i < sizeof hidden / sizeof *hidden; i++)
        if (character >= hidden[i].first && character <= hidden[i].last) return 0;
    return length;
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

int ndft_whole_parse(const char *text, uint64_t *value)
{
    if (!*text || text[strspn(text, "0123456789")]) return -1;
    errno = 0;
    *value = strtoull(text, NULL, 10);
    return errno == ERANGE;
}
