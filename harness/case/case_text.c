/* SPDX-License-Identifier: Apache-2.0 */
#include "case.h"

#include "base/text.h"
#include "base/words.h"
#include "case_keys.h"
#include "descriptor.h"

#include <stdio.h>
#include <string.h>

static const char blanks[] = " \t\r\n";

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

/* "uniform:DESCRIPTOR", the first word of a uniform case. */
static const char prefix[] = "uniform:";

static bool is_uniform(const char *text)
{
    return strncmp(text + strspn(text, blanks), prefix, sizeof prefix - 1) == 0;
}

/* All else of a uniform case follows from its descriptor: the operation is forward, n the lengths,
 * m the transforms of the batch. */
static ndft_status parse_descriptor(const char *word, ndft_case *c, ndft_error *err)
{
    const ndft_transform *t = &c->transform;
    NDFT_TRY(ndft_descriptor_parse(word + sizeof prefix - 1, &c->transform, err));
    c->op = NDFT_FORWARD;
    c->traj = (ndft_source){.kind = NDFT_SOURCE_RANDOM, .a = 1};
    c->coils = 1;
    c->dim = t->dim;
    c->prec = t->prec;
    for (int d = 0; d < 3; d++) c->n[d] = t->shape[NDFT_MODE_N + d];
    c->m = ndft_transform_batch(t);
    return NDFT_OK;
}

static ndft_status unknown_key(const char *word, ndft_kind_of_problem kind, ndft_error *err)
{
    char name[64];
    const bool pair = strchr(word, '=');
    snprintf(name, sizeof name, "%.*s", (int)strcspn(word, "="), word);
    const char *nearest = ndft_key_nearest(kind, name);
    if (kind == NDFT_UNIFORM)
        return ndft_fail(err, NDFT_EINVAL,
                         "%.300s: a uniform case has its descriptor and the keys load=, store=, "
                         "tol=, tol_kind=, data= and seed=; nearest: %s=",
                         word, nearest);
    if (pair)
        return ndft_fail(err, NDFT_EINVAL, "%.300s: unknown key; nearest: %s=", word, nearest);
    return ndft_fail(err, NDFT_EINVAL, "%.300s: not key=value (file paths hold no spaces)", word);
}

/* One key=value; given has a bit for every key so far. */
static ndft_status parse_key(const char *word, ndft_case *c, unsigned *given, ndft_error *err)
{
    const char *equals = strchr(word, '=');
    const ndft_key *key = equals ? ndft_key_of(c->kind, word, (size_t)(equals - word)) : NULL;
    if (!key) return unknown_key(word, c->kind, err);
    if (*given & ndft_key_bit(key))
        return ndft_key_fail(err, key, equals + 1, "%s is given twice", key->name);
    *given |= ndft_key_bit(key);
    return key->type->parse(key, equals + 1, c, err);
}

static ndft_status parse_defaults(ndft_case *c, unsigned given, ndft_error *err)
{
    for (const ndft_key *key = NULL; (key = ndft_key_next(c->kind, key));) {
        if (given & ndft_key_bit(key)) continue;
        if (!key->preset)
            return ndft_fail(err, NDFT_EINVAL, "%s= is missing, e.g. %s", key->name, key->example);
        NDFT_TRY(key->type->parse(key, key->preset, c, err));
    }
    return NDFT_OK;
}

ndft_status ndft_case_parse(const char *text, ndft_case *c, ndft_error *err)
{
    char line[NDFT_CASE_MAX], *rest = NULL;
    if (strlen(text) >= sizeof line)
        return ndft_fail(err, NDFT_EINVAL, "%.60s...: a case has at most %zu characters", text,
                         sizeof line - 1);
    if (!ndft_is_plain(text))
        return ndft_fail(
            err, NDFT_EINVAL,
            "'%.300s': a case holds neither control nor hidden characters, nor bytes that "
            "are no UTF-8; rename files that do",
            text);
    strcpy(line, text);
    memset(c, 0, sizeof *c);
    c->kind = is_uniform(text) ? NDFT_UNIFORM : NDFT_NONUNIFORM;
    const char *word = strtok_r(line, blanks, &rest);
    NDFT_TRY((c->kind == NDFT_UNIFORM ? parse_descriptor : parse_op)(word, c, err));
    if (c->kind == NDFT_NONUNIFORM) NDFT_TRY(parse_dim(strtok_r(NULL, blanks, &rest), c, err));
    unsigned given = 0;
    while ((word = strtok_r(NULL, blanks, &rest))) NDFT_TRY(parse_key(word, c, &given, err));
    NDFT_TRY(parse_defaults(c, given, err));
    return ndft_case_finish(c, err);
}

/* What a case begins with and cannot do without. */
static void print_start(const ndft_case *c, ndft_text *line)
{
    char descriptor[NDFT_CASE_MAX];
    if (c->kind == NDFT_NONUNIFORM) {
        ndft_text_add(line, "%s %dd", ndft_op_name(c->op), c->dim);
        return;
    }
    ndft_descriptor_print(&c->transform, descriptor, sizeof descriptor);
    ndft_text_add(line, "%s%s", prefix, descriptor);
}

/* The line with the keys that this one wants. */
static int print_line(const ndft_case *c, bool (*wants)(const ndft_key *, const ndft_case *),
                      char *text, size_t size)
{
    char value[NDFT_CASE_MAX];
    ndft_text line = ndft_text_in(text, size);
    print_start(c, &line);
    for (const ndft_key *key = NULL; (key = ndft_key_next(c->kind, key));) {
        if (!ndft_key_is_printed(key, c) || !wants(key, c)) continue;
        key->type->print(key, c, value, sizeof value);
        ndft_text_add(&line, " %s=%s", key->name, value);
    }
    return (int)line.used;
}

static bool any(const ndft_key *key, const ndft_case *c)
{
    (void)key, (void)c;
    return true;
}

static bool is_required(const ndft_key *key, const ndft_case *c)
{
    (void)c;
    return !key->preset;
}

/* Whether the case has another value than one of which only what is required was said. */
static bool is_said(const ndft_key *key, const ndft_case *c)
{
    char least[NDFT_CASE_MAX], value[NDFT_CASE_MAX], preset[NDFT_CASE_MAX];
    ndft_case plain;
    if (is_required(key, c)) return true;
    print_line(c, is_required, least, sizeof least);
    if (ndft_case_parse(least, &plain, NULL) != NDFT_OK) return true;
    key->type->print(key, c, value, sizeof value);
    key->type->print(key, &plain, preset, sizeof preset);
    return strcmp(value, preset) != 0;
}

int ndft_case_print(const ndft_case *c, char *text, size_t size)
{
    return print_line(c, any, text, size);
}

int ndft_case_label(const ndft_case *c, char *text, size_t size)
{
    return print_line(c, is_said, text, size);
}
