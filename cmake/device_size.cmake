# SPDX-License-Identifier: Apache-2.0
# cmake -P device_size.cmake OBJECT...: fails when the CUDA objects together exceed 40 MiB.

set(limit 41943040)
set(total 0)
math(EXPR last "${CMAKE_ARGC} - 1")
foreach(i RANGE 3 ${last})
  file(SIZE ${CMAKE_ARGV${i}} bytes)
  math(EXPR total "${total} + ${bytes}")
endforeach()
if(total GREATER limit)
  message(FATAL_ERROR "CUDA objects take ${total} bytes; the limit is ${limit}")
endif()
message(STATUS "CUDA objects take ${total} bytes of ${limit}")
