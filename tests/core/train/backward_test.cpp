// Each operator's gradient: double against finite differences of the formula written out here, float32 against
// double.
#include "attention/backward.h"

#include <catch2/catch_test_macros.hpp>
#include <algorithm>
#include <numbers>
#include <utility>

#include "../random.h"
#include "../random_layer.h"
#include "differences.h"

using namespace attention;
using test::differences;
using test::distance;
using test::Doubles;
using test::doubles;
using test::Random;

namespace {

constexpr double kSlopes = 1e-7;    // of finite differences
constexpr double kRounding = 3e-6;  // of float32

Doubles softmax_rows(const Doubles& x, std::size_t width) {
  Doubles y(x.size());
  for (std::size_t row = 0; row < x.size(); row += width) {
    double sum = 0;
    for (std::size_t i = 0; i < width; ++i) sum += y[row + i] = std::exp(x[row + i]);
    for (std::size_t i = 0; i < width; ++i) y[row + i] /= sum;
  }
  return y;
}

Doubles norm_rows(const Doubles& x, const Doubles& gain, const Doubles& bias, double epsilon, bool is_rms) {
  const std::size_t n = gain.size();
  Doubles y(x.size());
  for (std::size_t row = 0; row < x.size(); row += n) {
    double mean = 0, square = 0;
    for (std::size_t i = 0; i < n && !is_rms; ++i) mean += x[row + i] / static_cast<double>(n);
    for (std::size_t i = 0; i < n; ++i) square += x[row + i] * x[row + i] / static_cast<double>(n);
    for (std::size_t i = 0; i < n; ++i) {
      y[row + i] = (x[row + i] - mean) / std::sqrt(square - mean * mean + epsilon) * gain[i] + bias[i];
    }
  }
  return y;
}

double gelu_of(Gelu kind, double x) {
  if (kind == Gelu::erf) return x * (1 + std::erf(x / std::numbers::sqrt2)) / 2;
  return x * (1 + std::tanh(std::sqrt(2 / std::numbers::pi) * (x + 0.044715 * x * x * x))) / 2;
}

// What a gradient adds to memory that holds `before`.
std::vector<float> added(const std::vector<float>& after, const std::vector<float>& before) {
  std::vector<float> difference;
  for (std::size_t i = 0; i < after.size(); ++i) difference.push_back(after[i] - before[i]);
  return difference;
}

}  // namespace

TEST_CASE("the gradient of a linear layer", "[train][backward]") {
  Random random(11);
  for (int trial = 0; trial < 40; ++trial) {
    const std::size_t rows = random.size(1, 9), in = random.size(1, 12), out = random.size(1, 19);
    const bool in_out = random.coin();
    const std::size_t width = in_out ? out : in, stride = width + random.size(0, 3);
    const auto packed = random.numbers((in_out ? in : out) * stride), x = random.numbers(rows * in);
    const auto dy = random.numbers(rows * out);
    Doubles weight(in * out);  // [in, out]
    const auto at = [&](std::size_t i, std::size_t o) { return in_out ? i * stride + o : o * stride + i; };
    for (std::size_t i = 0; i < in; ++i)
      for (std::size_t o = 0; o < out; ++o) weight[i * out + o] = packed[at(i, o)];
    const auto reference = reference_linear_backward(weight, doubles(x), doubles(dy), in, out);

    const auto loss = [&](const Doubles& w, const Doubles& from, const Doubles& bias) {
      double sum = 0;
      for (std::size_t r = 0; r < rows; ++r)
        for (std::size_t o = 0; o < out; ++o) {
          double y = bias[o];
          for (std::size_t i = 0; i < in; ++i) y += from[r * in + i] * w[i * out + o];
          sum += y * static_cast<double>(dy[r * out + o]);
        }
      return sum;
    };
    const Doubles no_bias(out);
    CHECK(distance(reference.x, differences(doubles(x), [&](const Doubles& v) { return loss(weight, v, no_bias); })) <
          kSlopes);
    CHECK(distance(reference.weight,
                   differences(weight, [&](const Doubles& v) { return loss(v, doubles(x), no_bias); })) < kSlopes);
    CHECK(distance(reference.bias,
                   differences(no_bias, [&](const Doubles& v) { return loss(weight, doubles(x), v); })) < kSlopes);

    const auto before = random.numbers(packed.size() + rows * in + out);
    auto after = before;
    const Linear linear{packed.data(), nullptr, in, out, in_out ? Layout::in_out : Layout::out_in, stride};
    float* const dweight = after.data();
    REQUIRE_FALSE(linear_backward(linear, x.data(), rows, dy.data(),
                                  {dweight + packed.size(), dweight, dweight + packed.size() + rows * in}));
    const auto got = added(after, before);
    Doubles expected(got.size());
    for (std::size_t i = 0; i < in; ++i)
      for (std::size_t o = 0; o < out; ++o) expected[at(i, o)] = reference.weight[i * out + o];
    std::ranges::copy(reference.x, expected.begin() + static_cast<std::ptrdiff_t>(packed.size()));
    std::ranges::copy(reference.bias, expected.end() - static_cast<std::ptrdiff_t>(out));
    CHECK(distance(got, expected) < kRounding);              // the numbers between rows stay, too
    REQUIRE_FALSE(linear_backward(linear, x.data(), rows, dy.data(), {}));  // nothing wanted
    Linear narrow = linear;
    narrow.weight.type = NumberType::bf16;
    CHECK(linear_backward(narrow, x.data(), rows, dy.data(), {}).rule == Rule::linear_gradients);
    narrow.weight = linear.weight;
    narrow.weight.order = Order::interleaved;
    CHECK(linear_backward(narrow, x.data(), rows, dy.data(), {}).rule == Rule::linear_gradients);
  }
}

