/* SPDX-License-Identifier: Apache-2.0 */
#include "case.h"

#include "case_keys.h"
#include "case_uniform.h"
#include "plain.h"
#include "words.h"

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

/* One key=value; given has a bit for every key so far. */
static ndft_status parse_key(const char *word, ndft_case *c, unsigned *given, ndft_error *err)
{
    const char *equals = strchr(word, '=');
    if (!equals)
        return ndft_fail(err, NDFT_EINVAL, "%.300s: not key=value (file paths hold no spaces)",
                         word);
    const ndft_key *key = ndft_key_find(word, (size_t)(equals - word));
    if (!key) {
        char name[64];
        snprintf(name, sizeof name, "%.*s", (int)(equals - word), word);
        return ndft_fail(err, NDFT_EINVAL, "%.300s: unknown key; nearest: %s=", word,
                         ndft_key_nearest(name));
    }
    unsigned bit = 1u << (key - ndft_keys);
    if (*given & bit) return ndft_key_fail(err, key, equals + 1, "%s is given twice", key->name);
    *given |= bit;
    return key->type->parse(key, equals + 1, c, err);
}

static ndft_status parse_defaults(ndft_case *c, unsigned given, ndft_error *err)
{
    for (int i = 0; i < NDFT_KEYS; i++) {
        const ndft_key *key = &ndft_keys[i];
        if (given & 1u << i) continue;
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
        return ndft_fail(err, NDFT_EINVAL,
                         "'%.300s': a case holds neither control characters nor bytes that are no "
                         "UTF-8; rename files that do",
                         text);
    if (ndft_is_uniform(text)) return ndft_case_uniform_parse(text, c, err);
    strcpy(line, text);
    memset(c, 0, sizeof *c);
    NDFT_TRY(parse_op(strtok_r(line, blanks, &rest), c, err));
    NDFT_TRY(parse_dim(strtok_r(NULL, blanks, &rest), c, err));
    unsigned given = 0;
    for (char *word; (word = strtok_r(NULL, blanks, &rest));)
        NDFT_TRY(parse_key(word, c, &given, err));
    NDFT_TRY(parse_defaults(c, given, err));
    return ndft_case_finish(c, err);
}

int ndft_case_print(const ndft_case *c, char *text, size_t size)
{
    if (c->kind == NDFT_UNIFORM) return ndft_case_uniform_print(c, text, size);
    int length = snprintf(text, size, "%s %dd", ndft_op_name(c->op), c->dim);
    for (int i = 0; i < NDFT_KEYS; i++) {
        const ndft_key *key = &ndft_keys[i];
        if (!ndft_key_is_printed(key, c)) continue;
        char value[NDFT_PATH_MAX + 32];
        key->type->print(key, c, value, sizeof value);
        size_t used = (size_t)length < size ? (size_t)length : size;
        length +=
            snprintf(used < size ? text + used : NULL, size - used, " %s=%s", key->name, value);
    }
    return length;
}
