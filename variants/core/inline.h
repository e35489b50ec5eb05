/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_CORE_INLINE_H
#define NDFT_CORE_INLINE_H

/* Of functions that the processor's code and a GPU's have in common. In CUDA complex.cuh, which
 * comes before, makes them the device's. */
#ifndef NDFT_INLINE
#define NDFT_INLINE static inline
#endif

#endif
