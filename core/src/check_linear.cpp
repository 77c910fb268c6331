#include "check_linear.h"


#include "sizes.h"

namespace attention {

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

Error check_norm(std::string_view name, const LayerNorm& norm, std::size_t width) {
  if (norm.gain == nullptr || norm.width != width) {
    return error(Rule::norm_width, name, {width});
  }
  if (is_misaligned(norm.gain) || is_misaligned(norm.bias)) {
    return error(Rule::misaligned, name);
  }
  if (!(norm.epsilon >= 0)) return error(Rule::norm_epsilon, name);
  return {};
}

}  // namespace attention
