// Positions: sinusoids, tables of them added to rows, and rotary ones.
#include "attention/positions.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <utility>

#include "checks.h"
#include "kernels.h"
#include "lanes.h"

namespace attention {

namespace {

// --- angles, in double: xsimd's exp, and a sine and cosine for angles that positions reach ---------

using Doubles = xsimd::batch<double>;
constexpr std::size_t kDoubles = Doubles::size;
using DoubleArray = std::array<double, kDoubles>;

// first, first + 1, …
Doubles count_from(std::size_t first) {
  DoubleArray numbers;
  for (std::size_t lane = 0; lane < kDoubles; ++lane) {
    numbers[lane] = static_cast<double>(first + lane);
  }
  return Doubles::load_unaligned(numbers.data());
}

constexpr double kMostAngle = 0x1p20;

// sin x and cos x for 0 <= x < kMostAngle, within 1e-16 of them. Cody and Waite's reduction with pi/2 in three
// parts, k · the first two exact; the polynomials of Sun's fdlibm. xsimd's own, which reduce any angle,
// are a twentieth of the page's whole module.
std::pair<Doubles, Doubles> sine_and_cosine(Doubles x) {
  using Bits = xsimd::batch<std::int64_t>;
  constexpr double kShift = 0x1.8p52;  // adding it rounds to an integer, left in the low bits
  const Doubles shifted = x * 6.36619772367581382433e-01 + kShift;
  const Doubles k = shifted - kShift;
  const Doubles first = x - k * 1.57079632673412561417e+00;
  const Doubles second = k * 6.07710050630396597660e-11;
  const Doubles near = first - second;
  const Doubles r = near - (k * 2.02226624879595063154e-21 - ((first - near) - second));

  const auto polynomial = [z = r * r](const std::array<double, 6>& c) {
    Doubles sum(c[0]);
    for (std::size_t i = 1; i < c.size(); ++i) sum = sum * z + c[i];
    return sum * z;
  };
  const Doubles sine = r + r * polynomial({1.58969099521155010221e-10, -2.50507602534068634195e-08,
                                           2.75573137070700676789e-06, -1.98412698298579493134e-04,
                                           8.33333333332248946124e-03, -1.66666666666666324348e-01});
  const Doubles z = r * r;
  const Doubles cosine = 1.0 - (0.5 * z - z * polynomial({-1.13596475577881948265e-11,
                                                          2.08757232129817482790e-09,
                                                          -2.75573143513906633035e-07,
                                                          2.48015872894767294178e-05,
                                                          -1.38888888888741095749e-03,
                                                          4.16666666666666019037e-02}));
  // Odd quarters swap the two; the second bit of the quarter, and of the next, is the sign.
  const Bits quarter = xsimd::bitwise_cast<std::int64_t>(shifted);
  const Bits swap = Bits(0) - (quarter & Bits(1));
  const Bits a = xsimd::bitwise_cast<std::int64_t>(sine), b = xsimd::bitwise_cast<std::int64_t>(cosine);
  const Bits both = (a ^ b) & swap;
  const auto signed_by = [](Bits magnitude, Bits sign) {
    return xsimd::bitwise_cast<double>(magnitude ^ ((sign & Bits(2)) << 62));
  };
  return {signed_by(a ^ both, quarter), signed_by(b ^ both, quarter + Bits(1))};
}

// base^-exponent
Doubles rate_of(Doubles exponent, double log_base) { return xsimd::exp(exponent * -log_base); }

// write(t, sines, cosines) of t · rate for each row t, lane by lane.
template <class Write>
void each_row_of_angles(Doubles rate, std::size_t rows, Write write) {
  DoubleArray sines, cosines;
  for (std::size_t t = 0; t < rows; ++t) {
    const auto [sine, cosine] = sine_and_cosine(rate * static_cast<double>(t));
    sine.store_unaligned(sines.data());
    cosine.store_unaligned(cosines.data());
    write(t, sines, cosines);
  }
}

// --- added --------------------------------------------------------------------------------------

constexpr double kLog10000 = 9.210340371976184;

// The columns of kDoubles neighbouring frequencies, all rows.
ATTENTION_KERNEL void sinusoid_columns(float* out, std::size_t rows, std::size_t width,
                                       std::size_t first_pair) {
  const Doubles exponent = count_from(first_pair) * (2.0 / static_cast<double>(width));
  const std::size_t first_column = 2 * first_pair;
  const std::size_t columns = std::min(2 * kDoubles, width - first_column);
  each_row_of_angles(rate_of(exponent, kLog10000), rows,
                     [=](std::size_t t, const DoubleArray& sines, const DoubleArray& cosines) {
                       float* row = out + t * width + first_column;
                       for (std::size_t c = 0; c < columns; ++c) {
                         row[c] = static_cast<float>(c % 2 == 0 ? sines[c / 2] : cosines[c / 2]);
                       }
                     });
}

Error check_added(const Rows& x, std::span<const float> table, std::span<const std::int64_t> positions,
            std::size_t first, const float* out) {
  if (x.data == nullptr || x.batch == 0 || x.rows == 0 || x.width == 0) {
    return error(Rule::position_input);
  }
  if (out == nullptr) return error(Rule::no_data, "out");
  if (is_misaligned(x.data) || is_misaligned(table.data()) || is_misaligned(out) ||
      is_misaligned(positions.data())) {
    return error(Rule::position_misaligned);
  }
  if (product({x.batch, x.rows, x.width}) > kMaxFloats) {
    return error(Rule::rows_too_large, "x");
  }
  if (table.size() % x.width != 0) {
    return error(Rule::position_table, {x.width});
  }
  const std::size_t table_rows = table.size() / x.width;
  if (positions.empty()) {
    if (first <= table_rows && x.rows <= table_rows - first) return {};
    return error(Rule::position_table_rows, {table_rows, x.rows, first});
  }
  if (positions.size() != x.batch * x.rows) {
    return error(Rule::position_count);
  }
  for (const std::int64_t position : positions) {
    if (position < 0 || static_cast<std::uint64_t>(position) >= table_rows) {
      return error(Rule::position_row, {table_rows});
    }
  }
  return {};
}

}  // namespace

void fill_sinusoids(float* out, std::size_t rows, std::size_t width) {
  for (std::size_t pair = 0; 2 * pair < width; pair += kDoubles) {
    sinusoid_columns(out, rows, width, pair);
  }
}

Error add_positions(const Rows& x, std::span<const float> table,
                    std::span<const std::int64_t> positions, std::size_t first, float* out) {
  if (Error error = check_added(x, table, positions, first, out)) return error;
  for (std::size_t row = 0; row < x.batch * x.rows; ++row) {
    const std::size_t position =
        positions.empty() ? first + row % x.rows : static_cast<std::size_t>(positions[row]);
    kernels::add(out + row * x.width, x.data + row * x.width, table.data() + position * x.width,
                 x.width);
  }
  return {};
}

// --- rotary -------------------------------------------------------------------------------------

namespace {

double log_of(double x) { return xsimd::log(Doubles(x)).get(0); }

// The page's engine turns by its own angles, or by tables that are given: what scales them drops out there.
#ifdef ATTENTION_FLOAT32_ONLY
constexpr bool kTurnsPlainly = true;
#else
constexpr bool kTurnsPlainly = false;
#endif

// Of the pairs that YaRN's ramp stands between, as transformers finds and bounds them.
struct Ramp {
  double first = 0, last = 0;

