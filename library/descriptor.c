/* SPDX-License-Identifier: Apache-2.0 */
#include "descriptor.h"

#include "base/text.h"
#include "base/words.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A text being read. */
typedef struct reader {
    const char *text, *at;
    ndft_error *err;
} reader;

/* The text, the character in question, counted from 1, and the reason. */
static ndft_status __attribute__((format(printf, 3, 4)))
wrong(const reader *r, const char *at, const char *format, ...)
{
    char reason[256];
    va_list args;
    va_start(args, format);
    vsnprintf(reason, sizeof reason, format, args);
    va_end(args);
    const size_t shown = strcspn(r->text, "\n");
    return ndft_fail(r->err, NDFT_EINVAL, "malformed descriptor '%.*s' at character %d: %s",
                     (int)(shown < 300 ? shown : 300), r->text, (int)(at - r->text) + 1, reason);
}

/* One letter of two. */
static ndft_status read_letter(reader *r, char first, char second, const char *what,
                               bool *is_second)
{
    if (*r->at != first && *r->at != second) return wrong(r, r->at, "expected %s", what);
    *is_second = *r->at++ == second;
    return NDFT_OK;
}

/* A whole number of at least 1. */
static ndft_status read_number(reader *r, int64_t most, const char *what, int64_t *number)
{
    const char *start = r->at;
    char digits[24];
    uint64_t value = 0;
    size_t length = strspn(start, "0123456789");
    if (!length) return wrong(r, start, "expected %s, a whole number", what);
    size_t zeros = strspn(start, "0");
    if (zeros == length) zeros--;
    snprintf(digits, sizeof digits, "%.*s", (int)(length - zeros < 23 ? length - zeros : 23),
             start + zeros);
    if (ndft_whole_parse(digits, &value) || value > (uint64_t)most)
        return wrong(r, start, "%s is at most %lld%s", what, (long long)most,
                     most == NDFT_LENGTH_MAX ? ", so that 2 N - 1 does not overflow" : "");
    if (value < 1) return wrong(r, start, "%s is at least 1", what);
    *number = (int64_t)value;
    r->at += length;
    return NDFT_OK;
}

/* [M "."] N1 ["x" N2 ["x" N3]] ["*" K] */
static ndft_status read_shape(reader *r, ndft_transform *t)
{
    const char *start = r->at;
    for (int i = 0; i < NDFT_MODES; i++) t->shape[i] = 1;
    if (start[strspn(start, "0123456789")] == '.') {
        NDFT_TRY(read_number(r, INT32_MAX, "the batch M", &t->shape[NDFT_MODE_M]));
        r->at++;
    }
    do {
        NDFT_TRY(read_number(r, NDFT_LENGTH_MAX, "a length", &t->shape[++t->dim]));
    } while (*r->at == 'x' && t->dim < 3 && r->at++);
    if (*r->at == 'x') return wrong(r, r->at, "there are at most 3 dimensions");
    if (*r->at == '*') {
        r->at++;
        NDFT_TRY(read_number(r, INT32_MAX, "the batch K", &t->shape[NDFT_MODE_K]));
    }
    int64_t size = 1;
    for (int i = 0; i < NDFT_MODES; i++) {
        if (t->shape[i] > ndft_elements_max / size)
            return wrong(r, start, "more than %lld elements", (long long)ndft_elements_max);
        size *= t->shape[i];
    }
    return NDFT_OK;
}

static int mode_of_place(const ndft_transform *t, int place)
{
    return place <= t->dim ? place : NDFT_MODE_K;
}

