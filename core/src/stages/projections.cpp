#include "../given.h"
#include "../kernels.h"
#include "attention/stages.h"

namespace attention {

namespace {

struct Projection {
  std::span<float> out;        // [heads, rows, width]
  std::span<const float> X;    // [rows, in]
  std::span<const float> W;    // [in, heads·width]
  std::span<const float> b;    // [heads·width]
  std::size_t rows, heads, width;
};

// out[head] = X · W[:, columns of head] + b[columns of head].
void project_heads(const Projection& p) {
  const std::size_t in = p.X.size() / p.rows, columns = p.heads * p.width;
  for (std::size_t h = 0; h < p.heads; ++h) {
    float* head = p.out.data() + h * p.rows * p.width;
    kernels::matmul_nn({head, p.rows, p.width, p.width}, {p.X.data(), p.rows, in, in},
                       {p.W.data() + h * p.width, in, p.width, columns});
    for (std::size_t row = 0; row < p.rows; ++row) {
      kernels::add(head + row * p.width, head + row * p.width, p.b.data() + h * p.width, p.width);
    }
  }
}

}  // namespace

void compute_query(const Inputs& in, Trace& t) {
  if (copy_given(in.request, "query", t.query)) return;
  const Parameters& p = in.parameters;
  project_heads({t.query, t.embeddings, p.W_Q, p.b_Q, t.shape.T, t.shape.H, t.shape.d_k});
}

void compute_key(const Inputs& in, Trace& t) {
  if (copy_given(in.request, "key", t.key)) return;
  const Parameters& p = in.parameters;
  project_heads({t.key, t.key_source(), p.W_K, p.b_K, t.shape.S, t.shape.H_kv, t.shape.d_k});
}

void compute_value_down(const Inputs& in, Trace& t) {
  const std::size_t S = t.shape.S, D = t.shape.D, r = t.shape.r;
  kernels::matmul_nn({t.value_down.data(), S, r, r}, {t.key_source().data(), S, D, D},
                     {in.parameters.W_V_down.data(), D, r, r});
}

void compute_value(const Inputs& in, Trace& t) {
  if (copy_given(in.request, "value", t.value)) return;
  const Parameters& p = in.parameters;
  const bool is_full = t.shape.r == 0;
  project_heads({t.value, is_full ? t.key_source() : std::span<const float>(t.value_down),
                 is_full ? p.W_V : p.W_V_up, p.b_V, t.shape.S, t.shape.H_kv, t.shape.d_v});
}

}  // namespace attention
