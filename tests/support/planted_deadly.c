/* SPDX-License-Identifier: Apache-2.0 */
#include "planted_deadly.h"

#include "planted.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const char *const deadly_moments[] = {"plan",  "forward", "adjoint", "time", "second",
                                      "graph", "late",    "alone",   NULL};

ndft_status deadly_make(const ndft_variant *inner, const ndft_problem *p, const int *knobs,
                        unsigned ops, ndft_exec *exec, void **out)
{
    const int none[NDFT_MAX_KNOBS] = {0};
    deadly_plan *plan = malloc(sizeof *plan);
    *plan = (deadly_plan){.inner = inner, .exec = exec, .knobs = {knobs[0], knobs[1]}, .ops = ops};
    ndft_status status = inner->plan(p, none, ops, exec, &plan->state);
    if (status == NDFT_OK)
        *out = plan;
    else
        free(plan);
    return status;
}

void deadly_destroy(void *state)
{
    deadly_plan *plan = state;
    plan->inner->destroy(plan->state);
    free(plan);
}

static bool another_was_first(void)
{
    const char *path = getenv("NDFT_PLANTED_FIRST");
    long first = 0;
    FILE *file = path ? fopen(path, "a+") : NULL;
    if (!file) return false;
    rewind(file);
    if (fscanf(file, "%ld", &first) != 1) fprintf(file, "%ld", first = (long)getpid());
    fclose(file);
    return first != (long)getpid();
}

bool deadly_is_due(deadly_plan *plan, ndft_op op, bool in_graph)
{
    bool checking = ++plan->executed <= 2;
    switch (plan->knobs[DEADLY_MOMENT]) {
    case DEADLY_FORWARD:
        return checking && op == NDFT_FORWARD;
    case DEADLY_ADJOINT:
        return checking && op == NDFT_ADJOINT;
    case DEADLY_SECOND:
        return another_was_first();
    case DEADLY_GRAPH:
        return in_graph;
    case DEADLY_LATE:
        return plan->executed > DEADLY_RUNS;
    case DEADLY_ALONE:
        return (plan->ops & (plan->ops - 1)) == 0;
    default:
        return !checking && plan->knobs[DEADLY_MOMENT] == DEADLY_TIME;
    }
}

/* How a process on the CPU can be lost. */
enum { NO_DEATH, SEGFAULT, ABORT, SPIN, EAT, EXIT, RUBBISH, WRONG };
static const char *const deaths[] = {"none", "segfault", "abort", "spin", "eat",
                                     "exit", "rubbish",  "wrong", NULL};

/* NULL: where nothing is ever mapped, which compilers and sanitizers do not see. */
static void write_to(char *memory)
{
    char *volatile there = memory ? memory : (char *)64;
    *there = 1;
}

/* Takes memory until there is none, and does not look; gives up at twice what the machine has. */
static void eat(void)
{
    const size_t bite = (size_t)1 << 30;
    size_t all = (size_t)sysconf(_SC_PHYS_PAGES) * (size_t)sysconf(_SC_PAGESIZE);
    for (size_t eaten = 0; eaten < 2 * all; eaten += bite) write_to(malloc(bite));
}

static void die(int death)
{
    switch (death) {
    case SEGFAULT:
        write_to(NULL);
        break;
    case ABORT:
        abort();
    case SPIN:
        for (volatile bool forever = true; forever;) {
        }
        break;
    case EAT:
        eat();
        break;
    case EXIT:
        _exit(0);
    case RUBBISH:
        printf("{\"type\":\"case\"}\nrubbish");
        fflush(stdout);
        break;
    }
}

static ndft_status plan(const ndft_problem *p, const int *knobs, unsigned ops, ndft_exec *exec,
                        void **out)
{
    if (knobs[DEADLY_MOMENT] == DEADLY_PLAN) die(knobs[DEADLY_DEATH]);
    return deadly_make(&planted_variant, p, knobs, ops, exec, out);
}

static ndft_status execute(void *state, ndft_op op, const void *in, void *out)
{
    deadly_plan *made = state;
    const bool due = deadly_is_due(made, op, made->exec->stream != NULL); /* planted_graphs.h */
    if (due) die(made->knobs[DEADLY_DEATH]);
    const ndft_status status = made->inner->execute(made->state, op, in, out);
    if (due && made->knobs[DEADLY_DEATH] == WRONG) memset(out, 0, sizeof(float));
    return status;
}

static ndft_cost cost(const ndft_problem *p, ndft_op op, const int *knobs)
{
    (void)knobs;
    return (ndft_cost){.issue_slots = 60 * ndft_coil_pairs(p, op)};
}

static const ndft_knob knobs[] = {
    {.name = "death", .words = deaths, .n_candidates = 1, .candidates = {NO_DEATH}},
    {.name = "when", .words = deadly_moments, .n_candidates = 1, .candidates = {DEADLY_FORWARD}}};

const ndft_variant deadly_cpu = {
    .name = "deadly",
    .backend = "cpu",
    .summary = "the reference, and what a process dies of",
    .knobs = knobs,
    .n_knobs = DEADLY_KNOBS,
    .claim = {.c = 2, .deterministic = true},
    .plan = plan,
    .execute = execute,
    .destroy = deadly_destroy,
    .cost = cost,
};
