#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <limits>

#include "attention/settings.h"
#include "random.h"

using namespace attention;

namespace {
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

bool mentions(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}
}  // namespace

TEST_CASE("the defaults are valid and what clamp() gives back unchanged", "[settings]") {
  CHECK_FALSE(validate(Settings{}));
  const ClampedSettings clamped = clamp(WantedSettings{});
  CHECK(clamped.settings == Settings{});
  CHECK(clamped.notices.empty());
}

TEST_CASE("heads that do not divide d_model are refused with the choices", "[settings]") {
  Settings s;
  s.num_heads = 5;
  const Error error = validate(s);
  CHECK(error.code == ErrorCode::invalid_setting);
  CHECK(mentions(error.message, "d_model = 64"));
  CHECK(mentions(error.message, "1, 2, 4, 8, 16, 32, 64"));
}

TEST_CASE("each setting outside its rule is refused", "[settings]") {
  const auto refused = [](auto change) {
    Settings s;
    change(s);
    return validate(s).code == ErrorCode::invalid_setting;
  };
  CHECK(refused([](Settings& s) { s.d_model = 0; }));
  CHECK(refused([](Settings& s) { s.d_model = -64; }));
  CHECK(refused([](Settings& s) { s.d_model = kLimits.max_d_model + 1; }));
  CHECK(refused([](Settings& s) { s.num_heads = 0; }));
  CHECK(refused([](Settings& s) { s.num_heads = -4; }));
  CHECK(refused([](Settings& s) { s.num_heads = 128; }));
  CHECK(refused([](Settings& s) { s.scale_factor = static_cast<float>(kNaN); }));
  CHECK(refused([](Settings& s) { s.scale_factor = static_cast<float>(kInfinity); }));
  CHECK(refused([](Settings& s) { s.scale_factor = 10001; }));
}

TEST_CASE("clamp() goes to the nearest valid setting and says so", "[settings]") {
  WantedSettings w;
  w.d_model = 512.4;
  w.num_heads = 100;
  w.scale = "factor";
  w.scale_factor = kNaN;
  w.mask = "<script>";
  w.seed = -1;
  const ClampedSettings clamped = clamp(w);
  CHECK(clamped.settings.d_model == 512);
  CHECK(clamped.settings.num_heads == 64);
  CHECK(clamped.settings.scale == Scale::sqrt_dk);
  CHECK(clamped.settings.mask == Mask::causal);
  CHECK(clamped.settings.seed == 0);
  CHECK(clamped.notices.size() == 5);
}

TEST_CASE("an unknown id is answered with the known ones", "[settings]") {
  WantedSettings w;
  w.positions = "rotary";
  Settings s;
  const Error error = exact(w, s);
  CHECK(error.code == ErrorCode::invalid_setting);
  CHECK(error.message == "The setting \"positions\" must be one of none, sinusoidal, learned, rope, alibi.");
  CHECK_FALSE(mentions(error.message, "rotary"));
}

TEST_CASE("whatever is wanted, clamp() gives valid settings", "[settings]") {
  test::Random random(11);
  const double odd[] = {kNaN, kInfinity, -kInfinity, -1, 0, 0.4, 1e300, -1e300, 7, 63.5, 4294967296.0};
  const auto number = [&] {
    return random.coin() ? odd[random.whole(0, 10)] : random.number() * 3000.0;
  };
  for (int trial = 0; trial < 5000; ++trial) {
    WantedSettings w;
    w.d_model = number();
    w.num_heads = number();
    w.scale_factor = number();
    w.seed = number();
    w.scale = random.coin() ? "factor" : "";
    const ClampedSettings clamped = clamp(w);
    REQUIRE_FALSE(validate(clamped.settings));
    REQUIRE((clamped.settings.d_model == w.d_model || !clamped.notices.empty()));
    Settings s;
    REQUIRE(bool(exact(w, s)) == !clamped.notices.empty());
  }
}
