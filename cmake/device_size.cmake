# SPDX-License-Identifier: Apache-2.0
# cmake -P device_size.cmake LIMIT OBJECT...: fails when the CUDA objects together exceed LIMIT bytes.

set(limit ${CMAKE_ARGV3})
set(total 0)
math(EXPR last "${CMAKE_ARGC} - 1")
foreach(i RANGE 4 ${last})
  file(SIZE ${CMAKE_ARGV${i}} bytes)
  math(EXPR total "${total} + ${bytes}")
endforeach()
if(total GREATER limit)
  message(FATAL_ERROR "CUDA objects take ${total} bytes; the limit is ${limit}")
endif()
message(STATUS "CUDA objects take ${total} bytes of ${limit}")
