#include "attention/multi_head.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <functional>
#include <limits>

#include "random_layer.h"

using namespace attention;
using test::is_close;
using test::Random;
using test::same_bits;

namespace {

// A random layer with an input that fits it.
struct Parts {
  std::size_t B, T, S, D, D_key, D_value, H, H_kv, d_k, d_v;
  test::Memory memory;
  test::Tables tables;
  MultiHead layer;
  MultiHeadInput input;
  AttendOptions options;
  std::vector<std::uint8_t> allowed;
  std::vector<std::int64_t> positions, key_positions;
  bool is_self;

  explicit Parts(Random& random) : memory(random) {
    is_self = random.coin();
    const bool one_source = is_self || random.coin();
    B = random.size(1, 3);
    T = random.size(1, 20);
    S = is_self ? T : random.size(1, 20);
    H_kv = random.size(1, 3);
    H = H_kv * random.size(1, 3);
    d_k = random.size(1, 9);
    d_v = random.size(1, 9);
    D = random.size(1, 24);
    D_key = is_self ? D : random.size(1, 24);
    D_value = one_source ? D_key : random.size(1, 24);
    projections(random);
    if (random.coin()) layer.out_proj = memory.linear(H * d_v, random.size(1, 20));
    layer.heads = H;
    layer.key_heads = H_kv;
    input.x = {memory.numbers(B * T * D), B, T, D};
    if (!is_self) input.keys = {memory.numbers(B * S * D_key), B, S, D_key};
    if (!one_source) input.values = {memory.numbers(B * S * D_value), B, S, D_value};
    if (d_k > 1 && random.coin()) rotary(random);
    if (d_k > 1 && random.coin()) head_norms(random);
    if (random.coin()) options.scale = random.number();
    options.is_causal = random.coin();
    options.offset = random.whole(-2, 5);
    if (random.coin()) mask(random);
  }

  void projections(Random& random) {
    if (D == D_key && D == D_value && H == H_kv && d_k == d_v && random.coin()) {
      const Linear packed = memory.linear(D, 3 * H * d_k);
      layer.query = slice(packed, 0, 3);
      layer.key = slice(packed, 1, 3);
      layer.value = slice(packed, 2, 3);
      return;
    }
    layer.query = memory.linear(D, H * d_k);
    layer.key = memory.linear(D_key, H_kv * d_k);
    if (random.coin()) {
      const std::size_t rank = random.size(1, 6);
      layer.value_down = memory.linear(D_value, rank);
      layer.value = memory.linear(rank, H_kv * d_v);
    } else {
      layer.value = memory.linear(D_value, H_kv * d_v);
    }
  }

  void rotary(Random& random) {
    tables.fill(random.size(1, static_cast<int>(d_k / 2)),
                random.coin() ? RotaryPairs::interleaved : RotaryPairs::halved);
    layer.rotary = tables.view;
    const auto draw = [&](std::vector<std::int64_t>& out, std::size_t count) {
      for (std::size_t i = 0; i < count; ++i) out.push_back(random.whole(0, test::kRotaryRows - 1));
      return std::span<const std::int64_t>(out);
    };
    if (random.coin()) input.positions = draw(positions, B * T);
    if (random.coin()) input.key_positions = draw(key_positions, B * S);
  }

  void head_norms(Random& random) {
    layer.query_norm = {{memory.numbers(d_k), d_k}, 0.1f};
    if (random.size(1, 4) > 1) layer.key_norm = {{memory.numbers(d_k), d_k}, 0.2f};
  }

  void mask(Random& random) {
    options.mask.extents = {random.coin() ? B : 1, random.coin() ? H : 1, random.coin() ? T : 1,
                            random.size(1, static_cast<int>(S))};
    const auto& n = options.mask.extents;
    for (std::size_t i = 0; i < n[0] * n[1] * n[2] * n[3]; ++i) allowed.push_back(random.coin());
    options.mask.allowed = allowed.data();
  }

  std::vector<float> result() const { return std::vector<float>(B * T * output_width(layer)); }
};

}  // namespace

TEST_CASE("a multi-head layer and its stages equal the same layer in double", "[multi_head]") {
  Random random(91);
  for (int trial = 0; trial < 400; ++trial) {
    const Parts p(random);
    const ReferenceMultiHead expected = reference_run(p.layer, p.input, p.options);
    auto y = p.result(), plain = y;
    MultiHeadScratch scratch;
    std::vector<float> query(expected.query.size()), rotated_query(query), key(expected.key.size()),
        rotated_key(key), value(expected.value.size()), concat(expected.concat.size()),
        weights(expected.attend.weights.size());
    MultiHeadStages stages;
    stages.query = query.data();
    stages.rotated_query = rotated_query.data();
    stages.key = key.data();
    stages.rotated_key = rotated_key.data();
    stages.value = value.data();
    stages.concat = concat.data();
    stages.attend.weights = weights.data();
    REQUIRE_FALSE(run(p.layer, p.input, p.options, y.data(), scratch, stages));
    REQUIRE_FALSE(run(p.layer, p.input, p.options, plain.data(), scratch));
    REQUIRE(is_close(y, expected.y, 2e-5));
    REQUIRE(is_close(plain, expected.y, 2e-5));
    REQUIRE(is_close(query, expected.query, 2e-6));
    REQUIRE(is_close(rotated_query, expected.rotated_query, 2e-6));
    REQUIRE(is_close(key, expected.key, 2e-6));
    REQUIRE(is_close(rotated_key, expected.rotated_key, 2e-6));
    REQUIRE(is_close(value, expected.value, 4e-6));
    REQUIRE(is_close(weights, expected.attend.weights, 2e-5));
    REQUIRE(is_close(concat, expected.concat, 2e-5));
  }
}

