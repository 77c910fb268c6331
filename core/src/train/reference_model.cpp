// The loss of a whole model and its gradient by plain loops in double, all tokens of a text at once.
#include <cmath>

#include "attention/backward.h"
#include "attention/trainer.h"

namespace attention {

namespace {

using Doubles = std::vector<double>;
using View = std::span<const double>;

// Arrays by turns, as arrays() names them, with their gradients.
class Arrays {
 public:
  Arrays(View weights, Doubles& gradients) : weights_(weights), gradients_(gradients) {}

  struct Array {
    View weights;
    std::span<double> gradients;
    void add(const Doubles& more) const {
      for (std::size_t i = 0; i < more.size(); ++i) gradients[i] += more[i];
    }
  };
  Array next(std::size_t count) {
    const Array made{weights_.subspan(at_, count), std::span(gradients_).subspan(at_, count)};
    at_ += count;
    return made;
  }

 private:
  View weights_;
  Doubles& gradients_;
  std::size_t at_ = 0;
};

using Array = Arrays::Array;

struct Layer {
  Array norm_1_gain, norm_1_bias, query, key, value, out_proj, norm_2_gain, norm_2_bias, up, down;
};

Doubles times(const Doubles& x, View weight, std::size_t in) {
  const std::size_t out = weight.size() / in;
  Doubles y(x.size() / in * out);
  for (std::size_t at = 0; at < y.size(); ++at)
    for (std::size_t i = 0; i < in; ++i) y[at] += x[at / out * in + i] * weight[i * out + at % out];
  return y;
}

Doubles normed(const Doubles& x, View gain, View bias) {
  const std::size_t width = gain.size();
  Doubles y(x.size());
  for (std::size_t row = 0; row < x.size(); row += width) {
    double mean = 0, variance = 0;
    for (std::size_t i = 0; i < width; ++i) mean += x[row + i] / static_cast<double>(width);
    for (std::size_t i = 0; i < width; ++i) variance += std::pow(x[row + i] - mean, 2) / static_cast<double>(width);
    for (std::size_t i = 0; i < width; ++i) {
      y[row + i] = (x[row + i] - mean) / std::sqrt(variance + 1e-5) * gain[i] + bias[i];
    }
  }
  return y;
}

void add(Doubles& x, const Doubles& y) {
  for (std::size_t i = 0; i < x.size(); ++i) x[i] += y[i];
}

// One text's heads: rows are [length, heads · width].
struct OneText {
  std::size_t length, heads, d_k, d_v;
  double scale;
  bool is_causal;
  std::size_t read;  // tokens that are no filler; filler sees itself alone

  bool sees(std::size_t query, std::size_t key) const {
    if (query >= read || key >= read) return query == key;
    return !is_causal || key <= query;
  }
  std::size_t at_key(std::size_t row, std::size_t h, std::size_t i) const { return (row * heads + h) * d_k + i; }
  std::size_t at_value(std::size_t row, std::size_t h, std::size_t i) const { return (row * heads + h) * d_v + i; }

