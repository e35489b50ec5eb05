/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_CASE_KEYS_H
#define NDFT_CASE_KEYS_H

#include "case.h"

#include <stdbool.h>

/*
 * The grammar's one table: parsing, printing, defaults and messages all come from it. A key has a
 * type of value (how text becomes a field and back) and what that type needs to know.
 */
typedef struct ndft_key ndft_key;

typedef struct ndft_value_type {
    ndft_status (*parse)(const ndft_key *, const char *value, ndft_case *, ndft_error *);
    int (*print)(const ndft_key *, const ndft_case *, char *text, size_t size);
} ndft_value_type;

struct ndft_key {
    const char *name;
    unsigned kinds;      /* of cases that have it, bits 1 << ndft_kind_of_problem */
    const char *preset;  /* the default as text; NULL: the key is required */
    const char *example; /* of a required key */
    const ndft_value_type *type;
    const void *detail; /* range, words or units, by type */
    size_t offset;      /* of the field in ndft_case */
};

/* The keys of a kind of cases in canonical order: the one behind key, NULL behind the last; the
 * first behind NULL. */
const ndft_key *ndft_key_next(ndft_kind_of_problem, const ndft_key *);

/* The key whose name is the first length characters of name, or NULL; find: of nonuniform cases. */
const ndft_key *ndft_key_of(ndft_kind_of_problem, const char *name, size_t length);
const ndft_key *ndft_key_find(const char *name, size_t length);
const char *ndft_key_nearest(ndft_kind_of_problem, const char *name);

/* A bit of its own for each key. */
unsigned ndft_key_bit(const ndft_key *);

/* Whether a line needs it: a key that came later than records, or is of some cases alone, is left
 * out where it says nothing. */
bool ndft_key_is_printed(const ndft_key *, const ndft_case *);

/* Fails with "key=value: " before the message. */
ndft_status ndft_key_fail(ndft_error *, const ndft_key *, const char *value, const char *format,
                          ...) __attribute__((format(printf, 4, 5)));

static inline void *ndft_key_field(const ndft_key *key, ndft_case *c)
{
    return (char *)c + key->offset;
}

static inline const void *ndft_key_value(const ndft_key *key, const ndft_case *c)
{
    return (const char *)c + key->offset;
}

/* Types of value and their details. */
extern const ndft_value_type ndft_value_sizes;    /* 64x64: dim sizes; no detail */
extern const ndft_value_type ndft_value_box;      /* likewise, or "same": 0 until all is read */
extern const ndft_value_type ndft_value_polar;    /* MODULUS:TURNS, or a word that leaves it 0 */
extern const ndft_value_type ndft_value_whole;    /* ndft_whole */
extern const ndft_value_type ndft_value_real;     /* ndft_real_range */
extern const ndft_value_type ndft_value_word;     /* NULL-terminated const char *[] */
extern const ndft_value_type ndft_value_source;   /* ndft_source_word[], ends with a NULL word */
extern const ndft_value_type ndft_value_callback; /* likewise */

typedef struct ndft_whole {
    uint64_t least, most;
    size_t bytes; /* of the field */
} ndft_whole;

struct ndft_unit;

typedef struct ndft_real_range {
    const struct ndft_unit *units; /* NULL: none */
    bool zero;                     /* may be 0; never negative */
    double most;
    const char *example; /* for messages */
} ndft_real_range;

typedef enum ndft_argument {
    NDFT_TAKES_NOTHING,
    NDFT_TAKES_SHOTS,      /* may be left out */
    NDFT_TAKES_PARTITIONS, /* SxP, may be left out */
    NDFT_TAKES_HERTZ,
    NDFT_TAKES_RATE, /* 1/s */
    NDFT_TAKES_TESLA,
    NDFT_TAKES_TERMS, /* L:RADIANS */
    NDFT_TAKES_PATH,
    NDFT_TAKES_PATHS, /* C:B */
} ndft_argument;

typedef struct ndft_source_word {
    const char *word;
    int kind; /* ndft_source_kind, or ndft_callback_word */
    ndft_argument argument;
    unsigned dims; /* bit d: exists in d dimensions */
} ndft_source_word;

extern const ndft_source_word ndft_load_words[], ndft_store_words[];

/* The line of the table that a source was parsed from; and the one whose word a value begins with.
 */
const ndft_source_word *ndft_source_find(const ndft_key *, int kind);
ndft_status ndft_source_word_parse(const ndft_key *, const char *value, const ndft_source_word **,
                                   ndft_error *);

/* 64x48: how many sizes, the next one (as ndft_whole_parse) with the x behind it, and back. */
int ndft_sizes_count(const char *text);
int ndft_size_parse(const char **at, uint64_t *value);
int ndft_sizes_print(const int64_t n[3], int dim, char *text, size_t size);

/* Takes the first length characters of argument as a path. NDFT_EINVAL where it is too long, or a
 * suite would expand it. */
ndft_status ndft_path_parse(const ndft_key *, const char *value, const char *argument,
                            size_t length, char path[NDFT_PATH_MAX], ndft_error *);

/* Parses value as a real of this range into result; key and value are for messages. */
ndft_status ndft_real_parse(const ndft_key *, const char *value, const char *number,
                            const ndft_real_range *, double *result, ndft_error *);

/* What the keys mean together: fills defaults that depend on others, rejects impossible cases. */
ndft_status ndft_case_finish(ndft_case *, ndft_error *);

bool ndft_is_spiral(const ndft_case *);

/* Whether a case has lengths: its field of view matters. */
bool ndft_has_fov(const ndft_case *);

#endif
