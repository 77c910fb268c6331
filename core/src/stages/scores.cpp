#include "../kernels.h"
#include "attention/stages.h"

namespace attention {

void compute_scores(const Inputs&, Trace& t) {
  const auto [T, S, D, H, H_kv, d_k, d_v, r] = t.shape;
  for (std::size_t h = 0; h < H; ++h) {
    kernels::matmul_nt({t.scores.data() + h * T * S, T, S, S},
                       {t.turned_query().data() + h * T * d_k, T, d_k, d_k},
                       {t.turned_key().data() + t.shape.key_head(h) * S * d_k, S, d_k, d_k});
  }
}

}  // namespace attention
