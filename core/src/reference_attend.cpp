// attend() by plain loops in double; never optimised, always tested. Its rules are written anew from what
// attend.h says: none is shared with what it tests.
#include <array>
#include <cmath>
#include <limits>
#include <optional>

#include "attention/attend.h"
#include "attention/generator.h"
#include "reference_layers.h"

namespace attention {

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
                            {o.dropout_seed, static_cast<std::uint32_t>(Matrix::dropout)});
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
                                                        : capped + slope * static_cast<double>(pair.distance) +
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

ReferenceAttend reference_attend(Heads<const double> query, Heads<const double> key,
                                 Heads<const double> value, const AttendOptions& options) {
  return reference(query, key, value, options);
}

}  // namespace attention