TEST_CASE("the gradient of softmax", "[train][backward]") {
  Random random(12);
  for (int trial = 0; trial < 30; ++trial) {
    const std::size_t rows = random.size(1, 5), width = random.size(1, 21);
    Doubles x = doubles(random.numbers(rows * width));
    for (double& each : x) each *= 3;
    const auto dy = random.numbers(rows * width);
    const Doubles y = softmax_rows(x, width), dx = reference_softmax_backward(y, doubles(dy), width);
    CHECK(distance(dx, differences(x, [&](const Doubles& v) {
                     return test::dot(softmax_rows(v, width), doubles(dy));
                   })) < kSlopes);
    const std::vector<float> weights(y.begin(), y.end()), before = random.numbers(x.size());
    auto after = before;
    softmax_backward(weights.data(), dy.data(), rows, width, after.data());
    CHECK(distance(added(after, before), dx, 0.1) < kRounding);
  }
}

TEST_CASE("the gradient of layer norm and RMSNorm", "[train][backward]") {
  Random random(13);
  for (int trial = 0; trial < 40; ++trial) {
    const std::size_t rows = random.size(1, 6), width = random.size(2, 23);
    const auto x = random.numbers(rows * width), dy = random.numbers(rows * width), gain = random.numbers(width);
    const float epsilon = random.coin() ? 1e-5f : 0.1f;
    const bool is_rms = random.coin();
    const auto reference = reference_layer_norm_backward(doubles(gain), epsilon, doubles(x), doubles(dy), is_rms);
    const Doubles bias(width);
    const auto loss = [&](const Doubles& from, const Doubles& g, const Doubles& b) {
      return test::dot(norm_rows(from, g, b, epsilon, is_rms), doubles(dy));
    };
    CHECK(distance(reference.x,
                   differences(
                       doubles(x), [&](const Doubles& v) { return loss(v, doubles(gain), bias); }, 1e-6),
                   1) < 1e-5);
    CHECK(distance(reference.gain,
                   differences(doubles(gain), [&](const Doubles& v) { return loss(doubles(x), v, bias); })) < kSlopes);
    CHECK(distance(reference.bias,
                   differences(bias, [&](const Doubles& v) { return loss(doubles(x), doubles(gain), v); })) < kSlopes);

    const auto before = random.numbers(rows * width + 2 * width);
    auto after = before;
    const LayerNorm norm{gain.data(), nullptr, width, epsilon, is_rms};
    float* const dgain = after.data() + rows * width;
    layer_norm_backward(norm, x.data(), rows, dy.data(), {after.data(), dgain, dgain + width});
    const auto got = added(after, before);
    const auto part = [&](std::size_t from, std::size_t count) {
      return std::vector<float>(got.begin() + static_cast<std::ptrdiff_t>(from),
                                got.begin() + static_cast<std::ptrdiff_t>(from + count));
    };
    CHECK(distance(part(0, rows * width), reference.x, 1) < 10 * kRounding);
    CHECK(distance(part(rows * width, width), reference.gain, 1) < kRounding);
    CHECK(distance(part(rows * width + width, width), reference.bias, 1) < kRounding);
    layer_norm_backward(norm, x.data(), rows, dy.data(), {});
  }
}

