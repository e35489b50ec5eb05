/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_PROPERTY_FIXTURE_H
#define NDFT_PROPERTY_FIXTURE_H

#include "base/random.h"
#include "properties.h"

#include <complex.h>

/*
 * One run of a property: a random problem, the implementation, and memory that suffices for what
 * any property makes. Vectors are planar double complex of whole size, [coil][element]; precision
 * and layout appear only where the implementation is applied.
 *
 * The problem's numbers are chosen so that the modified problems are exact in float too: k are
 * multiples of 2^-8 cycles/FOV in [-N/2, N/2], t of 2^-12 s up to 1/32 s. Sample 0 has k = 0, t = 0
 * and sample 1 the corner -N/2. |G t| reaches 1.25, 0.6 and 0.3 voxels on the three axes; decay
 * takes exp(-2.5) at most; each of a phase's terms turns by 4 rad at most. Positions are multiples
 * of 2^-6 voxels, up to 3/2 off the grid.
 */
struct ndft_property_fixture {
    const ndft_operator *operation;
    ndft_problem problem;     /* with a random field; the rest where the shape says so */
    const void *gradients[3]; /* drawn in any case, as decay, phase and positions are */
    const void *decay;
    ndft_higher_phase higher;
    const void *positions[3];
    ndft_random random;
    int64_t longest; /* elements of the longer side */
    ndft_error *error;
    char *memory;
    size_t size, used;
};

typedef double complex ndft_complex;

static inline ndft_complex ndft_complex_of(double re, double im) { return re + I * im; }

ndft_status ndft_property_fixture_open(ndft_property_fixture *, const ndft_operator *,
                                       const ndft_shape *, ndft_error *);
void ndft_property_fixture_close(ndft_property_fixture *);

/* Memory until the fixture is closed: bytes, reals in the problem's precision, a vector. */
void *ndft_property_fixture_take(ndft_property_fixture *, size_t bytes);
void *ndft_property_fixture_reals(ndft_property_fixture *, int64_t count);
ndft_complex *
ndft_property_fixture_vector(ndft_property_fixture *); /* long enough for either side */

/* The first length elements of each coil: standard normal, or odd integers in -7..7; both are
 * exact in float. */
void ndft_property_fixture_draw(ndft_property_fixture *, ndft_complex *, int64_t length);
void ndft_property_fixture_draw_integers(ndft_property_fixture *, ndft_complex *, int64_t length);

/* out = op(problem) in. in is rounded to the problem's precision. */
ndft_status ndft_property_fixture_apply(ndft_property_fixture *, const ndft_problem *, ndft_op,
                                        const ndft_complex *in, ndft_complex *out);

/* The claim of the implementation. */
double ndft_property_fixture_claim(const ndft_property_fixture *, const ndft_problem *, ndft_op);

/* Keeps the worse of two measurements by discrepancy over bound; NaN is the worst. */
void ndft_keep_worse(ndft_measured *worst, double discrepancy, double bound);

double ndft_norm(const ndft_complex *, int64_t count);
double ndft_distance(const ndft_complex *, const ndft_complex *, int64_t count);

/* Writes value, rounded to prec. */
void ndft_put(void *array, ndft_prec prec, int64_t i, double value);

/* Sample j of every coil times exp(sign 2 pi i turns[j]). */
void ndft_rotate(const ndft_problem *, ndft_complex *, const double *turns, int sign);

/* Sets the largest magnitudes, phi_max and the number of distinct times from the arrays. */
void ndft_property_fixture_bounds(ndft_problem *);

/* The slope of the linear field, Hz/voxel: multiples of 1/4, so that k + N slope t is exact. */
extern const double ndft_slope[3];

/* field gets dw = 2 pi sum_d slope_d x_d; shifted becomes the same without a field, on the
 * trajectory k_d + N_d slope_d t. */
void ndft_property_fixture_linear(ndft_property_fixture *, ndft_problem *field,
                                  ndft_problem *shifted);

/* Measures how far the two problems are from being the same operator; a's maps are rounded. */
ndft_status ndft_property_fixture_equal(ndft_property_fixture *, const ndft_problem *a,
                                        const ndft_problem *b, ndft_op, ndft_measured *worst);

/* The properties in properties_decay.c. */
ndft_status ndft_constant_decay(ndft_property_fixture *, ndft_op, ndft_measured *worst);
ndft_status ndft_decay_at_one_time(ndft_property_fixture *, ndft_op, ndft_measured *worst);

/* The property in properties_maps.c. */
ndft_status ndft_maps_are_factors(ndft_property_fixture *, ndft_op, ndft_measured *worst);

/* The properties in properties_higher.c. */
ndft_status ndft_higher_is_field(ndft_property_fixture *, ndft_op, ndft_measured *worst);
ndft_status ndft_higher_is_shift(ndft_property_fixture *, ndft_op, ndft_measured *worst);

/* The properties in properties_positions.c. */
ndft_status ndft_positions_are_the_grid(ndft_property_fixture *, ndft_op, ndft_measured *worst);
ndft_status ndft_moved_together(ndft_property_fixture *, ndft_op, ndft_measured *worst);

/* The properties in properties_gradients.c. */
ndft_status ndft_gradient_shift(ndft_property_fixture *, ndft_op, ndft_measured *worst);
ndft_status ndft_gradient_mean(ndft_property_fixture *, ndft_op, ndft_measured *worst);

#endif
