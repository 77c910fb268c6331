// Gradients of the operators by plain loops in double.
#include <cmath>
#include <numbers>

#include "attention/backward.h"
#include "attention/optimizer.h"

namespace attention {

using Doubles = std::vector<double>;

ReferenceLinearGradients reference_linear_backward(std::span<const double> weight, std::span<const double> x,
                                                   std::span<const double> dy, std::size_t in, std::size_t out) {
  const std::size_t rows = x.size() / in;
  ReferenceLinearGradients g{Doubles(rows * in), Doubles(in * out), Doubles(out)};
  for (std::size_t r = 0; r < rows; ++r) {
    for (std::size_t o = 0; o < out; ++o) {
      g.bias[o] += dy[r * out + o];
      for (std::size_t i = 0; i < in; ++i) {
        g.x[r * in + i] += dy[r * out + o] * weight[i * out + o];
        g.weight[i * out + o] += x[r * in + i] * dy[r * out + o];
      }
    }
  }
  return g;
}

// By the Jacobian, dy_j/dx_i = y_j·([i = j] - y_i).
Doubles reference_softmax_backward(std::span<const double> y, std::span<const double> dy, std::size_t width) {
  Doubles dx(y.size());
  for (std::size_t row = 0; row < y.size(); row += width) {
    for (std::size_t i = 0; i < width; ++i) {
      for (std::size_t j = 0; j < width; ++j) {
        dx[row + i] += dy[row + j] * y[row + j] * ((i == j ? 1 : 0) - y[row + i]);
      }
    }
  }
  return dx;
}

// By the chain rule through mean and variance, each on its own.
ReferenceLayerNormGradients reference_layer_norm_backward(std::span<const double> gain, double epsilon,
                                                          std::span<const double> x, std::span<const double> dy,
                                                          bool is_rms) {
  const std::size_t width = gain.size();
  const auto n = static_cast<double>(width);
  ReferenceLayerNormGradients g{Doubles(x.size()), Doubles(width), Doubles(width)};
  for (std::size_t row = 0; row < x.size(); row += width) {
    double mean = 0, variance = 0;
    for (std::size_t i = 0; i < width && !is_rms; ++i) mean += x[row + i] / n;
    for (std::size_t i = 0; i < width; ++i) variance += (x[row + i] - mean) * (x[row + i] - mean) / n;
    const double deviation = std::sqrt(variance + epsilon);
    double by_mean = 0, by_variance = 0;
    for (std::size_t i = 0; i < width; ++i) {
      const double by_h = dy[row + i] * gain[i], from_mean = x[row + i] - mean;
      if (!is_rms) by_mean -= by_h / deviation;
      by_variance -= by_h * from_mean / (2 * deviation * deviation * deviation);
      g.gain[i] += dy[row + i] * from_mean / deviation;
      g.bias[i] += dy[row + i];
    }
    for (std::size_t i = 0; i < width; ++i) {
      g.x[row + i] = dy[row + i] * gain[i] / deviation + by_variance * 2 * (x[row + i] - mean) / n + by_mean / n;
    }
  }
  return g;
}

Doubles reference_gelu_backward(Gelu gelu, std::span<const double> x, std::span<const double> dy) {
  using std::numbers::pi;
  Doubles dx(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    double slope = 0.5 * std::erfc(-x[i] / std::numbers::sqrt2) + x[i] * std::exp(-x[i] * x[i] / 2) / std::sqrt(2 * pi);
    if (gelu == Gelu::tanh) {
      const double root = std::sqrt(2 / pi), u = root * (x[i] + 0.044715 * std::pow(x[i], 3));
      slope =
          0.5 * (1 + std::tanh(u)) + 0.5 * x[i] * root * (1 + 3 * 0.044715 * x[i] * x[i]) / std::pow(std::cosh(u), 2);
    }
    dx[i] = dy[i] * slope;
  }
  return dx;
}

Doubles reference_rows_backward(std::span<const std::int32_t> ids, std::span<const double> dy, std::size_t rows) {
  const std::size_t width = ids.empty() ? 0 : dy.size() / ids.size();
  Doubles table(rows * width);
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::size_t i = 0; i < ids.size(); ++i) {
      if (ids[i] != static_cast<std::int32_t>(row)) continue;
      for (std::size_t j = 0; j < width; ++j) table[row * width + j] += dy[i * width + j];
    }
  }
  return table;
}

Doubles reference_positions_backward(std::span<const double> dy, std::size_t batch, std::size_t width, std::size_t first,
                                     std::size_t rows) {
  Doubles table(rows * width);
  const std::size_t count = dy.size() / batch / width;
  for (std::size_t b = 0; b < batch; ++b) {
    for (std::size_t r = 0; r < count; ++r) {
      for (std::size_t j = 0; j < width; ++j) table[(first + r) * width + j] += dy[(b * count + r) * width + j];
    }
  }
  return table;
}

