// The page's layer, the operator, the multi-head layer and the double formula are one attention: over
// random settings, whatever switches of the page meet.
#include <array>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <limits>
#include <string>

#include "attention/attention.h"
#include "attention/layer/reference.h"
#include "four_lanes.h"
#include "local_error.h"
#include "random.h"

using namespace attention;
using test::LocalError;
using test::Random;
using test::same_bits;

namespace {

constexpr float kMasked = -std::numeric_limits<float>::infinity();

struct Run {
  Settings s;
  Request request;
  Session session;
  ReferenceTrace reference;
  std::vector<std::uint8_t> allowed;  // [T, S], by the reference's rule

  const Trace& trace() const { return session.trace(); }
};

Run run(Random& random) {
  Run r;
  r.s = random.any_settings();
  r.request = random.request(r.s);
  REQUIRE_FALSE(r.session.run(r.request, r.s));
  r.reference = run_reference(r.session);
  const std::size_t cells = r.trace().shape.T * r.trace().shape.S;
  for (std::size_t i = 0; i < cells; ++i) r.allowed.push_back(r.reference.masked_scores[i] != kMasked);
  return r;
}

// The operator's options for the page's settings; the mask cell by cell.
AttendOptions options_of(const Run& r) {
  AttendOptions o;
  if (r.s.scale != Scale::sqrt_dk) o.scale = r.s.scale == Scale::none ? 1 : r.s.scale_factor;
  o.softcap = r.s.softcap;
  o.mask = {r.allowed.data(), nullptr, {1, 1, r.trace().shape.T, r.trace().shape.S}};
  o.alibi_slopes = r.session.parameters().slopes;
  o.temperature = r.s.temperature;
  o.dropout = r.s.dropout;
  o.dropout_seed = r.s.dropout_seed;
  return o;
}

// The mask said by the operator's own words, where it has them.
AttendOptions options_by_name(const Run& r) {
  AttendOptions o = options_of(r);
  if (!r.request.mask_edits.empty()) return o;
  const MaskTensor cells = o.mask;
  o.mask = {};
  switch (r.s.mask) {
    case Mask::none: break;
    case Mask::causal: o.is_causal = true; break;
    case Mask::window:
      o.window_left = r.s.window_left;
      o.window_right = r.s.window_right;
      break;
    default: o.mask = cells;
  }
  return o;
}

struct Kept {
  std::vector<float> scores, scaled_scores, capped_scores, masked_scores, weights, dropped_weights, context;

  AttendStages stages() {
    return {scores.data(), scaled_scores.data(), capped_scores.data(), masked_scores.data(), weights.data(),
            dropped_weights.data()};
  }
};

// The operator over the page's queries, keys and values; each stage within few units of double from the
// stage before it, or the whole, without stages, within what its roundings can move.
Kept attend(const Run& r, const AttendOptions& options, bool keeps) {
  const Trace& t = r.trace();
  const auto [T, S, D, H, H_kv, d_k, d_v, rank] = t.shape;
  Kept k;
  for (auto* stage : {&k.scores, &k.scaled_scores, &k.capped_scores, &k.masked_scores, &k.weights,
                      &k.dropped_weights}) {
    stage->resize(H * T * S);
  }
  k.context.resize(H * T * d_v);
  const auto query = heads_first(t.turned_query().data(), 1, H, T, d_k);
  const auto key = heads_first(t.turned_key().data(), 1, H_kv, S, d_k);
  const auto value = heads_first<const float>(t.value.data(), 1, H_kv, S, d_v);
  const auto context = heads_first(k.context.data(), 1, H, T, d_v);
  Buffer scratch;
  REQUIRE_FALSE(attention::attend(query, key, value, options, context, scratch, keeps ? k.stages() : AttendStages{}));
  LocalError error;
  if (keeps) error.attend_stages(query, key, value, options, k.stages(), context);
  else error.attend(query, key, value, options, context);
  INFO(error.stage());
  REQUIRE(error.worst() <= 1);
  return k;
}

bool is_equal(std::span<const float> a, const std::vector<float>& b) { return same_bits(a, std::span<const float>(b)); }

// Every switch of the page, on or off.
constexpr std::array kSwitches{"mask",        "window",    "hand-made cells", "ALiBi",         "RoPE",
                               "softcap",     "temperature", "dropout",       "grouped heads", "own widths",
                               "value rank",  "ties",      "second sentence", "scale",         "biases"};
std::array<bool, kSwitches.size()> switches_of(const Run& r) {
  const Settings& s = r.s;
  return {s.mask != Mask::none, s.mask == Mask::window, !r.request.mask_edits.empty(),
          s.positions == Positions::alibi, s.positions == Positions::rope, s.softcap > 0, s.temperature != 1,
          s.dropout > 0, key_heads(s) != s.num_heads, s.d_k > 0 || s.d_v > 0, s.value_rank > 0,
          s.tie != Tie::none, r.request.is_cross(), s.scale != Scale::sqrt_dk, s.biases};
}
bool can_meet(std::size_t a, std::size_t b) {
  const auto pair = [&](std::string_view x, std::string_view y) {
    return (kSwitches[a] == x && kSwitches[b] == y) || (kSwitches[a] == y && kSwitches[b] == x);
  };
  return !pair("ALiBi", "RoPE") && !pair("grouped heads", "ties");
}

}  // namespace

