/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_CASE_H
#define NDFT_CASE_H

#include "base/chirpz.h"
#include "base/kind.h"
#include "base/status.h"

/* A case: a problem and an operation as one line of text that round-trips. Its first word says of
 * which kind (case_start.h), as
 *
 *     forward 2d n=64x64 m=4096
 *     uniform:scfo8.1009*33 load=zero_pad:700 store=crop:500 tol=1e-4 seed=1
 *     convolve:sf100x90*8 outputs=64x64 cells=200x180
 *     chirpz:s1000*8 outputs=200 w=0.999:-0.0005 a=1:0.25
 */

enum { NDFT_PATH_MAX = 256, NDFT_CASE_MAX = 2048, NDFT_MAX_COILS = 256 };

typedef enum ndft_source_kind {
    NDFT_SOURCE_NONE,
    NDFT_SOURCE_FILE, /* path; phase: C:B, two of them */
    /* traj: a = shots; field, decay, grad: largest; phase: a = terms, largest; maps; data */
    NDFT_SOURCE_RANDOM,
    NDFT_TRAJ_RADIAL, /* a = shots, as for all trajectories */
    NDFT_TRAJ_GOLDEN,
    NDFT_TRAJ_SPIRAL,
    NDFT_TRAJ_VDSPIRAL,
    NDFT_TRAJ_EPI,
    NDFT_TRAJ_SOS, /* a = shots per partition, b = partitions */
    NDFT_TRAJ_KOOSHBALL,
    NDFT_TRAJ_FLORET,
    NDFT_FIELD_CONST, /* largest, as for all fields; decay has the same maps */
    NDFT_FIELD_LINEAR,
    NDFT_FIELD_SMOOTH,
    NDFT_PHASE_CONCOMITANT, /* largest: T, the static field */
    NDFT_GRAD_FIELD,        /* differences of the field map */
    NDFT_MASK_DISK,
    NDFT_DATA_PHANTOM,
    NDFT_MAPS_BIRDCAGE,
} ndft_source_kind;

typedef struct ndft_source {
    ndft_source_kind kind;
    int64_t a, b;
    double largest; /* value: Hz; of decay 1/s, of phase rad */
    char path[NDFT_PATH_MAX];
} ndft_source;

typedef enum ndft_callback_word {
    NDFT_CALLBACK_NONE,
    NDFT_CALLBACK_ZERO_PAD,  /* keep */
    NDFT_CALLBACK_CROP,      /* keep */
    NDFT_CALLBACK_DEAPODISE, /* width */
    NDFT_CALLBACK_FILE,      /* path, function */
} ndft_callback_word;

/* A load or store function of a uniform case. */
typedef struct ndft_case_callback {
    ndft_callback_word word;
    int64_t keep[3]; /* elements per axis, 1 beyond dim */
    int width;       /* of a window, in cells */
    char path[NDFT_PATH_MAX], function[64];
} ndft_case_callback;

typedef struct ndft_case {
    ndft_kind_of_problem kind;
    ndft_transform transform; /* of a uniform case, from which the rest follows */
    ndft_case_callback load, store;
    ndft_op op;
    int dim;
    int64_t n[3]; /* 1 beyond dim */
    int64_t m; /* of convolutions and chirp z-transforms all outputs; their coils are the batch */
    int64_t outputs[3], cells[3]; /* of those, and of a convolution */
    ndft_source kernel;           /* of a convolution */
    ndft_polar w, a;              /* of a chirp z-transform */
    ndft_source traj, times, field, decay, phase, grad, grid, mask, maps, data;
    double t;   /* s, readout of one shot; 0 where times is a file */
    double fov; /* m, for spirals and concomitant phase */
    int coils;
    ndft_layout layout;
    ndft_prec prec;
    double tol;
    ndft_tol_kind tol_kind;
    uint64_t seed;
} ndft_case;

/* Parses one line; keys in any order after OP and DIM, each at most once, defaults filled in.
 * NDFT_EINVAL names the value that is wrong and the nearest valid word. */
ndft_status ndft_case_parse(const char *text, ndft_case *, ndft_error *);

/* The canonical line, every key in grammar order (fov only where it matters, times only of a file,
 * decay, phase, grid and maps only where there are some, tol_kind only where it is any). Returns
 * its length as snprintf does. parse(print(x)) == x, bit for bit in every number. */
int ndft_case_print(const ndft_case *, char *text, size_t size);

/* The same line without the keys that say what a case has by default. */
int ndft_case_label(const ndft_case *, char *text, size_t size);

/* NDFT_EINVAL when the case names a file whose code would run: such a case is taken from the
 * command line alone, never from a file of cases or records. */
ndft_status ndft_case_runs_no_code(const ndft_case *, ndft_error *);

/* Shots of its trajectory, partitions counted; 1 for a file's, which are not known. */
int64_t ndft_case_shots(const ndft_case *);

/* "forward", "adjoint", "normal". */
const char *ndft_op_name(ndft_op);

#endif
