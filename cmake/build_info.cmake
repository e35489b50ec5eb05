# SPDX-License-Identifier: Apache-2.0
# Run at every build (cmake -P): writes the facts of harness/records/libraries.h when they changed.

cmake_minimum_required(VERSION 3.25)
set(commit unknown)
set(dirty false)
find_program(git git)
if(git)
  execute_process(COMMAND ${git} -C ${source} rev-parse HEAD
    OUTPUT_VARIABLE head OUTPUT_STRIP_TRAILING_WHITESPACE RESULT_VARIABLE failed ERROR_QUIET)
  if(NOT failed)
    set(commit ${head})
    execute_process(COMMAND ${git} -C ${source} status --porcelain --untracked-files=no
      OUTPUT_VARIABLE changes ERROR_QUIET)
    if(changes)
      set(dirty true)
    endif()
  endif()
endif()
file(CONFIGURE OUTPUT ${output} @ONLY CONTENT "#define NDFT_FACT_VERSION \"@version@\"
#define NDFT_FACT_COMMIT \"@commit@\"
#define NDFT_FACT_DIRTY @dirty@
#define NDFT_FACT_CC \"@cc@\"
#define NDFT_FACT_NVCC \"@nvcc@\"
#define NDFT_FACT_FLAGS \"@flags@\"
#define NDFT_FACT_TYPE \"@type@\"
")
