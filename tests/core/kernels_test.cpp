#include "kernels.h"

#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <limits>
#include <vector>

#include "four_lanes.h"
#include "random.h"

using namespace attention;
using test::Random;
using test::same_bits;

namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

// Sum of |a·b| bounds the rounding error of a float32 dot product: k terms, each rounded twice.
struct Expected {
  double value, magnitude;
};
Expected dot(const float* a, std::size_t a_step, const float* b, std::size_t b_step, std::size_t k) {
  Expected e{0, 0};
  for (std::size_t i = 0; i < k; ++i) {
    const double term = double(a[i * a_step]) * b[i * b_step];
    e.value += term;
    e.magnitude += std::fabs(term);
  }
  return e;
}
bool close(float got, const Expected& e, std::size_t k) {
  return std::fabs(got - e.value) <= 0x1p-23 * static_cast<double>(k + 1) * e.magnitude + 1e-30;
}

}  // namespace

TEST_CASE("matmul_nn and matmul_nt equal plain loops over random shapes and strides", "[kernels]") {
  Random random(2);
  for (int trial = 0; trial < 200; ++trial) {
    const std::size_t M = random.size(1, 23), N = random.size(1, 37), K = random.size(1, 600);
    const std::size_t a_stride = K + random.size(0, 5), n_stride = N + random.size(0, 5);
    const auto a = random.numbers(M * a_stride);
    const auto b = random.numbers(K * n_stride);
    const auto b_t = random.numbers(N * a_stride);
    std::vector<float> nn(M * n_stride, 77), nt(M * n_stride, 77);
    kernels::matmul_nn({nn.data(), M, N, n_stride}, {a.data(), M, K, a_stride},
                       {b.data(), K, N, n_stride});
    kernels::matmul_nt({nt.data(), M, N, n_stride}, {a.data(), M, K, a_stride},
                       {b_t.data(), N, K, a_stride});
    for (std::size_t m = 0; m < M; ++m) {
      for (std::size_t n = 0; n < n_stride; ++n) {
        if (n >= N) {  // what lies between the rows is not the kernel's
          REQUIRE(nn[m * n_stride + n] == 77);
          REQUIRE(nt[m * n_stride + n] == 77);
          continue;
        }
        REQUIRE(close(nn[m * n_stride + n], dot(&a[m * a_stride], 1, &b[n], n_stride, K), K));
        REQUIRE(close(nt[m * n_stride + n], dot(&a[m * a_stride], 1, &b_t[n * a_stride], 1, K), K));
      }
    }
  }
}

TEST_CASE("a product's bits are those of adding its terms in order, wherever it lies", "[kernels]") {
  test::needs_four_lanes();
  Random random(3);
  for (int trial = 0; trial < 60; ++trial) {
    const std::size_t M = random.size(1, 11), N = random.size(1, 19), K = random.size(1, 700);
    const auto a = random.numbers(M * K), b = random.numbers(N * K);
    std::vector<float> out(M * N);
    kernels::matmul_nt({out.data(), M, N, N}, {a.data(), M, K, K}, {b.data(), N, K, K});
    for (std::size_t m = 0; m < M; ++m) {
      for (std::size_t n = 0; n < N; ++n) {
        volatile float sum = 0;  // volatile: no compiler may reorder or fuse
        for (std::size_t k = 0; k < K; ++k) {
          volatile float term = a[m * K + k] * b[n * K + k];
          sum = sum + term;
        }
        REQUIRE(out[m * N + n] == sum);
      }
    }
  }
}

TEST_CASE("exp_row is within two units in the last place of exp, and 0 far below", "[kernels]") {
  std::vector<float> in, out;
  for (float x = -110; x <= 0; x += 0.000731f) in.push_back(x);
  in.insert(in.end(), {0.0f, -0.0f, -1e-30f, -0x1p-149f, -3e38f, -kInfinity});
  out.resize(in.size());
  constexpr double kBound = 1.3e-7;
  kernels::exp_row(out.data(), in.data(), 0, in.size());
  for (std::size_t i = 0; i < in.size(); ++i) {
    const double expected = std::exp(double(in[i]));
    REQUIRE(std::fabs(out[i] - expected) <= kBound * expected + (in[i] < -86.6f ? 2.5e-38 : 0));
  }
  CHECK(out[in.size() - 6] == 1);
  CHECK(out.back() == 0);
}

