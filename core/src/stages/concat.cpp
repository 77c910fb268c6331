#include <algorithm>

#include "attention/stages.h"

namespace attention {

void compute_concat(const Inputs&, Trace& t) {
  const auto [T, S, D, H, H_kv, d_k, d_v, r] = t.shape;
  for (std::size_t h = 0; h < H; ++h) {
    for (std::size_t q = 0; q < T; ++q) {
      std::copy_n(t.context.data() + (h * T + q) * d_v, d_v,
                  t.concat.data() + (q * H + h) * d_v);
    }
  }
}

}  // namespace attention
