/* SPDX-License-Identifier: Apache-2.0 */
#include "communicator.h"

#include "base/now.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/*
 * Messages between GPUs by NCCL, which is loaded by name when somebody first asks for it: the one
 * that is in the process already, as PyTorch's, or the file that NDFT_NCCL names, or wherever the
 * loader finds it. Its communicators do not block, so that ranks that do not come can be given up;
 * what is called here has been the same since 2.14.
 */

static const char file_name[] = "libnccl.so.2";

enum { DONE = 0, IN_PROGRESS = 7, BYTES = 0 };   /* ncclSuccess, ncclInProgress, ncclInt8 */
enum { CU_DONE = 0, CU_NOT_READY = 600 };        /* CUDA_SUCCESS, CUDA_ERROR_NOT_READY */
static const double soon_s = 1e-3, grace_s = 1.; /* before it sleeps; for who left in order */

/* ncclConfig_t of 2.14, which later ones take. */
typedef struct config {
    size_t size;
    unsigned magic, version;
    int blocking;
} config;

static struct {
    int (*get_id)(ndft_nccl_id *);
    int (*init)(void **comm, int size, ndft_nccl_id, int rank, config *);
    int (*state)(void *comm, int *state);
    int (*begin)(void), (*end)(void);
    int (*send)(const void *, size_t, int type, int peer, void *comm, void *stream);
    int (*receive)(void *, size_t, int type, int peer, void *comm, void *stream);
    int (*finalize)(void *comm), (*destroy)(void *comm), (*abort)(void *comm);
    const char *(*word)(int);
    int (*query)(void *stream); /* of the driver */
    ndft_error why;             /* there is none */
} nccl;

static void *open_file(void)
{
    const char *asked = getenv("NDFT_NCCL");
    if (asked && *asked) return dlopen(asked, RTLD_NOW | RTLD_LOCAL);
    void *there = dlopen(file_name, RTLD_NOW | RTLD_NOLOAD);
    if (there) return there;
    if (dlsym(RTLD_DEFAULT, "ncclCommInitRankConfig")) return dlopen(NULL, RTLD_NOW);
    return dlopen(file_name, RTLD_NOW | RTLD_LOCAL);
}

static bool find(void *file, const char *name, void *function)
{
    void *address = dlsym(file, name);
    memcpy(function, &address, sizeof address);
    return address;
}

static void load(void)
{
    void *file = open_file();
    if (!file) {
        ndft_fail(&nccl.why, NDFT_EUNSUPPORTED, "ranks of GPUs need NCCL: %s; NDFT_NCCL names it",
                  dlerror());
        return;
    }
    void *driver = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!find(file, "ncclGetUniqueId", &nccl.get_id) ||
        !find(file, "ncclCommInitRankConfig", &nccl.init) ||
        !find(file, "ncclCommGetAsyncError", &nccl.state) ||
        !find(file, "ncclGroupStart", &nccl.begin) || !find(file, "ncclGroupEnd", &nccl.end) ||
        !find(file, "ncclSend", &nccl.send) || !find(file, "ncclRecv", &nccl.receive) ||
        !find(file, "ncclCommFinalize", &nccl.finalize) ||
        !find(file, "ncclCommDestroy", &nccl.destroy) ||
        !find(file, "ncclCommAbort", &nccl.abort) || !find(file, "ncclGetErrorString", &nccl.word))
        ndft_fail(&nccl.why, NDFT_EUNSUPPORTED, "ranks of GPUs need NCCL, 2.14 or later: %s",
                  dlerror());
    else if (!driver || !find(driver, "cuStreamQuery", &nccl.query))
        ndft_fail(&nccl.why, NDFT_EUNSUPPORTED, "ranks of GPUs need CUDA's driver: %s", dlerror());
}

ndft_status ndft_nccl_found(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, load);
    return nccl.why.status == NDFT_OK ? NDFT_OK : ndft_tell(&nccl.why);
}

ndft_status ndft_nccl_id_create(ndft_nccl_id *id)
{
    if (!id) return ndft_fail(ndft_thread_error(), NDFT_EINVAL, "id is NULL");
    NDFT_TRY(ndft_nccl_found());
    const int result = nccl.get_id(id);
    if (result == DONE) return NDFT_OK;
    return ndft_fail(ndft_thread_error(), NDFT_EDEVICE, "NCCL makes no id: %s", nccl.word(result));
}

