/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_FIXTURE_H
#define NDFT_FIXTURE_H

#include "instruments/instruments.h"
#include "make/make.h"
#include "make/vectors.h"
#include "problem/kinds.h"

#include "harness.h"

/* Told what is about to run, on whose behalf (NULL: nobody's) and how long it should take (NaN: not
 * known), so that another process can say what died or hangs. */
typedef struct ndft_watch {
    void (*phase)(void *context, const ndft_candidate *, ndft_phase, double expected_s);
    void *context;
} ndft_watch;

/* watch may be NULL. */
void ndft_watch_phase(const ndft_watch *, const ndft_candidate *, ndft_phase, double expected_s);

/* What outputs are known by: the host's sums, of all or of a sample, and a GPU's in double. */
typedef struct ndft_summed {
    const char *source;  /* "all" or "sample" by the host, "gpu": all by it, checked on a sample by
                            the host */
    int64_t *outputs;    /* elements; NULL: all */
    int64_t n;           /* of them */
    double *values;      /* NULL: they were not summed */
    ndft_promise errors; /* that its sums claim; the host's are 0 */
} ndft_summed;

enum { NDFT_KNOWN_BY_HOST, NDFT_KNOWN_BY_GPU, NDFT_KNOWN_WAYS };

/*
 * One made problem on one device, shared by all variants that are checked and timed there. Every
 * array of two is indexed by ndft_side.
 */
typedef struct ndft_fixture {
    const ndft_kind *kind;
    const ndft_backend *backend;
    const ndft_instruments *instruments; /* the backend's */
    ndft_exec *exec;
    ndft_device *device; /* around it */
    const ndft_case *problem;
    const ndft_made *made;
    ndft_op op;                /* the case's */
    char label[NDFT_CASE_MAX]; /* its canonical line, for profilers */

    const ndft_watch *watch;         /* NULL: nobody watches */
    const ndft_candidate *candidate; /* the one in hand; NULL: none */
    double expected_s;               /* one execution of it; NaN: not known */

    bool in_place;        /* the output overwrites the input: in[IMAGE] is out[KSPACE] */
    const void *given[2]; /* host: the made vectors; NULL where the case has no adjoint */
    size_t bytes[2];      /* of each vector */
    void *in[2], *out[2]; /* device */
    void *kept;           /* device: a copy of the input; NULL until ndft_fixture_renew needs it */
    void *fetched[2];     /* host copies of out */
    void *scratch;        /* host, as large as the larger vector */
    ndft_summed known[NDFT_KNOWN_WAYS];
    const ndft_summed *reference; /* of these, what the candidate in hand is compared with; NULL
                                    until ndft_fixture_reference has run */
    double reference_s; /* a GPU may take as long to sum them; two minutes unless it is set */
    char note[512];     /* why that is a sample although there is a GPU; else empty */
    char refused[512];  /* why a GPU cannot sum them for anybody; empty: it was not tried, or did */
} ndft_fixture;

/* Allocates and uploads on an open exec. NDFT_ENOMEM names the vector. */
ndft_status ndft_fixture_open(const ndft_kind *, const ndft_case *, const ndft_made *,
                              const ndft_backend *, ndft_exec *, ndft_fixture *);
void ndft_fixture_close(ndft_fixture *);

/* Begins a phase: tells the watch, and opens a profiler's range named after phase and case. */
void ndft_fixture_push(const ndft_fixture *, ndft_phase);
void ndft_fixture_pop(const ndft_fixture *);

/* NDFT_ENOMEM with the bytes wanted and free. */
ndft_status ndft_fixture_host_alloc(ndft_fixture *, size_t bytes, void **memory);

/* Executes a plan once, from and to the vectors of the operation. */
ndft_status ndft_fixture_execute(const ndft_fixture *, ndft_plan *, ndft_op);

/* Whether its data are white. Relative l2 errors are promised of those alone: of other data |A x|
 * may all but vanish. */
static inline bool ndft_is_white(const ndft_fixture *fixture)
{
    return fixture->problem->data.kind == NDFT_SOURCE_RANDOM;
}

/* Uploads the input of one side again, after a variant has changed it. */
ndft_status ndft_fixture_restore(ndft_fixture *, ndft_side);

/*
 * Whoever overwrites its input transforms, when it is executed again, what it has left there. So
 * that such data stay finite the input is put back after every sample, outside of what is timed,
 * and a sample has no more executions than the data can take.
 */

/* Puts the input of the fixture's operation back: queues a copy on the device, or uploads it where
 * memory for a copy is lacking. */
ndft_status ndft_fixture_renew(ndft_fixture *);

/* Executions in a row that no datum can overflow in: 1 where it is not known how fast they grow. */
int ndft_most_in_a_row(const ndft_fixture *);

#endif
