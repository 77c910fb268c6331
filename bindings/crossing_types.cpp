// Registers the types that cross into JavaScript. Embind's own list would add code for wide strings, big integers and memory
// views of every kind to what each reader loads.
#include <emscripten/bind.h>

#include <cstring>
#include <limits>
#include <string>

namespace {

using namespace emscripten::internal;

template <class Integer>
void register_integer(const char* name) {
  _embind_register_integer(TypeID<Integer>::get(), name, sizeof(Integer), std::numeric_limits<Integer>::min(),
                           std::numeric_limits<Integer>::max());
}

}  // namespace

EMSCRIPTEN_BINDINGS(crossing_types) {
  _embind_register_void(TypeID<void>::get(), "void");
  _embind_register_bool(TypeID<bool>::get(), "bool", true, false);
  register_integer<int>("int");
  register_integer<unsigned>("unsigned int");
  register_integer<std::size_t>("unsigned long");
  _embind_register_float(TypeID<float>::get(), "float", sizeof(float));
  _embind_register_float(TypeID<double>::get(), "double", sizeof(double));
  _embind_register_std_string(TypeID<std::string>::get(), "std::string");
  _embind_register_emval(TypeID<emscripten::val>::get());
  _embind_register_memory_view(TypeID<emscripten::memory_view<float>>::get(), 6, "Float32Array");
  _embind_register_memory_view(TypeID<emscripten::memory_view<int>>::get(), 4, "Int32Array");
}

extern "C" {

// Used by workers; there are none: every list is read once, before main.
void _embind_register_bindings(InitFunc*) {}
void _embind_initialize_bindings() {}

// The error message for a function with an unlisted type.
const char* __getTypeName(TYPEID) { return strdup("unlisted"); }

}
