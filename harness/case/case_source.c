/* SPDX-License-Identifier: Apache-2.0 */
#include "case_keys.h"

#include "base/words.h"
#include "expand.h"
#include "units.h"

#include <stdio.h>
#include <string.h>

/* Sources: WORD or WORD:ARGUMENT, where the word's line in the table says which argument. */

static const ndft_unit hertz[] = {{"kHz", 3, true}, {"Hz", 0, true}, {0}};
static const ndft_real_range frequency = {hertz, true, 1e9, "150Hz"};
static const ndft_real_range rate = {NULL, true, 1e9, "40"}; /* 1/s */
static const ndft_unit tesla[] = {{"T", 0, true}, {"mT", -3, true}, {0}};
static const ndft_real_range flux = {tesla, false, 1e3, "0.55T"};
static const ndft_unit radians[] = {{"rad", 0, true}, {0}};
static const ndft_real_range angle = {radians, true, 1e9, "20rad"};

static bool is_word(const ndft_source_word *w, const char *text, size_t length)
{
    return strlen(w->word) == length && memcmp(w->word, text, length) == 0;
}

/* A number by itself is an argument that lacks its word. */
static ndft_status unknown_word(const ndft_key *key, const char *value, const char *const *words,
                                ndft_error *err)
{
    char given[64];
    const ndft_source_word *w = key->detail;
    while (w->word && w->argument == NDFT_TAKES_NOTHING) w++;
    if (strchr("0123456789", *value) && *value && w->word)
        return ndft_key_fail(err, key, value, "a word is missing before it, e.g. %s:%s", w->word,
                             value);
    snprintf(given, sizeof given, "%.*s", (int)strcspn(value, ":"), value);
    return ndft_key_fail(err, key, value, "unknown word; nearest: %s", ndft_nearest(given, words));
}

ndft_status ndft_source_word_parse(const ndft_key *key, const char *value,
                                   const ndft_source_word **word, ndft_error *err)
{
    const char *words[16] = {NULL};
    const size_t length = strcspn(value, ":");
    const ndft_source_word *table = key->detail;
    for (int i = 0; table[i].word; i++) {
        words[i] = table[i].word;
        *word = &table[i];
        if (is_word(&table[i], value, length)) return NDFT_OK;
    }
    return unknown_word(key, value, words, err);
}

/* S or SxP; a and b stay 0 (to be chosen by ndft_case_finish) without an argument. */
static ndft_status parse_shots(const ndft_key *key, const char *value, const char *argument,
                               bool partitions, ndft_source *source, ndft_error *err)
{
    if (!argument) return NDFT_OK;
    uint64_t s = 0, p = 1;
    int fault = ndft_sizes_count(argument) == 1 + partitions ? ndft_size_parse(&argument, &s) : -1;
    if (!fault && partitions) fault = ndft_size_parse(&argument, &p);
    if (fault < 0)
        return ndft_key_fail(err, key, value, "%s",
                             partitions ? "takes shots and partitions, e.g. sos:32x16"
                                        : "the shots are a whole number, e.g. radial:32");
    if (!s || !p) return ndft_key_fail(err, key, value, "shots must be at least 1");
    if (fault || s > INT32_MAX || p > INT32_MAX)
        return ndft_key_fail(err, key, value, "shots must be at most %d", INT32_MAX);
    source->a = (int64_t)s;
    source->b = partitions ? (int64_t)p : 0;
    return NDFT_OK;
}

/* Whether a line of a suite would take it for something else than itself. */
static bool is_expanded(const char *path)
{
    int depth = 0;
    for (const char *c = path; *c; c++) depth += (*c == '(') - (*c == ')');
    return depth || strpbrk(path, "{}") || ndft_is_range(path);
}

ndft_status ndft_path_parse(const ndft_key *key, const char *value, const char *argument,
                            size_t length, char path[NDFT_PATH_MAX], ndft_error *err)
{
    if (length >= NDFT_PATH_MAX)
        return ndft_key_fail(err, key, value, "a path has at most %d characters",
                             NDFT_PATH_MAX - 1);
    memcpy(path, argument, length);
    path[length] = '\0';
    if (is_expanded(path))
        return ndft_key_fail(err, key, value,
                             "a path holds no braces, lone parentheses, :+ or :*, which a suite "
                             "expands");
    return NDFT_OK;
}

static ndft_status parse_path(const ndft_key *key, const char *value, const char *argument,
                              ndft_source *source, ndft_error *err)
{
    if (argument && *argument)
        return ndft_path_parse(key, value, argument, strlen(argument), source->path, err);
    return ndft_key_fail(err, key, value, "a path is missing, e.g. file:map.npy");
}

/* Two paths, C:B, which stay together. */
static ndft_status parse_paths(const ndft_key *key, const char *value, const char *argument,
                               ndft_source *source, ndft_error *err)
{
    const char *colon = argument ? strchr(argument, ':') : NULL;
    if (colon && colon > argument && colon[1] && !strchr(colon + 1, ':'))
        return ndft_path_parse(key, value, argument, strlen(argument), source->path, err);
    return ndft_key_fail(err, key, value, "two paths are wanted, e.g. file:c.npy:b.npy");
}

