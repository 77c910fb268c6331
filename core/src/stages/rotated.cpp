#include <algorithm>

#include "attention/stages.h"

namespace attention {

namespace {

// Rows [heads, rows, width]: pair i of row r is turned by its place's angle, (x, y) becoming
// (x cos - y sin, y cos + x sin). An odd number at the end stays as it is.
void turn(const Parameters& p, std::span<const float> in, std::span<float> out, std::size_t rows,
          std::size_t width) {
  const std::size_t half = width / 2;
  std::copy(in.begin(), in.end(), out.begin());
  for (std::size_t row = 0; row < in.size() / width; ++row) {
    const float* cos = p.cos.data() + row % rows * half;
    const float* sin = p.sin.data() + row % rows * half;
    float* pair = out.data() + row * width;
    for (std::size_t i = 0; i < half; ++i, pair += 2) {
      const float x = pair[0], y = pair[1];
      pair[0] = x * cos[i] - y * sin[i];
      pair[1] = y * cos[i] + x * sin[i];
    }
  }
}

}  // namespace

void compute_rotated_query(const Inputs& in, Trace& t) {
  turn(in.parameters, t.query, t.rotated_query, t.shape.T, t.shape.d_k);
}

void compute_rotated_key(const Inputs& in, Trace& t) {
  turn(in.parameters, t.key, t.rotated_key, t.shape.S, t.shape.d_k);
}

}  // namespace attention
