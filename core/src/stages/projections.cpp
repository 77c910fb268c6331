#include "../kernels.h"
#include "attention/stages.h"

namespace attention {

namespace {

// out[head] = X · W[:, columns of head] + b[columns of head], [H, rows, width].
void project_heads(std::span<float> out, const Trace& t, std::size_t rows, std::size_t width,
                   std::span<const float> W, std::span<const float> b) {
  const std::size_t D = t.shape.D;
  const kernels::ConstMatrix X{t.embeddings.data(), rows, D, D};
  for (std::size_t h = 0; h < t.shape.H; ++h) {
    float* head = out.data() + h * rows * width;
    kernels::matmul_nn({head, rows, width, width}, X, {W.data() + h * width, D, width, D});
    for (std::size_t row = 0; row < rows; ++row) {
      kernels::add(head + row * width, head + row * width, b.data() + h * width, width);
    }
  }
}

}  // namespace

void compute_query(const Inputs& in, Trace& t) {
  project_heads(t.query, t, t.shape.T, t.shape.d_k, in.parameters.W_Q, in.parameters.b_Q);
}

void compute_key(const Inputs& in, Trace& t) {
  project_heads(t.key, t, t.shape.S, t.shape.d_k, in.parameters.W_K, in.parameters.b_K);
}

void compute_value(const Inputs& in, Trace& t) {
  project_heads(t.value, t, t.shape.S, t.shape.d_v, in.parameters.W_V, in.parameters.b_V);
}

}  // namespace attention
