// attend() by plain loops in double; never optimised, always tested.
#include <cmath>
#include <limits>

#include "attend_options.h"
#include "attention/attend.h"
#include "attention/generator.h"
#include "reference_layers.h"

namespace attention {

namespace {

constexpr double kMasked = -std::numeric_limits<double>::infinity();

bool may_see(const AttendOptions& o, std::size_t b, std::size_t h, std::size_t q, std::size_t k,
             std::size_t keys) {
  const KeyRange range = key_range(o, b, q, keys);
  if (k < range.begin || k >= range.end) return false;
  const std::uint8_t* allowed = mask_row(o.mask, o.mask.allowed, b, h, q);
  const float* bias = mask_row(o.mask, o.mask.bias, b, h, q);
  return (allowed == nullptr || allowed[k] != 0) &&
         (bias == nullptr || bias[k] != -std::numeric_limits<float>::infinity());
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
        const float* bias = mask_row(o.mask, o.mask.bias, b, h, q);
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
          const bool seen = may_see(o, b, h, q, k, S);
          const double distance =
              static_cast<double>(static_cast<std::int64_t>(k) - place_of(o, b, q));
          double added = o.alibi_slopes.empty() ? 0 : static_cast<double>(o.alibi_slopes[h]) * distance;
          if (seen && bias != nullptr) added += static_cast<double>(bias[k]);  // may be short of k
          r.masked_scores[row + k] = seen ? capped + added : kMasked;
        }
        softmax(&r.masked_scores[row], &r.weights[row], S, static_cast<double>(o.temperature));
        double* context = &r.context[((b * H + h) * rows + q) * value.width];
        for (std::size_t k = 0; k < S; ++k) {
          const bool drop = o.dropout > 0 && is_dropped(o, b * H + h, q, k);
          const double weight = r.dropped_weights[row + k] =
              drop ? 0 : r.weights[row + k] / (1 - static_cast<double>(o.dropout));
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
