# attention.pc and attention-train.pc; those of a debug build are attention-debug.pc and attention-train-debug.pc.
# Paths are relative to the file, so that an installed tree may be moved.
cmake_path(RELATIVE_PATH CMAKE_INSTALL_PREFIX BASE_DIRECTORY ${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_LIBDIR}/pkgconfig
  OUTPUT_VARIABLE to_prefix)
set(cflags "-I\${prefix}/${CMAKE_INSTALL_INCLUDEDIR}")
set(threads)
if(is_shared)
  string(APPEND cflags " -DATTENTION_SHARED")
else()
  set(threads " -pthread")
endif()

function(attention_write_pc name about requires libraries)
  file(GENERATE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/pkgconfig/$<CONFIG>/${name}$<$<CONFIG:Debug>:-debug>.pc CONTENT
"prefix=\${pcfiledir}/${to_prefix}
libdir=\${prefix}/${CMAKE_INSTALL_LIBDIR}

Name: ${name}
Description: ${about}
Version: ${PROJECT_VERSION}
Requires: ${requires}
Cflags: ${cflags}
Libs: -L\${libdir} ${libraries}
")
endfunction()

set(debug "$<$<CONFIG:Debug>:d>")
attention_write_pc(attention "Attention on the CPU in float32: operators, multi-head layers, decoders" ""
  "-lattention_core${debug}${threads}")
set(train_library)
if(NOT is_shared)
  set(train_library "-lattention_train${debug}")
endif()
attention_write_pc(attention-train "Training of small decoders, exact to the bit"
  "attention$<$<CONFIG:Debug>:-debug> = ${PROJECT_VERSION}" "${train_library}")
install(DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/pkgconfig/$<CONFIG>/ DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
