/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_EXEC_H
#define NDFT_EXEC_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Where a plan lives: a device, a stream, and the only allocator (guarded and counted). */

typedef enum ndft_isa { NDFT_X86_64_V2, NDFT_X86_64_V3, NDFT_X86_64_V4 } ndft_isa;

typedef struct ndft_device {
    const char *backend; /* "cpu", "cuda" */
    char name[96];       /* as the vendor writes it */
    char slug[64];       /* names folders under results/: h200, epyc-2c-avx512 */
    int units;           /* multiprocessors, or hardware threads in use */
    size_t memory_bytes;
    size_t l2_bytes;
    size_t shared_bytes; /* most shared memory one block may ask for; 0 on a CPU */
    int capability;      /* CUDA compute capability, 90 = 9.0; 0 on a CPU */
    int code;         /* the one that kernels run here were compiled for: less of PTX; 0 on a CPU */
    ndft_isa isa;     /* best instruction set of the processor */
    double clock_mhz; /* highest clock, 0 when unknown */
    double bytes_s;   /* of its memory, by width and clock; 0 when unknown */
    char driver[64];  /* driver and runtime version; empty on a CPU */
} ndft_device;

/* What contexts may hold together, and whose memory it is. */
typedef struct ndft_account {
    size_t limit, held;                       /* bytes; limit 0: what there is */
    void *(*alloc)(size_t bytes, void *user); /* NULL: the backend's */
    void (*release)(void *memory, void *user);
    void *user;
    struct ndft_account *parent; /* which holds it, too; NULL: none */
} ndft_account;

typedef struct ndft_exec ndft_exec;

struct ndft_exec {
    ndft_device device;
    void *stream;      /* cudaStream_t; NULL on a CPU */
    int threads;       /* host threads a CPU variant may use */
    ndft_error *error; /* where plan and execute put their message; owned by the caller */

    /* How much a plan may take of what it could have in smaller pieces is a share of this: what is
     * free when it is made, or less where that did not suffice. */
    size_t room_bytes;

    /* How long a plan may try things out; 0: as it likes. While it has the host's FFT try out
     * algorithms, nobody else in the process can have it make plans. */
    double patience_s;

    ndft_account *account; /* NULL: the device is all its own */
    size_t live_bytes;     /* allocated now, guards not counted */
    size_t peak_bytes;     /* the most so far */
    size_t used_bytes;     /* of them, what is not only kept for later */

    /* Uninitialised device memory, 256-byte aligned; what names it in messages. Too little memory
     * is NDFT_ENOMEM with the bytes wanted and free. */
    ndft_status (*alloc)(ndft_exec *, const char *what, size_t bytes, void **memory);
    void (*release)(ndft_exec *, void *memory); /* NULL is allowed */
    size_t (*free_bytes)(ndft_exec *);          /* what is left of the device's memory */
    /* Host to device, finished on return. */
    ndft_status (*upload)(ndft_exec *, void *device, const void *host, size_t bytes);

    void (*mark)(ndft_exec *, const char *stage); /* see ndft_mark; NULL: nobody asks */
    void *listener;                               /* for whoever set mark */

    /* Other values are to come: arrays whose length follows from values, and not only from how many
     * there are, are taken longer (ndft_length_for_more). */
    bool more_to_come;

    bool keeps; /* memory, and what is costly to make (retained.h) */
    struct ndft_retained *kept;
    struct ndft_stock *stock; /* of the device; NULL: nothing outlives a plan */

    void *instruments;             /* of whoever measures what runs here */
    void (*put_away)(ndft_exec *); /* frees them, when the device is closed; NULL: there are none */
};

/* Seconds that a plan may spend on trying things out, where it usually takes so many. */
static inline double ndft_patience(const ndft_exec *exec, double usual_s)
{
    return exec->patience_s > 0 && exec->patience_s < usual_s ? exec->patience_s : usual_s;
}

/* Room for so many, and for what else may come. */
static inline int64_t ndft_length_for_more(const ndft_exec *exec, int64_t count)
{
    return exec->more_to_come ? 2 * count + 256 : count;
}

/*
 * Said by execute between its stages, in the thread that called it: what was queued (on a CPU:
 * done) since the last mark, or since the beginning, was this stage, one of the variant's `stages`.
 * A stage may come several times. Costs nothing unless stages are being timed.
 */
static inline void ndft_mark(ndft_exec *exec, const char *stage)
{
    if (exec->mark) exec->mark(exec, stage);
}

#endif
