/* SPDX-License-Identifier: Apache-2.0 */
#include "check/check.h"
#include "tally.h"

#include <math.h>
#include <stdlib.h>

/* Plans of one variant that live together, of unlike sizes, made in either order, with one
 * workspace for both: what one has set or left must not take from the other what it needs. */

static const char *const nonuniform[][2] = {
    {"forward 2d n=61x47 m=311 field=random:60Hz t=20ms coils=3 tol=1e-3",
     "forward 2d n=9x7 m=97 field=random:60Hz t=20ms coils=3 tol=1e-3"},
    {"adjoint 2d n=61x47 m=311 field=random:60Hz t=20ms coils=3 tol=1e-3",
     "adjoint 2d n=9x7 m=97 field=random:60Hz t=20ms coils=3 tol=1e-3"},
    {"adjoint 3d n=19x23x17 m=311 traj=kooshball:31", "adjoint 3d n=3x5x4 m=97 traj=kooshball:9"},
    {"forward 2d n=1300x2 m=2600 traj=epi:1 prec=f64",
     "forward 2d n=700x2 m=1400 traj=epi:1 prec=f64"},
    {"normal 2d n=61x47 m=311 field=random:60Hz t=20ms tol=1e-3",
     "normal 2d n=9x7 m=97 field=random:60Hz t=20ms tol=1e-3"},
};
static const char *const uniform[][2] = {
    {"uniform:scfo127x9", "uniform:scfo9x127"},
    {"uniform:scfo127*9", "uniform:scfo97*9"},
    {"uniform:dcbo101*9", "uniform:dcbo99*9"},
    {"uniform:scfo4001", "uniform:scfo2503"},
};
static const char *const convolutions[][2] = {
    {"convolve:sf61x47*3 outputs=7x47 cells=66x50 tol=1e-3", "convolve:sf9x7*2 tol=1e-3"},
    {"convolve:da4001 outputs=97 cells=4001 tol=1e-9", "convolve:da97 tol=1e-9"},
    {"convolve:sn31x9 outputs=9x31 cells=41x41 tol=1e-3", "convolve:sn5x4 tol=1e-3"},
};

static const char *const chirps[][2] = {
    {"chirpz:s4001*2 outputs=97 tol=1e-3", "chirpz:s97*3 outputs=31 w=0.999:-0.01 tol=1e-3"},
    {"chirpz:d501 outputs=77 w=1.0001:0.001 tol=1e-9", "chirpz:d500 tol=1e-9"},
};

/* The pairs of each kind of problems. */
static const struct {
    const char *const (*pair)[2];
    size_t n;
} pairs[] = {[NDFT_NONUNIFORM] = {nonuniform, sizeof nonuniform / sizeof *nonuniform},
             [NDFT_UNIFORM] = {uniform, sizeof uniform / sizeof *uniform},
             [NDFT_CONVOLUTION] = {convolutions, sizeof convolutions / sizeof *convolutions},
             [NDFT_CHIRPZ] = {chirps, sizeof chirps / sizeof *chirps}};

/* A problem, and its plan once it is checked. */
typedef struct member {
    const ndft_kind *kind;
    ndft_case problem;
    ndft_made made;
    ndft_fixture fixture;
    ndft_plan *plan; /* NULL: it did not pass */
    ndft_check check;
} member;

static ndft_status open_member(variant_suite *s, const char *text, ndft_exec *exec, member *m)
{
    NDFT_TRY(ndft_case_parse(text, &m->problem, exec->error));
    m->kind = ndft_kind_of(&m->problem);
    NDFT_TRY(m->kind->make(&m->problem, &m->made, exec->error));
    const ndft_status status =
        ndft_fixture_open(m->kind, &m->problem, &m->made, s->backend, exec, &m->fixture);
    if (status != NDFT_OK) ndft_made_free(&m->made);
    return status;
}

static void close_member(member *m)
{
    ndft_plan_destroy(m->plan);
    ndft_fixture_close(&m->fixture);
    ndft_made_free(&m->made);
}

