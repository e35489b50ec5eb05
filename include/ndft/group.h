/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_GROUP_H
#define NDFT_GROUP_H

#include <ndft/plan.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Several devices of this process that work on one problem, each by a thread of its own. */
typedef struct ndft_group ndft_group;

/* The most devices, and parts, of a group. */
enum { NDFT_MOST_PARTS = 64 };

/*
 * Opens n devices, 1 to NDFT_MOST_PARTS, by their names of ndft_device_open: "cuda:0", "cuda:1", or
 * "cpu" as many times as there are to be. They are alike: of one backend and model.
 *
 * parts is into how many pieces each problem is cut. 0: one for each device, and a group of one is
 * the plain plan. Else a power of two that n divides: images that are summed over parts are summed
 * by one binary tree, whichever devices the parts are on, engines are deterministic, and so 8 parts
 * give the same bits on 1, 2, 4 and 8 devices.
 *
 * each is what every device is opened with (NULL: all the library's), without stream, alloc and
 * release, which are of one device. Of processors whose threads are 0 each has the process' share
 * for one part, whatever n: bits depend on it.
 * NDFT_EINVAL with the nearest valid, NDFT_EDEVICE, NDFT_ENOMEM.
 */
NDFT_API ndft_status ndft_group_create(int n, const char *const *names, int parts,
                                       const ndft_device_options *each, ndft_group **group);

/* Plans keep their group: it goes with the last of them. NULL is allowed. */
NDFT_API void ndft_group_destroy(ndft_group *);

/* A problem with engines on every device of a group, for executions one after the other. */
typedef struct ndft_group_plan ndft_group_plan;

/*
 * Along what a problem is cut. Inputs that a part needs whole are copied to its device; outputs
 * that parts have in part are gathered, those that each has a term of are summed.
 *
 *              forward              adjoint              normal
 *     coils    gathers samples      gathers images       gathers images
 *     outputs  gathers samples      gathers voxels       sums images, samples stay where they are
 *     samples  gathers samples      sums images          sums images, likewise
 *
 * With coil maps there is one image, and parts by coils sum it.
 */
typedef enum ndft_group_split {
    NDFT_SPLIT_AUTO,    /* of those that serve the one that is predicted to take the least: by what
                         * engines are estimated to take for a part, and by the link */
    NDFT_SPLIT_COILS,   /* planar data of at least as many coils as parts */
    NDFT_SPLIT_OUTPUTS, /* forward by samples, adjoint by voxels */
    NDFT_SPLIT_SAMPLES,
} ndft_group_split;

/* What a plan of a group is made with; all zero leaves everything to the library. */
typedef struct ndft_group_plan_options {
    size_t struct_size;            /* sizeof(ndft_group_plan_options) */
    ndft_group_split split;        /* one that cannot serve the problem is refused */
    const ndft_plan_options *each; /* of every part's plan, without capacity; NULL: all zero */
    double link_bytes_s;           /* one way between two devices, as `ndft peak` measures */
    double link_step_s;            /* a message and a hand-over of threads; 0: as is usual */
} ndft_group_plan_options;

/*
 * Makes plans of all parts for the operations in ops, bits of ndft_op, at the same time on all
 * devices, which copy their part of the problem: it may be of any device. options may be NULL. All
 * allocations on devices are finished on return. NDFT_EINVAL, also for a problem without samples
 * and voxels or with fewer of them than parts; NDFT_EUNSUPPORTED, NDFT_ENOMEM and NDFT_EDEVICE as
 * of ndft_plan_create.
 */
NDFT_API ndft_status ndft_group_plan_create(ndft_group *, const ndft_problem *, unsigned ops,
                                            const ndft_group_plan_options *options,
                                            ndft_group_plan **plan);

/*
 * Overwrites out by the operation of in, both whole, of the lengths of ndft_problem_lengths, in
 * memory of the group's first device, and finished on return. What others write to in there must be
 * finished. Where it is not NDFT_OK what is in out is anybody's guess.
 */
