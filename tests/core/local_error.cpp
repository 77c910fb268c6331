#include "local_error.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <numbers>
#include <vector>

#include "attention/positions.h"

namespace attention::test {

namespace {

using Doubles = std::vector<double>;
using Floats = std::vector<float>;

constexpr double kUnit = 0x1p-24;
constexpr double kUnits = 8;       // of a stage that adds nothing up
constexpr double kSmallest = 3e-38;  // exp is 0 below it, and float32 has fewer digits
constexpr double kLargest = 3e38;
constexpr double kInfinity = std::numeric_limits<double>::infinity();

double d(float x) { return static_cast<double>(x); }

double units(std::size_t terms) { return kUnits + static_cast<double>(terms); }

// Of an attention problem: the masks' and added terms, from the reference, whose mask rules are its own.
struct Row {
  std::vector<bool> is_masked;
  Doubles alibi, bias;  // what is added to the capped scores
};

Row row_of(const ReferenceAttend& reference, const AttendOptions& o, std::size_t b, std::size_t h,
           std::size_t query, std::size_t first, std::size_t keys) {
  Row row{std::vector<bool>(keys), Doubles(keys), Doubles(keys)};
  const double offset = static_cast<double>(o.batch_offsets.empty() ? o.offset : o.batch_offsets[b]);
  for (std::size_t k = 0; k < keys; ++k) {
    row.is_masked[k] = reference.masked_scores[first + k] == -kInfinity;
    if (row.is_masked[k]) continue;
    const double distance = static_cast<double>(k) - static_cast<double>(query) - offset;
    if (!o.alibi_slopes.empty()) row.alibi[k] = -d(o.alibi_slopes[h]) * std::fabs(distance);
    if (o.mask.bias == nullptr) continue;
    row.bias[k] = reference.masked_scores[first + k] - reference.capped_scores[first + k] - row.alibi[k];
  }
  return row;
}

// By how much a score's weight, as a share of itself, is off for each unit that the scores' own sizes round
// by: of the difference from the largest, and before it of the quotients by a temperature.
double distance(double score, double max, double temperature) {
  if (temperature == 0 || score == -kInfinity) return 0;
  if (temperature == 1) return max - score;
  return (max - score + std::fabs(max) + std::fabs(score)) / temperature;
}

double gelu_of(Gelu kind, double x) {
  if (kind == Gelu::erf) return x / 2 * (1 + std::erf(x / std::numbers::sqrt2));
  return x / 2 * (1 + std::tanh(std::sqrt(2 / std::numbers::pi) * (x + 0.044715 * x * x * x)));
}

double silu_of(double x) { return x / (1 + std::exp(-x)); }

}  // namespace

void LocalError::see(std::string_view stage, double got, double exact, double terms, double units) {
  if (!(terms < kLargest)) return;  // float32 may have overflowed on the way
  const double share = std::fabs(got - exact) / (units * (kUnit * terms + kSmallest));
  if (share <= worst_) return;
  worst_ = std::isnan(share) ? kInfinity : share;
  worst_stage_ = stage;
}

void LocalError::same(std::string_view stage, const float* got, const float* expected, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    const bool is_same = got[i] == expected[i] || (std::isnan(got[i]) && std::isnan(expected[i]));
    if (is_same || !holds()) continue;
    worst_ = kInfinity;
    worst_stage_ = stage;
  }
}

void LocalError::linear(std::string_view stage, const Linear& l, const float* x, std::size_t rows, const float* y) {
  const bool is_in_out = l.layout == Layout::in_out;
  const std::size_t stride = l.stride != 0 ? l.stride : is_in_out ? l.out : l.in;
  for (std::size_t r = 0; r < rows; ++r) {
    for (std::size_t o = 0; o < l.out; ++o) {
      double exact = l.bias != nullptr ? d(l.bias[o]) : 0, terms = std::fabs(exact);
      for (std::size_t i = 0; i < l.in; ++i) {
        const double term = d(x[r * l.in + i]) * d(l.weight.floats()[is_in_out ? i * stride + o : o * stride + i]);
        exact += term;
        terms += std::fabs(term);
      }
      see(stage, d(y[r * l.out + o]), exact, terms, units(l.in));
    }
  }
}

