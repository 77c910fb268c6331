#include "attention/generator.h"
#include "attention/stages.h"

namespace attention {

void compute_content(const Inputs& in, Trace& t) {
  const std::size_t D = t.shape.D;
  for (std::size_t token = 0; token < t.shape.T; ++token) {
    fill_normal(t.content.subspan(token * D, D), in.settings.seed, Matrix::content, 0,
                hash(t.tokens[token]));
  }
}

}  // namespace attention
