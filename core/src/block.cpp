#include "attention/block.h"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <utility>

#include "attention/decoder.h"
#include "attention/measures.h"
#include "attention/positions.h"
#include "attention/vectors.h"
#include "checks.h"
#include "kernels.h"
#include "shared_work.h"

namespace attention {

namespace {

// The block's attention options, or the intervention's.
AttendOptions options_of(const Block& block, const Intervention& intervention) {
  AttendOptions options;
  options.is_causal = block.is_causal;
  if (intervention.options) options = *intervention.options;
  if (options.alibi_slopes.empty()) options.alibi_slopes = block.alibi_slopes;
  return options;
}

bool has_mlp(const Block& b) { return b.up.weight != nullptr || b.down.weight != nullptr; }

bool has_gate(const Block& b) { return b.gate.weight != nullptr; }

// Of the rows beside the normed ones.
std::size_t widest(const Block& b) { return std::max(has_mlp(b) ? b.up.out : 0, b.norm_1.width); }

// Memory of one row: the normed row, the widest row, the gate's row, and the row that is kept until attention is
// done.
std::uint64_t row_size(const Block& b) {
  const std::size_t D = b.norm_1.width;
  return sum({D, widest(b), has_gate(b) ? b.up.out : 0, b.is_parallel ? D : 0});
}

Error check(const Block& b, const float* x, std::size_t rows) {
  const std::size_t D = b.norm_1.width;
  if (D == 0 || rows == 0) return error(Rule::block_rows);
  if (x == nullptr) return error(Rule::no_data, "x");
  if (is_misaligned(x)) return error(Rule::misaligned, "x");
  if (Error error = check_norm("A block's norm", b.norm_1, D)) return error;
  if (output_width(b.attention) != D) {
    return error(Rule::block_attention, {D});
  }
  if (b.is_parallel && b.is_post_norm) return error(Rule::block_norms);
  if (has_mlp(b)) {
    if (Error error = check_norm("A block's second norm", b.norm_2, D)) return error;
    if (Error error = check_linear("up", b.up, D)) return error;
    if (Error error = check_linear("down", b.down, b.up.out, D)) return error;
    if (has_gate(b)) {
      if (Error error = check_linear("gate", b.gate, D, b.up.out)) return error;
    }
  }
  if (product({rows, row_size(b)}) > kMaxFloats) {
    return error(Rule::block_too_large);
  }
  return {};
}

// Memory for run_mlp().
struct MlpRows {
  float *normed, *hidden, *gated;
};

// y [rows, D] = mlp(norm_2(x)), or mlp(x) where norms come last. y may be the normed rows.
void run_mlp(const Block& b, const float* x, std::size_t rows, const MlpRows& memory, float* y, Workers* workers) {
  const auto [normed, hidden, gated] = memory;
  const std::size_t count = rows * b.up.out;
  const float* const read = b.is_post_norm ? x : normed;
  if (!b.is_post_norm) apply(b.norm_2, x, rows, normed);
  apply(b.up, read, rows, hidden, workers);
  if (has_gate(b)) {
    apply(b.gate, read, rows, gated, workers);
    silu(gated, count, gated);
    kernels::multiply(hidden, hidden, gated, count);
  } else {
    apply(b.gelu, hidden, count, hidden, workers);
  }
  apply(b.down, hidden, rows, y, workers);
}

}  // namespace

Error run(const Block& block, float* x, std::size_t rows, KeyValueCache& cache,
          BlockScratch& scratch, const MultiHeadStages& stages, const Intervention& intervention) {
  if (Error error = check(block, x, rows)) return error;
  const std::size_t D = block.norm_1.width;
  const bool places_keys = !block.query_key_positions.empty();
  if (!scratch.rows.resize(static_cast<std::size_t>(rows * row_size(block)))) {
    return error(Rule::block_memory, {rows});
  }
  float* const normed = scratch.rows.floats().data();
  float* const hidden = normed + rows * D;
  float* const gated = hidden + rows * widest(block);
  float* const aside = gated + (has_gate(block) ? rows * block.up.out : 0);
  const bool is_parallel = block.is_parallel && has_mlp(block);
  Workers* const workers = scratch.attention.workers;

  const AttendOptions options = options_of(block, intervention);
  MultiHeadInput input;
  input.changes = intervention.heads;
  input.x = {normed, 1, rows, D};
  input.cache = &cache;
  if (is_parallel) run_mlp(block, x, rows, {normed, hidden, gated}, aside, workers);
  if (block.is_post_norm) std::copy_n(x, rows * D, normed);
  else apply(block.norm_1, x, rows, normed);
  if (places_keys) {
    float* const placed = hidden;  // the MLP's rows come later
    if (Error error =
            add_positions(input.x, block.query_key_positions, {}, cache.length(), placed)) {
      return error;
    }
    input.x.data = placed;
    input.values = {normed, 1, rows, D};
  }
  if (Error error = run(block.attention, input, options, normed, scratch.attention, stages))
    return error;
  kernels::add(x, x, normed, rows * D);
  if (block.is_post_norm) apply(block.norm_1, x, rows, x);
  if (!has_mlp(block)) return {};

  if (!is_parallel) run_mlp(block, x, rows, {normed, hidden, gated}, normed, workers);
  kernels::add(x, x, is_parallel ? aside : normed, rows * D);
  if (block.is_post_norm) apply(block.norm_2, x, rows, x);
  return {};
}

namespace {

using Numbers = std::vector<float>;

// Stages of one row, and how a number of one came about from those before it.
class StageExplainer {
 protected:
  struct Stage {
    std::string_view id;
    const Numbers& numbers;
  };

