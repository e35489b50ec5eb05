/* SPDX-License-Identifier: Apache-2.0 */
#include "case_callback.h"

#include "case_keys.h"
#include "words.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

enum { WIDTH_LEAST = 2, WIDTH_MOST = 16 };

static const char *const names[] = {[NDFT_CALLBACK_NONE] = "none",
                                    [NDFT_CALLBACK_ZERO_PAD] = "zero_pad",
                                    [NDFT_CALLBACK_CROP] = "crop",
                                    [NDFT_CALLBACK_DEAPODISE] = "deapodise",
                                    [NDFT_CALLBACK_FILE] = "file"};

/* What each side takes; ends with NONE, which both take. */
static const ndft_callback_word load_words[] = {NDFT_CALLBACK_ZERO_PAD, NDFT_CALLBACK_FILE,
                                                NDFT_CALLBACK_NONE};
static const ndft_callback_word store_words[] = {NDFT_CALLBACK_CROP, NDFT_CALLBACK_DEAPODISE,
                                                 NDFT_CALLBACK_FILE, NDFT_CALLBACK_NONE};

static bool is_load(const char *side) { return strcmp(side, "load") == 0; }

/* The fields of "load=zero_pad:700x500" that messages and parsers need. */
typedef struct reader {
    ndft_key key; /* its name alone */
    const char *value, *argument;
    ndft_error *err;
} reader;

static ndft_status parse_size(const reader *r, const char **at, int axis, int64_t most,
                              int64_t *size)
{
    char digits[24];
    const size_t length = strcspn(*at, "x");
    snprintf(digits, sizeof digits, "%.*s", length < sizeof digits ? (int)length : 23, *at);
    uint64_t number = 0;
    const int fault = ndft_whole_parse(digits, &number);
    if (fault < 0)
        return ndft_key_fail(r->err, &r->key, r->value,
                             "sizes are whole numbers joined by x, e.g. 700x500");
    if (fault || number > (uint64_t)most || number < 1)
        return ndft_key_fail(r->err, &r->key, r->value, "of axis %d, 1 to %lld can be kept", axis,
                             (long long)most);
    *size = (int64_t)number;
    *at += length;
    return NDFT_OK;
}

/* Half a spectrum is that of a real signal with all its rows and planes, or it is none. */
static ndft_status check_mirror(const reader *r, const ndft_transform *t, const int64_t keep[3])
{
    for (int d = 1; d < t->dim && t->domain == NDFT_C2R && is_load(r->key.name); d++)
        if (keep[d] < t->in.shape[NDFT_MODE_N + d])
            return ndft_key_fail(r->err, &r->key, r->value,
                                 "a real signal's spectrum keeps all %lld of axis %d",
                                 (long long)t->in.shape[NDFT_MODE_N + d], d + 1);
    return NDFT_OK;
}

static ndft_status parse_keep(const reader *r, const ndft_transform *t, int64_t keep[3])
{
    static const char *const examples[] = {"700", "64x48", "64x48x32"};
    const ndft_tensor *tensor = is_load(r->key.name) ? &t->in : &t->out;
    const char *at = r->argument ? r->argument : "";
    int count = 1;
    for (const char *x = at; *x; x++) count += *x == 'x';
    if (count != t->dim)
        return ndft_key_fail(r->err, &r->key, r->value, "takes %d size%s, e.g. %s", t->dim,
                             t->dim > 1 ? "s" : "", examples[t->dim - 1]);
    for (int d = 0; d < 3; d++) keep[d] = 1;
    for (int d = 0; d < t->dim; d++) {
        if (d) at++;
        NDFT_TRY(parse_size(r, &at, d + 1, tensor->shape[NDFT_MODE_N + d], &keep[d]));
    }
    return check_mirror(r, t, keep);
}

