#include <catch2/catch_test_macros.hpp>
#include <bit>
#include <cmath>
#include <limits>
#include <vector>

#include "attention/block.h"
#include "attention/ops.h"
#include "attention/vectors.h"
#include "checks.h"
#include "random_layer.h"

using namespace attention;

TEST_CASE("a linear layer is x·W + b in both layouts, to the bit", "[linear]") {
  test::Random random(71);
  for (int trial = 0; trial < 60; ++trial) {
    const std::size_t rows = random.size(1, 9), in = random.size(1, 300), out = random.size(1, 30);
    const auto x = random.numbers(rows * in), W = random.numbers(in * out), b = random.numbers(out);
    std::vector<float> transposed(in * out);
    for (std::size_t i = 0; i < in; ++i)
      for (std::size_t o = 0; o < out; ++o) transposed[o * in + i] = W[i * out + o];
    std::vector<float> y(rows * out), z(rows * out);
    apply({W.data(), b.data(), in, out, Layout::in_out, 0}, x.data(), rows, y.data());
    apply({transposed.data(), b.data(), in, out, Layout::out_in, 0}, x.data(), rows, z.data());
    CHECK(test::same_bits(y, z));
    for (std::size_t r = 0; r < rows; ++r) {
      for (std::size_t o = 0; o < out; ++o) {
        double expected = b[o];
        for (std::size_t i = 0; i < in; ++i) expected += double(x[r * in + i]) * W[i * out + o];
        REQUIRE(std::fabs(y[r * out + o] - expected) < 1e-4);
      }
    }
  }
}

TEST_CASE("query, key and value may be slices of one packed matrix", "[linear]") {
  test::Random random(72);
  for (const Layout layout : {Layout::in_out, Layout::out_in}) {
    const std::size_t in = 13, out = 21, rows = 5;
    const auto x = random.numbers(rows * in), W = random.numbers(in * out), b = random.numbers(out);
    const Linear contiguous{W.data(), b.data(), in, out, layout, 0};
    // The same within wider rows: a slice of a slice.
    const bool is_in_out = layout == Layout::in_out;
    const std::size_t width = is_in_out ? out : in, stride = width + 4;
    std::vector<float> apart((is_in_out ? in : out) * stride, 99.0f);
    for (std::size_t i = 0; i < in * out; ++i) apart[i / width * stride + i % width] = W[i];
    const Linear wide{apart.data(), b.data(), in, out, layout, stride};
    std::vector<float> whole(rows * out), part(rows * 7);
    apply(contiguous, x.data(), rows, whole.data());
    for (const Linear& packed : {contiguous, wide}) {
      for (std::size_t p = 0; p < 3; ++p) {
        apply(slice(packed, p, 3), x.data(), rows, part.data());
        for (std::size_t r = 0; r < rows; ++r)
          for (std::size_t o = 0; o < 7; ++o) REQUIRE(part[r * 7 + o] == whole[r * out + p * 7 + o]);
      }
    }
  }
}

using namespace attention;