// Rows far from 0 keep the digits of their differences: float32's mean alone would lose all of them at 10,000.
TEST_CASE("the gradient of layer norm far from 0", "[train][backward]") {
  Random random(23);
  for (const float around : {0.0f, 1.0f, 100.0f, 1e4f, 16777216.0f}) {
    for (const std::size_t width : {4u, 23u, 64u}) {
      const float deviation = around > 1e6f ? 20.0f : 0.05f;
      auto x = random.numbers(width);
      for (float& each : x) each = around + deviation * each;
      const auto dy = random.numbers(width), gain = random.numbers(width);
      const auto expected = reference_layer_norm_backward(doubles(gain), 1e-5, doubles(x), doubles(dy));
      std::vector<float> got(3 * width);
      layer_norm_backward({gain.data(), nullptr, width}, x.data(), 1, dy.data(), {&got[0], &got[width], &got[2 * width]});
      double inverse = 0, mean = 0;
      for (const float each : x) mean += each / static_cast<double>(width);
      for (const float each : x) inverse += (each - mean) * (each - mean) / static_cast<double>(width);
      inverse = 1 / std::sqrt(inverse + 1e-5);
      // In units of 2^-24 of what is added up: g, its mean, and h times the mean of g·h, over the deviation.
      for (std::size_t i = 0; i < width; ++i) {
        const double h = std::fabs(x[i] - mean) * inverse;
        INFO("around " << around << ", width " << width << ", place " << i);
        CHECK(std::fabs(got[i] - expected.x[i]) < (8 + width / 2.0) * 0x1p-24 * inverse * (2 + h));
        CHECK(std::fabs(got[width + i] - expected.gain[i]) < 8 * 0x1p-24 * (1 + h));
      }
    }
  }
}

TEST_CASE("the gradient of GELU", "[train][backward]") {
  Random random(14);
  for (const Gelu kind : {Gelu::erf, Gelu::tanh}) {
    auto x = random.numbers(203);
    for (float& each : x) each *= 6;
    x.insert(x.end(), {0.0f, -0.0f, 1e-6f, -1e-6f, 20.0f, -20.0f, 80.0f, -80.0f});
    const auto dy = random.numbers(x.size());
    const Doubles dx = reference_gelu_backward(kind, doubles(x), doubles(dy));
    Doubles slopes;
    for (std::size_t i = 0; i < x.size(); ++i) {
      slopes.push_back(differences({x[i]}, [&](const Doubles& v) { return gelu_of(kind, v[0]); })[0] *
                       static_cast<double>(dy[i]));
    }
    CHECK(distance(dx, slopes) < kSlopes);
    const std::vector<float> before = random.numbers(x.size());
    auto after = before;
    gelu_backward(kind, x.data(), dy.data(), x.size(), after.data());
    CHECK(distance(added(after, before), dx) < kRounding);
  }
}

TEST_CASE("rows of a table, and of positions, take the gradients of where they went", "[train][backward]") {
  const std::vector<std::int32_t> ids{2, -1, 0, 2};
  const std::vector<float> dy{1, 2, 10, 20, 100, 200, 1000, 2000};
  std::vector<float> table(6, 0.5f);
  rows_backward(ids, dy.data(), 2, table.data());
  CHECK(table == std::vector<float>{100.5f, 200.5f, 0.5f, 0.5f, 1001.5f, 2002.5f});
  std::vector<float> positions(6, 0.5f);
  positions_backward({dy.data(), 2, 2, 2}, 1, positions.data());
  CHECK(positions == std::vector<float>{0.5f, 0.5f, 101.5f, 202.5f, 1010.5f, 2020.5f});
}