/* L:RADIANS */
static ndft_status parse_terms(const ndft_key *key, const char *value, const char *argument,
                               ndft_source *source, ndft_error *err)
{
    const char *colon = argument ? strchr(argument, ':') : NULL;
    char digits[24];
    uint64_t terms = 0;
    if (!colon)
        return ndft_key_fail(err, key, value, "terms and radians are missing, e.g. random:4:20rad");
    snprintf(digits, sizeof digits, "%.*s", (int)(colon - argument), argument);
    const int fault = ndft_whole_parse(digits, &terms);
    if (fault || terms < 1 || terms > NDFT_HIGHER_TERMS)
        return ndft_key_fail(err, key, value, "1 to %d terms, e.g. random:4:20rad",
                             NDFT_HIGHER_TERMS);
    source->a = (int64_t)terms;
    return ndft_real_parse(key, value, colon + 1, &angle, &source->largest, err);
}

static ndft_status parse_source(const ndft_key *key, const char *value, ndft_case *c,
                                ndft_error *err)
{
    ndft_source *source = ndft_key_field(key, c);
    const char *colon = strchr(value, ':'), *argument = colon ? colon + 1 : NULL;
    const ndft_source_word *w;
    NDFT_TRY(ndft_source_word_parse(key, value, &w, err));
    source->kind = (ndft_source_kind)w->kind;
    switch (w->argument) {
    case NDFT_TAKES_SHOTS:
    case NDFT_TAKES_PARTITIONS:
        return parse_shots(key, value, argument, w->argument == NDFT_TAKES_PARTITIONS, source, err);
    case NDFT_TAKES_HERTZ:
        if (argument)
            return ndft_real_parse(key, value, argument, &frequency, &source->largest, err);
        return ndft_key_fail(err, key, value, "a frequency is missing, e.g. %s:%s", w->word,
                             frequency.example);
    case NDFT_TAKES_RATE:
        if (argument) return ndft_real_parse(key, value, argument, &rate, &source->largest, err);
        return ndft_key_fail(err, key, value, "a rate in 1/s is missing, e.g. %s:%s", w->word,
                             rate.example);
    case NDFT_TAKES_TESLA:
        if (argument) return ndft_real_parse(key, value, argument, &flux, &source->largest, err);
        return ndft_key_fail(err, key, value, "the static field is missing, e.g. %s:%s", w->word,
                             flux.example);
    case NDFT_TAKES_TERMS:
        return parse_terms(key, value, argument, source, err);
    case NDFT_TAKES_PATH:
        return parse_path(key, value, argument, source, err);
    case NDFT_TAKES_PATHS:
        return parse_paths(key, value, argument, source, err);
    case NDFT_TAKES_NOTHING:
        break;
    }
    if (!argument) return NDFT_OK;
    return ndft_key_fail(err, key, value, "%s takes nothing behind it", w->word);
}

const ndft_source_word *ndft_source_find(const ndft_key *key, int kind)
{
    const ndft_source_word *w = key->detail;
    while (w->word && w->kind != kind) w++;
    return w->word ? w : NULL;
}

static int print_source(const ndft_key *key, const ndft_case *c, char *text, size_t size)
{
    const ndft_source *source = ndft_key_value(key, c);
    const ndft_source_word *w = ndft_source_find(key, (int)source->kind);
    if (!w) return snprintf(text, size, "?");
    char number[48];
    switch (w->argument) {
    case NDFT_TAKES_SHOTS:
        return snprintf(text, size, "%s:%lld", w->word, (long long)source->a);
    case NDFT_TAKES_PARTITIONS:
        return snprintf(text, size, "%s:%lldx%lld", w->word, (long long)source->a,
                        (long long)source->b);
    case NDFT_TAKES_HERTZ:
        ndft_number_print(source->largest, frequency.units, number, sizeof number);
        return snprintf(text, size, "%s:%s", w->word, number);
    case NDFT_TAKES_RATE:
        ndft_number_print(source->largest, rate.units, number, sizeof number);
        return snprintf(text, size, "%s:%s", w->word, number);
    case NDFT_TAKES_TESLA:
        ndft_number_print(source->largest, flux.units, number, sizeof number);
        return snprintf(text, size, "%s:%s", w->word, number);
    case NDFT_TAKES_TERMS:
        ndft_number_print(source->largest, angle.units, number, sizeof number);
        return snprintf(text, size, "%s:%lld:%s", w->word, (long long)source->a, number);
    case NDFT_TAKES_PATH:
    case NDFT_TAKES_PATHS:
        return snprintf(text, size, "%s:%s", w->word, source->path);
    case NDFT_TAKES_NOTHING:
        break;
    }
    return snprintf(text, size, "%s", w->word);
}

const ndft_value_type ndft_value_source = {parse_source, print_source};
