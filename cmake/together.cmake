# SPDX-License-Identifier: Apache-2.0
# CUDA's headers, CUB's above all, take longer to read than many sources that include them. A quick build
# reads them once for several.

# ndft_together(LIST NAME PATTERN): in a quick build the files of the list that match are one, NAME.cu.
function(ndft_together list name pattern)
  set(apart ${${list}})
  set(together ${${list}})
  list(FILTER apart EXCLUDE REGEX ${pattern})
  list(FILTER together INCLUDE REGEX ${pattern})
  if(quick_flags AND together)
    list(TRANSFORM together REPLACE "(.+)" "#include \"\\1\"\n")
    list(JOIN together "" text)
    file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/generated/${name}.cu CONTENT "${text}" @ONLY)
    set(${list} ${PROJECT_BINARY_DIR}/generated/${name}.cu ${apart} PARENT_SCOPE) # the longest first
  endif()
endfunction()
