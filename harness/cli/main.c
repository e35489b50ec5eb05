/* SPDX-License-Identifier: Apache-2.0 */
#include "base/threads.h"
#include "base/words.h"
#include "cli.h"
#include "records/libraries.h"

#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const ndft_verb verbs[] = {
    {"list", "", "every variant, its knobs, and whether it was built", ndft_verb_list, false},
    {"check", "CASE", "hold every variant against the reference and its own promises on one case",
     ndft_verb_check, true},
    {"bench", "CASE", "check, then time the variants that pass, on one case", ndft_verb_bench,
     true},
    {"sweep", "SUITE", "check, time and record everything that a suite plans", ndft_verb_sweep,
     true},
    {"run", "CASE", "write one variant's output to a file", ndft_verb_run, false},
    {"export", "CASE FOLDER",
     "write every array of a case and its reference output as npy files; replaces those of an "
     "earlier export",
     ndft_verb_export, false},
    {"repro", "KEY FILE.jsonl",
     "run again what one record of a file says was run (KEY may be cut short)", ndft_verb_repro,
     true},
    {"doctor", "", "what works on this machine, what does not, and what to do", ndft_verb_doctor,
     false},
    {"profile", "CASE", "run one variant a fixed number of times inside a profiler's range",
     ndft_verb_profile, false},
    {"worker", "", NULL, ndft_verb_worker, false},
    {"peak", "", "measure what the machine can do at most, resource by resource", ndft_verb_peak,
     true},
    {"case", "CASE...|-", "what a case says, in full: lines from the command line, or from stdin",
     ndft_verb_case, false},
    {"best", "CASE...", "which engine the library takes for a case, why, and what else there is",
     ndft_verb_best, false},
    {"tune", "CASE...", "search the knobs of the variants that fit each case, within a time",
     ndft_verb_tune, true},
};
enum { N_VERBS = sizeof verbs / sizeof *verbs };

static volatile sig_atomic_t interrupted;

/* The first Ctrl-C asks, the second one kills. */
static void on_interrupt(int signal_number)
{
    static const char said[] = "\nndft: stopping after what is under way; again ends at once\n";
    interrupted = 1;
    signal(signal_number, SIG_DFL);
    if (write(STDERR_FILENO, said, sizeof said - 1) < 0) return; /* nobody listens any more */
}

/* What would end the program in the middle of a line becomes an error of the call that writes it.
 * Verbs that can stop do so at every signal by which a terminal or a batch system ends programs,
 * but for one that is ignored on purpose, as under nohup. */
static void handle_signals(bool stops)
{
    static const int ends[] = {SIGINT, SIGTERM, SIGQUIT, SIGHUP};
    signal(SIGXFSZ, SIG_IGN);
    if (!stops) return;
    signal(SIGPIPE, SIG_IGN);
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        if (signal(ends[i], on_interrupt) == SIG_IGN && ends[i] == SIGHUP) signal(SIGHUP, SIG_IGN);
}

static int usage(FILE *out)
{
    fprintf(out, "usage: ndft <verb> [options] [CASE]\n\n"
                 "The field-corrected nonuniform DFT of MRI: check, time and choose among its "
                 "implementations.\n\n");
    for (int i = 0; i < N_VERBS; i++)
        if (verbs[i].summary) fprintf(out, "  %-8s %s\n", verbs[i].name, verbs[i].summary);
    fprintf(out, "\nThe front door ./ndft adds demo, test, report, survey and select.\n"
                 "A case is one line, for example 'forward 2d n=64x64 m=4096 traj=radial:64'.\n");
    return out == stdout ? NDFT_EXIT_OK : NDFT_EXIT_USAGE;
}

static const ndft_verb *find_verb(const char *name)
{
    const char *names[N_VERBS + 1] = {NULL};
    for (int i = 0; i < N_VERBS; i++) {
        names[i] = verbs[i].name;
        if (!strcmp(name, names[i])) return &verbs[i];
    }
    fputs("ndft: unknown verb '", stderr);
    ndft_print_plain(stderr, name);
    fprintf(stderr, "'; nearest: %s\n", ndft_nearest(name, names));
    return NULL;
}

static int run_verb(const ndft_verb *verb, int argc, char **argv)
{
    int threads = 0;
    ndft_error err;
    if (ndft_openmp_threads(&threads, &err) || ndft_threads_start(threads, "OMP_NUM_THREADS", &err))
        return ndft_cli_fail(&err);
    char **words = calloc((size_t)argc, sizeof *words); /* getopt_long will permute them */
    if (!words) return NDFT_EXIT_ENVIRONMENT;
    memcpy(words, argv + 1, (size_t)(argc - 1) * sizeof *words);
    ndft_cli cli = {.verb = verb,
                    .argc = argc - 1,
                    .argv = words,
                    .all_argc = argc,
                    .all_argv = argv,
                    .interrupted = &interrupted};
    int code = verb->run(&cli);
    omp_pause_resource_all(omp_pause_hard); /* its threads end now, not while the process does */
    free(words);
    return code;
}

/* `help VERB` is `VERB --help`. */
static int help_of(char **argv)
{
    char help[] = "--help", *words[] = {argv[0], argv[2], help, NULL};
    const ndft_verb *verb = find_verb(argv[2]);
    return verb ? run_verb(verb, 3, words) : NDFT_EXIT_USAGE;
}

static int run(int argc, char **argv)
{
    if (argc < 2) return usage(stderr);
    if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h")) return usage(stdout);
    if (!strcmp(argv[1], "help")) return argc > 2 ? help_of(argv) : usage(stdout);
    if (!strcmp(argv[1], "--version")) {
        printf("ndft %s (%s%s)\n", ndft_build_info.version, ndft_build_info.commit,
               ndft_build_info.dirty ? ", modified" : "");
        return NDFT_EXIT_OK;
    }
    const ndft_verb *verb = find_verb(argv[1]);
    if (!verb) return NDFT_EXIT_USAGE;
    handle_signals(verb->stops);
    return run_verb(verb, argc, argv);
}

int main(int argc, char **argv) { return ndft_cli_end(run(argc, argv)); }