void LocalError::norm(std::string_view stage, const LayerNorm& n, const float* x, std::size_t rows, const float* y) {
  const auto width = static_cast<double>(n.width);
  for (std::size_t row = 0; row < rows * n.width; row += n.width) {
    // Differences from the first number are exact where rows are nearly constant; their mean in double would not be.
    const double origin = n.is_rms ? 0 : d(x[row]);
    double mean = 0, variance = 0, furthest = 0;
    for (std::size_t i = 0; i < n.width && !n.is_rms; ++i) mean += (d(x[row + i]) - origin) / width;
    for (std::size_t i = 0; i < n.width; ++i) {
      const double difference = d(x[row + i]) - origin - mean;
      variance += difference * difference / width;
      furthest = std::fmax(furthest, std::fabs(difference));
    }
    const double deviation = std::sqrt(variance + d(n.epsilon));
    for (std::size_t i = 0; i < n.width; ++i) {
      const double gain = d(n.gain[i]), bias = n.bias != nullptr ? d(n.bias[i]) : 0;
      see(stage, d(y[row + i]), (d(x[row + i]) - origin - mean) / deviation * gain + bias,
          furthest / deviation * std::fabs(gain) + std::fabs(bias), kUnits);
    }
  }
}

void LocalError::sum(std::string_view stage, const float* x, const float* y, std::size_t count, const float* out) {
  for (std::size_t i = 0; i < count; ++i) {
    see(stage, d(out[i]), d(x[i]) + d(y[i]), std::fabs(d(x[i])) + std::fabs(d(y[i])), kUnits);
  }
}

void LocalError::gelu(Gelu kind, const float* x, std::size_t count, const float* y) {
  for (std::size_t i = 0; i < count; ++i) see("gelu", d(y[i]), gelu_of(kind, d(x[i])), std::fabs(d(x[i])), kUnits);
}

void LocalError::silu(const float* x, std::size_t count, const float* y) {
  for (std::size_t i = 0; i < count; ++i) see("silu", d(y[i]), silu_of(d(x[i])), std::fabs(d(x[i])), kUnits);
}

void LocalError::rotary(const RotaryTables& tables, std::span<const std::int64_t> positions, const float* x,
                        std::size_t batch, std::size_t rows, std::size_t heads, std::size_t width, const float* y) {
  for (std::size_t at = 0; at < batch * rows * heads * width; ++at) {
    const std::size_t i = at % width, row = at / width / heads;
    if (i >= 2 * tables.half) {
      see("rotary's rest", d(y[at]), d(x[at]), 0, kUnits);
      continue;
    }
    const bool is_interleaved = tables.pairs == RotaryPairs::interleaved;
    const std::size_t pair = is_interleaved ? i / 2 : i % tables.half;
    const bool is_first = is_interleaved ? i % 2 == 0 : i < tables.half;
    const std::size_t gap = is_interleaved ? 1 : tables.half;
    const std::size_t place = positions.empty() ? row % rows : static_cast<std::size_t>(positions[row]);
    const double own = d(x[at]) * d(tables.cosines[place * tables.half + pair]);
    const double other = d(x[is_first ? at + gap : at - gap]) * d(tables.sines[place * tables.half + pair]);
    see("rotary", d(y[at]), is_first ? own - other : own + other, std::fabs(own) + std::fabs(other), kUnits);
  }
}

