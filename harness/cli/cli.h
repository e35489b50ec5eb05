/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_CLI_H
#define NDFT_CLI_H

#include "base/status.h"

#include <signal.h>
#include <stdbool.h>

/* What every verb shares: options from one table, messages, exit codes. */

enum {
    NDFT_EXIT_OK = 0,
    NDFT_EXIT_FAILED = 1,      /* a check failed */
    NDFT_EXIT_USAGE = 2,       /* usage, or nothing matched */
    NDFT_EXIT_ENVIRONMENT = 3, /* memory, device, files */
    NDFT_EXIT_INTERRUPTED = 4, /* resumable */
    NDFT_PROCEED = -1,         /* of ndft_cli_options: no exit yet */
    NDFT_ANY = -1,             /* number of operands */
};

/* One option; exactly one of flag, text, real and whole is set and says what kind of value it
 * takes. */
typedef struct ndft_option {
    const char *name;
    char letter;          /* 0: none */
    const char *argument; /* its name in the help; NULL for a flag */
    const char *help;
    bool *flag;
    const char **text;
    const char *suffix; /* of a text that names a file to be written: the one format there is */
    double *real;       /* must be positive */
    bool or_zero;       /* but may be 0 */
    int *whole;         /* must be positive */
} ndft_option;

typedef struct ndft_cli ndft_cli;

typedef struct ndft_verb {
    const char *name, *arguments, *summary; /* summary NULL: left out of the usage */
    int (*run)(ndft_cli *);
    bool stops; /* looks at cli->interrupted; other verbs end at the first Ctrl-C */
} ndft_verb;

struct ndft_cli {
    const ndft_verb *verb;
    int argc;
    char **argv; /* from the verb on; after ndft_cli_options the operands */
    int all_argc;
    char **all_argv;                          /* as main received them */
    const volatile sig_atomic_t *interrupted; /* set once the user asked to stop */
};

/* Reads the options (table ends with a NULL name) and leaves exactly operands arguments in argv.
 * Answers --help. NDFT_PROCEED, or the exit code after having printed what was wrong. */
int ndft_cli_options(ndft_cli *, const ndft_option *, int operands);

/* Prints "ndft: message" on stderr, on one line, and returns the exit code of the status. */
int ndft_cli_fail(const ndft_error *);

/* The exit code of a program whose verb has ended with this one: what was printed may still fail to
 * reach its file, and then nothing is in order. Closes stdout. */
int ndft_cli_end(int code);

/* The verbs, in files cmd_NAME.c of harness/verbs; each returns the exit code. */
int ndft_verb_list(ndft_cli *), ndft_verb_check(ndft_cli *), ndft_verb_bench(ndft_cli *),
    ndft_verb_sweep(ndft_cli *), ndft_verb_run(ndft_cli *), ndft_verb_export(ndft_cli *),
    ndft_verb_repro(ndft_cli *), ndft_verb_doctor(ndft_cli *), ndft_verb_profile(ndft_cli *),
    ndft_verb_worker(ndft_cli *), ndft_verb_peak(ndft_cli *), ndft_verb_best(ndft_cli *),
    ndft_verb_tune(ndft_cli *), ndft_verb_case(ndft_cli *);

#endif