TEST_CASE("the page's layer, the operator and the double formula agree over every pair of switches",
          "[one_attention]") {
  test::needs_four_lanes();
  Random random(2026);
  std::array<std::array<int, kSwitches.size()>, kSwitches.size()> met{};
  for (int trial = 0; trial < 2000; ++trial) {
    const Run r = run(random);
    const Trace& t = r.trace();
    INFO("trial " << trial << ", mask " << mask_ids()[static_cast<std::size_t>(r.s.mask)]);

    // The operator with stages: the same bits, however the mask is said.
    for (const AttendOptions& options : {options_of(r), options_by_name(r)}) {
      const Kept kept = attend(r, options, true);
      REQUIRE(is_equal(t.scores, kept.scores));
      REQUIRE(is_equal(t.scaled_scores, kept.scaled_scores));
      REQUIRE(is_equal(t.unmasked_scores(), kept.capped_scores));
      REQUIRE(is_equal(t.masked_scores, kept.masked_scores));
      REQUIRE(is_equal(t.weights, kept.weights));
      REQUIRE(is_equal(t.used_weights(), kept.dropped_weights));
      REQUIRE(is_equal(t.context, kept.context));
    }
    attend(r, options_by_name(r), false);

    const auto on = switches_of(r);
    for (std::size_t a = 0; a < on.size(); ++a)
      for (std::size_t b = 0; b < a; ++b) met[a][b] += on[a] && on[b];
  }
  for (std::size_t a = 0; a < kSwitches.size(); ++a) {
    for (std::size_t b = 0; b < a; ++b) {
      INFO(kSwitches[a] << " and " << kSwitches[b]);
      CHECK((met[a][b] > 0) == can_meet(a, b));
    }
  }
}

TEST_CASE("the page's layer is the multi-head layer of its parameters", "[one_attention]") {
  test::needs_four_lanes();
  Random random(2027);
  for (int trial = 0; trial < 300; ++trial) {
    const Run r = run(random);
    const Trace& t = r.trace();
    const Parameters& p = r.session.parameters();
    const auto [T, S, D, H, H_kv, d_k, d_v, rank] = t.shape;
    MultiHead layer;
    layer.heads = H;
    layer.key_heads = H_kv;
    layer.query = {p.W_Q.data(), p.b_Q.data(), D, H * d_k};
    layer.key = {p.W_K.data(), p.b_K.data(), D, H_kv * d_k};
    layer.value = {rank > 0 ? p.W_V_up.data() : p.W_V.data(), p.b_V.data(), rank > 0 ? rank : D, H_kv * d_v};
    if (rank > 0) layer.value_down = {p.W_V_down.data(), nullptr, D, rank};
    if (r.s.out_proj) layer.out_proj = {p.W_O.data(), p.b_O.data(), H * d_v, D};
    if (r.s.positions == Positions::rope) layer.rotary = {p.cos, p.sin, d_k / 2, RotaryPairs::interleaved};
    MultiHeadInput input;
    input.x = {t.embeddings.data(), 1, T, D};
    if (r.request.is_cross()) input.keys = {t.key_embeddings.data(), 1, S, D};
    input.given = {r.request.find_given("query"), r.request.find_given("key"), r.request.find_given("value")};

    std::vector<float> y(T * D), weights(H * T * S);
    MultiHeadStages stages;
    stages.layout = HeadLayout::first;  // of what is given
    stages.attend.weights = weights.data();
    MultiHeadScratch scratch;
    REQUIRE_FALSE(attention::run(layer, input, options_by_name(r), y.data(), scratch, stages));
    REQUIRE(is_equal(t.weights, weights));
    for (std::size_t i = 0; i < y.size(); ++i) REQUIRE(y[i] == t.output[i]);  // but for the sign of 0
  }
}

