// The learned matrices of one attention layer, here drawn at random from a seed.
#pragma once

#include <cstdint>
#include <span>

#include "attention/buffer.h"
#include "attention/error.h"
#include "attention/settings.h"

namespace attention {

// y = x·W + b. Matrices are [d_model, d_model], row = input, column = output, row-major; head h owns
// columns h·d_k … (h+1)·d_k - 1 of W_Q, W_K, W_V and the same rows of W_O. Biases are [d_model].
struct Parameters {
  std::span<const float> W_Q, W_K, W_V, W_O;
  std::span<const float> b_Q, b_K, b_V, b_O;  // zeros when Settings::biases is off
};

// Owns the memory behind Parameters. Entries are N(0, 1/d_model), so that with embeddings ~ N(0, 1)
// a query and a key have unit variance in each dimension and raw scores a variance of about d_k.
// Independent of num_heads: splitting into more heads only slices the same matrices finer.
class RandomParameters {
 public:
  // Draws anew only when seed, d_model or biases differ from the last call.
  Error draw(const Settings& settings);
  const Parameters& view() const { return view_; }

 private:
  Buffer memory_;
  Parameters view_;
  std::uint32_t seed_ = 0;
  int d_model_ = 0;
  bool biases_ = false;
};

}  // namespace attention
