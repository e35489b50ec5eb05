/* SPDX-License-Identifier: Apache-2.0 */
#include "range.h"

#include "expand.h"
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

ndft_status ndft_range_expand(const char *word, ndft_texts *points, ndft_error *err)
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
