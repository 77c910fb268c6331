#include <string>

#include "attention/positions.h"
#include "kernels.h"
#include "sizes.h"

namespace attention {

namespace {

Error invalid(std::string rule) {
  return {ErrorCode::invalid_shape, std::move(rule)};
}

Error check(const Rows& x, std::span<const float> table, std::span<const std::int64_t> positions,
            std::size_t first, const float* out) {
  if (x.data == nullptr || x.batch == 0 || x.rows == 0 || x.width == 0) {
    return invalid("x is empty: it needs data, and batch, rows and width of at least 1.");
  }
  if (out == nullptr) return invalid("out has no data: its pointer is null.");
  if (is_misaligned(x.data) || is_misaligned(table.data()) || is_misaligned(out) ||
      is_misaligned(positions.data())) {
    return invalid("x, table, positions or out is misaligned: float32 data begins at a multiple of 4 bytes, "
                   "positions at one of 8.");
  }
  if (product({x.batch, x.rows, x.width}) > kMaxFloats) {
    return invalid("x is larger than memory can be. Use fewer rows.");
  }
  if (table.size() % x.width != 0) {
    return invalid("The position table must be rows of " + std::to_string(x.width) + " numbers.");
  }
  const std::size_t table_rows = table.size() / x.width;
  if (positions.empty()) {
    if (first <= table_rows && x.rows <= table_rows - first) return {};
    return invalid("The position table has " + std::to_string(table_rows) + " rows; " +
                   std::to_string(x.rows) + " rows from position " + std::to_string(first) +
                   " on do not fit. Use a longer table, or fewer tokens.");
  }
  if (positions.size() != x.batch * x.rows) {
    return invalid("positions must have one entry a row of every batch, or none.");
  }
  for (const std::int64_t position : positions) {
    if (position < 0 || static_cast<std::uint64_t>(position) >= table_rows) {
      return invalid("Each position must be a row of the table, which has " +
                     std::to_string(table_rows) + ".");
    }
  }
  return {};
}

}  // namespace

Error add_positions(const Rows& x, std::span<const float> table,
                    std::span<const std::int64_t> positions, std::size_t first, float* out) {
  if (Error error = check(x, table, positions, first, out)) return error;
  for (std::size_t row = 0; row < x.batch * x.rows; ++row) {
    const std::size_t position =
        positions.empty() ? first + row % x.rows : static_cast<std::size_t>(positions[row]);
    kernels::add(out + row * x.width, x.data + row * x.width, table.data() + position * x.width,
                 x.width);
  }
  return {};
}

}  // namespace attention
