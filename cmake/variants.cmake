# SPDX-License-Identifier: Apache-2.0
# Derives everything about variants from variants/variants.def: their sources, the objects per
# instruction set, the registry's table and the build ids. A variant's files lie in its family's
# folder, or in one of that; its descriptor stands in NAME_BACKEND.c or .cu, or beside others in the
# file of what they have in common, whose loops and kernels are then its own, too.

include(${CMAKE_CURRENT_LIST_DIR}/build_id.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/loops.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/together.cmake)

set(variants_dir ${PROJECT_SOURCE_DIR}/variants)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${variants_dir}/variants.def)
file(STRINGS ${variants_dir}/variants.def variant_lines REGEX "^NDFT_(VARIANT|UNIFORM|CHIRPZ|VENDOR|ABLATION|SCHEME)")

string(TOUPPER "${CMAKE_BUILD_TYPE}" type)
set(variant_flags_cpu -ffp-contract=fast)
set(id_flags_cpu ${CMAKE_C_FLAGS} ${CMAKE_C_FLAGS_${type}} ${variant_flags_cpu} ${loop_flags_v2}
  ${loop_flags_v3} ${loop_flags_v4} ${loop_flags_quick})
# Front end, code generator and assembler see every instance for the newest architecture, and optimise
# none; those for which an older one has code of its own, for that, too.
set(quick_flags "")
if(NDFT_QUICK AND CMAKE_CUDA_COMPILER_VERSION VERSION_GREATER_EQUAL 13)
  set(quick_flags --Ofast-compile=max)
  set(CMAKE_CUDA_FLAGS_RELEASE -O1) # of the host's part
  set(CMAKE_CUDA_ARCHITECTURES 90-real)
  set_source_files_properties(${variants_dir}/gemm/line/line_gemm_cuda.cu
    ${variants_dir}/gemm/separable/separable_gemm_cuda.cu PROPERTIES
    COMPILE_OPTIONS "--generate-code=arch=compute_80,code=[compute_80]")
endif()
set(id_flags_cuda ${CMAKE_CUDA_FLAGS} ${CMAKE_CUDA_FLAGS_${type}} ${CMAKE_CUDA_ARCHITECTURES} ${quick_flags})

