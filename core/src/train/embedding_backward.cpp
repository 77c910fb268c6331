#include "attention/backward.h"
#include "kernels.h"

namespace attention {

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
