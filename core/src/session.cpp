#include "attention/session.h"

#include <cmath>

#include "attention/stages.h"
#include "kernels.h"
#include "mask_table.h"

namespace attention {

namespace {

// With a comma between thousands, as the page writes counts.
std::string text(std::size_t number) {
  std::string digits = std::to_string(number);
  for (std::size_t i = digits.size(); i > 3; i -= 3) digits.insert(i - 3, 1, ',');
  return digits;
}

Error check_tokens(std::size_t count) {
  if (count == 0) return {ErrorCode::no_tokens, "There is no token to attend to. Type a word."};
  const std::size_t most = static_cast<std::size_t>(kLimits.max_tokens);
  if (count <= most) return {};
  return {ErrorCode::too_many_tokens, "The text has " + text(count) + " tokens; the limit is " +
                                          text(most) + ". Shorten the text."};
}

Shape shape_of(std::size_t tokens, const Settings& s) {
  Shape shape;
  shape.T = shape.S = tokens;
  shape.D = static_cast<std::size_t>(s.d_model);
  shape.H = static_cast<std::size_t>(s.num_heads);
  shape.d_k = shape.d_v = shape.D / shape.H;
  return shape;
}

float factor_of(const Settings& s, const Shape& shape) {
  switch (s.scale) {
    case Scale::sqrt_dk: return 1.0f / std::sqrt(static_cast<float>(shape.d_k));
    case Scale::none: return 1.0f;
    case Scale::factor: return s.scale_factor;
  }
  return 1.0f;
}

}  // namespace

Error Session::run(std::span<const std::string> tokens, const Settings& settings) {
  trace_.clear();
  settings_ = settings;
  if (Error error = validate(settings)) return error;
  if (Error error = check_tokens(tokens.size())) return error;
  const Shape shape = shape_of(tokens.size(), settings);
  if (Error error = trace_.allocate(shape)) return error;
  if (Error error = parameters_.draw(settings)) {
    trace_.clear();
    return error;
  }
  trace_.tokens.assign(tokens.begin(), tokens.end());
  trace_.factor = factor_of(settings, shape);
  const Inputs inputs{settings_, parameters_.view()};
  for (const Stage& stage : stages()) {
    if (stage.compute != nullptr) stage.compute(inputs, trace_);
  }
  return {};
}

Error Session::check_index(int head, int query, int key) const {
  const Shape& s = trace_.shape;
  const auto inside = [](int index, std::size_t count) {
    return index >= 0 && static_cast<std::size_t>(index) < count;
  };
  if (inside(head, s.H) && inside(query, s.T) && inside(key, s.S)) return {};
  return {ErrorCode::index_out_of_range, "The last run has " + text(s.H) + " heads, " + text(s.T) +
                                             " queries and " + text(s.S) +
                                             " keys, counted from 0. Choose a cell inside."};
}

Error Session::cell(int head, int query, int key, CellArithmetic& out) const {
  if (Error error = check_index(head, query, key)) return error;
  const Trace& t = trace_;
  const auto [T, S, D, H, d_k, d_v] = t.shape;
  const std::size_t h = static_cast<std::size_t>(head);
  const std::size_t q = static_cast<std::size_t>(query);
  const std::size_t k = static_cast<std::size_t>(key);

  out.query_row = t.query.subspan((h * T + q) * d_k, d_k);
  out.key_row = t.key.subspan((h * S + k) * d_k, d_k);
  out.products.resize(d_k);
  out.partial_sums.resize(d_k);
  float sum = 0;
  for (std::size_t i = 0; i < d_k; ++i) {
    out.products[i] = out.query_row[i] * out.key_row[i];
    out.partial_sums[i] = sum = sum + out.products[i];
  }

  const std::size_t row = (h * T + q) * S;
  out.score = t.scores[row + k];
  out.factor = t.factor;
  out.scaled_score = t.scaled_scores[row + k];
  out.allowed = allows(settings_.mask)(q, k);
  out.masked_score = t.masked_scores[row + k];
  out.weight = t.weights[row + k];

  const float* masked = t.masked_scores.data() + row;
  out.row_max = kernels::row_max(masked, S);
  out.exps.assign(S, 0.0f);
  out.exp_sum = 0;
  if (std::isfinite(out.row_max)) {
    out.exp_sum = kernels::exp_row(out.exps.data(), masked, out.row_max, S);
  }
  return {};
}

Error Session::weighted_values(int head, int query, std::vector<float>& out) const {
  if (Error error = check_index(head, query, 0)) return error;
  const auto [T, S, D, H, d_k, d_v] = trace_.shape;
  const std::size_t h = static_cast<std::size_t>(head);
  const float* weights = trace_.weights.data() + (h * T + static_cast<std::size_t>(query)) * S;
  const float* value = trace_.value.data() + h * S * d_v;
  out.resize(S * d_v);
  for (std::size_t k = 0; k < S; ++k) {
    kernels::scale(out.data() + k * d_v, value + k * d_v, weights[k], d_v);
  }
  return {};
}

}  // namespace attention
