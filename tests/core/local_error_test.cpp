#include "local_error.h"

#include <catch2/catch_test_macros.hpp>

#include "random_layer.h"

using namespace attention;
using test::LocalError;
using test::Random;

TEST_CASE("each stage of a decoder errs by few units of its own terms", "[decoder][local]") {
  Random random(181);
  for (int trial = 0; trial < 60; ++trial) {
    const test::RandomDecoder p(random);
    const auto tokens = p.tokens(random, random.size(1, 30));
    for (const bool keeps_scores : {false, true}) {
      LocalError error;
      error.decoder(p.decoder, tokens, keeps_scores);
      INFO(error.stage());
      REQUIRE(error.worst() <= 1);
    }
  }
}

TEST_CASE("a stage that errs by more than its roundings is found", "[local]") {
  std::vector<float> numbers{1, 2, 3, 4}, out(4);
  const LayerNorm norm{numbers.data(), nullptr, 4};
  apply(norm, numbers.data(), 1, out.data());
  LocalError right;
  right.norm("norm", norm, numbers.data(), 1, out.data());
  CHECK(right.holds());
  out[3] *= 1 + 9 * 0x1p-23f;
  LocalError wrong;
  wrong.norm("norm", norm, numbers.data(), 1, out.data());
  CHECK_FALSE(wrong.holds());
  CHECK(wrong.stage() == "norm");
}
