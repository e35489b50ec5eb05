/* SPDX-License-Identifier: Apache-2.0 */
#include "case_start.h"

#include "base/words.h"
#include "case_keys.h"
#include "descriptor.h"

#include <stdio.h>
#include <string.h>

const char ndft_blanks[] = " \t\r\n";

/* In the order of the bits of ndft_op. */
static const char *const operations[] = {"forward", "adjoint", "normal", NULL};

const char *ndft_op_name(ndft_op op)
{
    for (int i = 0; operations[i]; i++)
        if (op == 1u << i) return operations[i];
    return "?";
}

static ndft_status parse_op(const char *word, ndft_case *c, ndft_error *err)
{
    if (!word) return ndft_fail(err, NDFT_EINVAL, "an empty case; e.g. forward 2d n=64x64 m=4096");
    for (int i = 0; operations[i]; i++) {
        if (strcmp(operations[i], word) != 0) continue;
        c->op = (ndft_op)(1 << i);
        return NDFT_OK;
    }
    return ndft_fail(err, NDFT_EINVAL, "%.300s: unknown operation; nearest: %s", word,
                     ndft_nearest(word, operations));
}

static ndft_status parse_dim(const char *word, ndft_case *c, ndft_error *err)
{
    static const char *const names[] = {"1d", "2d", "3d", NULL};
    for (int d = 0; word && names[d]; d++) {
        if (strcmp(names[d], word) != 0) continue;
        c->dim = d + 1;
        return NDFT_OK;
    }
    if (!word || strchr(word, '='))
        return ndft_fail(err, NDFT_EINVAL, "%s: the dimension 1d, 2d or 3d is missing behind it",
                         ndft_op_name(c->op));
    return ndft_fail(err, NDFT_EINVAL, "%.300s: unknown dimension; nearest: %s", word,
                     ndft_nearest(word, names));
}

/* All else of a uniform case follows from its descriptor: the operation is forward, n the lengths,
 * m the transforms of the batch. */
static ndft_status parse_uniform(const char *text, ndft_case *c, ndft_error *err)
{
    const ndft_transform *t = &c->transform;
    NDFT_TRY(ndft_descriptor_parse(text, &c->transform, err));
    c->op = NDFT_FORWARD;
    c->coils = 1;
    c->dim = t->dim;
    c->prec = t->prec;
    for (int d = 0; d < 3; d++) c->n[d] = t->shape[NDFT_MODE_N + d];
    c->m = ndft_transform_batch(t);
    return NDFT_OK;
}

static void print_uniform(const ndft_case *c, ndft_text *line)
{
    char descriptor[NDFT_CASE_MAX];
    ndft_descriptor_print(&c->transform, descriptor, sizeof descriptor);
    ndft_text_add(line, "%s", descriptor);
}

/* A descriptor being read. */
typedef struct reader {
    const char *text, *at;
    ndft_error *err;
} reader;

static ndft_status wrong(const reader *r, const char *at, const char *reason)
{
    return ndft_fail(r->err, NDFT_EINVAL, "malformed descriptor '%.300s' at character %d: %s",
                     r->text, (int)(at - r->text) + 1, reason);
}

static const char precisions[] = {[NDFT_F32] = 's', [NDFT_F64] = 'd', 0};
static const char directions[] = "fan"; /* in the order of the bits of ndft_op */

/* Which of the letters comes next. */
static ndft_status read_letter(reader *r, const char *letters, const char *reason, int *which)
{
    const char *found = *r->at ? strchr(letters, *r->at) : NULL;
    if (!found) return wrong(r, r->at, reason);
    *which = (int)(found - letters);
    r->at++;
    return NDFT_OK;
}

/* A whole number of 1 to most, up to the letter x or *, or the end. */
static ndft_status read_number(reader *r, uint64_t most, const char *reason, int64_t *number)
{
    const char *start = r->at;
    char digits[24];
    uint64_t value = 0;
    const size_t length = strcspn(start, "x*");
    snprintf(digits, sizeof digits, "%.*s", length < sizeof digits ? (int)length : 23, start);
    if (ndft_whole_parse(digits, &value) || value < 1 || value > most)
        return wrong(r, start, reason);
    *number = (int64_t)value;
    r->at += length;
    return NDFT_OK;
}

