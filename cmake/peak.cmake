# SPDX-License-Identifier: Apache-2.0
# The loops that measure ceilings: on the CPU one file per instruction set and precision, as those of
# the variants (cmake/variants.cmake); on CUDA those for compute capability 9.0a alone.

set(NDFT_PEAK_OBJECTS "")
foreach(isa v2 v3 v4)
  foreach(prec f32 f64)
    set(target ndft_peak_${isa}_${prec})
    add_library(${target} OBJECT harness/peak/peak_loop.c)
    target_include_directories(${target} PRIVATE variants)
    target_compile_definitions(${target} PRIVATE NDFT_LOOP_ISA=${isa} NDFT_LOOP_PREC=${prec}
      NDFT_LOOP_${prec})
    target_compile_options(${target} PRIVATE ${variant_flags_cpu} ${loop_flags_${isa}})
    target_link_libraries(${target} PRIVATE ndft_flags)
    list(APPEND NDFT_PEAK_OBJECTS $<TARGET_OBJECTS:${target}>)
  endforeach()
endforeach()

if(NDFT_HAVE_CUDA)
  add_library(ndft_peak_sm90a OBJECT harness/peak/tensor_sm90a.cu)
  set_target_properties(ndft_peak_sm90a PROPERTIES CUDA_ARCHITECTURES 90a-real)
  target_link_libraries(ndft_peak_sm90a PRIVATE ndft_flags CUDA::cudart_static)
  list(APPEND NDFT_PEAK_OBJECTS $<TARGET_OBJECTS:ndft_peak_sm90a>)
endif()
