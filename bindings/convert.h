// Copies between JavaScript values and the core's types. A view of the heap never leaves this file:
// memory may grow and move on the next call.
#pragma once

#include <emscripten/val.h>

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "attention/error.h"

// Types that the generated declarations name as JavaScript does.
EMSCRIPTEN_DECLARE_VAL_TYPE(Float32Array)
EMSCRIPTEN_DECLARE_VAL_TYPE(StringArray)
EMSCRIPTEN_DECLARE_VAL_TYPE(ErrorValue)
EMSCRIPTEN_DECLARE_VAL_TYPE(SchemaValue)
EMSCRIPTEN_DECLARE_VAL_TYPE(ClampedValue)
EMSCRIPTEN_DECLARE_VAL_TYPE(ShapeValue)
EMSCRIPTEN_DECLARE_VAL_TYPE(CellValue)

namespace attention::js {

using emscripten::val;

inline Float32Array copy(std::span<const float> floats) {
  return Float32Array(val::global("Float32Array")
                          .new_(val(emscripten::typed_memory_view(floats.size(), floats.data()))));
}

inline val strings(std::span<const std::string_view> ids) {
  val array = val::array();
  for (const std::string_view id : ids) array.call<void>("push", std::string(id));
  return array;
}

inline val strings(const std::vector<std::string>& texts) {
  val array = val::array();
  for (const std::string& text : texts) array.call<void>("push", text);
  return array;
}

inline ErrorValue error(const Error& e) {
  val object = val::object();
  object.set("code", std::string(name(e.code)));
  object.set("message", e.message);
  return ErrorValue(object);
}

}  // namespace attention::js