/* N1 ["x" N2 ["x" N3]] ["*" batch] */
static ndft_status read_shape(reader *r, ndft_case *c)
{
    int64_t batch = 1;
    for (int d = 0; d < 3; d++) c->n[d] = 1;
    do {
        NDFT_TRY(read_number(r, INT32_MAX, "expected a length, 1 to 2147483647", &c->n[c->dim++]));
    } while (*r->at == 'x' && c->dim < 3 && r->at++);
    if (*r->at == 'x') return wrong(r, r->at, "there are at most 3 dimensions");
    if (*r->at == '*') {
        r->at++;
        NDFT_TRY(read_number(r, NDFT_MAX_COILS, "expected the batch, 1 to 256", &batch));
    }
    c->coils = (int)batch;
    return *r->at ? wrong(r, r->at, "expected the end") : NDFT_OK;
}

static ndft_status parse_convolution(const char *text, ndft_case *c, ndft_error *err)
{
    reader r = {text, text, err};
    int prec = 0, op = 0;
    NDFT_TRY(read_letter(&r, precisions, "expected 's' (f32) or 'd' (f64)", &prec));
    NDFT_TRY(
        read_letter(&r, directions, "expected 'f' (forward), 'a' (adjoint) or 'n' (normal)", &op));
    c->prec = (ndft_prec)prec;
    c->op = (ndft_op)(1 << op);
    return read_shape(&r, c);
}

static ndft_status parse_chirpz(const char *text, ndft_case *c, ndft_error *err)
{
    reader r = {text, text, err};
    int prec = 0;
    NDFT_TRY(read_letter(&r, precisions, "expected 's' (f32) or 'd' (f64)", &prec));
    c->prec = (ndft_prec)prec;
    c->op = NDFT_FORWARD;
    NDFT_TRY(read_shape(&r, c));
    return c->dim == 1 ? NDFT_OK
                       : wrong(&r, strchr(text, 'x'), "a chirp z-transform has one dimension");
}

static void print_shape(const ndft_case *c, ndft_text *line)
{
    char sizes[80];
    ndft_sizes_print(c->n, c->dim, sizes, sizeof sizes);
    ndft_text_add(line, "%s", sizes);
    if (c->coils > 1) ndft_text_add(line, "*%d", c->coils);
}

static void print_convolution(const ndft_case *c, ndft_text *line)
{
    ndft_text_add(line, "%c%c", precisions[c->prec], directions[c->op >> 1]);
    print_shape(c, line);
}

static void print_chirpz(const ndft_case *c, ndft_text *line)
{
    ndft_text_add(line, "%c", precisions[c->prec]);
    print_shape(c, line);
}

/* Kinds whose first word is WORD:DESCRIPTOR. */
static const struct start {
    const char *word;
    ndft_kind_of_problem kind;
    ndft_status (*parse)(const char *descriptor, ndft_case *, ndft_error *);
    void (*print)(const ndft_case *, ndft_text *);
} starts[] = {
    {"uniform", NDFT_UNIFORM, parse_uniform, print_uniform},
    {"convolve", NDFT_CONVOLUTION, parse_convolution, print_convolution},
    {"chirpz", NDFT_CHIRPZ, parse_chirpz, print_chirpz},
};

enum { STARTS = sizeof starts / sizeof *starts };

/* NULL: of a nonuniform case. */
static const struct start *start_of(const char *word)
{
    for (int i = 0; word && i < STARTS; i++) {
        const size_t length = strlen(starts[i].word);
        if (!strncmp(word, starts[i].word, length) && word[length] == ':') return &starts[i];
    }
    return NULL;
}

static const struct start *start_of_kind(ndft_kind_of_problem kind)
{
    for (int i = 0; i < STARTS; i++)
        if (starts[i].kind == kind) return &starts[i];
    return NULL;
}

const char *ndft_start_word(ndft_kind_of_problem kind)
{
    const struct start *start = start_of_kind(kind);
    return start ? start->word : NULL;
}

ndft_status ndft_start_parse(char *line, char **rest, ndft_case *c, ndft_error *err)
{
    const char *word = strtok_r(line, ndft_blanks, rest);
    const struct start *start = start_of(word);
    if (!start) {
        c->kind = NDFT_NONUNIFORM;
        NDFT_TRY(parse_op(word, c, err));
        return parse_dim(strtok_r(NULL, ndft_blanks, rest), c, err);
    }
    c->kind = start->kind;
    c->traj = (ndft_source){.kind = NDFT_SOURCE_RANDOM, .a = 1};
    return start->parse(word + strlen(start->word) + 1, c, err);
}

void ndft_start_print(const ndft_case *c, ndft_text *line)
{
    const struct start *start = start_of_kind(c->kind);
    if (!start) {
        ndft_text_add(line, "%s %dd", ndft_op_name(c->op), c->dim);
        return;
    }
    ndft_text_add(line, "%s:", start->word);
    start->print(c, line);
}
