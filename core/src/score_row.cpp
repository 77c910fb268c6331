// What happens to one query's scores between scaling and softmax, and to its weights after.
#include <algorithm>
#include <array>
#include <limits>

#include "attend_paths.h"
#include "attention/generator.h"

namespace attention {

namespace {

constexpr float kMasked = -std::numeric_limits<float>::infinity();

}  // namespace

void mask_scores(const AttendProblem& p, const ScoreRow& row) {
  const KeyRange seen = key_range(p.options, row.b, row.query, p.key.rows);
  const std::size_t begin = std::clamp(seen.begin, row.key, row.key + row.keys) - row.key;
  const std::size_t end = std::clamp(seen.end, row.key, row.key + row.keys) - row.key;
  std::fill(row.scores, row.scores + std::min(begin, end), kMasked);
  std::fill(row.scores + end, row.scores + row.keys, kMasked);
  if (begin >= end) return;

  float* const scores = row.scores;
  if (!p.options.alibi_slopes.empty()) {
    const float slope = p.options.alibi_slopes[row.h];
    const std::int64_t place = place_of(p.options, row.b, row.query);
    for (std::size_t k = begin; k < end; ++k) {
      scores[k] += slope * static_cast<float>(static_cast<std::int64_t>(row.key + k) - place);
    }
  }
  const MaskTensor& mask = p.options.mask;
  if (const float* bias = mask_row(mask, mask.bias, row.b, row.h, row.query)) {
    kernels::add_bias(scores + begin, scores + begin, bias + row.key + begin, end - begin);
  }
  if (const std::uint8_t* allowed = mask_row(mask, mask.allowed, row.b, row.h, row.query)) {
    for (std::size_t k = begin; k < end; ++k) {
      if (allowed[row.key + k] == 0) scores[k] = kMasked;
    }
  }
}

void drop_weights(const AttendProblem& p, const ScoreRow& row) {
  const auto threshold = static_cast<std::uint32_t>(static_cast<double>(p.options.dropout) * 0x1p32);
  const float kept = 1 / (1 - p.options.dropout);
  const auto image = static_cast<std::uint32_t>(row.b * p.query.heads + row.h);
  std::array<std::uint32_t, 4> words{};
  for (std::size_t k = 0; k < row.keys; ++k) {
    const std::size_t column = row.key + k;
    if (k == 0 || column % 4 == 0) {
      words = philox({static_cast<std::uint32_t>(column / 4), static_cast<std::uint32_t>(row.query),
                      image, 0},
                     {p.options.dropout_seed, static_cast<std::uint32_t>(Matrix::dropout)});
    }
    row.scores[k] = words[column % 4] < threshold ? 0.0f : row.scores[k] * kept;
  }
}

}  // namespace attention