TEST_CASE("a layer's result may take its input's place", "[multi_head]") {
  Random random(92);
  for (int trial = 0; trial < 60; ++trial) {
    const Parts p(random);
    auto y = p.result();
    MultiHeadScratch scratch;
    REQUIRE_FALSE(run(p.layer, p.input, p.options, y.data(), scratch));
    std::vector<float> place(std::max(y.size(), p.B * p.T * p.D));
    std::copy_n(p.input.x.data, p.B * p.T * p.D, place.data());
    MultiHeadInput over = p.input;
    over.x.data = place.data();
    REQUIRE_FALSE(run(p.layer, over, p.options, place.data(), scratch));
    place.resize(y.size());
    CHECK(same_bits(place, y));
  }
}

TEST_CASE("with a cache, a layer reads tokens a few at a time as it reads them at once",
          "[multi_head][cache]") {
  Random random(93);
  for (int trial = 0; trial < 80; ++trial) {
    Parts p(random);
    if (!p.is_self) continue;
    p.input.positions = p.input.key_positions = {};
    p.options = {};
    p.options.is_causal = true;
    const std::size_t width = output_width(p.layer), row = p.D;
    auto whole = p.result(), parts = whole;
    MultiHeadScratch scratch;
    REQUIRE_FALSE(run(p.layer, p.input, p.options, whole.data(), scratch));
    KeyValueCache cache;
    REQUIRE_FALSE(cache.reserve(p.H_kv, p.T, p.d_k, p.d_v, p.B));
    for (std::size_t first = 0; first < p.T;) {
      const std::size_t count = std::min(p.T - first, random.size(1, 7));
      std::vector<float> x, y(p.B * count * width);
      for (std::size_t b = 0; b < p.B; ++b) {
        const float* from = p.input.x.data + (b * p.T + first) * row;
        x.insert(x.end(), from, from + count * row);
      }
      MultiHeadInput input;
      input.x = {x.data(), p.B, count, row};
      input.cache = &cache;
      REQUIRE_FALSE(run(p.layer, input, p.options, y.data(), scratch));
      for (std::size_t b = 0; b < p.B; ++b) {
        std::copy_n(&y[b * count * width], count * width, &parts[(b * p.T + first) * width]);
      }
      first += count;
    }
    CHECK(same_bits(whole, parts));
  }
}

TEST_CASE("a cache forgets what comes after a length, and nothing else", "[multi_head][cache]") {
  Random random(94);
  KeyValueCache cache;
  REQUIRE_FALSE(cache.reserve(2, 5, 3, 4, 2));
  const auto keys = random.numbers(2 * 4 * 2 * 3), values = random.numbers(2 * 4 * 2 * 4);
  REQUIRE_FALSE(cache.append(heads_last(keys.data(), 2, 4, 2, 3), heads_last(values.data(), 2, 4, 2, 4)));
  cache.truncate(9);
  CHECK(cache.length() == 4);
  cache.truncate(3);
  CHECK(cache.length() == 3);
  for (std::size_t b = 0; b < 2; ++b)
    for (std::size_t h = 0; h < 2; ++h)
      for (std::size_t r = 0; r < 3; ++r) {
        CHECK(cache.keys().row(b, h, r)[2] == keys[((b * 4 + r) * 2 + h) * 3 + 2]);
        CHECK(cache.values().row(b, h, r)[3] == values[((b * 4 + r) * 2 + h) * 4 + 3]);
      }
}

