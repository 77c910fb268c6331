#include <algorithm>

#include "../kernels.h"
#include "../mask_rule.h"
#include "attention/stages.h"

namespace attention {

namespace {

constexpr std::size_t kBlockRows = 64;

// What any query of a block may look at.
Keys reach_of(const MaskRule& mask, std::size_t first, std::size_t last) {
  Keys all{SIZE_MAX, 0};
  for (std::size_t q = first; q < last; ++q) {
    const Keys reach = mask.reach(q);
    if (reach.begin < reach.end) all = {std::min(all.begin, reach.begin), std::max(all.end, reach.end)};
  }
  return all.end == 0 ? Keys{} : all;
}

}  // namespace

// Keys outside the block's reach have weight 0 and are left out, which changes no bit.
void compute_context(const Inputs& in, Trace& t) {
  const auto [T, S, D, H, H_kv, d_k, d_v, r] = t.shape;
  for (std::size_t q = 0; q < T; q += kBlockRows) {
    const std::size_t rows = std::min(kBlockRows, T - q);
    const Keys keys = reach_of(in.mask, q, q + rows);
    const std::size_t count = keys.end - keys.begin;
    for (std::size_t h = 0; h < H; ++h) {
      if (count == 0) {
        std::fill_n(t.context.data() + (h * T + q) * d_v, rows * d_v, 0.0f);
        continue;
      }
      kernels::matmul_nn({t.context.data() + (h * T + q) * d_v, rows, d_v, d_v},
                         {t.used_weights().data() + (h * T + q) * S + keys.begin, rows, count, S},
                         {t.value.data() + (t.shape.key_head(h) * S + keys.begin) * d_v, count, d_v, d_v});
    }
  }
}

}  // namespace attention
