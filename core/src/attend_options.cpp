#include "attend_options.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>

namespace attention {

namespace {

// Of a tensor: what can be addressed, and far beyond any memory.
constexpr std::uint64_t kMaxElements =
    std::min<std::uint64_t>(std::uint64_t{1} << 40, SIZE_MAX / sizeof(float));
constexpr std::int64_t kMaxDistance = std::int64_t{1} << 40;    // of an offset or a window

Error invalid_shape(std::string rule) { return {ErrorCode::invalid_shape, std::move(rule)}; }
Error invalid_option(std::string rule) { return {ErrorCode::invalid_option, std::move(rule)}; }

// a · b, or kMaxElements + 1 when it is more than kMaxElements.
std::uint64_t product(std::uint64_t a, std::uint64_t b) {
  return b != 0 && a > kMaxElements / b ? kMaxElements + 1 : a * b;
}

bool is_too_large(std::size_t a, std::size_t b, std::size_t c, std::size_t d) {
  return product(product(a, b), product(c, d)) > kMaxElements;
}

Error check_heads(const std::string& name, Heads<const float> t) {
  if (t.batch == 0 || t.heads == 0 || t.rows == 0 || t.width == 0) {
    return invalid_shape(name + " is empty: batch, heads, rows and width must each be at least 1.");
  }
  if (is_too_large(t.batch, t.heads, t.rows, t.width) ||
      is_too_large(t.batch, t.batch_stride, 1, 1) || is_too_large(t.heads, t.head_stride, 1, 1) ||
      is_too_large(t.rows, t.row_stride, 1, 1)) {
    return invalid_shape(name + " is larger than memory can be. Use smaller tensors.");
  }
  if (t.data == nullptr) return invalid_shape(name + " has no data: its pointer is null.");
  if (reinterpret_cast<std::uintptr_t>(t.data) % alignof(float) != 0) {
    return invalid_shape(name + " is misaligned: float32 data begins at a multiple of 4 bytes.");
  }
  const bool overlap = (t.rows > 1 && t.row_stride < t.width) ||
                       (t.heads > 1 && t.head_stride < t.width) ||
                       (t.batch > 1 && t.batch_stride < t.width);
  if (overlap) return invalid_shape(name + " has a stride smaller than its width.");
  return {};
}

Error check_mask(const MaskTensor& mask, const std::array<std::size_t, 4>& full) {
  if (mask.allowed == nullptr && mask.bias == nullptr) return {};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    if (mask.extents[axis] != 1 && mask.extents[axis] != full[axis]) {
      return invalid_shape("The mask's axis " + std::to_string(axis) + " has " +
                           std::to_string(mask.extents[axis]) + " entries; it must have 1 or " +
                           std::to_string(full[axis]) + ".");
    }
  }
  if (mask.extents[3] == 0 || mask.extents[3] > full[3]) {
    return invalid_shape("The mask has " + std::to_string(mask.extents[3]) +
                         " columns; it must have from 1 to " + std::to_string(full[3]) +
                         ", the number of keys.");
  }
  return {};
}

bool is_distance(std::int64_t n) { return n >= -kMaxDistance && n <= kMaxDistance; }

Error check_options(const AttendOptions& o, std::size_t batch, std::size_t heads,
                    std::size_t queries, std::size_t keys) {
  if (o.scale && !std::isfinite(*o.scale)) return invalid_option("scale must be a finite number.");
  if (!std::isfinite(o.softcap) || o.softcap < 0) {
    return invalid_option("softcap must be a finite number, 0 (off) or more.");
  }
  if (!std::isfinite(o.temperature) || o.temperature < 0) {
    return invalid_option("temperature must be a finite number, 0 (arg-max) or more.");
  }
  if (!(o.dropout >= 0 && o.dropout < 1)) {
    return invalid_option("dropout must be at least 0 and less than 1.");
  }
  if (!o.alibi_slopes.empty() && o.alibi_slopes.size() != heads) {
    return invalid_option("alibi_slopes must have one entry a query head, or none.");
  }
  if (!std::all_of(o.alibi_slopes.begin(), o.alibi_slopes.end(),
                   [](float slope) { return std::isfinite(slope); })) {
    return invalid_option("Each ALiBi slope must be a finite number.");
  }
  if (!is_distance(o.offset)) return invalid_option("offset must lie within 2^40 of 0.");
  for (const std::int64_t window : {o.window_left, o.window_right}) {
    if (window < -1 || !is_distance(window)) {
      return invalid_option("A window reaches from 0 to 2^40 keys, or is -1 for open.");
    }
  }
  if (!o.key_ranges.empty() && o.key_ranges.size() != queries) {
    return invalid_option("key_ranges must have one range a query, or none.");
  }
  for (const auto& [begin, end] : o.key_ranges) {
    if (begin > end || end > keys) {
      return invalid_option("Each key range must begin at or before its end, and end at or before " +
                            std::to_string(keys) + ", the number of keys.");
    }
  }
  if (!o.batch_offsets.empty() && o.batch_offsets.size() != batch) {
    return invalid_option("batch_offsets must have one entry a batch, or none.");
  }
  for (const std::int64_t offset : o.batch_offsets) {
    if (!is_distance(offset)) return invalid_option("Each offset must lie within 2^40 of 0.");
  }
  if (!o.key_lengths.empty() && o.key_lengths.size() != batch) {
    return invalid_option("key_lengths must have one entry a batch, or none.");
  }
  for (const std::int64_t length : o.key_lengths) {
    if (length < 0 || static_cast<std::uint64_t>(length) > keys) {
      return invalid_option("Each key length must be from 0 to " + std::to_string(keys) +
                            ", the number of keys.");
    }
  }
  return {};
}

}  // namespace

