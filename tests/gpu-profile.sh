#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Declared costs against hardware counters: CUDA variants under ncu, one execution each, every section.
# For a machine that has the GPU and ncu but not the tools to build. Some seconds each, one after the
# other: ncu holds a lock, and for several at once it takes longer.
#
# usage: tests/gpu-profile.sh PROGRAM FOLDER [direct|adjoint|forward|single|uniform|tiles]...
#        direct: the variants of the sum; adjoint, forward: the nonuniform FFTs with 32 coils, and
#        Toeplitz with adjoint; single: both of their directions with one coil; uniform: transforms
#        of a prime length, long and short; tiles: each value of the tiles of three variants, on the
#        cases of studies/tiles. direct and adjoint when none is named. Run from the repository root.
#        Exit status 1: something could not be profiled; 3: no ncu.
set -u
[ $# -ge 2 ] || { sed -n '3,12s/^# \{0,1\}//p' "$0" >&2; exit 2; }
program=$1 folder=$2
shift 2
[ $# -gt 0 ] || set -- direct adjoint
direct='forward 2d n=128x128 m=16384 traj=radial:128 field=smooth:100Hz t=10ms'
gridded='2d n=256x256 m=65536 traj=radial:256'
# The one library that the program does not carry is cuFFT.
export LD_LIBRARY_PATH="/usr/local/cuda/lib64${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"

profile() { # NAME CASE FILE [KNOB=VALUE]
    id=$1.cuda${4:+:$4}
    {
        echo "== $id, $2"
        PYTHONPATH=. timeout 120 python3 -m analysis profile "$2" --variant "$id" --no-check \
            --program "$program" -o "$folder/$3" || echo "== failed: $id, $2"
    } >"$folder/$3.txt" 2>&1
}

gridding() { # OP COILS
    for name in nufft_gather nufft_gemm nufft_hybrid nufft_interleaved nufft_line nufft_output_driven \
        nufft_scatter nufft_subproblem; do
        profile $name "$1 $gridded coils=$2" $name-$1-$2
    done
}

tiles() { # NAME CASE KNOB=VALUE...: and the presets
    name=$1 case=$2
    shift 2
    profile "$name" "$case" "$name"
    for knob; do
        profile "$name" "$case" "$name-$knob" "$knob"
    done
}

uniform() { # SHAPE NAME...
    shape=$1
    shift
    for name; do
        profile "$name" "uniform:scfo$shape" "$name-$(echo "$shape" | tr '*' -)"
    done
}

command -v ncu >/dev/null || { echo "ncu is not in PATH" >&2; exit 3; }
mkdir -p "$folder" || exit 3
ncu --version
for what; do
    case $what in
    direct)
        for name in naive fast_math sincos_table tiled output_driven hybrid_sincos fixed_phase \
            coil_gemm line_gemm separable_gemm; do
            profile $name "$direct" $name
        done ;;
    adjoint)
        gridding adjoint 32
        profile nufft_toeplitz "normal $gridded coils=32" nufft_toeplitz ;;
    forward) gridding forward 32 ;;
    single)
        gridding adjoint 1
        gridding forward 1 ;;
    uniform)
        uniform 1009*256 bluestein_split bluestein_fused bluestein_single uniform_vendor
        uniform 100003 bluestein_split bluestein_fused uniform_vendor
        uniform 31*10000 uniform_naive uniform_vendor uniform_gemm ;;
    tiles)
        square='forward 2d n=256x256 m=65536 field=random:200Hz t=30ms'
        tiles tiled "$square" tile=32 tile=64 tile=128 tile=256 tile=1024 outputs=1 outputs=2 outputs=4 outputs=8
        tiles output_driven "$square" np=32 np=64 np=128 np=256 outputs=1 outputs=2 outputs=4 outputs=8
        tiles nufft_subproblem "adjoint $gridded" length=8 length=16 length=32 length=64 \
            height=4 height=8 height=16 height=32 ;;
    *) echo "'$what' is none of direct, adjoint, forward, single, uniform, tiles" >&2; exit 2 ;;
    esac
done
cat "$folder"/*.txt
rm -f "$folder/counters.jsonl"
cat "$folder"/*.jsonl >"$folder/counters.jsonl"
! grep -q '^== failed' "$folder"/*.txt
