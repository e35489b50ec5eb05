/* SPDX-License-Identifier: Apache-2.0 */
#include "group.h"

#include "harness.h"
#include "promise.h"

#include <stdlib.h>

/* Frames of a group: whole problems that are dealt over its devices, neighbours to the same one.
 * Nothing is cut, so that nothing is summed. */

typedef struct frame {
    const ndft_problem *problem; /* while it is made */
    ndft_plan *plan;
    bool shares; /* the plan of the frame before it */
    size_t in_bytes[NDFT_NORMAL + 1], out_bytes[NDFT_NORMAL + 1]; /* by operation */
} frame;

/* What a device has where vectors are not in its reach. */
typedef struct seat {
    ndft_exec *exec;
    ndft_error error;
    char *in, *out;
} seat;

struct ndft_group_frames {
    ndft_group *group;
    unsigned ops;
    const ndft_plan_options *each; /* while they are made */
    int n;
    frame *frame;
    seat seat[NDFT_MOST_PARTS];
};

static const ndft_opened *opened(const ndft_group_frames *f, int device)
{
    return (const ndft_opened *)f->group->device[device];
}

/* The first of a device's. */
static int first_of(const ndft_group_frames *f, int device)
{
    return (int)((int64_t)f->n * device / f->group->n);
}

static ndft_status make_plan(ndft_group_frames *f, int device, int i)
{
    frame *one = &f->frame[i];
    ndft_problem *problem;
    one->shares = i > first_of(f, device) && one->problem == one[-1].problem;
    if (one->shares) {
        one->plan = one[-1].plan;
        return NDFT_OK;
    }
    NDFT_TRY(ndft_problem_again(f->group->device[device], one->problem, &problem));
    const ndft_status status = ndft_plan_create(problem, f->ops, f->each, &one->plan);
    ndft_problem_destroy(problem);
    return status;
}

/* The processor's memory is the host's, and the first GPU has the vectors. */
static bool has_copies(const ndft_group_frames *f, int device)
{
    return device > 0 && opened(f, device)->backend->pin;
}

static ndft_status take_memory(ndft_group_frames *f, int device, size_t in, size_t out)
{
    seat *own = &f->seat[device];
    void *memory[2];
    NDFT_TRY(
        opened(f, device)->backend->fork(opened(f, device)->exec, &own->exec, ndft_thread_error()));
    own->exec->error = &own->error;
    NDFT_TRY(own->exec->alloc(own->exec, "a frame's input", in, &memory[0]));
    own->in = memory[0];
    NDFT_TRY(own->exec->alloc(own->exec, "a frame's output", out, &memory[1]));
    own->out = memory[1];
    return NDFT_OK;
}

static ndft_status make_seat(ndft_group_frames *f, int device)
{
    size_t in = 0, out = 0;
    for (int i = first_of(f, device); i < first_of(f, device + 1); i++)
        for (unsigned op = NDFT_FORWARD; op <= NDFT_NORMAL; op <<= 1) {
            if (!(f->ops & op)) continue;
            if (f->frame[i].in_bytes[op] > in) in = f->frame[i].in_bytes[op];
            if (f->frame[i].out_bytes[op] > out) out = f->frame[i].out_bytes[op];
        }
    const ndft_before before = ndft_enter(opened(f, device), true);
    const ndft_status status = take_memory(f, device, in, out);
    ndft_leave(opened(f, device), before);
    return f->seat[device].error.status == NDFT_OK ? status : ndft_tell(&f->seat[device].error);
}

static ndft_status make_device(void *context, int device)
{
    ndft_group_frames *f = context;
    for (int i = first_of(f, device); i < first_of(f, device + 1); i++)
        NDFT_TRY(make_plan(f, device, i));
    return has_copies(f, device) ? make_seat(f, device) : NDFT_OK;
}

/* Of its problem, which the caller may destroy. */
static ndft_status describe_frame(frame *one, const ndft_problem *problem)
{
    one->problem = problem;
    if (!problem)
        return ndft_fail(ndft_thread_error(), NDFT_EINVAL, "the problem of a frame is NULL");
    if (!ndft_takes_values((const ndft_owned *)problem))
        return ndft_fail(ndft_thread_error(), NDFT_EINVAL,
                         "frames are problems of samples and voxels");
    for (unsigned op = NDFT_FORWARD; op <= NDFT_NORMAL; op <<= 1) {
        one->in_bytes[op] = ndft_input_bytes(problem, (ndft_op)op);
        one->out_bytes[op] = ndft_output_bytes(problem, (ndft_op)op);
    }
    return NDFT_OK;
}

static ndft_status make(ndft_group_frames *f, const ndft_problem *const problems[],
                        const ndft_plan_options *options)
{
    ndft_plan_options each;
    NDFT_TRY(ndft_take_options("plan options", options, &each, sizeof each));
    each.struct_size = sizeof each;
    each.deterministic |= f->group->is_fixed;
    if (each.capacity)
        return ndft_fail(ndft_thread_error(), NDFT_EUNSUPPORTED,
                         "capacity: frames of a group take no new values; NULL");
    f->frame = calloc((size_t)f->n, sizeof *f->frame);
    if (!f->frame) return ndft_fail(ndft_thread_error(), NDFT_ENOMEM, "no memory for frames");
    for (int i = 0; i < f->n; i++) NDFT_TRY(describe_frame(&f->frame[i], problems[i]));
    f->each = &each;
    const ndft_status status = ndft_crew_run(f->group->crew, make_device, f);
    f->each = NULL;
    return status;
}

