/* SPDX-License-Identifier: Apache-2.0 */
#include "steady.h"

#include <math.h>

static const double shortest_s = 1e-3;  /* of a sample */
static const double longest_wait_s = 3; /* for rest */
static const double reading_s = 0.05;   /* between two readings of the power while warming up */
static const double long_s = 0.25;      /* samples that need no more than one queued behind them */
enum { WANTED = 32, MAX_SIZE = 1 << 20 }; /* samples of a block, of which 100 find room */

bool ndft_steady_mode(ndft_mode mode) { return mode == NDFT_BATCH || mode == NDFT_GRAPH; }

static const ndft_instruments *with(const ndft_steady *s)
{
    return s->subject->fixture->instruments;
}

static ndft_status start(ndft_steady *s)
{
    const int timer = s->started % NDFT_TIMERS;
    const int previous = s->started == s->read ? -1 : (s->started - 1) % NDFT_TIMERS;
    ndft_reading reading;
    NDFT_TRY(ndft_region_start(&s->subject->region, timer, previous, &reading));
    s->sizes[timer] = s->subject->region.repetitions;
    s->dry[timer] = reading.dry;
    /* Launches may wait for room in the queue; replays, and executions too long to calibrate, are
     * few. */
    const bool few = s->subject->region.graph || isnan(s->subject->call_s);
    s->call_s[timer] = few && with(s)->timer_passed ? reading.call_s : s->subject->call_s;
    s->started++;
    return s->subject->consumes ? ndft_fixture_renew(s->subject->fixture) : NDFT_OK;
}

/* How many regions may be under way: a device that queues nothing has done each when it starts. */
static int depth(const ndft_steady *s)
{
    if (!with(s)->timer_passed) return 1;
    return s->sample_s > long_s ? 2 : NDFT_TIMERS;
}

/* Keeps the queue full with up to so many regions, and reads the oldest. */
static ndft_status next(ndft_steady *s, int wanted, ndft_sample *sample)
{
    ndft_exec *exec = s->subject->fixture->exec;
    const int timer = s->read % NDFT_TIMERS;
    const int most = depth(s) < wanted ? depth(s) : wanted;
    while (s->started - s->read < most) NDFT_TRY(start(s));
    *sample = (ndft_sample){.call_s = s->call_s[timer], .dry = s->dry[timer]};
    NDFT_TRY(with(s)->timer_read(exec, timer, &s->sample_s, &sample->clock_mhz));
    sample->seconds = s->sample_s / s->sizes[timer];
    s->read++;
    return NDFT_OK;
}

/* Repetitions for samples of a length that lets a block have enough of them; of a graph, whole
 * replays. */
static void resize(ndft_steady *s, double execution_s)
{
    ndft_region *r = &s->subject->region;
    const int unit = r->graph ? r->captured : 1;
    const int most = s->subject->consumes ? ndft_most_in_a_row(s->subject->fixture) : MAX_SIZE;
    const double sample_s = fmax(shortest_s, s->time_s / WANTED);
    const double units = ceil(sample_s / fmax(execution_s * unit, 1e-9));
    r->repetitions = unit * (int)fmax(fmin(units, most / unit), 1);
}

static ndft_status warm_up(ndft_steady *s, ndft_sample *sample)
{
    double power_w = NAN, asked_at = -INFINITY;
    while (!s->settled && s->warm_up_s < longest_wait_s) {
        NDFT_TRY(next(s, NDFT_TIMERS, sample));
        s->warm_up_s += s->sample_s;
        const bool ask = s->warm_up_s - asked_at >= reading_s;
        if (ask) {
            power_w = with(s)->state(s->subject->fixture->exec).power_w;
            asked_at = s->warm_up_s;
        }
        ndft_settling_see(&s->settling, s->warm_up_s, sample->clock_mhz, power_w, sample->seconds);
        if (ask) s->settled = ndft_settled(&s->settling);
    }
    return NDFT_OK;
}

ndft_status ndft_steady_begin(ndft_steady *s, ndft_subject *subject, double time_s, int least,
                              int most)
{
    ndft_sample sample;
    *s = (ndft_steady){.subject = subject,
                       .time_s = time_s,
                       .least = least,
                       .most = most,
                       .sample_s = subject->execution_s,
                       .meter_j = NAN,
                       .meter_at_s = NAN};
    if (!subject->sized) resize(s, subject->execution_s);
    const int before = subject->region.repetitions;
    NDFT_TRY(warm_up(s, &sample));
    if (!subject->sized) resize(s, ndft_settling_seconds(&s->settling));
    subject->sized = true;
    if (subject->region.repetitions == before) return NDFT_OK;
    /* What is under way is of another size; the device is at work on the first of the new size
     * before the last of these is read. */
    for (int last = s->started; s->read < last;)
        NDFT_TRY(next(s, s->started - s->read + 1, &sample));
    return NDFT_OK;
}

/* Samples that are still to be started or read. */
static int wanted(const ndft_steady *s)
{
    const double left = ceil((s->time_s - s->measured_s) / fmax(s->sample_s, 1e-9));
    const double samples = fmax(left, s->least - s->taken);
    return (int)fmin(samples, s->most - s->taken);
}

bool ndft_steady_goes_on(const ndft_steady *s)
{
    return s->read < s->started || !s->taken || wanted(s) > 0;
}

/* The counter moves in steps, so its steps are what is timed. */
static void read_meter(ndft_steady *s)
{
    const double joules = with(s)->energy(s->subject->fixture->exec);
    if (isnan(joules) || joules == s->meter_j) return;
    if (joules > s->meter_j && s->meter_at_s >= 0) {
        s->joules += joules - s->meter_j;
        s->joule_s += s->measured_s - s->meter_at_s;
    }
    /* The first value seen is none of its steps: it may be as old as a step is long. */
    s->meter_at_s = isnan(s->meter_j) ? -1 : s->measured_s;
    s->meter_j = joules;
}

ndft_status ndft_steady_take(ndft_steady *s, ndft_sample *sample)
{
    NDFT_TRY(next(s, wanted(s) > 0 ? wanted(s) : 1, sample));
    s->taken++;
    s->measured_s += s->sample_s;
    read_meter(s);
    return NDFT_OK;
}

ndft_status ndft_steady_end(ndft_steady *s)
{
    const ndft_fixture *fixture = s->subject->fixture;
    return s->started > s->read ? fixture->backend->sync(fixture->exec) : NDFT_OK;
}
