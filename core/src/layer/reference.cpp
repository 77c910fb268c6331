// Plain loops, in the order of the formulae; never optimised.
#include "attention/layer/reference.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "attention/generator.h"
#include "attention/layer/trace.h"

namespace attention {

namespace {

using Numbers = std::vector<double>;
constexpr double kMasked = -std::numeric_limits<double>::infinity();

Numbers doubles(std::span<const float> floats) { return {floats.begin(), floats.end()}; }

// position · 10000^(-2·pair / width)
double angle(std::size_t position, std::size_t pair, std::size_t width) {
  const double exponent = 2 * static_cast<double>(pair) / static_cast<double>(width);
  return static_cast<double>(position) / std::pow(10000.0, exponent);
}

Numbers positions_of(const Session& session, std::size_t rows) {
  const Settings& s = session.settings();
  const std::size_t D = session.trace().shape.D;
  Numbers P = doubles(session.parameters().P.first(rows * D));
  if (s.positions != Positions::sinusoidal || session.request().find_given("P") != nullptr) return P;
  for (std::size_t t = 0; t < rows; ++t) {
    for (std::size_t c = 0; c < D; ++c) {
      const double a = angle(t, c / 2, D);
      P[t * D + c] = c % 2 == 0 ? std::sin(a) : std::cos(a);
    }
  }
  for (const Edit& edit : session.request().edits) {
    const auto row = static_cast<std::size_t>(edit.row), column = static_cast<std::size_t>(edit.column);
    if (edit.array == "P" && row < rows && column < D) P[row * D + column] = edit.value;
  }
  return P;
}

Numbers sum_of(const Numbers& a, const Numbers& b) {
  Numbers out(a.size());
  for (std::size_t i = 0; i < a.size(); ++i) out[i] = a[i] + b[i];
  return out;
}

// x·W + b with x [rows, in], W [in, out], b [out] or empty.
Numbers linear(const Numbers& x, std::size_t rows, std::span<const float> W, std::span<const float> b) {
  const std::size_t in = x.size() / rows, out = W.size() / in;
  Numbers y(rows * out);
  for (std::size_t r = 0; r < rows; ++r) {
    for (std::size_t c = 0; c < out; ++c) {
      double sum = 0;
      for (std::size_t i = 0; i < in; ++i) sum += x[r * in + i] * static_cast<double>(W[i * out + c]);
      y[r * out + c] = sum + (b.empty() ? 0.0 : static_cast<double>(b[c]));
    }
  }
  return y;
}

// [rows, H·width] -> [H, rows, width]
Numbers split_heads(const Numbers& x, std::size_t rows, std::size_t H) {
  const std::size_t width = x.size() / rows / H;
  Numbers out(x.size());
  for (std::size_t h = 0; h < H; ++h)
    for (std::size_t r = 0; r < rows; ++r)
      for (std::size_t i = 0; i < width; ++i)
        out[(h * rows + r) * width + i] = x[(r * H + h) * width + i];
  return out;
}

// [H, rows, width] -> [rows, H·width]
Numbers join_heads(const Numbers& x, std::size_t rows, std::size_t H) {
  const std::size_t width = x.size() / rows / H;
  Numbers out(x.size());
  for (std::size_t h = 0; h < H; ++h)
    for (std::size_t r = 0; r < rows; ++r)
      for (std::size_t i = 0; i < width; ++i)
        out[(r * H + h) * width + i] = x[(h * rows + r) * width + i];
  return out;
}

// Pairs (2i, 2i + 1) of rows [heads, rows, width], each turned by its place's angle.
// Cosines and sines by their own formula, unless they were given.
Numbers rotated(const Request& request, const Numbers& x, std::size_t rows, std::size_t width) {
  Numbers out = x;
  const std::size_t half = width / 2;
  const float *const cosines = request.find_given("cos"), *const sines = request.find_given("sin");
  for (std::size_t row = 0; row < x.size() / width; ++row) {
    for (std::size_t pair = 0; pair < half; ++pair) {
      const double a = angle(row % rows, pair, 2 * half);
      const std::size_t i = row * width + 2 * pair, at = row % rows * half + pair;
      const double c = cosines != nullptr ? static_cast<double>(cosines[at]) : std::cos(a);
      const double s = sines != nullptr ? static_cast<double>(sines[at]) : std::sin(a);
      out[i] = x[i] * c - x[i + 1] * s;
      out[i + 1] = x[i + 1] * c + x[i] * s;
    }
  }
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

// Press et al. 2021: 2^(-8(h + 1)/n) for n heads, n the power of two at or below H; heads beyond take
// every other slope of 2n.
double alibi_slope(std::size_t h, std::size_t H) {
  std::size_t n = 1;
  while (2 * n <= H) n *= 2;
  const double nth = static_cast<double>(n);
  if (h < n) return std::pow(2.0, -8.0 * static_cast<double>(h + 1) / nth);
  return std::pow(2.0, -4.0 * static_cast<double>(2 * (h - n) + 1) / nth);
}

bool is_seen(const Settings& s, std::size_t query, std::size_t key) {
  const auto distance = static_cast<std::ptrdiff_t>(key) - static_cast<std::ptrdiff_t>(query);
  switch (s.mask) {
    case Mask::none: return true;
    case Mask::causal: return distance <= 0;
    case Mask::window: return distance >= -s.window_left && distance <= s.window_right;
    case Mask::prefix: return distance <= 0 || static_cast<int>(key) < s.prefix_length;
  }
  return true;
}

bool allowed(const Session& session, std::size_t query, std::size_t key) {
  bool is_allowed = is_seen(session.settings(), query, key);
  for (const MaskEdit& edit : session.request().mask_edits) {
    if (edit.query == static_cast<int>(query) && edit.key == static_cast<int>(key)) is_allowed = !is_allowed;
  }
  return is_allowed;
}

Numbers softmax(const Numbers& x, std::size_t columns, double temperature) {
  Numbers out(x.size(), 0.0);
  for (std::size_t row = 0; row < x.size(); row += columns) {
    double max = kMasked, sum = 0;
    for (std::size_t k = 0; k < columns; ++k) max = std::fmax(max, x[row + k]);
    if (max == kMasked) continue;  // a fully masked row is zeros
    for (std::size_t k = 0; k < columns; ++k) {
      const double from_max = x[row + k] - max;
      const double power = temperature == 0 ? (from_max == 0 ? 1.0 : 0.0) : std::exp(from_max / temperature);
      sum += out[row + k] = power;
    }
    for (std::size_t k = 0; k < columns; ++k) out[row + k] /= sum;
  }
  return out;
}

Numbers dropped(const Numbers& weights, const Settings& s, const Shape& shape) {
  if (s.dropout == 0) return {};
  Numbers out(weights.size());
  for (std::size_t i = 0; i < out.size(); ++i) {
    const auto key = static_cast<std::uint32_t>(i % shape.S);
    const auto query = static_cast<std::uint32_t>(i / shape.S % shape.T);
    const auto head = static_cast<std::uint32_t>(i / shape.S / shape.T);
    const auto words = philox({key / 4, query, head, 0},
                              {s.dropout_seed, static_cast<std::uint32_t>(Drawn::dropout)});
    const bool is_kept = words[key % 4] >= std::floor(static_cast<double>(s.dropout) * 0x1p32);
    out[i] = is_kept ? weights[i] / (1 - static_cast<double>(s.dropout)) : 0.0;
  }
  return out;
}

}  // namespace

ReferenceTrace run_reference(const Session& session) {
  const Settings& s = session.settings();
  const Parameters& p = session.parameters();
  const Request& request = session.request();
  const Trace& run = session.trace();
  const auto [T, S, D, H, H_kv, d_k, d_v, r] = run.shape;
  const bool is_cross = request.is_cross();
  const std::size_t group = H / H_kv;

  ReferenceTrace t;
  t.content = doubles(run.content);
  t.position = positions_of(session, T);
  t.embeddings = sum_of(t.content, t.position);
  if (is_cross) {
    t.key_content = doubles(run.key_content);
    t.key_position = positions_of(session, S);
    t.key_embeddings = sum_of(t.key_content, t.key_position);
  }
  const Numbers& sources = is_cross ? t.key_embeddings : t.embeddings;

  // RMSNorm of each head's rows, gains and epsilon as given.
  const auto normed = [&, width = d_k](std::string_view norm_id, std::string_view id, Numbers x) {
    const float* const norm = request.find_given(norm_id);
    if (norm == nullptr || request.find_given(id) != nullptr) return x;
    for (std::size_t row = 0; row < x.size(); row += width) {
      double squares = 0;
      for (std::size_t i = 0; i < width; ++i) squares += x[row + i] * x[row + i];
      const double size = std::sqrt(squares / static_cast<double>(width) + std::fmax(0, static_cast<double>(norm[width])));
      for (std::size_t i = 0; i < width; ++i) x[row + i] = x[row + i] / size * static_cast<double>(norm[i]);
    }
    return x;
  };
  const auto given_or = [&](std::string_view id, const Numbers& x, std::span<const float> W,
                            std::span<const float> b, std::size_t rows, std::size_t heads) {
    if (const float* given = request.find_given(id)) {
      const std::size_t columns = W.size() / (x.size() / rows);
      return doubles({given, rows * columns});
    }
    return split_heads(linear(x, rows, W, b), rows, heads);
  };
  t.query = normed("query_norm", "query", given_or("query", t.embeddings, p.W_Q, p.b_Q, T, H));
  t.key = normed("key_norm", "key", given_or("key", sources, p.W_K, p.b_K, S, H_kv));
  if (r > 0) t.value_down = linear(sources, S, p.W_V_down, {});
  t.value = given_or("value", r > 0 ? t.value_down : sources, r > 0 ? p.W_V_up : p.W_V, p.b_V, S, H_kv);

  const bool is_rotary = s.positions == Positions::rope;
  if (is_rotary) {
    t.rotated_query = rotated(request, t.query, T, d_k);
    t.rotated_key = rotated(request, t.key, S, d_k);
  }
  const Numbers& query = is_rotary ? t.rotated_query : t.query;
  const Numbers& key = is_rotary ? t.rotated_key : t.key;

  const double factor = factor_of(s, d_k), cap = static_cast<double>(s.softcap);
  for (std::size_t h = 0; h < H; ++h) {
    for (std::size_t q = 0; q < T; ++q) {
      for (std::size_t k = 0; k < S; ++k) {
        double dot = 0;
        for (std::size_t d = 0; d < d_k; ++d) {
          dot += query[(h * T + q) * d_k + d] * key[(h / group * S + k) * d_k + d];
        }
        double score = dot * factor;
        t.scores.push_back(dot);
        t.scaled_scores.push_back(score);
        if (cap > 0) t.capped_scores.push_back(score = cap * std::tanh(score / cap));
        if (s.positions == Positions::alibi) {
          score -= alibi_slope(h, H) * static_cast<double>(k > q ? k - q : q - k);
        }
        t.masked_scores.push_back(allowed(session, q, k) ? score : kMasked);
      }
    }
  }
  t.weights = softmax(t.masked_scores, S, static_cast<double>(s.temperature));
  t.dropped_weights = dropped(t.weights, s, run.shape);
  const Numbers& weights = s.dropout > 0 ? t.dropped_weights : t.weights;

  t.context.assign(H * T * d_v, 0.0);
  for (std::size_t h = 0; h < H; ++h)
    for (std::size_t q = 0; q < T; ++q)
      for (std::size_t k = 0; k < S; ++k)
        for (std::size_t d = 0; d < d_v && allowed(session, q, k); ++d)
          t.context[(h * T + q) * d_v + d] +=
              weights[(h * T + q) * S + k] * t.value[(h / group * S + k) * d_v + d];

  t.concat = join_heads(t.context, T, H);
  t.output = s.out_proj ? linear(t.concat, T, p.W_O, p.b_O) : t.concat;
  if (s.residual) t.residual = sum_of(t.embeddings, t.output);
  return t;
}

const Numbers* ReferenceTrace::stage(std::string_view id) const {
  struct Row {
    std::string_view id;
    const Numbers ReferenceTrace::* stage;
  };
  using R = ReferenceTrace;
  static constexpr std::array kRows = std::to_array<Row>({
      {"content", &R::content},
      {"position", &R::position},
      {"embeddings", &R::embeddings},
      {"key_content", &R::key_content},
      {"key_position", &R::key_position},
      {"key_embeddings", &R::key_embeddings},
      {"query", &R::query},
      {"key", &R::key},
      {"rotated_query", &R::rotated_query},
      {"rotated_key", &R::rotated_key},
      {"value_down", &R::value_down},
      {"value", &R::value},
      {"scores", &R::scores},
      {"scaled_scores", &R::scaled_scores},
      {"capped_scores", &R::capped_scores},
      {"masked_scores", &R::masked_scores},
      {"weights", &R::weights},
      {"dropped_weights", &R::dropped_weights},
      {"context", &R::context},
      {"concat", &R::concat},
      {"output", &R::output},
      {"residual", &R::residual},
  });
  for (const Row& row : kRows) {
    if (row.id == id) return &(this->*row.stage);
  }
  return nullptr;
}

}  // namespace attention