TEST_CASE("matrices of other types give the bits of their widened numbers, on every width of vectors", "[linear][types]") {
  const Vectors before = vectors();
  for (const Vectors wanted : {Vectors::four_lanes, Vectors::eight_lanes, Vectors::sixteen_lanes}) {
    if (has_vectors(wanted) ? !use_vectors(wanted) : wanted != before) continue;
    test::Random random(73);
    for (const test::Stored stored : test::kStored) {
      for (int trial = 0; trial < 120; ++trial) {
        // Now and then beyond a panel: in rows, in what is summed, in columns, and in these two at once.
        const int large = trial % 40;
        const std::size_t rows = trial % 2 ? random.size(1, 2) : random.size(1, large == 10 ? 300 : 40);
        const std::size_t in = random.size(1, large == 0 || large == 20 ? 5000 : 300);
        const std::size_t out = random.size(1, large == 0 || large == 30 ? 900 : 60);
        const Layout layout = random.coin() && stored.order == Order::rows ? Layout::in_out : Layout::out_in;
        const bool is_in_out = layout == Layout::in_out;
        // Rows of whole blocks, and those that begin within one.
        const std::size_t least = is_in_out ? out : in, matrix_rows = is_in_out ? in : out;
        const bool is_of_whole_blocks = stored.type == NumberType::q8_0 && stored.order == Order::interleaved;
        const std::size_t width = is_of_whole_blocks || random.coin() ? (least + 31) / 32 * 32 : least + random.size(0, 3);
        auto x = random.numbers(rows * in);
        const auto b = random.numbers(out);
        // Rows on both sides of what finite float16 is multiplied by at once.
        if (trial % 5 == 0) x[random.size(0, x.size() - 1)] = random.coin() ? 0x1p20f : -0x1.fffffep14f;
        const test::StoredMatrix narrow(stored, random.numbers(matrix_rows * width).data(), matrix_rows, width);
        const float* const bias = random.coin() ? b.data() : nullptr;
        const Linear got_by{narrow.weight, bias, in, out, layout, width};
        const Linear wide{narrow.widened.data(), bias, in, out, layout, width};
        std::vector<float> got(rows * out), expected(rows * out);
        apply(got_by, x.data(), rows, got.data());
        apply(wide, x.data(), rows, expected.data());
        CAPTURE(int(wanted), int(stored.type), int(stored.order), rows, in, out, width, trial);
        REQUIRE(test::same_bits(got, expected));
        // A part of it, which begins anywhere.
        const std::size_t row = random.size(0, matrix_rows - 1), column = random.size(0, least - 1);
        const std::size_t high = random.size(1, matrix_rows - row), wide_by = random.size(1, least - column);
        const auto view = [&](const Weight& weight) {
          return Linear{weight.from(row, column, width), nullptr, is_in_out ? high : wide_by, is_in_out ? wide_by : high, layout, width};
        };
        const Linear part_got = view(narrow.weight), part_wide = view(narrow.widened.data());
        std::vector<float> of_part(rows * part_got.out), of_wide(of_part.size());
        apply(part_got, x.data(), rows, of_part.data());
        apply(part_wide, x.data(), rows, of_wide.data());
        REQUIRE(test::same_bits(of_part, of_wide));
        const std::size_t parts = out % 3 == 0 ? 3 : 1, part = random.size(0, parts - 1);
        apply(slice(got_by, part, parts), x.data(), rows, got.data());
        apply(slice(wide, part, parts), x.data(), rows, expected.data());
        REQUIRE(test::same_bits(got, expected));
      }
    }
  }
  if (has_vectors(before)) REQUIRE(use_vectors(before));
}

TEST_CASE("every pattern of bits is widened exactly: subnormal numbers, infinities and NaN", "[linear][types]") {
  for (const test::Stored stored : test::kStored) {
    constexpr std::size_t kWidth = 256;
    const test::StoredMatrix all(stored, kWidth);
    std::vector<float> got(all.widened.size());
    for (std::size_t row = 0; row < got.size() / kWidth; ++row) {
      widen(all.weight, kWidth, row, 0, kWidth, &got[row * kWidth]);
    }
    CHECK(test::same_bits(got, all.widened));
    // Each in turn is the only number: what it gives by one is itself, NaN included.
    const float one = 1;
    for (std::size_t i = 0; i < got.size(); ++i) {
      const Weight at = all.weight.from(i / kWidth, i % kWidth, kWidth);
      float y = 0, expected = 0;
      apply(Linear{at, nullptr, 1, 1, i % 2 && stored.order == Order::rows ? Layout::in_out : Layout::out_in}, &one, 1, &y);
      apply(Linear{&all.widened[i], nullptr, 1, 1}, &one, 1, &expected);
      REQUIRE(std::bit_cast<std::uint32_t>(y) == std::bit_cast<std::uint32_t>(expected));
    }
  }
}

