#include "attention/ops.h"

#include <catch2/catch_test_macros.hpp>
#include <cmath>

#include "random.h"

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
