/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_PLAN_H
#define NDFT_PLAN_H

#include <ndft/problem.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * A problem with an engine for each operation, ready to be executed. Plans are independent of each
 * other: different threads may make, execute and destroy different ones at any time. Executions of
 * one plan are one after the other, which is up to the caller; another thread takes a clone.
 */
typedef struct ndft_plan ndft_plan;

typedef struct ndft_plan_options {
    size_t struct_size;  /* sizeof(ndft_plan_options) */
    bool deterministic;  /* the same bits from execution to execution */
    bool one_engine;     /* for all operations; of those that serve NDFT_NORMAL always */
    size_t memory_limit; /* bytes that the plan may hold on the device; 0: what there is */
    const char *variant; /* the id of the engine, as `ndft list` has it, "nufft_hybrid.cpu" or with
                          * knobs "tiled.cpu:tile=64"; NULL: the library chooses */
} ndft_plan_options;

/*
 * Makes a plan for the operations in ops, bits of ndft_op. options may be NULL. Every engine that
 * is taken promises the problem's tol. All allocations are finished on return.
 * NDFT_EINVAL for operations or a variant that there are not, NDFT_EUNSUPPORTED where no engine (or
 * not the one that was asked for) serves the problem, NDFT_ENOMEM, NDFT_EDEVICE.
 */
NDFT_API ndft_status ndft_plan_create(ndft_problem *, unsigned ops,
                                      const ndft_plan_options *options, ndft_plan **plan);

/* The same engines for the same problem, with memory of its own. */
NDFT_API ndft_status ndft_plan_clone(const ndft_plan *, ndft_plan **clone);

/*
 * Overwrites out by the operation of in. Both are memory of the device, of the lengths of
 * ndft_problem_lengths, and do not overlap, but of a transform in place, where they are the same.
 * On a GPU it returns when the work is queued on the device's stream; it never allocates. in stays
 * as it was. Data that are not finite make that coil's outputs not finite and no other's.
 * NDFT_EINVAL for an operation that the plan was not made for, or NULL.
 */
NDFT_API ndft_status ndft_execute(ndft_plan *, ndft_op op, const void *in, void *out);

/* The same on another stream of the device than its own (cudaStream_t; NULL: its own). An execution
 * that is still under way on another stream is the caller's to wait for. */
NDFT_API ndft_status ndft_execute_on(ndft_plan *, void *stream, ndft_op op, const void *in,
                                     void *out);

/* The same with host memory, finished on return. */
NDFT_API ndft_status ndft_execute_host(ndft_plan *, ndft_op op, const void *in, void *out);

/*
 * Writes what the plan is as a line of JSON, at most size bytes with the zero, and is NDFT_EINVAL
 * where it does not fit: for each operation "op", "variant" (the id), "why" it was taken,
 * "estimated_s" (null where it was asked for), "typical" and "any", the errors that it promises
 * (ndft_tol_kind), "deterministic" and "capturable"; of the whole plan "bytes" on the device.
 */
NDFT_API ndft_status ndft_plan_describe(const ndft_plan *, char *text, size_t size);

/* Its executions must have finished. NULL is allowed. */
NDFT_API void ndft_plan_destroy(ndft_plan *);

#ifdef __cplusplus
}
#endif
#endif
