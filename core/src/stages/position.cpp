#include <algorithm>

#include "attention/stages.h"

namespace attention {

void compute_position(const Inputs& in, Trace& t) {
  std::copy_n(in.parameters.P.begin(), t.position.size(), t.position.begin());
}

void compute_key_position(const Inputs& in, Trace& t) {
  std::copy_n(in.parameters.P.begin(), t.key_position.size(), t.key_position.begin());
}

}  // namespace attention
