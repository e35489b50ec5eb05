# SPDX-License-Identifier: Apache-2.0
# An inner loop is one file, NAME_loop.c, compiled per instruction set and precision; the macros
# NDFT_LOOP(name) and ndft_real of core/loop.h give each object its own symbols.

set(loop_flags_v2 -march=x86-64-v2)
set(loop_flags_v3 -march=x86-64-v3)
set(loop_flags_v4 -march=x86-64-v4 -mprefer-vector-width=512)

# Of f64 in a quick build, where instructions are counted in f32: a quarter of the time, with multiply-adds.
set(loop_flags_quick "")
if(NDFT_QUICK)
  set(loop_flags_quick -O1 -fexpensive-optimizations)
endif()

# A sanitizer sees what this processor runs, a quick build that and what valgrind does, which knows no
# AVX-512. A quick build compiles other loops, for their warnings and their symbols, in the least time;
# beside a sanitizer their names lead to those that run, and clang-tidy alone reads them.
set(loop_isas v2 v3 v4)
set(loops_run ${loop_isas})
set(sanitized OFF)
if(CMAKE_C_FLAGS MATCHES sanitize)
  set(sanitized ON)
endif()
if(NDFT_QUICK OR sanitized)
  file(WRITE ${PROJECT_BINARY_DIR}/isa.c
    "#include \"device/isa.c\"\nint main(void) { return ndft_isa_detect(); }\n")
  try_run(loop_isa isa_compiled ${PROJECT_BINARY_DIR} ${PROJECT_BINARY_DIR}/isa.c
    CMAKE_FLAGS -DINCLUDE_DIRECTORIES=${PROJECT_SOURCE_DIR}/library$<SEMICOLON>${PROJECT_SOURCE_DIR}/include
    COMPILE_OUTPUT_VARIABLE isa_said)
  if(NOT isa_compiled)
    message(FATAL_ERROR "cannot tell which loops this processor runs: ${isa_said}")
  endif()
  list(GET loop_isas ${loop_isa} loops_run)
  if(NDFT_QUICK)
    list(APPEND loops_run v3)
  endif()
endif()

# ndft_loops(OUT NAME FILE...): adds the objects of the files to OUT, as targets NAME_ISA_PRECISION.
function(ndft_loops out name)
  set(objects "")
  foreach(isa IN LISTS loop_isas)
    foreach(prec f32 f64)
      set(target ${name}_${isa}_${prec})
      add_library(${target} OBJECT ${ARGN})
      target_compile_definitions(${target} PRIVATE NDFT_LOOP_ISA=${isa} NDFT_LOOP_PREC=${prec}
        NDFT_LOOP_${prec} NDFT_LOOP_${isa})
      target_compile_options(${target} PRIVATE ${variant_flags_cpu} ${loop_flags_${isa}})
      target_link_libraries(${target} PRIVATE ndft_variant_flags OpenMP::OpenMP_C)
      if(isa IN_LIST loops_run OR NOT sanitized)
        list(APPEND objects $<TARGET_OBJECTS:${target}>)
      endif()
      if(NOT isa IN_LIST loops_run)
        target_compile_options(${target} PRIVATE -O0)
        set_target_properties(${target} PROPERTIES EXCLUDE_FROM_ALL ${sanitized})
      elseif(name STREQUAL ndft_loops AND prec STREQUAL f64)
        target_compile_options(${target} PRIVATE ${loop_flags_quick})
      endif()
    endforeach()
  endforeach()
  if(sanitized)
    set(names ${PROJECT_BINARY_DIR}/generated/${name}_names.c)
    add_custom_command(OUTPUT ${names} DEPENDS ${objects} COMMAND_EXPAND_LISTS
      COMMAND ${PROJECT_SOURCE_DIR}/cmake/loop_names.sh ${names} ${loops_run} ${objects})
    add_library(${name}_names OBJECT ${names})
    list(APPEND objects $<TARGET_OBJECTS:${name}_names>)
  endif()
  set(${out} ${${out}} ${objects} PARENT_SCOPE)
endfunction()
