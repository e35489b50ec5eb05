# SPDX-License-Identifier: Apache-2.0
# What a C header says in comments, as Doxygen wants it marked.
1s|.*|/** \\file */|
s|^\( *[^ /*].*[^ ]\) */\* |\1 /**< |
s|^\( *\)/\*$|\1/**|
s|^\( *\)/\* |\1/** |
