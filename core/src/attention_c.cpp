// Compiled with exceptions: catches what std::vector and std::string throw.
#include "attention/attention_c.h"

#include <exception>
#include <memory>
#include <new>
#include <string>
#include <string_view>
#include <vector>

#include "attention/attend.h"
#include "attention/vectors.h"
#include "attention/workers.h"

using namespace attention;

struct attention_call {
  Heads<float> query, key, value, context;
  AttendOptions options;
  std::vector<std::int64_t> batch_offsets, key_lengths;
  std::vector<float> alibi_slopes;
  Buffer scratch;
  std::unique_ptr<Workers> workers;
  std::string error;
};

namespace {

template <class Place>
struct Named {
  std::string_view name;
  Place attention_call::*place;
};
constexpr Named<Heads<float>> kTensors[] = {{"query", &attention_call::query},
                                            {"key", &attention_call::key},
                                            {"value", &attention_call::value},
                                            {"context", &attention_call::context}};

struct Option {
  std::string_view name;
  void (*set)(AttendOptions& options, double value);
};
constexpr Option kOptions[] = {
    {"scale", [](AttendOptions& o, double x) { o.scale = static_cast<float>(x); }},
    {"softcap", [](AttendOptions& o, double x) { o.softcap = static_cast<float>(x); }},
    {"is_causal", [](AttendOptions& o, double x) { o.is_causal = x != 0; }},
    {"offset", [](AttendOptions& o, double x) { o.offset = static_cast<std::int64_t>(x); }},
    {"window_left", [](AttendOptions& o, double x) { o.window_left = static_cast<std::int64_t>(x); }},
    {"window_right", [](AttendOptions& o, double x) { o.window_right = static_cast<std::int64_t>(x); }},
    {"temperature", [](AttendOptions& o, double x) { o.temperature = static_cast<float>(x); }},
    {"dropout", [](AttendOptions& o, double x) { o.dropout = static_cast<float>(x); }},
    {"dropout_seed", [](AttendOptions& o, double x) { o.dropout_seed = static_cast<std::uint32_t>(x); }},
};

// Runs `work`, which returns a sentence on failure; 0 if it is empty.
template <class Work>
int guarded(attention_call* call, Work work) {
  if (call == nullptr) return 1;
  try {
    const std::string sentence = work();
    if (sentence.empty()) return 0;
    call->error = sentence;
  } catch (const std::exception&) {
    call->error = "There is not enough memory.";  // short enough to need none of its own where it was longer
  }
  return 1;
}

template <class Table>
auto find(const Table& table, const char* name) -> decltype(&table[0]) {
  for (const auto& entry : table) {
    if (name != nullptr && entry.name == name) return &entry;
  }
  return nullptr;
}

std::string unknown(const char* kind, const char* name) {
  return std::string("There is no ") + kind + " “" + (name != nullptr ? name : "") + "”; attention_c.h lists the names.";
}

// As static_cast to a whole number can take it; NaN is none.
bool is_whole(double x) { return x > -0x1p62 && x < 0x1p62 && x == static_cast<double>(static_cast<std::int64_t>(x)); }

}  // namespace

extern "C" {

attention_call* attention_new() {
  try {
    return new attention_call;
  } catch (const std::exception&) {
    return nullptr;
  }
}

void attention_free(attention_call* call) { delete call; }

int attention_tensor(attention_call* call, const char* name, float* data, const std::size_t extents[4],
                     const std::size_t strides[3]) {
  return guarded(call, [&]() -> std::string {
    const auto* const tensor = find(kTensors, name);
    if (tensor == nullptr) return unknown("tensor", name);
    if (extents == nullptr) return "A tensor's extents are missing; give its batch, heads, rows and width.";
    Heads<float>& view = call->*tensor->place;
    view = heads_first(data, extents[0], extents[1], extents[2], extents[3]);
    if (strides != nullptr) {
      view.batch_stride = strides[0];
      view.head_stride = strides[1];
      view.row_stride = strides[2];
    }
    return {};
  });
}

int attention_option(attention_call* call, const char* name, double value) {
  return guarded(call, [&]() -> std::string {
    const Option* const option = find(kOptions, name);
    if (option == nullptr) return unknown("option", name);
    const std::string_view id = option->name;
    const bool counts = id == "offset" || id == "window_left" || id == "window_right" || id == "dropout_seed";
    if (counts && (!is_whole(value) || (id == "dropout_seed" && (value < 0 || value >= 0x1p32)))) {
      return std::string(id) + " is a whole number; " + std::to_string(value) + " is none that fits.";
    }
    option->set(call->options, value);
    return {};
  });
}

int attention_whole_numbers(attention_call* call, const char* name, const std::int64_t* numbers, std::size_t count) {
  return guarded(call, [&]() -> std::string {
    const std::string_view id = name != nullptr ? name : "";
    if (id != "batch_offsets" && id != "key_lengths") return unknown("list", name);
    const bool offsets = id == "batch_offsets";
    std::vector<std::int64_t>& kept = offsets ? call->batch_offsets : call->key_lengths;
    kept.assign(numbers, numbers + count);
    (offsets ? call->options.batch_offsets : call->options.key_lengths) = kept;
    return {};
  });
}

int attention_alibi_slopes(attention_call* call, const float* slopes, std::size_t count) {
  return guarded(call, [&]() -> std::string {
    call->alibi_slopes.assign(slopes, slopes + count);
    call->options.alibi_slopes = call->alibi_slopes;
    return {};
  });
}

int attention_mask(attention_call* call, const std::uint8_t* allowed, const float* bias,
                   const std::size_t extents[4]) {
  return guarded(call, [&]() -> std::string {
    call->options.mask = {};
    if (allowed == nullptr && bias == nullptr) return {};
    if (extents == nullptr) return "A mask's extents are missing; give its batch, heads, rows and keys.";
    call->options.mask = {allowed, bias, {extents[0], extents[1], extents[2], extents[3]}};
    return {};
  });
}

int attention_threads(attention_call* call, std::size_t count) {
  return guarded(call, [&]() -> std::string {
    call->workers = count > 1 ? std::make_unique<Workers>(count) : nullptr;
    return {};
  });
}

int attention_run(attention_call* call) {
  return guarded(call, [&]() -> std::string {
    const Heads<const float> query = call->query, key = call->key, value = call->value;
    return message(call->workers ? attend(query, key, value, call->options, call->context, *call->workers)
                                 : attend(query, key, value, call->options, call->context, call->scratch));
  });
}

const char* attention_error(const attention_call* call) { return call != nullptr ? call->error.c_str() : ""; }

int attention_use_lanes(int lanes) {
  const bool known = lanes == 4 || lanes == 8 || lanes == 16;
  return known && use_vectors(static_cast<Vectors>(lanes)) ? 0 : 1;
}

int attention_lanes() { return simd_lanes(); }

}  // extern "C"
