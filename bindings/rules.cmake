# Rule of error.h for JavaScript, which is given a rule as its number: RULES[number] is its name.
set(_header ${PROJECT_SOURCE_DIR}/core/include/attention/error.h)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${_header})
file(READ ${_header} _text)
string(REGEX REPLACE ".*enum class Rule[^{]*{(.*)" "\\1" _text "${_text}")
string(REGEX REPLACE "}.*" "" _text "${_text}")
string(REGEX REPLACE "//[^\n]*" "" _text "${_text}")
string(REGEX MATCHALL "[a-z_]+" _rules "${_text}")
list(JOIN _rules "', '" _names)
file(CONFIGURE OUTPUT rules.mjs CONTENT "export const RULES = ['@_names@'];\n" @ONLY)
file(CONFIGURE OUTPUT rules.d.mts CONTENT
  "export declare const RULES: readonly ['@_names@'];\nexport type Rule = typeof RULES[number];\n" @ONLY)
