# SPDX-License-Identifier: Apache-2.0
# The library's objects: its base, which the reference stands on too, plans and devices, the variants
# and their registry. NDFT_LIBRARY_OBJECTS is all but the registry: programs of the harness have one
# with peers, libndft one of its own backends.

set(library_dir ${PROJECT_SOURCE_DIR}/library)
file(GLOB base_sources CONFIGURE_DEPENDS ${library_dir}/base/*.c ${library_dir}/base/memory/*.c)
add_library(ndft_base OBJECT ${base_sources})
target_link_libraries(ndft_base PRIVATE ndft_flags)
set_source_files_properties(${library_dir}/base/host_fft.c ${library_dir}/group/nccl.c
  ${library_dir}/group/sockets.c PROPERTIES COMPILE_DEFINITIONS _GNU_SOURCE) # dladdr, RTLD_DEFAULT, POLLRDHUP

ndft_embed(model.inc ${library_dir}/model/cpu.txt ${library_dir}/model/cuda.txt)
file(GLOB library_sources CONFIGURE_DEPENDS ${library_dir}/*.c ${library_dir}/coils/*.c
  ${library_dir}/composed/*.c  ${library_dir}/device/*.c ${library_dir}/group/*.c ${library_dir}/public/*.c)
list(FILTER library_sources EXCLUDE REGEX "/(registry|backends)[.]c$|_none[.]c$")
add_library(ndft_library OBJECT ${library_sources})
# CUDA is linked to programs, and opened by libndft.
add_library(ndft_backends_linked OBJECT ${library_dir}/device/backends.c)
add_library(ndft_backends_loaded OBJECT ${library_dir}/loaded/backend_loaded.c)
target_compile_definitions(ndft_backends_loaded PRIVATE _GNU_SOURCE) # dladdr
file(GLOB library_cuda CONFIGURE_DEPENDS ${library_dir}/device/*_cuda.cu)
ndft_together(library_cuda library_cuda "/(backend|cufft|describe|largest|thread)_cuda")
if(NOT NDFT_HAVE_CUDA)
  file(GLOB library_cuda CONFIGURE_DEPENDS ${library_dir}/device/*_none.c)
endif()
add_library(ndft_library_cuda OBJECT ${library_cuda})
if(NDFT_HAVE_CUDA)
  target_link_libraries(ndft_library_cuda PRIVATE CUDA::cudart_static)
endif()
foreach(part ndft_library ndft_library_cuda ndft_backends_linked ndft_backends_loaded)
  target_include_directories(${part} PRIVATE ${PROJECT_BINARY_DIR}/generated)
  target_link_libraries(${part} PRIVATE ndft_flags OpenMP::OpenMP_C)
endforeach()

foreach(registry registry_with_peers registry_cpu)
  add_library(ndft_${registry} OBJECT ${library_dir}/registry.c)
  target_compile_definitions(ndft_${registry} PRIVATE NDFT_REGISTRY="${registry}.inc")
  target_include_directories(ndft_${registry} PRIVATE ${PROJECT_BINARY_DIR}/generated)
  target_link_libraries(ndft_${registry} PRIVATE ndft_flags)
endforeach()

set(NDFT_LIBRARY_OBJECTS $<TARGET_OBJECTS:ndft_base> $<TARGET_OBJECTS:ndft_library>
  $<TARGET_OBJECTS:ndft_backends_linked> $<TARGET_OBJECTS:ndft_library_cuda> ${NDFT_VARIANT_OBJECTS})

# What a program of these objects is linked to.
add_library(ndft_library_needs INTERFACE)
target_link_libraries(ndft_library_needs INTERFACE ndft_flags OpenMP::OpenMP_C m
  ${CMAKE_DL_LIBS})
if(NDFT_HAVE_CUDA)
  target_link_libraries(ndft_library_needs INTERFACE CUDA::cudart_static)
endif()

# libndft.so and libndft.a, which need a C library, OpenMP's and nothing else.
foreach(form shared static)
  string(TOUPPER ${form} FORM)
  add_library(ndft_${form} ${FORM} $<TARGET_OBJECTS:ndft_base> $<TARGET_OBJECTS:ndft_library>
    $<TARGET_OBJECTS:ndft_backends_loaded> $<TARGET_OBJECTS:ndft_registry_cpu> ${NDFT_VARIANT_OBJECTS_CPU})
  set_target_properties(ndft_${form} PROPERTIES OUTPUT_NAME ndft LINKER_LANGUAGE C
    VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR})
  target_include_directories(ndft_${form} INTERFACE $<INSTALL_INTERFACE:include>)
endforeach()
target_link_libraries(ndft_shared PRIVATE OpenMP::OpenMP_C ${CMAKE_DL_LIBS} INTERFACE m)
target_link_libraries(ndft_shared PRIVATE m)
if(NOT CMAKE_C_FLAGS MATCHES sanitize) # whose calls are the program's
  target_link_options(ndft_shared PRIVATE LINKER:--no-undefined)
endif()
target_link_libraries(ndft_static INTERFACE m ${CMAKE_DL_LIBS}
  "$<BUILD_INTERFACE:OpenMP::OpenMP_C>" "$<INSTALL_INTERFACE:${OpenMP_C_LIB_NAMES}>")

# libndft_cuda.so: the backend and the variants, with what of the host's part they call.
add_library(ndft_parts STATIC $<TARGET_OBJECTS:ndft_base> $<TARGET_OBJECTS:ndft_library>
  ${NDFT_VARIANT_OBJECTS_CPU})
if(NDFT_HAVE_CUDA)
  add_library(ndft_cuda_shared SHARED ${library_dir}/loaded/cuda_parts.c ${NDFT_VARIANT_OBJECTS_CUDA}
    $<TARGET_OBJECTS:ndft_library_cuda>)
  target_include_directories(ndft_cuda_shared PRIVATE ${PROJECT_BINARY_DIR}/generated)
  set_target_properties(ndft_cuda_shared PROPERTIES OUTPUT_NAME ndft_cuda LINKER_LANGUAGE CXX
    VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR} CUDA_SEPARABLE_COMPILATION OFF)
  target_link_libraries(ndft_cuda_shared PRIVATE ndft_flags ndft_parts CUDA::cudart_static
    OpenMP::OpenMP_C m ${CMAKE_DL_LIBS})
  set(map ${PROJECT_SOURCE_DIR}/cmake/cuda_parts.map)
  target_link_options(ndft_cuda_shared PRIVATE LINKER:--no-undefined LINKER:--version-script,${map})
  set_target_properties(ndft_cuda_shared PROPERTIES LINK_DEPENDS ${map})
endif()
