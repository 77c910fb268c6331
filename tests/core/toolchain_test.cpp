#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <utility>
#include <vector>

#include "attention/attend.h"
#include "attention/generator.h"
#include "attention/vectors.h"

using namespace attention;

TEST_CASE("the kernels run on the instructions this build was made for", "[toolchain]") {
#if defined(ATTENTION_SCALAR)
  CHECK(simd_architecture() == "emulated");
#elif defined(__wasm__)
  CHECK(simd_architecture() == "wasm");
#else
  CHECK(simd_architecture() != "emulated");
#endif
  INFO(simd_architecture());
  CHECK(simd_lanes() >= 4);
}

TEST_CASE("a program may choose among the vectors that it has, and among no others", "[toolchain]") {
  const Vectors before = vectors();
  std::size_t had = 0;
  for (const Vectors wanted : {Vectors::four_lanes, Vectors::eight_lanes, Vectors::sixteen_lanes, Vectors{5}}) {
    const bool has = has_vectors(wanted);
    had += has;
    CHECK(use_vectors(wanted) == has);
    CHECK((vectors() == wanted) == has);
    if (has) CHECK(simd_lanes() == static_cast<int>(wanted));
    REQUIRE(use_vectors(before));
  }
  CHECK(had >= 1);
#if defined(__x86_64__) && !defined(__AVX__) && !defined(ATTENTION_SCALAR)
  CHECK(has_vectors(Vectors::four_lanes));
  CHECK(has_vectors(Vectors::eight_lanes) == (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")));
#endif
}

TEST_CASE("wider kernels have other bits and the same numbers", "[toolchain]") {
  const Vectors before = vectors();
  constexpr std::size_t kRows = 40, kWidth = 48;
  std::vector<float> x(kRows * kWidth);
  fill_normal(x, 1, Drawn::content, 0);
  const auto view = [&](auto* data) { return heads_first(data, 1, 1, kRows, kWidth); };
  const ReferenceAttend exact = reference_attend(view(std::as_const(x).data()), view(std::as_const(x).data()),
                                                 view(std::as_const(x).data()), {});
  std::vector<std::vector<float>> seen;
  for (const Vectors wanted : {Vectors::four_lanes, Vectors::eight_lanes, Vectors::sixteen_lanes}) {
    if (!use_vectors(wanted)) continue;
    Buffer scratch;
    std::vector<float> context(x.size());
    REQUIRE(!attend(view(std::as_const(x).data()), view(std::as_const(x).data()), view(std::as_const(x).data()), {},
                    view(context.data()), scratch));
    for (std::size_t i = 0; i < x.size(); ++i) REQUIRE(std::fabs(context[i] - exact.context[i]) < 1e-5);
    const bool is_first = seen.empty();
    if (!is_first) CHECK((context != seen.front()));  // else the choice chose nothing
    seen.push_back(context);
  }
  REQUIRE(use_vectors(before));
}