// (a, b) became (a·c - b·s, a·s + b·c): a has what the first changes by c and the second by s, b by -s and c.
Doubles reference_rotate_backward(Heads<const float> dout, std::span<const float> cosines, std::span<const float> sines,
                                  std::size_t half, std::span<const std::int64_t> positions, RotaryPairs pairs) {
  Doubles din;
  for (std::size_t b = 0; b < dout.batch; ++b) {
    for (std::size_t h = 0; h < dout.heads; ++h) {
      for (std::size_t r = 0; r < dout.rows; ++r) {
        const float* const d = dout.row(b, h, r);
        const std::size_t at = positions.empty() ? r : static_cast<std::size_t>(positions[b * dout.rows + r]);
        Doubles row(d, d + dout.width);
        for (std::size_t i = 0; i < half; ++i) {
          const std::size_t first = pairs == RotaryPairs::interleaved ? 2 * i : i;
          const std::size_t second = pairs == RotaryPairs::interleaved ? 2 * i + 1 : half + i;
          const double c = cosines[at * half + i], s = sines[at * half + i];
          const double dfirst = row[first], dsecond = row[second];
          row[first] = dfirst * c + dsecond * s;
          row[second] = dfirst * -s + dsecond * c;
        }
        din.insert(din.end(), row.begin(), row.end());
      }
    }
  }
  return din;
}

double reference_cross_entropy(std::span<const double> logits, std::size_t width, std::span<const std::int32_t> targets,
                               Doubles& dlogits) {
  dlogits.assign(logits.size(), 0);
  double asked = 0, loss = 0;
  for (const std::int32_t target : targets) asked += target >= 0 ? 1 : 0;
  for (std::size_t r = 0; r < targets.size(); ++r) {
    if (targets[r] < 0) continue;
    const auto row = logits.subspan(r * width, width);
    double max = row[0], sum = 0;
    for (const double logit : row) max = std::fmax(max, logit);
    for (const double logit : row) sum += std::exp(logit - max);
    for (std::size_t i = 0; i < width; ++i) {
      const double p = std::exp(row[i] - max) / sum;
      const bool is_answer = i == static_cast<std::size_t>(targets[r]);
      dlogits[r * width + i] = (p - (is_answer ? 1 : 0)) / asked;
      if (is_answer) loss -= (row[i] - max - std::log(sum)) / asked;
    }
  }
  return loss;
}

ReferenceAttendGradients reference_attend_backward(Heads<const float> query, Heads<const float> key,
                                                   Heads<const float> value, const AttendOptions& o,
                                                   Heads<const float> dcontext) {
  const std::size_t B = query.batch, H = query.heads, T = query.rows, S = key.rows, H_kv = key.heads;
  const std::size_t d_k = key.width, d_v = value.width;
  const auto d = [](float x) { return static_cast<double>(x); };
  const double scale = o.scale ? d(*o.scale) : 1 / std::sqrt(static_cast<double>(d_k));
  const ReferenceAttend made = reference_attend(query, key, value, o);
  const auto& n = o.mask.extents;
  ReferenceAttendGradients g{Doubles(B * H * T * d_k), Doubles(B * H_kv * S * d_k), Doubles(B * H_kv * S * d_v),
                             Doubles(o.mask.bias != nullptr ? n[0] * n[1] * n[2] * n[3] : 0)};
  for (std::size_t b = 0; b < B; ++b) {
    for (std::size_t h = 0; h < H; ++h) {
      const std::size_t key_head = h / (H / H_kv);
      for (std::size_t q = 0; q < T; ++q) {
        const std::size_t row = ((b * H + h) * T + q) * S;
        const double* const weights = &made.weights[row];
        Doubles dweights(S);
        double mean = 0;
        for (std::size_t k = 0; k < S; ++k) {
          if (weights[k] == 0) continue;
          const double kept = made.dropped_weights[row + k] / weights[k];  // 0, or 1 / (1 - dropout)
          for (std::size_t i = 0; i < d_v; ++i) {
            const double by = d(dcontext.row(b, h, q)[i]);
            dweights[k] += kept * by * d(value.row(b, key_head, k)[i]);
            g.value[((b * H_kv + key_head) * S + k) * d_v + i] += made.dropped_weights[row + k] * by;
          }
          mean += weights[k] * dweights[k];
        }
        for (std::size_t k = 0; k < S && o.temperature > 0; ++k) {
          const double dmasked = weights[k] * (dweights[k] - mean) / d(o.temperature);
          if (!g.bias.empty() && k < n[3]) {
            const std::size_t at_b = n[0] == 1 ? 0 : b, at_h = n[1] == 1 ? 0 : h, at_q = n[2] == 1 ? 0 : q;
            g.bias[((at_b * n[1] + at_h) * n[2] + at_q) * n[3] + k] += dmasked;
          }
          double dscore = dmasked * scale;
          if (o.softcap > 0) dscore *= 1 / std::pow(std::cosh(made.scaled_scores[row + k] / d(o.softcap)), 2);
          for (std::size_t i = 0; i < d_k; ++i) {
            g.query[((b * H + h) * T + q) * d_k + i] += dscore * d(key.row(b, key_head, k)[i]);
            g.key[((b * H_kv + key_head) * S + k) * d_k + i] += dscore * d(query.row(b, h, q)[i]);
          }
        }
      }
    }
  }
  return g;
}

void reference_adamw(std::uint32_t step, double rate, double decay, double gradient, double& weight, double& m,
                     double& v) {
  m = kBeta1 * m + (1 - kBeta1) * gradient;
  v = kBeta2 * v + (1 - kBeta2) * gradient * gradient;
  const double unbiased_m = m / (1 - std::pow(kBeta1, step)), unbiased_v = v / (1 - std::pow(kBeta2, step));
  weight = weight - rate * decay * weight - rate * unbiased_m / (std::sqrt(unbiased_v) + 1e-8);
}

void reference_sgd(double rate, double decay, double gradient, double& weight, double& m) {
  m = kMomentum * m + gradient;
  weight = weight - rate * decay * weight - rate * m;
}

}  // namespace attention