TEST_CASE("a masked key changes nothing, whatever its numbers are", "[one_attention]") {
  Random random(2028);
  constexpr float kPoisons[] = {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity(),
                                kMasked, std::numeric_limits<float>::max()};
  for (int trial = 0; trial < 300; ++trial) {
    const std::size_t B = random.size(1, 2), H_kv = random.size(1, 2), H = H_kv * random.size(1, 3);
    const std::size_t T = random.size(1, 40), S = random.size(2, trial % 10 == 0 ? 600 : 40);
    const std::size_t d_k = random.size(1, 12), d_v = random.size(1, 20), poisoned = random.size(0, int(S) - 1);
    auto query = random.numbers(B * H * T * d_k), key = random.numbers(B * H_kv * S * d_k);
    auto value = random.numbers(B * H_kv * S * d_v);
    // The poisoned key is masked for some queries, in each way that there is.
    std::vector<std::uint8_t> allowed(T * S, 1);
    std::vector<float> bias(T * S);
    std::vector<KeyRange> ranges(T, {0, S});
    std::vector<bool> is_masked(T);
    AttendOptions o;
    const int way = random.whole(0, 3);
    for (std::size_t q = 0; q < T; ++q) {
      is_masked[q] = way == 3 ? poisoned > q : random.coin();
      if (!is_masked[q]) continue;
      allowed[q * S + poisoned] = 0;
      bias[q * S + poisoned] = kMasked;
      ranges[q] = random.coin() ? KeyRange{0, poisoned} : KeyRange{poisoned + 1, S};
    }
    if (way == 0) o.mask = {allowed.data(), nullptr, {1, 1, T, S}};
    if (way == 1) o.mask = {nullptr, bias.data(), {1, 1, T, S}};
    if (way == 2) o.key_ranges = ranges;
    if (way == 3) o.is_causal = true;
    const float temperatures[] = {1, 1, 0.5f, 0};
    o.temperature = temperatures[random.whole(0, 3)];
    o.softcap = random.coin() ? 0 : 2;
    o.dropout = random.coin() ? 0 : 0.3f;
    const bool keeps = random.coin();

    const auto attend = [&](std::vector<float>& weights) {
      std::vector<float> context(B * H * T * d_v);
      Buffer scratch;
      AttendStages stages;
      if (keeps) stages.weights = weights.data();
      REQUIRE_FALSE(attention::attend(heads_first<const float>(query.data(), B, H, T, d_k),
                                      heads_first<const float>(key.data(), B, H_kv, S, d_k),
                                      heads_first<const float>(value.data(), B, H_kv, S, d_v), o,
                                      heads_first(context.data(), B, H, T, d_v), scratch, stages));
      return context;
    };
    std::vector<float> weights(B * H * T * S), poisoned_weights(B * H * T * S);
    const auto clean = attend(weights);
    for (std::size_t image = 0; image < B * H_kv; ++image) {
      for (std::size_t i = 0; i < d_k; ++i) {
        if (random.coin()) key[(image * S + poisoned) * d_k + i] = kPoisons[random.whole(0, 3)];
      }
      for (std::size_t i = 0; i < d_v; ++i) value[(image * S + poisoned) * d_v + i] = kPoisons[random.whole(0, 3)];
    }
    const auto after = attend(poisoned_weights);
    INFO("trial " << trial << ", way " << way << ", stages " << keeps << ", T " << T << ", S " << S);
    for (std::size_t row = 0; row < B * H * T; ++row) {
      if (!is_masked[row % T]) continue;
      for (std::size_t i = 0; i < d_v; ++i) REQUIRE(after[row * d_v + i] == clean[row * d_v + i]);
      for (std::size_t k = 0; k < S && keeps; ++k) REQUIRE(weights[row * S + k] == poisoned_weights[row * S + k]);
    }
  }
}