  explicit StageExplainer(std::vector<Stage> stages) : stages_(std::move(stages)) {}

  Error begin(std::string_view stage, std::size_t index, Explanation& out) {
    const auto own = find(stage);
    if (own == stages_.end() || own->numbers.empty()) return error(Rule::number_array);
    if (index >= own->numbers.size()) return error(Rule::number_index, own->id, {own->numbers.size()});
    out = {};
    out.result = own->numbers[index];
    out.rule = "given";
    out_ = &out;
    index_ = index;
    return {};
  }

  static Numbers through(const Linear& linear, const Numbers& x) {
    Numbers y(linear.out);
    apply(linear, x.data(), 1, y.data());
    return y;
  }
  static Numbers normed(const LayerNorm& norm, const Numbers& x) {
    Numbers y(x.size());
    apply(norm, x.data(), 1, y.data());
    return y;
  }
  static Numbers sum(const Numbers& a, const Numbers& b) {
    Numbers y(a.size());
    kernels::add(y.data(), a.data(), b.data(), a.size());
    return y;
  }

  std::vector<Stage>::const_iterator find(std::string_view id) const {
    return std::find_if(stages_.begin(), stages_.end(), [&](const Stage& each) { return each.id == id; });
  }
  const Numbers& numbers_of(std::string_view id) const { return find(id)->numbers; }
  Operand at(std::string_view id, std::size_t index) const {
    const auto own = find(id);
    return {own->id, index, own->numbers[index]};
  }
  void terms(std::initializer_list<Term> list) { out_->terms = list; }

  void copy(const Operand& left) {
    out_->rule = "copy";
    terms({{left, {}, left.value, left.value}});
  }

  void add(const Operand& left, const Operand& right) {
    out_->rule = "add";
    terms({{left, {}, left.value, left.value}, {right, {}, right.value, left.value + right.value}});
  }
  void add(std::string_view first, std::string_view second) { add(at(first, index_), at(second, index_)); }

  // By silu, or gelu where there is one.
  void activate(std::string_view id, const Gelu* gelu) {
    const Operand from = at(id, index_);
    out_->rule = gelu == nullptr ? "silu" : "gelu";
    terms({{from, {}, out_->result, out_->result}});
    out_->constants = {{"share", from.value != 0 ? static_cast<double>(out_->result) / static_cast<double>(from.value) : 0.5}};
    if (gelu != nullptr) out_->constants.push_back({"is_erf", *gelu == Gelu::erf ? 1.0 : 0.0});
  }

  void norm(const LayerNorm& norm, std::string_view from, std::string_view gain, std::string_view bias) {
    const Operand left = at(from, index_);
    const Numbers ones(norm.width, 1.0f);
    LayerNorm plain = norm;
    plain.gain = ones.data();
    plain.bias = nullptr;
    const float scaled = normed(plain, numbers_of(from))[index_], product = scaled * norm.gain[index_];
    const Moments found = moments(numbers_of(from));
    const double square = found.variance + (norm.is_rms ? found.mean * found.mean : 0) + static_cast<double>(norm.epsilon);
    terms({{left, {gain, index_, norm.gain[index_]}, product, product}});
    if (norm.bias != nullptr) out_->bias = {bias, index_, norm.bias[index_]};
    out_->rule = norm.is_rms ? "rms-norm" : "layer-norm";
    if (!norm.is_rms) out_->constants.push_back({"mean", static_cast<float>(found.mean)});
    out_->constants.push_back({norm.is_rms ? "rms" : "deviation", static_cast<float>(std::sqrt(square))});
    out_->constants.push_back({"normed", scaled});
  }

