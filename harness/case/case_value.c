/* SPDX-License-Identifier: Apache-2.0 */
#include "case_keys.h"

#include "base/words.h"
#include "units.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* The types of value that are numbers or words; sources have a file of their own. */

ndft_status ndft_key_fail(ndft_error *err, const ndft_key *key, const char *value,
                          const char *format, ...)
{
    char reason[512];
    va_list args;
    va_start(args, format);
    vsnprintf(reason, sizeof reason, format, args);
    va_end(args);
    return ndft_fail(err, NDFT_EINVAL, "%s=%.300s: %s", key->name, value, reason);
}

static ndft_status parse_whole(const ndft_key *key, const char *value, ndft_case *c,
                               ndft_error *err)
{
    const ndft_whole *range = key->detail;
    uint64_t number = 0;
    int fault = ndft_whole_parse(value, &number);
    if (fault < 0 && value[0] != '-')
        return ndft_key_fail(err, key, value, "not a whole number, which is digits only");
    if (fault < 0 || (!fault && number < range->least))
        return ndft_key_fail(err, key, value, "must be at least %llu",
                             (unsigned long long)range->least);
    if (fault || number > range->most)
        return ndft_key_fail(err, key, value, "must be at most %llu",
                             (unsigned long long)range->most);
    if (range->bytes == sizeof(int))
        *(int *)ndft_key_field(key, c) = (int)number;
    else
        *(uint64_t *)ndft_key_field(key, c) = number;
    return NDFT_OK;
}

static int print_whole(const ndft_key *key, const ndft_case *c, char *text, size_t size)
{
    const ndft_whole *range = key->detail;
    const void *field = ndft_key_value(key, c);
    uint64_t value =
        range->bytes == sizeof(int) ? (uint64_t) * (const int *)field : *(const uint64_t *)field;
    return snprintf(text, size, "%llu", (unsigned long long)value);
}

const ndft_value_type ndft_value_whole = {parse_whole, print_whole};

int ndft_sizes_count(const char *text)
{
    int count = 1;
    for (; *text; text++) count += *text == 'x';
    return count;
}

int ndft_size_parse(const char **at, uint64_t *value)
{
    char digits[24];
    const size_t length = strcspn(*at, "x");
    snprintf(digits, sizeof digits, "%.*s", length < sizeof digits ? (int)length : 23, *at);
    *at += length + ((*at)[length] == 'x');
    return ndft_whole_parse(digits, value);
}

int ndft_sizes_print(const int64_t n[3], int dim, char *text, size_t size)
{
    long long x = n[0], y = n[1], z = n[2];
    if (dim == 1) return snprintf(text, size, "%lld", x);
    if (dim == 2) return snprintf(text, size, "%lldx%lld", x, y);
    return snprintf(text, size, "%lldx%lldx%lld", x, y, z);
}

/* Reads one size of value at *at. */
static ndft_status parse_size(const ndft_key *key, const char *value, const char **at,
                              int64_t *size, ndft_error *err)
{
    uint64_t n = 0;
    int fault = ndft_size_parse(at, &n);
    if (fault < 0)
        return ndft_key_fail(err, key, value, "sizes are whole numbers joined by x, e.g. n=64x64");
    if (!fault && n < 1) return ndft_key_fail(err, key, value, "a size must be at least 1");
    if (fault || n > INT32_MAX)
        return ndft_key_fail(err, key, value, "a size must be at most %d", INT32_MAX);
    *size = (int64_t)n;
    return NDFT_OK;
}

static ndft_status parse_sizes(const ndft_key *key, const char *value, ndft_case *c,
                               ndft_error *err)
{
    static const char *const examples[] = {"64", "64x64", "64x64x64"};
    const int count = ndft_sizes_count(value);
    int64_t *n = ndft_key_field(key, c);
    for (int d = 0; d < 3; d++) n[d] = 1;
    const char *at = value;
    for (int d = 0; d < count && d < 3; d++) NDFT_TRY(parse_size(key, value, &at, &n[d], err));
    if (count != c->dim)
        return ndft_key_fail(err, key, value, "%dd takes %d size%s, e.g. %s=%s", c->dim, c->dim,
                             c->dim > 1 ? "s" : "", key->name, examples[c->dim - 1]);
    if (n[0] * n[1] > INT32_MAX || n[0] * n[1] * n[2] > INT32_MAX)
        return ndft_key_fail(err, key, value, "a grid holds at most %d voxels", INT32_MAX);
    return NDFT_OK;
}

