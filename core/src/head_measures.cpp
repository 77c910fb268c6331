#include "attention/head_measures.h"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <limits>
#include <numeric>

#include "attention/measures.h"
#include "kernels.h"

namespace attention {

namespace {

// The mean of the added numbers; NaN if there are none.
class Mean {
 public:
  void add(float x) {
    sum_ += static_cast<double>(x);
    ++count_;
  }
  float value() const {
    return count_ == 0 ? std::numeric_limits<float>::quiet_NaN() : static_cast<float>(sum_ / static_cast<double>(count_));
  }

 private:
  double sum_ = 0;
  std::size_t count_ = 0;
};

// The token after the last earlier one of the same id as `t`'s; 0 = there is none.
std::size_t after_the_same(std::span<const std::int32_t> tokens, std::size_t t) {
  for (std::size_t p = t; p-- > 0;)
    if (tokens[p] == tokens[t] && p + 1 < t) return p + 1;
  return 0;
}

std::size_t value_width(const MultiHead& layer) { return layer.value.out / layer.key_heads; }

std::size_t stride_of(const Linear& l) { return l.stride != 0 ? l.stride : l.layout == Layout::in_out ? l.out : l.in; }

double weight_at(const Linear& l, std::size_t in, std::size_t out) {
  const std::size_t stride = stride_of(l);
  const bool is_in_out = l.layout == Layout::in_out;
  float weight = 0;
  widen(l.weight, stride, is_in_out ? in : out, is_in_out ? out : in, 1, &weight);
  return static_cast<double>(weight);
}

// A head's rows of the output projection, without its bias.
Linear head_of(const Linear& out_proj, std::size_t head, std::size_t heads) {
  Linear own = out_proj;
  own.bias = nullptr;
  own.in = out_proj.in / heads;
  own.stride = stride_of(out_proj);
  const std::size_t first = head * own.in;
  const bool is_in_out = out_proj.layout == Layout::in_out;
  own.weight = own.weight.from(is_in_out ? first : 0, is_in_out ? 0 : first, own.stride);
  return own;
}

float length_of(const float* x, std::size_t count) {
  double squares = 0;
  for (std::size_t i = 0; i < count; ++i) squares += static_cast<double>(x[i]) * static_cast<double>(x[i]);
  return static_cast<float>(std::sqrt(squares));
}

// What a row is multiplied by to give one logit, the final norm's mean and scale held at `row`'s; and what is added then.
class Direction {
 public:
  // False where there is no memory.
  bool set(const Decoder& d, const float* row, std::int32_t word) {
    const Linear output = output_of(d);
    const LayerNorm& norm = d.final_norm;
    const std::size_t D = d.d_model, token = static_cast<std::size_t>(word);
    if (!numbers_.resize(D)) return false;
    if (output.bias != nullptr) constant_ = static_cast<double>(output.bias[token]);
    const double scale = norm.gain != nullptr ? scale_of(norm, row) : 1;
    double mean = 0;
    for (std::size_t i = 0; i < D; ++i) {
      const double gain = norm.gain != nullptr ? static_cast<double>(norm.gain[i]) : 1;
      mean += gain * scale * weight_at(output, i, token) / static_cast<double>(D);
      if (norm.gain != nullptr && norm.bias != nullptr) constant_ += static_cast<double>(norm.bias[i]) * weight_at(output, i, token);
    }
    // Taking the mean off a row is taking it off what the row is multiplied by.
    if (norm.gain == nullptr || norm.is_rms) mean = 0;
    for (std::size_t i = 0; i < D; ++i) {
      const double gain = norm.gain != nullptr ? static_cast<double>(norm.gain[i]) : 1;
      numbers_.floats()[i] = static_cast<float>(gain * scale * weight_at(output, i, token) - mean);
    }
    return true;
  }

  std::span<const float> numbers() const { return numbers_.floats(); }
  double times(const float* row) const {
    double sum = 0;
    for (const float each : numbers()) sum += static_cast<double>(*row++) * static_cast<double>(each);
    return sum;
  }
  double constant() const { return constant_; }

 private:
  static double scale_of(const LayerNorm& norm, const float* row) {
    const Moments found = moments({row, norm.width});
    const double square = found.variance + (norm.is_rms ? found.mean * found.mean : 0);
    return 1 / std::sqrt(square + static_cast<double>(norm.epsilon));
  }

