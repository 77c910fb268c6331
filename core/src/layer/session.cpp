#include "attention/layer/session.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "attend_paths.h"
#include "attention/measures.h"
#include "attention/multi_head.h"
#include "checks.h"
#include "kernels.h"
#include "session_memory.h"

namespace attention {

namespace {

Error check_tokens(std::size_t count, Rule none, Rule too_many) {
  if (count == 0) return error(none);
  if (count <= static_cast<std::size_t>(kLimits.max_tokens)) return {};
  return error(too_many, {count, kLimits.max_tokens});
}

float factor_of(const Settings& s, const Shape& shape) {
  switch (s.scale) {
    case Scale::sqrt_dk: return 1.0f / std::sqrt(static_cast<float>(shape.d_k));
    case Scale::none: return 1.0f;
    case Scale::factor: return s.scale_factor;
  }
  return 1.0f;
}

// The embeddings of one text: the input of queries, or of keys and values.
struct Text {
  std::string_view content_id;
  std::span<const std::string> tokens;
  std::span<float> content, position, embeddings;  // [tokens, D]
};

// E[token] + P[position]: content ~ N(0, 1), the same for the same word, unless given or set by hand.
void embed(const Request& request, const Settings& settings, WordRows& words, std::span<const float> P,
           const Text& text) {
  const std::size_t D = text.content.size() / text.tokens.size();
  if (const float* given = request.find_given(text.content_id)) {
    std::copy_n(given, text.content.size(), text.content.data());
  } else {
    words.prepare(settings.seed, D);
    for (std::size_t t = 0; t < text.tokens.size(); ++t) {
      words.copy(text.tokens[t], text.content.subspan(t * D, D));
    }
  }
  for (const Edit& edit : request.edits) {
    const auto column = static_cast<std::size_t>(edit.column);
    if (!edit.array.empty() || column >= D) continue;
    for (std::size_t t = 0; t < text.tokens.size(); ++t) {
      if (text.tokens[t] == edit.token) text.content[t * D + column] = edit.value;
    }
  }
  std::copy_n(P.begin(), text.position.size(), text.position.begin());
  kernels::add(text.embeddings.data(), text.content.data(), text.position.data(), text.embeddings.size());
}

// By the plain path, because every stage is kept; without a cache or changes to heads.
Error mix_plainly(const MultiHeadInput&, Heads<const float> query, Heads<const float> key,
                  Heads<const float> value, const AttendOptions& options, Heads<float> context,
                  MultiHeadScratch& scratch, const AttendStages& stages) {
  return attend_plainly(query, key, value, options, context, scratch.scores, stages);
}

MultiHead layer_of(const Parameters& p, const Request& request, const Settings& s, const Shape& shape) {
  const auto [T, S, D, H, H_kv, d_k, d_v, r] = shape;
  const auto bias = [&](std::span<const float> b) { return s.biases ? b.data() : nullptr; };
  MultiHead layer;
  layer.heads = H;
  layer.key_heads = H_kv;
  layer.query = {p.W_Q.data(), bias(p.b_Q), D, H * d_k};
  layer.key = {p.W_K.data(), bias(p.b_K), D, H_kv * d_k};
  if (r > 0) layer.value_down = {p.W_V_down.data(), nullptr, D, r};
  layer.value = {(r > 0 ? p.W_V_up : p.W_V).data(), bias(p.b_V), r > 0 ? r : D, H_kv * d_v};
  if (s.out_proj) layer.out_proj = {p.W_O.data(), bias(p.b_O), H * d_v, D};
  if (!p.cos.empty()) layer.rotary = {p.cos, p.sin, d_k / 2, RotaryPairs::interleaved};
  layer.query_norm = head_norm(request, "query_norm", d_k);
  layer.key_norm = head_norm(request, "key_norm", d_k);
  return layer;
}

// Stages that a run does not have are empty, and so not kept.
MultiHeadStages stages_of(Trace& t) {
  MultiHeadStages stages;
  stages.layout = HeadLayout::first;
  stages.query = t.query.data();
  stages.key = t.key.data();
  stages.value = t.value.data();
  stages.value_down = t.value_down.data();
  stages.rotated_query = t.rotated_query.data();
  stages.rotated_key = t.rotated_key.data();
  stages.attend = {t.scores.data(), t.scaled_scores.data(), t.capped_scores.data(),
                   t.masked_scores.data(), t.weights.data(), t.dropped_weights.data()};
  stages.context = t.context.data();
  stages.concat = t.concat.data();
  return stages;
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
  Error error = prepare(std::move(request), settings);
  if (!error) error = run_layer();
  if (error) trace_.clear();
  return error;
}

Error Session::take(Request request, const Settings& settings, std::span<const Given> stages) {
  Error error = prepare(std::move(request), settings);
  if (!error && !fill(stages)) error = run_layer();
  if (error) trace_.clear();
  return error;
}

// Prepares a run up to its first stage.
Error Session::prepare(Request request, const Settings& settings) {
  trace_.clear();
  settings_ = settings;
  request_ = std::move(request);
  const bool is_cross = request_.is_cross();
  if (Error error = validate(settings)) return error;
  if (Error error = check_tokens(request_.tokens.size(), Rule::no_tokens, Rule::too_many_tokens)) return error;
  if (Error error = check_tokens(request_.sources().size(), Rule::no_key_tokens, Rule::too_many_key_tokens)) {
    return error;
  }
  const Shape shape = shape_of(settings, request_.tokens.size(), request_.sources().size());
  if (Error error = check_request(request_, settings, shape)) return error;
  if (Error error = trace_.allocate(shape, settings, is_cross)) return error;
  trace_.tokens = request_.tokens;
  if (is_cross) trace_.key_tokens = request_.sources();
  trace_.factor = factor_of(settings, shape);
  Error error = memory_->parameters.set(request_, settings, shape);
  if (!error) error = memory_->mask.set(settings, shape, request_.mask_edits);
  return error;
}

// Every stage of the trace from the one of its name; false where one does not fit.
bool Session::fill(std::span<const Given> stages) {
  for (const Stage& stage : attention::stages()) {
    if (stage.buffer == nullptr || (trace_.*stage.buffer).empty()) continue;
    const auto found = std::find_if(stages.begin(), stages.end(), [&](const Given& g) { return g.array == stage.id; });
    if (found == stages.end() || found->numbers.size() != (trace_.*stage.buffer).size()) return false;
    std::copy(found->numbers.begin(), found->numbers.end(), (trace_.*stage.buffer).begin());
  }
  return true;
}

// The page's layer is the multi-head layer run on embeddings, every stage kept in the trace, in this order:
//   content, position, embeddings                                             here
//   query, key, value, rotated_query, rotated_key                             run_checked(), ../multi_head.cpp
//   scores, scaled_, capped_ and masked_scores, weights, dropped_weights, context   attend_plain(), ../attend_plain.cpp
//   concat, output                                                            run_checked()
//   residual                                                                  here
Error Session::run_layer() {
  const Parameters& p = parameters();
  Trace& t = trace_;
  embed(request_, settings_, memory_->words, p.P, {"content", t.tokens, t.content, t.position, t.embeddings});
  if (request_.is_cross()) {
    embed(request_, settings_, memory_->words, p.P,
          {"key_content", t.key_tokens, t.key_content, t.key_position, t.key_embeddings});
  }
  const Shape& shape = t.shape;
  MultiHeadInput input;
  input.x = {t.embeddings.data(), 1, shape.T, shape.D};
  input.keys = {t.key_source().data(), 1, shape.S, shape.D};
  input.given = {request_.find_given("query"), request_.find_given("key"), request_.find_given("value")};
  AttendOptions options;
  options.scale = t.factor;
  options.softcap = settings_.softcap;
  options.key_ranges = memory_->mask.reach();
  options.mask = {memory_->mask.allowed(), nullptr, {1, 1, shape.T, shape.S}};
  options.alibi_slopes = p.slopes;
  options.temperature = settings_.temperature;
  options.dropout = settings_.dropout;
  options.dropout_seed = settings_.dropout_seed;
  if (Error error = run_checked(mix_plainly, layer_of(p, request_, settings_, shape), input, options,
                                   t.output.data(), memory_->scratch, stages_of(t))) {
    return error;
  }
  if (settings_.residual) {
    kernels::add(t.residual.data(), t.embeddings.data(), t.output.data(), t.residual.size());
  }
  return {};
}

std::vector<float> Session::parameter(const ParameterArray& array) const {
  const std::span<const float> view = parameters().*array.view;
  std::vector<float> out;
  if (trace_.shape.T == 0 || !is_present(array, settings_)) return out;
  if (!view.empty()) {
    out.assign(view.begin(), view.end());
  } else if (array.drawn == Drawn::W_V) {
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
  return error(Rule::cell_index, {s.H, s.T, s.S});
}

Error Session::weighted_values(int head, int query, std::vector<float>& out) const {
  if (Error error = check_index(head, query, 0)) return error;
  const std::size_t T = trace_.shape.T, S = trace_.shape.S, d_v = trace_.shape.d_v;
  const std::size_t h = static_cast<std::size_t>(head);
  const float* weights = trace_.used_weights().data() + (h * T + static_cast<std::size_t>(query)) * S;
  const float* value = trace_.value.data() + trace_.shape.key_head(h) * S * d_v;
  out.resize(S * d_v);
  for (std::size_t k = 0; k < S; ++k) {
    float* const row = out.data() + k * d_v;
    if (memory_->mask.allows(static_cast<std::size_t>(query), k)) {
      kernels::scale(row, value + k * d_v, weights[k], d_v);
    } else {
      std::fill_n(row, d_v, 0.0f);  // whatever the value holds
    }
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
