# SPDX-License-Identifier: Apache-2.0
# The loops that measure ceilings: on the CPU one file per instruction set and precision, as those of
# the variants; on CUDA those for compute capability 9.0a alone.

if(NDFT_QUICK) # a test reads the code of all of them
  set(loops_run ${loop_isas})
endif()
set(NDFT_PEAK_OBJECTS "")
ndft_loops(NDFT_PEAK_OBJECTS ndft_peak harness/peak/peak_loop.c)

if(NDFT_HAVE_CUDA)
  add_library(ndft_peak_sm90a OBJECT harness/peak/tensor_sm90a.cu)
  set_target_properties(ndft_peak_sm90a PROPERTIES CUDA_ARCHITECTURES 90a-real)
  target_link_libraries(ndft_peak_sm90a PRIVATE ndft_flags CUDA::cudart_static)
  list(APPEND NDFT_PEAK_OBJECTS $<TARGET_OBJECTS:ndft_peak_sm90a>)
endif()
