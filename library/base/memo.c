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
    const char *name;
    unsigned char bytes[PROBLEM + NUMBERS];
} key;

typedef struct entry {
    struct entry *next;
    key asked;
    void (*release)(void *); /* NULL, or the answer is a pointer to what this releases */
    _Alignas(max_align_t) char answer[];
} entry;

struct ndft_memo {
    pthread_mutex_t lock; /* of first, behind which nothing changes */
    entry *first;
};

ndft_memo *ndft_memo_create(void)
{
    ndft_memo *memo = calloc(1, sizeof *memo);
    if (memo) pthread_mutex_init(&memo->lock, NULL);
    return memo;
}

void ndft_memo_destroy(ndft_memo *memo)
{
    if (!memo) return;
    while (memo->first) {
        entry *e = memo->first;
        memo->first = e->next;
        if (e->release) e->release(*(void **)e->answer);
        free(e);
    }
    pthread_mutex_destroy(&memo->lock);
    free(memo);
}

static key key_of(const ndft_problem *p, ndft_question question)
{
    key k = {.name = question.name};
    memcpy(k.bytes, p, PROBLEM);
    memcpy(k.bytes + PROBLEM, question.number, NUMBERS);
    return k;
}

static bool same(const key *a, const key *b)
{
    return !strcmp(a->name, b->name) && !memcmp(a->bytes, b->bytes, sizeof a->bytes);
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
    if (e) memcpy(answer, e->answer, bytes);
    return e;
}

static bool add(const ndft_problem *p, ndft_question question, const void *answer, size_t bytes,
                void (*release)(void *))
{
    entry *e = p->memo ? malloc(sizeof *e + bytes) : NULL;
    if (!e) return false;
    e->asked = key_of(p, question);
    e->release = release;
    memcpy(e->answer, answer, bytes);
    pthread_mutex_lock(&p->memo->lock);
    e->next = p->memo->first;
    p->memo->first = e;
    pthread_mutex_unlock(&p->memo->lock);
    return true;
}

void ndft_memo_remember(const ndft_problem *p, ndft_question question, const void *answer,
                        size_t bytes)
{
    (void)add(p, question, answer, bytes, NULL);
}

bool ndft_memo_keep(const ndft_problem *p, ndft_question question, void *object,
                    void (*release)(void *))
{
    return add(p, question, &object, sizeof object, release);
}

void *ndft_memo_kept(const ndft_problem *p, ndft_question question)
{
    void *object;
    return ndft_memo_recall(p, question, &object, sizeof object) ? object : NULL;
}