static ndft_status read_strides(reader *r, const ndft_transform *t, ndft_tensor *tensor)
{
    const char *start = r->at++;
    for (int place = 0; place < t->dim + 2; place++) {
        if (place && *r->at != ',')
            return wrong(r, r->at, "expected ',': %d strides, of M, N1.., K", t->dim + 2);
        r->at += place > 0;
        const char *number = r->at;
        int64_t *stride = &tensor->stride[mode_of_place(t, place)];
        NDFT_TRY(read_number(r, ndft_elements_max, "a stride", stride));
        if (place == 0 && *stride != 1)
            return wrong(r, number, "s0 is %lld, and only 1 is supported", (long long)*stride);
    }
    if (ndft_tensor_too_long(tensor))
        return wrong(r, start + 1, "these strides span more than %lld elements",
                     (long long)ndft_elements_max);
    int64_t span;
    const int mode = ndft_tensor_overlap(tensor, &span);
    if (mode < 0) return NDFT_OK;
    return wrong(r, start + 1,
                 "elements overlap: a stride of %lld is within the %lld of the others",
                 (long long)tensor->stride[mode], (long long)span);
}

static ndft_status check_place(const reader *r, const char *strides, const ndft_transform *t)
{
    char nearest[256];
    ndft_transform aligned = *t;
    if (!t->in_place || ndft_transform_aligned(t)) return NDFT_OK;
    ndft_transform_align(&aligned);
    ndft_descriptor_print(&aligned, nearest, sizeof nearest);
    return wrong(r, strides, "in place input and output must have the same size; nearest: %s",
                 nearest);
}

static ndft_status read_all(reader *r, ndft_transform *t)
{
    bool is_f64 = false, real = false, backward = false, out_of_place = false;
    NDFT_TRY(read_letter(r, 's', 'd', "the precision, s or d", &is_f64));
    NDFT_TRY(read_letter(r, 'c', 'r', "the domain, c or r", &real));
    NDFT_TRY(read_letter(r, 'f', 'b', "the direction, f or b", &backward));
    NDFT_TRY(read_letter(r, 'i', 'o', "the placement, i or o", &out_of_place));
    *t = (ndft_transform){.prec = is_f64 ? NDFT_F64 : NDFT_F32,
                          .domain = !real      ? NDFT_C2C
                                    : backward ? NDFT_C2R
                                               : NDFT_R2C,
                          .sign = backward ? 1 : -1,
                          .in_place = !out_of_place};
    NDFT_TRY(read_shape(r, t));
    ndft_transform_place(t);
    const char *strides = r->at;
    if (*r->at == 'i') NDFT_TRY(read_strides(r, t, &t->in));
    if (*r->at == 'o') NDFT_TRY(read_strides(r, t, &t->out));
    if (*r->at) return wrong(r, r->at, "expected the end");
    return check_place(r, strides, t);
}

ndft_status ndft_descriptor_parse(const char *text, ndft_transform *t, ndft_error *err)
{
    reader r = {text, text, err};
    memset(t, 0, sizeof *t);
    return read_all(&r, t);
}

static void print_strides(const ndft_transform *t, char letter, const ndft_tensor *tensor,
                          const ndft_tensor *preset, ndft_text *text)
{
    if (!memcmp(tensor->stride, preset->stride, sizeof preset->stride)) return;
    for (int place = 0; place < t->dim + 2; place++)
        ndft_text_add(text, "%c%lld", place ? ',' : letter,
                      (long long)tensor->stride[mode_of_place(t, place)]);
}

int ndft_descriptor_print(const ndft_transform *t, char *text, size_t size)
{
    ndft_text line = ndft_text_in(text, size);
    ndft_transform preset = *t;
    ndft_transform_place(&preset);
    ndft_text_add(&line, "%c%c%c%c", t->prec == NDFT_F32 ? 's' : 'd',
                  t->domain == NDFT_C2C ? 'c' : 'r', t->sign < 0 ? 'f' : 'b',
                  t->in_place ? 'i' : 'o');
    if (t->shape[NDFT_MODE_M] > 1) ndft_text_add(&line, "%lld.", (long long)t->shape[NDFT_MODE_M]);
    for (int d = 1; d <= t->dim; d++)
        ndft_text_add(&line, "%s%lld", d > 1 ? "x" : "", (long long)t->shape[d]);
    if (t->shape[NDFT_MODE_K] > 1) ndft_text_add(&line, "*%lld", (long long)t->shape[NDFT_MODE_K]);
    print_strides(t, 'i', &t->in, &preset.in, &line);
    print_strides(t, 'o', &t->out, &preset.out, &line);
    return (int)line.used;
}
