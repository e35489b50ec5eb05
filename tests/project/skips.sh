#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What a log of tests says was skipped, and why. usage: tests/project/skips.sh LOG
#
# NDFT_PLACE has the words under which tests/project/skips.allowed says what may be skipped here: all else is
# then marked, and the exit status 1. Without it everything may be.
set -eu
awk -v places="${NDFT_PLACE:-}" '
    FILENAME ~ /skips[.]allowed$/ {
        if (index(" " places " ", " " $1 " ")) { sub(/^[^ ]+ +/, ""); allowed[$0] }
        next
    }
    / Testing: / { test = $NF ": " }
    sub(/^(skipped: |SKIPPED )/, "") {
        expected = places == ""
        for (reason in allowed) if (test $0 ~ reason) expected = 1
        if (!count++) print "Skipped, and why:"
        print (expected ? "  " : "! ") test $0
        if (!expected) failed = 1
    }
    END { exit failed }' "$(dirname "$0")/skips.allowed" "$1"
