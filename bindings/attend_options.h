// AttendOptions as JavaScript gives them: numbers without an integer type, lists, and mask tensors.
#pragma once

#include <emscripten/val.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "attention/attend.h"
#include "tensor.h"

EMSCRIPTEN_DECLARE_VAL_TYPE(NumberList)
EMSCRIPTEN_DECLARE_VAL_TYPE(MaybeBytes)
EMSCRIPTEN_DECLARE_VAL_TYPE(MaybeFloats)
EMSCRIPTEN_DECLARE_VAL_TYPE(AnyTensor)

namespace attention::js {

// As AttendOptions in attend.h; null is what is absent there.
struct WantedAttendOptions {
  std::optional<double> scale;
  double softcap = 0;
  bool is_causal = false;
  double offset = 0;
  NumberList batch_offsets{emscripten::val::null()};
  double window_left = -1, window_right = -1;
  NumberList key_ranges{emscripten::val::null()};  // begin and end of each query's, one after another
  NumberList key_lengths{emscripten::val::null()};
  MaybeBytes allowed{emscripten::val::null()};
  MaybeFloats bias{emscripten::val::null()};
  NumberList alibi_slopes{emscripten::val::null()};
  double temperature = 1;
  float dropout = 0;
  double dropout_seed = 0;
};

inline Error whole(double number, std::string_view name, std::int64_t& out) {
  constexpr double kLargest = 0x1p53;
  if (!(std::abs(number) <= kLargest) || number != std::floor(number)) {
    return attention::error(Rule::js_whole, name);
  }
  out = static_cast<std::int64_t>(number);
  return {};
}

inline Error whole(const NumberList& list, std::string_view name, std::vector<std::int64_t>& out) {
  if (list.isNull()) return {};
  for (const double number : emscripten::convertJSArrayToNumberVector<double>(list)) {
    if (Error error = whole(number, name, out.emplace_back())) return error;
  }
  return {};
}

// As float32, which must not take for 0 what is not.
inline Error narrow(double number, std::string_view name, float& out) {
  out = static_cast<float>(number);
  if (out != 0 || number == 0) return {};
  return attention::error(Rule::js_too_small, name);
}

// The options and what they point to.
class ReadAttendOptions {
 public:
  Error read(const WantedAttendOptions& wanted) {
    if (Error error = whole(wanted.offset, "offset", options_.offset)) return error;
    if (Error error = whole(wanted.window_left, "window_left", options_.window_left)) return error;
    if (Error error = whole(wanted.window_right, "window_right", options_.window_right)) return error;
    if (Error error = whole(wanted.batch_offsets, "batch_offsets", batch_offsets_)) return error;
    if (Error error = whole(wanted.key_lengths, "key_lengths", key_lengths_)) return error;
    if (Error error = read_ranges(wanted.key_ranges)) return error;
    std::int64_t seed = 0;
    if (Error error = whole(wanted.dropout_seed, "dropout_seed", seed)) return error;
    if (seed < 0 || seed > UINT32_MAX) return attention::error(Rule::js_seed, "dropout_seed");
    if (!wanted.alibi_slopes.isNull()) {
      slopes_ = emscripten::convertJSArrayToNumberVector<float>(wanted.alibi_slopes);
    }
    if (wanted.scale) {
      if (Error error = narrow(*wanted.scale, "scale", options_.scale.emplace())) return error;
    }
    if (Error error = narrow(wanted.softcap, "softcap", options_.softcap)) return error;
    options_.is_causal = wanted.is_causal;
    options_.batch_offsets = batch_offsets_;
    options_.key_lengths = key_lengths_;
    options_.alibi_slopes = slopes_;
    if (Error error = narrow(wanted.temperature, "temperature", options_.temperature)) return error;
    options_.dropout = wanted.dropout;
    options_.dropout_seed = static_cast<std::uint32_t>(seed);
    return read_mask(wanted);
  }

  const AttendOptions& options() const { return options_; }

 private:
  Error read_ranges(const NumberList& list) {
    std::vector<std::int64_t> ends;
    if (Error error = whole(list, "key_ranges", ends)) return error;
    if (ends.size() % 2 != 0 || std::any_of(ends.begin(), ends.end(), [](std::int64_t end) { return end < 0; })) {
      return error(Rule::js_key_ranges);
    }
    for (std::size_t i = 0; i < ends.size(); i += 2) {
      key_ranges_.push_back({static_cast<std::size_t>(ends[i]), static_cast<std::size_t>(ends[i + 1])});
    }
    options_.key_ranges = key_ranges_;
    return {};
  }

  Error read_mask(const WantedAttendOptions& wanted) {
    if (!wanted.allowed.isNull()) allowed_ = wanted.allowed.as<ByteTensor>();
    if (!wanted.bias.isNull()) bias_ = wanted.bias.as<FloatTensor>();
    if (allowed_ && bias_ && allowed_->extents() != bias_->extents()) {
      return attention::error(Rule::js_masks);
    }
    if (allowed_) options_.mask.extents = allowed_->extents();
    if (bias_) options_.mask.extents = bias_->extents();
    options_.mask.allowed = allowed_ ? allowed_->numbers().data() : nullptr;
    options_.mask.bias = bias_ ? bias_->numbers().data() : nullptr;
    return {};
  }

  AttendOptions options_;
  std::vector<std::int64_t> batch_offsets_, key_lengths_;
  std::vector<KeyRange> key_ranges_;
  std::vector<float> slopes_;
  FloatTensor bias_;
  ByteTensor allowed_;
};

}  // namespace attention::js
