/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_OWN_DATA_H
#define NDFT_OWN_DATA_H

#include "make/make.h"

/* Says on stderr what was read from a case's files, in one line, and what of it is unlikely, in a
 * line each. Of a case without files it says at most that a map has no effect. */
void ndft_own_data_say(const ndft_case *, const ndft_made *);

/* The same of a case that others will make: it reads all but the data. Errors as of ndft_make. */
ndft_status ndft_own_data_look(const ndft_case *, ndft_error *);

#endif