TEST_CASE("every pattern of bits has the products of its widened number where a register is full of them", "[linear][types]") {
  const Vectors before = vectors();
  for (const Vectors wanted : {Vectors::four_lanes, Vectors::eight_lanes, Vectors::sixteen_lanes}) {
    if (has_vectors(wanted) ? !use_vectors(wanted) : wanted != before) continue;
    for (const test::Stored stored : test::kStored) {
      constexpr std::size_t kWidth = 64;  // fills the widest register with int8
      const test::StoredMatrix all(stored, kWidth);
      const std::size_t rows = all.widened.size() / kWidth;
      // A row alone by 1; and all rows, turned, by numbers that tell columns apart, once and packed for four times.
      constexpr std::size_t kTimes = 4;
      std::vector<float> got(kWidth), expected(kWidth), x(kTimes * kWidth), y(kTimes * rows), z(kTimes * rows);
      const float one = 1;
      for (std::size_t row = 0; row < rows && stored.order == Order::rows; ++row) {
        apply(Linear{all.weight.from(row, 0, kWidth), nullptr, 1, kWidth}, &one, 1, got.data());
        apply(Linear{&all.widened[row * kWidth], nullptr, 1, kWidth}, &one, 1, expected.data());
        REQUIRE(test::same_bits(got, expected));
      }
      for (std::size_t i = 0; i < x.size(); ++i) x[i] = 1 + float(i) / 64;
      for (const std::size_t times : {std::size_t{1}, kTimes}) {
        apply(Linear{all.weight, nullptr, kWidth, rows, Layout::out_in}, x.data(), times, y.data());
        apply(Linear{all.widened.data(), nullptr, kWidth, rows, Layout::out_in}, x.data(), times, z.data());
        for (std::size_t i = 0; i < times * rows; ++i) {
          REQUIRE((std::isnan(z[i]) ? std::isnan(y[i]) : std::bit_cast<std::uint32_t>(y[i]) == std::bit_cast<std::uint32_t>(z[i])));
        }
      }
    }
  }
  if (has_vectors(before)) REQUIRE(use_vectors(before));
}

TEST_CASE("numbers given part by part come to their places in an interleaved matrix", "[linear][types]") {
  test::Random random(82);
  for (const test::Stored stored : test::kStored) {
    if (stored.order == Order::rows) continue;
    for (int trial = 0; trial < 30; ++trial) {
      const bool is_of_blocks = stored.type == NumberType::q8_0;
      const std::size_t step = is_of_blocks ? 32 : 1, rows = random.size(1, 40), width = random.size(1, 40) * step, count = rows * width;
      const auto numbers = random.numbers(count);
      const Layout given = random.coin() && stored.type != NumberType::i8 && !is_of_blocks ? Layout::in_out : Layout::out_in;
      std::vector<float> turned(numbers.size());
      for (std::size_t i = 0; i < count; ++i) turned[i % width * rows + i / width] = numbers[i];
      const test::StoredMatrix in_rows({stored.type}, given == Layout::in_out ? turned.data() : numbers.data(), rows, width);
      const test::StoredMatrix expected(stored, numbers.data(), rows, width);
      std::vector<float> memory(whole_groups(rows) * width);
      for (std::size_t at = 0; at < count;) {
        const std::size_t part = std::min(count - at, random.size(1, 3 * width / step) * step);
        interleave(stored.type, given, static_cast<const std::byte*>(in_rows.weight.data) + bytes_of(stored.type, at), part, at, width, rows, memory.data());
        at += part;
      }
      Weight weight = expected.weight;
      weight.data = memory.data();
      std::vector<float> got(width);
      for (std::size_t row = 0; row < rows; ++row) {
        widen(weight, width, row, 0, width, got.data());
        REQUIRE(std::equal(got.begin(), got.end(), expected.widened.begin() + static_cast<std::ptrdiff_t>(row * width)));
      }
    }
  }
}

