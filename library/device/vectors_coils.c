/* SPDX-License-Identifier: Apache-2.0 */
#include "vectors.h"

/* Images of coils and maps (ndft_backend's weigh and combine): some voxels at a time, coil after
 * coil, so that the image stays in the cache. Numbers are rounded once, when they are written. */

enum { AT_ONCE = 512 };

/* prec, and of planar vectors the distance of elements, are known to the compiler. */
static inline void weigh_some(ndft_prec prec, const ndft_placement *all, int64_t element, int64_t v,
                              int64_t n, const void *maps, const void *image, void *images)
{
    for (int64_t c = 0; c < all->coils; c++)
        for (int64_t i = v; i < v + n; i++) {
            const int64_t at = 2 * (i * element + c * all->coil);
            const double s_re = ndft_real_at(maps, prec, at);
            const double s_im = ndft_real_at(maps, prec, at + 1);
            const double re = ndft_real_at(image, prec, 2 * i);
            const double im = ndft_real_at(image, prec, 2 * i + 1);
            ndft_put_real(images, prec, at, s_re * re - s_im * im);
            ndft_put_real(images, prec, at + 1, s_re * im + s_im * re);
        }
}

static inline void combine_some(ndft_prec prec, const ndft_placement *all, int64_t element,
                                int64_t v, int64_t n, const void *maps, const void *images,
                                void *image)
{
    double sum[2 * AT_ONCE] = {0};
    for (int64_t c = 0; c < all->coils; c++)
        for (int64_t i = 0; i < n; i++) {
            const int64_t at = 2 * ((v + i) * element + c * all->coil);
            const double s_re = ndft_real_at(maps, prec, at);
            const double s_im = ndft_real_at(maps, prec, at + 1);
            const double re = ndft_real_at(images, prec, at);
            const double im = ndft_real_at(images, prec, at + 1);
            sum[2 * i] += s_re * re + s_im * im;
            sum[2 * i + 1] += s_re * im - s_im * re;
        }
    for (int64_t i = 0; i < 2 * n; i++) ndft_put_real(image, prec, 2 * v + i, sum[i]);
}

static int64_t left(const ndft_placement *all, int64_t v)
{
    return all->length - v < AT_ONCE ? all->length - v : AT_ONCE;
}

ndft_status ndft_vectors_weigh(ndft_exec *exec, ndft_prec prec, const ndft_placement *all,
                               const void *maps, const void *image, void *images)
{
#pragma omp parallel for num_threads(exec->threads) schedule(static)
    for (int64_t v = 0; v < all->length; v += AT_ONCE) {
        const int64_t n = left(all, v);
        if (prec == NDFT_F32 && all->element == 1)
            weigh_some(NDFT_F32, all, 1, v, n, maps, image, images);
        else if (all->element == 1)
            weigh_some(NDFT_F64, all, 1, v, n, maps, image, images);
        else
            weigh_some(prec, all, all->element, v, n, maps, image, images);
    }
    return NDFT_OK;
}

ndft_status ndft_vectors_combine(ndft_exec *exec, ndft_prec prec, const ndft_placement *all,
                                 const void *maps, const void *images, void *image)
{
#pragma omp parallel for num_threads(exec->threads) schedule(static)
    for (int64_t v = 0; v < all->length; v += AT_ONCE) {
        const int64_t n = left(all, v);
        if (prec == NDFT_F32 && all->element == 1)
            combine_some(NDFT_F32, all, 1, v, n, maps, images, image);
        else if (all->element == 1)
            combine_some(NDFT_F64, all, 1, v, n, maps, images, image);
        else
            combine_some(prec, all, all->element, v, n, maps, images, image);
    }
    return NDFT_OK;
}
