/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_POINTS_H
#define NDFT_POINTS_H

#include <locale.h>

/* From here to the end of the scope numbers of messages have points, in programs, too, whose locale
 * has commas. What engines are built of prints with the thread's locale: the calls of ndft.h whose
 * messages have numbers begin with it. */
#define NDFT_POINTS                                                                                \
    const locale_t program_has __attribute__((cleanup(ndft_points_end), unused)) =                 \
        ndft_points_begin()

locale_t ndft_points_begin(void);
void ndft_points_end(const locale_t *before);

#endif