TEST_CASE("a result shares memory with a matrix where it lies on one of its numbers, and not behind the last", "[linear][types]") {
  test::Random random(83);
  for (const test::Stored stored : test::kStored) {
    for (int trial = 0; trial < 40; ++trial) {
      const std::size_t rows = random.size(1, 40), width = 32 * random.size(1, 3), groups = (rows + 15) / 16 * 16;
      const test::StoredMatrix matrix(stored, random.numbers(rows * width).data(), rows, width);
      const std::size_t row = random.size(0, rows - 1), column = random.size(0, width - 1);
      const std::size_t high = random.size(1, rows - row), wide = random.size(1, width - column);
      // Of the last number, by hand: how many come before it, and for Q8_0 in which block.
      const std::size_t r = row + high - 1, k = column + wide - 1;
      const bool is_in_rows = stored.order == Order::rows;
      const std::size_t before = is_in_rows ? r * width + k : (r / 16 * width + k) * 16 + r % 16, size = bytes_of(stored.type, 1);
      const std::size_t block = is_in_rows ? (r * width + k) / 32 * 34 : (r / 16 * width + k) / 32 * 34 * 16;
      const std::size_t last = stored.type != NumberType::q8_0 ? before * size
                               : is_in_rows                    ? block + 2 + k % 32
                                                               : block + 16 * (2 + k % 32) + r % 16;
      const std::size_t end = (is_in_rows ? rows : groups) * width;
      const auto shares = [&](std::size_t byte) {
        const auto at = reinterpret_cast<std::uintptr_t>(matrix.weight.data) + byte;
        const auto* const result = reinterpret_cast<const float*>(at);
        return is_shared(heads_first(result, 1, 1, 1, 1), matrix.weight.from(row, column, width), high, width, wide);
      };
      REQUIRE(shares(last / 4 * 4));
      REQUIRE_FALSE(shares((bytes_of(stored.type, end) + 3) / 4 * 4));
    }
  }
}

TEST_CASE("softmax makes shares of 1 of each row, as in double", "[softmax]") {
  test::Random random(81);
  for (const std::size_t width : {1, 2, 3, 4, 7, 8, 100, 8083}) {
    const std::size_t rows = 3;
    std::vector<float> x = random.numbers(rows * width);
    for (float& each : x) each *= 30;
    std::vector<float> y(x.size());
    softmax(x.data(), rows, width, y.data());
    for (std::size_t row = 0; row < rows; ++row) {
      double most = -INFINITY, sum = 0;
      for (std::size_t i = 0; i < width; ++i) most = std::fmax(most, double(x[row * width + i]));
      for (std::size_t i = 0; i < width; ++i) sum += std::exp(double(x[row * width + i]) - most);
      for (std::size_t i = 0; i < width; ++i) {
        const double share = std::exp(double(x[row * width + i]) - most) / sum;
        REQUIRE(std::fabs(double(y[row * width + i]) - share) < 1e-6);
      }
    }
    softmax(x.data(), rows, width, x.data());
    CHECK(test::same_bits(x, y));
  }
}

TEST_CASE("a row of nothing possible becomes zeros", "[softmax]") {
  std::vector<float> x(5, -std::numeric_limits<float>::infinity());
  softmax(x.data(), 1, 5, x.data());
  CHECK(x == std::vector<float>(5, 0));
}

using namespace attention;
using test::Random;

namespace {

std::vector<float> normed(const LayerNorm& norm, const std::vector<float>& x) {
  std::vector<float> y(x.size());
  apply(norm, x.data(), x.size() / norm.width, y.data());
  return y;
}

// The largest error, in units of 2^-24 of what the number is made of: the largest difference from the
// mean over the deviation, times its gain, and its bias.
double local_error(const LayerNorm& norm, const std::vector<float>& x) {
  const std::vector<float> y = normed(norm, x);
  const auto n = static_cast<double>(norm.width);
  double worst = 0;
  for (std::size_t row = 0; row < x.size(); row += norm.width) {
    double mean = 0, variance = 0, furthest = 0;
    for (std::size_t i = 0; i < norm.width && !norm.is_rms; ++i) mean += x[row + i] / n;
    for (std::size_t i = 0; i < norm.width; ++i) {
      const double d = x[row + i] - mean;
      variance += d * d / n;
      furthest = std::fmax(furthest, std::fabs(d));
    }
    const double deviation = std::sqrt(variance + static_cast<double>(norm.epsilon));
    for (std::size_t i = 0; i < norm.width; ++i) {
      const double gain = norm.gain[i], bias = norm.bias != nullptr ? norm.bias[i] : 0;
      const double expected = (x[row + i] - mean) / deviation * gain + bias;
      const double terms = furthest / deviation * std::fabs(gain) + std::fabs(bias);
      worst = std::fmax(worst, std::fabs(y[row + i] - expected) / (0x1p-24 * terms));
    }
  }
  return worst;
}

}  // namespace

