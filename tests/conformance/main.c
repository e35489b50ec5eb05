/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/cli.h"
#include "naming/filter.h"
#include "naming/peer.h"
#include "tally.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * ndft-variant-tests: every registered variant of one backend against the reference, generated from
 * the registry, so that a new variant is tested because it exists. Needs no file but those that its
 * options name; times= and grid= are read from those that it writes. Exit 77 when nothing of it can
 * run here: skipped.
 */

enum { SKIPPED = 77 };

/* What to test instead of everything that needs no clock. */
typedef struct request {
    const char *claims;
    bool timing, adversary;
} request;

/* What is not made of single cases. */
static suite_part *const of_operators[] = {test_gradients, test_memory, test_properties, NULL};
static suite_part *const of_all[] = {test_determinism, test_together, test_finite, NULL};

static void test_variant(variant_suite *s, const ndft_registered *entry, const request *only)
{
    if (entry->ablates) {
        if (!only->claims && !only->timing && !only->adversary) test_ablation(s, entry);
        return;
    }
    if (ndft_is_engine(entry)) { /* its schemes are tested as any variant */
        if (!only->claims && !only->timing && !only->adversary) test_stages(s, entry);
        return;
    }
    if (only->timing) test_timing(s, entry);
    /* A claim is held against all cases together: a variant has its turn with all of them. */
    if ((only->claims || only->adversary) && suite_turn(s)) {
        if (only->claims) test_claims(s, entry, only->claims);
        if (only->adversary) test_adversary(s, entry);
    }
    if (only->claims || only->timing || only->adversary) return;
    if (entry->kind == NDFT_UNIFORM) {
        test_uniform(s, entry);
        test_uniform_knobs(s, entry);
        test_nodes(s, entry);
    } else if (entry->kind == NDFT_CONVOLUTION) {
        test_convolution(s, entry);
    } else if (entry->kind == NDFT_CHIRPZ) {
        test_chirpz(s, entry);
    } else {
        test_grid(s, entry);
        test_knobs(s, entry);
        test_clocks(s, entry);
        test_decay(s, entry);
        test_maps(s, entry);
        test_higher(s, entry);
        test_positions(s, entry);
        suite_parts(s, entry, of_operators);
    }
    suite_parts(s, entry, of_all);
}

static void test_all(variant_suite *s, const ndft_filter *filter, const request *only)
{
    if (only->timing) test_waiting(s);
    for (int i = 0; i < ndft_registry_size; i++) {
        const ndft_registered *entry = &ndft_registry[i];
        if (strcmp(entry->backend, s->backend->name)) continue;
        if (!ndft_filter_match(filter, entry)) continue;
        if (ndft_peer_entry(entry) && !strstr(filter->expression, entry->name)) continue;
        const char *missing = ndft_not_built(entry);
        if (missing) {
            printf("skipped: %s.%s is not built: %s\n", entry->name, entry->backend, missing);
            continue;
        }
        int passed = s->passed, failed = s->failed, unsupported = s->unsupported;
        test_variant(s, entry, only);
        printf("%s.%s: %d passed, %d failed, %d unsupported\n", entry->name, entry->backend,
               s->passed - passed, s->failed - failed, s->unsupported - unsupported);
        fflush(stdout);
    }
}

static int run(ndft_cli *cli)
{
    const char *backend = "cpu", *expression = ".*", *coverage = NULL, *part = NULL;
    request only = {0};
    variant_suite s = {0};
    const ndft_option options[] = {
        {"backend", 'b', "NAME", "cpu or cuda (cpu)", .text = &backend},
        {"variant", 'v', "ERE", "only variants whose NAME.BACKEND matches", .text = &expression},
        {"coverage", 'c', "FILE", "what must not be unsupported", .text = &coverage},
        {"shard", 0, "I/N", "only each N-th case and part (claims: variant), from the I-th",
         .text = &part},
        {"claims", 'l', "SUITE", "hold the claims against these cases and do nothing else",
         .text = &only.claims},
        {"adversary", 'a', NULL,
         "hold the claims against every entry of small cases and do nothing else",
         .flag = &only.adversary},
        {"timing", 't', NULL, "time every variant in every mode and do nothing else",
         .flag = &only.timing},
        {0}};
    int code = ndft_cli_options(cli, options, 0);
    if (code != NDFT_PROCEED) return code;
    ndft_error err = {0};
    ndft_filter filter;
    s.backend = ndft_backend_find(backend);
    if (!s.backend)
        ndft_fail(&err, NDFT_EINVAL, "no backend '%s'; there are cpu and cuda", backend);
    if (err.status == NDFT_OK && part) ndft_shard_parse(part, &s.shard, &err);
    if (err.status == NDFT_OK && coverage) coverage_read(&s, coverage, &err);
    if (err.status != NDFT_OK || ndft_filter_open_all(expression, &filter, &err) != NDFT_OK)
        return ndft_cli_fail(&err);
    const char *missing = s.backend->missing();
    if (missing)
        printf("skipped: %s\n", missing);
    else
        test_all(&s, &filter, &only);
    ndft_filter_close(&filter);
    free(s.rules);
    if (missing || !(s.passed + s.failed + s.unsupported)) return SKIPPED;
    printf("%d passed, %d failed, %d unsupported\n", s.passed, s.failed, s.unsupported);
    return s.failed || !s.passed ? NDFT_EXIT_FAILED : NDFT_EXIT_OK;
}

int main(int argc, char **argv)
{
    static const ndft_verb verb = {.name = "variant-tests",
                                   .arguments = "",
                                   .summary = "every variant of a backend against the reference",
                                   .run = run};
    ndft_cli cli = {.verb = &verb, .argc = argc, .argv = argv};
    return run(&cli);
}
