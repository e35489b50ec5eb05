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

/* What a device has where vectors are not in its reach: on a stream beside its own what the next
 * frame reads comes, and what the last one wrote goes, by buffers that take turns. */
typedef struct seat {
    ndft_exec *exec, *beside;
    ndft_error error;
    char *in[2], *out[2];
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

static ndft_status take_memory(seat *own, size_t in, size_t out)
{
    for (int i = 0; i < 2; i++) {
        void *memory[2];
        NDFT_TRY(own->exec->alloc(own->exec, "a frame's input", in, &memory[0]));
        own->in[i] = memory[0];
        NDFT_TRY(own->exec->alloc(own->exec, "a frame's output", out, &memory[1]));
        own->out[i] = memory[1];
    }
    return NDFT_OK;
}

static ndft_status open_seat(const ndft_opened *device, seat *own)
{
    NDFT_TRY(device->backend->fork(device->exec, &own->exec, &own->error));
    return device->backend->fork_beside(device->exec, &own->beside, &own->error);
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
    ndft_status status = open_seat(opened(f, device), &f->seat[device]);
    if (status == NDFT_OK) status = take_memory(&f->seat[device], in, out);
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

/* A vector of a frame, of the device's the i'th. */
typedef struct item {
    const frame *of;
    const char *in;
    char *out;
    int vector, i;
} item;

static item behind(const run *r, item one)
{
    one.in += one.of->in_bytes[r->op];
    one.out += one.of->out_bytes[r->op];
    one.vector = (one.vector + 1) % r->vectors;
    one.of += !one.vector;
    one.i++;
    return one;
}

static item first_item(const run *r, int device)
{
    item one = {.of = r->frames->frame, .in = r->in, .out = r->out};
    for (int i = first_of(r->frames, device) * r->vectors; i; i--) one = behind(r, one);
    one.i = 0;
    return one;
}

static int number_of(const run *r, int device)
{
    return (first_of(r->frames, device + 1) - first_of(r->frames, device)) * r->vectors;
}

static ndft_status bring(const run *r, int device, const item *one)
{
    const seat *own = &r->frames->seat[device];
    if (one->i == number_of(r, device)) return NDFT_OK;
    return opened(r->frames, device)
        ->backend->copy(own->beside, own->in[one->i % 2], one->in, one->of->in_bytes[r->op]);
}

static ndft_status send(const run *r, int device, const item *one)
{
    const seat *own = &r->frames->seat[device];
    return opened(r->frames, device)
        ->backend->copy(own->beside, one->out, own->out[one->i % 2], one->of->out_bytes[r->op]);
}

static ndft_status execute_by_copies(const run *r, int device)
{
    const seat *own = &r->frames->seat[device];
    const ndft_backend *backend = opened(r->frames, device)->backend;
    item one = first_item(r, device), last = one;
    NDFT_TRY(bring(r, device, &one));
    for (int n = number_of(r, device); one.i < n; last = one, one = behind(r, one)) {
        const item next = behind(r, one);
        NDFT_TRY(backend->wait_for(own->exec, own->beside));
        NDFT_TRY(backend->wait_for(own->beside, own->exec));
        NDFT_TRY(ndft_execute(one.of->plan, r->op, own->in[one.i % 2], own->out[one.i % 2]));
        if (one.i) NDFT_TRY(send(r, device, &last));
        NDFT_TRY(bring(r, device, &next));
    }
    NDFT_TRY(backend->wait_for(own->beside, own->exec));
    return number_of(r, device) ? send(r, device, &last) : NDFT_OK;
}

static ndft_status execute_own(const run *r, int device)
{
    item one = first_item(r, device);
    if (has_copies(r->frames, device) && !r->on_host) return execute_by_copies(r, device);
    for (int n = number_of(r, device); one.i < n; one = behind(r, one)) {
        ndft_plan *plan = one.of->plan;
        NDFT_TRY(r->on_host ? ndft_execute_host(plan, r->op, one.in, one.out)
                            : ndft_execute(plan, r->op, one.in, one.out));
    }
    return NDFT_OK;
}

/* Until all is done that is queued, there and beside. */
static ndft_status finish(const ndft_opened *device, const seat *own)
{
    if (own->beside) NDFT_TRY(device->backend->wait_for(device->exec, own->beside));
    return device->backend->sync(device->exec);
}

/* Finished on return. */
static ndft_status execute_at(void *context, int device)
{
    const run *r = context;
    const ndft_opened *there = opened(r->frames, device);
    seat *own = &r->frames->seat[device];
    const ndft_before before = ndft_enter(there, true);
    own->error = (ndft_error){.status = NDFT_OK};
    const ndft_status status = execute_own(r, device);
    const ndft_error why =
        status == NDFT_OK || own->error.status != NDFT_OK ? own->error : *ndft_thread_error();
    const ndft_status finished = finish(there, own);
    ndft_leave(there, before);
    if (status != NDFT_OK) return ndft_tell(&why);
    return finished == NDFT_OK ? NDFT_OK : ndft_tell(there->exec->error);
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
    for (int i = 0; i < 2; i++) {
        own->exec->release(own->exec, own->in[i]);
        own->exec->release(own->exec, own->out[i]);
    }
    opened(f, device)->backend->close(own->beside);
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
