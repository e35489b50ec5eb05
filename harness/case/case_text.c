/* SPDX-License-Identifier: Apache-2.0 */
#include "case.h"

#include "base/text.h"
#include "base/words.h"
#include "case_keys.h"
#include "case_start.h"

#include <stdio.h>
#include <string.h>

/* "load=, store=, ... and seed=" */
static void list_keys(ndft_kind_of_problem kind, ndft_text *list)
{
    for (const ndft_key *key = NULL, *next; (key = ndft_key_next(kind, key));) {
        next = ndft_key_next(kind, key);
        ndft_text_add(list, "%s%s=", !list->used ? "" : next ? ", " : " and ", key->name);
    }
}

static ndft_status unknown_key(const char *word, ndft_kind_of_problem kind, ndft_error *err)
{
    char name[64], keys[256];
    const bool pair = strchr(word, '=');
    ndft_text list = ndft_text_in(keys, sizeof keys);
    snprintf(name, sizeof name, "%.*s", (int)strcspn(word, "="), word);
    const char *nearest = ndft_key_nearest(kind, name);
    list_keys(kind, &list);
    if (kind != NDFT_NONUNIFORM)
        return ndft_fail(err, NDFT_EINVAL,
                         "%.300s: a %s case has its descriptor and the keys %s; nearest: %s=", word,
                         ndft_start_word(kind), keys, nearest);
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
    NDFT_TRY(ndft_start_parse(line, &rest, c, err));
    unsigned given = 0;
    for (const char *word; (word = strtok_r(NULL, ndft_blanks, &rest));)
        NDFT_TRY(parse_key(word, c, &given, err));
    NDFT_TRY(parse_defaults(c, given, err));
    return ndft_case_finish(c, err);
}

/* The line with the keys that this one wants. */
static int print_line(const ndft_case *c, bool (*wants)(const ndft_key *, const ndft_case *),
                      char *text, size_t size)
{
    char value[NDFT_CASE_MAX];
    ndft_text line = ndft_text_in(text, size);
    ndft_start_print(c, &line);
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
