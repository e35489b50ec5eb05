/* SPDX-License-Identifier: Apache-2.0 */
#include "case_uniform.h"

#include "case_callback.h"
#include "case_keys.h"
#include "descriptor.h"
#include "words.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char prefix[] = "uniform:", blanks[] = " \t\r\n";

/* The keys beside the descriptor, in canonical order. Those before FIRST_SHARED are of uniform
 * cases alone and not printed where they say none. */
static const char *const keys[] = {"load", "store", "tol", "tol_kind", "data", "seed"};
enum { LOAD, STORE, FIRST_SHARED, KEYS = sizeof keys / sizeof *keys };

bool ndft_is_uniform(const char *text)
{
    text += strspn(text, blanks);
    return strncmp(text, prefix, sizeof prefix - 1) == 0;
}

/* value NULL: the default. */
static ndft_status parse_value(int i, const char *value, ndft_case *c, ndft_error *err)
{
    if (i < FIRST_SHARED)
        return ndft_case_callback_parse(keys[i], value ? value : "none", &c->transform,
                                        i == LOAD ? &c->load : &c->store, err);
    const ndft_key *key = ndft_key_find(keys[i], strlen(keys[i]));
    return key->type->parse(key, value ? value : key->preset, c, err);
}

static const char *nearest_key(const char *word)
{
    const char *words[KEYS + 1] = {NULL};
    char name[64];
    for (int i = 0; i < KEYS; i++) words[i] = keys[i];
    snprintf(name, sizeof name, "%.*s", (int)strcspn(word, "="), word);
    return ndft_nearest(name, words);
}

static ndft_status parse_key(const char *word, ndft_case *c, unsigned *given, ndft_error *err)
{
    const char *equals = strchr(word, '=');
    for (int i = 0; equals && i < KEYS; i++) {
        if (strlen(keys[i]) != (size_t)(equals - word) || strncmp(word, keys[i], strlen(keys[i])))
            continue;
        if (*given & 1u << i)
            return ndft_fail(err, NDFT_EINVAL, "%.300s: %s is given twice", word, keys[i]);
        *given |= 1u << i;
        return parse_value(i, equals + 1, c, err);
    }
    return ndft_fail(err, NDFT_EINVAL,
                     "%.300s: a uniform case has its descriptor and the keys load=, store=, tol=, "
                     "tol_kind=, data= and seed=; nearest: %s=",
                     word, nearest_key(word));
}

static ndft_status parse_words(char *line, ndft_case *c, ndft_error *err)
{
    char *rest = NULL;
    const char *word = strtok_r(line, blanks, &rest);
    NDFT_TRY(ndft_descriptor_parse(word + sizeof prefix - 1, &c->transform, err));
    unsigned given = 0;
    while ((word = strtok_r(NULL, blanks, &rest))) NDFT_TRY(parse_key(word, c, &given, err));
    for (int i = 0; i < KEYS; i++)
        if (!(given & 1u << i)) NDFT_TRY(parse_value(i, NULL, c, err));
    if (c->data.kind != NDFT_DATA_PHANTOM) return NDFT_OK;
    return ndft_key_fail(err, ndft_key_find("data", 4), "phantom",
                         "of uniform cases it is random or file:PATH");
}

ndft_status ndft_case_uniform_parse(const char *text, ndft_case *c, ndft_error *err)
{
    char line[NDFT_CASE_MAX];
    strcpy(line, text);
    *c = (ndft_case){.kind = NDFT_UNIFORM,
                     .op = NDFT_FORWARD,
                     .traj = {.kind = NDFT_SOURCE_RANDOM, .a = 1},
                     .data = {.kind = NDFT_SOURCE_RANDOM},
                     .coils = 1};
    NDFT_TRY(parse_words(line, c, err));
    const ndft_transform *t = &c->transform;
    c->dim = t->dim;
    c->prec = t->prec;
    for (int d = 0; d < 3; d++) c->n[d] = t->shape[NDFT_MODE_N + d];
    c->m = ndft_transform_batch(t);
    return NDFT_OK;
}

int ndft_case_uniform_print(const ndft_case *c, char *text, size_t size)
{
    char descriptor[512], load[NDFT_PATH_MAX + 128], store[NDFT_PATH_MAX + 128];
    ndft_descriptor_print(&c->transform, descriptor, sizeof descriptor);
    ndft_case_callback_print(keys[LOAD], &c->load, c->dim, load, sizeof load);
    ndft_case_callback_print(keys[STORE], &c->store, c->dim, store, sizeof store);
    int length = snprintf(text, size, "%s%s%s%s", prefix, descriptor, load, store);
    for (int i = FIRST_SHARED; i < KEYS; i++) {
        const ndft_key *key = ndft_key_find(keys[i], strlen(keys[i]));
        if (!ndft_key_is_printed(key, c)) continue;
        if (key->offset == offsetof(ndft_case, data) && c->data.kind == NDFT_SOURCE_RANDOM)
            continue;
        char value[NDFT_PATH_MAX + 32];
        key->type->print(key, c, value, sizeof value);
        const size_t used = (size_t)length < size ? (size_t)length : size;
        length += snprintf(used < size ? text + used : NULL, size - used, " %s=%s", keys[i], value);
    }
    return length;
}