void LocalError::attend_stages(Heads<const float> query, Heads<const float> key, Heads<const float> value,
                               const AttendOptions& o, const AttendStages& s, Heads<const float> context) {
  const std::size_t S = key.rows, group = query.heads / key.heads;
  const double scale = o.scale ? d(*o.scale) : 1 / std::sqrt(static_cast<double>(key.width));
  const ReferenceAttend reference = reference_attend(query, key, value, o);
  for (std::size_t image = 0; image < query.batch * query.heads * query.rows; ++image) {
    const std::size_t b = image / query.rows / query.heads, h = image / query.rows % query.heads;
    const std::size_t q = image % query.rows, first = image * S;
    const Row row = row_of(reference, o, b, h, q, first, S);
    double max = -kInfinity, sum = 0;
    for (std::size_t k = 0; k < S; ++k) {
      double dot = 0, terms = 0;
      for (std::size_t i = 0; i < key.width; ++i) {
        const double term = d(query.row(b, h, q)[i]) * d(key.row(b, h / group, k)[i]);
        dot += term;
        terms += std::fabs(term);
      }
      see("scores", d(s.scores[first + k]), dot, terms, units(key.width));
      const double scaled = d(s.scores[first + k]) * scale;
      see("scaled scores", d(s.scaled_scores[first + k]), scaled, std::fabs(scaled), kUnits);
      double capped = d(s.scaled_scores[first + k]);
      if (o.softcap > 0) capped = d(o.softcap) * std::tanh(capped / d(o.softcap));
      see("capped scores", d(s.capped_scores[first + k]), capped, std::fabs(capped), kUnits);
      if (row.is_masked[k]) {
        if (s.masked_scores[first + k] != -std::numeric_limits<float>::infinity()) see("mask", 1, 0, 0, 0);
        continue;
      }
      const double from = d(s.capped_scores[first + k]);
      see("masked scores", d(s.masked_scores[first + k]), from + row.alibi[k] + row.bias[k],
          std::fabs(from) + std::fabs(row.alibi[k]) + std::fabs(row.bias[k]), kUnits);
      max = std::fmax(max, d(s.masked_scores[first + k]));
    }
    const double t = d(o.temperature);
    const auto power = [&](std::size_t k) {
      const double from_max = row.is_masked[k] ? kInfinity : max - d(s.masked_scores[first + k]);
      return t > 0 ? std::exp(-from_max / t) : from_max == 0 ? 1.0 : 0.0;
    };
    for (std::size_t k = 0; k < S; ++k) sum += power(k);
    for (std::size_t k = 0; k < S; ++k) {
      const double weight = row.is_masked[k] ? 0 : power(k) / sum;
      see("weights", d(s.weights[first + k]), weight,
          weight * (1 + distance(d(s.masked_scores[first + k]), max, t)), units(S));
      const bool is_kept = o.dropout == 0 || reference.dropped_weights[first + k] != 0;
      // Of a weight that the reference has as 0 it does not say whether it was dropped.
      if (reference.weights[first + k] == 0) continue;
      const double dropped = is_kept ? d(s.weights[first + k]) / (1 - d(o.dropout)) : 0;
      see("dropped weights", d(s.dropped_weights[first + k]), dropped, dropped, kUnits);
    }
    for (std::size_t i = 0; i < value.width; ++i) {
      double exact = 0, terms = 0;
      for (std::size_t k = 0; k < S; ++k) {
        const double term = row.is_masked[k] ? 0 : d(s.dropped_weights[first + k]) * d(value.row(b, h / group, k)[i]);
        exact += term;
        terms += std::fabs(term);
      }
      see("context", d(context.row(b, h, q)[i]), exact, terms, units(S));
    }
  }
}

