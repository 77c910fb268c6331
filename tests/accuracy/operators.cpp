// attention_accuracy: each public operator's largest error against the double reference, over random shapes: a line an operator,
// "name | bound | largest error"; exit status 0 when none exceeds its bound.
#include <cmath>
#include <cstdio>
#include <functional>
#include <numbers>
#include <string_view>
#include <vector>

#include "attention/decoder.h"
#include "attention/positions.h"
#include "kernels.h"
#include "random_layer.h"

namespace accuracy {

struct Operator {
  std::string_view name;
  // What `measure` may not exceed in any build: |got - exact| over the largest |exact| of the same
  // result, in units of 2^-24, half a float32's last place at 1.
  double bound;
  double (*measure)();
};

namespace {

using namespace attention;
using test::Memory;
using test::Random;
using Doubles = std::vector<double>;

constexpr double kUnit = 0x1p-24;

double error(const std::vector<float>& got, const Doubles& exact) {
  double largest = 0, scale = 0;
  for (std::size_t i = 0; i < got.size(); ++i) {
    largest = std::fmax(largest, std::fabs(static_cast<double>(got[i]) - exact[i]));
    scale = std::fmax(scale, std::fabs(exact[i]));
  }
  return scale == 0 ? largest / kUnit : largest / scale / kUnit;
}

// The largest of `trials` random ones.
double largest(int trials, const std::function<double(Random&)>& trial) {
  Random random(1);
  double worst = 0;
  while (trials-- > 0) worst = std::fmax(worst, trial(random));
  return worst;
}

// f against its definition, each number for itself: relative to it, or to `least` where that is
// more.
double pointwise(float from, float to, double least, void (*f)(float*, const float*, std::size_t),
                 double (*definition)(double)) {
  std::vector<float> in, out;
  for (int i = 0; i <= 200000; ++i)
    in.push_back(from + (to - from) * static_cast<float>(i) / 200000);
  out.resize(in.size());
  f(out.data(), in.data(), in.size());
  double worst = 0;
  for (std::size_t i = 0; i < in.size(); ++i) {
    const double exact = definition(static_cast<double>(in[i]));
    const double scale = std::fmax(std::fabs(exact), least);
    worst = std::fmax(worst, std::fabs(static_cast<double>(out[i]) - exact) / scale / kUnit);
  }
  return worst;
}

double exponential() {
  return pointwise(
      -80, 0, 0,
      [](float* out, const float* in, std::size_t n) { kernels::exp_row(out, in, 0, n); },
      [](double x) { return std::exp(x); });
}
double gelu_erf() {
  return pointwise(
      -8, 8, 1, [](float* out, const float* in, std::size_t n) { apply(Gelu::erf, in, n, out); },
      [](double x) { return x / 2 * (1 + std::erf(x / std::numbers::sqrt2)); });
}
double gelu_tanh() {
  return pointwise(
      -8, 8, 1, [](float* out, const float* in, std::size_t n) { apply(Gelu::tanh, in, n, out); },
      [](double x) {
        return x / 2 *
               (1 + std::tanh(std::sqrt(2 / std::numbers::pi) * (x + 0.044715 * x * x * x)));
      });
}
double softcap() {
  return pointwise(
      -40, 40, 1e-3,
      [](float* out, const float* in, std::size_t n) { kernels::softcap(out, in, 20, n); },
      [](double x) { return 20 * std::tanh(x / 20); });
}

double softmax() {
  return largest(300, [](Random& random) {
    std::vector<float> in = random.numbers(random.size(1, 600)), out(in.size());
    Doubles exact;
    double sum = 0;
    for (float& x : in) x *= 8;
    for (const float x : in) exact.push_back(std::exp(static_cast<double>(x)));
    for (const double x : exact) sum += x;
    for (double& x : exact) x /= sum;
    kernels::softmax_row(out.data(), in.data(), in.size());
    return error(out, exact);
  });
}

double linear() {
  return largest(200, [](Random& random) {
    Memory memory(random);
    const std::size_t rows = random.size(1, 20), in = random.size(1, 300), out = random.size(1, 40);
    const Linear l = memory.linear(in, out);
    const std::vector<float> x = random.numbers(rows * in);
    std::vector<float> y(rows * out);
    Doubles exact(rows * out);
    apply(l, x.data(), rows, y.data());
    for (std::size_t r = 0; r < rows; ++r) {
      for (std::size_t o = 0; o < out; ++o) {
        double total = l.bias != nullptr ? static_cast<double>(l.bias[o]) : 0;
        for (std::size_t i = 0; i < in; ++i) {
          const float weight = l.weight.floats()[l.layout == Layout::in_out ? i * out + o : o * in + i];
          total += static_cast<double>(x[r * in + i]) * static_cast<double>(weight);
        }
        exact[r * out + o] = total;
      }
    }
    return error(y, exact);
  });
}

constexpr float kNarrow = 0.0866f;  // times numbers from ±1: a standard deviation of 0.05

// Of rows whose numbers lie about `about`.
double layer_norm(float about, float deviation) {
  return largest(300, [=](Random& random) {
    const std::size_t width = random.size(2, 800);
    const std::vector<float> gain = random.numbers(width), bias = random.numbers(width);
    std::vector<float> x = random.numbers(width), y(width);
    for (float& z : x) z = about + deviation * z;
    Doubles exact(width);
    apply(LayerNorm{gain.data(), bias.data(), width}, x.data(), 1, y.data());
    double mean = 0, variance = 0;
    for (const float z : x) mean += static_cast<double>(z) / static_cast<double>(width);
    for (const float z : x)
      variance += std::pow(static_cast<double>(z) - mean, 2) / static_cast<double>(width);
    for (std::size_t i = 0; i < width; ++i) {
      exact[i] = (static_cast<double>(x[i]) - mean) /
                     std::sqrt(variance + static_cast<double>(1e-5f)) *
                     static_cast<double>(gain[i]) +
                 static_cast<double>(bias[i]);
    }
    return error(y, exact);
  });
}

double layer_norm() {
  return layer_norm(0, 1);
}
double layer_norm_about_1() {
  return layer_norm(1, kNarrow);
}
double layer_norm_about_100() {
  return layer_norm(100, kNarrow);
}
double layer_norm_about_10000() {
  return layer_norm(1e4f, kNarrow);
}

double sinusoids() {
  return largest(20, [](Random& random) {
    const std::size_t width = random.size(1, 130), rows = 1000;
    std::vector<float> table(rows * width);
    Doubles exact(rows * width);
    fill_sinusoids(table.data(), rows, width);
    for (std::size_t t = 0; t < rows; ++t) {
      for (std::size_t c = 0; c < width; ++c) {
        const double angle =
            static_cast<double>(t) /
            std::pow(10000.0, static_cast<double>(c / 2 * 2) / static_cast<double>(width));
        exact[t * width + c] = c % 2 == 0 ? std::sin(angle) : std::cos(angle);
      }
    }
    return error(table, exact);
  });
}

double rotary() {
  return largest(100, [](Random& random) {
    const std::size_t half = random.size(1, 40), rows = random.size(1, 100), width = 2 * half;
    test::Tables tables;
    tables.fill(half, RotaryPairs::halved);
    const std::vector<float> in = random.numbers(rows * width);
    std::vector<float> out(in.size());
    Doubles exact(in.size());
    const Error refused = rotate(heads_first(in.data(), 1, 1, rows, width),
                                 heads_first(out.data(), 1, 1, rows, width), tables.cosines,
                                 tables.sines, half, {}, RotaryPairs::halved);
    if (refused) return 1e9;
    for (std::size_t t = 0; t < rows; ++t) {
      for (std::size_t i = 0; i < half; ++i) {
        const double angle = static_cast<double>(t) *
                             std::pow(10000.0, -static_cast<double>(i) / static_cast<double>(half));
        const auto x = static_cast<double>(in[t * width + i]),
                   y = static_cast<double>(in[t * width + half + i]);
        exact[t * width + i] = x * std::cos(angle) - y * std::sin(angle);
        exact[t * width + half + i] = y * std::cos(angle) + x * std::sin(angle);
      }
    }
    return error(out, exact);
  });
}

// attend() with `options`, of `rows` queries at the most.
double attend(int rows, const AttendOptions& options) {
  return largest(80, [&](Random& random) {
    const std::size_t H = random.size(1, 3), d = random.size(1, 100), T = random.size(1, rows);
    const std::size_t S = T + random.size(0, 300);
    std::vector<float> q = random.numbers(H * T * d);
    const std::vector<float> k = random.numbers(H * S * d), v = random.numbers(H * S * d);
    for (float& x : q) x *= 4;
    std::vector<float> out(q.size());
    const auto query = heads_first<const float>(q.data(), 1, H, T, d);
    const auto key = heads_first<const float>(k.data(), 1, H, S, d);
    const auto value = heads_first<const float>(v.data(), 1, H, S, d);
    Buffer scratch;
    if (attention::attend(query, key, value, options, heads_first(out.data(), 1, H, T, d), scratch))
      return 1e9;
    return error(out, reference_attend(query, key, value, options).context);
  });
}
double attend_all() {
  return attend(150, {});
}
double attend_few() {
  return attend(2, {});
}
double attend_causal() {
  AttendOptions options;
  options.is_causal = true;
  return attend(300, options);
}
double attend_capped() {
  AttendOptions options;
  options.softcap = 3;
  return attend(60, options);
}

MultiHead draw_layer(Random& random, Memory& memory, std::size_t D) {
  const std::size_t H = random.size(1, 4), d = random.size(1, 32);
  MultiHead layer;
  layer.query = memory.linear(D, H * d);
  layer.key = memory.linear(D, H * d);
  layer.value = memory.linear(D, H * d);
  layer.out_proj = memory.linear(H * d, D);
  layer.heads = layer.key_heads = H;
  return layer;
}

double multi_head() {
  return largest(60, [](Random& random) {
    Memory memory(random);
    const std::size_t D = random.size(2, 96), T = random.size(1, 80);
    const MultiHead layer = draw_layer(random, memory, D);
    MultiHeadInput input;
    input.x = {memory.numbers(T * D), 1, T, D};
    std::vector<float> y(T * D);
    MultiHeadScratch scratch;
    if (run(layer, input, {}, y.data(), scratch)) return 1e9;
    return error(y, reference_run(layer, input, {}).y);
  });
}

Block draw_block(Random& random, Memory& memory, std::size_t D) {
  const std::size_t hidden = random.size(1, 128);
  Block block;
  block.norm_1 = {memory.numbers(D), memory.numbers(D), D};
  block.norm_2 = {memory.numbers(D), memory.numbers(D), D};
  block.attention = draw_layer(random, memory, D);
  block.up = memory.linear(D, hidden);
  block.down = memory.linear(hidden, D);
  return block;
}

double decoder() {
  return largest(40, [](Random& random) {
    Memory memory(random);
    const std::size_t D = random.size(8, 64), T = random.size(1, 60), V = random.size(2, 60);
    std::vector<Block> blocks;
    for (int i = 0; i < 4; ++i) blocks.push_back(draw_block(random, memory, D));
    Decoder d;
    d.embeddings = memory.numbers(V * D);
    d.vocabulary = V;
    d.d_model = D;
    d.positions = {memory.numbers(T * D), T * D};
    d.blocks = blocks;
    d.final_norm = {memory.numbers(D), memory.numbers(D), D};
    std::vector<std::int32_t> tokens;
    for (std::size_t t = 0; t < T; ++t) tokens.push_back(random.whole(0, static_cast<int>(V) - 1));
    DecoderState state;
    std::vector<float> logits(T * V);
    if (state.reserve(d, T) || run(d, tokens, state, logits.data())) return 1e9;
    return error(logits, reference_logits(d, tokens));
  });
}

}  // namespace

const std::vector<Operator>& operators() {
  static const std::vector<Operator> all{
      {"exp, as softmax takes it", 3, exponential},
      {"softmax of a row", 10, softmax},
      {"softcap", 6, softcap},
      {"GELU by erf", 8, gelu_erf},
      {"GELU by tanh", 8, gelu_tanh},
      {"layer norm", 6, layer_norm},
      {"layer norm, numbers about 1", 6, layer_norm_about_1},
      {"layer norm, numbers about 100", 6, layer_norm_about_100},
      {"layer norm, numbers about 10,000", 6, layer_norm_about_10000},
      {"linear, up to 300 wide", 25, linear},
      {"sinusoids, 1,000 positions", 1, sinusoids},
      {"rotary, 100 positions", 4, rotary},
      {"attend, up to 150 queries", 50, attend_all},
      {"attend, 1 or 2 queries", 50, attend_few},
      {"attend, causal, up to 300 queries", 30, attend_causal},
      {"attend, softcap 3", 45, attend_capped},
      {"multi-head layer, d_model up to 96", 90, multi_head},
      {"decoder of 4 blocks, logits", 60, decoder},
  };
  return all;
}

}  // namespace accuracy

int main() {
  bool all = true;
  for (const accuracy::Operator& o : accuracy::operators()) {
    const double measured = o.measure();
    all = all && measured <= o.bound;
    std::printf("%s | %.3g | %.2g%s\n", o.name.data(), o.bound, measured,
                measured <= o.bound ? "" : " | exceeds its bound");
  }
  return all ? 0 : 1;
}
