/* SPDX-License-Identifier: Apache-2.0 */
#include "code_cache.h"

#include "base/cache_file.h"
#include "base/digest.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What code is of; the version changes with the options of the compiler. */
typedef struct code_key {
    char magic[8];
    uint64_t version, sources[2], nvrtc, capability;
} code_key;

typedef struct kept_code {
    struct kept_code *next;
    code_key key;
    size_t size;
    unsigned char code[];
} kept_code;

enum { VERSION = 1, NAME = 64 };
static const size_t most_bytes = (size_t)32 << 20; /* of this process */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* of these two */
static kept_code *kept;
static size_t kept_bytes;

static code_key key_of(const ndft_source_text *program, const ndft_source_text *headers,
                       int n_headers, int nvrtc, int capability)
{
    code_key key = {.magic = "ndftcod",
                    .version = VERSION,
                    .nvrtc = (uint64_t)nvrtc,
                    .capability = (uint64_t)capability};
    ndft_digest digest;
    ndft_digest_start(&digest);
    ndft_digest_add(&digest, program->text, strlen(program->text));
    for (int i = 0; i < n_headers; i++) {
        ndft_digest_add(&digest, headers[i].name, strlen(headers[i].name));
        ndft_digest_add(&digest, headers[i].text, strlen(headers[i].text));
    }
    ndft_digest_finish(&digest, key.sources);
    return key;
}

static void *copy_of(const void *code, size_t size)
{
    void *copy = malloc(size);
    return copy ? memcpy(copy, code, size) : NULL;
}

static void *recall(const code_key *key, size_t *size)
{
    void *code = NULL;
    pthread_mutex_lock(&lock);
    for (const kept_code *k = kept; k && !code; k = k->next)
        if (!memcmp(&k->key, key, sizeof *key)) {
            code = copy_of(k->code, k->size);
            *size = k->size;
        }
    pthread_mutex_unlock(&lock);
    return code;
}

static void forget_all(void)
{
    while (kept) {
        kept_code *first = kept;
        kept = first->next;
        free(first);
    }
    kept_bytes = 0;
}

static void remember(const code_key *key, const void *code, size_t size)
{
    kept_code *k = malloc(sizeof *k + size);
    if (!k) return;
    k->key = *key;
    k->size = size;
    memcpy(k->code, code, size);
    pthread_mutex_lock(&lock);
    if (kept_bytes + size > most_bytes) forget_all();
    k->next = kept;
    kept = k;
    kept_bytes += size;
    pthread_mutex_unlock(&lock);
}

ndft_status ndft_nvrtc_compile_once(const ndft_source_text *program,
                                    const ndft_source_text *headers, int n_headers, int capability,
                                    void **code, size_t *size, ndft_error *err)
{
    int nvrtc;
    char name[NAME];
    NDFT_TRY(ndft_nvrtc_version(&nvrtc, err));
    const code_key key = key_of(program, headers, n_headers, nvrtc, capability);
    snprintf(name, sizeof name, "code-%016" PRIx64 "%016" PRIx64 "-%d-%d", key.sources[0],
             key.sources[1], nvrtc, capability);
    *code = recall(&key, size);
    if (*code) return NDFT_OK;
    *code = ndft_cache_read(name, &key, sizeof key, size);
    if (!*code) {
        NDFT_TRY(ndft_nvrtc_compile(program, headers, n_headers, NULL, 0, capability,
                                    NDFT_CODE_CUBIN, code, size, err));
        ndft_cache_write(name, &key, sizeof key, *code, *size);
    }
    remember(&key, *code, *size);
    return NDFT_OK;
}
