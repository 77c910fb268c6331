#include "check_linear.h"

#include <string>

#include "sizes.h"

namespace attention {

Error check_linear(std::string_view name, const Linear& linear, std::size_t in, std::size_t out) {
  const auto invalid = [&](const std::string& rule) {
    return Error{ErrorCode::invalid_shape, std::string(name) + rule};
  };
  if (linear.weight == nullptr) return invalid(" has no matrix: its pointer is null.");
  if (is_misaligned(linear.weight) || is_misaligned(linear.bias)) {
    return invalid(" is misaligned: float32 data begins at a multiple of 4 bytes.");
  }
  if (linear.in != in || linear.out == 0 || (out != 0 && linear.out != out)) {
    return invalid(" leads from " + std::to_string(linear.in) + " to " +
                   std::to_string(linear.out) + " numbers; it must lead from " +
                   std::to_string(in) + " to " + (out != 0 ? std::to_string(out) : "at least 1") +
                   ".");
  }
  const bool is_in_out = linear.layout == Layout::in_out;
  const std::size_t width = is_in_out ? linear.out : linear.in;
  if (linear.stride != 0 && linear.stride < width) {
    return invalid(" has a stride smaller than its row of " + std::to_string(width) + " numbers.");
  }
  const std::size_t rows = is_in_out ? linear.in : linear.out;
  if (product({rows, linear.stride != 0 ? linear.stride : width}) > kMaxFloats) {
    return invalid(" is larger than memory can be. Use smaller matrices.");
  }
  return {};
}

Error check_norm(std::string_view name, const LayerNorm& norm, std::size_t width) {
  const auto invalid = [&](const std::string& rule) {
    return Error{ErrorCode::invalid_shape, std::string(name) + rule};
  };
  if (norm.gain == nullptr || norm.width != width) {
    return invalid(" must have a gain, and be " + std::to_string(width) + " wide, as d_model is.");
  }
  if (is_misaligned(norm.gain) || is_misaligned(norm.bias)) {
    return invalid(" is misaligned: float32 data begins at a multiple of 4 bytes.");
  }
  if (!(norm.epsilon >= 0)) return invalid(" has an epsilon below 0. Give 0, or more.");
  return {};
}

}  // namespace attention
