# SPDX-License-Identifier: Apache-2.0
# The Python package with libndft beside it, as a wheel holds it and no other installation:
# cmake --install build --component python --prefix X, and PYTHONPATH=X.
set(python_parts ndft_shared)
if(TARGET ndft_cuda_shared)
  list(APPEND python_parts ndft_cuda_shared)
endif()
add_custom_target(ndft_python)
add_dependencies(ndft_python ${python_parts})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/python/ndft DESTINATION . COMPONENT python EXCLUDE_FROM_ALL
  FILES_MATCHING PATTERN "*.py" PATTERN py.typed PATTERN __pycache__ EXCLUDE)
foreach(part IN LISTS python_parts) # one file each by the name that it is opened by: wheels hold no links
  install(FILES $<TARGET_FILE:${part}> DESTINATION ndft RENAME $<TARGET_SONAME_FILE_NAME:${part}>
    COMPONENT python EXCLUDE_FROM_ALL)
endforeach()