# described: all descriptors as NAME_BACKEND; file_NAME_BACKEND: where each stands.
file(GLOB_RECURSE present CONFIGURE_DEPENDS ${variants_dir}/*_cpu.c ${variants_dir}/*_cuda.cu)
set(described "")
foreach(source IN LISTS present)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${source})
  file(STRINGS ${source} heads REGEX "^(extern \"C\" )?const ndft_variant ndft_[a-z0-9_]+ = ")
  if(NOT heads)
    message(FATAL_ERROR "${source} describes no variant")
  endif()
  foreach(head IN LISTS heads)
    string(REGEX REPLACE "^.*const ndft_variant ndft_([a-z0-9_]+) = .*" "\\1" variant "${head}")
    list(APPEND described ${variant})
    set(file_${variant} ${source})
  endforeach()
endforeach()

# The one file of that name, empty where there is none.
function(ndft_variant_file out name)
  file(GLOB_RECURSE found CONFIGURE_DEPENDS ${variants_dir}/${name})
  list(LENGTH found count)
  if(count GREATER 1)
    message(FATAL_ERROR "two files of one variant: ${found}")
  endif()
  set(${out} ${found} PARENT_SCOPE)
endfunction()

# What a scheme's choices "spread=hybrid ..." are made of: the files of its stages.
function(ndft_stage_files out backend choice)
  set(files "")
  string(REPLACE " " ";" stages "${choice}")
  foreach(stage IN LISTS stages)
    string(REPLACE "=" "_" stage ${stage})
    if(backend STREQUAL cpu)
      ndft_variant_file(file ${stage}_loop.c)
    else()
      ndft_variant_file(file ${stage}.cu)
    endif()
    list(APPEND files ${file})
  endforeach()
  set(${out} ${files} PARENT_SCOPE)
endfunction()

set(registry "")
set(registry_cpu "")
set(registry_cuda "")
set(closures "")
set(schemes "")
set(vendors "")
set(sources_cpu "")
set(sources_cuda "")
set(sources_sm90a "")
set(listed "")
set(uniform_ids "")
foreach(line IN LISTS variant_lines)
  set(ablates "NULL, NULL")
  set(kind NDFT_NONUNIFORM)
  set(choice "")
  if(line MATCHES "^NDFT_(UNIFORM|VENDOR)")
    set(kind NDFT_UNIFORM)
  elseif(line MATCHES "^NDFT_CHIRPZ")
    set(kind NDFT_CHIRPZ)
  endif()
  if(line MATCHES "^NDFT_ABLATION\\(([a-z0-9_]+), (cpu|cuda), ([a-z0-9_]+), ([a-z -]+)\\)$")
    set(ablates "\"${CMAKE_MATCH_3}\", \"${CMAKE_MATCH_4}\"")
    if(NOT DEFINED file_${CMAKE_MATCH_3}_${CMAKE_MATCH_2})
      message(FATAL_ERROR "variants.def: '${line}' explains no variant of its backend")
    endif()
  elseif(line MATCHES "^NDFT_SCHEME\\([a-z0-9_]+, [a-z]+, [a-z]+, ([a-z0-9_]+), ([a-z_= ]+)\\)$")
    set(engine ${CMAKE_MATCH_1})
    set(choice ${CMAKE_MATCH_2})
    string(APPEND schemes "${line}\n")
  elseif(NOT line MATCHES "^NDFT_(VARIANT|UNIFORM|CHIRPZ|VENDOR)\\(([a-z0-9_]+), (cpu|cuda)(, (fftw|cufft))?\\)$")
    message(FATAL_ERROR "variants.def: cannot read '${line}'")
  endif()
  string(REGEX MATCH "\\(([a-z0-9_]+), (cpu|cuda)(, (fftw|cufft))?" head "${line}")
  set(name ${CMAKE_MATCH_1})
  set(backend ${CMAKE_MATCH_2})
  set(library "${CMAKE_MATCH_4}")
  if(NOT choice)
    set(engine ${name})
  endif()
  if(line MATCHES "^NDFT_VENDOR")
    string(APPEND vendors "${line}\n")
  endif()
  set(source ${file_${engine}_${backend}})
  if(NOT source)
    message(FATAL_ERROR "variants.def names ${name}.${backend}, which no file holds")
  endif()
  list(APPEND listed ${engine}_${backend})
  string(REGEX REPLACE "^.*/([a-z0-9_]+)_${backend}[.]cu?$" "\\1" stem ${source})
  if(backend STREQUAL cpu)
    ndft_variant_file(loops ${stem}_loop.c)
    set(called "")
  else()
    ndft_variant_file(loops ${stem}_sm90a.cu)
    ndft_variant_file(called ${stem}_called.cuh) # what its plans compile
  endif()
  ndft_stage_files(stages ${backend} "${choice}")
  list(APPEND stages_of_${engine}_${backend} ${stages})
  if(NOT choice)
    set(stages ${stages_of_${name}_${backend}})
  endif()
  ndft_include_closure(files ${backend} ${source} ${loops} ${called} ${stages})
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${files})
  ndft_build_id(id "${id_flags_${backend}}" ${files})
  string(APPEND closures "${name} ${backend} ${files}\n")
  if(kind STREQUAL NDFT_UNIFORM)
    string(APPEND uniform_ids "${id} ")
  endif()
  set(entry "${name}, ${backend}, ${engine}, \"${id}\", ${ablates}, ${kind}, \"${library}\", false")
  if((backend STREQUAL cuda AND NOT NDFT_HAVE_CUDA) OR (library STREQUAL cufft AND NOT NDFT_HAVE_CUFFT))
    string(APPEND registry "NDFT_NOT_BUILT(${entry})\n")
    string(APPEND registry_cpu "NDFT_NOT_BUILT(${entry})\n")
  else()
    string(APPEND registry "NDFT_BUILT(${entry})\n")
    if(backend STREQUAL cpu)
      string(APPEND registry_cpu "NDFT_BUILT(${entry})\n")
    else()
      string(APPEND registry_cpu "NDFT_NOT_BUILT(${entry})\n")
      string(APPEND registry_cuda "NDFT_BUILT(${entry})\n")
    endif()
    list(APPEND sources_${backend} ${source})
    if(backend STREQUAL cuda)
      list(APPEND sources_sm90a ${loops})
    endif()
  endif()
endforeach()

# Engines of the library itself, which choose among those above: their ids hash these too. libndft
# has CUDA's before libndft_cuda is open, and also where it was built without.
file(STRINGS ${variants_dir}/variants.def composed_lines REGEX "^NDFT_COMPOSED")
foreach(line IN LISTS composed_lines)
  if(NOT line MATCHES "^NDFT_COMPOSED\\(([a-z0-9_]+), (cpu|cuda), ([A-Z]+)\\)$")
    message(FATAL_ERROR "variants.def: cannot read '${line}'")
  endif()
  set(name ${CMAKE_MATCH_1})
  set(backend ${CMAKE_MATCH_2})
  set(kind NDFT_${CMAKE_MATCH_3})
  file(GLOB files CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/library/composed/${name}*.[ch])
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${files})
  ndft_build_id(id "${id_flags_${backend}} ${uniform_ids}" ${files})
  string(APPEND closures "${name} ${backend} ${files}\n")
  set(entry "${name}, ${backend}, ${name}, \"${id}\", NULL, NULL, ${kind}, \"\", false")
  set(built BUILT)
  if(backend STREQUAL cuda AND NOT NDFT_HAVE_CUDA)
    set(built NOT_BUILT)
  endif()
  string(APPEND registry "NDFT_${built}(${entry})\n")
  string(APPEND registry_cpu "NDFT_BUILT(${entry})\n")
  string(APPEND uniform_ids "${id} ")