TEST_CASE("a layer that does not fit is refused with a sentence, before anything is written",
          "[multi_head][errors]") {
  Random random(95);
  const float huge[1] = {0};
  struct Break {
    const char* words;  // of the sentence
    std::function<void(Parts&)> apply;
  };
  constexpr std::size_t kHuge = std::numeric_limits<std::size_t>::max() / 2;
  const std::vector<std::int64_t> one_position{0}, beyond(400, test::kRotaryRows);
  const std::vector<Break> breaks{
      {"x has no data", [](Parts& p) { p.input.x.data = nullptr; }},
      {"x is empty", [](Parts& p) { p.input.x.rows = 0; }},
      {"x is larger", [=](Parts& p) { p.input.x.batch = kHuge; }},
      {"x is misaligned",
       [](Parts& p) {
         p.input.x.data =
             reinterpret_cast<const float*>(reinterpret_cast<const char*>(p.input.x.data) + 1);
       }},
      {"same batch",
       [&](Parts& p) {
         p.input.keys = {huge, p.B + 1, p.S, p.D_key};
       }},
      {"same rows",
       [&](Parts& p) {
         p.input.values = {huge, p.B, p.S + 1, p.D_value};
       }},
      {"query has no matrix", [](Parts& p) { p.layer.query.weight = nullptr; }},
      {"key leads from", [](Parts& p) { p.layer.key.in += 1; }},
      {"value leads from", [](Parts& p) { p.layer.value.in += 1; }},
      {"value_down leads from",
       [&](Parts& p) {
         p.layer.value_down = {huge, nullptr, p.D_value + 1, 2};
       }},
      {"out_proj leads from",
       [&](Parts& p) {
         p.layer.out_proj = {huge, nullptr, p.H * p.d_v + 1, 2};
       }},
      {"out_proj has a bias",
       [&](Parts& p) {
         p.layer.out_proj = {nullptr, huge, 0, 0};
       }},
      {"stride",
       [](Parts& p) {
         p.layer.query.stride = 1;
         p.layer.query.in = p.D = p.input.x.width = 2;
         p.layer.query.out = 2 * p.H;
         p.layer.key.out = 2 * p.H_kv;
         p.layer.query.stride = 1;
       }},
      {"The heads must", [](Parts& p) { p.layer.heads = 0; }},
      {"The heads must", [](Parts& p) { p.layer.key_heads = 0; }},
      {"The heads must", [](Parts& p) { p.layer.key_heads = p.H + 1; }},
      {"scale must", [](Parts& p) { p.options.scale = std::numeric_limits<float>::infinity(); }},
      {"offset must",
       [](Parts& p) { p.options.offset = std::numeric_limits<std::int64_t>::max(); }},
      {"offset must",
       [](Parts& p) { p.options.offset = std::numeric_limits<std::int64_t>::min(); }},
      {"otary",
       [](Parts& p) {
         p.layer.rotary = {{}, {}, p.d_k + 1, RotaryPairs::halved};
       }},
      {"The queries' norm", [&](Parts& p) { p.layer.query_norm = {{huge, p.d_k + 1}}; }},
      {"The keys' norm", [&](Parts& p) { p.layer.key_norm = {{huge, p.d_k}, -1.0f}; }},
      {"position",
       [&](Parts& p) {
         p.layer.query_norm = p.layer.key_norm = {};
         p.layer.query = p.memory.linear(p.D, p.H * 4);
         p.layer.key = p.memory.linear(p.D_key, p.H_kv * 4);
         p.tables.fill(2, RotaryPairs::halved);
         p.layer.rotary = p.tables.view;
         p.input.positions = std::span(beyond).first(p.B * p.T);
       }},
  };
  for (const Break& broken : breaks) {
    for (int trial = 0; trial < 8; ++trial) {
      Parts p(random);
      std::vector<float> y(2000, 7), untouched = y;
      broken.apply(p);
      MultiHeadScratch scratch;
      const Error error = run(p.layer, p.input, p.options, y.data(), scratch);
      INFO(broken.words << " in: " << message(error));
      CHECK(bool(error));
      CHECK(message(error).find(broken.words) != std::string::npos);
      CHECK(y == untouched);
      CHECK(scratch.rows.floats().empty());
    }
  }
  Parts p(random);
  MultiHeadScratch scratch;
  CHECK(run(p.layer, p.input, p.options, nullptr, scratch).code() == ErrorCode::invalid_shape);
}

TEST_CASE("a cache that does not fit the layer is refused and left as it was",
          "[multi_head][cache][errors]") {
  Random random(96);
  for (int trial = 0; trial < 40; ++trial) {
    Parts p(random);
    auto y = p.result();
    MultiHeadScratch scratch;
    KeyValueCache cache;
    const auto refuses = [&] {
      p.input.cache = &cache;
      const std::size_t before = cache.length();
      return run(p.layer, p.input, p.options, y.data(), scratch).code() == ErrorCode::invalid_shape &&
             cache.length() == before;
    };
    CHECK(refuses());  // never reserved
    REQUIRE_FALSE(cache.reserve(p.H_kv + 1, p.S, p.d_k, p.d_v, p.B));
    CHECK(refuses());
    REQUIRE_FALSE(cache.reserve(p.H_kv, p.S, p.d_k + 1, p.d_v, p.B));
    CHECK(refuses());
    REQUIRE_FALSE(cache.reserve(p.H_kv, p.S, p.d_k, p.d_v + 1, p.B));
    CHECK(refuses());
    REQUIRE_FALSE(cache.reserve(p.H_kv, p.S, p.d_k, p.d_v, p.B + 1));
    CHECK(refuses());
    REQUIRE_FALSE(cache.reserve(p.H_kv, p.S, p.d_k, p.d_v, p.B));
    p.options.mask = {};
    p.options.scale = std::numeric_limits<float>::quiet_NaN();
    CHECK(run(p.layer, p.input, p.options, y.data(), scratch).code() == ErrorCode::invalid_option);
    CHECK(cache.length() == 0);
    p.options.scale = {};
    REQUIRE_FALSE(run(p.layer, p.input, p.options, y.data(), scratch));
    CHECK(cache.length() == p.S);
    CHECK(refuses());  // full
  }
}
