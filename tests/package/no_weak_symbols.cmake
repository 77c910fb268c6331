# A function that the linker may take from any object file must not be in those for wider vectors: an older
# processor would run it.
# usage: cmake -DNM=… -DOBJECTS=FILE;FILE… -P no_weak_symbols.cmake
foreach(object ${OBJECTS})
  execute_process(COMMAND ${NM} -C --defined-only ${object} OUTPUT_VARIABLE symbols COMMAND_ERROR_IS_FATAL ANY)
  string(REGEX MATCHALL "[0-9a-f]+ [WVu] [^\n]+" weak "${symbols}")
  if(weak)
    message(SEND_ERROR "${object} has weak symbols: ${weak}")
  endif()
endforeach()
