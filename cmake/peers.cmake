# SPDX-License-Identifier: Apache-2.0
# The adapters of peers/peers.def: their lines in the registry and their objects. They load other
# people's libraries by name when they run, so that all of them are built everywhere.

set(peers_dir ${PROJECT_SOURCE_DIR}/peers)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${peers_dir}/peers.def)
file(STRINGS ${peers_dir}/peers.def peer_lines REGEX "^NDFT_(UNIFORM_)?PEER")
file(GLOB peer_sources CONFIGURE_DEPENDS ${peers_dir}/*.c)
list(FILTER peer_sources EXCLUDE REGEX "_module[.]c$") # a shared library
list(FILTER peer_sources EXCLUDE REGEX "_loop[.]c$")
if(NDFT_HAVE_CUDA)
  list(FILTER peer_sources EXCLUDE REGEX "_none[.]c$")
endif()
set(peers "")
foreach(line IN LISTS peer_lines)
  if(NOT line MATCHES "^NDFT_(UNIFORM_)?PEER\\(([a-z0-9_]+), (cpu|cuda)\\)$")
    message(FATAL_ERROR "peers.def: cannot read '${line}'")
  endif()
  set(name ${CMAKE_MATCH_2})
  set(backend ${CMAKE_MATCH_3})
  set(kind NDFT_NONUNIFORM)
  if(CMAKE_MATCH_1)
    set(kind NDFT_UNIFORM)
  endif()
  set(source ${peers_dir}/${name}_${backend}.c)
  if(NOT source IN_LIST peer_sources)
    message(FATAL_ERROR "peers.def: '${line}' has no ${source}")
  endif()
  ndft_include_closure(files ${backend} ${source})
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${files})
  ndft_build_id(id "${id_flags_${backend}}" ${files})
  string(APPEND registry
    "NDFT_BUILT(${name}, ${backend}, ${name}, \"${id}\", NULL, NULL, ${kind}, \"\", true)\n")
  string(APPEND peers "NDFT_PEER(${name}, ${backend})\n")
endforeach()
file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/generated/peers.inc CONTENT "${peers}" @ONLY)

add_library(ndft_peers OBJECT ${peer_sources})
# dladdr, memmem
set_source_files_properties(${peers_dir}/library.c PROPERTIES COMPILE_DEFINITIONS _GNU_SOURCE)
target_include_directories(ndft_peers PRIVATE ${PROJECT_BINARY_DIR}/generated ${variants_dir})
target_link_libraries(ndft_peers PRIVATE ndft_flags OpenMP::OpenMP_C)
set(NDFT_PEER_OBJECTS $<TARGET_OBJECTS:ndft_peers>)
file(GLOB peer_loops CONFIGURE_DEPENDS ${peers_dir}/*_loop.c)
ndft_loops(NDFT_PEER_OBJECTS ndft_peer_loops ${peer_loops})

# What runs on a GPU beside their calls.
if(NDFT_HAVE_CUDA)
  file(GLOB peer_sources_cuda CONFIGURE_DEPENDS ${peers_dir}/*.cu)
  add_library(ndft_peers_cuda OBJECT ${peer_sources_cuda})
  target_link_libraries(ndft_peers_cuda PRIVATE ndft_flags CUDA::cudart_static)
  list(APPEND NDFT_PEER_OBJECTS $<TARGET_OBJECTS:ndft_peers_cuda>)
endif()

include(${CMAKE_CURRENT_LIST_DIR}/vkfft.cmake)
