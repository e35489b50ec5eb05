/* SPDX-License-Identifier: Apache-2.0 */
#include "crew.h"

#include "base/now.h"
#include "public/objects.h"

#include <pthread.h>
#include <stdlib.h>

typedef struct member {
    ndft_crew *crew;
    int device;
    pthread_t thread;
    ndft_error error;
} member;

struct ndft_crew {
    pthread_mutex_t one_call, lock;
    pthread_cond_t begins, ends;
    ndft_crew_work *work; /* NULL: they go home */
    void *context;
    double patience_s;
    int turn; /* grows with every piece of work */
    int busy; /* threads that have not done it */
    int n;    /* threads */
    member members[];
};

/* Looks out for a number to be, or no longer be, a value. */
static void look_out(const ndft_crew *crew, const int *number, int value, bool to_be)
{
    const double begun = ndft_now_s();
    while ((__atomic_load_n(number, __ATOMIC_ACQUIRE) == value) != to_be &&
           ndft_now_s() - begun < crew->patience_s)
        __builtin_ia32_pause();
}

static ndft_crew_work *await_work(ndft_crew *crew, int done)
{
    look_out(crew, &crew->turn, done, false);
    pthread_mutex_lock(&crew->lock);
    while (crew->turn == done) pthread_cond_wait(&crew->begins, &crew->lock);
    ndft_crew_work *work = crew->work;
    pthread_mutex_unlock(&crew->lock);
    return work;
}

static void *serve(void *given)
{
    member *m = given;
    ndft_crew *crew = m->crew;
    ndft_crew_work *work;
    for (int done = 0; (work = await_work(crew, done)); done++) {
        m->error.status = work(crew->context, m->device);
        if (m->error.status != NDFT_OK) m->error = *ndft_thread_error();
        pthread_mutex_lock(&crew->lock);
        if (!__atomic_sub_fetch(&crew->busy, 1, __ATOMIC_RELEASE)) pthread_cond_signal(&crew->ends);
        pthread_mutex_unlock(&crew->lock);
    }
    return NULL;
}

ndft_status ndft_crew_create(int n, double patience_s, ndft_crew **out)
{
    ndft_crew *crew = calloc(1, sizeof *crew + (size_t)n * sizeof(member));
    *out = crew;
    if (!crew) return ndft_fail(ndft_thread_error(), NDFT_ENOMEM, "no memory for threads");
    crew->patience_s = patience_s;
    pthread_mutex_init(&crew->one_call, NULL);
    pthread_mutex_init(&crew->lock, NULL);
    pthread_cond_init(&crew->begins, NULL);
    pthread_cond_init(&crew->ends, NULL);
    for (; crew->n < n - 1; crew->n++) {
        member *m = &crew->members[crew->n];
        m->crew = crew;
        m->device = crew->n + 1;
        if (!pthread_create(&m->thread, NULL, serve, m)) continue;
        ndft_fail(ndft_thread_error(), NDFT_ENOMEM, "no thread for device %d of a group",
                  m->device);
        ndft_crew_destroy(crew);
        *out = NULL;
        return NDFT_ENOMEM;
    }
    return NDFT_OK;
}

static void give(ndft_crew *crew, ndft_crew_work *work, void *context)
{
    pthread_mutex_lock(&crew->lock);
    crew->work = work;
    crew->context = context;
    crew->busy = crew->n;
    __atomic_store_n(&crew->turn, crew->turn + 1, __ATOMIC_RELEASE);
    pthread_cond_broadcast(&crew->begins);
    pthread_mutex_unlock(&crew->lock);
}

static void await_all(ndft_crew *crew)
{
    look_out(crew, &crew->busy, 0, true);
    pthread_mutex_lock(&crew->lock);
    while (crew->busy) pthread_cond_wait(&crew->ends, &crew->lock);
    pthread_mutex_unlock(&crew->lock);
}

ndft_status ndft_crew_run(ndft_crew *crew, ndft_crew_work *work, void *context)
{
    pthread_mutex_lock(&crew->one_call);
    give(crew, work, context);
    ndft_status status = work(context, 0);
    await_all(crew);
    for (int i = 0; i < crew->n && status == NDFT_OK; i++)
        if (crew->members[i].error.status != NDFT_OK) status = ndft_tell(&crew->members[i].error);
    pthread_mutex_unlock(&crew->one_call);
    return status;
}

void ndft_crew_destroy(ndft_crew *crew)
{
    if (!crew) return;
    give(crew, NULL, NULL);
    for (int i = 0; i < crew->n; i++) pthread_join(crew->members[i].thread, NULL);
    pthread_cond_destroy(&crew->ends);
    pthread_cond_destroy(&crew->begins);
    pthread_mutex_destroy(&crew->lock);
    pthread_mutex_destroy(&crew->one_call);
    free(crew);
}
