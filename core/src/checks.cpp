#include "checks.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <utility>

#include "attend_paths.h"

namespace attention {

namespace {

constexpr std::int64_t kMaxDistance = std::int64_t{1} << 40;  // of an offset or a window

bool is_too_large(std::initializer_list<std::uint64_t> extents) { return product(extents) > kMaxFloats; }

}  // namespace

Error check_heads(std::string_view name, Heads<const float> t) {
  if (t.batch == 0 || t.heads == 0 || t.rows == 0 || t.width == 0) {
    return error(Rule::heads_empty, name);
  }
  if (is_too_large({t.batch, t.heads, t.rows, t.width}) || is_too_large({t.batch, t.batch_stride}) ||
      is_too_large({t.heads, t.head_stride}) || is_too_large({t.rows, t.row_stride})) {
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
  struct Step {
    std::size_t stride, count;
  };
  std::array steps{Step{t.row_stride, t.rows}, Step{t.head_stride, t.heads}, Step{t.batch_stride, t.batch}};
  for (const std::size_t i : {0u, 1u, 0u}) {  // by stride
    if (steps[i + 1].stride < steps[i].stride) std::swap(steps[i], steps[i + 1]);
  }
  std::size_t span = t.width;  // of what the axes so far reach
  for (const auto& [stride, count] : steps) {
    if (count == 1) continue;
    if (stride < span) return error(Rule::heads_overlap, name);
    span += (count - 1) * stride;
  }
  return {};
}

namespace {

std::uintptr_t address(const void* number) { return reinterpret_cast<std::uintptr_t>(number); }

// Of a view's numbers, how many places they reach over in each `step` places: more than `step` when not all alike.
std::size_t reach(Heads<const float> t, std::size_t step) {
  std::size_t places = t.width;
  for (const auto& [stride, count] : {std::pair{t.row_stride, t.rows}, std::pair{t.head_stride, t.heads},
                                     std::pair{t.batch_stride, t.batch}}) {
    if (count > 1 && stride % step != 0) places += (count - 1) * stride;
  }
  return places;
}

bool take_turns(Heads<const float> a, Heads<const float> b, std::size_t step) {
  if (step == 0 || reach(a, step) > step) return false;
  const std::size_t bytes = step * sizeof(float);
  const std::size_t after = (address(b.data) % bytes + bytes - address(a.data) % bytes) % bytes / sizeof(float);
  return after >= reach(a, step) && after + reach(b, step) <= step;
}

}  // namespace

bool is_shared(Heads<const float> a, Heads<const float> b) {
  const auto end = [](Heads<const float> t) { return t.row(t.batch - 1, t.heads - 1, t.rows - 1) + t.width; };
  if (address(end(a)) <= address(b.data) || address(end(b)) <= address(a.data)) return false;
  return !(a.row_stride == b.row_stride && take_turns(a, b, a.row_stride)) &&
         !(a.head_stride == b.head_stride && take_turns(a, b, a.head_stride)) &&
         !(a.batch_stride == b.batch_stride && take_turns(a, b, a.batch_stride));
}

bool is_shared(Heads<const float> a, const Weight& weight, std::size_t rows, std::size_t stride, std::size_t width) {
  if (is_float_rows(weight)) return is_shared(a, {weight.floats(), 1, 1, rows, width, 0, 0, stride});
  const auto overlaps = [a](const void* from, std::size_t bytes) {
    return address(a.data) < address(from) + bytes && address(from) < address(a.row(a.batch - 1, a.heads - 1, a.rows - 1) + a.width);
  };
  const bool is_interleaved = weight.order == Order::interleaved;
  const Weight end = weight.from(rows - 1, width, stride);
  const std::size_t block = is_interleaved ? (end.first_column != 0 ? kGroupRows * kBlockBytes : 0) : end.first != 0 ? kBlockBytes : 0;
  return overlaps(weight.data, address(end.data) - address(weight.data) + block) ||
         (weight.scales != nullptr && overlaps(weight.scales, rows * sizeof(float)));
}

Error check_results(Heads<const float> query, Heads<const float> key, Heads<const float> value,
                    const MaskTensor& mask, Heads<const float> context, const AttendStages& stages) {
  const auto& n = mask.extents;
  const auto is_read = [&](Heads<const float> written) {
    return is_shared(written, query) || is_shared(written, key) || is_shared(written, value) ||
           (mask.bias != nullptr && is_shared(written, heads_first(mask.bias, n[0], n[1], n[2], n[3])));
  };
  if (is_read(context)) return error(Rule::result_overlaps, "context");
  const auto& [scores, scaled, capped, masked, weights, dropped] = stages;
  for (const float* const data : std::initializer_list<const float*>{scores, scaled, capped, masked, weights, dropped}) {
    if (data == nullptr) continue;
    const Heads<const float> stage = heads_first(data, query.batch, query.heads, query.rows, key.rows);
    if (is_read(stage) || is_shared(stage, context)) return error(Rule::result_overlaps, "A stage");
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
  if (any(stages) && is_too_large({query.batch, query.heads, query.rows, key.rows})) {
    return error(Rule::attend_stages_too_large);
  }
  if (Error error = check_mask(options.mask, {query.batch, query.heads, query.rows, key.rows})) {
    return error;
  }
  return check_options(options, query.batch, query.heads, query.rows, key.rows);
}

Error check_rotary(Heads<const float> in, std::span<const float> cosines,
                   std::span<const float> sines, std::size_t half,
                   std::span<const std::int64_t> positions) {
  if (half == 0 || half > in.width / 2) {
    return error(Rule::rotary_pairs, {half, in.width, in.width / 2});
  }
  if (cosines.size() != sines.size() || cosines.size() % half != 0) {
    return error(Rule::rotary_tables, {half});
  }
  if (is_misaligned(cosines.data()) || is_misaligned(sines.data()) || is_misaligned(positions.data())) {
    return error(Rule::rotary_misaligned);
  }
  const std::size_t table_rows = cosines.size() / half;
  const bool is_one_each = positions.empty() ? in.rows <= table_rows
                                             : positions.size() % in.batch == 0 &&
                                                   positions.size() / in.batch == in.rows;
  if (!is_one_each) {
    return error(Rule::rotary_position_count);
  }
  for (const std::int64_t position : positions) {
    if (position < 0 || static_cast<std::uint64_t>(position) >= table_rows) {
      return error(Rule::rotary_position, {table_rows - 1});
    }
  }
  return {};
}

Error check_changes(const HeadChanges& changes, std::size_t heads) {
  const auto& gains = changes.gains;
  const auto is_patch_misaligned = [](const HeadPatch& patch) { return is_misaligned(patch.weights); };
  if (is_misaligned(gains.data()) ||
      std::any_of(changes.patches.begin(), changes.patches.end(), is_patch_misaligned)) {
    return error(Rule::head_misaligned);
  }
  const auto is_finite = [](float gain) { return std::isfinite(gain); };
  if ((!gains.empty() && gains.size() != heads) ||
      !std::all_of(gains.begin(), gains.end(), is_finite)) {
    return error(Rule::head_gains, {heads});
  }
  for (const HeadPatch& patch : changes.patches) {
    if (patch.head >= heads || patch.weights == nullptr) {
      return error(Rule::head_patch, {heads - 1});
    }
  }
  return {};
}

Error check_linear(std::string_view name, const Linear& linear, std::size_t in, std::size_t out) {
  if (linear.weight == nullptr) return error(Rule::linear_matrix, name);
  if (is_misaligned(linear.weight) || is_misaligned(linear.bias)) return error(Rule::misaligned, name);
  if (lacks_scales(linear.weight)) return error(Rule::linear_scales, name);
  if (linear.in != in || linear.out == 0 || (out != 0 && linear.out != out)) {
    if (out == 0) return error(Rule::linear_in, name, {linear.in, linear.out, in});
    return error(Rule::linear_width, name, {linear.in, linear.out, in, out});
  }
  const bool is_in_out = linear.layout == Layout::in_out;
  const std::size_t width = is_in_out ? linear.out : linear.in;
  const bool is_interleaved = linear.weight.order == Order::interleaved;
  if ((is_interleaved && is_in_out) || has_cut_blocks(linear.weight, linear.stride != 0 ? linear.stride : width)) {
    return error(Rule::linear_order, name);
  }
  if (linear.stride != 0 && linear.stride < width) {
    return error(Rule::linear_stride, name, {width});
  }
  const std::size_t rows = is_in_out ? linear.in : linear.out;
  if (product({is_interleaved ? whole_groups(rows) : rows, linear.stride != 0 ? linear.stride : width}) > kMaxFloats) {
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

Error check_head_norm(std::string_view name, const HeadNorm& norm, std::size_t width) {
  if (norm.gain.empty()) return {};
  if (norm.gain.size() != width) return error(Rule::norm_width, name, {width});
  return check_norm(name, {norm.gain.data(), nullptr, width, norm.epsilon}, width);
}

}  // namespace attention
