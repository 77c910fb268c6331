#include "attention/backward.h"
#include "checks.h"
#include "kernels.h"
#include "train/gradient_kernels.h"

namespace attention {

namespace {

using kernels::ConstMatrix;
using kernels::Matrix;
using kernels::Sums;
using kernels::Turned;

}  // namespace

Error linear_backward(const Linear& linear, const float* x, std::size_t rows, const float* dy,
                      const LinearGradients& gradients) {
  if (!is_float_rows(linear.weight)) return error(Rule::linear_gradients);
  const float* const weight = linear.weight.floats();
  const auto [its_weight, bias, in, out, layout, stride] = linear;
  const bool in_out = layout == Layout::in_out;
  const std::size_t row = stride != 0 ? stride : in_out ? out : in;
  const ConstMatrix from{x, rows, in, in}, by{dy, rows, out, out};
  if (gradients.x != nullptr) {
    const Matrix dx{gradients.x, rows, in, in};
    if (in_out) {
      kernels::matmul(dx, by, {weight, in, out, row}, Turned::right, Sums::go_on);
    } else {
      kernels::matmul(dx, by, {weight, out, in, row}, Turned::none, Sums::go_on);
    }
  }
  if (gradients.weight != nullptr) {
    if (in_out) {
      kernels::matmul({gradients.weight, in, out, row}, from, by, Turned::left, Sums::go_on);
    } else {
      kernels::matmul({gradients.weight, out, in, row}, by, from, Turned::left, Sums::go_on);
    }
  }
  for (std::size_t r = 0; r < rows && gradients.bias != nullptr; ++r) {
    kernels::add(gradients.bias, gradients.bias, dy + r * out, out);
  }
  return {};
}

void rows_backward(std::span<const std::int32_t> ids, const float* dy, std::size_t width, float* table) {
  for (const std::int32_t id : ids) {
    float* const row = id < 0 ? nullptr : table + static_cast<std::size_t>(id) * width;
    if (row != nullptr) kernels::add(row, row, dy, width);
    dy += width;
  }
}

void positions_backward(const Rows& dy, std::size_t first, float* table) {
  float* const from = table + first * dy.width;
  const std::size_t count = dy.rows * dy.width;
  for (std::size_t b = 0; b < dy.batch; ++b) kernels::add(from, from, dy.data + b * count, count);
}

}  // namespace attention