TEST_CASE("gradients of tables are the reference's", "[train][backward]") {
  Random random(17);
  for (int trial = 0; trial < 40; ++trial) {
    const std::size_t width = random.size(1, 21), rows = random.size(1, 9), count = random.size(1, 30);
    std::vector<std::int32_t> ids;
    for (std::size_t i = 0; i < count; ++i) ids.push_back(random.whole(-1, static_cast<int>(rows) - 1));
    const auto dy = random.numbers(count * width), before = random.numbers(rows * width);
    const Doubles reference = reference_rows_backward(ids, doubles(dy), rows);
    // y = the rows named, weighed by dy: it is linear in the table.
    CHECK(distance(reference, differences(Doubles(rows * width), [&](const Doubles& table) {
                     double sum = 0;
                     for (std::size_t i = 0; i < count * width; ++i) {
                       const std::int32_t id = ids[i / width];
                       if (id >= 0) sum += table[static_cast<std::size_t>(id) * width + i % width] * static_cast<double>(dy[i]);
                     }
                     return sum;
                   })) < kSlopes);
    auto after = before;
    rows_backward(ids, dy.data(), width, after.data());
    CHECK(distance(added(after, before), reference, 1) < kRounding);

    const std::size_t batch = random.size(1, 4), length = random.size(1, rows), first = random.size(0, rows - length);
    const auto placed = random.numbers(batch * length * width);
    const Doubles of_places = reference_positions_backward(doubles(placed), batch, width, first, rows);
    CHECK(distance(of_places, differences(Doubles(rows * width), [&](const Doubles& table) {
                     double sum = 0;
                     for (std::size_t i = 0; i < placed.size(); ++i) {
                       sum += table[first * width + i % (length * width)] * static_cast<double>(placed[i]);
                     }
                     return sum;
                   })) < kSlopes);
    after = before;
    positions_backward({placed.data(), batch, length, width}, first, after.data());
    CHECK(distance(added(after, before), of_places, 1) < kRounding);
  }
}

TEST_CASE("a rotation's gradient is the reference's", "[train][backward]") {
  Random random(18);
  for (int trial = 0; trial < 40; ++trial) {
    const RotaryPairs pairs = random.coin() ? RotaryPairs::interleaved : RotaryPairs::halved;
    const std::size_t batch = random.size(1, 3), rows = random.size(1, 6), heads = random.size(1, 4);
    const std::size_t half = random.size(1, 7), width = 2 * half + random.size(0, 3);
    test::Tables tables;
    tables.fill(half, pairs);
    std::vector<std::int64_t> positions;
    if (random.coin()) {
      for (std::size_t i = 0; i < batch * rows; ++i) positions.push_back(random.whole(0, 9));
    }
    const auto dy = random.numbers(batch * rows * heads * width);
    std::vector<float> dx(dy.size()), in_order;
    REQUIRE_FALSE(rotate_backward(heads_last(dy.data(), batch, rows, heads, width),
                                  heads_last(dx.data(), batch, rows, heads, width), tables.cosines, tables.sines, half,
                                  positions, pairs));
    const auto got = heads_last(std::as_const(dx).data(), batch, rows, heads, width);
    for (std::size_t image = 0; image < batch * heads * rows; ++image) {
      const float* const row = got.row(image / rows / heads, image / rows % heads, image % rows);
      in_order.insert(in_order.end(), row, row + width);
    }
    CHECK(distance(in_order, reference_rotate_backward(heads_last(dy.data(), batch, rows, heads, width), tables.cosines,
                                                       tables.sines, half, positions, pairs)) < kRounding);
  }
}