static int print_sizes(const ndft_key *key, const ndft_case *c, char *text, size_t size)
{
    return ndft_sizes_print(ndft_key_value(key, c), c->dim, text, size);
}

const ndft_value_type ndft_value_sizes = {parse_sizes, print_sizes};

static ndft_status parse_box(const ndft_key *key, const char *value, ndft_case *c, ndft_error *err)
{
    int64_t *n = ndft_key_field(key, c);
    for (int d = 0; d < 3; d++) n[d] = 0;
    return strcmp(value, "same") ? parse_sizes(key, value, c, err) : NDFT_OK;
}

const ndft_value_type ndft_value_box = {parse_box, print_sizes};

/* The names of units, for messages. */
static const char *nearest_unit(const char *number, const ndft_unit *units)
{
    const char *names[8] = {NULL};
    for (int i = 0; units[i].name; i++) names[i] = units[i].name;
    return ndft_nearest(number + ndft_number_length(number), names);
}

ndft_status ndft_real_parse(const ndft_key *key, const char *value, const char *number,
                            const ndft_real_range *range, double *result, ndft_error *err)
{
    switch (ndft_number_parse(number, range->units, result)) {
    case NDFT_NUMBER_OK:
        break;
    case NDFT_NUMBER_SYNTAX:
        return ndft_key_fail(err, key, value, "not a number, e.g. %s", range->example);
    case NDFT_NUMBER_UNIT:
        return ndft_key_fail(err, key, value, "unknown unit; nearest: %s",
                             nearest_unit(number, range->units));
    case NDFT_NUMBER_UNITLESS:
        return ndft_key_fail(err, key, value, "a unit is missing, e.g. %s", range->example);
    case NDFT_NUMBER_RANGE:
        return ndft_key_fail(err, key, value, "too large, e.g. %s", range->example);
    }
    char most[48];
    ndft_number_print(range->most, range->units, most, sizeof most);
    if (*result < 0) return ndft_key_fail(err, key, value, "must not be negative");
    if (*result == 0 && !range->zero) return ndft_key_fail(err, key, value, "must be above 0");
    if (*result > range->most) return ndft_key_fail(err, key, value, "must be at most %s", most);
    *result += 0.0; /* -0 becomes 0 */
    return NDFT_OK;
}

static ndft_status parse_real(const ndft_key *key, const char *value, ndft_case *c, ndft_error *err)
{
    return ndft_real_parse(key, value, value, key->detail, ndft_key_field(key, c), err);
}

static int print_real(const ndft_key *key, const ndft_case *c, char *text, size_t size)
{
    const ndft_real_range *range = key->detail;
    return ndft_number_print(*(const double *)ndft_key_value(key, c), range->units, text, size);
}

const ndft_value_type ndft_value_real = {parse_real, print_real};

static ndft_status parse_word(const ndft_key *key, const char *value, ndft_case *c, ndft_error *err)
{
    const char *const *words = key->detail;
    for (int i = 0; words[i]; i++) {
        if (strcmp(words[i], value) != 0) continue;
        *(int *)ndft_key_field(key, c) = i;
        return NDFT_OK;
    }
    return ndft_key_fail(err, key, value, "unknown word; nearest: %s", ndft_nearest(value, words));
}

static int print_word(const ndft_key *key, const ndft_case *c, char *text, size_t size)
{
    const char *const *words = key->detail;
    return snprintf(text, size, "%s", words[*(const int *)ndft_key_value(key, c)]);
}

const ndft_value_type ndft_value_word = {parse_word, print_word};
