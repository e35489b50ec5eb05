# SPDX-License-Identifier: Apache-2.0
# The library's objects: its base, which the reference stands on too, plans and devices, the variants
# and their registry. NDFT_LIBRARY_OBJECTS is all but the registry: programs of the harness have one
# with peers.

set(library_dir ${PROJECT_SOURCE_DIR}/library)
file(GLOB base_sources CONFIGURE_DEPENDS ${library_dir}/base/*.c)
add_library(ndft_base OBJECT ${base_sources})
target_link_libraries(ndft_base PRIVATE ndft_flags)

file(GLOB library_sources CONFIGURE_DEPENDS ${library_dir}/*.c)
list(REMOVE_ITEM library_sources ${library_dir}/registry.c)
if(NDFT_HAVE_CUDA)
  list(FILTER library_sources EXCLUDE REGEX "_none[.]c$")
  file(GLOB library_cuda CONFIGURE_DEPENDS ${library_dir}/*_cuda.cu)
  list(APPEND library_sources ${library_cuda})
endif()
add_library(ndft_library OBJECT ${library_sources})
target_include_directories(ndft_library PRIVATE ${library_dir} ${PROJECT_BINARY_DIR}/generated)
target_link_libraries(ndft_library PRIVATE ndft_flags OpenMP::OpenMP_C
  $<$<BOOL:${NDFT_HAVE_CUDA}>:CUDA::cudart_static>)

foreach(registry registry registry_with_peers)
  add_library(ndft_${registry} OBJECT ${library_dir}/registry.c)
  target_compile_definitions(ndft_${registry} PRIVATE NDFT_REGISTRY="${registry}.inc")
  target_include_directories(ndft_${registry} PRIVATE ${PROJECT_BINARY_DIR}/generated)
  target_link_libraries(ndft_${registry} PRIVATE ndft_flags)
endforeach()

set(NDFT_LIBRARY_OBJECTS $<TARGET_OBJECTS:ndft_base> $<TARGET_OBJECTS:ndft_library>
  ${NDFT_VARIANT_OBJECTS})

# What a program of these objects is linked to.
add_library(ndft_library_needs INTERFACE)
target_link_libraries(ndft_library_needs INTERFACE ndft_flags OpenMP::OpenMP_C m
  ${CMAKE_DL_LIBS})
if(NDFT_HAVE_CUDA)
  target_link_libraries(ndft_library_needs INTERFACE CUDA::cudart_static)
  if(NDFT_HAVE_CUFFT)
    target_link_libraries(ndft_library_needs INTERFACE CUDA::cufft)
  endif()
endif()
