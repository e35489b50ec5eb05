# SPDX-License-Identifier: Apache-2.0
# A build id says which sources and flags made a variant: two records with the same id were measured
# with the same code. It hashes the variant's own files, every project header they reach through
# #include, the source NAME.c or NAME.cu beside a header NAME.h or NAME.cuh, and the flags; the
# compiler is in the record's run line instead, so that one checkout has one id per variant on every
# machine.

# The project files that the listed files include, directly or not, and the files themselves.
function(ndft_include_closure out)
  set(found "")
  set(queue ${ARGN})
  while(queue)
    list(POP_FRONT queue file)
    if(file IN_LIST found)
      continue()
    endif()
    list(APPEND found ${file})
    get_filename_component(folder ${file} DIRECTORY)
    file(STRINGS ${file} lines REGEX "^[ \t]*#[ \t]*include[ \t]*[<\"]")
    foreach(line IN LISTS lines)
      string(REGEX REPLACE "^[^<\"]*[<\"]([^>\"]+)[>\"].*" "\\1" name "${line}")
      foreach(place ${folder} ${PROJECT_SOURCE_DIR}/variants ${PROJECT_SOURCE_DIR}/library
          ${PROJECT_SOURCE_DIR}/include)
        if(EXISTS ${place}/${name})
          get_filename_component(header ${place}/${name} ABSOLUTE)
          string(REGEX REPLACE "[.](cu)?h$" ".c" stem ${header})
          foreach(source ${header} ${stem} ${stem}u)
            if(EXISTS ${source})
              list(APPEND queue ${source})
            endif()
          endforeach()
          break()
        endif()
      endforeach()
    endforeach()
  endwhile()
  list(SORT found)
  set(${out} ${found} PARENT_SCOPE)
endfunction()

# NAME HASH of a file, which counts by its name and its code: neither by its comments and how lines are
# broken, nor by the folder where it lies or those of what it includes.
function(ndft_file_id out file)
  get_property(id GLOBAL PROPERTY ndft_file_id_${file})
  if(NOT id)
    file(READ ${file} text)
    string(REGEX REPLACE "(#[ \t]*include[ \t]*\")[^\"\n]*/" "\\1" text "${text}")
    string(REGEX REPLACE "/[*]([^*]|[*]+[^*/])*[*]+/" " " text "${text}")
    string(REGEX REPLACE "[ \t\n]+" " " text "${text}")
    string(SHA256 hash "${text}")
    get_filename_component(name ${file} NAME)
    set(id "${name} ${hash}")
    set_property(GLOBAL PROPERTY ndft_file_id_${file} "${id}")
  endif()
  set(${out} ${id} PARENT_SCOPE)
endfunction()

# ndft_build_id(OUT FLAGS FILE...): of a closure.
function(ndft_build_id out flags)
  set(lines "")
  foreach(file IN LISTS ARGN)
    ndft_file_id(id ${file})
    list(APPEND lines "${id}")
  endforeach()
  list(SORT lines)
  string(SHA256 hash "${flags}\n${lines}")
  string(SUBSTRING ${hash} 0 16 hash)
  set(${out} ${hash} PARENT_SCOPE)
endfunction()
