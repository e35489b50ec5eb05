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
 * one plan are one after the other, which is up to the caller: a call while another has not
 * returned is refused. Another thread takes a clone.
 *
 * FFTW makes one plan at a time. While it tries out algorithms, for uniform transforms of several
 * axes and for an engine with rigor=measure that was named, measured or known by wisdom, whoever
 * else wants a plan of it waits, for 0.5 s at most. What the process had it learn stays; a time
 * limit of the caller's is gone after it has tried, since FFTW tells it to nobody.
 */
typedef struct ndft_plan ndft_plan;

/* How an engine is chosen that is not named, where nothing was measured for the problem's shape
 * before (ndft/wisdom.h). */
typedef enum ndft_plan_mode {
    NDFT_ESTIMATE,  /* by what engines declare of their work, and what such work took before */
    NDFT_MEASURE,   /* those that may be the fastest by estimate are executed on data of the
                     * library's, and what was found is kept as wisdom */
    NDFT_EXHAUSTIVE /* all that serve the problem are */
} ndft_plan_mode;

/* What a plan is made with; all zero leaves everything to the library. */
typedef struct ndft_plan_options {
    size_t struct_size;  /* sizeof(ndft_plan_options) */
    bool deterministic;  /* the same bits from execution to execution */
    bool one_engine;     /* for all operations; of those that serve NDFT_NORMAL always */
    size_t memory_limit; /* bytes that the plan may hold on the device: its engines' arrays, its
                          * workspace, its buffers for host memory. 0: what there is. Beyond it are
                          * pinned buffers, and what engines keep in the process' heap, which on the
                          * processor are the factors of a field map and lists of samples */
    const char *variant; /* the id of the engine, as `ndft list` has it of the device, peers apart,
                          * "nufft_hybrid.cpu" or with knobs "tiled.cpu:tile=64"; NULL: the library
                          * chooses */
    ndft_plan_mode mode; /* load and store functions are never called to measure: NDFT_ESTIMATE */
    double time_limit_s; /* of measuring: none is begun later; 0: 2 (measure), none (exhaustive).
                          * Where there is no time for any, or no memory, it is by estimate */
    const ndft_problem *capacity; /* memory is kept for new values up to those of this problem,
                                   * which differs in its samples and maps alone; NULL: none is. The
                                   * engine serves both */
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
 * On a GPU it returns when the work is queued on the device's stream, behind what is queued there
 * and nothing else (ndft_device_open says how other streams are waited for); it never allocates. in
 * stays as it was. Data that are not finite make that coil's outputs not finite and no other's.
 * NDFT_EINVAL for an operation that the plan was not made for, memory that overlaps, a plan that
 * another call executes, or NULL.
 */
NDFT_API ndft_status ndft_execute(ndft_plan *, ndft_op op, const void *in, void *out);

/* The same on another stream of the device than its own (cudaStream_t, cudaStreamLegacy for the
 * default one; NULL: its own). An execution that is still under way on another stream is the
 * caller's to wait for. */
NDFT_API ndft_status ndft_execute_on(ndft_plan *, void *stream, ndft_op op, const void *in,
                                     void *out);

/* The same with host memory, finished on return. Buffers on the device and pinned ones on the host
 * are the plan's from the first such call on. */
NDFT_API ndft_status ndft_execute_host(ndft_plan *, ndft_op op, const void *in, void *out);

/*
 * The same in two parts, with other work in between, executions of other plans among it: begin
 * returns when all is queued, and in may change; end waits, and out is whole. On the processor all
 * is done by begin. NDFT_EINVAL for a second that begins, or an end of none.
 */
NDFT_API ndft_status ndft_execute_host_begin(ndft_plan *, ndft_op op, const void *in, void *out);
/* Of the execution that has begun. */
NDFT_API ndft_status ndft_execute_host_end(ndft_plan *);

/*
 * New values for a plan, with the shapes and units of ndft_problem_desc, on the host or the device:
 * samples with their times, k having as many pointers as the problem has axes; a field, where there
 * was none also; a mask, whose voxels have the maps that were described on the grid. The plan's
 * engines are prepared once more, of the memory that they held: a plan that was made with a
 * capacity takes no more of the device's, and values for which that is not enough are NDFT_ENOMEM;
 * another takes what it needs, and keeps for the next ones what it needed meanwhile. What was
 * captured in a graph before is not of the new values. Executions must have finished, but for those
 * on the device's own stream. Clones and other plans of the problem keep what they have. Where it
 * is not NDFT_OK the plan is as it was: NDFT_EINVAL as of ndft_problem_create and where another
 * call executes the plan, NDFT_EUNSUPPORTED where an engine does not serve the new values or cannot
 * promise tol, NDFT_ENOMEM. A device that fails meanwhile may leave a plan that is NDFT_EDEVICE
 * whenever it is executed. On a GPU new samples lie in pinned memory of the host, which the device
 * keeps for the next ones: the first two calls take longer.
 */
NDFT_API ndft_status ndft_plan_set_samples(ndft_plan *, int64_t n_samples, const void *const k[],
                                           const void *t);
/* A new field alone, [n[2]][n[1]][n[0]] in rad/s. */
NDFT_API ndft_status ndft_plan_set_field(ndft_plan *, const void *field);
/* A new mask alone, [n[2]][n[1]][n[0]]. */
NDFT_API ndft_status ndft_plan_set_mask(ndft_plan *, const unsigned char *mask);
/* New coil maps alone, complex, [coils][n[2]][n[1]][n[0]], of a plan that was made with some. */
NDFT_API ndft_status ndft_plan_set_maps(ndft_plan *, const void *maps);

/* Bytes of the plan's workspace, with its capacity: what its engines write anew whenever they are
 * executed. */
NDFT_API ndft_status ndft_plan_workspace(const ndft_plan *, size_t *bytes);

/*
 * From now on the plan's workspace is the caller's memory of the device, which others may use
 * between its executions, other plans among them: it is the caller's to keep them apart, and to
 * keep the memory as long as the plan. memory is aligned to 256 bytes, and bytes at least those of
 * ndft_plan_workspace; NULL: the plan has one of its own again. Its engines are prepared once more,
 * as with new values. Clones have workspaces of their own. NDFT_EINVAL for memory that is too small
 * or not aligned.
 */
NDFT_API ndft_status ndft_plan_use(ndft_plan *, void *memory, size_t bytes);

/*
 * Writes what the plan is as a line of JSON, at most size bytes with the zero, and is NDFT_EINVAL
 * where it does not fit: for each operation "op", "variant" (the id), "why" it was taken,
 * "estimated_s" and "measured_s" (null where nobody did), "chosen", what the engine chose by
 * itself, "typical" and "any", the errors that it promises (ndft_tol_kind), "deterministic" and
 * "capturable", and where the plan is to be deterministic "deterministic_price", how many times as
 * long as the fastest engine of all it takes by estimate; "launches", what an execution declares to
 * launch (on the processor, its parallel regions), and "engine_bytes", what it holds of the
 * device; with coil maps "maps", "around" its engine, which transforms images of all coils, or the
 * "engine" takes them itself. Of the whole plan "adjointness", where one engine is forward's and
 * another adjoint's, the sum of both typical claims, within which <A x, y> and <x, A^H y> agree for
 * white data, relative to |A x| |y| and |x| |A^H y|; "warning", where a field map or decay has no
 * effect, since all t are 0; "bytes", what memory_limit bounds, "workspace_bytes" of them
 * (ndft_plan_workspace), and "pinned_bytes" of the host's beside them.
 */
NDFT_API ndft_status ndft_plan_describe(const ndft_plan *, char *text, size_t size);

/* Its executions must have finished. NULL is allowed. */
NDFT_API void ndft_plan_destroy(ndft_plan *);

#ifdef __cplusplus
}
#endif
#endif