TEST_CASE("a masked key whose value overflows is 0 in context, explanation and weighted values", "[one_attention]") {
  Settings s;
  s.d_model = s.num_heads = 1;
  s.positions = Positions::none;
  Request request;
  request.tokens = {"a", "b"};
  request.given = {{"content", {0.5f, 2}}, {"W_V", {3e38f}}};
  Session session;
  REQUIRE_FALSE(session.run(request, s));
  const Trace& t = session.trace();
  REQUIRE(std::isinf(t.value[1]));
  CHECK(t.context[0] == t.value[0]);
  Explanation e;
  REQUIRE_FALSE(session.explain("context", 0, e));
  CHECK(e.terms[1].product == 0);
  CHECK(e.terms[1].partial_sum == e.result);
  std::vector<float> weighted;
  REQUIRE_FALSE(session.weighted_values(0, 0, weighted));
  CHECK(weighted == std::vector<float>{t.value[0], 0});
  CHECK(std::isinf(t.context[1]));  // who sees it has it
}

TEST_CASE("weights of 0 set by hand bring nothing, whatever the value holds", "[one_attention]") {
  constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
  const float one = 1;
  std::vector<float> x{1, 2, kNan}, weights{0.5f, 0.5f, 0, 0, 1, 0, 0.25f, 0.25f, 0.5f}, y(3);
  MultiHead layer;
  layer.query = layer.key = layer.value = {&one, nullptr, 1, 1};
  layer.heads = layer.key_heads = 1;
  const HeadPatch patch{0, weights.data()};
  MultiHeadInput input;
  input.x = {x.data(), 1, 3, 1};
  input.changes.patches = {&patch, 1};
  MultiHeadScratch scratch;
  REQUIRE_FALSE(attention::run(layer, input, {}, y.data(), scratch));
  CHECK(y[0] == 1.5f);
  CHECK(y[1] == 2);
  CHECK(std::isnan(y[2]));
  const std::vector<double> expected = reference_run(layer, input, {}).y;
  CHECK(expected[0] == 1.5);
  CHECK(expected[1] == 2);
  CHECK(std::isnan(expected[2]));
}

TEST_CASE("temperature 0 puts all weight on the largest, and equals share", "[one_attention]") {
  const std::vector<float> query{1, 0}, key{1, 0, 2, 0, 2, 5, -1, 0}, value{1, 2, 4, 8};
  AttendOptions o;
  o.scale = 1;
  o.temperature = 0;
  float context = 0;
  std::vector<float> weights(4);
  Buffer scratch;
  AttendStages stages;
  stages.weights = weights.data();
  const auto run = [&](const AttendStages& kept) {
    REQUIRE_FALSE(attend(heads_first(query.data(), 1, 1, 1, 2), heads_first(key.data(), 1, 1, 4, 2),
                         heads_first(value.data(), 1, 1, 4, 1), o, heads_first(&context, 1, 1, 1, 1), scratch, kept));
  };
  run(stages);
  CHECK(weights == std::vector<float>{0, 0.5f, 0.5f, 0});
  CHECK(context == 3);
  run({});
  CHECK(context == 3);
}

TEST_CASE("temperature acts after the cap, the bias and the mask", "[one_attention]") {
  // scores 8 and 0, capped at 2: 2·tanh(4) and 0; a bias of 1 on the second; halved by temperature 2
  const std::vector<float> query{8}, key{1, 0}, value{1, 0}, bias{0, 1};
  AttendOptions o;
  o.scale = 1;
  o.softcap = 2;
  o.temperature = 2;
  o.mask = {nullptr, bias.data(), {1, 1, 1, 2}};
  float context = 0;
  Buffer scratch;
  REQUIRE_FALSE(attend(heads_first(query.data(), 1, 1, 1, 1), heads_first(key.data(), 1, 1, 2, 1),
                       heads_first(value.data(), 1, 1, 2, 1), o, heads_first(&context, 1, 1, 1, 1), scratch));
  const double first = std::exp(2 * std::tanh(4.0) / 2), second = std::exp(1 / 2.0);
  CHECK(std::fabs(double(context) - first / (first + second)) < 1e-6);
}
