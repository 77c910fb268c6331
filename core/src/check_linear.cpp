#include "check_linear.h"

#include <cstdint>
#include <string>

#include "sizes.h"

namespace attention {

namespace {

bool is_misaligned(const float* data) {
  return reinterpret_cast<std::uintptr_t>(data) % alignof(float) != 0;
}

}  // namespace

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

}  // namespace attention
