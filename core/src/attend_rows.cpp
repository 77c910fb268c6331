// One query at a time: nothing is packed, since each key is read only once. The bits are the same as with panels.
#include <algorithm>

#include "attend_paths.h"

namespace attention {

namespace {

using AddValues = void (*)(const AttendProblem&, const ScoreRow&, float rescale);

// Masked keys have weight 0, which leaves sums as they are while values are finite.
void add_all_values(const AttendProblem& p, const ScoreRow& row, float rescale) {
  kernels::add_values(p.context.row(row.b, row.h, row.query), p.context.width, rescale, row.scores,
                      {p.value.row(row.b, p.key_head_of(row.h), row.key), row.keys, p.value.width,
                       p.value.row_stride});
}

void attend_row(const AttendProblem& p, std::size_t b, std::size_t h, std::size_t query, float* scores,
                AddValues add_values) {
  const KeyRange seen = key_range(p.options, b, query, p.key.rows);
  float* const context = p.context.row(b, h, query);
  std::fill_n(context, p.context.width, 0.0f);

  float max = kMinusInfinity, sum = 0;
  for (std::size_t key = seen.begin, end; key < seen.end; key = end) {
    end = std::min((key / kKeyBlock + 1) * kKeyBlock, seen.end);
    const ScoreRow row{b, h, query, key, end - key, scores};
    kernels::matmul_nt({scores, 1, row.keys, row.keys},
                       {p.query.row(b, h, query), 1, p.query.width, p.query.width},
                       {p.key.row(b, p.key_head_of(h), key), row.keys, p.key.width, p.key.row_stride});
    kernels::scale(scores, scores, p.factor, row.keys);
    if (p.options.softcap > 0) kernels::softcap(scores, scores, p.options.softcap, row.keys);
    mask_scores(p, row);
    if (p.options.temperature != 1) kernels::divide(scores, scores, p.options.temperature, row.keys);

    const float rescale = kernels::running_softmax(scores, row.keys, max, sum);
    if (p.options.dropout > 0) drop_weights(p, row);
    add_values(p, row, rescale);
  }
  if (sum != 0) kernels::divide(context, context, sum, p.context.width);
}

}  // namespace

std::uint64_t rows_scratch(const AttendProblem&) { return kKeyBlock; }

void attend_rows(const AttendProblem& p, std::size_t b, std::size_t key_head, float* scores,
                 const AttendStages&) {
  for (std::size_t r = 0; r < p.rows(); ++r) {
    const std::size_t h = p.head_of(key_head, r), query = p.query_of(r);
    attend_row(p, b, h, query, scores, add_all_values);
    if (!kernels::is_finite(p.context.row(b, h, query), p.context.width)) attend_row_again(p, b, h, query, scores);
  }
}

void attend_row_again(const AttendProblem& p, std::size_t b, std::size_t h, std::size_t query,
                      float* scores) {
  attend_row(p, b, h, query, scores, add_seen_values);
}

}  // namespace attention
