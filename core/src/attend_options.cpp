#include "attend_options.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string_view>
#include <utility>

#include "sizes.h"

namespace attention {

namespace {

// Of a tensor: what can be addressed, and far beyond any memory.
constexpr std::uint64_t kMaxElements =
    std::min<std::uint64_t>(std::uint64_t{1} << 40, SIZE_MAX / sizeof(float));
constexpr std::int64_t kMaxDistance = std::int64_t{1} << 40;    // of an offset or a window

// a · b, or kMaxElements + 1 when it is more than kMaxElements.
std::uint64_t product(std::uint64_t a, std::uint64_t b) {
  return b != 0 && a > kMaxElements / b ? kMaxElements + 1 : a * b;
}

bool is_too_large(std::size_t a, std::size_t b, std::size_t c, std::size_t d) {
  return product(product(a, b), product(c, d)) > kMaxElements;
}

}  // namespace

Error check_heads(std::string_view name, Heads<const float> t) {
  if (t.batch == 0 || t.heads == 0 || t.rows == 0 || t.width == 0) {
    return error(Rule::heads_empty, name);
  }
  if (is_too_large(t.batch, t.heads, t.rows, t.width) ||
      is_too_large(t.batch, t.batch_stride, 1, 1) || is_too_large(t.heads, t.head_stride, 1, 1) ||
      is_too_large(t.rows, t.row_stride, 1, 1)) {
    return error(Rule::heads_too_large, name);
  }
  if (t.data == nullptr) return error(Rule::no_data, name);
  if (is_misaligned(t.data)) return error(Rule::misaligned, name);
  const bool overlap = (t.rows > 1 && t.row_stride < t.width) ||
                       (t.heads > 1 && t.head_stride < t.width) ||
                       (t.batch > 1 && t.batch_stride < t.width);
  if (overlap) return error(Rule::heads_stride, name);
  return {};
}

Error check_apart(std::string_view name, Heads<const float> t) {
  struct Axis {
    std::size_t stride, extent;
  };
  std::array axes{Axis{t.row_stride, t.rows}, Axis{t.head_stride, t.heads}, Axis{t.batch_stride, t.batch}};
  for (const auto& [a, b] : {std::pair{0, 1}, {1, 2}, {0, 1}}) {  // by stride
    if (axes[b].stride < axes[a].stride) std::swap(axes[a], axes[b]);
  }
  std::size_t span = t.width;  // of what the axes so far reach
  for (const auto& [stride, extent] : axes) {
    if (extent == 1) continue;
    if (stride < span) {
      return error(Rule::heads_overlap, name);
    }
    span += (extent - 1) * stride;
  }
  return {};
}

namespace {

Error check_mask(const MaskTensor& mask, const std::array<std::size_t, 4>& full) {
  if (mask.allowed == nullptr && mask.bias == nullptr) return {};
  if (is_misaligned(mask.bias)) return error(Rule::misaligned, "The mask's bias");
  for (std::size_t axis = 0; axis < 3; ++axis) {
    if (mask.extents[axis] != 1 && mask.extents[axis] != full[axis]) {
      return error(Rule::mask_axis, {axis, mask.extents[axis], full[axis]});
    }
  }
  if (mask.extents[3] == 0 || mask.extents[3] > full[3]) {
    return error(Rule::mask_columns, {mask.extents[3], full[3]});
  }
  return {};
}

bool is_distance(std::int64_t n) { return n >= -kMaxDistance && n <= kMaxDistance; }

Error check_options(const AttendOptions& o, std::size_t batch, std::size_t heads,
                    std::size_t queries, std::size_t keys) {
  if (o.scale && !std::isfinite(*o.scale)) return error(Rule::option_scale);
  if (!std::isfinite(o.softcap) || o.softcap < 0) {
    return error(Rule::option_softcap);
  }
  if (!std::isfinite(o.temperature) || o.temperature < 0) {
    return error(Rule::option_temperature);
  }
  if (!(o.dropout >= 0 && o.dropout < 1)) {
    return error(Rule::option_dropout);
  }
  if (is_misaligned(o.alibi_slopes.data()) || is_misaligned(o.batch_offsets.data()) ||
      is_misaligned(o.key_lengths.data()) || is_misaligned(o.key_ranges.data())) {
    return error(Rule::option_misaligned);
  }
  if (!o.alibi_slopes.empty() && o.alibi_slopes.size() != heads) {
    return error(Rule::option_slope_count);
  }
  if (!std::all_of(o.alibi_slopes.begin(), o.alibi_slopes.end(),
                   [](float slope) { return std::isfinite(slope); })) {
    return error(Rule::option_slope);
  }
  if (!is_distance(o.offset)) return error(Rule::option_offset);
  for (const std::int64_t window : {o.window_left, o.window_right}) {
    if (window < -1 || !is_distance(window)) {
      return error(Rule::option_window);
    }
  }
  if (!o.key_ranges.empty() && o.key_ranges.size() != queries) {
    return error(Rule::option_key_range_count);
  }
  for (const auto& [begin, end] : o.key_ranges) {
    if (begin > end || end > keys) {
      return error(Rule::option_key_range, {keys});
    }
  }
  if (!o.batch_offsets.empty() && o.batch_offsets.size() != batch) {
    return error(Rule::option_batch_offset_count);
  }
  for (const std::int64_t offset : o.batch_offsets) {
    if (!is_distance(offset)) return error(Rule::option_batch_offset);
  }
  if (!o.key_lengths.empty() && o.key_lengths.size() != batch) {
    return error(Rule::option_key_length_count);
  }
  for (const std::int64_t length : o.key_lengths) {
    if (length < 0 || static_cast<std::uint64_t>(length) > keys) {
      return error(Rule::option_key_length, {keys});
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
  if (slopes.empty()) return;
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
  if (Error error = check_apart("context", context)) return error;
  if (key.batch != query.batch || value.batch != query.batch || context.batch != query.batch) {
    return error(Rule::attend_batch);
  }
  if (query.width != key.width) {
    return error(Rule::attend_key_width, {query.width, key.width});
  }
  if (key.heads != value.heads || key.rows != value.rows) {
    return error(Rule::attend_key_rows);
  }
  if (query.heads % key.heads != 0) {
    return error(Rule::attend_head_groups, {query.heads, key.heads});
  }
  if (context.heads != query.heads || context.rows != query.rows || context.width != value.width) {
    return error(Rule::attend_context);
  }
  const auto& [scores, scaled, capped, masked, weights, dropped] = stages;
  for (const float* const stage : std::initializer_list<const float*>{scores, scaled, capped, masked, weights, dropped}) {
    if (is_misaligned(stage)) return error(Rule::misaligned, "A stage");
  }
  if (any(stages) && is_too_large(query.batch, query.heads, query.rows, key.rows)) {
    return error(Rule::attend_stages_too_large);
  }
  if (Error error = check_mask(options.mask, {query.batch, query.heads, query.rows, key.rows})) {
    return error;
  }
  return check_options(options, query.batch, query.heads, query.rows, key.rows);
}

}  // namespace attention
