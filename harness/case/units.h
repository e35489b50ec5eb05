/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_UNITS_H
#define NDFT_UNITS_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Decimal numbers and quantities with units. Units are powers of ten of the SI unit, so that text
 * is read by moving the decimal exponent before the one correctly rounded conversion: 25ms and
 * 0.025s are the same double. Printing takes the fewest digits that read back as the same double.
 */
typedef struct ndft_unit {
    const char *name;
    int power;    /* one of it is 10^power SI units */
    bool printed; /* may be chosen when printing; others are only read */
} ndft_unit;

typedef enum ndft_number_fault {
    NDFT_NUMBER_OK,
    NDFT_NUMBER_SYNTAX,   /* not a decimal number */
    NDFT_NUMBER_UNIT,     /* a unit that is not in the list */
    NDFT_NUMBER_UNITLESS, /* a unit is wanted; only 0 may go without */
    NDFT_NUMBER_RANGE,    /* beyond the range of a double */
} ndft_number_fault;

/* The length of the decimal number that text begins with (sign, digits, point, exponent); 0 if it
 * begins with none. Never hexadecimal, inf or nan. */
size_t ndft_number_length(const char *text);

/* units: ends with a NULL name; largest first. NULL: a plain number. value is in SI units. */
ndft_number_fault ndft_number_parse(const char *text, const ndft_unit *units, double *value);

/* The inverse, bit for bit: in the largest printed unit of which there is at least one. Returns the
 * length as snprintf does. */
int ndft_number_print(double value, const ndft_unit *units, char *text, size_t size);

#endif
