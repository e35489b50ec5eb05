# SPDX-License-Identifier: Apache-2.0
# What `cmake --install` leaves: headers, libndft, a CMake package and a pkg-config file that are found
# wherever the folder is moved, and the examples.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/ndft)
set(generated_dir ${PROJECT_BINARY_DIR}/generated)
set_target_properties(ndft_shared PROPERTIES EXPORT_NAME ndft)
install(TARGETS ndft_shared ndft_static EXPORT ndft)
if(TARGET ndft_cuda_shared) # opened by name
  install(TARGETS ndft_cuda_shared LIBRARY NAMELINK_SKIP)
endif()
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/examples DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(EXPORT ndft NAMESPACE ndft:: FILE ndft-config.cmake DESTINATION ${package_dir})
write_basic_package_version_file(${generated_dir}/ndft-config-version.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${generated_dir}/ndft-config-version.cmake DESTINATION ${package_dir})

file(RELATIVE_PATH up /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
list(TRANSFORM OpenMP_C_LIB_NAMES PREPEND -l OUTPUT_VARIABLE private)
list(JOIN private " " private)
file(CONFIGURE OUTPUT ${generated_dir}/ndft.pc @ONLY CONTENT
"prefix=\${pcfiledir}/${up}
Name: ndft
Description: field-corrected nonuniform discrete Fourier transforms of MRI
Version: ${PROJECT_VERSION}
Cflags: -I\${prefix}/${CMAKE_INSTALL_INCLUDEDIR}
Libs: -L\${prefix}/${CMAKE_INSTALL_LIBDIR} -lndft -lm
Libs.private: ${private} -ldl
")
install(FILES ${generated_dir}/ndft.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
