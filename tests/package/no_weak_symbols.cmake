# An older processor must run nothing of the object files for wider vectors: no function that the linker may take
# from any file, and nothing before main().
# usage: cmake -DNM=… -DOBJECTS=FILE;FILE… -P no_weak_symbols.cmake
foreach(object ${OBJECTS})
  execute_process(COMMAND ${NM} -C --defined-only ${object} OUTPUT_VARIABLE symbols COMMAND_ERROR_IS_FATAL ANY)
  string(REGEX MATCHALL "[0-9a-f]+ [WVu] [^\n]+" weak "${symbols}")
  if(weak)
    message(SEND_ERROR "${object} has weak symbols: ${weak}")
  endif()
  if(symbols MATCHES "_GLOBAL__")
    message(SEND_ERROR "${object} computes a constant when the program starts.")
  endif()
endforeach()
