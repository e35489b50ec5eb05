# SPDX-License-Identifier: Apache-2.0
# What the host needs, and CUDA where it is found. jansson is linked statically where its archive is
# installed, so that build/ndft can be carried to another machine.

find_package(OpenMP REQUIRED COMPONENTS C)

if(NOT NDFT_LIBRARY_ONLY) # libndft has no need of it
  find_path(JANSSON_INCLUDE_DIR jansson.h)
  find_library(JANSSON_LIBRARY NAMES libjansson.a jansson)
  if(NOT JANSSON_INCLUDE_DIR OR NOT JANSSON_LIBRARY)
    message(FATAL_ERROR "jansson was not found; on Debian and Ubuntu: apt-get install libjansson-dev")
  endif()
  add_library(ndft_jansson INTERFACE)
  target_include_directories(ndft_jansson SYSTEM INTERFACE ${JANSSON_INCLUDE_DIR})
  target_link_libraries(ndft_jansson INTERFACE ${JANSSON_LIBRARY})
endif()

include(CheckLanguage)

# The only C++ of the project is a front end for Google Benchmark; without either, all else builds.
set(NDFT_HAVE_GBENCH OFF)
if(NOT NDFT_LIBRARY_ONLY)
  find_package(benchmark 1.7 QUIET)
endif()
if(benchmark_FOUND)
  check_language(CXX)
  if(CMAKE_CXX_COMPILER)
    enable_language(CXX)
    set(CMAKE_CXX_FLAGS "${CMAKE_C_FLAGS}") # one program is built from both: sanitizers need both
    set(NDFT_HAVE_GBENCH ON)
  endif()
endif()
if(NOT NDFT_HAVE_GBENCH AND NOT NDFT_LIBRARY_ONLY)
  message(STATUS "ndft-gbench is not built: no Google Benchmark 1.7, or no C++ compiler")
endif()

set(NDFT_HAVE_CUDA OFF)
set(NDFT_HAVE_CUFFT OFF)
set(CMAKE_CUDA_ARCHITECTURES "80-virtual;90-real" CACHE STRING "code generated for CUDA")
if(NDFT_CUDA)
  check_language(CUDA)
  if(CMAKE_CUDA_COMPILER)
    enable_language(CUDA)
    enable_language(CXX) # which links libndft_cuda
    find_package(CUDAToolkit REQUIRED)
    set(NDFT_HAVE_CUDA ON)
    if(TARGET CUDA::cufft)
      set(NDFT_HAVE_CUFFT ON)
    endif()
  endif()
endif()
if(NOT NDFT_HAVE_CUDA)
  message(STATUS "CUDA variants are listed as not_built: no nvcc, or NDFT_CUDA=OFF")
endif()
