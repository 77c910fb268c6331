#include "attention/session.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "attention/measures.h"
#include "attention/stages.h"
#include "kernels.h"
#include "session_memory.h"
#include "softmax_terms.h"
#include "text.h"

namespace attention {

namespace {

// With a comma between thousands, as the page writes counts.
std::string grouped(std::size_t number) {
  std::string digits = text(static_cast<std::int64_t>(number));
  for (std::size_t i = digits.size(); i > 3; i -= 3) digits.insert(i - 3, ",");
  return digits;
}

Error check_tokens(std::size_t count, std::string_view which) {
  if (count == 0) {
    return {ErrorCode::no_tokens, join({"There is no token to attend to", which, ". Type a word."})};
  }
  const std::size_t most = static_cast<std::size_t>(kLimits.max_tokens);
  if (count <= most) return {};
  return {ErrorCode::too_many_tokens, join({"The text has ", grouped(count), " tokens; the limit is ",
                                            grouped(most), ". Shorten the text."})};
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

Session::Session() : memory_(std::make_unique<Memory>()) {}
Session::~Session() = default;
Session::Session(Session&& other) noexcept : Session() { *this = std::move(other); }

Session& Session::operator=(Session&& other) noexcept {
  if (this == &other) return *this;
  settings_ = std::exchange(other.settings_, {});
  request_ = std::exchange(other.request_, {});
  trace_ = std::move(other.trace_);
  other.trace_.clear();
  memory_ = std::exchange(other.memory_, std::make_unique<Memory>());
  return *this;
}

const Parameters& Session::parameters() const { return memory_->parameters.view(); }

Error Session::run(std::span<const std::string> tokens, const Settings& settings) {
  Request request;
  request.tokens.assign(tokens.begin(), tokens.end());
  return run(std::move(request), settings);
}

Error Session::run(Request request, const Settings& settings) {
  trace_.clear();
  settings_ = settings;
  request_ = std::move(request);
  const bool is_cross = request_.is_cross();
  if (Error error = validate(settings)) return error;
  if (Error error = check_tokens(request_.tokens.size(), "")) return error;
  if (Error error = check_tokens(request_.sources().size(), " in the second text")) return error;
  const Shape shape = shape_of(settings, request_.tokens.size(), request_.sources().size());
  if (Error error = check_request(request_, settings, shape)) return error;
  if (Error error = trace_.allocate(shape, settings, is_cross)) return error;
  if (Error error = memory_->parameters.set(request_, settings, shape)) {
    trace_.clear();
    return error;
  }
  memory_->mask.set(settings, shape, request_.mask_edits);
  trace_.tokens = request_.tokens;
  if (is_cross) trace_.key_tokens = request_.sources();
  trace_.factor = factor_of(settings, shape);
  const Inputs inputs{settings_, parameters(), request_, memory_->mask, memory_->words};
  for (const Stage& stage : stages()) {
    if (stage.compute != nullptr && is_present(stage, settings, is_cross)) stage.compute(inputs, trace_);
  }
  return {};
}

std::vector<float> Session::parameter(const ParameterArray& array) const {
  const std::span<const float> view = parameters().*array.view;
  std::vector<float> out;
  if (trace_.shape.T == 0 || !is_present(array, settings_)) return out;
  if (!view.empty()) {
    out.assign(view.begin(), view.end());
  } else if (array.matrix == Matrix::W_V) {
    const std::size_t D = trace_.shape.D, r = trace_.shape.r, columns = trace_.shape.H_kv * trace_.shape.d_v;
    out.resize(D * columns);
    kernels::matmul_nn({out.data(), D, columns, columns}, {parameters().W_V_down.data(), D, r, r},
                       {parameters().W_V_up.data(), r, columns, columns});
  }
  return out;
}

Error Session::check_index(int head, int query, int key) const {
  const Shape& s = trace_.shape;
  const auto inside = [](int index, std::size_t count) {
    return index >= 0 && static_cast<std::size_t>(index) < count;
  };
  if (inside(head, s.H) && inside(query, s.T) && inside(key, s.S)) return {};
  return {ErrorCode::index_out_of_range, join({"The last run has ", grouped(s.H), " heads, ",
                                              grouped(s.T), " queries and ", grouped(s.S),
                                              " keys, counted from 0. Choose a cell inside."})};
}

Error Session::cell(int head, int query, int key, CellArithmetic& out) const {
  if (Error error = check_index(head, query, key)) return error;
  const Trace& t = trace_;
  const std::size_t T = t.shape.T, S = t.shape.S, d_k = t.shape.d_k;
  const std::size_t h = static_cast<std::size_t>(head);
  const std::size_t q = static_cast<std::size_t>(query);
  const std::size_t k = static_cast<std::size_t>(key);

  out.query_row = t.turned_query().subspan((h * T + q) * d_k, d_k);
  out.key_row = t.turned_key().subspan((t.shape.key_head(h) * S + k) * d_k, d_k);
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
  out.allowed = memory_->mask.allows(q, k);
  out.masked_score = t.masked_scores[row + k];
  out.weight = t.weights[row + k];
  SoftmaxTerms softmax = softmax_terms(t.masked_scores.subspan(row, S), memory_->mask.reach(q),
                                       settings_.temperature);
  out.row_max = softmax.max;
  out.exps = std::move(softmax.exps);
  out.exp_sum = softmax.exp_sum;
  return {};
}

Error Session::weighted_values(int head, int query, std::vector<float>& out) const {
  if (Error error = check_index(head, query, 0)) return error;
  const std::size_t T = trace_.shape.T, S = trace_.shape.S, d_v = trace_.shape.d_v;
  const std::size_t h = static_cast<std::size_t>(head);
  const float* weights = trace_.used_weights().data() + (h * T + static_cast<std::size_t>(query)) * S;
  const float* value = trace_.value.data() + trace_.shape.key_head(h) * S * d_v;
  out.resize(S * d_v);
  for (std::size_t k = 0; k < S; ++k) {
    kernels::scale(out.data() + k * d_v, value + k * d_v, weights[k], d_v);
  }
  return {};
}

Error Session::summed_weights(int head, std::span<const int> queries, std::vector<float>& out) const {
  if (Error error = check_index(head, 0, 0)) return error;
  for (const int query : queries) {
    if (Error error = check_index(head, query, 0)) return error;
  }
  const std::size_t T = trace_.shape.T, S = trace_.shape.S;
  out.assign(S, 0.0f);
  for (const int query : queries) {
    const std::size_t row = static_cast<std::size_t>(head) * T + static_cast<std::size_t>(query);
    kernels::add(out.data(), out.data(), trace_.weights.data() + row * S, S);
  }
  return {};
}

Error Session::measure_rows(int head, RowMeasures& out) const {
  if (Error error = check_index(head, 0, 0)) return error;
  const std::size_t T = trace_.shape.T, S = trace_.shape.S;
  out = {std::vector<float>(T), std::vector<float>(T), std::vector<int>(T)};
  for (std::size_t q = 0; q < T; ++q) {
    const auto row = trace_.weights.subspan((static_cast<std::size_t>(head) * T + q) * S, S);
    const auto largest = std::max_element(row.begin(), row.end());
    out.entropy[q] = entropy(row);
    out.largest[q] = *largest;
    out.largest_key[q] = *largest > 0 ? static_cast<int>(largest - row.begin()) : -1;
  }
  return {};
}

}  // namespace attention