void LocalError::attend(Heads<const float> query, Heads<const float> key, Heads<const float> value,
                        const AttendOptions& o, Heads<const float> context) {
  const std::size_t S = key.rows, group = query.heads / key.heads;
  const double scale = o.scale ? d(*o.scale) : 1 / std::sqrt(static_cast<double>(key.width));
  const ReferenceAttend reference = reference_attend(query, key, value, o);
  for (std::size_t image = 0; image < query.batch * query.heads * query.rows; ++image) {
    const std::size_t b = image / query.rows / query.heads, h = image / query.rows % query.heads;
    const std::size_t q = image % query.rows, first = image * S;
    const Row row = row_of(reference, o, b, h, q, first, S);
    const double t = d(o.temperature);
    double max = -kInfinity, most_terms = 0;
    for (std::size_t k = 0; k < S; ++k) max = std::fmax(max, reference.masked_scores[first + k]);
    // How far, as a share of itself, an exponential may be off: by its score's error, that of the difference
    // from the maximum, and exp's own. Weights move by that, and by what their sum moves.
    Doubles relative(S), errors(S);
    double of_sum = units(S) * kUnit;
    for (std::size_t k = 0; k < S; ++k) {
      if (row.is_masked[k]) continue;
      double terms = 0;
      for (std::size_t i = 0; i < key.width; ++i) {
        terms += std::fabs(d(query.row(b, h, q)[i]) * d(key.row(b, h / group, k)[i]));
      }
      const double capped = std::fabs(reference.capped_scores[first + k]);
      const double score = units(key.width) * std::fabs(scale) * terms + kUnits * capped +
                           kUnits * (capped + std::fabs(row.alibi[k]) + std::fabs(row.bias[k]));
      const double masked = reference.masked_scores[first + k];
      if (t > 0) relative[k] = std::expm1(kUnit * (score / t + kUnits * (1 + distance(masked, max, t))));
      errors[k] = kUnit * score;
      of_sum += reference.weights[first + k] * relative[k];
      most_terms = std::fmax(most_terms, terms * std::fmax(1, std::fabs(scale)));
    }
    // An arg-max says which key it is only where no second one is within reach of their roundings.
    std::size_t within_reach = 0;
    const double most_error = *std::max_element(errors.begin(), errors.end());
    for (std::size_t k = 0; k < S; ++k) {
      within_reach += !row.is_masked[k] && max - reference.masked_scores[first + k] <= 2 * most_error;
    }
    if (t == 0 && within_reach > 1) continue;
    // Scores whose rounding moves the weights as far as they reach say nothing, nor do those that overflow.
    if (!(of_sum < 0.25) || !(most_terms < kLargest)) continue;
    for (std::size_t i = 0; i < value.width; ++i) {
      double bound = 0, largest = 0;
      for (std::size_t k = 0; k < S; ++k) {
        if (row.is_masked[k]) continue;
        const double v = std::fabs(d(value.row(b, h / group, k)[i]));
        const double term = reference.dropped_weights[first + k] * v;
        bound += term * (relative[k] + of_sum + units(S) * kUnit) / (1 - of_sum);
        largest = std::fmax(largest, v);
      }
      const double exact = reference.context[image * value.width + i];
      // In see()'s terms, whose units are of 2^-24.
      see("attend", d(context.row(b, h, q)[i]), exact, bound / kUnit + largest / kUnit * kSmallest * units(S), 1);
    }
  }
}

void LocalError::projected(std::string_view stage, const Linear& l, const HeadNorm& n, const float* x, std::size_t rows,
                           const float* y) {
  if (n.gain.empty()) return linear(stage, l, x, rows, y);
  Floats raw(rows * l.out);
  apply(l, x, rows, raw.data());
  linear(stage, l, x, rows, raw.data());
  norm(stage, {n.gain.data(), nullptr, n.gain.size(), n.epsilon, true}, raw.data(), raw.size() / n.gain.size(), y);
}

