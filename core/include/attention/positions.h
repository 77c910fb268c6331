// Positions that are added to rows: a table with one row a position, learned or sinusoidal.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "attention/error.h"
#include "attention/heads.h"

namespace attention {

// out[t, 2i] = sin(t / 10000^(2i/width)), out[t, 2i+1] = cos(t / 10000^(2i/width)) for t < rows,
// columns < width; Vaswani et al. 2017, section 3.5. An odd width ends with a sine. Computed in
// double without libm, rounded once.
void fill_sinusoids(float* out, std::size_t rows, std::size_t width);

// out[b, r] = x[b, r] + table[p], p the row's position: positions[b, r], or first + r when those
// are empty (x the tokens after the first `first`).
//   x, out     [B, T, width]; out may be x's own memory
//   table      [table_rows, width]
//   positions  [B, T], or empty
// An empty x, a table that is no number of rows and a position outside it are refused, and nothing
// is written.
Error add_positions(const Rows& x, std::span<const float> table,
                    std::span<const std::int64_t> positions, std::size_t first, float* out);

}  // namespace attention
