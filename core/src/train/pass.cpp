// One forward and backward pass over a batch.
#include <algorithm>
#include <cmath>

#include "attention/backward.h"
#include "train/gradient_kernels.h"
#include "train/model.h"

namespace attention {

namespace {

using kernels::ConstMatrix;
using kernels::Matrix;
using kernels::NormStatistics;
using kernels::Sums;
using kernels::Turned;

constexpr float kEpsilon = 1e-5f;  // LayerNorm's own

// y (+)= x·W, x [rows, in].
void multiply(const Linear& linear, const float* x, std::size_t rows, float* y, Sums sums) {
  const auto [weight, bias, in, out, layout, stride] = linear;
  const Matrix to{y, rows, out, out};
  const ConstMatrix from{x, rows, in, in};
  if (layout == Layout::in_out) {
    kernels::matmul(to, from, {weight.floats(), in, out, out}, Turned::none, sums);
  } else {
    kernels::matmul(to, from, {weight.floats(), out, in, in}, Turned::right, sums);
  }
}

// The heads of all texts of a batch, and the rule and ranges that they share.
class HeadsOfBatch {
 public:
  HeadsOfBatch(const Trainer::Model& model, const TrainBatch& batch, const TrainerRule& rule)
      : model_(model),
        a_(model.pass->activations),
        lengths_(batch.lengths),
        to_here_(kernels::tiles_of(a_.length)),
        from_here_(to_here_.size()) {
    const auto scale = rule.scales ? 1 / std::sqrt(static_cast<float>(model.d_k())) : 1.0f;
    head_rule_ = {0, a_.stride, scale, rule.is_causal, rule.is_causal ? to_here_.data() : nullptr,
                  rule.is_causal ? from_here_.data() : nullptr};
    read(a_.length);
  }

  void attend(const LayerActivations& l) {
    clear(l.context, model_.D());
    each([&](std::size_t text, std::size_t head) {
      kernels::attend_head(matrices(l, text, head), head_rule_, weights(l, text, head),
                           part<Matrix>(l.context, model_.d_v(), text, head));
    });
  }
  void attend_backward(const LayerActivations& l) {
    const std::size_t d_k = model_.d_k(), d_v = model_.d_v();
    clear(a_.dquery, model_.queries_width());
    clear(a_.dkey, model_.queries_width());
    clear(a_.dvalue, model_.D());
    each([&](std::size_t text, std::size_t head) {
      kernels::attend_head_backward(matrices(l, text, head), head_rule_, weights(l, text, head),
                                    part<ConstMatrix>(a_.dcontext, d_v, text, head),
                                    {part<Matrix>(a_.dquery, d_k, text, head), part<Matrix>(a_.dkey, d_k, text, head),
                                     part<Matrix>(a_.dvalue, d_v, text, head)},
                                    a_.dweights);
    });
  }
  // The scores and the derivatives of one text's, by the products that attention itself is made of.
  void trace(const LayerActivations& l, TracedLayer& to) {
    const std::size_t T = head_rule_.length, stride = a_.stride;
    kernels::HeadRule unscaled = head_rule_;
    unscaled.factor = 1;
    each([&](std::size_t text, std::size_t head) {
      const kernels::HeadMatrices m = matrices(l, text, head);
      const float* const w = weights(l, text, head);
      const Matrix scratch{a_.dweights, T, T, stride};
      const auto keep = [&](std::vector<float>& all, float factor, float hidden) {
        for (std::size_t q = 0; q < T; ++q)
          for (std::size_t k = 0; k < T; ++k) {
            const bool is_hidden = head_rule_.is_causal && k > q;
            all.push_back(is_hidden ? hidden : a_.dweights[q * stride + k] * factor);
          }
      };
      kernels::matmul(scratch, m.query, m.key, Turned::right, Sums::begin, {.columns = head_rule_.to_here});
      keep(to.products.values, 1, kMinusInfinity);
      keep(to.scores.values, head_rule_.factor, kMinusInfinity);
      for (std::size_t q = 0; q < T; ++q) to.weights.values.insert(to.weights.values.end(), w + q * stride, w + q * stride + T);
      kernels::matmul(scratch, part<ConstMatrix>(a_.dcontext, model_.d_v(), text, head), m.value, Turned::right,
                       Sums::begin, {.columns = head_rule_.to_here});
      keep(to.weights.gradients, 1, 0);
      kernels::weigh_rows_backward(w, a_.dweights, unscaled);
      keep(to.scores.gradients, 1, 0);
      keep(to.products.gradients, head_rule_.factor, 0);
    });
  }