  void project(const Linear& linear, std::string_view from, std::string_view weight, std::string_view bias) {
    if (linear.weight == nullptr) return copy(at(from, index_));
    out_->rule = "dot";
    out_->terms = std::vector<Term>(linear.in);
    const bool is_in_out = linear.layout == Layout::in_out;
    const std::size_t stride = linear.stride != 0 ? linear.stride : is_in_out ? linear.out : linear.in;
    float sum = 0;
    for (std::size_t i = 0; i < linear.in; ++i) {
      Term& term = out_->terms[i];
      term.left = at(from, i);
      term.right = {weight, i * linear.out + index_, 0};
      widen(linear.weight, stride, is_in_out ? i : index_, is_in_out ? index_ : i, 1, &term.right.value);
      term.product = term.left.value * term.right.value;
      term.partial_sum = sum = sum + term.product;
    }
    if (linear.bias != nullptr) out_->bias = {bias, index_, linear.bias[index_]};
  }

  const std::vector<Stage> stages_;
  Explanation* out_ = nullptr;
  std::size_t index_ = 0;
};

// One row through a block, with run()'s bits; and how each number was computed.
class RowExplainer : StageExplainer {
 public:
  RowExplainer(const Block& block, const BlockRow& row)
      : StageExplainer({{"x", x_}, {"norm_1", norm_1_}, {"contexts", contexts_}, {"attention", attention_}, {"sum_1", sum_1_},
                        {"norm_2", norm_2_}, {"gate", gate_}, {"up", up_}, {"active", active_}, {"hidden", hidden_}, {"mlp", mlp_},
                        {"sum_2", sum_2_}}),
        b_(block), x_(row.x, row.x + block.norm_1.width), contexts_(row.contexts, row.contexts + contexts_of(block.attention)) {
    attention_ = b_.attention.out_proj.weight != nullptr ? through(b_.attention.out_proj, contexts_) : contexts_;
    sum_1_ = sum(x_, attention_);
    norm_1_ = normed(b_.norm_1, b_.is_post_norm ? sum_1_ : x_);
    if (!has_mlp(b_)) return;
    if (!b_.is_post_norm) norm_2_ = normed(b_.norm_2, b_.is_parallel ? x_ : sum_1_);
    const Numbers& read = b_.is_post_norm ? norm_1_ : norm_2_;
    up_ = through(b_.up, read);
    active_.resize(up_.size());
    if (has_gate(b_)) {
      gate_ = through(b_.gate, read);
      silu(gate_.data(), gate_.size(), active_.data());
      hidden_.resize(up_.size());
      kernels::multiply(hidden_.data(), up_.data(), active_.data(), up_.size());
    } else {
      apply(b_.gelu, up_.data(), up_.size(), active_.data());
    }
    mlp_ = through(b_.down, has_gate(b_) ? hidden_ : active_);
    sum_2_ = sum(b_.is_post_norm ? norm_1_ : sum_1_, mlp_);
    if (b_.is_post_norm) norm_2_ = normed(b_.norm_2, sum_2_);
  }

  Error explain(std::string_view stage, std::size_t index, Explanation& out) {
    if (Error error = begin(stage, index, out)) return error;
    const std::string_view id = stage, mlp_reads = b_.is_post_norm ? "norm_1" : "norm_2";
    if (id == "norm_1") norm(b_.norm_1, b_.is_post_norm ? "sum_1" : "x", "gain_1", "bias_1");
    else if (id == "norm_2") norm(b_.norm_2, b_.is_post_norm ? "sum_2" : b_.is_parallel ? "x" : "sum_1", "gain_2", "bias_2");
    else if (id == "attention") project(b_.attention.out_proj, "contexts", "W_O", "b_O");
    else if (id == "gate") project(b_.gate, mlp_reads, "W_gate", "b_gate");
    else if (id == "up") project(b_.up, mlp_reads, "W_up", "b_up");
    else if (id == "mlp") project(b_.down, has_gate(b_) ? "hidden" : "active", "W_down", "b_down");
    else if (id == "sum_1") add("x", "attention");
    else if (id == "sum_2") add(b_.is_post_norm ? "norm_1" : "sum_1", "mlp");
    else if (id == "active") activate(has_gate(b_) ? "gate" : "up", has_gate(b_) ? nullptr : &b_.gelu);
    else if (id == "hidden") multiply();
    return {};
  }

 private:
  static std::size_t contexts_of(const MultiHead& layer) { return layer.heads * (layer.value.out / layer.key_heads); }

  void multiply() {
    out_->rule = "multiply";
    terms({{at("up", index_), at("active", index_), out_->result, out_->result}});
  }

  const Block& b_;
  Numbers x_, contexts_, norm_1_, attention_, sum_1_, norm_2_, gate_, up_, active_, hidden_, mlp_, sum_2_;
};

// What a decoder makes of one row before its blocks and behind them, as run() makes it; and how.
class EndsExplainer : StageExplainer {
 public:
  EndsExplainer(const Decoder& decoder, const DecoderRow& row)
      : StageExplainer({{"placed", placed_}, {"embedding", embedding_}, {"last", last_}, {"transformed", transformed_},
                        {"activated", activated_}, {"final", final_}, {"logit", logits_}, {"chance", chances_}}),
        d_(decoder), token_(static_cast<std::size_t>(row.token)), place_(row.place), last_(row.x, row.x + decoder.d_model) {}