std::int64_t place_of(const AttendOptions& o, std::size_t batch, std::size_t query) {
  return static_cast<std::int64_t>(query) +
         (o.batch_offsets.empty() ? o.offset : o.batch_offsets[batch]);
}

void fill_alibi_slopes(std::span<float> slopes) {
  std::size_t heads = 1;  // the power of two at or below their number
  while (heads * 2 <= slopes.size()) heads *= 2;
  // 2^(-8/heads) by repeated square roots of 2^-8: exact enough, and the same everywhere.
  float ratio = 0x1p-8f;
  for (std::size_t n = heads; n > 1; n /= 2) ratio = std::sqrt(ratio);
  float slope = 1;
  for (std::size_t h = 0; h < heads; ++h) slopes[h] = slope = slope * ratio;
  const float half = std::sqrt(ratio);
  slope = half;
  for (std::size_t h = heads; h < slopes.size(); ++h, slope = slope * ratio) slopes[h] = slope;
}

KeyRange key_range(const AttendOptions& o, std::size_t batch, std::size_t query, std::size_t keys) {
  const std::int64_t place = place_of(o, batch, query);
  std::int64_t begin = 0, end = static_cast<std::int64_t>(keys);
  if (o.is_causal) end = std::min(end, place + 1);
  if (o.window_right >= 0) end = std::min(end, place + o.window_right + 1);
  if (o.window_left >= 0) begin = std::max(begin, place - o.window_left);
  if (!o.key_lengths.empty()) end = std::min(end, o.key_lengths[batch]);
  if (!o.key_ranges.empty()) {
    begin = std::max(begin, static_cast<std::int64_t>(o.key_ranges[query].begin));
    end = std::min(end, static_cast<std::int64_t>(o.key_ranges[query].end));
  }
  if (o.mask.allowed != nullptr || o.mask.bias != nullptr) {
    end = std::min(end, static_cast<std::int64_t>(o.mask.extents[3]));
  }
  if (begin >= end) return {0, 0};
  return {static_cast<std::size_t>(begin), static_cast<std::size_t>(end)};
}

bool any(const AttendStages& s) {
  return s.scores || s.scaled_scores || s.capped_scores || s.masked_scores || s.weights || s.dropped_weights;
}

float scale_of(const AttendOptions& options, std::size_t key_width) {
  return options.scale ? *options.scale : 1.0f / std::sqrt(static_cast<float>(key_width));
}

Error check_attend(Heads<const float> query, Heads<const float> key, Heads<const float> value,
                   const AttendOptions& options, Heads<const float> context,
                   const AttendStages& stages) {
  if (Error error = check_heads("query", query)) return error;
  if (Error error = check_heads("key", key)) return error;
  if (Error error = check_heads("value", value)) return error;
  if (Error error = check_heads("context", context)) return error;
  if (key.batch != query.batch || value.batch != query.batch || context.batch != query.batch) {
    return invalid_shape("query, key, value and context must have the same batch.");
  }
  if (query.width != key.width) {
    return invalid_shape("A query has " + std::to_string(query.width) + " numbers and a key " +
                         std::to_string(key.width) + "; they must be equally many.");
  }
  if (key.heads != value.heads || key.rows != value.rows) {
    return invalid_shape("key and value must have the same heads and rows.");
  }
  if (query.heads % key.heads != 0) {
    return invalid_shape("The " + std::to_string(query.heads) + " query heads must be a multiple of the " +
                         std::to_string(key.heads) + " key heads.");
  }
  if (context.heads != query.heads || context.rows != query.rows || context.width != value.width) {
    return invalid_shape("context must have the query's heads and rows, and the value's width.");
  }
  if (any(stages) && is_too_large(query.batch, query.heads, query.rows, key.rows)) {
    return invalid_shape("A stage is larger than memory can be. Use fewer queries or keys, or keep no stages.");
  }
  if (Error error = check_mask(options.mask, {query.batch, query.heads, query.rows, key.rows})) {
    return error;
  }
  return check_options(options, query.batch, query.heads, query.rows, key.rows);
}

}  // namespace attention
