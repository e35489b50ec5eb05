/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_PROC_H
#define NDFT_PROC_H

/* The number behind "field:" in a file of such lines, as /proc has them, in the base; -1 when
 * there is none. */
long long ndft_proc_field(const char *path, const char *field, int base);

#endif
