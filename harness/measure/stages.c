/* SPDX-License-Identifier: Apache-2.0 */
#include "stages.h"

#include <stdlib.h>
#include <string.h>

typedef struct census {
    ndft_stages *stages;
    const char *const *names;
    ndft_status status;
} census;

static bool has_room(ndft_stages *s)
{
    if (s->n < s->room) return true;
    const int room = s->room ? 2 * s->room : 64;
    unsigned char *longer = realloc(s->stage, (size_t)room);
    if (!longer) return false;
    s->stage = longer;
    s->room = room;
    return true;
}

static void note(ndft_exec *exec, const char *stage)
{
    census *c = exec->listener;
    int i = 0;
    while (c->names[i] && strcmp(c->names[i], stage)) i++;
    if (c->status != NDFT_OK) return;
    if (!c->names[i])
        c->status = ndft_fail(exec->error, NDFT_EDEVICE,
                              "it marks a stage \"%s\", which its list does not have", stage);
    else if (!has_room(c->stages))
        c->status = ndft_fail(exec->error, NDFT_ENOMEM, "no memory for its marks");
    else
        c->stages->stage[c->stages->n++] = (unsigned char)i;
}

ndft_status ndft_stages_count(const ndft_region *r, const char *const *names, ndft_stages *stages)
{
    ndft_exec *exec = r->fixture->exec;
    census c = {stages, names, NDFT_OK};
    int n = 0;
    while (names[n]) n++;
    if (n > NDFT_MAX_STEPS)
        return ndft_fail(exec->error, NDFT_EDEVICE, "it has %d stages; %d are the most", n,
                         NDFT_MAX_STEPS);
    stages->n = 0;
    ndft_status status = ndft_region_listen(r, note, &c);
    if (status == NDFT_OK) status = r->fixture->backend->sync(exec);
    if (status == NDFT_OK && r->consumes) status = ndft_fixture_renew(r->fixture);
    if (status == NDFT_OK) status = c.status;
    if (status == NDFT_OK && stages->n == 0)
        return ndft_fail(exec->error, NDFT_EDEVICE, "it has %d stages and marks none", n);
    return status;
}

static ndft_status time_differences(const ndft_stages *s, const ndft_region *r, double *steps)
{
    double last = 0;
    ndft_reading now;
    for (int mark = 0; mark < s->n; mark++) {
        ndft_region to_mark = *r;
        to_mark.until = mark + 1;
        NDFT_TRY(ndft_region_time(&to_mark, &now));
        steps[s->stage[mark]] += now.seconds - last;
        last = now.seconds;
    }
    return NDFT_OK;
}

typedef struct laps {
    const ndft_stages *stages;
    const ndft_instruments *with;
    double *steps;
    int marks;
    ndft_status status;
} laps;

static ndft_status lap(laps *l, ndft_exec *exec)
{
    double seconds, clock_mhz;
    NDFT_TRY(l->with->timer_stop(exec, 0));
    NDFT_TRY(l->with->timer_read(exec, 0, &seconds, &clock_mhz));
    l->steps[l->stages->stage[l->marks - 1]] += seconds;
    return l->with->timer_start(exec, 0);
}

static void take_lap(ndft_exec *exec, const char *stage)
{
    laps *l = exec->listener;
    (void)stage;
    if (++l->marks <= l->stages->n && l->status == NDFT_OK) l->status = lap(l, exec);
}

static ndft_status run_laps(const ndft_region *r, laps *l)
{
    ndft_exec *exec = r->fixture->exec;
    for (int i = 0; i < r->before; i++) NDFT_TRY(ndft_region_queue((void *)r));
    NDFT_TRY(l->with->timer_start(exec, 0));
    NDFT_TRY(ndft_region_listen(r, take_lap, l));
    if (l->marks != l->stages->n)
        return ndft_fail(exec->error, NDFT_EDEVICE, "it marked %d stages, and %d before", l->marks,
                         l->stages->n);
    return l->status;
}

ndft_status ndft_stages_time(const ndft_stages *s, const ndft_region *r,
                             double steps[NDFT_MAX_STEPS])
{
    for (int i = 0; i < NDFT_MAX_STEPS; i++) steps[i] = 0;
    if (r->fixture->instruments->timer_passed) return time_differences(s, r, steps);
    laps l = {s, r->fixture->instruments, steps, 0, NDFT_OK};
    const ndft_status status = run_laps(r, &l);
    const ndft_status renewed = r->consumes ? ndft_fixture_renew(r->fixture) : NDFT_OK;
    return status == NDFT_OK ? renewed : status;
}

void ndft_stages_free(ndft_stages *s)
{
    free(s->stage);
    *s = (ndft_stages){0};
}