static ndft_status parse_width(const reader *r, int *width)
{
    uint64_t number = 0;
    if (!r->argument || ndft_whole_parse(r->argument, &number) || number < WIDTH_LEAST ||
        number > WIDTH_MOST)
        return ndft_key_fail(r->err, &r->key, r->value,
                             "a window is %d to %d cells wide, e.g. deapodise:6", WIDTH_LEAST,
                             WIDTH_MOST);
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

static ndft_status parse_file(const reader *r, ndft_case_callback *c)
{
    const char *colon = r->argument ? strrchr(r->argument, ':') : NULL;
    if (!colon || colon == r->argument)
        return ndft_key_fail(r->err, &r->key, r->value,
                             "a path without its ending and a function are missing, e.g. "
                             "file:mine/window:load_half");
    NDFT_TRY(ndft_path_parse(&r->key, r->value, r->argument, (size_t)(colon - r->argument), c->path,
                             r->err));
    if (!is_identifier(colon + 1) || strlen(colon + 1) >= sizeof c->function)
        return ndft_key_fail(r->err, &r->key, r->value,
                             "the function is a name of C, of at most %zu characters",
                             sizeof c->function - 1);
    strcpy(c->function, colon + 1);
    return NDFT_OK;
}

static ndft_status parse_word(const reader *r, ndft_callback_word *word)
{
    const ndft_callback_word *words = is_load(r->key.name) ? load_words : store_words;
    const char *valid[NDFT_CALLBACK_FILE + 2] = {NULL};
    char given[64];
    snprintf(given, sizeof given, "%.*s", (int)strcspn(r->value, ":"), r->value);
    for (int i = 0;; i++) {
        valid[i] = names[words[i]];
        if (!strcmp(valid[i], given)) {
            *word = words[i];
            return NDFT_OK;
        }
        if (words[i] == NDFT_CALLBACK_NONE) break;
    }
    return ndft_key_fail(r->err, &r->key, r->value, "unknown word; nearest: %s",
                         ndft_nearest(given, valid));
}

ndft_status ndft_case_callback_parse(const char *side, const char *value, const ndft_transform *t,
                                     ndft_case_callback *c, ndft_error *err)
{
    const char *colon = strchr(value, ':');
    const reader r = {{.name = side}, value, colon ? colon + 1 : NULL, err};
    *c = (ndft_case_callback){.word = NDFT_CALLBACK_NONE};
    NDFT_TRY(parse_word(&r, &c->word));
    switch (c->word) {
    case NDFT_CALLBACK_ZERO_PAD:
    case NDFT_CALLBACK_CROP:
        return parse_keep(&r, t, c->keep);
    case NDFT_CALLBACK_DEAPODISE:
        return parse_width(&r, &c->width);
    case NDFT_CALLBACK_FILE:
        return parse_file(&r, c);
    case NDFT_CALLBACK_NONE:
        break;
    }
    return colon ? ndft_key_fail(err, &r.key, value, "none takes nothing behind it") : NDFT_OK;
}

int ndft_case_callback_print(const char *side, const ndft_case_callback *c, int dim, char *text,
                             size_t size)
{
    const char *name = names[c->word];
    const long long x = c->keep[0], y = c->keep[1], z = c->keep[2];
    if (size) *text = '\0';
    if (c->word == NDFT_CALLBACK_NONE) return 0;
    if (c->word == NDFT_CALLBACK_FILE)
        return snprintf(text, size, " %s=%s:%s:%s", side, name, c->path, c->function);
    if (c->word == NDFT_CALLBACK_DEAPODISE)
        return snprintf(text, size, " %s=%s:%d", side, name, c->width);
    if (dim == 1) return snprintf(text, size, " %s=%s:%lld", side, name, x);
    if (dim == 2) return snprintf(text, size, " %s=%s:%lldx%lld", side, name, x, y);
    return snprintf(text, size, " %s=%s:%lldx%lldx%lld", side, name, x, y, z);
}

ndft_status ndft_case_runs_no_code(const ndft_case *c, ndft_error *err)
{
    const ndft_case_callback *side = c->load.word == NDFT_CALLBACK_FILE ? &c->load : &c->store;
    if (side->word != NDFT_CALLBACK_FILE) return NDFT_OK;
    return ndft_fail(err, NDFT_EINVAL,
                     "file:%s:%s would run code that a file names: give the case itself on the "
                     "command line",
                     side->path, side->function);
}
