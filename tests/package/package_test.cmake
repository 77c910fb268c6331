# usage: cmake -DSOURCE=… -DWORK=… -DWAY=find_package|add_subdirectory -P package_test.cmake
function(run)
  execute_process(COMMAND ${ARGN} COMMAND_ERROR_IS_FATAL ANY OUTPUT_VARIABLE output)
  set(output "${output}" PARENT_SCOPE)
endfunction()

file(REMOVE_RECURSE ${WORK})
if(WAY STREQUAL "find_package")
  run(${CMAKE_COMMAND} -S ${SOURCE} -B ${WORK}/library -DCMAKE_BUILD_TYPE=Release
      -DATTENTION_BUILD_TESTS=OFF -DCMAKE_INSTALL_PREFIX=${WORK}/installed)
  run(${CMAKE_COMMAND} --build ${WORK}/library)
  run(${CMAKE_COMMAND} --install ${WORK}/library)
  file(REMOVE_RECURSE ${WORK}/library)  # the installed tree must stand alone
  set(how -DCMAKE_PREFIX_PATH=${WORK}/installed)
else()
  set(how -DATTENTION_SOURCE=${SOURCE})
endif()
run(${CMAKE_COMMAND} -S ${SOURCE}/tests/package -B ${WORK}/consumer -DCMAKE_BUILD_TYPE=Release ${how})
run(${CMAKE_COMMAND} --build ${WORK}/consumer)
run(${WORK}/consumer/consumer the cat sat)
# Causal: the first row of each head is 1 and then zeros.
if(NOT output MATCHES "^  1\\.00  0\\.00  0\\.00\n")
  message(FATAL_ERROR "The consumer printed:\n${output}")
endif()
