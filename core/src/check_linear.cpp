#include "check_linear.h"

#include <cstdint>

#include "sizes.h"

namespace attention {

namespace {

bool is_misaligned(const float* data) {
  return reinterpret_cast<std::uintptr_t>(data) % alignof(float) != 0;
}

}  // namespace

Error check_linear(std::string_view name, const Linear& linear, std::size_t in, std::size_t out) {
  if (linear.weight == nullptr) return error(Rule::linear_matrix, name);
  if (is_misaligned(linear.weight) || is_misaligned(linear.bias)) {
    return error(Rule::misaligned, name);
  }
  if (linear.in != in || linear.out == 0 || (out != 0 && linear.out != out)) {
    if (out == 0) return error(Rule::linear_in, name, {linear.in, linear.out, in});
    return error(Rule::linear_width, name, {linear.in, linear.out, in, out});
  }
  const bool is_in_out = linear.layout == Layout::in_out;
  const std::size_t width = is_in_out ? linear.out : linear.in;
  if (linear.stride != 0 && linear.stride < width) {
    return error(Rule::linear_stride, name, {width});
  }
  const std::size_t rows = is_in_out ? linear.in : linear.out;
  if (product({rows, linear.stride != 0 ? linear.stride : width}) > kMaxFloats) {
    return error(Rule::linear_too_large, name);
  }
  return {};
}

}  // namespace attention
