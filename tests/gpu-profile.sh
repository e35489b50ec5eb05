#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Declared costs against hardware counters: every CUDA variant under ncu, one execution each, some at
# a time. For a machine that has the GPU and ncu but not the tools to build.
#
# usage: tests/gpu-profile.sh PROGRAM FOLDER      Run from the repository root. Exit status 1:
#        something could not be profiled; 3: no ncu.
set -u
[ $# -eq 2 ] || { sed -n '3,7s/^# \{0,1\}//p' "$0" >&2; exit 2; }
program=$1 folder=$2
at_once=4 started=0
direct='forward 2d n=128x128 m=16384 traj=radial:128 field=smooth:100Hz t=10ms'
gridded='2d n=256x256 m=65536 traj=radial:256'
# The one library that the program does not carry is cuFFT.
export LD_LIBRARY_PATH="/usr/local/cuda/lib64${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"

profile() { # NAME CASE FILE
    {
        echo "== $1.cuda, $2"
        PYTHONPATH=. timeout 30 python3 -m analysis profile "$2" --variant "$1.cuda" --no-check \
            --program "$program" -o "$folder/$3" || echo "== failed: $1.cuda, $2"
    } >"$folder/$3.txt" 2>&1 &
    started=$((started + 1))
    [ $((started % at_once)) -ne 0 ] || wait
}

command -v ncu >/dev/null || { echo "ncu is not in PATH" >&2; exit 3; }
mkdir -p "$folder" || exit 3
ncu --version
for name in naive fast_math sincos_table tiled output_driven hybrid_sincos fixed_phase coil_gemm \
    line_gemm separable_gemm; do
    profile $name "$direct" $name
done
for name in nufft_gather nufft_gemm nufft_hybrid nufft_line nufft_output_driven nufft_scatter \
    nufft_subproblem; do
    for op in forward adjoint; do
        profile $name "$op $gridded" $name-$op-1
        profile $name "$op $gridded coils=32" $name-$op-32
    done
done
profile nufft_toeplitz "normal $gridded" nufft_toeplitz-normal-1
profile nufft_toeplitz "normal $gridded coils=32" nufft_toeplitz-normal-32
wait
cat "$folder"/*.txt
rm -f "$folder/counters.jsonl"
cat "$folder"/*.jsonl >"$folder/counters.jsonl"
! grep -q '^== failed' "$folder"/*.txt