  Buffer numbers_;
  double constant_ = 0;
};

double added_by_head(const MultiHead& layer, std::size_t head, const float* context, const Direction& direction) {
  const std::size_t width = value_width(layer), first = head * width;
  double sum = 0;
  for (std::size_t j = first; j < first + width; ++j) {
    double through = layer.out_proj.weight == nullptr ? static_cast<double>(direction.numbers()[j]) : 0;
    for (std::size_t i = 0; i < layer.out_proj.out; ++i) {
      through += weight_at(layer.out_proj, j, i) * static_cast<double>(direction.numbers()[i]);
    }
    sum += static_cast<double>(context[j]) * through;
  }
  return sum;
}

}  // namespace

void head_facts(const float* weights, std::size_t heads, std::span<const std::int32_t> tokens, float* facts) {
  const std::size_t T = tokens.size();
  for (std::size_t head = 0; head < heads; ++head) {
    Mean previous, start, self, induction, bits;
    for (std::size_t t = 1; t < T; ++t) {
      const float* const row = weights + (head * T + t) * T;
      previous.add(row[t - 1]);
      start.add(row[0]);
      self.add(row[t]);
      bits.add(entropy({row, T}));
      if (const std::size_t key = after_the_same(tokens, t)) induction.add(row[key]);
    }
    float* const to = facts + head * kHeadFacts;
    const float all[kHeadFacts] = {previous.value(), start.value(), self.value(), induction.value(), bits.value()};
    std::copy_n(all, kHeadFacts, to);
  }
}

std::size_t induction_rows(std::span<const std::int32_t> tokens) {
  std::size_t rows = 0;
  for (std::size_t t = 1; t < tokens.size(); ++t) rows += after_the_same(tokens, t) != 0 ? 1 : 0;
  return rows;
}

void mean_of_heads(const float* weights, std::size_t heads, std::size_t T, float* mean) {
  std::copy_n(weights, T * T, mean);
  for (std::size_t head = 1; head < heads; ++head) kernels::add(mean, mean, weights + head * T * T, T * T);
  kernels::divide(mean, mean, static_cast<float>(heads), T * T);
}

void roll_out(const float* mean, const float* below, std::size_t T, float* out) {
  if (below != nullptr) kernels::matmul_nn({out, T, T, T}, {mean, T, T, T}, {below, T, T, T});
  else std::copy_n(mean, T * T, out);
  // (mean + I)/2 over its row's sum, times below, is (mean · below + below) over the row's sum and 1.
  for (std::size_t t = 0; t < T; ++t) {
    float* const row = out + t * T;
    if (below != nullptr) kernels::add(row, row, below + t * T, T);
    else row[t] += 1;
    kernels::divide(row, row, std::accumulate(mean + t * T, mean + (t + 1) * T, 1.0f), T);
  }
}

bool value_norms(const MultiHead& layer, const float* value, std::size_t T, float* norms) {
  const std::size_t width = value_width(layer), row = layer.value.out, shared = layer.heads / layer.key_heads;
  const bool has_out_proj = layer.out_proj.weight != nullptr;
  Buffer written;
  if (!written.resize(has_out_proj ? layer.out_proj.out : width)) return false;
  float* const out = written.floats().data();
  for (std::size_t head = 0; head < layer.heads; ++head) {
    for (std::size_t t = 0; t < T; ++t) {
      const float* const own = value + t * row + head / shared * width;
      if (has_out_proj) apply(head_of(layer.out_proj, head, layer.heads), own, 1, out);
      else std::copy_n(own, width, out);
      norms[head * T + t] = length_of(out, written.floats().size());
    }
  }
  return true;
}

void weigh_values(const float* weights, const float* norms, std::size_t heads, std::size_t T, float* weighted) {
  for (std::size_t row = 0; row < heads * T; ++row) {
    float* const out = weighted + row * T;
    kernels::multiply(out, weights + row * T, norms + row / T * T, T);
    const float sum = std::accumulate(out, out + T, 0.0f);
    if (sum > 0) kernels::divide(out, out, sum, T);
  }
}

std::size_t logit_part_count(const Decoder& d) {
  const std::size_t heads = d.blocks.empty() ? 0 : d.blocks[0].attention.heads;
  const bool is_sum = d.transform.weight == nullptr && std::none_of(d.blocks.begin(), d.blocks.end(), [&](const Block& block) {
    return block.is_post_norm || block.attention.heads != heads;
  });
  return is_sum ? d.blocks.size() * (heads + 2) + kLogitSums : 0;
}

bool logit_parts(const Decoder& d, const ReadText& text, std::size_t position, std::int32_t token, float* parts) {
  const std::size_t D = d.d_model, rows = text.T * D;
  const auto row_after = [&](std::size_t blocks) {
    return (blocks == 0 ? text.embeddings : text.residuals + (blocks - 1) * rows) + position * D;
  };
  Direction direction;
  if (!direction.set(d, row_after(d.blocks.size()), token)) return false;
  const float* contexts = text.contexts;
  const double embedding = direction.times(row_after(0));
  double before = embedding, heads = 0, mlps = 0, biases = direction.constant();
  float* to = parts;
  for (std::size_t i = 0; i < d.blocks.size(); ++i) {
    const MultiHead& layer = d.blocks[i].attention;
    const std::size_t width = layer.heads * value_width(layer);
    double attention = 0;
    for (std::size_t head = 0; head < layer.heads; ++head) {
      const double added = added_by_head(layer, head, contexts + position * width, direction);
      attention += added;
      *to++ = static_cast<float>(added);
    }
    const double bias = layer.out_proj.bias != nullptr ? direction.times(layer.out_proj.bias) : 0;
    const double after = direction.times(row_after(i + 1)), mlp = after - before - attention - bias;
    *to++ = static_cast<float>(bias);
    *to++ = static_cast<float>(mlp);
    heads += attention;
    mlps += mlp;
    biases += bias;
    before = after;
    contexts += text.T * width;
  }
  for (const double each : {direction.constant(), embedding, heads, mlps, biases, embedding + heads + mlps + biases}) {
    *to++ = static_cast<float>(each);
  }
  return true;
}

}  // namespace attention
