#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <limits>

#include "attention/form.h"
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
  CHECK(error.code() == ErrorCode::invalid_setting);
  CHECK(mentions(message(error), "d_model = 64"));
  CHECK(mentions(message(error), "1, 2, 4, 8, 16, 32, 64"));
}

TEST_CASE("each setting outside its rule is refused", "[settings]") {
  const auto refused = [](auto change) {
    Settings s;
    change(s);
    return validate(s).code() == ErrorCode::invalid_setting;
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

TEST_CASE("an enumerator of no name is refused with the ids that there are", "[settings]") {
  const auto refused = [](auto change) {
    Settings s;
    change(s);
    return message(validate(s));
  };
  for (const int none : {-1, 7, 1 << 30}) {
    CHECK(refused([&](Settings& s) { s.mask = Mask(none); })
              .starts_with("The setting \"mask\" must be one of none, causal, window"));
    CHECK(refused([&](Settings& s) { s.scale = Scale(none); }) ==
          "The setting \"scale\" must be one of sqrt-dk, none, factor.");
    CHECK(refused([&](Settings& s) { s.positions = Positions(none); }) ==
          "The setting \"positions\" must be one of none, sinusoidal, learned, rope, alibi.");
    CHECK(refused([&](Settings& s) { s.tie = Tie(none); }) == "The setting \"tie\" must be one of none, qk, qkv.");
  }
}

TEST_CASE("a number too small for its type is not taken for 0, which turns something off", "[settings]") {
  WantedSettings w;
  w.softcap = 1e-60;
  const ClampedSettings clamped = clamp(w);
  REQUIRE(clamped.notices.size() == 1);
  CHECK(clamped.notices[0].error.rule == Rule::setting_softcap);
  CHECK(clamped.notices[0].field == "softcap");
  CHECK(clamped.settings.softcap == 0);
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

TEST_CASE("what is typed is less wide than what a file may have", "[settings]") {
  WantedSettings w;
  w.d_model = 2048;
  w.d_k = 1500;
  w.num_heads = 2;
  const ClampedSettings typed = clamp(w), filed = clamp(w, kLimits.max_d_model);
  REQUIRE(typed.notices.size() == 2);
  CHECK(message(typed.notices[0]) == "d_model must be a whole number from 1 to 1024. Using d_model 1024.");
  CHECK(typed.settings.d_k == 1024);
  CHECK(filed.notices.empty());
  CHECK(filed.settings.d_model == 2048);
  w.d_model = 1e6;
  w.d_k = 0;
  CHECK(clamp(w, kLimits.max_d_model).settings.d_model == kLimits.max_d_model);
  Settings s;
  CHECK(message(exact(w, s)) == "d_model must be a whole number from 1 to 4096.");
}

TEST_CASE("an unknown id is answered with the known ones", "[settings]") {
  WantedSettings w;
  w.positions = "rotary";
  Settings s;
  const Error error = exact(w, s);
  CHECK(error.code() == ErrorCode::invalid_setting);
  CHECK(message(error) == "The setting \"positions\" must be one of none, sinusoidal, learned, rope, alibi.");
  CHECK_FALSE(mentions(message(error), "rotary"));
}

TEST_CASE("each setting says its own rule when it is clamped", "[settings]") {
  struct Case {
    void (*change)(WantedSettings&);
    std::string rule, use;
  };
  using W = WantedSettings;
  const Case cases[] = {
      {[](W& w) { w.d_k = 1025; }, "d_k (0 = d_model / heads) must be a whole number from 0 to 1024.", "d_k 1024"},
      {[](W& w) { w.d_v = 2.5; }, "d_v (0 = d_model / heads) must be a whole number from 0 to 1024.", "d_v 3"},
      {[](W& w) { w.d_k = w.d_v = 8, w.num_heads = 65; }, "The number of heads must be a whole number from 1 to 64.", "heads 64"},
      {[](W& w) { w.d_k = 1000, w.num_heads = 8; }, "d_k times the number of heads must be at most 4096.", "d_k 512"},
      {[](W& w) { w.num_kv_heads = 3; }, "The number of key heads must divide the number of heads = 4: choose one of 1, 2, 4.", "key heads 2"},
      {[](W& w) { w.softcap = 1e9; }, "The softcap (0 = off) must be 0, or a number from 0.001 to 10000.", "softcap 10000"},
      {[](W& w) { w.softcap = 0.0001; }, "The softcap (0 = off) must be 0, or a number from 0.001 to 10000.", "softcap 0"},
      {[](W& w) { w.softcap = 0.0005; }, "The softcap (0 = off) must be 0, or a number from 0.001 to 10000.", "softcap 0.001"},
      {[](W& w) { w.softcap = 1e-60; }, "The softcap (0 = off) must be 0, or a number from 0.001 to 10000.", "softcap 0"},
      {[](W& w) { w.temperature = 1e-60; }, "The temperature must be 0, or a number from 0.001 to 10000.", "temperature 0"},
      {[](W& w) { w.temperature = -1; }, "The temperature must be 0, or a number from 0.001 to 10000.", "temperature 0"},
      {[](W& w) { w.temperature = 0.0006; }, "The temperature must be 0, or a number from 0.001 to 10000.", "temperature 0.001"},
      {[](W& w) { w.dropout = 1; }, "The dropout rate must be a number from 0 to 0.95.", "dropout 0.95"},
      {[](W& w) { w.window_left = -2; }, "The setting \"window_left\" must be a whole number from 0 to 4096.", "window_left 0"},
      {[](W& w) { w.dropout_seed = 0.5; }, "The dropout seed must be a whole number from 0 to 4294967295.", "dropout seed 1"},
      {[](W& w) { w.tie = "qk", w.num_kv_heads = 2; }, "Tied queries and keys need as many key heads as heads.", "key heads 4"},
      {[](W& w) { w.tie = "qkv", w.d_v = 5; }, "Tied values must be as wide as keys.", "d_v 16"},
      {[](W& w) { w.tie = "qkv", w.value_rank = 2; }, "Tied values have the queries' matrix, which has no rank of its own.", "value rank 0"},
      {[](W& w) { w.value_rank = 65; }, "The rank of W_V (0 = full) must be a whole number from 0 to 64.", "value rank 64"},
      {[](W& w) { w.out_proj = false, w.d_v = 5; }, "Without the output projection, heads times d_v must be d_model = 64.", "output projection on"},
      {[](W& w) { w.positions = "rope", w.num_heads = 64; }, "Rotary positions turn pairs of numbers, so d_k must be at least 2.", "positions none"},
  };
  for (const auto& [change, rule, use] : cases) {
    WantedSettings w;
    change(w);
    const ClampedSettings clamped = clamp(w);
    REQUIRE(clamped.notices.size() == 1);
    CHECK(message(clamped.notices[0]) == rule + " Using " + use + ".");
    Settings s;
    if (!mentions(rule, "1024")) CHECK(message(exact(w, s)) == rule);
    CHECK_FALSE(validate(clamped.settings));
  }
}

TEST_CASE("what fits together is taken as it is wanted", "[settings]") {
  WantedSettings w;
  w.num_heads = 7;  // with widths of their own, heads need not divide d_model
  w.d_k = 3;
  w.d_v = 5;
  w.num_kv_heads = 7;
  w.tie = "qk";
  w.mask = "window";
  w.temperature = 0;
  w.softcap = 0.001;
  w.value_rank = 35;
  w.dropout = 0.95;
  Settings s;
  REQUIRE_FALSE(exact(w, s));
  CHECK(s.num_heads == 7);
  CHECK(wanted(s).d_v == 5);
  CHECK_FALSE(exact(wanted(s), s));
}

TEST_CASE("whatever is wanted, clamp() gives valid settings", "[settings]") {
  test::Random random(11);
  using W = WantedSettings;
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
    for (double W::* field : {&W::num_kv_heads, &W::d_k, &W::d_v, &W::window_left, &W::window_right, &W::softcap,
                              &W::temperature, &W::value_rank, &W::dropout, &W::dropout_seed}) {
      if (random.coin()) w.*field = number();
    }
    w.tie = random.coin() ? "qkv" : "qk";
    w.positions = random.coin() ? "rope" : "alibi";
    w.out_proj = random.coin();
    const ClampedSettings clamped = clamp(w);
    REQUIRE_FALSE(validate(clamped.settings));
    REQUIRE((clamped.settings.d_model == w.d_model || !clamped.notices.empty()));
    Settings s;
    REQUIRE(bool(exact(w, s)) == !clamp(w, kLimits.max_d_model).notices.empty());
  }
}
