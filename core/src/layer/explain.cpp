// Session::explain(): each rule once more, over the operands of one number.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "attention/layer/session.h"
#include "attention/layer/trace.h"
#include "attention/measures.h"
#include "attention/vectors.h"
#include "checks.h"
#include "dropout.h"
#include "kernels.h"
#include "session_memory.h"

namespace attention {

namespace {

struct SoftmaxTerms {
  float max = 0;             // of masked_scores / temperature; -infinity when fully masked
  std::vector<float> exps;   // exp(masked_scores / temperature - max); at temperature 0, 1 where the largest stand
  std::vector<float> sums;   // in each key's lane, after that key
  float exp_sum = 0;         // of all lanes; at temperature 0 the number of the largest
};

// A row of weights once more, with what it was made of: of one query's masked scores [S], of which it may look
// at `reach`; in the order of the kernels.
SoftmaxTerms softmax_terms(std::span<const float> masked_scores, KeyRange reach, float temperature) {
  const std::size_t S = masked_scores.size();
  const auto width = static_cast<std::size_t>(simd_lanes());
  const std::size_t begin = reach.begin / width * width, count = reach.end - begin;
  SoftmaxTerms out;
  out.exps.assign(S, 0.0f);
  out.sums.assign(S, 0.0f);
  std::vector<float> row(masked_scores.begin(), masked_scores.end());
  if (temperature != 0 && temperature != 1) kernels::divide(row.data(), row.data(), temperature, S);
  out.max = kernels::row_max(row.data(), S);
  if (!std::isfinite(out.max) || count == 0) return out;

  float* const exps = out.exps.data() + begin;
  if (temperature == 0) {
    for (std::size_t k = 0; k < count; ++k) out.exp_sum += exps[k] = row[begin + k] == out.max;
  } else {
    out.exp_sum = kernels::exp_row(exps, row.data() + begin, out.max, count);
  }
  std::array<float, kMostLanes> lanes{};
  for (std::size_t k = 0; k < S; ++k) out.sums[k] = lanes[k % width] += out.exps[k];
  return out;
}

// An array by its id.
struct Named {
  std::string_view id;
  std::span<const float> numbers;

  Operand operator[](std::size_t index) const { return {id, index, numbers[index]}; }
};

// Every count-th step of an array.
struct Line {
  Named array;
  std::size_t first, step;

  Operand operator[](std::size_t i) const { return array[first + i * step]; }
};

class Explainer {
 public:
  Explainer(const Session& session, const MaskRule& mask)
      : session_(session), t_(session.trace()), s_(session.settings()), p_(session.parameters()),
        request_(session.request()), mask_(mask) {}

  void stage(const Stage& stage, std::size_t index, Explanation& out) {
    begin(out, (t_.*stage.buffer)[index]);
    const std::size_t columns = extent(last_axis(stage), t_.shape);
    const std::size_t rows = stage.axes[2] == Axis::none ? 0 : extent(stage.axes[1], t_.shape);
    place_ = {index, rows == 0 ? 0 : index / columns / rows,
              rows == 0 ? index / columns : index / columns % rows, index % columns};
    for (const auto& [id, explain] : kStageRules) {
      if (id == stage.id) (this->*explain)();
    }
  }

  void parameter(const ParameterArray& array, std::size_t index, Explanation& out) {
    const std::vector<float> numbers = session_.parameter(array);
    begin(out, numbers[index]);
    const std::size_t columns = extent(array.axes[1], t_.shape);
    place_ = {index, 0, index / columns, index % columns};
    const ParameterArray& source = holder(array, s_);
    if (&source != &array) return copy(named(source), index);
    if (array.drawn == Drawn::W_V && s_.value_rank > 0) {
      return dot({named("W_V_down"), place_.row * t_.shape.r, 1},
                 {named("W_V_up"), place_.column, columns}, t_.shape.r);
    }
    if (is_settable(array, s_) && is_edited(request_, s_, array, place_.row, place_.column)) {
      return rule("edit");
    }
    if (request_.find_given(array.id) != nullptr) return rule("given");
    if (array.id == "P") return added_position();
    if (array.id == "cos" || array.id == "sin") {
      return angle("angle", t_.shape.d_k / 2 * 2, place_.column, array.id == "cos");
    }
    if (array.id == "slopes") {
      rule("slope");
      return constants({{"head", number(index)}, {"heads", number(t_.shape.H)}});
    }
    draw();
  }

 private:
  struct Place {
    std::size_t index = 0, head = 0, row = 0, column = 0;
  };
  using Explain = void (Explainer::*)();
  struct StageRule {
    std::string_view id;
    Explain explain;
  };

