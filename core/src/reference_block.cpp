// The block and the decoder by plain loops in double; never optimised, always tested.
#include <cmath>
#include <numbers>

#include "attention/decoder.h"
#include "reference_layers.h"

namespace attention {

namespace {

DoubleRows norm(const LayerNorm& n, const DoubleRows& x) {
  DoubleRows y(x.size());
  const auto width = static_cast<double>(n.width);
  for (std::size_t row = 0; row < x.size(); row += n.width) {
    double mean = 0, variance = 0;
    for (std::size_t i = 0; i < n.width; ++i) mean += x[row + i] / width;
    for (std::size_t i = 0; i < n.width; ++i) {
      variance += (x[row + i] - mean) * (x[row + i] - mean) / width;
    }
    const double deviation = std::sqrt(variance + static_cast<double>(n.epsilon));
    for (std::size_t i = 0; i < n.width; ++i) {
      y[row + i] = (x[row + i] - mean) / deviation * static_cast<double>(n.gain[i]);
      if (n.bias != nullptr) y[row + i] += static_cast<double>(n.bias[i]);
    }
  }
  return y;
}

double gelu(Gelu kind, double x) {
  if (kind == Gelu::erf) return x / 2 * (1 + std::erf(x / std::numbers::sqrt2));
  return x / 2 * (1 + std::tanh(std::sqrt(2 / std::numbers::pi) * (x + 0.044715 * x * x * x)));
}

// x += table, from its first row on.
void add(DoubleRows& x, std::span<const float> table) {
  for (std::size_t i = 0; i < x.size() && !table.empty(); ++i)
    x[i] += static_cast<double>(table[i]);
}

void add(DoubleRows& x, const DoubleRows& y) {
  for (std::size_t i = 0; i < x.size(); ++i) x[i] += y[i];
}

}  // namespace

DoubleRows reference_run(const Block& block, DoubleRows x, const Intervention& intervention) {
  AttendOptions options;
  options.is_causal = true;
  if (intervention.options) options = *intervention.options;
  if (options.alibi_slopes.empty()) options.alibi_slopes = block.alibi_slopes;
  const DoubleRows normed = norm(block.norm_1, x);
  DoubleRows placed = normed;
  add(placed, block.query_key_positions);
  const ReferenceInput input{1, placed, placed, normed, {}, {}, intervention.heads};
  add(x, reference_run(block.attention, input, options).y);

  DoubleRows hidden = reference_apply(block.up, norm(block.norm_2, x));
  for (double& y : hidden) y = gelu(block.gelu, y);
  add(x, reference_apply(block.down, hidden));
  return x;
}

DoubleRows reference_logits(const Decoder& decoder, std::span<const std::int32_t> tokens,
                            std::span<const Intervention> interventions) {
  const std::size_t D = decoder.d_model;
  DoubleRows x;
  for (const std::int32_t token : tokens) {
    const float* row = decoder.embeddings + static_cast<std::size_t>(token) * D;
    x.insert(x.end(), row, row + D);
  }
  add(x, decoder.positions);
  for (std::size_t i = 0; i < decoder.blocks.size(); ++i) {
    x = reference_run(decoder.blocks[i], std::move(x),
                      interventions.empty() ? Intervention{} : interventions[i]);
  }
  if (decoder.final_norm.gain != nullptr) x = norm(decoder.final_norm, x);
  if (decoder.output.weight != nullptr) return reference_apply(decoder.output, x);
  DoubleRows logits;  // each row with each embedding
  for (std::size_t row = 0; row < x.size(); row += D) {
    for (std::size_t v = 0; v < decoder.vocabulary; ++v) {
      double dot = 0;
      for (std::size_t i = 0; i < D; ++i) dot += x[row + i] * static_cast<double>(decoder.embeddings[v * D + i]);
      logits.push_back(dot);
    }
  }
  return logits;
}

}  // namespace attention
