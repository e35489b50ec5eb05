/* SPDX-License-Identifier: Apache-2.0 */
#include "base/status.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

ndft_status ndft_fail(ndft_error *err, ndft_status status, const char *format, ...)
{
    if (err) {
        va_list args;
        va_start(args, format);
        err->status = status;
        vsnprintf(err->message, sizeof err->message, format, args);
        va_end(args);
        for (char *at = err->message; (at = strchr(at, '\n'));) *at++ = ' ';
    }
    return status;
}
