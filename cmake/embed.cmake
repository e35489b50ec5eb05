# SPDX-License-Identifier: Apache-2.0
# Sources that the program carries as text, for plans to compile.

# ndft_embed(NAME.inc FILE...): in generated/NAME.inc the text of each FILE, NUL at its end, as
# static const char STEM_text[], STEM the file's name without its ending.
function(ndft_embed name)
  set(text "")
  foreach(file IN LISTS ARGN)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
    get_filename_component(stem ${file} NAME_WE)
    file(READ ${file} bytes HEX)
    string(REGEX REPLACE "(..)" "0x\\1," bytes "${bytes}")
    string(REGEX REPLACE "((0x..,){16})" "\\1\n" bytes "${bytes}")
    string(APPEND text "static const char ${stem}_text[] = {\n${bytes}0x00};\n")
  endforeach()
  file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/generated/${name} CONTENT "${text}" @ONLY)
endfunction()