TEST_CASE("turned back, a rotation's gradient is that of its input", "[train][backward]") {
  Random random(15);
  for (const RotaryPairs pairs : {RotaryPairs::interleaved, RotaryPairs::halved}) {
    const std::size_t batch = 2, rows = 5, heads = 3, width = 9, half = 4;
    test::Tables tables;
    tables.fill(half, pairs);
    const std::vector<std::int64_t> positions{3, 1, 4, 1, 5, 9, 2, 6, 5, 3};
    const auto x = random.numbers(batch * rows * heads * width), dy = random.numbers(x.size());
    const auto turned = [&](const Doubles& v) {
      const std::vector<float> in(v.begin(), v.end());
      std::vector<float> out(in.size());
      REQUIRE_FALSE(rotate(heads_last(in.data(), batch, rows, heads, width),
                           heads_last(out.data(), batch, rows, heads, width), tables.cosines, tables.sines, half,
                           positions, pairs));
      return test::dot(doubles(out), doubles(dy));
    };
    std::vector<float> dx(x.size());
    REQUIRE_FALSE(rotate_backward(heads_last(dy.data(), batch, rows, heads, width),
                                  heads_last(dx.data(), batch, rows, heads, width), tables.cosines, tables.sines, half,
                                  positions, pairs));
    CHECK(distance(dx, differences(doubles(x), turned, 0.5)) < 1e-5);  // it is linear
    auto in_place = dy;
    REQUIRE_FALSE(rotate_backward(heads_last(std::as_const(in_place).data(), batch, rows, heads, width),
                                  heads_last(in_place.data(), batch, rows, heads, width), tables.cosines, tables.sines,
                                  half, positions, pairs));
    CHECK(test::same_bits(in_place, dx));
    CHECK(rotate_backward(heads_last(dy.data(), batch, rows, heads, width),
                          heads_last(dx.data(), batch, rows, heads, width), tables.cosines, tables.sines, 5, positions,
                          pairs)
              .rule == Rule::rotary_pairs);
    CHECK(test::same_bits(in_place, dx));
  }
}

TEST_CASE("the loss, and its gradient", "[train][backward]") {
  Random random(16);
  for (int trial = 0; trial < 40; ++trial) {
    const std::size_t rows = random.size(1, 7), width = random.size(1, 18);
    auto logits = random.numbers(rows * width);
    for (float& each : logits) each *= 10;
    std::vector<std::int32_t> targets;
    for (std::size_t r = 0; r < rows; ++r) targets.push_back(random.whole(-1, static_cast<int>(width) - 1));
    const auto loss = [&](const Doubles& v) {
      const Doubles y = softmax_rows(v, width);
      double sum = 0, asked = 0;
      for (std::size_t r = 0; r < rows; ++r) {
        if (targets[r] < 0) continue;
        sum -= std::log(y[r * width + static_cast<std::size_t>(targets[r])]);
        ++asked;
      }
      return asked == 0 ? 0 : sum / asked;
    };
    Doubles dlogits;
    const double exact = reference_cross_entropy(doubles(logits), width, targets, dlogits);
    CHECK(std::fabs(exact - loss(doubles(logits))) < 1e-12);
    CHECK(distance(dlogits, differences(doubles(logits), loss), 1e-2) < kSlopes * 10);

    std::vector<float> got(logits.size(), 7);
    const CrossEntropy made = cross_entropy(logits.data(), width, targets, got.data());
    CHECK(std::fabs(made.loss - exact) < 1e-6 * (1 + exact));
    CHECK(distance(got, dlogits, 0.1) < kRounding);
    CHECK(cross_entropy(logits.data(), width, targets, nullptr).right == made.right);
    CHECK(std::fabs(cross_entropy(logits.data(), width, targets, nullptr).loss - exact) < 1e-6 * (1 + exact));
    auto in_place = logits;
    (void)cross_entropy(in_place.data(), width, targets, in_place.data());
    CHECK(test::same_bits(in_place, got));
    std::uint32_t asked = 0, right = 0;
    for (std::size_t r = 0; r < rows; ++r) {
      if (targets[r] < 0) continue;
      ++asked;
      const auto row = std::span(logits).subspan(r * width, width);
      right += std::ranges::max_element(row) - row.begin() == targets[r];
    }
    CHECK(made.asked == asked);
    CHECK(made.right == right);
  }
  const std::vector<float> equal{1, 1, 0};
  CHECK(cross_entropy(equal.data(), 3, std::vector<std::int32_t>{0}, nullptr).right == 1);
  CHECK(cross_entropy(equal.data(), 3, std::vector<std::int32_t>{1}, nullptr).right == 0);  // the first of equals
}
