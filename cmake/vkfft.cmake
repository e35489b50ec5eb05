# SPDX-License-Identifier: Apache-2.0
# VkFFT's headers as a shared library, which the adapter loads by name as it would any peer's: the
# program needs neither them nor NVRTC. The driver's library is asked for where it is loaded.

set(NDFT_VKFFT "" CACHE PATH "folder of vkFFT.h (VkFFT 1.3), for the peer vkfft.cuda")
if(NDFT_VKFFT AND NOT EXISTS ${NDFT_VKFFT}/vkFFT.h)
  message(FATAL_ERROR "NDFT_VKFFT=${NDFT_VKFFT} is no folder that holds vkFFT.h")
endif()
if(NOT NDFT_VKFFT OR NOT NDFT_HAVE_CUDA)
  return()
endif()

file(STRINGS ${NDFT_VKFFT}/vkFFT.h vkfft_version REGEX "return [0-9]+")
if(NOT vkfft_version MATCHES "return ([0-9]+)([0-9][0-9])([0-9][0-9])[^0-9]")
  message(FATAL_ERROR "${NDFT_VKFFT}/vkFFT.h does not say which version of VkFFT it is")
endif()
math(EXPR minor "${CMAKE_MATCH_2}")
math(EXPR patch "${CMAKE_MATCH_3}")
set(vkfft_version ${CMAKE_MATCH_1}.${minor}.${patch})

set(vkfft_dir ${PROJECT_BINARY_DIR}/peers/vkfft)
add_library(vkfft MODULE ${peers_dir}/vkfft_module.c)
target_include_directories(vkfft SYSTEM PRIVATE ${NDFT_VKFFT})
target_compile_definitions(vkfft PRIVATE VKFFT_BACKEND=1)
target_link_libraries(vkfft PRIVATE ndft_flags CUDA::nvrtc CUDA::cuda_driver CUDA::cudart_static m)
set_target_properties(vkfft PROPERTIES LIBRARY_OUTPUT_DIRECTORY ${vkfft_dir}
  BUILD_WITH_INSTALL_RPATH ON INSTALL_RPATH ${CUDAToolkit_LIBRARY_DIR})
set(nvrtc ${CUDAToolkit_VERSION_MAJOR}.${CUDAToolkit_VERSION_MINOR})
file(CONFIGURE OUTPUT ${vkfft_dir}/libvkfft.so.built CONTENT
  "${vkfft_version} native: NVRTC ${nvrtc} for the GPU that it runs on, ${CMAKE_C_COMPILER_ID} ${CMAKE_C_COMPILER_VERSION} ${CMAKE_C_FLAGS_${type}}\n"
  @ONLY)
