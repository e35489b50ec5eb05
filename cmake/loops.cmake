# SPDX-License-Identifier: Apache-2.0
# An inner loop is one file, NAME_loop.c, compiled per instruction set and precision; the macros
# NDFT_LOOP(name) and ndft_real of core/loop.h give each object its own symbols.

set(loop_flags_v2 -march=x86-64-v2)
set(loop_flags_v3 -march=x86-64-v3)
set(loop_flags_v4 -march=x86-64-v4 -mprefer-vector-width=512)

# ndft_loops(OUT NAME FILE...): adds the objects of the files to OUT, as targets NAME_ISA_PRECISION.
function(ndft_loops out name)
  set(objects ${${out}})
  foreach(isa v2 v3 v4)
    foreach(prec f32 f64)
      set(target ${name}_${isa}_${prec})
      add_library(${target} OBJECT ${ARGN})
      target_compile_definitions(${target} PRIVATE NDFT_LOOP_ISA=${isa} NDFT_LOOP_PREC=${prec}
        NDFT_LOOP_${prec} NDFT_LOOP_${isa})
      target_compile_options(${target} PRIVATE ${variant_flags_cpu} ${loop_flags_${isa}})
      target_link_libraries(${target} PRIVATE ndft_variant_flags OpenMP::OpenMP_C)
      list(APPEND objects $<TARGET_OBJECTS:${target}>)
    endforeach()
  endforeach()
  set(${out} ${objects} PARENT_SCOPE)
endfunction()
