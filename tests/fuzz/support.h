/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_FUZZ_SUPPORT_H
#define NDFT_FUZZ_SUPPORT_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * A target is a file fuzz_NAME.c with the one function below, which must neither leak nor depend on
 * earlier calls. libFuzzer makes inputs for it, replay.c gives it those of corpus/NAME. What a
 * parser promises is stated with fuzz_holds, so that a broken promise is a crash.
 */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The input up to its first zero as a string; free it. */
char *fuzz_text(const uint8_t *data, size_t size);

/* Makes a file of that name in a folder of this process, replacing the last one; its path. */
const char *fuzz_file(const char *name, const void *data, size_t size);

/* The path of such a file. */
const char *fuzz_path(const char *name);

/* Ends the process where a promise is broken. */
void fuzz_holds(bool promise, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* A refusal: of that status, with a reason that is one line. */
void fuzz_refused(ndft_status found, ndft_status wanted, const ndft_error *);

#endif
