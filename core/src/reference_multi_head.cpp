// The layer by plain loops in double; never optimised, always tested.
#include "attention/multi_head.h"
#include "reference_layers.h"

namespace attention {

namespace {

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

}  // namespace

DoubleRows reference_apply(const Linear& l, const DoubleRows& x) {
  if (l.weight == nullptr) return x;
  const bool is_in_out = l.layout == Layout::in_out;
  const std::size_t stride = l.stride != 0 ? l.stride : is_in_out ? l.out : l.in;
  const std::size_t rows = x.size() / l.in;
  DoubleRows y(rows * l.out);
  for (std::size_t r = 0; r < rows; ++r) {
    for (std::size_t o = 0; o < l.out; ++o) {
      double total = l.bias != nullptr ? static_cast<double>(l.bias[o]) : 0;
      for (std::size_t i = 0; i < l.in; ++i) {
        const float weight = l.weight[is_in_out ? i * stride + o : o * stride + i];
        total += x[r * l.in + i] * static_cast<double>(weight);
      }
      y[r * l.out + o] = total;
    }
  }
  return y;
}

ReferenceMultiHead reference_run(const MultiHead& layer, const ReferenceInput& in,
                                 const AttendOptions& options) {
  const std::size_t B = in.batch, H = layer.heads, H_kv = layer.key_heads;
  const std::size_t d_k = layer.key.out / H_kv, d_v = layer.value.out / H_kv;

  ReferenceMultiHead r;
  r.query = reference_apply(layer.query, in.x);
  r.key = reference_apply(layer.key, in.keys);
  r.value = reference_apply(layer.value, reference_apply(layer.value_down, in.values));
  r.rotated_query = r.query;
  r.rotated_key = r.key;
  turn(layer.rotary, r.rotated_query, B, H, d_k, in.positions);
  turn(layer.rotary, r.rotated_key, B, H_kv, d_k, in.key_positions);

  const std::size_t T = r.query.size() / (B * H * d_k), S = r.key.size() / (B * H_kv * d_k);
  r.attend = reference_attend(heads_last<const double>(r.rotated_query.data(), B, T, H, d_k),
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
  r.y = reference_apply(layer.out_proj, r.concat);
  return r;
}

ReferenceMultiHead reference_run(const MultiHead& layer, const MultiHeadInput& in,
                                 const AttendOptions& options) {
  const bool is_self = in.keys.data == nullptr;
  const Rows& keys = is_self ? in.x : in.keys;
  const Rows& values = in.values.data != nullptr ? in.values : keys;
  const auto key_positions = is_self && in.key_positions.empty() ? in.positions : in.key_positions;
  const ReferenceInput input{in.x.batch,   doubles(in.x), doubles(keys), doubles(values),
                             in.positions, key_positions, in.changes};
  return reference_run(layer, input, options);
}

}  // namespace attention
