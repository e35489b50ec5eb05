# SPDX-License-Identifier: Apache-2.0
# The library's objects: its base, which the reference stands on too, plans and devices, the variants
# and their registry. NDFT_LIBRARY_OBJECTS is all but the registry: programs of the harness have one
# with peers, libndft one of its own backends.

set(library_dir ${PROJECT_SOURCE_DIR}/library)
file(GLOB base_sources CONFIGURE_DEPENDS ${library_dir}/base/*.c)
add_library(ndft_base OBJECT ${base_sources})
target_link_libraries(ndft_base PRIVATE ndft_flags)

file(GLOB library_sources CONFIGURE_DEPENDS ${library_dir}/*.c ${library_dir}/public/*.c)
list(FILTER library_sources EXCLUDE REGEX "/(registry|[a-z]+_none)[.]c$")
add_library(ndft_library OBJECT ${library_sources})
file(GLOB without_cuda CONFIGURE_DEPENDS ${library_dir}/*_none.c)
add_library(ndft_without_cuda OBJECT ${without_cuda})
set(with_cuda ndft_without_cuda)
if(NDFT_HAVE_CUDA)
  file(GLOB library_cuda CONFIGURE_DEPENDS ${library_dir}/*_cuda.cu)
  add_library(ndft_library_cuda OBJECT ${library_cuda})
  target_link_libraries(ndft_library_cuda PRIVATE CUDA::cudart_static)
  set(with_cuda ndft_library_cuda)
endif()
foreach(part ndft_library ${with_cuda} ndft_without_cuda)
  target_include_directories(${part} PRIVATE ${PROJECT_BINARY_DIR}/generated)
  target_link_libraries(${part} PRIVATE ndft_flags OpenMP::OpenMP_C)
endforeach()

foreach(registry registry registry_with_peers registry_cpu)
  add_library(ndft_${registry} OBJECT ${library_dir}/registry.c)
  target_compile_definitions(ndft_${registry} PRIVATE NDFT_REGISTRY="${registry}.inc")
  target_include_directories(ndft_${registry} PRIVATE ${PROJECT_BINARY_DIR}/generated)
  target_link_libraries(ndft_${registry} PRIVATE ndft_flags)
endforeach()

set(NDFT_LIBRARY_OBJECTS $<TARGET_OBJECTS:ndft_base> $<TARGET_OBJECTS:ndft_library>
  $<TARGET_OBJECTS:${with_cuda}> ${NDFT_VARIANT_OBJECTS})

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

# libndft.so and libndft.a, which need a C library, OpenMP's and nothing else.
foreach(form shared static)
  string(TOUPPER ${form} FORM)
  add_library(ndft_${form} ${FORM} $<TARGET_OBJECTS:ndft_base> $<TARGET_OBJECTS:ndft_library>
    $<TARGET_OBJECTS:ndft_without_cuda> $<TARGET_OBJECTS:ndft_registry_cpu> ${NDFT_VARIANT_OBJECTS_CPU})
  set_target_properties(ndft_${form} PROPERTIES OUTPUT_NAME ndft LINKER_LANGUAGE C
    VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR})
  target_include_directories(ndft_${form} INTERFACE $<INSTALL_INTERFACE:include>)
endforeach()
target_link_libraries(ndft_shared PRIVATE OpenMP::OpenMP_C ${CMAKE_DL_LIBS} INTERFACE m)
target_link_libraries(ndft_shared PRIVATE m)
target_link_options(ndft_shared PRIVATE LINKER:--no-undefined)
target_link_libraries(ndft_static INTERFACE ${OpenMP_C_LIB_NAMES} m ${CMAKE_DL_LIBS})
