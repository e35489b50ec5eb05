/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_TEST_CASE_TEXT_H
#define NDFT_TEST_CASE_TEXT_H

#include "case/case.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

/* Lines of the grammar that are cases, and such as are none. */

static inline ndft_case parsed(const char *text)
{
    ndft_case c;
    ndft_error err = {0};
    if (ndft_case_parse(text, &c, &err) != NDFT_OK) fail_msg("%s: %s", text, err.message);
    return c;
}

/* It must be refused by a message with these words. */
static inline void fails(const char *text, const char *words)
{
    ndft_case c;
    ndft_error err = {0};
    assert_int_equal(ndft_case_parse(text, &c, &err), NDFT_EINVAL);
    if (!strstr(err.message, words)) fail_msg("%s: '%s' lacks '%s'", text, err.message, words);
}

#endif
