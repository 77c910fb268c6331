#include "train/gradient_kernels.h"

#include <catch2/catch_test_macros.hpp>
#include <utility>

#include "../four_lanes.h"
#include "../random.h"
#include "differences.h"

using namespace attention;
using namespace attention::kernels;
using test::Random;

namespace {

// A matrix in the midst of others' numbers.
struct Held {
  std::vector<float> memory;
  std::size_t rows, cols, stride;

  Held(Random& random, std::size_t r, std::size_t c) : rows(r), cols(c), stride(c + random.size(0, 5)) {
    memory = random.numbers(rows * stride);
  }
  float& at(std::size_t r, std::size_t c) { return memory[r * stride + c]; }
  ConstMatrix view() const { return {memory.data(), rows, cols, stride}; }
  Matrix view() { return {memory.data(), rows, cols, stride}; }
};

struct Case {
  std::size_t M, N, K;
  Turned turned;
  Held a, b, out;

  Case(Random& random, std::size_t m, std::size_t n, std::size_t k, Turned t)
      : M(m),
        N(n),
        K(k),
        turned(t),
        a(random, t == Turned::left ? k : m, t == Turned::left ? m : k),
        b(random, t == Turned::right ? n : k, t == Turned::right ? k : n),
        out(random, m, n) {}
  float left(std::size_t m, std::size_t k) { return turned == Turned::left ? a.at(k, m) : a.at(m, k); }
  float right(std::size_t k, std::size_t n) { return turned == Turned::right ? b.at(n, k) : b.at(k, n); }

  // One number after another, from `start` on.
  float sum(std::size_t m, std::size_t n, float start) {
    for (std::size_t k = 0; k < K; ++k) start += left(m, k) * right(k, n);
    return start;
  }
};

}  // namespace

TEST_CASE("a product adds its terms in order, whatever is turned", "[train][products]") {
  test::needs_four_lanes();
  Random random(1);
  for (int trial = 0; trial < 120; ++trial) {
    const auto turned = static_cast<Turned>(trial % 3);
    const bool is_deep = trial % 10 == 0;  // beyond one block of depth, and of columns
    Case c(random, random.size(1, 20), random.size(1, is_deep ? 150 : 20), random.size(1, is_deep ? 700 : 20), turned);
    const Sums sums = random.coin() ? Sums::begin : Sums::go_on;
    Held expected = c.out;
    for (std::size_t m = 0; m < c.M; ++m)
      for (std::size_t n = 0; n < c.N; ++n)
        expected.at(m, n) = c.sum(m, n, sums == Sums::begin ? 0 : expected.at(m, n));
    matmul(c.out.view(), std::as_const(c.a).view(), std::as_const(c.b).view(), turned, sums);
    INFO(c.M << " x " << c.N << " x " << c.K << ", turned " << trial % 3);
    CHECK(test::same_bits(c.out.memory, expected.memory));  // and the numbers around
  }
}

TEST_CASE("limits leave out what is zero and what is not wanted, and nothing else", "[train][products]") {
  Random random(2);
  for (int trial = 0; trial < 60; ++trial) {
    const auto turned = static_cast<Turned>(trial % 3);
    Case c(random, random.size(1, 40), random.size(1, 90), random.size(1, trial % 10 == 0 ? 600 : 40), turned);
    std::vector<KeyRange> depth, columns;
    for (std::size_t tile = 0; tile < tiles_of(c.M); ++tile) {
      const auto range = [&](std::size_t n) {
        const std::size_t begin = random.size(0, static_cast<int>(n));
        return KeyRange{begin, begin + random.size(0, static_cast<int>(n - begin))};
      };
      depth.push_back(range(c.K));
      columns.push_back(range(c.N));
    }
    Held expected = c.out;
    for (std::size_t m = 0; m < c.M; ++m) {
      const KeyRange terms = depth[m / kTileRows], wanted = columns[m / kTileRows];
      for (std::size_t n = wanted.begin; n < wanted.end; ++n) {
        double sum = 0;
        for (std::size_t k = terms.begin; k < terms.end; ++k)
          sum += static_cast<double>(c.left(m, k)) * static_cast<double>(c.right(k, n));
        expected.at(m, n) = static_cast<float>(sum);
      }
    }
    matmul(c.out.view(), std::as_const(c.a).view(), std::as_const(c.b).view(), turned, Sums::begin,
            {columns.data(), depth.data()});
    for (std::size_t m = 0; m < c.M; ++m) {
      const KeyRange wanted = columns[m / kTileRows];
      for (std::size_t n = wanted.begin; n < wanted.end; ++n) {
        INFO("row " << m << ", column " << n);
        CHECK(std::fabs(c.out.at(m, n) - expected.at(m, n)) < 1e-4f);
      }
    }
  }
}