  static Axis last_axis(const Stage& stage) {
    return stage.axes[2] == Axis::none ? stage.axes[1] : stage.axes[2];
  }

  // --- what every rule writes ---------------------------------------------------------------------
  void begin(Explanation& out, float result) {
    out = {};
    out.result = result;
    out_ = &out;
  }
  void rule(std::string_view id) { out_->rule = id; }
  void constants(std::initializer_list<Constant> list) { out_->constants = list; }
  Term* terms(std::size_t count) {
    out_->terms = std::vector<Term>(count);
    return out_->terms.data();
  }
  static double number(std::size_t count) { return static_cast<double>(count); }

  Named named(std::string_view id) const {
    if (const Stage* stage = find_stage(id)) return {stage->id, t_.*stage->buffer};
    return named(*find_parameter(id));
  }
  Named named(const ParameterArray& array) const { return {array.id, p_.*array.view}; }
  // The first of two stages that this run has.
  Named either(std::string_view id, std::string_view otherwise) const {
    const Named first = named(id);
    return first.numbers.empty() ? named(otherwise) : first;
  }
  Named sources() const { return either("key_embeddings", "embeddings"); }

  // --- the rules ----------------------------------------------------------------------------------
  void copy(Named from, std::size_t index) {
    rule("copy");
    one_term(from[index], from.numbers[index]);
  }

  void one_term(const Operand& left, float product) { *terms(1) = {left, {}, product, product}; }

  void two_terms(const Term& first, const Term& second) {
    Term* both = terms(2);
    both[0] = first;
    both[1] = second;
    both[0].partial_sum = first.product;
    both[1].partial_sum = first.product + second.product;
  }

  void add(Named a, Named b) {
    rule("add");
    const Operand left = a[place_.index], right = b[place_.index];
    two_terms({left, {}, left.value}, {right, {}, right.value});
  }

  void dot(Line left, Line right, std::size_t count, const Operand& bias = {}) {
    rule("dot");
    std::vector<float> a(count), b(count);
    Term* const all = terms(count);
    float sum = 0;
    for (std::size_t i = 0; i < count; ++i) {
      Term& term = all[i];
      term.left = left[i];
      term.right = right[i];
      a[i] = term.left.value;
      b[i] = term.right.value;
      term.product = a[i] * b[i];
      term.partial_sum = sum = sum + term.product;
    }
    out_->bias = bias;
    const Comparison vectors = compare(a, b);
    constants({{"norm_left", vectors.norm_a}, {"norm_right", vectors.norm_b}, {"cosine", vectors.cosine}});
  }

  void draw() {
    rule("draw");
    constants({{"seed", static_cast<double>(s_.seed)}});
  }

  void angle(std::string_view id, std::size_t width, std::size_t pair, bool is_cosine) {
    rule(id);
    constants({{"position", number(place_.row)}, {"pair", number(pair)}, {"width", number(width)},
               {"is_cosine", is_cosine ? 1.0 : 0.0}});
  }

  void added_position() {
    if (s_.positions == Positions::sinusoidal) {
      return angle("sinusoid", t_.shape.D, place_.column / 2, place_.column % 2 == 1);
    }
    if (s_.positions == Positions::learned) return draw();
    rule("zero");
  }

  // --- stages -------------------------------------------------------------------------------------
  void words(std::string_view id, std::span<const std::string> tokens) {
    if (is_edited(request_, tokens[place_.row], place_.column)) return rule("edit");
    if (request_.find_given(id) != nullptr) return rule("given");
    draw();
  }
  void content() { words("content", t_.tokens); }
  void key_content() { words("key_content", t_.key_tokens); }
  void position() { copy(named("P"), place_.index); }
  void embeddings() { add(named("content"), named("position")); }
  void key_embeddings() { add(named("key_content"), named("key_position")); }

