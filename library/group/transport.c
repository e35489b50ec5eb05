/* SPDX-License-Identifier: Apache-2.0 */
#include "communicator.h"

#include <stdarg.h>
#include <stdio.h>

/* Messages by whatever a communicator has, until it breaks. */

ndft_status ndft_communicator_break(ndft_communicator *c, ndft_status status, const char *format,
                                    ...)
{
    char why[900];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(why, sizeof why, format, arguments);
    va_end(arguments);
    if (c->is_broken) return ndft_tell(&c->why);
    c->is_broken = true;
    if (c->transport) c->transport->leave(c, false);
    ndft_close_mesh(c);
    ndft_fail(&c->why, status, "%s; the communicator ends with it, make another", why);
    return ndft_tell(&c->why);
}

ndft_status ndft_exchange(ndft_communicator *c, const ndft_exec *exec, const ndft_parcel *parcels,
                          int n)
{
    return c->is_broken ? ndft_tell(&c->why) : c->transport->exchange(c, exec, parcels, n);
}

ndft_status ndft_settle(ndft_communicator *c, const ndft_exec *exec)
{
    return c->transport->settle ? c->transport->settle(c, exec) : NDFT_OK;
}
