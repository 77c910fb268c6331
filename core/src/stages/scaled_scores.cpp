#include "../kernels.h"
#include "attention/stages.h"

namespace attention {

void compute_scaled_scores(const Inputs&, Trace& t) {
  kernels::scale(t.scaled_scores.data(), t.scores.data(), t.factor, t.scores.size());
}

}  // namespace attention