/* What is waited for, and since when. */
typedef struct wait {
    double begun, missed; /* missed: a peer has been since then; 0: none */
} wait;

/* A moment, unless a rank has been waited for too long. Who has left in order may be missed before
 * the last of its messages is seen to have come. */
static ndft_status pause_for(ndft_communicator *c, wait *w)
{
    enum { MOMENT_US = 50 };
    const double now = ndft_now_s();
    if (now - w->begun < soon_s) return NDFT_OK;
    const int gone = c->meshed ? ndft_gone_peer(c) : -1;
    if (gone >= 0 && w->missed && now - w->missed > grace_s)
        return ndft_communicator_break(c, NDFT_EDEVICE, "rank %d of %d is gone", gone, c->size);
    if (gone >= 0 && !w->missed) w->missed = now;
    if (now - w->begun > c->timeout_s)
        return ndft_communicator_break(c, NDFT_EDEVICE, "ranks did not come for %g s",
                                       c->timeout_s);
    usleep(MOMENT_US);
    return NDFT_OK;
}

static ndft_status judge(ndft_communicator *c, int result)
{
    if (result == DONE || result == IN_PROGRESS) return NDFT_OK;
    return ndft_communicator_break(c, NDFT_EDEVICE, "NCCL failed: %s", nccl.word(result));
}

/* What it was told is under way, or has failed. */
static ndft_status progress(ndft_communicator *c, int result)
{
    wait w = {.begun = ndft_now_s()};
    NDFT_TRY(judge(c, result));
    for (;;) {
        int state = DONE;
        NDFT_TRY(judge(c, nccl.state(c->nccl, &state)));
        NDFT_TRY(judge(c, state));
        if (state == DONE) return NDFT_OK;
        NDFT_TRY(pause_for(c, &w));
    }
}

ndft_status ndft_nccl_open(ndft_communicator *c)
{
    config how = {sizeof how, 0xcafebeef, 21400, 0};
    if (c->lent) return NDFT_OK;
    const int result = nccl.init(&c->nccl, c->size, c->id, c->rank, &how);
    return progress(c, result);
}

static int queue(ndft_communicator *c, const ndft_exec *exec, const ndft_parcel *p)
{
    int result = DONE;
    if (p->out_bytes)
        result = nccl.send(p->out, p->out_bytes, BYTES, p->peer, c->nccl, exec->stream);
    if (p->in_bytes && (result == DONE || result == IN_PROGRESS))
        result = nccl.receive(p->in, p->in_bytes, BYTES, p->peer, c->nccl, exec->stream);
    return result;
}

static ndft_status exchange(ndft_communicator *c, const ndft_exec *exec, const ndft_parcel *parcels,
                            int n)
{
    NDFT_TRY(judge(c, nccl.begin()));
    int result = DONE;
    for (int i = 0; i < n && (result == DONE || result == IN_PROGRESS); i++)
        result = queue(c, exec, &parcels[i]);
    const int ended = nccl.end();
    NDFT_TRY(judge(c, result));
    return progress(c, ended);
}

static ndft_status settle(ndft_communicator *c, const ndft_exec *exec)
{
    wait w = {.begun = ndft_now_s()};
    int queued;
    while ((queued = nccl.query(exec->stream)) == CU_NOT_READY) {
        int state = DONE;
        NDFT_TRY(judge(c, nccl.state(c->nccl, &state)));
        NDFT_TRY(judge(c, state));
        NDFT_TRY(pause_for(c, &w));
    }
    if (queued == CU_DONE) return NDFT_OK;
    return ndft_communicator_break(c, NDFT_EDEVICE, "the GPU failed: CUDA's error %d", queued);
}

/* In order all messages have come before; the caller's own stays. */
static void leave(ndft_communicator *c, bool in_order)
{
    if (!c->nccl || (in_order && c->lent)) return;
    const double begun = ndft_now_s();
    int state = IN_PROGRESS;
    if (in_order) state = nccl.finalize(c->nccl);
    while (in_order && state == IN_PROGRESS && ndft_now_s() - begun < c->timeout_s)
        if (nccl.state(c->nccl, &state) != DONE) state = IN_PROGRESS + 1;
    if (in_order && state == DONE)
        nccl.destroy(c->nccl);
    else
        nccl.abort(c->nccl);
    c->nccl = NULL;
}

const ndft_transport ndft_nccl = {.exchange = exchange, .settle = settle, .leave = leave};
