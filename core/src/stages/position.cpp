#include "../position_table.h"
#include "attention/stages.h"

namespace attention {

void compute_position(const Inputs& in, Trace& t) {
  fill_positions(in.settings.positions)(t.position.data(), t.shape.T, t.shape.D);
}

}  // namespace attention