TEST_CASE("softmax_row equals the definition over random lengths", "[kernels]") {
  Random random(4);
  for (std::size_t count = 1; count <= 70; ++count) {
    auto in = random.numbers(count);
    for (float& x : in) x *= 20;
    for (float& x : in) x = random.whole(0, 5) == 0 ? -kInfinity : x;
    in[random.size(0, static_cast<int>(count) - 1)] = 1;  // at least one is allowed
    std::vector<float> out(count);
    kernels::softmax_row(out.data(), in.data(), count);
    double max = -kInfinity, sum = 0, total = 0;
    for (const double x : in) max = std::fmax(max, x);
    for (const double x : in) sum += std::exp(x - max);
    for (std::size_t i = 0; i < count; ++i) {
      const double expected = std::exp(in[i] - max) / sum;
      // x - max is up to 40 and rounds once in float32; exp turns that into a relative error.
      REQUIRE(std::fabs(out[i] - expected) <= (40 * 0x1p-24 + 1e-6) * expected + 1e-37);
      REQUIRE((in[i] != -kInfinity || out[i] == 0));
      total += out[i];
    }
    REQUIRE(std::fabs(total - 1) < 1e-6);
  }
}

TEST_CASE("softmax_row stands extreme scores", "[kernels]") {
  for (const float big : {1e4f, 1e30f, 3e38f}) {
    const std::vector<float> in{-big, big, 0, -big, -kInfinity};
    std::vector<float> out(in.size());
    kernels::softmax_row(out.data(), in.data(), in.size());
    CHECK(out == std::vector<float>{0, 1, 0, 0, 0});
  }
  const std::vector<float> equal(7, -1e30f);
  std::vector<float> out(7);
  kernels::softmax_row(out.data(), equal.data(), 7);
  for (const float weight : out) CHECK(weight == 1.0f / 7);
}

TEST_CASE("softmax_row hides no NaN, whatever its bits", "[kernels]") {
  for (const float nan : test::nans()) {
    for (std::size_t count = 1; count < 20; ++count) {
      for (std::size_t at = 0; at < count; ++at) {
        std::vector<float> in(count), out(count);
        for (std::size_t i = 0; i < count; ++i) in[i] = i % 5 == 4 ? -kInfinity : 3 - static_cast<float>(i);
        in[at] = nan;
        kernels::softmax_row(out.data(), in.data(), count);
        // Where all others are masked, 0 is as good a weight for them.
        for (std::size_t i = 0; i < count; ++i) REQUIRE((std::isnan(out[i]) || (i != at && in[i] == -kInfinity)));
      }
    }
  }
}

TEST_CASE("a fully masked row yields zero weights", "[kernels]") {
  for (std::size_t count = 1; count < 20; ++count) {
    const std::vector<float> in(count, -kInfinity);
    std::vector<float> out(count, 5);
    kernels::softmax_row(out.data(), in.data(), count);
    CHECK(out == std::vector<float>(count, 0.0f));
  }
}

TEST_CASE("masked keys behind a row change none of its bits", "[kernels]") {
  Random random(5);
  for (int trial = 0; trial < 200; ++trial) {
    const std::size_t kept = random.size(1, 40), hidden = random.size(1, 40);
    auto in = random.numbers(kept);
    for (float& x : in) x *= 8;
    std::vector<float> alone(kept), together(kept + hidden);
    kernels::softmax_row(alone.data(), in.data(), kept);
    in.resize(kept + hidden, -kInfinity);
    kernels::softmax_row(together.data(), in.data(), kept + hidden);
    together.resize(kept);
    CHECK(same_bits(alone, together));
  }
}

TEST_CASE("add and scale treat every element alike, in lanes or behind them", "[kernels]") {
  Random random(6);
  for (std::size_t count = 0; count < 40; ++count) {
    const auto a = random.numbers(count), b = random.numbers(count);
    std::vector<float> sum(count), scaled(count);
    kernels::add(sum.data(), a.data(), b.data(), count);
    kernels::scale(scaled.data(), a.data(), 0.37f, count);
    for (std::size_t i = 0; i < count; ++i) {
      REQUIRE(sum[i] == a[i] + b[i]);
      REQUIRE(scaled[i] == a[i] * 0.37f);
    }
  }
}

TEST_CASE("softcap keeps a score that is small beside its cap", "[kernels]") {
  for (const float cap : {0.001f, 2.0f, 30.0f, 10000.0f}) {
    for (float score = 1e-12f; score < 100 * cap; score *= 1.37f) {
      const double exact = static_cast<double>(cap) * std::tanh(static_cast<double>(score) / cap);
      for (const float sign : {1.0f, -1.0f}) {
        const float in = sign * score;
        float out = 0;
        kernels::softcap(&out, &in, cap, 1);
        REQUIRE(std::fabs(out - sign * exact) <= 4e-7 * exact);
      }
    }
  }
}
