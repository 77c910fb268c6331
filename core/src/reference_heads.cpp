// Measures of heads, in plain loops in double.
#include <cmath>

#include "attention/head_measures.h"
#include "checks.h"

namespace attention {

std::vector<double> reference_head_facts(const float* weights, std::size_t heads, std::span<const std::int32_t> tokens) {
  const std::size_t T = tokens.size();
  std::vector<double> facts;
  for (std::size_t head = 0; head < heads; ++head) {
    const auto weight = [&](std::size_t query, std::size_t key) { return static_cast<double>(weights[(head * T + query) * T + key]); };
    double previous = 0, start = 0, self = 0, induction = 0, entropy = 0, rows = 0, repeated = 0;
    for (std::size_t t = 1; t < T; ++t) {
      ++rows;
      previous += weight(t, t - 1);
      start += weight(t, 0);
      self += weight(t, t);
      for (std::size_t k = 0; k < T; ++k) {
        if (weight(t, k) > 0) entropy -= weight(t, k) * std::log2(weight(t, k));
      }
      std::size_t last = T;  // the last earlier token of the same id that another one follows
      for (std::size_t p = 0; p + 1 < t; ++p) {
        if (tokens[p] == tokens[t]) last = p;
      }
      if (last == T) continue;
      ++repeated;
      induction += weight(t, last + 1);
    }
    facts.insert(facts.end(), {previous / rows, start / rows, self / rows, induction / repeated, entropy / rows});
  }
  return facts;
}

std::vector<double> reference_rollout(const float* weights, std::size_t layers, std::size_t heads, std::size_t T) {
  std::vector<double> all, below(T * T, 0);
  for (std::size_t t = 0; t < T; ++t) below[t * T + t] = 1;
  for (std::size_t layer = 0; layer < layers; ++layer) {
    std::vector<double> mixed(T * T, 0), out(T * T, 0);
    for (std::size_t t = 0; t < T; ++t) {
      double sum = 0;
      for (std::size_t k = 0; k < T; ++k) {
        double mean = 0;
        for (std::size_t head = 0; head < heads; ++head) mean += static_cast<double>(weights[((layer * heads + head) * T + t) * T + k]);
        mixed[t * T + k] = 0.5 * mean / static_cast<double>(heads) + (t == k ? 0.5 : 0);
        sum += mixed[t * T + k];
      }
      for (std::size_t k = 0; k < T; ++k) mixed[t * T + k] /= sum;
    }
    for (std::size_t t = 0; t < T; ++t)
      for (std::size_t k = 0; k < T; ++k)
        for (std::size_t j = 0; j < T; ++j) out[t * T + k] += mixed[t * T + j] * below[j * T + k];
    all.insert(all.end(), out.begin(), out.end());
    below = out;
  }
  return all;
}

namespace {

using Row = std::vector<double>;

double at(const Linear& l, std::size_t in, std::size_t out) {
  const bool is_in_out = l.layout == Layout::in_out;
  const std::size_t stride = l.stride != 0 ? l.stride : is_in_out ? l.out : l.in;
  return is_in_out ? number_of(l.weight, stride, in, out) : number_of(l.weight, stride, out, in);
}

// What a head writes of `own`, d_v numbers of it.
Row written(const MultiHead& layer, std::size_t head, const float* own) {
  const std::size_t width = layer.value.out / layer.key_heads;
  if (layer.out_proj.weight == nullptr) {
    Row row(layer.heads * width, 0);
    for (std::size_t j = 0; j < width; ++j) row[head * width + j] = static_cast<double>(own[j]);
    return row;
  }
  Row row(layer.out_proj.out, 0);
  for (std::size_t j = 0; j < width; ++j)
    for (std::size_t i = 0; i < row.size(); ++i) row[i] += static_cast<double>(own[j]) * at(layer.out_proj, head * width + j, i);
  return row;
}

}  // namespace

std::vector<double> reference_value_norms(const MultiHead& layer, const float* value, std::size_t T) {
  const std::size_t width = layer.value.out / layer.key_heads;
  std::vector<double> norms;
  for (std::size_t head = 0; head < layer.heads; ++head) {
    for (std::size_t t = 0; t < T; ++t) {
      double squares = 0;
      for (const double x : written(layer, head, value + t * layer.value.out + head / (layer.heads / layer.key_heads) * width)) squares += x * x;
      norms.push_back(std::sqrt(squares));
    }
  }
  return norms;
}

std::vector<double> reference_logit_parts(const Decoder& d, const ReadText& text, std::size_t position, std::int32_t token) {
  const std::size_t D = d.d_model, L = d.blocks.size(), word = static_cast<std::size_t>(token);
  const LayerNorm& norm = d.final_norm;
  const Linear output = output_of(d);
  const auto row_after = [&](std::size_t blocks) {
    const float* const from = (blocks == 0 ? text.embeddings : text.residuals + (blocks - 1) * text.T * D) + position * D;
    return Row(from, from + D);
  };
  const auto mean_of = [&](const Row& row) {
    double mean = 0;
    for (const double x : row) mean += x / static_cast<double>(D);
    return norm.gain == nullptr || norm.is_rms ? 0 : mean;
  };
  const Row last = row_after(L);
  double square = 0;
  for (const double x : last) square += (x - mean_of(last)) * (x - mean_of(last)) / static_cast<double>(D);
  const double deviation = norm.gain == nullptr ? 1 : std::sqrt(square + static_cast<double>(norm.epsilon));
  // Each part is normed as the whole row is.
  const auto part = [&](const Row& row) {
    double logit = 0;
    for (std::size_t i = 0; i < D; ++i) {
      const double gain = norm.gain == nullptr ? 1 : static_cast<double>(norm.gain[i]);
      logit += (row[i] - mean_of(row)) / deviation * gain * at(output, i, word);
    }
    return logit;
  };
  Row parts;
  double heads = 0, mlps = 0, biases = 0;
  const float* context = text.contexts;
  for (std::size_t block = 0; block < L; ++block) {
    const MultiHead& layer = d.blocks[block].attention;
    const std::size_t width = layer.value.out / layer.key_heads;
    Row rest = row_after(block + 1);
    const auto take = [&](const Row& row) {
      for (std::size_t i = 0; i < D; ++i) rest[i] -= row[i];
    };
    take(row_after(block));
    for (std::size_t head = 0; head < layer.heads; ++head) {
      const Row own = written(layer, head, context + (position * layer.heads + head) * width);
      parts.push_back(part(own));
      take(own);
    }
    Row bias(D, 0);
    if (layer.out_proj.bias != nullptr) bias.assign(layer.out_proj.bias, layer.out_proj.bias + D);
    take(bias);
    parts.insert(parts.end(), {part(bias), part(rest)});
    for (std::size_t i = parts.size() - 2 - layer.heads; i < parts.size() - 2; ++i) heads += parts[i];
    biases += part(bias);
    mlps += part(rest);
    context += text.T * layer.heads * width;
  }
  double constant = output.bias == nullptr ? 0 : static_cast<double>(output.bias[word]);
  for (std::size_t i = 0; norm.gain != nullptr && norm.bias != nullptr && i < D; ++i) constant += static_cast<double>(norm.bias[i]) * at(output, i, word);
  parts.insert(parts.end(), {constant, part(row_after(0)), heads, mlps, biases + constant, part(last) + constant});
  return parts;
}

}  // namespace attention