 private:
  template <class Step>
  void each(Step step) {
    for (std::size_t text = 0; text < a_.texts; ++text) {
      if (!lengths_.empty()) read(lengths_[text]);
      for (std::size_t head = 0; head < model_.shape.heads; ++head) step(text, head);
    }
  }
  // The next text has so many tokens.
  void read(std::size_t length) {
    if (length == head_rule_.length) return;
    head_rule_.length = length;
    for (std::size_t tile = 0; tile < kernels::tiles_of(length); ++tile) {
      const std::size_t first = tile * kernels::kTileRows;
      to_here_[tile] = {0, std::min(first + kernels::kTileRows, length)};
      from_here_[tile] = {first, length};
    }
  }
  // Clears the rows of padding, which no text writes.
  void clear(float* rows, std::size_t width) const {
    for (std::size_t text = 0; text < lengths_.size(); ++text) {
      std::fill(rows + (text * a_.length + lengths_[text]) * width, rows + (text + 1) * a_.length * width, 0.0f);
    }
  }
  // One head's columns of one text's rows.
  template <class Made>
  Made part(float* rows, std::size_t width, std::size_t text, std::size_t head) const {
    const std::size_t all = width * model_.shape.heads;
    return {rows + text * a_.length * all + head * width, head_rule_.length, width, all};
  }
  kernels::HeadMatrices matrices(const LayerActivations& l, std::size_t text, std::size_t head) const {
    return {part<ConstMatrix>(l.query, model_.d_k(), text, head), part<ConstMatrix>(l.key, model_.d_k(), text, head),
            part<ConstMatrix>(l.value, model_.d_v(), text, head)};
  }
  float* weights(const LayerActivations& l, std::size_t text, std::size_t head) const {
    return l.weights + (text * model_.shape.heads + head) * a_.length * a_.stride;
  }

