# Finds xsimd and Catch2: on the system when new enough, else in the cache folder that tools/setup
# fills. Debian 12's own are too old (xsimd 8 knows no WebAssembly, Catch2 3.3 no amalgamated file).

if(DEFINED ENV{ATTENTION_CACHE})
  set(_cache "$ENV{ATTENTION_CACHE}")
elseif(DEFINED ENV{XDG_CACHE_HOME})
  set(_cache "$ENV{XDG_CACHE_HOME}/attention-playground")
else()
  set(_cache "$ENV{HOME}/.cache/attention-playground")
endif()

function(_attention_missing name version more)
  message(FATAL_ERROR
    "${name} ${version} or newer is missing. Run ${PROJECT_SOURCE_DIR}/tools/setup native, which puts it into ${_cache}, "
    "or install it: Debian 13 or Ubuntu 25.04 'apt install libxsimd-dev catch2', "
    "Fedora 'dnf install xsimd-devel catch-devel', macOS 'brew install xsimd catch2'.${more}")
endfunction()

# attention::xsimd: headers only. From, in this order: the folder that ATTENTION_XSIMD_INCLUDE names, a target xsimd
# of the parent's, an installed package, the cache folder.
add_library(attention_xsimd INTERFACE)
add_library(attention::xsimd ALIAS attention_xsimd)
set(ATTENTION_XSIMD_INCLUDE "" CACHE PATH "The folder with xsimd/xsimd.hpp, of xsimd 11 or newer; empty = looked for")
set(_found)
set(_too_old)
if(NOT ATTENTION_XSIMD_INCLUDE AND NOT TARGET xsimd AND NOT EMSCRIPTEN)
  find_package(xsimd CONFIG QUIET)  # with a version it would refuse every other major one
  if(xsimd_FOUND AND xsimd_VERSION VERSION_LESS 11)
    set(_too_old " The one in ${xsimd_DIR} is ${xsimd_VERSION}.")
  endif()
endif()
if(ATTENTION_XSIMD_INCLUDE)
  set(_found "${ATTENTION_XSIMD_INCLUDE}")
elseif(TARGET xsimd AND NOT _too_old)
  set(_found $<TARGET_PROPERTY:xsimd,INTERFACE_INCLUDE_DIRECTORIES>)
else()
  # An include folder of its own: /usr/include must never reach the Emscripten compiler.
  file(GLOB _xsimd_folders "${_cache}/xsimd-*/include")
  find_path(_xsimd_include xsimd/xsimd.hpp HINTS ${_xsimd_folders} ENV XSIMD_INCLUDE
    NO_DEFAULT_PATH NO_CMAKE_FIND_ROOT_PATH NO_CACHE)
  if(NOT _xsimd_include)
    _attention_missing(xsimd 11 "${_too_old} Or set ATTENTION_XSIMD_INCLUDE to the folder that holds xsimd/xsimd.hpp.")
  endif()
  set(_found "${_xsimd_include}")
endif()
target_include_directories(attention_xsimd SYSTEM INTERFACE "${_found}")  # SYSTEM: its warnings are not ours

# Catch2::Catch2WithMain, and catch_discover_tests().
function(attention_find_catch2)
  if(NOT EMSCRIPTEN)
    find_package(Catch2 3.4 CONFIG QUIET)
    if(Catch2_FOUND)
      list(APPEND CMAKE_MODULE_PATH "${Catch2_DIR}")
      set(CMAKE_MODULE_PATH "${CMAKE_MODULE_PATH}" PARENT_SCOPE)
      set_target_properties(Catch2::Catch2WithMain Catch2::Catch2 PROPERTIES IMPORTED_GLOBAL TRUE)
      return()
    endif()
  endif()
  file(GLOB _catch2_folders "${_cache}/catch2-*")
  find_path(ATTENTION_CATCH2_SOURCE extras/catch_amalgamated.cpp HINTS ${_catch2_folders}
    ENV CATCH2_SOURCE NO_DEFAULT_PATH NO_CMAKE_FIND_ROOT_PATH)
  if(NOT ATTENTION_CATCH2_SOURCE)
    _attention_missing(Catch2 3.4 "")
  endif()
  set(CMAKE_CXX_STANDARD 20)            # with the string_view support that our C++20 tests ask for
  set(CMAKE_CXX_FLAGS_RELEASE "-O1")    # half the build time; the framework's speed does not matter
  set(CMAKE_UNITY_BUILD ON)             # a sixth of it again: 110 small files include the same headers
  set(CMAKE_UNITY_BUILD_BATCH_SIZE 56)  # one for each of two cores
  add_subdirectory("${ATTENTION_CATCH2_SOURCE}" "${CMAKE_BINARY_DIR}/catch2" EXCLUDE_FROM_ALL SYSTEM)
  list(APPEND CMAKE_MODULE_PATH "${ATTENTION_CATCH2_SOURCE}/extras")
  set(CMAKE_MODULE_PATH "${CMAKE_MODULE_PATH}" PARENT_SCOPE)
endfunction()