  Doubles weights(const Doubles& q, const Doubles& k) const {
    Doubles w(heads * length * length);
    for (std::size_t h = 0; h < heads; ++h) {
      for (std::size_t t = 0; t < length; ++t) {
        double* const row = &w[(h * length + t) * length];
        double max = -INFINITY, sum = 0;
        for (std::size_t s = 0; s < length; ++s) {
          for (std::size_t i = 0; i < d_k; ++i) row[s] += scale * q[at_key(t, h, i)] * k[at_key(s, h, i)];
          if (sees(t, s)) max = std::fmax(max, row[s]);
        }
        for (std::size_t s = 0; s < length; ++s) sum += row[s] = sees(t, s) ? std::exp(row[s] - max) : 0;
        for (std::size_t s = 0; s < length; ++s) row[s] /= sum;
      }
    }
    return w;
  }
  Doubles context(const Doubles& w, const Doubles& v) const {
    Doubles c(v.size());
    for (std::size_t h = 0; h < heads; ++h)
      for (std::size_t t = 0; t < length; ++t)
        for (std::size_t s = 0; s < length; ++s)
          for (std::size_t i = 0; i < d_v; ++i) {
            c[at_value(t, h, i)] += w[(h * length + t) * length + s] * v[at_value(s, h, i)];
          }
    return c;
  }
  void backward(const Doubles& q, const Doubles& k, const Doubles& v, const Doubles& w, const Doubles& dcontext,
                Doubles& dq, Doubles& dk, Doubles& dv) const {
    Doubles dw(w.size());
    for (std::size_t h = 0; h < heads; ++h)
      for (std::size_t t = 0; t < length; ++t)
        for (std::size_t s = 0; s < length; ++s)
          for (std::size_t i = 0; i < d_v; ++i) {
            dw[(h * length + t) * length + s] += dcontext[at_value(t, h, i)] * v[at_value(s, h, i)];
            dv[at_value(s, h, i)] += w[(h * length + t) * length + s] * dcontext[at_value(t, h, i)];
          }
    const Doubles dscores = reference_softmax_backward(w, dw, length);
    for (std::size_t h = 0; h < heads; ++h)
      for (std::size_t t = 0; t < length; ++t)
        for (std::size_t s = 0; s < length; ++s)
          for (std::size_t i = 0; i < d_k; ++i) {
            const double by = scale * dscores[(h * length + t) * length + s];
            dq[at_key(t, h, i)] += by * k[at_key(s, h, i)];
            dk[at_key(s, h, i)] += by * q[at_key(t, h, i)];
          }
  }
};

// What a layer was given and made of one text.
struct Kept {
  Doubles x, normed, placed, query, key, value, weights, context, between, normed_2, up, hidden;
};

double gelu(double x) {
  return x / 2 * (1 + std::tanh(std::sqrt(2 / 3.14159265358979323846) * (x + 0.044715 * std::pow(x, 3))));
}

}  // namespace

ReferenceStep reference_gradients(const TrainerShape& shape, std::span<const double> weights, const TrainBatch& batch,
                                  const TrainerRule& rule) {
  const std::size_t D = shape.d_model, V = shape.vocabulary, O = std::size_t{shape.slots} * V, F = shape.hidden;
  const std::size_t length = batch.tokens.size() / batch.texts, Q = std::size_t{shape.heads} * shape.d_k;
  ReferenceStep step{0, Doubles(weights.size())};
  Arrays arrays(weights, step.gradients);
  const Array embeddings = arrays.next(V * D);
  const Array positions = arrays.next(shape.positions == PositionKind::none ? 0 : shape.context * D);
  std::vector<Layer> layers(shape.layers);
  for (Layer& l : layers) {
    l = {arrays.next(D), arrays.next(D), arrays.next(D * Q), arrays.next(D * Q), arrays.next(D * D), arrays.next(D * D),
         {}, {}, {}, {}};
    if (F == 0) continue;
    l.norm_2_gain = arrays.next(D), l.norm_2_bias = arrays.next(D);
    l.up = arrays.next(D * F), l.down = arrays.next(F * D);
  }
  const Array final_gain = arrays.next(D), final_bias = arrays.next(D);
  const Array output = arrays.next(shape.tied ? 0 : D * O);
  Doubles tied(shape.tied ? D * O : 0);  // the embeddings, transposed
  for (std::size_t i = 0; i < tied.size(); ++i) tied[i] = embeddings.weights[i % O * D + i / O];
  const View output_weight = shape.tied ? View(tied) : output.weights;
  const bool is_added = shape.positions == PositionKind::added;
  const bool is_placed = shape.positions == PositionKind::in_queries_and_keys;
  const double scale = rule.scales ? 1 / std::sqrt(static_cast<double>(shape.d_k)) : 1;
  const auto heads_of = [&](std::size_t text) {
    const std::size_t read = batch.lengths.empty() ? length : batch.lengths[text];
    return OneText{length, shape.heads, shape.d_k, D / shape.heads, scale, rule.is_causal, read};
  };
  const auto each_row = [&](std::size_t text, auto&& visit) {
    for (std::size_t i = 0; i < length * D; ++i) visit(i, text * length + i / D, i % D);
  };

  // Forward, all texts: the loss is a mean over all of them.
  std::vector<std::vector<Kept>> kept(batch.texts, std::vector<Kept>(layers.size()));
  Doubles x_last, logits;
  for (std::size_t text = 0; text < batch.texts; ++text) {
    const OneText heads = heads_of(text);
    Doubles x(length * D);
    each_row(text, [&](std::size_t at, std::size_t token, std::size_t i) {
      x[at] = embeddings.weights[static_cast<std::size_t>(batch.tokens[token]) * D + i];
      const std::int32_t second = batch.second.empty() ? -1 : batch.second[token];
      if (second >= 0) x[at] += embeddings.weights[static_cast<std::size_t>(second) * D + i];
      if (is_added) x[at] += positions.weights[at];
    });
    for (std::size_t n = 0; n < layers.size(); ++n) {
      const Layer& l = layers[n];
      Kept& s = kept[text][n];
      s.x = x;
      s.normed = s.placed = normed(x, l.norm_1_gain.weights, l.norm_1_bias.weights);
      for (std::size_t i = 0; i < s.placed.size() && is_placed; ++i) s.placed[i] += positions.weights[i];
      s.query = times(s.placed, l.query.weights, D);
      s.key = times(s.placed, l.key.weights, D);
      s.value = times(s.normed, l.value.weights, D);
      s.weights = heads.weights(s.query, s.key);
      s.context = heads.context(s.weights, s.value);
      add(x, times(s.context, l.out_proj.weights, D));
      s.between = x;
      if (F == 0) continue;
      s.normed_2 = normed(x, l.norm_2_gain.weights, l.norm_2_bias.weights);
      s.hidden = s.up = times(s.normed_2, l.up.weights, D);
      for (double& h : s.hidden) h = gelu(h);
      add(x, times(s.hidden, l.down.weights, F));
    }
    x_last.insert(x_last.end(), x.begin(), x.end());
  }
  const Doubles last = normed(x_last, final_gain.weights, final_bias.weights);
  logits = times(last, output_weight, D);
  Doubles dlogits;
  step.loss = reference_cross_entropy(logits, V, batch.targets, dlogits);

  // And back.
  const ReferenceLinearGradients out = reference_linear_backward(output_weight, last, dlogits, D, O);
  if (shape.tied) {
    for (std::size_t i = 0; i < D * O; ++i) embeddings.gradients[i % O * D + i / O] += out.weight[i];
  } else {
    output.add(out.weight);
  }
  const auto through_norm = [](const Array& gain, const Array& bias, const Doubles& x, const Doubles& dy) {
    const ReferenceLayerNormGradients g = reference_layer_norm_backward(gain.weights, 1e-5f, x, dy);
    gain.add(g.gain);
    bias.add(g.bias);
    return g.x;
  };
  const auto through = [](const Array& weight, const Doubles& x, const Doubles& dy, std::size_t in) {
    const ReferenceLinearGradients g = reference_linear_backward(weight.weights, x, dy, in, weight.weights.size() / in);
    weight.add(g.weight);
    return g.x;
  };
  const Doubles dx_last = through_norm(final_gain, final_bias, x_last, out.x);
  for (std::size_t text = 0; text < batch.texts; ++text) {
    const auto begin = dx_last.begin() + static_cast<std::ptrdiff_t>(text * length * D);
    const OneText heads = heads_of(text);
    Doubles dx(begin, begin + static_cast<std::ptrdiff_t>(length * D));
    for (std::size_t n = layers.size(); n-- > 0;) {
      const Layer& l = layers[n];
      const Kept& s = kept[text][n];
      if (F > 0) {
        const Doubles dhidden = through(l.down, s.hidden, dx, F);
        const Doubles dup = reference_gelu_backward(Gelu::tanh, s.up, dhidden);
        add(dx, through_norm(l.norm_2_gain, l.norm_2_bias, s.between, through(l.up, s.normed_2, dup, D)));
      }
      Doubles dq(s.query.size()), dk(s.key.size()), dv(s.value.size());
      heads.backward(s.query, s.key, s.value, s.weights, through(l.out_proj, s.context, dx, D), dq, dk, dv);
      Doubles dnormed = through(l.query, s.placed, dq, D);
      add(dnormed, through(l.key, s.placed, dk, D));
      for (std::size_t i = 0; i < dnormed.size() && is_placed; ++i) positions.gradients[i] += dnormed[i];
      add(dnormed, through(l.value, s.normed, dv, D));
      add(dx, through_norm(l.norm_1_gain, l.norm_1_bias, s.x, dnormed));
    }
    each_row(text, [&](std::size_t at, std::size_t token, std::size_t i) {
      embeddings.gradients[static_cast<std::size_t>(batch.tokens[token]) * D + i] += dx[at];
      const std::int32_t second = batch.second.empty() ? -1 : batch.second[token];
      if (second >= 0) embeddings.gradients[static_cast<std::size_t>(second) * D + i] += dx[at];
      if (is_added) positions.gradients[at] += dx[at];
    });
  }
  return step;
}

}  // namespace attention
