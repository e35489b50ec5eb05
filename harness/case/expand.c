/* SPDX-License-Identifier: Apache-2.0 */
#include "expand.h"

#include "case.h"
#include "units.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct range {
    const char *word;
    size_t prefix; /* characters of word before the first end */
    double from, to, step;
    bool geometric;
    char unit[16]; /* behind every value */
} range;

/* The last colon with a + or * behind it. */
static const char *step_colon(const char *word)
{
    const char *colon = strrchr(word, ':');
    return colon && (colon[1] == '+' || colon[1] == '*') ? colon : NULL;
}

bool ndft_is_range(const char *word) { return step_colon(word) != NULL; }

/* The start of the part that ends before end. */
static const char *part_start(const char *word, const char *end)
{
    while (end > word && end[-1] != ':' && end[-1] != '=') end--;
    return end;
}

/* A number and the unit behind it, from text to end. */
static bool parse_part(const char *text, const char *end, double *value, char unit[16])
{
    size_t number = ndft_number_length(text), length = (size_t)(end - text);
    if (!number || number > length || length - number >= 16) return false;
    char *stop;
    *value = strtod(text, &stop);
    if (stop != text + number) return false; /* hexadecimal */
    memcpy(unit, text + number, length - number);
    unit[length - number] = '\0';
    return isfinite(*value);
}

static bool parse_range(const char *word, range *r)
{
    const char *colon = step_colon(word), *end = word + strlen(word);
    const char *to = part_start(word, colon);
    if (to == word || to[-1] != ':') return false;
    const char *from = part_start(word, to - 1);
    char to_unit[16], step_unit[16];
    *r = (range){.word = word, .prefix = (size_t)(from - word), .geometric = colon[1] == '*'};
    return parse_part(from, to - 1, &r->from, r->unit) && parse_part(to, colon, &r->to, to_unit) &&
           parse_part(colon + 2, end, &r->step, step_unit) && strcmp(r->unit, to_unit) == 0 &&
           strcmp(r->geometric ? "" : r->unit, step_unit) == 0;
}

static ndft_status check_range(const range *r, ndft_error *err)
{
    if (r->from > r->to)
        return ndft_fail(err, NDFT_EINVAL, "%.300s: an empty range; it must not end before %g%s",
                         r->word, r->from, r->unit);
    if (!r->geometric && r->step <= 0)
        return ndft_fail(err, NDFT_EINVAL, "%.300s: a range without end; the step must be above 0",
                         r->word);
    if (r->geometric && (r->step <= 1 || r->from <= 0))
        return ndft_fail(err, NDFT_EINVAL,
                         "%.300s: a range without end; the factor must be above 1, the start above "
                         "0",
                         r->word);
    return NDFT_OK;
}

/* From the start to `past`. */
static double steps(const range *r, double past)
{
    return r->geometric ? (log(past) - log(r->from)) / log(r->step) : (past - r->from) / r->step;
}

static ndft_status range_expand(const char *word, ndft_texts *points, ndft_error *err)
{
    range r;
    if (!parse_range(word, &r))
        return ndft_fail(err, NDFT_EINVAL,
                         "%.300s: not a range, e.g. 32:1024:*2 or 5ms:30ms:+5ms, one unit in all",
                         word);
    NDFT_TRY(check_range(&r, err));
    double past = r.to + 1e-9 * fabs(r.to); /* rounding must not lose the end */
    if (!(steps(&r, past) < NDFT_POINTS_MAX))
        return ndft_fail(err, NDFT_EINVAL, "%.300s: more than %d points", word, NDFT_POINTS_MAX);
    for (int i = 0;; i++) {
        double value = r.geometric ? r.from * pow(r.step, i) : r.from + i * r.step;
        if (value > past) return NDFT_OK;
        NDFT_TRY(ndft_texts_format(points, err, "%.*s%.15g%s", (int)r.prefix, word, value, r.unit));
    }
}

/* The length of text up to the first of stops (or its end) outside of braces and parentheses;
 * *depth is how many are left open there. */
static size_t span(const char *text, const char *stops, int *depth)
{
    size_t length = 0;
    *depth = 0;
    for (; text[length]; length++) {
        char c = text[length];
        if (*depth == 0 && strchr(stops, c)) break;
        *depth += (c == '{' || c == '(') - (c == '}' || c == ')');
    }
    return length;
}

static const char blanks[] = " \t\r\n";

static void remove_blanks(char *text)
{
    char *end = text;
    for (; *text; text++)
        if (!strchr(blanks, *text)) *end++ = *text;
    *end = '\0';
}

ndft_status ndft_words_split(const char *line, ndft_texts *words, ndft_error *err)
{
    for (line += strspn(line, blanks); *line && *line != '#'; line += strspn(line, blanks)) {
        int depth;
        size_t length = span(line, blanks, &depth);
        if (depth)
            return ndft_fail(err, NDFT_EINVAL, "%.*s: braces or parentheses do not match",
                             (int)strcspn(line, "\r\n"), line);
        if (words->size == NDFT_WORDS_MAX)
            return ndft_fail(err, NDFT_EINVAL, "%.60s...: more than %d words in a line",
                             words->text[0], NDFT_WORDS_MAX);
        NDFT_TRY(ndft_texts_add(words, line, length, err));
        remove_blanks(words->text[words->size - 1]);
        line += length;
    }
    return NDFT_OK;
}