TEST_CASE("layer norm of large numbers close together keeps their digits", "[norm]") {
  const std::vector<float> gain(4, 1.0f), x{16777216, 16777218, 16777220, 16777222};
  const std::vector<float> y = normed({gain.data(), nullptr, 4, 0}, x);
  const double expected[] = {-1.3416407865, -0.4472135955, 0.4472135955, 1.3416407865};
  for (std::size_t i = 0; i < 4; ++i) CHECK(std::fabs(y[i] - expected[i]) < 2e-7);
}

TEST_CASE("layer norm and RMSNorm err by few units of their terms, wherever a row's mean lies", "[norm]") {
  Random random(141);
  for (const float mean : {0.0f, 1.0f, -100.0f, 1e4f, -1e6f}) {
    for (const float deviation : {0.05f, 1.0f, 300.0f}) {
      for (int trial = 0; trial < 40; ++trial) {
        const std::size_t width = random.size(2, 300);
        const auto gain = random.numbers(width), bias = random.numbers(width);
        std::vector<float> x = random.numbers(3 * width);
        for (float& each : x) each = mean + deviation * each;
        LayerNorm norm{gain.data(), random.coin() ? bias.data() : nullptr, width};
        REQUIRE(local_error(norm, x) < 8);
        norm.is_rms = true;
        REQUIRE(local_error(norm, x) < 8);
      }
    }
  }
}

TEST_CASE("layer norm of rows that differ in their last digit only errs by few units", "[norm]") {
  Random random(142);
  for (int trial = 0; trial < 200; ++trial) {
    const std::size_t width = random.size(2, 1000);
    const auto gain = random.numbers(width);
    const float about = std::exp2(static_cast<float>(random.whole(-3, 60))) * (1.5f + random.number() / 3);
    std::vector<float> x(width, about);
    for (int i = random.whole(1, 3); i > 0; --i) {
      x[random.size(0, static_cast<int>(width) - 1)] = std::nextafter(about, random.coin() ? 0.0f : 1e30f);
    }
    REQUIRE(local_error({gain.data(), nullptr, width, 1e-12f}, x) < 8);
  }
}

TEST_CASE("layer norm of a constant row is its bias", "[norm]") {
  Random random(143);
  for (const float each : {0.0f, 1.0f, -0.1f, 12345.678f, 1e20f, -3e38f}) {
    for (std::size_t width = 1; width < 40; ++width) {
      const auto gain = random.numbers(width), bias = random.numbers(width);
      CHECK(normed({gain.data(), bias.data(), width}, std::vector<float>(width, each)) == bias);
    }
  }
}

TEST_CASE("layer norm and RMSNorm reach as far as their numbers", "[norm]") {
  Random random(144);
  for (const float size : {1e18f, 1e19f, 3e19f, 1e30f, 3e38f}) {
    for (int trial = 0; trial < 40; ++trial) {
      const std::size_t width = random.size(2, 90);
      const auto gain = random.numbers(width), bias = random.numbers(width);
      std::vector<float> x = random.numbers(width);
      for (float& each : x) each *= size;
      REQUIRE(local_error({gain.data(), bias.data(), width}, x) < 8);
      REQUIRE(local_error({gain.data(), bias.data(), width, 1e-5f, true}, x) < 8);
    }
  }
}

TEST_CASE("layer norm hides no number that is not finite", "[norm]") {
  const float infinity = std::numeric_limits<float>::infinity();
  const std::vector<float> gain(6, 1.0f);
  for (const float each : {std::numeric_limits<float>::quiet_NaN(), infinity, -infinity}) {
    for (std::size_t at = 0; at < 6; ++at) {
      std::vector<float> x{1, 2, 3, 4, 5, 6};
      x[at] = each;
      for (const bool is_rms : {false, true}) {
        for (const float y : normed({gain.data(), nullptr, 6, 1e-5f, is_rms}, x)) CHECK(std::isnan(y));
      }
    }
  }
}
