/* SPDX-License-Identifier: Apache-2.0 */
#include "base/words.h"
#include "case_keys.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

/*
 * The values of load= and store= of a uniform case; sizes x first, as many as the transform has
 * axes:
 *
 *     load=zero_pad:L1[xL2[xL3]]    what lies beyond the first L of an axis is 0 and not read
 *     store=crop:L1[xL2[xL3]]       what lies beyond the first L of an axis is not written
 *     store=deapodise:W             divided by the transform of a window W cells wide
 *     load=file:PATH:FUNCTION       the user's own: CUDA C in PATH.cu, C in the shared object
 *     store=file:PATH:FUNCTION      PATH.so
 *     load=none, store=none         the default, which is not printed
 */

enum { WIDTH_LEAST = 2, WIDTH_MOST = 16 };

const ndft_source_word ndft_load_words[] = {{.word = "zero_pad", .kind = NDFT_CALLBACK_ZERO_PAD},
                                            {.word = "file", .kind = NDFT_CALLBACK_FILE},
                                            {.word = "none", .kind = NDFT_CALLBACK_NONE},
                                            {0}};
const ndft_source_word ndft_store_words[] = {{.word = "crop", .kind = NDFT_CALLBACK_CROP},
                                             {.word = "deapodise", .kind = NDFT_CALLBACK_DEAPODISE},
                                             {.word = "file", .kind = NDFT_CALLBACK_FILE},
                                             {.word = "none", .kind = NDFT_CALLBACK_NONE},
                                             {0}};

static bool is_load(const ndft_key *key) { return key->offset == offsetof(ndft_case, load); }

/* Half a spectrum is that of a real signal with all its rows and planes, or it is none. */
static ndft_status check_mirror(const ndft_key *key, const char *value, const ndft_transform *t,
                                const int64_t keep[3], ndft_error *err)
{
    for (int d = 1; d < t->dim && t->domain == NDFT_C2R && is_load(key); d++)
        if (keep[d] < t->in.shape[NDFT_MODE_N + d])
            return ndft_key_fail(err, key, value,
                                 "a real signal's spectrum keeps all %lld of axis %d",
                                 (long long)t->in.shape[NDFT_MODE_N + d], d + 1);
    return NDFT_OK;
}

static ndft_status parse_keep(const ndft_key *key, const char *value, const char *at,
                              const ndft_transform *t, int64_t keep[3], ndft_error *err)
{
    static const char *const examples[] = {"700", "64x48", "64x48x32"};
    const int64_t *most = (is_load(key) ? &t->in : &t->out)->shape + NDFT_MODE_N;
    if (ndft_sizes_count(at) != t->dim)
        return ndft_key_fail(err, key, value, "takes %d size%s, e.g. %s", t->dim,
                             t->dim > 1 ? "s" : "", examples[t->dim - 1]);
    for (int d = 0; d < 3; d++) keep[d] = 1;
    for (int d = 0; d < t->dim; d++) {
        uint64_t number = 0;
        const int fault = ndft_size_parse(&at, &number);
        if (fault < 0)
            return ndft_key_fail(err, key, value,
                                 "sizes are whole numbers joined by x, e.g. 700x500");
        if (fault || number > (uint64_t)most[d] || number < 1)
            return ndft_key_fail(err, key, value, "of axis %d, 1 to %lld can be kept", d + 1,
                                 (long long)most[d]);
        keep[d] = (int64_t)number;
    }
    return check_mirror(key, value, t, keep, err);
}

static ndft_status parse_width(const ndft_key *key, const char *value, const char *argument,
                               int *width, ndft_error *err)
{
    uint64_t number = 0;
    if (ndft_whole_parse(argument, &number) || number < WIDTH_LEAST || number > WIDTH_MOST)
        return ndft_key_fail(err, key, value, "a window is %d to %d cells wide, e.g. deapodise:6",
                             WIDTH_LEAST, WIDTH_MOST);
    *width = (int)number;
    return NDFT_OK;
}

static bool is_identifier(const char *text)
{
    if (!isalpha((unsigned char)*text) && *text != '_') return false;
    for (; *text; text++)
        if (!isalnum((unsigned char)*text) && *text != '_') return false;
    return true;
}

static ndft_status parse_file(const ndft_key *key, const char *value, const char *argument,
                              ndft_case_callback *c, ndft_error *err)
{
    const char *colon = strrchr(argument, ':');
    if (!colon || colon == argument)
        return ndft_key_fail(err, key, value,
                             "a path without its ending and a function are missing, e.g. "
                             "file:mine/window:load_half");
    NDFT_TRY(ndft_path_parse(key, value, argument, (size_t)(colon - argument), c->path, err));
    if (!is_identifier(colon + 1) || strlen(colon + 1) >= sizeof c->function)
        return ndft_key_fail(err, key, value,
                             "the function is a name of C, of at most %zu characters",
                             sizeof c->function - 1);
    strcpy(c->function, colon + 1);
    return NDFT_OK;
}

static ndft_status parse_callback(const ndft_key *key, const char *value, ndft_case *problem,
                                  ndft_error *err)
{
    const char *colon = strchr(value, ':'), *argument = colon ? colon + 1 : "";
    ndft_case_callback *c = ndft_key_field(key, problem);
    const ndft_source_word *word;
    NDFT_TRY(ndft_source_word_parse(key, value, &word, err));
    *c = (ndft_case_callback){.word = (ndft_callback_word)word->kind};
    switch (c->word) {
    case NDFT_CALLBACK_ZERO_PAD:
    case NDFT_CALLBACK_CROP:
        return parse_keep(key, value, argument, &problem->transform, c->keep, err);
    case NDFT_CALLBACK_DEAPODISE:
        return parse_width(key, value, argument, &c->width, err);
    case NDFT_CALLBACK_FILE:
        return parse_file(key, value, argument, c, err);
    case NDFT_CALLBACK_NONE:
        break;
    }
    return colon ? ndft_key_fail(err, key, value, "none takes nothing behind it") : NDFT_OK;
}

static int print_callback(const ndft_key *key, const ndft_case *problem, char *text, size_t size)
{
    const ndft_case_callback *c = ndft_key_value(key, problem);
    const char *name = ndft_source_find(key, c->word)->word;
    char keep[64];
    if (c->word == NDFT_CALLBACK_NONE) return snprintf(text, size, "%s", name);
    if (c->word == NDFT_CALLBACK_FILE)
        return snprintf(text, size, "%s:%s:%s", name, c->path, c->function);
    if (c->word == NDFT_CALLBACK_DEAPODISE) return snprintf(text, size, "%s:%d", name, c->width);
    ndft_sizes_print(c->keep, problem->dim, keep, sizeof keep);
    return snprintf(text, size, "%s:%s", name, keep);
}

const ndft_value_type ndft_value_callback = {parse_callback, print_callback};

ndft_status ndft_case_runs_no_code(const ndft_case *c, ndft_error *err)
{
    const ndft_case_callback *side = c->load.word == NDFT_CALLBACK_FILE ? &c->load : &c->store;
    if (side->word != NDFT_CALLBACK_FILE) return NDFT_OK;
    return ndft_fail(err, NDFT_EINVAL,
                     "file:%s:%s would run code that a file names: give the case itself on the "
                     "command line",
                     side->path, side->function);
}
