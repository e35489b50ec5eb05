# SPDX-License-Identifier: Apache-2.0
# A build id says which sources and flags made a variant: two records with the same id were measured
# with the same code. It hashes the variant's own files, every project header that they reach through
# #include and the sources of these, as one text in the order of includes, and the flags; neither
# comments, how lines are broken, guards, nor what files are called, where they lie and how many they
# are. The compiler is in the record's run line instead, so that one checkout has one id per variant on
# every machine.

# What a file includes of the project, in order.
function(ndft_includes out file)
  get_property(found GLOBAL PROPERTY ndft_includes_${file})
  if(NOT found)
    set(found ${file}) # so that nothing is something, too
    get_filename_component(folder ${file} DIRECTORY)
    file(STRINGS ${file} lines REGEX "^[ \t]*#[ \t]*include[ \t]*[<\"]")
    foreach(line IN LISTS lines)
      string(REGEX REPLACE "^[^<\"]*[<\"]([^>\"]+)[>\"].*" "\\1" name "${line}")
      foreach(place ${folder} ${PROJECT_SOURCE_DIR}/variants ${PROJECT_SOURCE_DIR}/library
          ${PROJECT_SOURCE_DIR}/include)
        if(EXISTS ${place}/${name})
          get_filename_component(header ${place}/${name} ABSOLUTE)
          list(APPEND found ${header})
          break()
        endif()
      endforeach()
    endforeach()
    set_property(GLOBAL PROPERTY ndft_includes_${file} ${found})
  endif()
  list(POP_FRONT found)
  set(${out} ${found} PARENT_SCOPE)
endfunction()

# The sources of what a header declares: the one of its name, and those of its folder that include it
# and have no header of their own; NAME_called.cuh, which plans on a GPU compile. No source of it is a
# variant, its loop or a stage, which knobs choose: ndft_include_closure is given these. Nor is code of
# a GPU part of a CPU's variant, and what calls the host's FFT of a GPU's.
function(ndft_sources_of out header backend)
  get_property(found GLOBAL PROPERTY ndft_sources_${backend}_${header})
  if(found)
    list(POP_FRONT found)
    set(${out} ${found} PARENT_SCOPE)
    return()
  endif()
  get_filename_component(folder ${header} DIRECTORY)
  set(others "_cpu[.]c$|_(cuda|sm90a)[.]cu$|/(spread|interpolate)_[a-z_]+[.]cu?$")
  string(REGEX REPLACE "[.](cu)?h$" "" stem ${header})
  set(found "")
  if(backend STREQUAL cpu)
    string(APPEND others "|[.]cu$")
  else()
    string(APPEND others "|_fftw[.]c$")
    file(GLOB found ${stem}_called.cuh)
  endif()
  file(GLOB sources ${folder}/*.c ${folder}/*.cu)
  foreach(source IN LISTS sources)
    string(REGEX REPLACE "[.]cu?$" "" own ${source})
    string(REGEX REPLACE "_loop[.]c$" "_cpu.c" variant ${source})
    ndft_includes(headers ${source})
    if(own STREQUAL stem OR (header IN_LIST headers AND NOT source MATCHES "${others}"
        AND NOT EXISTS ${own}.h AND NOT EXISTS ${own}.cuh
        AND (variant STREQUAL source OR NOT EXISTS ${variant})))
      list(APPEND found ${source})
    endif()
  endforeach()
  set_property(GLOBAL PROPERTY ndft_sources_${backend}_${header} known ${found})
  set(${out} ${found} PARENT_SCOPE)
endfunction()

# Appends to ndft_closure what a file includes, and the file.
function(ndft_visit file)
  get_property(visited GLOBAL PROPERTY ndft_visited)
  if(NOT file IN_LIST visited)
    set_property(GLOBAL APPEND PROPERTY ndft_visited ${file})
    ndft_includes(headers ${file})
    foreach(header IN LISTS headers)
      ndft_visit(${header})
    endforeach()
    set_property(GLOBAL APPEND PROPERTY ndft_closure ${file})
  endif()
endfunction()

# ndft_include_closure(OUT BACKEND FILE...): the project files that these include, directly or not,
# the files themselves and the sources of all headers among them.
function(ndft_include_closure out backend)
  set_property(GLOBAL PROPERTY ndft_visited "")
  set_property(GLOBAL PROPERTY ndft_closure "")
  foreach(file IN LISTS ARGN)
    ndft_visit(${file})
  endforeach()
  set(next 0)
  while(TRUE)
    get_property(found GLOBAL PROPERTY ndft_closure)
    list(LENGTH found count)
    if(next EQUAL count)
      break()
    endif()
    list(GET found ${next} file)
    if(file MATCHES "h$")
      ndft_sources_of(sources ${file} ${backend})
      foreach(source IN LISTS sources)
        ndft_visit(${source})
      endforeach()
    endif()
    math(EXPR next "${next} + 1")
  endwhile()
  set(${out} ${found} PARENT_SCOPE)
endfunction()

# What counts of a file.
function(ndft_file_text out file)
  get_property(text GLOBAL PROPERTY ndft_text_${file})
  if(NOT text)
    file(READ ${file} text)
    string(REGEX REPLACE "/[*]([^*]|[*]+[^*/])*[*]+/" " " text "${text}")
    if(text MATCHES "^[ \n]*#ifndef ([A-Z0-9_]+)\n#define ([A-Z0-9_]+)\n(.*)#endif[ \n]*$")
      if(CMAKE_MATCH_1 STREQUAL CMAKE_MATCH_2)
        set(text "${CMAKE_MATCH_3}")
      endif()
    endif()
    string(REGEX REPLACE "\n[ \t]*#[ \t]*include[^\n]*" "" text "\n${text}")
    string(REGEX REPLACE "[ \t\n]+" " " text "${text} ")
    set_property(GLOBAL PROPERTY ndft_text_${file} "${text}")
  endif()
  set(${out} "${text}" PARENT_SCOPE)
endfunction()

# ndft_build_id(OUT FLAGS FILE...): of a closure.
function(ndft_build_id out flags)
  set(all "${flags}\n")
  foreach(file IN LISTS ARGN)
    ndft_file_text(text ${file})
    string(APPEND all "${text}")
  endforeach()
  string(REGEX REPLACE "  +" " " all "${all}")
  string(SHA256 hash "${all}")
  string(SUBSTRING ${hash} 0 16 hash)
  set(${out} ${hash} PARENT_SCOPE)
endfunction()
