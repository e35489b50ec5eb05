#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Declared costs against hardware counters: every CUDA variant under ncu on one case, and the metrics
# that this ncu knows. For a machine that has the GPU and ncu but not the tools to build.
#
# usage: tests/gpu-profile.sh PROGRAM FOLDER      Run from the repository root. Exit status 1:
#        something could not be profiled; 3: no ncu.
set -u
[ $# -eq 2 ] || { sed -n '3,7s/^# \{0,1\}//p' "$0" >&2; exit 2; }
program=$1 folder=$2
failed=0
case='forward 2d n=128x128 m=16384 traj=radial:128 field=smooth:100Hz t=10ms'

command -v ncu >/dev/null || { echo "ncu is not in PATH" >&2; exit 3; }
mkdir -p "$folder" || exit 3
ncu --version
ncu --query-metrics --chip gh100 >"$folder/metrics.txt" 2>&1
for name in naive fast_math sincos_table tiled output_driven hybrid_sincos fixed_phase coil_gemm \
    line_gemm separable_gemm; do
    echo "== $name"
    PYTHONPATH=. python3 -m analysis profile "$case" --variant "$name.cuda" -n 2 \
        --program "$program" -o "$folder/$name" || failed=1
done
cat "$folder"/*.jsonl >"$folder/counters.jsonl"
exit $failed
