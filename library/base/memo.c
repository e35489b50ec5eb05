/* SPDX-License-Identifier: Apache-2.0 */
#include "memo.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

typedef struct entry {
    struct entry *next;
    ndft_problem problem;
    ndft_question question;
    char answer[];
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
        free(e);
    }
    pthread_mutex_destroy(&memo->lock);
    free(memo);
}

/* Problems whose bytes differ where nothing is said may be taken for different ones. */
static bool same(const entry *e, const ndft_problem *p, ndft_question question)
{
    return !memcmp(e->question.number, question.number, sizeof question.number) &&
           !strcmp(e->question.name, question.name) && !memcmp(&e->problem, p, sizeof *p);
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
    const entry *e = p->memo ? first_of(p->memo) : NULL;
    while (e && !same(e, p, question)) e = e->next;
    if (e) memcpy(answer, e->answer, bytes);
    return e;
}

void ndft_memo_remember(const ndft_problem *p, ndft_question question, const void *answer,
                        size_t bytes)
{
    entry *e = p->memo ? malloc(sizeof *e + bytes) : NULL;
    if (!e) return;
    memcpy(&e->problem, p, sizeof *p);
    e->question = question;
    memcpy(e->answer, answer, bytes);
    pthread_mutex_lock(&p->memo->lock);
    e->next = p->memo->first;
    p->memo->first = e;
    pthread_mutex_unlock(&p->memo->lock);
}
