// A request as engine.ts sends it, to the core's: `given` as entries, edits with every field.
#pragma once

#include "attention/layer/request.h"
#include "convert.h"

namespace attention::js {

// The items of a list that may be left out, each read by read(item).
template <class Item>
std::vector<Item> list(const val& items, Item (*read)(const val&)) {
  if (items.isUndefined()) return {};
  std::vector<Item> out(items["length"].as<std::size_t>());
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = read(items[i]);
  return out;
}

// A row, column, query or key; -1, which is nowhere, for what is no whole number from 0.
inline int place(const val& number) {
  const double at = number.as<double>();
  return at >= 0 && at < 0x1p31 && at == static_cast<int>(at) ? static_cast<int>(at) : -1;
}

inline Edit edit(const val& v) {
  Edit e;
  e.column = place(v["column"]);
  e.value = v["value"].as<float>();
  e.array = v["array"].as<std::string>();
  e.token = v["token"].as<std::string>();
  e.row = place(v["row"]);
  return e;
}

inline MaskEdit mask_edit(const val& v) { return {place(v["query"]), place(v["key"])}; }

inline Given given(const val& entry) { return {entry[0].as<std::string>(), floats(entry[1])}; }

inline Request request(const Object& v) {
  Request out;
  out.tokens = emscripten::vecFromJSArray<std::string>(v["tokens"]);
  if (!v["keyTokens"].isUndefined()) {
    out.key_tokens = emscripten::vecFromJSArray<std::string>(v["keyTokens"]);
  }
  out.mask_edits = list(v["maskEdits"], mask_edit);
  out.edits = list(v["edits"], edit);
  out.given = list(v["given"], given);
  return out;
}

}  // namespace attention::js
