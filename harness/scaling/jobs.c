/* SPDX-License-Identifier: Apache-2.0 */
#include "jobs.h"

#include "base/now.h"
#include "base/text.h"
#include "cli/child.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ARGUMENTS = 28 };

/* The command line of a job; texts of numbers have their place in it. */
typedef struct command {
    char *argv[MOST_ARGUMENTS];
    int n;
    char budget[32], samples[16], cg[16];
} command;

static void add(command *c, const char *argument) { c->argv[c->n++] = (char *)(size_t)argument; }

static void add_option(command *c, const char *option, const char *value)
{
    if (!*value) return;
    add(c, option);
    add(c, value);
}

static void make(command *c, const ndft_divided *job, const ndft_timing_options *timing)
{
    *c = (command){.n = 0};
    snprintf(c->budget, sizeof c->budget, "%g", timing->budget_s);
    snprintf(c->samples, sizeof c->samples, "%d", timing->min_samples);
    snprintf(c->cg, sizeof c->cg, "%d", job->cg);
    add(c, "ndft");
    add(c, "bench");
    add(c, job->text);
    add(c, "--json");
    add_option(c, "--gpus", job->gpus);
    add_option(c, "--ranks", job->ranks);
    add_option(c, "--cg", job->cg ? c->cg : "");
    add_option(c, "--budget", c->budget);
    add_option(c, "--min-samples", c->samples);
    add_option(c, "--backend", job->backend);
    add_option(c, "--variant", job->variant);
}

/* "2 whole 91.0 %" of a group. */
static void add_group(ndft_text *found, const json_t *record)
{
    const char *arrays = json_string_value(json_object_get(record, "arrays"));
    if (json_is_true(json_object_get(record, "plain")) || !arrays) return;
    ndft_text_add(found, "%s%d%s %s %.1f %%", found->used ? ", " : "",
                  (int)json_integer_value(json_object_get(record, "gpus")),
                  json_is_true(json_object_get(record, "ranks")) ? " ranks" : "", arrays,
                  100 * json_number_value(json_object_get(record, "efficiency")));
}

/* Of the run that the file has begun. */
static ndft_status keep(ndft_sweep *s, const char *line, ndft_text *found, ndft_error *err)
{
    json_t *record = json_loads(line, 0, NULL);
    if (!record) return NDFT_OK;
    add_group(found, record);
    json_object_set_new(record, "run", json_string(s->session.run.id));
    return ndft_log_write(&s->session.log, record, err);
}

static ndft_status keep_all(ndft_sweep *s, FILE *from, ndft_text *found, ndft_error *err)
{
    char *line = NULL;
    size_t size = 0;
    ndft_status status = NDFT_OK;
    while (status == NDFT_OK && getline(&line, &size, from) > 0) status = keep(s, line, found, err);
    free(line);
    return status;
}

static void say_found(const ndft_divided *job, const char *found, double seconds)
{
    char label[NDFT_CASE_MAX];
    ndft_case_label(&job->problem, label, sizeof label);
    fprintf(stderr, "%s: %s, in %.0f s\n", label, found, seconds);
}

static ndft_status run(ndft_sweep *s, const ndft_divided *job, ndft_jobs *jobs, ndft_error *err)
{
    const double begun = ndft_now_s();
    char words[512] = "";
    ndft_text found = ndft_text_in(words, sizeof words);
    static const char *const as_it_is[] = {NULL};
    const volatile sig_atomic_t *interrupted = jobs->timing->interrupted;
    command c;
    ndft_child child;
    make(&c, job, jobs->timing);
    NDFT_TRY(ndft_child_start(c.argv, as_it_is, &child, err));
    const ndft_status status = keep_all(s, child.out, &found, err);
    const int code = ndft_child_end(&child);
    if (interrupted && *interrupted) return ndft_fail(err, NDFT_EINTR, "interrupted");
    if (!code) {
        say_found(job, words, ndft_now_s() - begun);
        return status;
    }
    jobs->wrong++;
    fprintf(stderr, "ndft: %s: %s %s ended with %s %d\n", job->text,
            *job->gpus ? "--gpus" : "--ranks", *job->gpus ? job->gpus : job->ranks,
            code > 128 ? "signal" : "exit code", code > 128 ? code - 128 : code);
    return status;
}

/* What a file has of a job: so many of its numbers. */
typedef struct found {
    const ndft_divided *job;
    uint64_t gpus, ranks; /* a bit for each, of those that the file has */
} found;

static bool is_of(const ndft_divided *job, const json_t *line)
{
    const char *asked = json_string_value(json_object_get(line, "asked"));
    const char *text = json_string_value(json_object_get(line, "case"));
    return json_object_get(line, "efficiency") && text && !strcmp(text, job->text) && asked &&
           !strcmp(asked, job->variant) && !json_is_true(json_object_get(line, "plain")) &&
           json_integer_value(json_object_get(line, "iterations")) == job->cg;
}

static void look(void *context, const json_t *line)
{
    found *f = context;
    const json_int_t n = json_integer_value(json_object_get(line, "gpus"));
    if (!is_of(f->job, line) || n < 1 || n > 64) return;
    if (json_is_true(json_object_get(line, "ranks")))
        f->ranks |= 1ull << (n - 1);
    else
        f->gpus |= 1ull << (n - 1);
}

static bool has_all(uint64_t bits, const char *numbers)
{
    for (; *numbers; numbers += strcspn(numbers, ","), numbers += *numbers == ',') {
        const int n = atoi(numbers);
        if (n < 1 || n > 64 || !(bits >> (n - 1) & 1)) return false;
    }
    return true;
}

static bool is_done(const ndft_sweep *s, const ndft_divided *job)
{
    found f = {.job = job};
    ndft_error ignored;
    if (!s->known.path) return false;
    if (ndft_log_read(s->session.log.path, look, &f, &ignored) != NDFT_OK) return false;
    return has_all(f.gpus, job->gpus) && has_all(f.ranks, job->ranks);
}

ndft_status ndft_jobs_run(ndft_sweep *s, void *context, ndft_error *err)
{
    ndft_jobs *jobs = context;
    const ndft_divided_list *list = &s->load->divided;
    for (int i = 0; i < list->n; i++)
        if (!is_done(s, &list->items[i])) NDFT_TRY(run(s, &list->items[i], jobs, err));
    return NDFT_OK;
}