void LocalError::multi_head(const MultiHead& l, const MultiHeadInput& in, const AttendOptions& options,
                            const MultiHeadStages& s, const float* y) {
  const Rows& keys = in.keys.data != nullptr ? in.keys : in.x;
  const Rows& values = in.values.data != nullptr ? in.values : keys;
  const std::size_t B = in.x.batch, T = in.x.rows, S = keys.rows, H = l.heads, H_kv = l.key_heads;
  const std::size_t d_k = l.key.out / H_kv, d_v = l.value.out / H_kv;
  projected("query", l.query, l.query_norm, in.x.data, B * T, s.query);
  projected("key", l.key, l.key_norm, keys.data, B * S, s.key);
  Floats low;
  if (l.value_down.weight != nullptr) {
    low.resize(B * S * l.value_down.out);
    apply(l.value_down, values.data, B * S, low.data());
    linear("value_down", l.value_down, values.data, B * S, low.data());
  }
  linear("value", l.value, low.empty() ? values.data : low.data(), B * S, s.value);
  const bool is_self = in.keys.data == nullptr;
  const auto key_positions = is_self && in.key_positions.empty() ? in.positions : in.key_positions;
  rotary(l.rotary, in.positions, s.query, B, T, H, d_k, s.rotated_query);
  rotary(l.rotary, key_positions, s.key, B, S, H_kv, d_k, s.rotated_key);

  const auto query = heads_last<const float>(s.rotated_query, B, T, H, d_k);
  const auto key = heads_last<const float>(s.rotated_key, B, S, H_kv, d_k);
  const auto value = heads_last<const float>(s.value, B, S, H_kv, d_v);
  const auto context = heads_last<const float>(s.concat, B, T, H, d_v);
  if (s.attend.scores != nullptr) {
    attend_stages(query, key, value, options, s.attend, context);
  } else {
    attend(query, key, value, options, context);
  }
  if (l.out_proj.weight != nullptr) linear("out_proj", l.out_proj, s.concat, B * T, y);
}

