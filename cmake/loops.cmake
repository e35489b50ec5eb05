# SPDX-License-Identifier: Apache-2.0
# An inner loop is one file, NAME_loop.c, compiled per instruction set and precision; the macros
# NDFT_LOOP(name) and ndft_real of core/loop.h give each object its own symbols.

set(loop_flags_v2 -march=x86-64-v2)
set(loop_flags_v3 -march=x86-64-v3)
set(loop_flags_v4 -march=x86-64-v4 -mprefer-vector-width=512)

# A sanitizer sees what this processor runs, a quick build that and what valgrind does, which knows no
# AVX-512. Other loops are compiled, for their warnings and their symbols, in the least time.
set(loop_isas v2 v3 v4)
set(loops_run ${loop_isas})
if(NDFT_QUICK OR CMAKE_C_FLAGS MATCHES sanitize)
  file(WRITE ${PROJECT_BINARY_DIR}/isa.c
    "#include \"device/processor.c\"\nint main(void) { return detect_isa(); }\n")
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
  set(objects ${${out}})
  foreach(isa IN LISTS loop_isas)
    foreach(prec f32 f64)
      set(target ${name}_${isa}_${prec})
      add_library(${target} OBJECT ${ARGN})
      target_compile_definitions(${target} PRIVATE NDFT_LOOP_ISA=${isa} NDFT_LOOP_PREC=${prec}
        NDFT_LOOP_${prec} NDFT_LOOP_${isa})
      target_compile_options(${target} PRIVATE ${variant_flags_cpu} ${loop_flags_${isa}})
      if(NOT isa IN_LIST loops_run)
        target_compile_options(${target} PRIVATE -O0 -fno-sanitize=all)
      endif()
      target_link_libraries(${target} PRIVATE ndft_variant_flags OpenMP::OpenMP_C)
      list(APPEND objects $<TARGET_OBJECTS:${target}>)
    endforeach()
  endforeach()
  set(${out} ${objects} PARENT_SCOPE)
endfunction()
