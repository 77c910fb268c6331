#include "../kernels.h"
#include "attention/stages.h"

namespace attention {

void compute_capped_scores(const Inputs& in, Trace& t) {
  kernels::softcap(t.capped_scores.data(), t.scaled_scores.data(), in.settings.softcap,
                   t.capped_scores.size());
}

}  // namespace attention
