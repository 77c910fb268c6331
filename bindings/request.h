// A request as JavaScript has it, to the core's.
#pragma once

#include "attention/request.h"
#include "convert.h"

namespace attention::js {

// Calls read(item) for each of a list that may be left out.
template <class Read>
void each(const val& list, Read read) {
  if (list.isUndefined() || list.isNull()) return;
  const auto count = list["length"].as<std::size_t>();
  for (std::size_t i = 0; i < count; ++i) read(list[i]);
}

// A row, column, query or key; -1, which is nowhere, for what is no whole number.
inline int place(const val& number) {
  const double at = number.isNumber() ? number.as<double>() : -1;
  return at >= 0 && at < 0x1p31 && at == static_cast<int>(at) ? static_cast<int>(at) : -1;
}

inline Edit edit(const val& v) {
  Edit e;
  e.column = place(v["column"]);
  e.value = v["value"].as<float>();
  if (v.hasOwnProperty("array")) {
    e.array = v["array"].as<std::string>();
    e.row = place(v["row"]);
  } else {
    e.token = v["token"].as<std::string>();
  }
  return e;
}

inline Request request(const RequestValue& v) {
  Request out;
  out.tokens = emscripten::vecFromJSArray<std::string>(v["tokens"]);
  if (!v["keyTokens"].isUndefined()) {
    out.key_tokens = emscripten::vecFromJSArray<std::string>(v["keyTokens"]);
  }
  each(v["maskEdits"], [&](const val& cell) {
    out.mask_edits.push_back({place(cell["query"]), place(cell["key"])});
  });
  each(v["edits"], [&](const val& one) { out.edits.push_back(edit(one)); });
  if (!v["given"].isUndefined()) {
    each(val::global("Object").call<val>("entries", v["given"]), [&](const val& entry) {
      if (entry[1].isUndefined()) return;
      out.given.push_back({entry[0].as<std::string>(), floats(entry[1])});
    });
  }
  return out;
}

}  // namespace attention::js