endforeach()
file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/generated/registry.inc CONTENT "${registry}" @ONLY)
file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/generated/registry_cpu.inc CONTENT "${registry_cpu}" @ONLY)
file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/generated/registry_cuda.inc CONTENT "${registry_cuda}" @ONLY)
# Which files count in which id, for tests/project/test_build_id.py.
file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/generated/closures.txt CONTENT "${closures}" @ONLY)
# Of all variants together, by which libndft and libndft_cuda know each other.
string(SHA256 build_id "${registry}")
string(SUBSTRING ${build_id} 0 16 build_id)
file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/generated/build_id.inc
  CONTENT "#define NDFT_BUILD_ID \"${build_id}\"\n" @ONLY)
file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/generated/vendors.inc CONTENT "${vendors}" @ONLY)
file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/generated/schemes.inc CONTENT "${schemes}" @ONLY)
include(${CMAKE_CURRENT_LIST_DIR}/peers.cmake)
file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/generated/registry_with_peers.inc CONTENT "${registry}"
  @ONLY)

list(REMOVE_DUPLICATES sources_cpu)
list(REMOVE_DUPLICATES sources_cuda)
list(REMOVE_DUPLICATES sources_sm90a)
list(REMOVE_ITEM described ${listed})
if(described)
  message(FATAL_ERROR "no line in variants.def: ${described}")
endif()

add_library(ndft_variant_flags INTERFACE)
target_include_directories(ndft_variant_flags INTERFACE ${variants_dir})
target_link_libraries(ndft_variant_flags INTERFACE ndft_flags)