/* braces: how many pairs have been replaced. */
static ndft_status expand(const char *word, int braces, ndft_texts *points, ndft_error *err);

/* Expands word with its first braces, of length characters at open, replaced by one alternative. */
static ndft_status expand_alternative(const char *word, size_t open, size_t length,
                                      const char *alternative, size_t size, int braces,
                                      ndft_texts *points, ndft_error *err)
{
    ndft_texts text = {0};
    ndft_status status = ndft_texts_format(&text, err, "%.*s%.*s%s", (int)open, word, (int)size,
                                           alternative, word + open + length);
    if (status == NDFT_OK) status = expand(text.text[0], braces, points, err);
    ndft_texts_free(&text);
    return status;
}

static ndft_status expand_braces(const char *word, size_t open, int braces, ndft_texts *points,
                                 ndft_error *err)
{
    if (braces == NDFT_BRACES_MAX)
        return ndft_fail(err, NDFT_EINVAL, "%.300s: more than %d braces", word, NDFT_BRACES_MAX);
    int depth;
    size_t length = 1 + span(word + open + 1, "}", &depth) + 1;
    if (depth || word[open + length - 1] != '}')
        return ndft_fail(err, NDFT_EINVAL, "%.300s: braces do not match", word);
    for (size_t at = open + 1; at < open + length;) {
        size_t size = span(word + at, ",}", &depth);
        if (!size) return ndft_fail(err, NDFT_EINVAL, "%.300s: an empty value in braces", word);
        NDFT_TRY(expand_alternative(word, open, length, word + at, size, braces + 1, points, err));
        at += size + 1;
    }
    return NDFT_OK;
}

/* No point of an axis is longer than a case. */
static ndft_status check_length(const char *point, size_t length, ndft_error *err)
{
    if (length < NDFT_CASE_MAX) return NDFT_OK;
    return ndft_fail(err, NDFT_EINVAL, "%.60s...: longer than %d characters", point,
                     NDFT_CASE_MAX - 1);
}

static ndft_status expand(const char *word, int braces, ndft_texts *points, ndft_error *err)
{
    size_t open = strcspn(word, "{");
    if (word[open]) return expand_braces(word, open, braces, points, err);
    NDFT_TRY(check_length(word, strlen(word), err));
    if (points->size >= NDFT_POINTS_MAX)
        return ndft_fail(err, NDFT_EINVAL, "%.300s: more than %d points", word, NDFT_POINTS_MAX);
    if (ndft_is_range(word)) return range_expand(word, points, err);
    return ndft_texts_add(points, word, strlen(word), err);
}

/* Puts each value behind its point. */
static ndft_status tie(const char *word, ndft_texts *points, const ndft_texts *values,
                       ndft_error *err)
{
    if (values->size != points->size)
        return ndft_fail(err, NDFT_EINVAL, "%.300s: zip ties lists of one length, not %zu and %zu",
                         word, points->size, values->size);
    ndft_texts tied = {0};
    ndft_status status = NDFT_OK;
    for (size_t i = 0; status == NDFT_OK && i < points->size; i++) {
        const char *point = points->text[i], *value = values->text[i];
        status = check_length(point, strlen(point) + 1 + strlen(value), err);
        if (status == NDFT_OK) status = ndft_texts_format(&tied, err, "%s %s", point, value);
    }
    ndft_texts_free(points);
    *points = tied;
    return status;
}

/* One list, key=values, inside zip(...). */
static ndft_status zip_list(const char *word, const char *list, ndft_texts *points, ndft_error *err)
{
    if (strncmp(list, "zip(", 4) == 0 || !strchr(list, '='))
        return ndft_fail(err, NDFT_EINVAL,
                         "%.300s: zip ties key=values, e.g. zip(n={8,16},m={9,17})", word);
    if (!points->size) return expand(list, 0, points, err);
    ndft_texts values = {0};
    ndft_status status = expand(list, 0, &values, err);
    if (status == NDFT_OK) status = tie(word, points, &values, err);
    ndft_texts_free(&values);
    return status;
}

static ndft_status expand_zip(const char *word, ndft_texts *points, ndft_error *err)
{
    size_t end = strlen(word) - 1;
    if (word[end] != ')')
        return ndft_fail(err, NDFT_EINVAL, "%.300s: nothing may follow zip(...)", word);
    for (size_t at = strlen("zip("); at <= end;) {
        int depth;
        size_t length = span(word + at, ",)", &depth);
        ndft_texts list = {0};
        ndft_status status = ndft_texts_add(&list, word + at, length, err);
        if (status == NDFT_OK) status = zip_list(word, list.text[0], points, err);
        ndft_texts_free(&list);
        NDFT_TRY(status);
        at += length + 1;
    }
    return NDFT_OK;
}

ndft_status ndft_word_expand(const char *word, ndft_texts *points, ndft_error *err)
{
    return strncmp(word, "zip(", 4) == 0 ? expand_zip(word, points, err)
                                         : expand(word, 0, points, err);
}