void LocalError::decoder(const Decoder& decoder, std::span<const std::int32_t> tokens, bool keeps_scores) {
  const std::size_t T = tokens.size(), D = decoder.d_model, N = decoder.blocks.size();
  std::vector<std::vector<Floats>> kept(N);
  std::vector<MultiHeadStages> layers(N);
  std::vector<Floats> residuals(N, Floats(T * D));
  std::vector<float*> residual_pointers(N);
  for (std::size_t n = 0; n < N; ++n) {
    const MultiHead& l = decoder.blocks[n].attention;
    const auto keep = [&](float*& stage, std::size_t count) { stage = kept[n].emplace_back(count).data(); };
    const std::size_t cells = keeps_scores ? l.heads * T * T : 0;
    MultiHeadStages& s = layers[n];
    keep(s.query, T * l.query.out);
    keep(s.rotated_query, T * l.query.out);
    keep(s.key, T * l.key.out);
    keep(s.rotated_key, T * l.key.out);
    keep(s.value, T * l.value.out);
    keep(s.concat, T * l.heads * (l.value.out / l.key_heads));
    for (float** stage : {&s.attend.scores, &s.attend.scaled_scores, &s.attend.capped_scores,
                          &s.attend.masked_scores, &s.attend.weights, &s.attend.dropped_weights}) {
      if (cells > 0) keep(*stage, cells);
    }
    residual_pointers[n] = residuals[n].data();
  }
  Floats embeddings(T * D), logits(T * decoder.vocabulary);
  DecoderState state;
  if (state.reserve(decoder, T) || run(decoder, tokens, state, logits.data(), LogitsOf::every_token,
                                       {embeddings.data(), layers, residual_pointers})) {
    return see("run", 1, 0, 0, 0);
  }

  Floats rows(T * D);
  for (std::size_t t = 0; t < T; ++t) {
    std::copy_n(decoder.embeddings.floats() + static_cast<std::size_t>(tokens[t]) * D, D, rows.begin() + static_cast<std::ptrdiff_t>(t * D));
  }
  if (decoder.embeddings_norm.gain != nullptr) {
    for (std::size_t i = 0; i < T * D && !decoder.positions.empty(); ++i) rows[i] += decoder.positions[i];
    norm("embeddings' norm", decoder.embeddings_norm, rows.data(), T, embeddings.data());
  } else if (!decoder.positions.empty()) {
    sum("embeddings", rows.data(), decoder.positions.data(), T * D, embeddings.data());
  }
  const float* x = embeddings.data();
  for (std::size_t n = 0; n < N; ++n) {
    const Block& block = decoder.blocks[n];
    Floats normed(T * D), placed, attended(T * D), between(T * D);
    if (block.is_post_norm) {
      std::copy_n(x, T * D, normed.data());
    } else {
      apply(block.norm_1, x, T, normed.data());
      norm("norm_1", block.norm_1, x, T, normed.data());
    }
    MultiHeadInput input;
    input.x = {normed.data(), 1, T, D};
    if (!block.query_key_positions.empty()) {
      placed.resize(T * D);
      for (std::size_t i = 0; i < T * D; ++i) placed[i] = normed[i] + block.query_key_positions[i];
      input.x.data = placed.data();
      input.values = {normed.data(), 1, T, D};
    }
    AttendOptions options;
    options.is_causal = block.is_causal;
    options.alibi_slopes = block.alibi_slopes;
    const Linear& out_proj = block.attention.out_proj;
    if (out_proj.weight != nullptr) {
      apply(out_proj, layers[n].concat, T, attended.data());
    } else {
      std::copy_n(layers[n].concat, T * D, attended.data());
    }
    multi_head(block.attention, input, options, layers[n], attended.data());
    for (std::size_t i = 0; i < T * D; ++i) between[i] = x[i] + attended[i];
    if (block.is_post_norm) {
      const Floats added = between;
      apply(block.norm_1, added.data(), T, between.data());
      norm("norm_1", block.norm_1, added.data(), T, between.data());
    }

    Floats normed_2(T * D), up(T * block.up.out), hidden(up.size()), down(T * D), result(T * D);
    const float* const read = block.is_parallel ? x : between.data();
    if (block.is_post_norm) {
      std::copy_n(read, T * D, normed_2.data());
    } else {
      apply(block.norm_2, read, T, normed_2.data());
      norm("norm_2", block.norm_2, read, T, normed_2.data());
    }
    apply(block.up, normed_2.data(), T, up.data());
    linear("up", block.up, normed_2.data(), T, up.data());
    if (block.gate.weight != nullptr) {
      Floats gate(up.size()), share(up.size());
      apply(block.gate, normed_2.data(), T, gate.data());
      linear("gate", block.gate, normed_2.data(), T, gate.data());
      attention::silu(gate.data(), gate.size(), share.data());
      silu(gate.data(), gate.size(), share.data());
      for (std::size_t i = 0; i < up.size(); ++i) hidden[i] = up[i] * share[i];
    } else {
      apply(block.gelu, up.data(), up.size(), hidden.data());
      gelu(block.gelu, up.data(), up.size(), hidden.data());
    }
    apply(block.down, hidden.data(), T, down.data());
    linear("down", block.down, hidden.data(), T, down.data());
    for (std::size_t i = 0; i < T * D; ++i) result[i] = between[i] + down[i];
    if (block.is_post_norm) {
      const Floats added = result;
      apply(block.norm_2, added.data(), T, result.data());
      norm("norm_2", block.norm_2, added.data(), T, result.data());
    }
    same("residual", residuals[n].data(), result.data(), T * D);
    x = residuals[n].data();
  }
  Floats last(x, x + T * D);
  if (decoder.transform.weight != nullptr) {
    Floats transformed(T * D);
    apply(decoder.transform, last.data(), T, transformed.data());
    linear("transform", decoder.transform, last.data(), T, transformed.data());
    apply(decoder.transform_gelu, transformed.data(), T * D, last.data());
    gelu(decoder.transform_gelu, transformed.data(), T * D, last.data());
  }
  if (decoder.final_norm.gain != nullptr) {
    const Floats read = last;
    apply(decoder.final_norm, read.data(), T, last.data());
    norm("final norm", decoder.final_norm, read.data(), T, last.data());
  }
  const Linear tied{decoder.embeddings, nullptr, D, decoder.vocabulary, Layout::out_in};
  linear("logits", decoder.output.weight != nullptr ? decoder.output : tied, last.data(), T, logits.data());
  if (keeps_scores) return;
  Floats plain(logits.size());
  state.truncate(0);
  if (run(decoder, tokens, state, plain.data())) return see("run", 1, 0, 0, 0);
  same("logits without stages", plain.data(), logits.data(), plain.size());
}

}  // namespace attention::test
