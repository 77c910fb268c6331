// Products of matrices as gradients need them: either operand read transposed, sums that go on from what is
// there, and tiles that are known to be zero left out.
#pragma once

#include <cstddef>

#include "attention/heads.h"
#include "kernels.h"
#include "tile.h"

namespace attention::kernels {

// Which operand is read transposed: out = a·b, a·b^T or a^T·b.
enum class Turned { none, right, left };

// Whether the sums begin at 0 or at what `out` holds.
enum class Sums { begin, go_on };

// For each tile of kTileRows rows of `out`, the columns that are wanted and the terms that are not zero;
// null = all. What is not wanted is left as it was.
struct Limits {
  const KeyRange* columns = nullptr;
  const KeyRange* depth = nullptr;
};

constexpr std::size_t tiles_of(std::size_t rows) { return (rows + kTileRows - 1) / kTileRows; }

// out[m, n] (+)= sum over k of a[m, k] · b[k, n], with a or b turned. Each sum adds its terms in the order of
// k, whatever the tile. out must not overlap a or b.
void product(Matrix out, ConstMatrix a, ConstMatrix b, Turned turned, Sums sums, const Limits& limits = {});

}  // namespace attention::kernels