  const Trainer::Model& model_;
  const Activations& a_;
  std::span<const std::uint32_t> lengths_;
  std::vector<KeyRange> to_here_, from_here_;
  kernels::HeadRule head_rule_;
};

}  // namespace

CrossEntropy Trainer::Model::forward(const TrainBatch& batch, const TrainerRule& rule, bool wants_gradient) {
  Activations& a = pass->activations;
  const std::size_t N = a.rows(), D = this->D();
  HeadsOfBatch heads(*this, batch, rule);
  const auto row_of = [&](std::int32_t id) { return weight(parameters.embeddings) + static_cast<std::size_t>(id) * D; };
  const auto row_of_position = [&](std::size_t i) { return weight(parameters.positions) + i % a.length * D; };
  const auto norm = [&](const Parameter& gain, const Parameter& bias, const float* x, float* y, NormStatistics* s) {
    kernels::norm_rows({weight(gain), weight(bias), D, kEpsilon}, x, N, y, s);
  };

  for (std::size_t i = 0; i < N; ++i) {
    float* const x = a.layers[0].x + i * D;
    std::copy_n(row_of(batch.tokens[i]), D, x);
    if (!batch.second.empty() && batch.second[i] >= 0) kernels::add(x, x, row_of(batch.second[i]), D);
    if (shape.positions == PositionKind::added) kernels::add(x, x, row_of_position(i), D);
  }
  for (std::size_t i = 0; i < a.layers.size(); ++i) {
    const LayerActivations& l = a.layers[i];
    const LayerParameters& p = parameters.layers[i];
    float* const out = i + 1 < a.layers.size() ? a.layers[i + 1].x : a.x;
    norm(p.norm_1_gain, p.norm_1_bias, l.x, l.normed, l.norm_1);
    for (std::size_t row = 0; row < N && l.placed != l.normed; ++row) {
      kernels::add(l.placed + row * D, l.normed + row * D, row_of_position(row), D);
    }
    multiply(linear(p.query), l.placed, N, l.query, Sums::begin);
    multiply(linear(p.key), l.placed, N, l.key, Sums::begin);
    multiply(linear(p.value), l.normed, N, l.value, Sums::begin);
    heads.attend(l);
    float* const between = shape.hidden > 0 ? l.between : out;
    std::copy_n(l.x, N * D, between);
    multiply(linear(p.out_proj), l.context, N, between, Sums::go_on);
    if (shape.hidden == 0) continue;

    norm(p.norm_2_gain, p.norm_2_bias, between, l.normed_2, l.norm_2);
    multiply(linear(p.up), l.normed_2, N, l.hidden, Sums::begin);
    kernels::gelu_tanh_with_slope(l.hidden, l.slope, l.hidden, N * shape.hidden);
    std::copy_n(between, N * D, out);
    multiply(linear(p.down), l.hidden, N, out, Sums::go_on);
  }
  norm(parameters.final_gain, parameters.final_bias, a.x, a.normed, a.final_norm);
  multiply(output_linear(), a.normed, N, a.logits, Sums::begin);
  return cross_entropy(a.logits, shape.vocabulary, batch.targets, wants_gradient ? a.logits : nullptr);
}

// a.logits holds the derivative by the logits.
void Trainer::Model::backward(const TrainBatch& batch, const TrainerRule& rule, TracedPass* traced) {
  const Activations& a = pass->activations;
  const std::size_t N = a.rows(), D = this->D(), hidden = shape.hidden;
  const Rows places{a.dnormed, a.texts, a.length, D};
  HeadsOfBatch heads(*this, batch, rule);
  if (traced != nullptr) traced->layers.assign(a.layers.size(), {});
  const auto keep = [&](std::vector<float>& to, const float* from, std::size_t width) {
    to.assign(from, from + N * width);
  };
  const auto product = [&](const Parameter& p, const float* x, std::vector<float>& y) {
    y.resize(N * p.columns);
    multiply(linear(p), x, N, y.data(), Sums::begin);
  };
  std::ranges::fill(gradients.floats(), 0.0f);
  const auto norm_back = [&](const Parameter& gain, const Parameter& bias, const float* x, const NormStatistics* s) {
    kernels::norm_rows_backward({weight(gain), nullptr, D, kEpsilon}, s, x, N, a.dnormed, {a.dx, gradient(gain), gradient(bias)});
  };
  const auto by_weight = [&](const Parameter& p, const float* x, const float* dy) {
    static_cast<void>(linear_backward(linear(p), x, N, dy, {.weight = gradient(p)}));  // of float32
  };
  // dx = dy·W^T, the first of several that are added.
  const auto by_input = [&](const Parameter& p, const float* dy, float* dx, Sums sums) {
    kernels::matmul({dx, N, p.rows, p.rows}, {dy, N, p.columns, p.columns},
                     {weight(p), p.rows, p.columns, p.columns}, Turned::right, sums);
  };

  const Parameter& output = shape.tied ? parameters.embeddings : parameters.output;
  std::fill_n(a.dnormed, N * D, 0.0f);
  static_cast<void>(linear_backward(output_linear(), a.normed, N, a.logits, {.x = a.dnormed, .weight = gradient(output)}));
  std::fill_n(a.dx, N * D, 0.0f);
  norm_back(parameters.final_gain, parameters.final_bias, a.x, a.final_norm);
  if (traced != nullptr) {
    keep(traced->residual.values, a.x, D);
    keep(traced->residual.gradients, a.dx, D);
    keep(traced->normed.values, a.normed, D);
    keep(traced->normed.gradients, a.dnormed, D);
    keep(traced->logits.gradients, a.logits, outputs());
  }
  for (std::size_t i = a.layers.size(); i-- > 0;) {
    const LayerActivations& l = a.layers[i];
    const LayerParameters& p = parameters.layers[i];
    TracedLayer* const to = traced == nullptr ? nullptr : &traced->layers[i];
    if (hidden > 0) {
      by_weight(p.down, l.hidden, a.dx);
      by_input(p.down, a.dx, a.dhidden, Sums::begin);
      if (to != nullptr) {
        product(p.down, l.hidden, to->mlp_output.values), keep(to->mlp_output.gradients, a.dx, D);
        keep(to->hidden.values, l.hidden, hidden), keep(to->hidden.gradients, a.dhidden, hidden);
      }
      kernels::multiply(a.dhidden, l.slope, N * hidden);
      by_weight(p.up, l.normed_2, a.dhidden);
      by_input(p.up, a.dhidden, a.dnormed, Sums::begin);
      norm_back(p.norm_2_gain, p.norm_2_bias, l.between, l.norm_2);
      if (to != nullptr) {
        product(p.up, l.normed_2, to->up.values), keep(to->up.gradients, a.dhidden, hidden);
        keep(to->normed_2.values, l.normed_2, D), keep(to->normed_2.gradients, a.dnormed, D);
        keep(to->between.values, l.between, D), keep(to->between.gradients, a.dx, D);
      }
    }
    by_weight(p.out_proj, l.context, a.dx);
    by_input(p.out_proj, a.dx, a.dcontext, Sums::begin);
    if (to != nullptr) {
      heads.trace(l, *to);
      product(p.out_proj, l.context, to->output.values);
      keep(to->output.gradients, a.dx, D);
      keep(to->context.values, l.context, D);
      keep(to->context.gradients, a.dcontext, D);
    }
    heads.attend_backward(l);
    by_weight(p.query, l.placed, a.dquery);
    by_weight(p.key, l.placed, a.dkey);
    by_weight(p.value, l.normed, a.dvalue);
    by_input(p.query, a.dquery, a.dnormed, Sums::begin);
    by_input(p.key, a.dkey, a.dnormed, Sums::go_on);
    if (l.placed != l.normed) positions_backward(places, 0, gradient(parameters.positions));
    by_input(p.value, a.dvalue, a.dnormed, Sums::go_on);
    norm_back(p.norm_1_gain, p.norm_1_bias, l.x, l.norm_1);
    if (to != nullptr) {
      const std::size_t keys = queries_width();
      keep(to->query.values, l.query, keys), keep(to->query.gradients, a.dquery, keys);
      keep(to->key.values, l.key, keys), keep(to->key.gradients, a.dkey, keys);
      keep(to->value.values, l.value, D), keep(to->value.gradients, a.dvalue, D);
      keep(to->normed.values, l.normed, D), keep(to->normed.gradients, a.dnormed, D);
      keep(to->x.values, l.x, D), keep(to->x.gradients, a.dx, D);
    }
  }
  rows_backward(batch.tokens, a.dx, D, gradient(parameters.embeddings));
  rows_backward(batch.second, a.dx, D, gradient(parameters.embeddings));
  if (shape.positions == PositionKind::added) {
    positions_backward({a.dx, a.texts, a.length, D}, 0, gradient(parameters.positions));
  }
}

void Trainer::Model::update(const TrainerRule& rule, double gradient_norm) {
  const bool clips = rule.clip > 0 && gradient_norm > static_cast<double>(rule.clip);
  const auto factor = clips ? static_cast<float>(static_cast<double>(rule.clip) / gradient_norm) : 1.0f;
  double rate = rule.rate;
  if (steps < rule.warm_up) rate *= (steps + 1.0) / rule.warm_up;
  if (rule.falls_over > 0) rate *= std::max(0.1, 1 - 0.9 * steps / rule.falls_over);
  if (rule.optimizer == Optimizer::adamw) power_1 *= kBeta1, power_2 *= kBeta2;
  for (const TrainedArray& array : arrays) {
    const std::size_t numbers = array.weights.size();
    const auto at = static_cast<std::size_t>(array.weights.data() - weights.floats().data());
    const double decay = array.decays ? rule.decay : 0.0f;
    float *const w = weights.floats().data() + at, *const m = moments.floats().data() + at;
    if (rule.optimizer == Optimizer::adamw) {
      adamw({factor, rate, decay, power_1, power_2}, array.gradients.data(), numbers, w, m, m + count);
    } else {
      sgd({factor, rate, decay}, array.gradients.data(), numbers, w, m);
    }
  }
  ++steps;
}

}  // namespace attention