# What the files of a family share: NAME.c beside its header NAME.h, NAME.cu beside NAME.cuh;
# NAME_cufft.cu where cuFFT is there.
file(GLOB_RECURSE shared CONFIGURE_DEPENDS ${variants_dir}/*.c)
file(GLOB_RECURSE shared_cuda CONFIGURE_DEPENDS ${variants_dir}/*.cu)
list(FILTER shared EXCLUDE REGEX "_(cpu|loop)[.]c$")
list(FILTER shared_cuda EXCLUDE REGEX "_(cuda|sm90a)[.]cu$")
if(NOT NDFT_HAVE_CUFFT)
  list(FILTER shared_cuda EXCLUDE REGEX "_cufft[.]cu$")
endif()

# What plans compile load and store functions with.
set(called_dir ${variants_dir}/uniform/callback)
ndft_embed(callback_texts.inc ${PROJECT_SOURCE_DIR}/include/ndft/types.h
  ${PROJECT_SOURCE_DIR}/include/ndft/callback.h ${PROJECT_SOURCE_DIR}/include/ndft/tensor.h
  ${PROJECT_SOURCE_DIR}/library/base/problem.h
  ${PROJECT_SOURCE_DIR}/library/base/uniform.h
  ${called_dir}/callback_slot.cuh ${called_dir}/callback_access.cuh
  ${called_dir}/callback_plan_called.cuh
  ${called_dir}/uniform_index.cuh ${called_dir}/uniform_naive_kernel.cuh
  ${called_dir}/uniform_naive_called.cuh ${called_dir}/uniform_vendor_info.cuh
  ${called_dir}/uniform_vendor_load.cuh ${called_dir}/uniform_vendor_store.cuh)

# And kernels of their own.
ndft_embed(stockham_texts.inc ${variants_dir}/core/complex.cuh ${variants_dir}/fft/small_dft.cuh
  ${variants_dir}/fft/radix_dft.cuh ${variants_dir}/fft/odd_dft.cuh
  ${variants_dir}/uniform/stockham/stockham_prime.cuh
  ${variants_dir}/uniform/stockham/stockham_memory.cuh
  ${variants_dir}/uniform/stockham/stockham_copy.cuh ${variants_dir}/uniform/stockham/stockham_whole.cuh
  ${variants_dir}/uniform/stockham/stockham_pass.cuh
  ${variants_dir}/uniform/stockham/stockham_folded.cuh
  ${variants_dir}/uniform/stockham/stockham_mirrored.cuh
  ${variants_dir}/uniform/stockham/stockham_convolved.cuh
  ${variants_dir}/uniform/stockham/stockham_called.cuh)

add_library(ndft_variants OBJECT ${sources_cpu} ${shared})
target_include_directories(ndft_variants PRIVATE ${PROJECT_BINARY_DIR}/generated)
target_compile_options(ndft_variants PRIVATE ${variant_flags_cpu})
target_link_libraries(ndft_variants PRIVATE ndft_variant_flags OpenMP::OpenMP_C)
set(NDFT_VARIANT_OBJECTS $<TARGET_OBJECTS:ndft_variants>)

file(GLOB_RECURSE loop_sources CONFIGURE_DEPENDS ${variants_dir}/*_loop.c)
if(sanitized) # with all that is inlined, seconds by -O1 that their tests do not have back
  set(inlined ${loop_sources})
  list(FILTER inlined INCLUDE REGEX "/nufft/host/")
  set_source_files_properties(${inlined} PROPERTIES COMPILE_OPTIONS -O0)
endif()
ndft_loops(NDFT_VARIANT_OBJECTS ndft_loops ${loop_sources})
set(NDFT_VARIANT_OBJECTS_CPU ${NDFT_VARIANT_OBJECTS})

if(sources_cuda)
  set(all_cuda ${sources_cuda} ${shared_cuda})
  ndft_together(all_cuda small
    "/(image|rank|(grid|fft|pipeline)_(fft|cufft)|interleaved_grids|two_lines|callback_kernel|bluestein_filter|filter_rows|rader_cuda)[.]cu$")
  ndft_together(all_cuda sorts "/(samples|lists|product_streams|interpolate_rows)[.]cu$")
  set_source_files_properties(${PROJECT_BINARY_DIR}/generated/sorts.cu PROPERTIES
    COMPILE_OPTIONS -Xcompiler=-Wno-maybe-uninitialized) # of CUB, where gcc sees it from more than one file
  add_library(ndft_variants_cuda OBJECT ${all_cuda})
  # The most instances, and kernels that are much alike: packed as small as nvcc can, so that all
  # objects stay within the limit that device_size holds. What runs is the same. A quick build, where packing
  # took a fifth of these files' time, holds another.
  if(CMAKE_CUDA_COMPILER_VERSION VERSION_GREATER_EQUAL 13 AND NOT quick_flags)
    set_source_files_properties(${variants_dir}/chirp_z/chirp_z_cuda.cu
      ${variants_dir}/direct/reduced_cuda.cu
      ${variants_dir}/direct/tiled_cuda.cu
      ${variants_dir}/nufft/interpolate/interpolate_cells.cu
      ${variants_dir}/nufft/interpolate/interleaved_strips.cu
      ${variants_dir}/nufft/interpolate/interpolate_interleaved.cu
      ${variants_dir}/nufft/interpolate/interpolate_rows.cu
      ${variants_dir}/nufft/spread/spread_gemm.cu
      ${variants_dir}/nufft/spread/spread_interleaved.cu
      ${variants_dir}/nufft/spread/spread_output_driven.cu
      ${variants_dir}/nufft/spread/spread_scatter.cu
      ${variants_dir}/nufft/spread/spread_subproblem.cu
      ${variants_dir}/nufft/toeplitz/nufft_toeplitz_cuda.cu
      ${variants_dir}/nufft/transform/interleaved_adjoint.cu
      ${variants_dir}/nufft/transform/interleaved_fft.cu
      ${variants_dir}/nufft/transform/planar_cluster.cu
      ${variants_dir}/nufft/transform/planar_fft.cu
      ${variants_dir}/uniform/bluestein/bluestein_cuda.cu
      ${variants_dir}/uniform/bluestein/bluestein_in_place.cu
      ${variants_dir}/uniform/bluestein/bluestein_pairs.cu
      ${variants_dir}/uniform/direct/uniform_gemm_cuda.cu PROPERTIES
      COMPILE_OPTIONS --compress-mode=size)
  endif()
  target_compile_options(ndft_variants_cuda PRIVATE ${quick_flags})
  target_link_libraries(ndft_variants_cuda PRIVATE ndft_variant_flags CUDA::cudart_static)
  set(NDFT_VARIANT_OBJECTS_CUDA $<TARGET_OBJECTS:ndft_variants_cuda>)
endif()

# Kernels of compute capability 9.0a, NAME_sm90a.cu: other devices have none of their instructions,
# so these files have no other code.
if(sources_sm90a)
  add_library(ndft_variants_sm90a OBJECT ${sources_sm90a})
  set_target_properties(ndft_variants_sm90a PROPERTIES CUDA_ARCHITECTURES 90a-real)
  target_compile_options(ndft_variants_sm90a PRIVATE ${quick_flags})
  target_link_libraries(ndft_variants_sm90a PRIVATE ndft_variant_flags CUDA::cudart_static)
  list(APPEND NDFT_VARIANT_OBJECTS_CUDA $<TARGET_OBJECTS:ndft_variants_sm90a>)
endif()
list(APPEND NDFT_VARIANT_OBJECTS ${NDFT_VARIANT_OBJECTS_CUDA})
