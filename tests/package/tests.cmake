# What the package lane runs. tools/setup package brings xsimd, each in a prefix: 13 and 14 as Debian packs them, of 12
# the headers alone.
set(xsimd_prefixes ${_cache}/xsimd-packages)
set(strict "-Wall -Wextra -Wconversion -Wshadow -Werror")
set(sanitized "-fsanitize=address,undefined -fno-sanitize-recover=all")
function(add_package_test name way)
  add_test(NAME "a stranger's project builds by ${name}"
    COMMAND ${CMAKE_COMMAND} -DSOURCE=${PROJECT_SOURCE_DIR} -DWAY=${way} ${ARGN}
      -P ${CMAKE_CURRENT_SOURCE_DIR}/package/package_test.cmake)
  set_tests_properties("a stranger's project builds by ${name}" PROPERTIES LABELS package)
endfunction()
set(work ${CMAKE_CURRENT_BINARY_DIR}/package)
set(static ${work}/static)
set(shared ${work}/shared)
add_package_test("find_package, static, xsimd 13" find_package
  -DWORK=${work}/1 -DPREFIX=${static} -DXSIMD=${xsimd_prefixes}/13 -DFLAGS=${strict})
add_package_test("find_package, shared, xsimd 14" find_package
  -DWORK=${work}/2 -DPREFIX=${shared} -DSHARED=ON -DXSIMD=${xsimd_prefixes}/14 -DFLAGS=${strict})
add_package_test("pkg-config, static" pkg-config -DWORK=${work}/3 -DPREFIX=${static})
add_package_test("pkg-config, shared" pkg-config -DWORK=${work}/4 -DPREFIX=${shared} -DSHARED=ON)
foreach(kind static shared)
  set_tests_properties("a stranger's project builds by pkg-config, ${kind}" PROPERTIES FIXTURES_REQUIRED installed_${kind})
endforeach()
set_tests_properties("a stranger's project builds by find_package, static, xsimd 13" PROPERTIES FIXTURES_SETUP installed_static)
set_tests_properties("a stranger's project builds by find_package, shared, xsimd 14" PROPERTIES FIXTURES_SETUP installed_shared)
add_package_test("add_subdirectory, all warnings as errors, GCC, xsimd 12 by its folder" add_subdirectory
  -DWORK=${work}/5 -DXSIMD_INCLUDE=${xsimd_prefixes}/12/include -DFLAGS=${strict})
add_package_test("add_subdirectory, all warnings as errors, Clang, xsimd 14" add_subdirectory
  -DWORK=${work}/6 -DXSIMD=${xsimd_prefixes}/14 -DFLAGS=${strict} -DCOMPILER=clang)
add_package_test("FetchContent, C++23, without exceptions and run-time types, beside the parent's xsimd" FetchContent
  -DWORK=${work}/7 -DXSIMD=${xsimd_prefixes}/14 -DPARENT_XSIMD=ON "-DFLAGS=${strict} -fno-exceptions -fno-rtti"
  -DSTANDARD=23 -DSHARED=ON)
add_package_test("add_subdirectory, under the sanitisers" add_subdirectory
  -DWORK=${work}/8 -DXSIMD=${xsimd_prefixes}/13 -DFLAGS=${sanitized} -DC_FLAGS=${sanitized})
add_test(NAME "xsimd is taken from 11 on, and its lack explained"
  COMMAND ${CMAKE_COMMAND} -DSOURCE=${PROJECT_SOURCE_DIR} -DWORK=${work}/9 -DHEADERS=${xsimd_prefixes}/13/include
    -P ${CMAKE_CURRENT_SOURCE_DIR}/package/xsimd_test.cmake)
set_tests_properties("xsimd is taken from 11 on, and its lack explained" PROPERTIES LABELS package)

# Nothing for wider vectors may run, be it before main(), where the processor has none.
find_program(ATTENTION_QEMU qemu-x86_64)
if(ATTENTION_QEMU AND TARGET attention_eight_lanes)
  foreach(processor Nehalem Haswell max)
    foreach(name attend decoder)
      add_test(NAME "the example ${name} runs on a processor like ${processor}"
        COMMAND ${CMAKE_COMMAND} "-DPROGRAM=${ATTENTION_QEMU};-cpu;${processor};$<TARGET_FILE:example_${name}>"
          -DNAME=${name} -P ${CMAKE_CURRENT_SOURCE_DIR}/package/run_example.cmake)
      set_tests_properties("the example ${name} runs on a processor like ${processor}" PROPERTIES LABELS package)
    endforeach()
  endforeach()
endif()
