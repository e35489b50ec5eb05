#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Stands before the compiler where a copy of the tree is built: a source that is as in the folder
# NDFT_TREE has the object that the build NDFT_BUILT made of it, if there is one; all else, and what
# includes generated text, is compiled. For a copy whose headers are none but those of NDFT_TREE.
previous='' object=''
for word; do
    [ "$previous" != -o ] || object=$word
    previous=$word
done
source=$NDFT_TREE${word#"${PWD%/*}"}
if [ -f "$NDFT_BUILT/$object" ] && cmp -s "$word" "$source" &&
    ! grep -Eq '^#include ("[^"]*[.]inc"|[A-Z])' "$word"; then
    exec cp "$NDFT_BUILT/$object" "$object"
fi
exec "$@"
