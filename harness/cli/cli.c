/* SPDX-License-Identifier: Apache-2.0 */
#include "cli.h"

#include "base/words.h"
#include "case/case_keys.h"
#include "case/units.h"

#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_OPTIONS = 24, HELP = MAX_OPTIONS };

/* In one piece: ranks that fail together would mix their letters, else. */
static void print_failure(const char *message)
{
    char *line = NULL;
    size_t size = 0;
    FILE *piece = open_memstream(&line, &size), *to = piece ? piece : stderr;
    fputs("ndft: ", to);
    ndft_print_plain(to, message);
    fputc('\n', to);
    if (piece) fclose(piece);
    if (line) fwrite(line, 1, size, stderr);
    free(line);
}

int ndft_cli_fail(const ndft_error *err)
{
    print_failure(err->message);
    switch (err->status) {
    case NDFT_EINVAL:
    case NDFT_EUNSUPPORTED:
        return NDFT_EXIT_USAGE;
    case NDFT_EINTR:
        return NDFT_EXIT_INTERRUPTED;
    default:
        return NDFT_EXIT_ENVIRONMENT;
    }
}

int ndft_cli_end(int code)
{
    errno = EIO; /* of what failed before now, nobody kept the reason */
    bool lost = fflush(stdout) || ferror(stdout);
    if (!lost) lost = fclose(stdout) && errno != EBADF; /* it may have been closed all along */
    if (!lost || (code != NDFT_EXIT_OK && code != NDFT_EXIT_FAILED)) return code;
    fprintf(stderr, "ndft: standard output: %s\n", strerror(errno));
    return NDFT_EXIT_ENVIRONMENT;
}

static void print_help(const ndft_verb *verb, const ndft_option *options)
{
    printf("usage: ndft %s [options] %s\n\n%s\n\n", verb->name, verb->arguments, verb->summary);
    for (const ndft_option *o = options; o->name; o++) {
        char left[64], letter[8] = "    ";
        if (o->letter) snprintf(letter, sizeof letter, "-%c, ", o->letter);
        snprintf(left, sizeof left, "%s--%s %s", letter, o->name, o->argument ? o->argument : "");
        printf("  %-28s %s\n", left, o->help);
    }
    printf("  %-28s %s\n", "-h, --help", "this text");
}

/* A file whose name says another format would be taken for one; an unset variable of a shell names
 * none. */
static ndft_status check_suffix(const ndft_option *o, const char *path, ndft_error *err)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    const char *dot = strrchr(name, '.');
    if (o->suffix && !*path)
        return ndft_fail(err, NDFT_EINVAL, "--%s needs the name of a file, not ''", o->name);
    if (!o->suffix || !dot || dot == name || !strcmp(dot, o->suffix)) return NDFT_OK;
    return ndft_fail(err, NDFT_EINVAL, "--%s %s: it is written as %s alone; nearest: %.*s%s",
                     o->name, path, o->suffix, (int)(dot - path), path, o->suffix);
}

static ndft_status set_option(const ndft_option *o, const char *value, ndft_error *err)
{
    uint64_t whole = 0;
    if (o->flag) {
        *o->flag = true;
    } else if (o->text) {
        *o->text = value;
        return check_suffix(o, value, err);
    } else if (o->real) {
        const bool number = ndft_number_parse(value, NULL, o->real) == NDFT_NUMBER_OK;
        if (!number || *o->real < 0 || (*o->real == 0 && !o->or_zero))
            return ndft_fail(err, NDFT_EINVAL, "--%s needs a positive number%s, not '%s'", o->name,
                             o->or_zero ? " or 0" : "", value);
    } else {
        if (ndft_whole_parse(value, &whole) || whole < 1 || whole > INT_MAX)
            return ndft_fail(err, NDFT_EINVAL, "--%s needs a positive whole number, not '%s'",
                             o->name, value);
        *o->whole = (int)whole;
    }
    return NDFT_OK;
}

/* A text given twice would silently lose the first: a whole case, or a filter. */
static ndft_status set_once(const ndft_option *o, const char *value, bool *given, ndft_error *err)
{
    if (o->text && *given)
        return ndft_fail(err, NDFT_EINVAL, "--%s was given twice: '%s', then '%s'; give one",
                         o->name, *o->text, value);
    *given = true;
    return set_option(o, value, err);
}

static ndft_status bad_option(const ndft_cli *cli, const ndft_option *options, int code,
                              ndft_error *err)
{
    const char *word = cli->argv[optind - 1], *names[MAX_OPTIONS + 2] = {"help"};
    if (code == ':') return ndft_fail(err, NDFT_EINVAL, "option '%s' needs a value", word);
    for (int i = 0; options[i].name; i++) names[i + 1] = options[i].name;
    if (optopt > HELP)
        return ndft_fail(err, NDFT_EINVAL, "unknown option '-%c'; see ndft %s --help", optopt,
                         cli->verb->name);
    if (optopt) return ndft_fail(err, NDFT_EINVAL, "option '%s' takes no value", word);
    return ndft_fail(err, NDFT_EINVAL, "unknown option '%s' of %s; nearest: --%s", word,
                     cli->verb->name, ndft_nearest(word + 2, names));
}

/* getopt_long's two tables from ours; an option's code is its index plus one. */
static void make_tables(const ndft_option *options, struct option *longs, char *shorts)
{
    *shorts++ = ':';
    int n = 0;
    for (; options[n].name; n++) {
        bool takes = !options[n].flag;
        longs[n] = (struct option){options[n].name, takes, NULL, n + 1};
        if (!options[n].letter) continue;
        *shorts++ = options[n].letter;
        if (takes) *shorts++ = ':';
    }
    longs[n] = (struct option){"help", no_argument, NULL, HELP};
    *shorts++ = 'h';
    *shorts = 0;
}

static const ndft_option *find_option(const ndft_option *options, int code)
{
    for (int i = 0; options[i].name; i++)
        if (code == i + 1 || (options[i].letter && code == options[i].letter)) return &options[i];
    return NULL;
}

static int check_operands(ndft_cli *cli, int operands)
{
    if (operands == NDFT_ANY || cli->argc == operands) return NDFT_PROCEED;
    ndft_error err;
    if (cli->argc < operands)
        ndft_fail(&err, NDFT_EINVAL, "%s needs %s; see ndft %s --help", cli->verb->name,
                  cli->verb->arguments, cli->verb->name);
    else
        ndft_fail(&err, NDFT_EINVAL,
                  "%s does not know what to do with '%s'; quote a case as one "
                  "argument",
                  cli->verb->name, cli->argv[operands]);
    return ndft_cli_fail(&err);
}

int ndft_cli_options(ndft_cli *cli, const ndft_option *options, int operands)
{
    struct option longs[MAX_OPTIONS + 2] = {{0}};
    char shorts[2 * MAX_OPTIONS + 4];
    make_tables(options, longs, shorts);
    ndft_error err = {0};
    bool given[MAX_OPTIONS] = {false};
    optind = 0;
    for (int code; (code = getopt_long(cli->argc, cli->argv, shorts, longs, NULL)) != -1;) {
        if (code == 'h' || code == HELP) {
            print_help(cli->verb, options);
            return NDFT_EXIT_OK;
        }
        const ndft_option *option = find_option(options, code);
        ndft_status status = option ? set_once(option, optarg, &given[option - options], &err)
                                    : bad_option(cli, options, code, &err);
        if (status != NDFT_OK) return ndft_cli_fail(&err);
    }
    cli->argc -= optind;
    cli->argv += optind;
    return check_operands(cli, operands);
}
