// The operators in plain loops in double, never optimised. Their rules are implemented here from the headers'
// descriptions and share no code with what they test.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <numbers>
#include <optional>
#include <utility>

#include "attention/decoder.h"
#include "attention/generator.h"
#include "attention/measures.h"
#include "checks.h"

namespace attention {

// --- attend() -----------------------------------------------------------------------------------

namespace {

constexpr double kMasked = -std::numeric_limits<double>::infinity();

// Where a mask of (B, H, T, S) holds the element of these four, an extent of 1 repeating along its axis;
// nothing where it has fewer columns.
std::optional<std::size_t> element_of(const MaskTensor& mask, const std::array<std::size_t, 4>& place) {
  if (place[3] >= mask.extents[3]) return {};
  std::size_t at = 0;
  for (std::size_t axis = 0; axis < 4; ++axis) {
    const bool repeats = axis < 3 && mask.extents[axis] == 1;
    at = at * mask.extents[axis] + (repeats ? 0 : place[axis]);
  }
  return at;
}

// Key j, counted from the first; query i stands at i + offset among the keys.
struct Pair {
  std::size_t batch, head, query, key;
  std::int64_t distance;  // j - (i + offset): of keys to come above 0

  Pair(const AttendOptions& o, std::size_t b, std::size_t h, std::size_t i, std::size_t j)
      : batch(b), head(h), query(i), key(j) {
    const std::int64_t offset = o.batch_offsets.empty() ? o.offset : o.batch_offsets[b];
    distance = static_cast<std::int64_t>(j) - static_cast<std::int64_t>(i) - offset;
  }
};

// What the mask's bias adds; -infinity for keys that it leaves out.
double bias_of(const MaskTensor& mask, const Pair& p) {
  if (mask.bias == nullptr) return 0;
  const auto at = element_of(mask, {p.batch, p.head, p.query, p.key});
  return at ? static_cast<double>(mask.bias[*at]) : kMasked;
}

// Each rule of AttendOptions by itself: whether it hides the key from the query.
bool is_masked(const AttendOptions& o, const Pair& p) {
  if (o.is_causal && p.distance > 0) return true;
  if (o.window_left != -1 && p.distance < -o.window_left) return true;
  if (o.window_right != -1 && p.distance > o.window_right) return true;
  if (!o.key_ranges.empty()) {
    const KeyRange& range = o.key_ranges[p.query];
    if (p.key < range.begin || p.key >= range.end) return true;
  }
  if (!o.key_lengths.empty() && static_cast<std::int64_t>(p.key) >= o.key_lengths[p.batch]) return true;
  if (bias_of(o.mask, p) == kMasked) return true;
  if (o.mask.allowed == nullptr) return false;
  const auto at = element_of(o.mask, {p.batch, p.head, p.query, p.key});
  return !at || o.mask.allowed[*at] == 0;
}

bool is_dropped(const AttendOptions& o, std::size_t head, std::size_t q, std::size_t k) {
  const auto words = philox({static_cast<std::uint32_t>(k / 4), static_cast<std::uint32_t>(q),
                             static_cast<std::uint32_t>(head), 0},
                            {o.dropout_seed, static_cast<std::uint32_t>(Drawn::dropout)});
  return words[k % 4] < static_cast<std::uint32_t>(static_cast<double>(o.dropout) * 0x1p32);
}

// softmax(in / temperature) over in[0 … n), at temperature 0 all on the largest, equals sharing; zeros
// when all are -infinity.
void softmax(const double* in, double* out, std::size_t n, double temperature) {
  double max = kMasked, sum = 0;
  bool all_masked = true;
  for (std::size_t k = 0; k < n; ++k) {
    max = std::fmax(max, in[k]);
    all_masked = all_masked && in[k] == kMasked;
  }
  const auto power = [&](double score) {
    if (std::isnan(score)) return score;
    return temperature > 0 ? std::exp((score - max) / temperature) : score == max ? 1.0 : 0.0;
  };
  for (std::size_t k = 0; k < n; ++k) sum += out[k] = all_masked ? 0 : power(in[k]);
  for (std::size_t k = 0; k < n && !all_masked; ++k) out[k] /= sum;
}

template <class T>
ReferenceAttend reference(Heads<const T> query, Heads<const T> key, Heads<const T> value,
                          const AttendOptions& o) {
  const std::size_t B = query.batch, H = query.heads, rows = query.rows, S = key.rows;
  const std::size_t group = H / key.heads;
  const double factor = o.scale ? static_cast<double>(*o.scale)
                                : 1 / std::sqrt(static_cast<double>(key.width));
  ReferenceAttend r;
  for (auto* stage : {&r.scores, &r.scaled_scores, &r.capped_scores, &r.masked_scores, &r.weights,
                      &r.dropped_weights}) {
    stage->resize(B * H * rows * S);
  }
  r.context.assign(B * H * rows * value.width, 0.0);

  for (std::size_t b = 0; b < B; ++b) {
    for (std::size_t h = 0; h < H; ++h) {
      for (std::size_t q = 0; q < rows; ++q) {
        const std::size_t row = ((b * H + h) * rows + q) * S;
        for (std::size_t k = 0; k < S; ++k) {
          double dot = 0;
          for (std::size_t i = 0; i < key.width; ++i) {
            dot += static_cast<double>(query.row(b, h, q)[i]) *
                   static_cast<double>(key.row(b, h / group, k)[i]);
          }
          r.scores[row + k] = dot;
          const double scaled = r.scaled_scores[row + k] = dot * factor;
          const double cap = static_cast<double>(o.softcap);
          const double capped = r.capped_scores[row + k] =
              cap > 0 ? cap * std::tanh(scaled / cap) : scaled;
          const Pair pair(o, b, h, q, k);
          const double slope = o.alibi_slopes.empty() ? 0 : static_cast<double>(o.alibi_slopes[h]);
          r.masked_scores[row + k] = is_masked(o, pair) ? kMasked
                                                        : capped - slope * std::fabs(static_cast<double>(pair.distance)) +
                                                              bias_of(o.mask, pair);
        }
        softmax(&r.masked_scores[row], &r.weights[row], S, static_cast<double>(o.temperature));
        double* context = &r.context[((b * H + h) * rows + q) * value.width];
        for (std::size_t k = 0; k < S; ++k) {
          const bool drop = o.dropout > 0 && is_dropped(o, b * H + h, q, k);
          const double weight = r.dropped_weights[row + k] =
              drop ? 0 : r.weights[row + k] / (1 - static_cast<double>(o.dropout));
          if (is_masked(o, Pair(o, b, h, q, k))) continue;  // whatever its value holds
          for (std::size_t i = 0; i < value.width; ++i) {
            context[i] += weight * static_cast<double>(value.row(b, h / group, k)[i]);
          }
        }
      }
    }
  }
  return r;
}

}  // namespace

ReferenceAttend reference_attend(Heads<const float> query, Heads<const float> key,
                                 Heads<const float> value, const AttendOptions& options) {
  return reference(query, key, value, options);
}

// --- the multi-head layer -----------------------------------------------------------------------

namespace {

using DoubleRows = std::vector<double>;  // [rows, width]

DoubleRows doubles(const Rows& rows) {
  return {rows.data, rows.data + rows.batch * rows.rows * rows.width};
}

// [B, T, H, width], in place; row r of batch b stands at positions[b, r], or at r.
void turn(const RotaryTables& tables, DoubleRows& x, std::size_t batch, std::size_t heads,
          std::size_t width, std::span<const std::int64_t> positions) {
  const std::size_t half = tables.half, rows = x.size() / (batch * heads * width);
  const bool is_interleaved = tables.pairs == RotaryPairs::interleaved;
  for (std::size_t row = 0; row < batch * rows; ++row) {
    const std::size_t p = positions.empty() ? row % rows : static_cast<std::size_t>(positions[row]);
    for (std::size_t h = 0; h < heads; ++h) {
      for (std::size_t i = 0; i < half; ++i) {
        const std::size_t at = (row * heads + h) * width;
        double& first = x[at + (is_interleaved ? 2 * i : i)];
        double& second = x[at + (is_interleaved ? 2 * i + 1 : half + i)];
        const double c = static_cast<double>(tables.cosines[p * half + i]);
        const double s = static_cast<double>(tables.sines[p * half + i]);
        const double turned = first * c - second * s;
        second = second * c + first * s;
        first = turned;
      }
    }
  }
}

// Patched weights, their contexts, and gains.
void change(const HeadChanges& changes, const DoubleRows& value, std::size_t B, std::size_t H,
            std::size_t H_kv, std::size_t d_v, ReferenceAttend& attend) {
  const std::size_t T = attend.context.size() / (B * H * d_v), S = value.size() / (B * H_kv * d_v);
  for (std::size_t b = 0; b < B; ++b) {
    for (const HeadPatch& patch : changes.patches) {
      const std::size_t head = b * H + patch.head, key_head = patch.head / (H / H_kv);
      for (std::size_t t = 0; t < T; ++t) {
        for (std::size_t k = 0; k < S; ++k) {
          attend.weights[(head * T + t) * S + k] = attend.dropped_weights[(head * T + t) * S + k] =
              static_cast<double>(patch.weights[t * S + k]);
        }
        for (std::size_t i = 0; i < d_v; ++i) {
          double total = 0;
          for (std::size_t k = 0; k < S; ++k) {
            if (patch.weights[t * S + k] == 0) continue;  // whatever the value holds
            total += attend.weights[(head * T + t) * S + k] *
                     value[((b * S + k) * H_kv + key_head) * d_v + i];
          }
          attend.context[(head * T + t) * d_v + i] = total;
        }
      }
    }
  }
  for (std::size_t i = 0; i < attend.context.size() && !changes.gains.empty(); ++i) {
    attend.context[i] *= static_cast<double>(changes.gains[i / (T * d_v) % H]);
  }
}

// [rows, in] to [rows, out]; a Linear without a matrix changes nothing.
DoubleRows apply_in_double(const Linear& l, const DoubleRows& x) {
  if (l.weight == nullptr) return x;
  const bool is_in_out = l.layout == Layout::in_out;
  const std::size_t stride = l.stride != 0 ? l.stride : is_in_out ? l.out : l.in;
  const std::size_t rows = x.size() / l.in;
  DoubleRows y(rows * l.out);
  for (std::size_t r = 0; r < rows; ++r) {
    for (std::size_t o = 0; o < l.out; ++o) {
      double total = l.bias != nullptr ? static_cast<double>(l.bias[o]) : 0;
      for (std::size_t i = 0; i < l.in; ++i) {
        total += x[r * l.in + i] * (is_in_out ? number_of(l.weight, stride, i, o) : number_of(l.weight, stride, o, i));
      }
      y[r * l.out + o] = total;
    }
  }
  return y;
}

// Each run of a head's numbers by itself.
DoubleRows norm_heads(const HeadNorm& norm, DoubleRows x) {
  const std::size_t width = norm.gain.size();
  for (std::size_t row = 0; row < x.size() && width > 0; row += width) {
    double mean = 0;
    for (std::size_t i = 0; i < width; ++i) mean += x[row + i] * x[row + i] / static_cast<double>(width);
    const double size = std::sqrt(mean + static_cast<double>(norm.epsilon));
    for (std::size_t i = 0; i < width; ++i) x[row + i] = x[row + i] / size * static_cast<double>(norm.gain[i]);
  }
  return x;
}

// What the layer reads, already in double: x, keys and values are [batch, rows, their width].
struct ReferenceInput {
  std::size_t batch;
  const DoubleRows &x, &keys, &values;
  std::span<const std::int64_t> positions, key_positions;
  const HeadChanges& changes;
};
ReferenceMultiHead run_in_double(const MultiHead& layer, const ReferenceInput& in,
                                 const AttendOptions& options) {
  const std::size_t B = in.batch, H = layer.heads, H_kv = layer.key_heads;
  const std::size_t d_k = layer.key.out / H_kv, d_v = layer.value.out / H_kv;

  ReferenceMultiHead r;
  r.query = norm_heads(layer.query_norm, apply_in_double(layer.query, in.x));
  r.key = norm_heads(layer.key_norm, apply_in_double(layer.key, in.keys));
  r.value = apply_in_double(layer.value, apply_in_double(layer.value_down, in.values));
  r.rotated_query = r.query;
  r.rotated_key = r.key;
  turn(layer.rotary, r.rotated_query, B, H, d_k, in.positions);
  turn(layer.rotary, r.rotated_key, B, H_kv, d_k, in.key_positions);

  const std::size_t T = r.query.size() / (B * H * d_k), S = r.key.size() / (B * H_kv * d_k);
  r.attend = reference(heads_last<const double>(r.rotated_query.data(), B, T, H, d_k),
                              heads_last<const double>(r.rotated_key.data(), B, S, H_kv, d_k),
                              heads_last<const double>(r.value.data(), B, S, H_kv, d_v), options);
  change(in.changes, r.value, B, H, H_kv, d_v, r.attend);
  r.concat.resize(B * T * H * d_v);
  for (std::size_t b = 0; b < B; ++b)
    for (std::size_t h = 0; h < H; ++h)
      for (std::size_t t = 0; t < T; ++t)
        for (std::size_t i = 0; i < d_v; ++i)
          r.concat[((b * T + t) * H + h) * d_v + i] =
              r.attend.context[((b * H + h) * T + t) * d_v + i];
  r.y = apply_in_double(layer.out_proj, r.concat);
  return r;
}

}  // namespace

ReferenceMultiHead reference_run(const MultiHead& layer, const MultiHeadInput& in,
                                 const AttendOptions& options) {
  const bool is_self = in.keys.data == nullptr;
  const Rows& keys = is_self ? in.x : in.keys;
  const Rows& values = in.values.data != nullptr ? in.values : keys;
  const auto key_positions = is_self && in.key_positions.empty() ? in.positions : in.key_positions;
  const ReferenceInput input{in.x.batch,   doubles(in.x), doubles(keys), doubles(values),
                             in.positions, key_positions, in.changes};
  return run_in_double(layer, input, options);
}

// --- the block and the decoder ------------------------------------------------------------------

namespace {

DoubleRows norm(const LayerNorm& n, const DoubleRows& x) {
  DoubleRows y(x.size());
  const auto width = static_cast<double>(n.width);
  for (std::size_t row = 0; row < x.size(); row += n.width) {
    double mean = 0, variance = 0;
    for (std::size_t i = 0; i < n.width && !n.is_rms; ++i) mean += x[row + i] / width;
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

double silu(double x) { return x / (1 + std::exp(-x)); }

DoubleRows mlp(const Block& block, const DoubleRows& x) {
  const DoubleRows read = block.is_post_norm ? x : norm(block.norm_2, x);
  DoubleRows hidden = apply_in_double(block.up, read);
  if (block.gate.weight != nullptr) {
    const DoubleRows gate = apply_in_double(block.gate, read);
    for (std::size_t i = 0; i < hidden.size(); ++i) hidden[i] *= silu(gate[i]);
  } else {
    for (double& y : hidden) y = gelu(block.gelu, y);
  }
  return apply_in_double(block.down, hidden);
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
  options.is_causal = block.is_causal;
  if (intervention.options) options = *intervention.options;
  if (options.alibi_slopes.empty()) options.alibi_slopes = block.alibi_slopes;
  const bool is_post = block.is_post_norm;
  const DoubleRows normed = is_post ? x : norm(block.norm_1, x);
  DoubleRows placed = normed;
  add(placed, block.query_key_positions);
  const ReferenceInput input{1, placed, placed, normed, {}, {}, intervention.heads};
  const DoubleRows before = x;
  add(x, run_in_double(block.attention, input, options).y);
  if (is_post) x = norm(block.norm_1, x);
  if (block.up.weight == nullptr) return x;
  add(x, mlp(block, block.is_parallel ? before : x));
  return is_post ? norm(block.norm_2, x) : x;
}

DoubleRows reference_logits(const Decoder& decoder, std::span<const std::int32_t> tokens,
                            std::span<const Intervention> interventions) {
  const std::size_t D = decoder.d_model;
  DoubleRows x;
  for (const std::int32_t token : tokens) {
    for (std::size_t i = 0; i < D; ++i) x.push_back(number_of(decoder.embeddings, D, static_cast<std::size_t>(token), i));
  }
  add(x, decoder.positions);
  if (decoder.embeddings_norm.gain != nullptr) x = norm(decoder.embeddings_norm, x);
  for (std::size_t i = 0; i < decoder.blocks.size(); ++i) {
    x = reference_run(decoder.blocks[i], std::move(x),
                      interventions.empty() ? Intervention{} : interventions[i]);
  }
  if (decoder.transform.weight != nullptr) {
    x = apply_in_double(decoder.transform, x);
    for (double& y : x) y = gelu(decoder.transform_gelu, y);
  }
  if (decoder.final_norm.gain != nullptr) x = norm(decoder.final_norm, x);
  if (decoder.output.weight != nullptr) return apply_in_double(decoder.output, x);
  DoubleRows logits;  // each row with each embedding
  for (std::size_t row = 0; row < x.size(); row += D) {
    for (std::size_t v = 0; v < decoder.vocabulary; ++v) {
      double dot = 0;
      for (std::size_t i = 0; i < D; ++i) dot += x[row + i] * number_of(decoder.embeddings, D, v, i);
      logits.push_back(dot);
    }
  }
  return logits;
}

double number_of(const Weight& weight, std::size_t stride, std::size_t row, std::size_t column) {
  Weight at = weight.from(row, column, stride);
  // Interleaved, rows of a group lie side by side.
  const bool is_interleaved = weight.order == Order::interleaved;
  if (is_interleaved && weight.type == NumberType::q8_0) {
    const auto* const block = static_cast<const std::byte*>(at.data);
    const auto whole = static_cast<std::int8_t>(block[16 * (2 + at.first_column) + at.first]);
    return number_of({block + 2 * at.first, NumberType::f16}, 1, 0, 0) * whole;
  }
  if (is_interleaved) at.data = static_cast<const std::byte*>(at.data) + at.first * bytes_of(weight.type, 1);
  at.order = Order::rows;
  if (weight.type == NumberType::f32) return static_cast<double>(*at.floats());
  if (weight.type == NumberType::i8) {
    // A product of float32, which the kernels round as well.
    return static_cast<double>(static_cast<float>(*static_cast<const std::int8_t*>(at.data)) * *at.scales);
  }
  std::uint16_t bits;
  std::memcpy(&bits, at.data, sizeof bits);
  if (weight.type == NumberType::q8_0) {
    const Weight scale{&bits, NumberType::f16};
    return number_of(scale, 1, 0, 0) * static_cast<const std::int8_t*>(at.data)[sizeof bits + at.first];
  }
  const int digits = weight.type == NumberType::bf16 ? 7 : 10;
  const int most = (1 << (15 - digits)) - 1;  // the exponent of infinities and NaN
  const int exponent = bits >> digits & most, fraction = bits & ((1 << digits) - 1);
  double size = std::ldexp((exponent > 0 ? 1 << digits : 0) + fraction, std::max(exponent, 1) - most / 2 - digits);
  if (exponent == most) size = fraction == 0 ? std::numeric_limits<double>::infinity() : std::numeric_limits<double>::quiet_NaN();
  return bits >> 15 != 0 ? -size : size;
}

// --- measures -----------------------------------------------------------------------------------

ReferenceRowFacts reference_row_facts(std::span<const float> weights) {
  ReferenceRowFacts facts;
  double squares = 0;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    const double w = weights[i];
    facts.largest = std::max(facts.largest, w);
    if (w > 0) facts.entropy -= w * std::log2(w);
    for (std::size_t j = 0; j < weights.size(); ++j) {
      const double slope = w * ((i == j ? 1 : 0) - static_cast<double>(weights[j]));
      squares += slope * slope;
    }
  }
  facts.jacobian_norm = std::sqrt(squares);
  return facts;
}

void reference_dot_rows(const float* a, const float* b, std::size_t rows, std::size_t width,
                        std::size_t stride, double* out) {
  for (std::size_t r = 0; r < rows; ++r) {
    out[r] = 0;
    for (std::size_t c = 0; c < width; ++c) {
      out[r] += static_cast<double>(a[r * stride + c]) * static_cast<double>(b[r * stride + c]);
    }
  }
}

}  // namespace attention