/* Leaves the plan alive. */
static void check_member(variant_suite *s, const ndft_candidate *candidate, member *m)
{
    ndft_status planned;
    m->check =
        ndft_check_run(&m->fixture, candidate, ndft_timing_defaults.limit_s, &m->plan, &planned);
    if (m->check.verdict == NDFT_UNSUPPORTED)
        suite_unsupported(s); /* what must be served is asked elsewhere */
    else
        suite_judge(s, candidate, &m->problem, &m->check);
}

/* How far an output lies from the one that was checked, relative to it. */
static double distance(const member *m, const void *out)
{
    const ndft_prec prec = m->made.problem.prec;
    const ndft_side side = ndft_side_out(m->fixture.op);
    const int64_t reals = (int64_t)(m->fixture.bytes[side] / ndft_real_size(prec));
    double difference = 0, norm = 0;
    for (int64_t i = 0; i < reals; i++) {
        const double was = ndft_real_at(m->fixture.fetched[side], prec, i);
        const double is = ndft_real_at(out, prec, i);
        difference += (is - was) * (is - was);
        norm += was * was;
    }
    return sqrt(difference / norm);
}

/* Once more, beside the other. */
static void run_member(variant_suite *s, const ndft_candidate *candidate, const member *m)
{
    if (!m->plan) return;
    void *out = calloc(1, m->fixture.bytes[ndft_side_out(m->fixture.op)]);
    const ndft_status status =
        ndft_execute_host(m->plan, m->fixture.op, ndft_made_input(&m->made, m->fixture.op), out);
    if (status != NDFT_OK)
        suite_fail(s, candidate, m->fixture.label, "beside another: %s",
                   m->fixture.exec->error->message);
    else if (!(distance(m, out) <= 2 * m->check.claim))
        suite_fail(s, candidate, m->fixture.label, "beside another it is another result");
    else
        suite_pass(s);
    free(out);
}

/* Each is planned from the beginning of the workspace on, and finds NaN there when it is run. */
static ndft_status share_workspace(variant_suite *s, const ndft_candidate *candidate,
                                   ndft_exec *exec, member m[2])
{
    enum { ROOM = 64 << 20, NOT_A_NUMBER = 0xff };
    ndft_pool *pool = s->backend->pool(exec);
    void *lent;
    size_t used = 0;
    NDFT_TRY(exec->alloc(exec, "what is lent", ROOM, &lent));
    for (int i = 0; i < 2; i++) {
        ndft_pool_lend(pool, lent, ROOM);
        check_member(s, candidate, &m[i]);
        if (used < pool->lent_used) used = pool->lent_used;
    }
    ndft_pool_lend(pool, NULL, 0);
    ndft_status status = NDFT_OK;
    for (int i = 0; i < 2 && status == NDFT_OK; i++) {
        status = s->backend->fill(exec, lent, NOT_A_NUMBER, used);
        if (status == NDFT_OK) run_member(s, candidate, &m[i]);
    }
    exec->release(exec, lent);
    return status;
}

static ndft_status run_pair(variant_suite *s, const ndft_candidate *candidate, ndft_exec *exec,
                            const char *first, const char *second)
{
    member m[2] = {0};
    NDFT_TRY(open_member(s, first, exec, &m[0]));
    ndft_status status = open_member(s, second, exec, &m[1]);
    if (status == NDFT_OK) {
        status = share_workspace(s, candidate, exec, m);
        close_member(&m[1]);
    }
    close_member(&m[0]);
    return status;
}

void test_together(variant_suite *s, const ndft_registered *entry)
{
    const ndft_candidate candidate = ndft_candidate_of(entry);
    for (size_t i = 0; i < 2 * pairs[entry->kind].n; i++) {
        ndft_exec *exec;
        ndft_error err = {0};
        const char *const *pair = pairs[entry->kind].pair[i / 2];
        ndft_status status = s->backend->open(0, &exec, &err);
        if (status == NDFT_OK) {
            status = run_pair(s, &candidate, exec, pair[i % 2], pair[1 - i % 2]);
            s->backend->close(exec);
        }
        if (status != NDFT_OK) suite_fail(s, &candidate, pair[0], "%s", err.message);
    }
}
