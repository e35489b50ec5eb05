/* SPDX-License-Identifier: Apache-2.0 */
#include "units.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* More digits than this are refused rather than rounded. */
enum { MANTISSA_MAX = 128 };

static size_t digits(const char *text) { return strspn(text, "0123456789"); }

/* Sign, digits and point; 0 without a digit. */
static size_t mantissa_length(const char *text)
{
    size_t sign = *text == '-' || *text == '+';
    size_t whole = digits(text + sign), length = sign + whole, fraction = 0;
    if (text[length] == '.') {
        fraction = digits(text + length + 1);
        length += 1 + fraction;
    }
    return whole + fraction ? length : 0;
}

size_t ndft_number_length(const char *text)
{
    size_t length = mantissa_length(text);
    if (!length || tolower((unsigned char)text[length]) != 'e') return length;
    size_t sign = text[length + 1] == '-' || text[length + 1] == '+';
    size_t exponent = digits(text + length + 1 + sign);
    return exponent ? length + 1 + sign + exponent : length;
}

static const ndft_unit *find(const ndft_unit *units, const char *name)
{
    while (units->name && strcmp(units->name, name) != 0) units++;
    return units->name ? units : NULL;
}

static long clamped_exponent(const char *text)
{
    long exponent = strtol(text, NULL, 10);
    return exponent < -9999 ? -9999 : exponent > 9999 ? 9999 : exponent;
}

ndft_number_fault ndft_number_parse(const char *text, const ndft_unit *units, double *value)
{
    size_t mantissa = mantissa_length(text), length = ndft_number_length(text);
    if (!length || mantissa > MANTISSA_MAX) return NDFT_NUMBER_SYNTAX;
    long exponent = length > mantissa ? clamped_exponent(text + mantissa + 1) : 0;
    const ndft_unit *unit = NULL;
    if (text[length]) {
        if (!units) return NDFT_NUMBER_SYNTAX;
        unit = find(units, text + length);
        if (!unit) return NDFT_NUMBER_UNIT;
        exponent += unit->power;
    }
    char scaled[MANTISSA_MAX + 16];
    snprintf(scaled, sizeof scaled, "%.*se%ld", (int)mantissa, text, exponent);
    *value = strtod(scaled, NULL);
    if (!isfinite(*value)) return NDFT_NUMBER_RANGE;
    return units && !unit && *value != 0 ? NDFT_NUMBER_UNITLESS : NDFT_NUMBER_OK;
}

/* A finite positive value as its significant digits d (no trailing zeros) and the power of ten of
 * the first: value = d[0].d[1]d[2]... x 10^exponent. */
typedef struct decimal {
    char digits[24];
    int count, exponent;
} decimal;

static decimal shortest(double value)
{
    char text[40];
    for (int precision = 14; precision <= 16; precision++) {
        snprintf(text, sizeof text, "%.*e", precision, value);
        if (strtod(text, NULL) == value) break;
    }
    decimal d = {.count = 0, .exponent = (int)strtol(strchr(text, 'e') + 1, NULL, 10)};
    for (const char *c = text; *c != 'e'; c++)
        if (*c != '.') d.digits[d.count++] = *c;
    while (d.count > 1 && d.digits[d.count - 1] == '0') d.count--;
    return d;
}

/* Plain between 0.001 and 10^7, else scientific. */
static int print_decimal(decimal d, const char *unit, char *text, size_t size)
{
    int whole = d.exponent + 1, known = whole < d.count ? whole : d.count;
    if (d.exponent < -3 || d.exponent > 6)
        return snprintf(text, size, "%c%s%.*se%d%s", d.digits[0], d.count > 1 ? "." : "",
                        d.count - 1, d.digits + 1, d.exponent, unit);
    if (whole <= 0)
        return snprintf(text, size, "0.%.*s%.*s%s", -whole, "000", d.count, d.digits, unit);
    return snprintf(text, size, "%.*s%.*s%s%.*s%s", known, d.digits, whole - known, "000000",
                    d.count > whole ? "." : "", d.count - known, d.digits + known, unit);
}

int ndft_number_print(double value, const ndft_unit *units, char *text, size_t size)
{
    if (value == 0) return snprintf(text, size, "0");
    decimal d = shortest(value);
    const ndft_unit *unit = NULL;
    for (; units && units->name; units++) {
        if (!units->printed) continue;
        unit = units;
        if (d.exponent >= unit->power) break;
    }
    if (!unit) return print_decimal(d, "", text, size);
    d.exponent -= unit->power;
    return print_decimal(d, unit->name, text, size);
}