NDFT_API ndft_status ndft_group_execute(ndft_group_plan *, ndft_op op, const void *in, void *out);

/* The same with memory of the host. */
NDFT_API ndft_status ndft_group_execute_host(ndft_group_plan *, ndft_op op, const void *in,
                                             void *out);

/* What a device has of an operation's input or output: of so many coils, from a first one, elements
 * (voxels or samples) from a first one. */
typedef struct ndft_group_part {
    int first_coil; /* of the problem's coils */
    int coils;      /* so many from there */
    int64_t first;  /* of the problem's samples, or voxels in use */
    int64_t length; /* so many from there */
} ndft_group_part;

/* Of the input, or the output. Data that are not cut are whole on each device, and so is what is
 * summed. */
NDFT_API ndft_status ndft_group_part_of(const ndft_group_plan *, ndft_op op, int device,
                                        bool output, ndft_group_part *part);

/*
 * The same with what ndft_group_part_of says in memory of each device, [coils][length] or
 * [length][coils], in[device] and out[device]: inputs stay where they are, outputs where they were
 * made, and a sum goes to all. Devices that are one may have the same input.
 */
NDFT_API ndft_status ndft_group_execute_parts(ndft_group_plan *, ndft_op op, const void *const *in,
                                              void *const *out);

/*
 * Writes what the plan is as a line of JSON, at most size bytes with the zero, and is NDFT_EINVAL
 * where it does not fit: "devices" and "parts", their numbers, "device", the line of the first
 * (ndft_device_describe), and "plans", for the operations that are cut alike: "split" (coils,
 * samples or voxels), "sums" (the operations whose images are summed), "part", of the first part's
 * plan what ndft_plan_describe has, and "seconds", predicted of one execution of each operation
 * with arrays in parts (absent where nobody can tell).
 */
NDFT_API ndft_status ndft_group_plan_describe(const ndft_group_plan *, char *text, size_t size);

/* NULL is allowed. */
NDFT_API void ndft_group_plan_destroy(ndft_group_plan *);

/* Frames, as of a series in time: whole problems, dealt over a group's devices. */
typedef struct ndft_group_frames ndft_group_frames;

/*
 * Makes plans of n problems for the operations in ops, at the same time on all devices: neighbours
 * are on the same one, as many on each as n allows. Frames with the same samples and maps, whose
 * problem is the same object one behind the other, share a plan. The problems, of any device, may
 * be destroyed. Every frame is the plain plan of one device, and where the group's parts are fixed
 * it is deterministic. each may be NULL, and has no capacity. NDFT_EUNSUPPORTED for ranks, which
 * plan their own frames.
 */
NDFT_API ndft_status ndft_group_frames_create(ndft_group *, int n,
                                              const ndft_problem *const problems[], unsigned ops,
                                              const ndft_plan_options *each,
                                              ndft_group_frames **frames);

/*
 * Overwrites out by the operation of in, in memory of the group's first device, and finished on
 * return: of each frame as many vectors as vectors says, one behind the other, behind those of the
 * frame before it. As of ndft_group_execute.
 */
NDFT_API ndft_status ndft_group_frames_execute(ndft_group_frames *, ndft_op op, int vectors,
                                               const void *in, void *out);

/* The same with memory of the host, from and to which each device copies its own. */
NDFT_API ndft_status ndft_group_frames_execute_host(ndft_group_frames *, ndft_op op, int vectors,
                                                    const void *in, void *out);

/* What ndft_plan_describe says of a frame's plan. */
NDFT_API ndft_status ndft_group_frames_describe(const ndft_group_frames *, int frame, char *text,
                                                size_t size);

/* NULL is allowed. */
NDFT_API void ndft_group_frames_destroy(ndft_group_frames *);

#ifdef __cplusplus
}
#endif
#endif
