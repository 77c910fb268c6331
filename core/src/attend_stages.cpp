// The path that shows its work: rows of scores over all keys, stage by stage.
#include <algorithm>

#include "attend_paths.h"

namespace attention {

namespace {

constexpr std::size_t kBlockRows = 64;

kernels::ConstMatrix matrix(Heads<const float> t, std::size_t b, std::size_t h, std::size_t row,
                            std::size_t rows) {
  return {t.row(b, h, row), rows, t.width, t.row_stride};
}

}  // namespace

std::uint64_t stages_scratch(const AttendProblem& p) {
  return std::uint64_t{std::min(kBlockRows, p.query.rows)} * p.key.rows;
}

void attend_stages(const AttendProblem& p, std::size_t b, std::size_t key_head, float* scores,
                   const AttendStages& stages) {
  const std::size_t H = p.query.heads, T = p.query.rows, S = p.key.rows;
  for (std::size_t h = key_head * p.group(); h < (key_head + 1) * p.group(); ++h) {
    for (std::size_t row = 0; row < T; row += kBlockRows) {
      const std::size_t rows = std::min(kBlockRows, T - row), count = rows * S;
      const auto keep = [&](float* stage) {  // [B, H, T, S]
        if (stage != nullptr) std::copy_n(scores, count, stage + ((b * H + h) * T + row) * S);
      };
      const auto each_row = [&](auto&& step) {
        for (std::size_t r = 0; r < rows; ++r) step(ScoreRow{b, h, row + r, 0, S, scores + r * S});
      };

      kernels::matmul_nt({scores, rows, S, S}, matrix(p.query, b, h, row, rows),
                         matrix(p.key, b, key_head, 0, S));
      keep(stages.scores);

      kernels::scale(scores, scores, p.factor, count);
      keep(stages.scaled_scores);

      if (p.options.softcap > 0) kernels::softcap(scores, scores, p.options.softcap, count);
      keep(stages.capped_scores);

      each_row([&](const ScoreRow& r) { mask_scores(p, r); });
      keep(stages.masked_scores);

      each_row([](const ScoreRow& r) { kernels::softmax_row(r.scores, r.scores, r.keys); });
      keep(stages.weights);

      if (p.options.dropout > 0) each_row([&](const ScoreRow& r) { drop_weights(p, r); });
      keep(stages.dropped_weights);

      kernels::matmul_nn({p.context.row(b, h, row), rows, p.context.width, p.context.row_stride},
                         {scores, rows, S, S}, matrix(p.value, b, key_head, 0, S));
    }
  }
}

}  // namespace attention
