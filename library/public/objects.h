/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_OBJECTS_H
#define NDFT_OBJECTS_H

#include "base/chirpz.h"
#include "base/convolution.h"
#include "base/kind.h"
#include "base/retained.h"
#include "device/backend.h"

#include <ndft.h>

/* What stands behind the opaque types. Each begins with what the engines see of it, is counted by
 * its users, and goes with the last of them. */

typedef struct ndft_opened {
    ndft_device device; /* first */
    int users;
    const ndft_backend *backend;
    ndft_exec *exec; /* from which those of plans are forked */
    bool lent;       /* exec is somebody else's */
    ndft_account account;
    ndft_stock stock;
    ndft_stock pinned; /* memory of the host for new samples of plans */
    ndft_error error;  /* of exec */
} ndft_opened;

typedef struct ndft_owned {
    union { /* first */
        ndft_problem problem;
        ndft_uniform_problem uniform; /* begins with its problem */
        ndft_convolution_problem convolution;
        ndft_chirpz_problem chirpz;
    };
    bool borrowed; /* its arrays are somebody else's */
    ndft_kind_of_problem kind;
    int users;
    ndft_opened *device;
    size_t held;          /* of the device's account, which the processor's memory is */
    double scale;         /* of a transform's outputs; 0: none */
    bool timed;           /* its samples were given times */
    const void *given[3]; /* the caller's k on the device, while a plan takes it; NULL: elsewhere */
    unsigned char *mask; /* and the maps on the whole grid, where there is one: others may follow */
    void *field, *decay, *phase_b, *gradient[3], *maps;
    void *position[3]; /* on the whole grid, of voxels that may yet be on it */
} ndft_owned;

/* Whether it has samples and maps. */
static inline bool ndft_takes_values(const ndft_owned *owned)
{
    return owned->kind == NDFT_NONUNIFORM;
}

/* A problem as described, of one user; from: of which it is a change, NULL: it is new. */
ndft_status ndft_describe_problem(ndft_device *, const ndft_problem_desc *, const ndft_owned *from,
                                  ndft_owned **);

/* The same problem but for what changes has: samples where it has n_samples, a field, a mask, coil
 * maps. Its own, of one user; the thread's message where there is none. */
ndft_status ndft_changed_problem(const ndft_owned *, const ndft_problem_desc *changes,
                                 ndft_owned **changed);

/* Memory of a problem's own, which the device's account has room for; what names it. */
ndft_status ndft_take_memory(ndft_owned *, const char *what, int64_t count, size_t size, void **,
                             ndft_error *);

/* The same, of what the device reaches by itself and keeps for the next where it can. */
ndft_status ndft_take_pinned(ndft_owned *, ndft_exec *, const char *what, int64_t count,
                             size_t size, void **);

bool ndft_is_pinned(const void *);

/* Gives back what was taken, which nobody else has. */
void ndft_drop_memory(ndft_owned *, const void *);

/* The same memory for one problem more; NULL is freed, too. */
ndft_status ndft_share_memory(ndft_owned *, const char *what, const void *of, void **,
                              ndft_error *);
void ndft_free_memory(const void *);

/* All zero, of one user, and keeps the device; NULL, with the thread's message. */
ndft_owned *ndft_new_problem(ndft_device *, ndft_kind_of_problem);

/* NDFT_EINVAL or NDFT_EUNSUPPORTED with the field that is wrong; arrays are not read. */
ndft_status ndft_check_description(const ndft_problem_desc *);

/* NDFT_EINVAL with the first element of a problem's arrays that no engine could use, once its
 * largest magnitudes are known. */
ndft_status ndft_check_values(const ndft_problem *, ndft_error *);

enum { NDFT_MOST_COILS = 256 };

/* NDFT_EINVAL with the axis of a grid that is wrong, by the field's name. */
ndft_status ndft_check_grid(const char *name, int dim, const int64_t n[3]);

/* NDFT_EINVAL with what is wrong of data and their error: how many at once, by the field's name, 0
 * standing for 1, and tol. */
ndft_status ndft_check_data(ndft_prec, const char *name, int count, double tol, ndft_tol_kind);

/* A requested error: within its range or 0, which stands for what is usual. */
ndft_status ndft_check_tol(double tol, ndft_tol_kind);
double ndft_tol_or_usual(double tol, ndft_prec);

/* One user more, and one less. */
void ndft_keep_device(ndft_opened *);
void ndft_keep_problem(ndft_owned *);

/* Makes an error the calling thread's message and returns its status. */
ndft_status ndft_tell(const ndft_error *);

/* The calling thread's error itself, for what fails at once. */
ndft_error *ndft_thread_error(void);

/*
 * Takes a structure of the caller, which may be older or newer than mine of size bytes: what it
 * lacks is zero, what it has beyond must be. NULL: all is zero. NDFT_EINVAL names it.
 */
ndft_status ndft_take_options(const char *name, const void *theirs, void *mine, size_t size);

/* The calling thread is of the device for as long as a call lasts; allocates: all but executions.
 */
static inline ndft_before ndft_enter(const ndft_opened *device, bool allocates)
{
    return device->backend->enter ? device->backend->enter(device->exec, allocates)
                                  : (ndft_before){0};
}

static inline void ndft_leave(const ndft_opened *device, ndft_before before)
{
    if (device->backend->leave) device->backend->leave(before);
}

#endif
