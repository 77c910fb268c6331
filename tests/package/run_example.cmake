# usage: cmake -DPROGRAM=… -DNAME=EXAMPLE -P run_example.cmake
# What the example prints stands in core/example/prints.txt under its name.
set(words)
if(NAME STREQUAL "sentence")
  set(words the cat sat)
endif()
execute_process(COMMAND ${PROGRAM} ${words} OUTPUT_VARIABLE printed COMMAND_ERROR_IS_FATAL ANY)
file(READ ${CMAKE_CURRENT_LIST_DIR}/../../core/example/prints.txt expected)
string(REGEX REPLACE "^(.*\n)?== ${NAME} ==\n" "" expected "${expected}")
string(REGEX REPLACE "\n== .*$" "\n" expected "${expected}")
if(NOT printed STREQUAL expected)
  message(FATAL_ERROR "${NAME} printed\n${printed}\nand not, as core/example/prints.txt has it,\n${expected}")
endif()
