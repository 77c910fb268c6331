# Finds xsimd and Catch2: on the system when new enough, else in the cache folder that tools/setup
# fills. Debian 12's own are too old (xsimd 8 knows no WebAssembly, Catch2 3.3 no amalgamated file).

if(DEFINED ENV{ATTENTION_CACHE})
  set(_cache "$ENV{ATTENTION_CACHE}")
elseif(DEFINED ENV{XDG_CACHE_HOME})
  set(_cache "$ENV{XDG_CACHE_HOME}/attention-playground")
else()
  set(_cache "$ENV{HOME}/.cache/attention-playground")
endif()

function(_attention_missing name version)
  message(FATAL_ERROR
    "${name} ${version} or newer is missing. Run tools/setup native, which puts it into ${_cache}, "
    "or install it: Debian 13 or Ubuntu 25.04 'apt install libxsimd-dev catch2', "
    "Fedora 'dnf install xsimd-devel catch-devel', macOS 'brew install xsimd catch2'.")
endfunction()

# attention::xsimd: headers only.
add_library(attention_xsimd INTERFACE)
add_library(attention::xsimd ALIAS attention_xsimd)
if(NOT EMSCRIPTEN)
  find_package(xsimd 11 CONFIG QUIET)
endif()
if(xsimd_FOUND)
  target_link_libraries(attention_xsimd INTERFACE xsimd)
else()
  # An include folder of its own: /usr/include must never reach the Emscripten compiler.
  file(GLOB _xsimd_folders "${_cache}/xsimd-*/include")
  find_path(ATTENTION_XSIMD_INCLUDE xsimd/xsimd.hpp HINTS ${_xsimd_folders} ENV XSIMD_INCLUDE
    NO_DEFAULT_PATH NO_CMAKE_FIND_ROOT_PATH)
  if(NOT ATTENTION_XSIMD_INCLUDE)
    _attention_missing(xsimd 11)
  endif()
  target_include_directories(attention_xsimd SYSTEM INTERFACE "${ATTENTION_XSIMD_INCLUDE}")
endif()

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
    _attention_missing(Catch2 3.4)
  endif()
  set(CMAKE_CXX_STANDARD 20)            # with the string_view support that our C++20 tests ask for
  set(CMAKE_CXX_FLAGS_RELEASE "-O1")    # half the build time; the framework's speed does not matter
  add_subdirectory("${ATTENTION_CATCH2_SOURCE}" "${CMAKE_BINARY_DIR}/catch2" EXCLUDE_FROM_ALL SYSTEM)
  list(APPEND CMAKE_MODULE_PATH "${ATTENTION_CATCH2_SOURCE}/extras")
  set(CMAKE_MODULE_PATH "${CMAKE_MODULE_PATH}" PARENT_SCOPE)
endfunction()
