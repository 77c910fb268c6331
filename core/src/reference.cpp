// Plain loops, in the order of the formulae; never optimised, always tested.
#include "attention/reference.h"

#include <cmath>
#include <limits>

#include "attention/stages.h"

namespace attention {

namespace {

using Doubles = std::vector<double>;
constexpr double kMasked = -std::numeric_limits<double>::infinity();

Doubles sinusoids(std::size_t T, std::size_t D) {
  Doubles P(T * D);
  for (std::size_t t = 0; t < T; ++t) {
    for (std::size_t c = 0; c < D; ++c) {
      const double exponent = static_cast<double>(c / 2 * 2) / static_cast<double>(D);
      const double angle = static_cast<double>(t) / std::pow(10000.0, exponent);
      P[t * D + c] = c % 2 == 0 ? std::sin(angle) : std::cos(angle);
    }
  }
  return P;
}

// x·W + b with x [rows, in], W [in, out], b [out].
Doubles linear(const Doubles& x, std::size_t rows, std::span<const float> W,
               std::span<const float> b) {
  const std::size_t in = x.size() / rows, out = b.size();
  Doubles y(rows * out);
  for (std::size_t r = 0; r < rows; ++r) {
    for (std::size_t c = 0; c < out; ++c) {
      double sum = 0;
      for (std::size_t i = 0; i < in; ++i) sum += x[r * in + i] * static_cast<double>(W[i * out + c]);
      y[r * out + c] = sum + static_cast<double>(b[c]);
    }
  }
  return y;
}

// [rows, H·width] -> [H, rows, width]
Doubles split_heads(const Doubles& x, std::size_t rows, std::size_t H) {
  const std::size_t width = x.size() / rows / H;
  Doubles out(x.size());
  for (std::size_t h = 0; h < H; ++h)
    for (std::size_t r = 0; r < rows; ++r)
      for (std::size_t i = 0; i < width; ++i)
        out[(h * rows + r) * width + i] = x[(r * H + h) * width + i];
  return out;
}

// [H, rows, width] -> [rows, H·width]
Doubles join_heads(const Doubles& x, std::size_t rows, std::size_t H) {
  const std::size_t width = x.size() / rows / H;
  Doubles out(x.size());
  for (std::size_t h = 0; h < H; ++h)
    for (std::size_t r = 0; r < rows; ++r)
      for (std::size_t i = 0; i < width; ++i)
        out[(r * H + h) * width + i] = x[(h * rows + r) * width + i];
  return out;
}

double factor_of(const Settings& settings, std::size_t d_k) {
  switch (settings.scale) {
    case Scale::sqrt_dk: return 1 / std::sqrt(static_cast<double>(d_k));
    case Scale::none: return 1;
    case Scale::factor: return static_cast<double>(settings.scale_factor);
  }
  return 1;
}

bool allowed(Mask mask, std::size_t query, std::size_t key) {
  return mask == Mask::none || key <= query;
}

Doubles softmax(const Doubles& x, std::size_t columns) {
  Doubles out(x.size(), 0.0);
  for (std::size_t row = 0; row < x.size(); row += columns) {
    double max = kMasked, sum = 0;
    for (std::size_t k = 0; k < columns; ++k) max = std::fmax(max, x[row + k]);
    if (max == kMasked) continue;  // a fully masked row is zeros
    for (std::size_t k = 0; k < columns; ++k) sum += out[row + k] = std::exp(x[row + k] - max);
    for (std::size_t k = 0; k < columns; ++k) out[row + k] /= sum;
  }
  return out;
}

}  // namespace

ReferenceTrace run_reference(const Settings& settings, const Shape& shape,
                             const Parameters& parameters, std::span<const float> content) {
  const auto [T, S, D, H, d_k, d_v] = shape;
  ReferenceTrace t;
  t.content.assign(content.begin(), content.end());
  t.position = settings.positions == Positions::sinusoidal ? sinusoids(T, D) : Doubles(T * D, 0.0);
  t.embeddings = t.content;
  for (std::size_t i = 0; i < T * D; ++i) t.embeddings[i] += t.position[i];

  t.query = split_heads(linear(t.embeddings, T, parameters.W_Q, parameters.b_Q), T, H);
  t.key = split_heads(linear(t.embeddings, S, parameters.W_K, parameters.b_K), S, H);
  t.value = split_heads(linear(t.embeddings, S, parameters.W_V, parameters.b_V), S, H);

  const double factor = factor_of(settings, d_k);
  t.scores.resize(H * T * S);
  t.scaled_scores.resize(H * T * S);
  t.masked_scores.resize(H * T * S);
  for (std::size_t h = 0; h < H; ++h) {
    for (std::size_t q = 0; q < T; ++q) {
      for (std::size_t k = 0; k < S; ++k) {
        double dot = 0;
        for (std::size_t d = 0; d < d_k; ++d) {
          dot += t.query[(h * T + q) * d_k + d] * t.key[(h * S + k) * d_k + d];
        }
        const std::size_t cell = (h * T + q) * S + k;
        t.scores[cell] = dot;
        t.scaled_scores[cell] = dot * factor;
        t.masked_scores[cell] = allowed(settings.mask, q, k) ? dot * factor : kMasked;
      }
    }
  }
  t.weights = softmax(t.masked_scores, S);

  t.context.assign(H * T * d_v, 0.0);
  for (std::size_t h = 0; h < H; ++h)
    for (std::size_t q = 0; q < T; ++q)
      for (std::size_t k = 0; k < S; ++k)
        for (std::size_t d = 0; d < d_v; ++d)
          t.context[(h * T + q) * d_v + d] +=
              t.weights[(h * T + q) * S + k] * t.value[(h * S + k) * d_v + d];

  t.concat = join_heads(t.context, T, H);
  t.output = linear(t.concat, T, parameters.W_O, parameters.b_O);
  t.residual = t.embeddings;
  for (std::size_t i = 0; i < T * D; ++i) t.residual[i] += t.output[i];
  return t;
}

const Doubles* ReferenceTrace::stage(std::string_view id) const {
  struct Row {
    std::string_view id;
    const Doubles ReferenceTrace::* stage;
  };
  using R = ReferenceTrace;
  static constexpr std::array kRows = std::to_array<Row>({
      {"content", &R::content},       {"position", &R::position},
      {"embeddings", &R::embeddings}, {"query", &R::query},
      {"key", &R::key},               {"value", &R::value},
      {"scores", &R::scores},         {"scaled_scores", &R::scaled_scores},
      {"masked_scores", &R::masked_scores}, {"weights", &R::weights},
      {"context", &R::context},       {"concat", &R::concat},
      {"output", &R::output},         {"residual", &R::residual},
  });
  for (const Row& row : kRows) {
    if (row.id == id) return &(this->*row.stage);
  }
  return nullptr;
}

}  // namespace attention
