#include "attention/positions.h"
#include "kernels.h"
#include "checks.h"

namespace attention {

namespace {

Error check(const Rows& x, std::span<const float> table, std::span<const std::int64_t> positions,
            std::size_t first, const float* out) {
  if (x.data == nullptr || x.batch == 0 || x.rows == 0 || x.width == 0) {
    return error(Rule::position_input);
  }
  if (out == nullptr) return error(Rule::no_data, "out");
  if (is_misaligned(x.data) || is_misaligned(table.data()) || is_misaligned(out) ||
      is_misaligned(positions.data())) {
    return error(Rule::position_misaligned);
  }
  if (product({x.batch, x.rows, x.width}) > kMaxFloats) {
    return error(Rule::rows_too_large, "x");
  }
  if (table.size() % x.width != 0) {
    return error(Rule::position_table, {x.width});
  }
  const std::size_t table_rows = table.size() / x.width;
  if (positions.empty()) {
    if (first <= table_rows && x.rows <= table_rows - first) return {};
    return error(Rule::position_table_rows, {table_rows, x.rows, first});
  }
  if (positions.size() != x.batch * x.rows) {
    return error(Rule::position_count);
  }
  for (const std::int64_t position : positions) {
    if (position < 0 || static_cast<std::uint64_t>(position) >= table_rows) {
      return error(Rule::position_row, {table_rows});
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
