// Reproducible random shapes and numbers for property tests.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <random>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "attention/form.h"
#include "attention/layer/parameters.h"
#include "attention/layer/request.h"
#include "attention/layer/settings.h"
#include "attention/layer/trace.h"

namespace attention::test {

class Random {
 public:
  explicit Random(unsigned seed) : engine_(seed) {}

  int whole(int least, int most) {
    return least + static_cast<int>(engine_() % static_cast<unsigned>(most - least + 1));
  }
  std::size_t size(int least, int most) { return static_cast<std::size_t>(whole(least, most)); }
  bool coin() { return whole(0, 1) == 1; }
  std::string_view any_of(std::span<const std::string_view> ids) {
    return ids[size(0, static_cast<int>(ids.size()) - 1)];
  }
  // Uniform in [-1, 1).
  float number() { return static_cast<float>(engine_() >> 8) * 0x1p-23f - 1.0f; }

  std::vector<float> numbers(std::size_t count) {
    std::vector<float> out(count);
    for (float& x : out) x = number();
    return out;
  }

  std::vector<std::string> tokens(std::size_t count) {
    std::vector<std::string> out;
    for (std::size_t i = 0; i < count; ++i) out.push_back("word" + std::to_string(whole(0, 40)));
    return out;
  }

  Settings settings() {
    Settings s;
    s.num_heads = whole(1, 6);
    s.d_model = s.num_heads * whole(1, 13);
    s.mask = coin() ? Mask::causal : Mask::none;
    s.scale = static_cast<Scale>(whole(0, 2));
    s.scale_factor = number() * 2;
    s.positions = coin() ? Positions::sinusoidal : Positions::none;
    s.biases = coin();
    s.seed = engine_();
    return s;
  }

  // Any of the settings, each on or off, brought to the nearest valid ones.
  Settings any_settings() {
    const auto own = [&](int most) { return coin() ? 0 : whole(1, most); };
    WantedSettings w = wanted(settings());
    w.mask = any_of(mask_ids());
    for (const MaskNumber& number : mask_numbers()) w.*number_field(number.name) = whole(0, 6);
    w.num_kv_heads = own(6);
    w.d_k = own(9);
    w.d_v = own(9);
    w.softcap = coin() ? 0 : whole(1, 20);
    const double temperatures[] = {1, 1, 0, 0.5, 3};
    w.temperature = temperatures[whole(0, 4)];
    w.positions = any_of(position_ids());
    w.tie = coin() ? tie_ids()[0] : any_of(tie_ids());
    w.value_rank = own(5);
    w.dropout = coin() ? 0 : 0.3;
    w.dropout_seed = whole(0, 99);
    w.out_proj = whole(0, 2) > 0;
    w.residual = whole(0, 2) > 0;
    return clamp(w).settings;
  }

  // A text, perhaps a second one, numbers given for some of what takes them, and edits here and there.
  Request request(const Settings& s) {
    Request request;
    request.tokens = tokens(size(1, 24));
    if (whole(0, 2) == 0) request.key_tokens = tokens(size(1, 24));
    const Shape shape = shape_of(s, request.tokens.size(), request.sources().size());
    for (int i = whole(-4, 6); i > 0; --i) {
      request.mask_edits.push_back({whole(0, static_cast<int>(shape.T)), whole(0, static_cast<int>(shape.S))});
    }
    for (int i = whole(-4, 6); i > 0; --i) {
      const auto arrays = parameter_arrays();
      Edit edit{std::string(arrays[size(0, static_cast<int>(arrays.size()) - 1)].id), "", whole(0, 9), whole(0, 9), number()};
      if (coin()) edit = {"", request.tokens[0], 0, whole(0, 9), number()};
      request.edits.push_back(edit);
    }
    const bool is_cross = request.is_cross();
    for (const char* id : {"content", "key_content", "query", "key", "value"}) {
      const Stage& stage = *find_stage(id);
      if (whole(0, 5) == 0 && is_present(stage, s, is_cross)) give(request, id, count_of(stage, shape));
    }
    for (const ParameterArray& array : parameter_arrays()) {
      const bool is_own = is_settable(array, s) && &holder(array, s) == &array;
      if (whole(0, 7) == 0 && is_own) give(request, array.id, count_of(array, shape));
    }
    return request;
  }

 private:
  void give(Request& request, std::string_view id, std::size_t count) {
    request.given.push_back({std::string(id), numbers(count)});
  }

  std::mt19937 engine_;  // the same sequence in every standard library
};

// Equality of bits: tells -0 from 0, and finds a NaN equal to itself.
template <class Range>
bool same_bits(const Range& a, const Range& b) {
  if (a.empty() || b.empty()) return a.empty() == b.empty();
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(a[0])) == 0;
}

// Every kind of NaN: quiet and signalling, of either sign, with each bit of its payload set alone, and all.
inline std::vector<float> nans() {
  constexpr std::uint32_t kExponent = 0x7f800000, kQuiet = 0x00400000, kPayload = 0x003fffff;
  std::vector<float> all;
  for (const std::uint32_t sign : {0u, 0x80000000u}) {
    for (const std::uint32_t quiet : {0u, kQuiet}) {
      for (int bit = 0; bit < 22; ++bit) {
        all.push_back(std::bit_cast<float>(sign | kExponent | quiet | (1u << bit)));
      }
      all.push_back(std::bit_cast<float>(sign | kExponent | quiet | kPayload));
      all.push_back(std::bit_cast<float>(sign | kExponent | quiet | (kPayload & 0x2a5a5a5u)));
    }
    all.push_back(std::bit_cast<float>(sign | kExponent | kQuiet));
  }
  return all;
}

}  // namespace attention::test
