#include "attention/attend.h"

#include <algorithm>
#include <cmath>

#include "attend_paths.h"
#include "checks.h"

namespace attention {

namespace {

// From here on a panel, though partly empty, is faster than going query by query.
constexpr std::size_t kFewRows = 3;
// Heads of one token that share keys: up to here packing these keys takes longer than reading them again for each.
constexpr std::size_t kFewHeads = 8;

}  // namespace

AttendPath path_of(const AttendProblem& problem, bool keeps_stages) {
  if (keeps_stages || problem.options.temperature == 0) return kPlainPath;
  const bool is_one_token = problem.query.rows == 1 && problem.group() <= kFewHeads;
  if (problem.rows() < kFewRows || is_one_token) return {rows_scratch, attend_rows};
  return panels_path();
}

Error attend(Heads<const float> query, Heads<const float> key, Heads<const float> value,
             const AttendOptions& options, Heads<float> context, Buffer& scratch,
             const AttendStages& stages) {
  if (Error error = check_attend(query, key, value, options, context, stages)) return error;
  if (Error error = check_results(query, key, value, options.mask, context, stages)) return error;
  return attend_checked(query, key, value, options, context, scratch, stages);
}

Error attend_checked(Heads<const float> query, Heads<const float> key, Heads<const float> value,
                     const AttendOptions& options, Heads<float> context, Buffer& scratch,
                     const AttendStages& stages) {
  const AttendProblem problem{query, key, value, options, context, scale_of(options, key.width)};
  return attend_by(path_of(problem, any(stages)), problem, scratch, stages);
}

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

}  // namespace attention