ndft_status ndft_group_frames_create(ndft_group *group, int n, const ndft_problem *const problems[],
                                     unsigned ops, const ndft_plan_options *each,
                                     ndft_group_frames **out)
{
    ndft_error *err = ndft_thread_error();
    if (!group || !problems || !out)
        return ndft_fail(err, NDFT_EINVAL, "frames need a group, problems and a place");
    *out = NULL;
    if (n < 1) return ndft_fail(err, NDFT_EINVAL, "n=%d frames; nearest: 1", n);
    if (group->communicator)
        return ndft_fail(err, NDFT_EUNSUPPORTED,
                         "frames are dealt over devices of one process; each rank plans its own");
    ndft_group_frames *f = calloc(1, sizeof *f);
    if (!f) return ndft_fail(err, NDFT_ENOMEM, "no memory for frames");
    f->group = group;
    f->ops = ops;
    f->n = n;
    __atomic_add_fetch(&group->users, 1, __ATOMIC_RELAXED);
    const ndft_status status = make(f, problems, each);
    if (status == NDFT_OK)
        *out = f;
    else
        ndft_group_frames_destroy(f);
    return status;
}

/* An execution: so many vectors of each frame, one behind the other. */
typedef struct run {
    ndft_group_frames *frames;
    ndft_op op;
    int vectors;
    bool on_host;
    const char *in;
    char *out;
} run;

static ndft_status execute_there(const run *r, int device, const frame *one, const char *in,
                                 char *out)
{
    const seat *own = &r->frames->seat[device];
    const ndft_backend *backend = opened(r->frames, device)->backend;
    NDFT_TRY(backend->copy(own->exec, own->in, in, one->in_bytes[r->op]));
    NDFT_TRY(ndft_execute(one->plan, r->op, own->in, own->out));
    return backend->copy(own->exec, out, own->out, one->out_bytes[r->op]);
}

static ndft_status execute_one(const run *r, int device, const frame *one, const char *in,
                               char *out)
{
    if (r->on_host) return ndft_execute_host(one->plan, r->op, in, out);
    if (has_copies(r->frames, device)) return execute_there(r, device, one, in, out);
    return ndft_execute(one->plan, r->op, in, out);
}

static ndft_status execute_own(const run *r, int device)
{
    const ndft_group_frames *f = r->frames;
    const int first = first_of(f, device), end = first_of(f, device + 1);
    const char *in = r->in;
    char *out = r->out;
    for (int i = 0; i < end; i++)
        for (int v = 0; v < r->vectors; v++) {
            const frame *one = &f->frame[i];
            if (i >= first) NDFT_TRY(execute_one(r, device, one, in, out));
            in += one->in_bytes[r->op];
            out += one->out_bytes[r->op];
        }
    return NDFT_OK;
}

/* Finished on return. */
static ndft_status execute_at(void *context, int device)
{
    const run *r = context;
    const ndft_opened *own = opened(r->frames, device);
    ndft_error *error = &r->frames->seat[device].error;
    const ndft_before before = ndft_enter(own, true);
    *error = (ndft_error){.status = NDFT_OK};
    ndft_status status = execute_own(r, device);
    const ndft_error why =
        status == NDFT_OK || error->status != NDFT_OK ? *error : *ndft_thread_error();
    const ndft_status synced = own->backend->sync(own->exec);
    ndft_leave(own, before);
    if (status != NDFT_OK) return ndft_tell(&why);
    return synced == NDFT_OK ? NDFT_OK : ndft_tell(own->exec->error);
}

static ndft_status execute(ndft_group_frames *f, ndft_op op, bool on_host, int vectors,
                           const void *in, void *out)
{
    ndft_error *err = ndft_thread_error();
    run r = {f, op, vectors, on_host, in, out};
    if (!f || !in || !out || in == out)
        return ndft_fail(err, NDFT_EINVAL, "%s",
                         !f     ? "frames are NULL"
                         : !in  ? "in is NULL"
                         : !out ? "out is NULL"
                                : "in and out are the same memory");
    if (!op || (op & (op - 1)) || !((unsigned)op & f->ops))
        return ndft_fail(err, NDFT_EINVAL, "op=%d: the plans were made for ops=%u", (int)op,
                         f->ops);
    if (vectors < 1) return ndft_fail(err, NDFT_EINVAL, "vectors=%d; nearest: 1", vectors);
    return ndft_crew_run(f->group->crew, execute_at, &r);
}

ndft_status ndft_group_frames_execute(ndft_group_frames *f, ndft_op op, int vectors, const void *in,
                                      void *out)
{
    return execute(f, op, false, vectors, in, out);
}

ndft_status ndft_group_frames_execute_host(ndft_group_frames *f, ndft_op op, int vectors,
                                           const void *in, void *out)
{
    return execute(f, op, true, vectors, in, out);
}

ndft_status ndft_group_frames_describe(const ndft_group_frames *f, int i, char *text, size_t size)
{
    if (!f || i < 0 || i >= f->n)
        return ndft_fail(ndft_thread_error(), NDFT_EINVAL, "frame=%d; 0 to %d of frames", i,
                         f ? f->n - 1 : 0);
    return ndft_plan_describe(f->frame[i].plan, text, size);
}

static void leave_seat(ndft_group_frames *f, int device)
{
    seat *own = &f->seat[device];
    if (!own->exec) return;
    const ndft_before before = ndft_enter(opened(f, device), true);
    own->exec->release(own->exec, own->in);
    own->exec->release(own->exec, own->out);
    opened(f, device)->backend->close(own->exec);
    ndft_leave(opened(f, device), before);
}

void ndft_group_frames_destroy(ndft_group_frames *f)
{
    if (!f) return;
    for (int i = 0; f->frame && i < f->n; i++)
        if (!f->frame[i].shares) ndft_plan_destroy(f->frame[i].plan);
    for (int device = 0; device < f->group->own; device++) leave_seat(f, device);
    free(f->frame);
    ndft_group_destroy(f->group);
    free(f);
}
