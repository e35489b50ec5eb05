#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# MRI-NUFFT's own tests, of its source distribution, on ndft. usage: tests/python/mrinufft.sh [SDIST]
#
# SDIST is the unpacked distribution or its archive; without it pip fetches it. NDFT_PYTHON (python3) has mri-nufft,
# finufft, pytest, pytest-cases, torch and deepinv, and imports ndft. It takes minutes.
#
# Their tests have lists of backends, so that ndft takes the names of some (mrinufft_plugin.py), and is asked as each
# of what their tests ask of that backend alone: the coarse tolerances that they have for finufft are not for ndft.
# Exit status: 0 where nothing failed, 77 where the distribution or a package is missing.
#
# Not of a backend: test_bindings (names of classes of other backends), test_cartesian, test_ndft, test_io,
# test_trajectories, test_density, test_array_compat, test_offres_exp_approx. Not ndft's: test_stacked_gpu, of a class
# that calls inner methods of cufinufft.
set -euo pipefail
version=1.5.1
here=$(cd "$(dirname "$0")" && pwd)
python=${NDFT_PYTHON:-python3}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

missing() { echo "skipped: $*"; exit 77; }

unpacked() { # of what was given, or fetched
    local given=${1:-}
    if [ -d "$given" ]; then echo "$given"; return; fi
    if [ -z "$given" ]; then
        "$python" -m pip download -q --no-deps --no-binary mri-nufft -d "$work" "mri-nufft==$version" >&2 || return
        given=$work/mri_nufft-$version.tar.gz
    fi
    tar -xf "$given" -C "$work" && echo "$work/mri_nufft-$version"
}

tests_as() { # backend's name, reference, files: prints the counts, and what failed
    local alias=$1 reference=$2 log=$work/$1.$2.log status=0
    shift 2
    NDFT_ALIAS=$alias "$python" -m pytest -q -p mrinufft_plugin -p no:cacheprovider --backend "$alias" --backend ndft \
        --ref "$reference" "${@/#/operators/test_}" >"$log" 2>&1 || status=$?
    grep -E '^(deselected|FAILED|ERROR) ' "$log" || true
    echo "as $alias: $* -> $(tail -n 1 "$log")"
    if [ "$status" != 0 ]; then failed=1; grep -E '^E  ' "$log" | head -n 40 || tail -n 40 "$log"; fi
}

"$python" -c 'import ndft, mrinufft, finufft, pytest, pytest_cases, torch, deepinv' ||
    missing "$python has not ndft, mri-nufft, finufft, pytest, pytest-cases, torch and deepinv"
source=$(unpacked "${1:-}") || missing "neither PyPI nor the source distribution of mri-nufft $version is there"

export PYTHONPATH=$here${PYTHONPATH:+:$PYTHONPATH} NDFT_DESELECTED=$here/mrinufft.deselected PYTHONWARNINGS=ignore
failed=0
cd "$source/tests"
tests_as ducc0 finufft interfaces.py optim.py
tests_as ducc0 ducc0 operator_ref.py
tests_as finufft numpy batch.py orc.py update.py autodiff.py density_for_op.py stacked.py subspace.py
tests_as gpunufft numpy update.py # with density
if "$python" -c 'import cupy; cupy.cuda.Device(0).id' 2>/dev/null; then
    tests_as cufinufft numpy batch.py orc.py update.py autodiff.py density_for_op.py subspace.py
    tests_as cufinufft finufft interfaces.py optim.py
else
    echo "no GPU that CuPy sees: arrays of GPUs are not tried"
fi
exit $failed