  Error explain(std::string_view stage, std::size_t index, Explanation& out) {
    make(stage);
    if (Error error = begin(stage, index, out)) return error;
    const bool is_normed = d_.embeddings_norm.gain != nullptr;
    if (stage == "placed" || (stage == "embedding" && !is_normed)) embed();
    else if (stage == "embedding") norm(d_.embeddings_norm, "placed", "gain_E", "bias_E");
    else if (stage == "transformed") project(d_.transform, "last", "W_T", "b_T");
    else if (stage == "activated") activate("transformed", &d_.transform_gelu);
    else if (stage == "final") norm(d_.final_norm, head(), "gain_F", "bias_F");
    else if (stage == "logit") project(output_of(d_), d_.final_norm.gain != nullptr ? "final" : head(), "W_U", "b_U");
    else if (stage == "chance") share();
    return {};
  }

 private:
  bool is_transformed() const { return d_.transform.weight != nullptr; }
  // What the final norm reads.
  std::string_view head() const { return is_transformed() ? "activated" : "last"; }

  // Only what the stage needs: a vocabulary is long.
  void make(std::string_view stage) {
    if (stage == "placed" || stage == "embedding") return make_embedding();
    if (is_transformed()) {
      transformed_ = through(d_.transform, last_);
      activated_.resize(transformed_.size());
      apply(d_.transform_gelu, transformed_.data(), transformed_.size(), activated_.data());
    }
    if (d_.final_norm.gain != nullptr) final_ = normed(d_.final_norm, numbers_of(head()));
    if (stage != "logit" && stage != "chance") return;
    logits_ = through(output_of(d_), d_.final_norm.gain != nullptr ? final_ : numbers_of(head()));
    if (stage != "chance") return;
    chances_.resize(logits_.size());
    softmax(logits_.data(), 1, logits_.size(), chances_.data());
  }

  void make_embedding() {
    embedding_.resize(d_.d_model);
    widen(d_.embeddings, d_.d_model, token_, 0, d_.d_model, embedding_.data());
    word_ = embedding_;
    if (!d_.positions.empty()) kernels::add(embedding_.data(), embedding_.data(), d_.positions.data() + place_ * d_.d_model, d_.d_model);
    if (d_.embeddings_norm.gain == nullptr) return;
    placed_ = embedding_;
    embedding_ = normed(d_.embeddings_norm, placed_);
  }

  void embed() {
    const Operand word{"E", token_ * d_.d_model + index_, word_[index_]};
    if (d_.positions.empty()) return copy(word);
    const std::size_t at = place_ * d_.d_model + index_;
    add(word, {"P", at, d_.positions[at]});
  }

  void share() {
    const std::size_t count = logits_.size(), width = static_cast<std::size_t>(simd_lanes());
    const float max = kernels::row_max(logits_.data(), count);
    Numbers exps(count), lanes(width);
    const float exp_sum = kernels::exp_row(exps.data(), logits_.data(), max, count);
    out_->rule = "softmax";
    out_->terms.resize(count);
    for (std::size_t i = 0; i < count; ++i) {
      lanes[i % width] += exps[i];
      out_->terms[i] = {{"logit", i, logits_[i]}, {}, exps[i], lanes[i % width]};
    }
    out_->constants = {{"temperature", 1.0}, {"max", max}, {"exp_sum", exp_sum}, {"self", static_cast<double>(index_)}};
  }

  const Decoder& d_;
  std::size_t token_, place_;
  Numbers last_, word_, placed_, embedding_, transformed_, activated_, final_, logits_, chances_;
};

}  // namespace

Error explain(const Block& block, const BlockRow& row, std::string_view stage, std::size_t index, Explanation& out) {
  if (Error error = check(block, row.x, 1)) return error;
  if (row.contexts == nullptr) return error(Rule::no_data, "contexts");
  return RowExplainer(block, row).explain(stage, index, out);
}

Error explain(const Decoder& decoder, const DecoderRow& row, std::string_view stage, std::size_t index, Explanation& out) {
  if (row.x == nullptr) return error(Rule::no_data, "x");
  if (row.token < 0 || static_cast<std::uint64_t>(row.token) >= decoder.vocabulary) {
    return error(Rule::decoder_token, {row.token, decoder.vocabulary - 1});
  }
  const std::size_t places = decoder.positions.size() / decoder.d_model;
  if (places > 0 && row.place >= places) return error(Rule::number_index, "P", {places});
  return EndsExplainer(decoder, row).explain(stage, index, out);
}

}  // namespace attention
