/* SPDX-License-Identifier: Apache-2.0 */
#include "text.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

ndft_text ndft_text_in(char *at, size_t size)
{
    if (size) *at = 0;
    ndft_text text = {.size = size};
    text.at = at;
    return text;
}

void ndft_text_add(ndft_text *text, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    const size_t used = text->used < text->size ? text->used : text->size;
    text->used += (size_t)vsnprintf(used < text->size ? text->at + used : NULL, text->size - used,
                                    format, values);
    va_end(values);
}

void ndft_text_add_number(ndft_text *text, double value)
{
    char number[32];
    snprintf(number, sizeof number, isnan(value) ? "null" : "%.4g", value);
    for (char *comma = number; (comma = strchr(comma, ','));) *comma = '.';
    ndft_text_add(text, "%s", number);
}