  void project(std::string_view id, Named x, std::string_view W, std::string_view b, std::size_t heads,
               std::size_t width) {
    if (request_.find_given(id) != nullptr) return rule("given");
    const std::size_t in = x.numbers.size() / extent(find_stage(id)->axes[1], t_.shape);
    const std::size_t column = place_.head * width + place_.column;
    dot({x, place_.row * in, 1}, {named(W), column, heads * width}, in,
        s_.biases ? named(b)[column] : Operand{});
  }
  // The dot product of every number of the head is needed for that of one, since their size is divided by.
  void project_and_norm(std::string_view norm_id, std::string_view id, Named x, std::string_view W, std::string_view b,
                        std::size_t heads) {
    const std::size_t d_k = t_.shape.d_k, own = place_.column;
    const HeadNorm norm = head_norm(request_, norm_id, d_k);
    const bool is_normed = !norm.gain.empty() && request_.find_given(id) == nullptr;
    const std::size_t others = is_normed ? d_k : 0;
    std::vector<float> row(others + 1);
    for (std::size_t i = 0; i <= others; ++i) {  // its own last
      place_.column = i < others ? i : own;
      project(id, x, W, b, heads, d_k);
      if (is_normed) row[i] = s_.biases ? out_->terms.back().partial_sum + out_->bias.value : out_->terms.back().partial_sum;
    }
    if (!is_normed) return;
    const float scale = head_scale(norm, row.data(), d_k);
    rule("norm");
    constants({{"rms", 1 / static_cast<double>(scale)}, {"normed", row[d_k] * scale}, {"gain", norm.gain[own]}});
  }
  void query() { project_and_norm("query_norm", "query", named("embeddings"), "W_Q", "b_Q", t_.shape.H); }
  void key() { project_and_norm("key_norm", "key", sources(), "W_K", "b_K", t_.shape.H_kv); }
  // Values that were given may have been made from rows without their places, as some models do. Then the content and
  // W_V say so, to the last bit.
  bool is_of_content() {
    const Named content = either("key_content", "content");
    const std::size_t column = place_.head * t_.shape.d_v + place_.column;
    dot({content, place_.row * t_.shape.D, 1}, {named("W_V"), column, t_.shape.H_kv * t_.shape.d_v}, t_.shape.D,
        s_.biases ? named("b_V")[column] : Operand{});
    float sum = out_->terms.back().partial_sum;
    if (s_.biases) sum += out_->bias.value;
    return sum == out_->result && std::signbit(sum) == std::signbit(out_->result);
  }
  void value() {
    const bool is_full = s_.value_rank == 0;
    if (is_full && request_.find_given("value") != nullptr) {
      if (!is_of_content()) {
        begin(*out_, out_->result);
        rule("given");
      }
      return;
    }
    project("value", is_full ? sources() : named("value_down"), is_full ? "W_V" : "W_V_up", "b_V",
            t_.shape.H_kv, t_.shape.d_v);
  }
  void value_down() {
    dot({sources(), place_.row * t_.shape.D, 1}, {named("W_V_down"), place_.column, t_.shape.r},
        t_.shape.D);
  }

  void rotate(Named from) {
    const std::size_t half = t_.shape.d_k / 2, pair = place_.column / 2;
    if (pair == half) return copy(from, place_.index);  // the odd one out
    rule("rotate");
    const Operand cosine = named("cos")[place_.row * half + pair];
    const Operand sine = named("sin")[place_.row * half + pair];
    const bool is_first = place_.column % 2 == 0;
    const Operand own = from[place_.index];
    const Operand other = from[is_first ? place_.index + 1 : place_.index - 1];
    const float across = other.value * sine.value;
    two_terms({own, cosine, own.value * cosine.value}, {other, sine, is_first ? -across : across});
  }
  void rotated_query() { rotate(named("query")); }
  void rotated_key() { rotate(named("key")); }

  void scores() {
    const std::size_t d_k = t_.shape.d_k, key_row = t_.shape.key_head(place_.head) * t_.shape.S + place_.column;
    dot({either("rotated_query", "query"), (place_.head * t_.shape.T + place_.row) * d_k, 1},
        {either("rotated_key", "key"), key_row * d_k, 1}, d_k);
  }

  void scaled_scores() {
    rule("scale");
    const Operand score = named("scores")[place_.index];
    one_term(score, score.value * t_.factor);
    constants({{"factor", t_.factor}});
  }

  void capped_scores() {
    rule("cap");
    const Operand score = named("scaled_scores")[place_.index];
    float capped;
    kernels::softcap(&capped, &score.value, s_.softcap, 1);
    one_term(score, capped);
    constants({{"cap", s_.softcap}});
  }

  void masked_scores() {
    rule("mask");
    const Operand score = either("capped_scores", "scaled_scores")[place_.index];
    const std::size_t query = place_.row, key = place_.column;
    const float distance = static_cast<float>(key > query ? key - query : query - key);
    if (p_.slopes.empty()) {
      one_term(score, score.value);
    } else {
      const Operand slope = named("slopes")[place_.head];
      two_terms({score, {}, score.value}, {slope, {}, -(slope.value * distance)});
    }
    constants({{"allowed", mask_.allows(query, key) ? 1.0 : 0.0}, {"distance", distance}});
  }

