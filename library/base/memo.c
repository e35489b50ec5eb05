/* SPDX-License-Identifier: Apache-2.0 */
#include "memo.h"

#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

enum { PROBLEM = sizeof(ndft_problem), NUMBERS = sizeof((ndft_question){0}.number) };

/* What is asked of which problem, as bytes: problems of which some differ where nothing is said may
 * be taken for different ones. */
typedef struct key {
    uint64_t digest; /* of the rest: what differs mostly shows there */
    const char *name;
    unsigned char bytes[PROBLEM + NUMBERS];
} key;

typedef struct finding {
    int users;               /* entries, which may be of several memos */
    void (*release)(void *); /* NULL, or the answer is a pointer to what this releases */
    _Alignas(max_align_t) char bytes[];
} finding;

typedef struct entry {
    struct entry *next;
    key asked;
    finding *found;
} entry;

struct ndft_memo {
    uint64_t number;
    pthread_mutex_t lock; /* of first, behind which nothing changes */
    entry *first;
};

ndft_memo *ndft_memo_create(void)
{
    static uint64_t made_so_far;
    ndft_memo *memo = calloc(1, sizeof *memo);
    if (!memo) return NULL;
    memo->number = __atomic_add_fetch(&made_so_far, 1, __ATOMIC_RELAXED);
    pthread_mutex_init(&memo->lock, NULL);
    return memo;
}

uint64_t ndft_memo_number(const ndft_memo *memo) { return memo ? memo->number : 0; }

static void let_go(finding *f)
{
    if (__atomic_sub_fetch(&f->users, 1, __ATOMIC_ACQ_REL)) return;
    if (f->release) f->release(*(void **)f->bytes);
    free(f);
}

void ndft_memo_destroy(ndft_memo *memo)
{
    if (!memo) return;
    while (memo->first) {
        entry *e = memo->first;
        memo->first = e->next;
        let_go(e->found);
        free(e);
    }
    pthread_mutex_destroy(&memo->lock);
    free(memo);
}

enum { LANES = 4 };

/* A multiplicative hash over words, in lanes of which none waits for another. */
static uint64_t digest_of(const key *k)
{
    _Static_assert(sizeof k->bytes % sizeof(uint64_t) == 0, "whole words");
    enum { WORDS = sizeof k->bytes / sizeof(uint64_t) };
    uint64_t lane[LANES] = {0}, digest = 0;
    for (int i = 0; i < WORDS; i += LANES)
        for (int l = 0; l < LANES && i + l < WORDS; l++) {
            uint64_t word;
            memcpy(&word, k->bytes + (size_t)(i + l) * sizeof word, sizeof word);
            lane[l] = (lane[l] ^ word) * 0x9e3779b97f4a7c15u;
            lane[l] ^= lane[l] >> 32;
        }
    for (const char *c = k->name; *c; c++) digest = digest * 31 + (unsigned char)*c;
    for (int l = 0; l < LANES; l++) digest = (digest ^ lane[l]) * 0x9e3779b97f4a7c15u;
    return digest ^ digest >> 32;
}

static key key_of(const ndft_problem *p, ndft_question question)
{
    key k = {.name = question.name};
    memcpy(k.bytes, p, PROBLEM);
    memcpy(k.bytes + PROBLEM, question.number, NUMBERS);
    k.digest = digest_of(&k);
    return k;
}

static bool same(const key *a, const key *b)
{
    return a->digest == b->digest && !strcmp(a->name, b->name) &&
           !memcmp(a->bytes, b->bytes, sizeof a->bytes);
}

static const entry *first_of(ndft_memo *memo)
{
    pthread_mutex_lock(&memo->lock);
    const entry *first = memo->first;
    pthread_mutex_unlock(&memo->lock);
    return first;
}

bool ndft_memo_recall(const ndft_problem *p, ndft_question question, void *answer, size_t bytes)
{
    if (!p->memo) return false;
    const key asked = key_of(p, question);
    const entry *e = first_of(p->memo);
    while (e && !same(&e->asked, &asked)) e = e->next;
    if (e) memcpy(answer, e->found->bytes, bytes);
    return e;
}

/* One user more of what was found; false: there is no memory, and it has none. */
static bool add(ndft_memo *memo, key asked, finding *found)
{
    entry *e = malloc(sizeof *e);
    if (!e) return false;
    *e = (entry){.asked = asked, .found = found};
    __atomic_add_fetch(&found->users, 1, __ATOMIC_RELAXED);
    pthread_mutex_lock(&memo->lock);
    e->next = memo->first;
    memo->first = e;
    pthread_mutex_unlock(&memo->lock);
    return true;
}

static bool put(const ndft_problem *p, ndft_question question, const void *bytes, size_t size,
                void (*release)(void *))
{
    finding *found = p->memo ? malloc(sizeof *found + size) : NULL;
    if (!found) return false;
    *found = (finding){.release = release};
    memcpy(found->bytes, bytes, size);
    if (add(p->memo, key_of(p, question), found)) return true;
    free(found);
    return false;
}

void ndft_memo_remember(const ndft_problem *p, ndft_question question, const void *answer,
                        size_t bytes)
{
    (void)put(p, question, answer, bytes, NULL);
}

bool ndft_memo_keep(const ndft_problem *p, ndft_question question, void *object,
                    void (*release)(void *))
{
    return put(p, question, &object, sizeof object, release);
}

void *ndft_memo_kept(const ndft_problem *p, ndft_question question)
{
    void *object;
    return ndft_memo_recall(p, question, &object, sizeof object) ? object : NULL;
}

/* Of the same arrays. */
static bool same_phase(const ndft_higher_phase *a, const ndft_higher_phase *b)
{
    bool same = a->terms == b->terms;
    for (int l = 0; same && l < a->terms; l++) same = a->c[l] == b->c[l] && a->b[l] == b->b[l];
    return same;
}

/* Whether a question about `from` was about its clock and maps, and of k at most how far it
 * reaches, which is as far in `to`. */
static bool holds_of(const ndft_problem *asked, const ndft_problem *from, const ndft_problem *to)
{
    bool same = !asked->k[0] && asked->t == from->t && asked->dw == from->dw &&
                asked->decay == from->decay && same_phase(&asked->higher, &from->higher);
    for (int d = 0; d < 3; d++)
        same = same && asked->g[d] == from->g[d] &&
               (asked->k_max[d] == 0 || asked->k_max[d] == to->k_max[d]);
    return same;
}

void ndft_memo_inherit(const ndft_problem *to, const ndft_problem *from)
{
    if (!to->memo || !from->memo) return;
    for (const entry *e = first_of(from->memo); e; e = e->next) {
        ndft_problem about;
        memcpy(&about, e->asked.bytes, PROBLEM);
        if (!holds_of(&about, from, to)) continue;
        about.t = to->t;
        about.dw = to->dw;
        about.decay = to->decay;
        about.higher = to->higher;
        memcpy(about.g, to->g, sizeof about.g);
        about.memo = to->memo;
        key asked = e->asked;
        memcpy(asked.bytes, &about, PROBLEM);
        asked.digest = digest_of(&asked);
        (void)add(to->memo, asked, e->found);
    }
}
