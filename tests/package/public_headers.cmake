# usage: cmake -DHEADERS=FOLDER -P public_headers.cmake
# A user of the library needs its own headers and the standard library's, and no others.
file(GLOB_RECURSE headers ${HEADERS}/*.h)
foreach(header ${headers})
  file(STRINGS ${header} includes REGEX "^#include")
  foreach(include ${includes})
    if(include MATCHES "^#include <([a-z_]+|std(int|def)\\.h)>$")  # the standard library's bear no suffix
      continue()
    endif()
    if(include MATCHES "^#include \"attention/([a-z_/]+\\.h)\"( *//.*)?$")
      if(EXISTS ${HEADERS}/${CMAKE_MATCH_1})
        continue()
      endif()
    endif()
    message(SEND_ERROR "${header}: ${include}: public headers include the library's own and the standard library's.")
  endforeach()
endforeach()
