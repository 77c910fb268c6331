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
EMSCRIPTEN_DECLARE_VAL_TYPE(Int32Array)
EMSCRIPTEN_DECLARE_VAL_TYPE(Object)

namespace attention::js {

using emscripten::val;

// One function for all keys: val::set is a template on the length of each.
[[gnu::noinline]] inline void put(val& object, std::string_view key, const val& value) {
  object.set(std::string(key), value);
}
[[gnu::noinline]] inline void put(val& object, std::string_view key, double number) {
  put(object, key, val(number));
}
[[gnu::noinline]] inline void put(val& object, std::string_view key, std::string_view text) {
  put(object, key, val(std::string(text)));
}

// Numbers by name, as tables of constants.
struct Field {
  std::string_view key;
  double number;
};
inline void put(val& object, std::span<const Field> fields) {
  for (const auto& [key, number] : fields) put(object, key, number);
}

// Members by name.
template <class Record, class Number>
struct Member {
  std::string_view key;
  Number Record::* field;
};
template <class Record, class Number>
void put(val& object, const Record& record, std::span<const Member<Record, Number>> members) {
  for (const auto& [key, field] : members) put(object, key, static_cast<double>(record.*field));
}

[[gnu::noinline]] inline void push(val& array, const val& item) { array.call<void>("push", item); }

// Copies the module's numbers into a new typed array.
template <class Array, class Number>
Array copied(std::span<const Number> numbers) {
  return Array(val(emscripten::typed_memory_view(numbers.size(), numbers.data())).template call<val>("slice"));
}
inline Float32Array copy(std::span<const float> floats) { return copied<Float32Array>(floats); }
inline Int32Array copy_whole(std::span<const int> numbers) { return copied<Int32Array>(numbers); }

// Any list of numbers, typed or not.
inline std::vector<float> floats(const val& list) {
  return emscripten::convertJSArrayToNumberVector<float>(list);
}

inline val strings(std::span<const std::string_view> ids) {
  val array = val::array();
  for (const std::string_view id : ids) push(array, val(std::string(id)));
  return array;
}

// The rule's number, as in rules.mjs; the page makes the sentence.
inline Object error(const Error& e) {
  val object = val::object();
  val numbers = val::array();
  for (const double number : e.numbers) push(numbers, val(number));
  put(object, "code", name(e.code()));
  put(object, "rule", static_cast<double>(e.rule));
  put(object, "name", e.name());
  put(object, "numbers", numbers);
  return Object(object);
}

}  // namespace attention::js
