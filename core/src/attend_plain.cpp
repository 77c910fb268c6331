// The formula stage by stage, over whole rows of keys: the path that keeps the stages. Functions for one query's
// scores and weights that all paths use are here too.
#include <algorithm>
#include <cstdlib>

#include "attend_paths.h"
#include "dropout.h"

namespace attention {

namespace {

constexpr std::size_t kBlockRows = 64;

kernels::ConstMatrix matrix(Heads<const float> t, std::size_t b, std::size_t h, std::size_t row,
                            std::size_t rows) {
  return {t.row(b, h, row), rows, t.width, t.row_stride};
}

// What any query of a block reaches.
KeyRange reach_of(const AttendProblem& p, std::size_t b, std::size_t row, std::size_t rows) {
  KeyRange all{p.key.rows, 0};
  for (std::size_t r = row; r < row + rows; ++r) {
    const KeyRange seen = key_range(p.options, b, r, p.key.rows);
    if (seen.begin < seen.end) all = {std::min(all.begin, seen.begin), std::max(all.end, seen.end)};
  }
  return all.begin < all.end ? all : KeyRange{};
}

}  // namespace

SeenKeys::SeenKeys(const AttendProblem& p, std::size_t b, std::size_t h, std::size_t query)
    : range(key_range(p.options, b, query, p.key.rows)),
      allowed(mask_row(p.options.mask, p.options.mask.allowed, b, h, query)),
      bias(mask_row(p.options.mask, p.options.mask.bias, b, h, query)) {}

bool SeenKeys::has(std::size_t key) const {
  return range.has(key) && (allowed == nullptr || allowed[key] != 0) &&
         (bias == nullptr || bias[key] != kMinusInfinity);
}

void mask_scores(const AttendProblem& p, const ScoreRow& row) {
  const SeenKeys seen(p, row.b, row.h, row.query);
  const std::size_t begin = std::clamp(seen.range.begin, row.key, row.key + row.keys) - row.key;
  const std::size_t end = std::clamp(seen.range.end, row.key, row.key + row.keys) - row.key;
  std::fill(row.scores, row.scores + std::min(begin, end), kMinusInfinity);
  std::fill(row.scores + end, row.scores + row.keys, kMinusInfinity);
  if (begin >= end) return;

  float* const scores = row.scores;
  if (!p.options.alibi_slopes.empty()) {
    const float slope = p.options.alibi_slopes[row.h];
    const std::int64_t place = place_of(p.options, row.b, row.query);
    for (std::size_t k = begin; k < end; ++k) {
      const std::int64_t distance = std::abs(static_cast<std::int64_t>(row.key + k) - place);
      scores[k] -= slope * static_cast<float>(distance);
    }
  }
  if (seen.bias != nullptr) {
    kernels::add_bias(scores + begin, scores + begin, seen.bias + row.key + begin, end - begin);
  }
  for (std::size_t k = begin; k < end && seen.allowed != nullptr; ++k) {
    if (seen.allowed[row.key + k] == 0) scores[k] = kMinusInfinity;
  }
}

void drop_weights(const AttendProblem& p, const ScoreRow& row) {
  const Dropout dropout(p.options.dropout, p.options.dropout_seed);
  std::array<std::uint32_t, 4> words{};
  for (std::size_t k = 0; k < row.keys; ++k) {
    const std::size_t column = row.key + k;
    if (k == 0 || column % 4 == 0) {
      words = dropout.words(row.b * p.query.heads + row.h, row.query, column);
    }
    row.scores[k] = dropout.apply(row.scores[k], words[column % 4]);
  }
}

void add_seen_values(const AttendProblem& p, const ScoreRow& row, float rescale) {
  const SeenKeys seen(p, row.b, row.h, row.query);
  float* const context = p.context.row(row.b, row.h, row.query);
  const std::size_t last = row.key + row.keys;
  for (std::size_t key = row.key, end; key < last; key = end) {
    const bool is_seen = seen.has(key);
    for (end = key + 1; end < last && seen.has(end) == is_seen;) ++end;
    const std::size_t keys = is_seen ? end - key : 0;
    kernels::add_values(context, p.context.width, rescale, row.scores + (key - row.key),
                        {p.value.row(row.b, p.key_head_of(row.h), key), keys, p.value.width,
                         p.value.row_stride});
    rescale = 1;
  }
}

Error attend_by(AttendPath path, const AttendProblem& problem, Buffer& scratch, const AttendStages& stages) {
  const std::uint64_t floats = path.scratch(problem);
  if (floats > SIZE_MAX / sizeof(float) || !scratch.resize(static_cast<std::size_t>(floats))) {
    return error(Rule::attend_memory, {floats});
  }
  for (std::size_t b = 0; b < problem.query.batch; ++b) {
    for (std::size_t g = 0; g < problem.key.heads; ++g) {
      path.run(problem, b, g, scratch.floats().data(), stages);
    }
  }
  return {};
}

Error attend_plainly(Heads<const float> query, Heads<const float> key, Heads<const float> value,
                     const AttendOptions& options, Heads<float> context, Buffer& scratch,
                     const AttendStages& stages) {
  const AttendProblem problem{query, key, value, options, context, scale_of(options, key.width)};
  return attend_by(kPlainPath, problem, scratch, stages);
}

std::uint64_t plain_scratch(const AttendProblem& p) {
  return std::uint64_t{std::min(kBlockRows, p.query.rows)} * p.key.rows;
}

void attend_plain(const AttendProblem& p, std::size_t b, std::size_t key_head, float* scratch,
                  const AttendStages& stages) {
  const AttendOptions& o = p.options;
  const std::size_t H = p.query.heads, T = p.query.rows, S = p.key.rows;
  for (std::size_t h = key_head * p.group(); h < (key_head + 1) * p.group(); ++h) {
    for (std::size_t row = 0; row < T; row += kBlockRows) {
      const std::size_t rows = std::min(kBlockRows, T - row), count = rows * S;
      float* now = nullptr;  // the last stage, [rows, S]
      // Computes the next stage where it is kept, [B, H, T, S], or else in scratch memory; one that
      // changes nothing is computed only to be kept.
      const auto stage = [&](float* kept, bool changes, auto&& compute) {
        if (kept == nullptr && !changes) return;
        float* const out = kept != nullptr ? kept + ((b * H + h) * T + row) * S : scratch;
        compute(out, now);
        now = out;
      };
      const auto copy = [&](float* out, const float* in) {
        if (out != in) std::copy_n(in, count, out);
      };
      const auto each_row = [&](float* out, auto&& step) {
        for (std::size_t r = 0; r < rows; ++r) step(ScoreRow{b, h, row + r, 0, S, out + r * S});
      };

      stage(stages.scores, true, [&](float* out, const float*) {
        kernels::matmul_nt({out, rows, S, S}, matrix(p.query, b, h, row, rows), matrix(p.key, b, key_head, 0, S));
      });
      stage(stages.scaled_scores, true, [&](float* out, const float* in) {
        kernels::scale(out, in, p.factor, count);
      });
      stage(stages.capped_scores, o.softcap > 0, [&](float* out, const float* in) {
        o.softcap > 0 ? kernels::softcap(out, in, o.softcap, count) : copy(out, in);
      });
      stage(stages.masked_scores, true, [&](float* out, const float* in) {
        copy(out, in);
        each_row(out, [&](const ScoreRow& r) { mask_scores(p, r); });
      });
      stage(stages.weights, true, [&](float* out, const float* in) {
        for (std::size_t r = 0; r < rows; ++r) {
          weigh_row(out + r * S, in + r * S, S, key_range(o, b, row + r, S), o.temperature);
        }
      });
      stage(stages.dropped_weights, o.dropout > 0, [&](float* out, const float* in) {
        copy(out, in);
        if (o.dropout > 0) each_row(out, [&](const ScoreRow& r) { drop_weights(p, r); });
      });

      // Keys that no query of the block sees have weight 0 and are skipped, which changes no bit.
      const KeyRange reach = reach_of(p, b, row, rows);
      const std::size_t keys = reach.end - reach.begin, d_v = p.context.width;
      if (keys > 0) {
        kernels::matmul_nn({p.context.row(b, h, row), rows, d_v, p.context.row_stride},
                           {now + reach.begin, rows, keys, S}, matrix(p.value, b, key_head, reach.begin, keys));
      }
      for (std::size_t r = 0; r < rows; ++r) {
        float* const context = p.context.row(b, h, row + r);
        if (keys == 0) std::fill_n(context, d_v, 0.0f);
        if (!kernels::is_finite(context, d_v)) add_seen_values(p, {b, h, row + r, 0, S, now + r * S}, 0);
      }
    }
  }
}

}  // namespace attention