  Ramp(const RotaryScaling& s, double half, double log_base) {
    if (!s.by_pairs) return;
    const auto pair_of = [&](double turns) { return half * log_of(s.original_context / (turns * 2 * std::numbers::pi)) / log_base; };
    first = pair_of(s.high_turns);
    last = pair_of(s.low_turns);
    if (s.whole_pairs) {
      first = std::floor(first);
      last = std::ceil(last);
    }
    first = std::max(first, 0.0);
    last = std::min(last, 2 * half - 1);
    if (first == last) last += 0.001;
  }
};

// The share of the rate of a pair that is divided.
double divided_share(double rate, double pair, const RotaryScaling& s, const Ramp& ramp) {
  if (s.original_context == 0) return 1;
  if (s.by_pairs) return std::clamp((pair - ramp.first) / (ramp.last - ramp.first), 0.0, 1.0);
  const double turns = s.original_context * rate / (2 * std::numbers::pi);
  return std::clamp((s.high_turns - turns) / (s.high_turns - s.low_turns), 0.0, 1.0);
}

// Of the pairs from `first` on.
Doubles scaled(Doubles rates, std::size_t first, std::size_t half, double log_base, const RotaryScaling& scaling) {
  if (kTurnsPlainly || scaling.factor == 1) return rates;
  const Ramp ramp(scaling, static_cast<double>(half), log_base);
  DoubleArray lanes;
  rates.store_unaligned(lanes.data());
  auto pair = static_cast<double>(first);
  for (double& rate : lanes) {
    const double share = divided_share(rate, pair++, scaling, ramp);
    rate = share * (rate / scaling.factor) + (1 - share) * rate;
  }
  return Doubles::load_unaligned(lanes.data());
}

bool is_scaling(const RotaryScaling& s) {
  return s.factor >= 1 && std::isfinite(s.factor) && s.original_context >= 0 && std::isfinite(s.original_context) &&
         s.low_turns > 0 && s.high_turns > s.low_turns && std::isfinite(s.high_turns) &&
         (!s.by_pairs || s.original_context > 0) && s.amplitude > 0 && std::isfinite(s.amplitude);
}

ATTENTION_KERNEL void rotary_columns(std::span<float> cosines, std::span<float> sines,
                                     std::size_t positions, std::size_t half, std::size_t first,
                                     double log_base, const RotaryScaling& scaling) {
  const Doubles exponent = count_from(first) / static_cast<double>(half);
  const std::size_t columns = std::min(kDoubles, half - first);
  const double amplitude = kTurnsPlainly ? 1 : scaling.amplitude;
  each_row_of_angles(scaled(rate_of(exponent, log_base), first, half, log_base, scaling), positions,
                     [=](std::size_t p, const DoubleArray& s, const DoubleArray& c) {
                       for (std::size_t lane = 0; lane < columns; ++lane) {
                         cosines[p * half + first + lane] = static_cast<float>(amplitude * c[lane]);
                         sines[p * half + first + lane] = static_cast<float>(amplitude * s[lane]);
                       }
                     });
}

// Pair i of a row is (in[i · step], in[i · step + gap]).
void turn_row(const float* in, float* out, const float* cosines, const float* sines,
              std::size_t half, RotaryPairs pairs) {
  const std::size_t step = pairs == RotaryPairs::interleaved ? 2 : 1;
  const std::size_t gap = pairs == RotaryPairs::interleaved ? 1 : half;
  for (std::size_t i = 0; i < half; ++i) {
    const float first = in[i * step], second = in[i * step + gap];
    out[i * step] = first * cosines[i] - second * sines[i];
    out[i * step + gap] = second * cosines[i] + first * sines[i];
  }
}

}  // namespace

Error fill_rotary(std::span<float> cosines, std::span<float> sines, std::size_t positions,
                  std::size_t rotary_dim, double base, const RotaryScaling& scaling) {
  const std::size_t half = rotary_dim / 2;
  if (rotary_dim % 2 != 0 || cosines.size() != sines.size() ||
      product({positions, half}) != cosines.size()) {
    return error(Rule::rotary_table_sizes);
  }
  if (!(base > 0) || std::isinf(base)) {
    return error(Rule::rotary_base);
  }
  if (!kTurnsPlainly && (!is_scaling(scaling) || (scaling.by_pairs && !(base > 1)))) return error(Rule::rotary_scaling);
  if (static_cast<double>(positions) * std::fmax(1, 1 / base) > kMostAngle) {
    return error(Rule::rotary_angles);
  }
  const double log_base = log_of(base);
  for (std::size_t first = 0; first < half; first += kDoubles) {
    rotary_columns(cosines, sines, positions, half, first, log_base, scaling);
  }
  return {};
}

Error check_rotate(Heads<const float> in, Heads<const float> out, std::span<const float> cosines,
                   std::span<const float> sines, std::size_t half,
                   std::span<const std::int64_t> positions) {
  if (in.batch != out.batch || in.heads != out.heads || in.rows != out.rows ||
      in.width != out.width) {
    return error(Rule::rotary_shape);
  }
  if (Error error = check_heads("Rotary input", in)) return error;
  if (Error error = check_heads("Rotary output", out)) return error;
  if (Error error = check_apart("Rotary output", out)) return error;
  return check_rotary(in, cosines, sines, half, positions);
}

Error rotate(Heads<const float> in, Heads<float> out, std::span<const float> cosines,
             std::span<const float> sines, std::size_t half,
             std::span<const std::int64_t> positions, RotaryPairs pairs) {
  if (Error error = check_rotate(in, out, cosines, sines, half, positions)) return error;
  rotate_checked(in, out, cosines, sines, half, positions, pairs);
  return {};
}

void rotate_checked(Heads<const float> in, Heads<float> out, std::span<const float> cosines,
                    std::span<const float> sines, std::size_t half,
                    std::span<const std::int64_t> positions, RotaryPairs pairs) {
  for (std::size_t b = 0; b < in.batch; ++b) {
    for (std::size_t h = 0; h < in.heads; ++h) {
      for (std::size_t r = 0; r < in.rows; ++r) {
        const float* from = in.row(b, h, r);
        float* to = out.row(b, h, r);
        const std::size_t at =
            positions.empty() ? r : static_cast<std::size_t>(positions[b * in.rows + r]);
        if (to != from) std::copy(from + 2 * half, from + in.width, to + 2 * half);
        turn_row(from, to, &cosines[at * half], &sines[at * half], half, pairs);
      }
    }
  }
}

}  // namespace attention