  void weights() {
    const std::size_t S = t_.shape.S, row = place_.index - place_.column;
    const SoftmaxTerms softmax =
        softmax_terms(t_.masked_scores.subspan(row, S), mask_.reach()[place_.row], s_.temperature);
    const Named masked = named("masked_scores");
    Term* const all = terms(S);
    for (std::size_t k = 0; k < S; ++k) all[k] = {masked[row + k], {}, softmax.exps[k], softmax.sums[k]};
    const bool is_sharp = s_.temperature == 0;
    rule(is_sharp ? "arg-max" : "softmax");
    constants({{"temperature", s_.temperature}, {"max", softmax.max},
               {is_sharp ? "ties" : "exp_sum", softmax.exp_sum}, {"self", number(place_.column)}});
  }

  void dropped_weights() {
    rule("drop");
    const Dropout dropout(s_.dropout, s_.dropout_seed);
    const Operand weight = named("weights")[place_.index];
    const std::uint32_t word = dropout.words(place_.head, place_.row, place_.column)[place_.column % 4];
    one_term(weight, dropout.apply(weight.value, word));
    constants({{"kept", dropout.keeps(word) ? 1.0 : 0.0}, {"factor", dropout.factor()}});
  }

  void context() {
    const std::size_t S = t_.shape.S, d_v = t_.shape.d_v;
    dot({either("dropped_weights", "weights"), (place_.head * t_.shape.T + place_.row) * S, 1},
        {named("value"), t_.shape.key_head(place_.head) * S * d_v + place_.column, d_v}, S);
    float sum = 0;
    for (std::size_t k = 0; k < S; ++k) {
      Term& term = out_->terms[k];
      if (!mask_.allows(place_.row, k) && !std::isfinite(term.right.value)) term.product = 0;
      term.partial_sum = sum = sum + term.product;
    }
  }

  void concat() {
    const std::size_t d_v = t_.shape.d_v, head = place_.column / d_v;
    copy(named("context"), (head * t_.shape.T + place_.row) * d_v + place_.column % d_v);
  }

  void output() {
    if (!s_.out_proj) return copy(named("concat"), place_.index);
    const std::size_t width = t_.shape.H * t_.shape.d_v, D = t_.shape.D;
    dot({named("concat"), place_.row * width, 1}, {named("W_O"), place_.column, D}, width,
        s_.biases ? named("b_O")[place_.column] : Operand{});
  }

  void residual() { add(named("embeddings"), named("output")); }

  using E = Explainer;
  static constexpr std::array kStageRules = std::to_array<StageRule>({
      {"content", &E::content},
      {"position", &E::position},
      {"embeddings", &E::embeddings},
      {"key_content", &E::key_content},
      {"key_position", &E::position},
      {"key_embeddings", &E::key_embeddings},
      {"query", &E::query},
      {"key", &E::key},
      {"rotated_query", &E::rotated_query},
      {"rotated_key", &E::rotated_key},
      {"value_down", &E::value_down},
      {"value", &E::value},
      {"scores", &E::scores},
      {"scaled_scores", &E::scaled_scores},
      {"capped_scores", &E::capped_scores},
      {"masked_scores", &E::masked_scores},
      {"weights", &E::weights},
      {"dropped_weights", &E::dropped_weights},
      {"context", &E::context},
      {"concat", &E::concat},
      {"output", &E::output},
      {"residual", &E::residual},
  });

  const Session& session_;
  const Trace& t_;
  const Settings& s_;
  const Parameters& p_;
  const Request& request_;
  const MaskRule& mask_;
  Explanation* out_ = nullptr;
  Place place_;
};

}  // namespace

Error Session::explain(std::string_view array, std::size_t index, Explanation& out) const {
  Explainer explainer(*this, memory_->mask);
  const Stage* stage = find_stage(array);
  const ParameterArray* parameter_array = find_parameter(array);
  const bool has_run = trace_.shape.T > 0;
  if (stage != nullptr && stage->buffer != nullptr) {
    const std::size_t count = (trace_.*stage->buffer).size();
    if (index >= count) return error(Rule::number_index, stage->id, {count});
    explainer.stage(*stage, index, out);
    return {};
  }
  if (parameter_array != nullptr && has_run && is_present(*parameter_array, settings_)) {
    const std::size_t count = count_of(*parameter_array, trace_.shape);
    if (index >= count) return error(Rule::number_index, parameter_array->id, {count});
    explainer.parameter(*parameter_array, index, out);
    return {};
  }
  return error(Rule::number_array);
}

}  // namespace attention
