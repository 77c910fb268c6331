#include "attention/attend.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <limits>

#include "random.h"

using namespace attention;
using test::Random;
using test::same_bits;

namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

// A random problem; keeps the memory that its views point into.
struct Problem {
  std::size_t B, H, H_kv, T, S, d_k, d_v;
  std::vector<float> q, k, v, bias, slopes;
  std::vector<std::uint8_t> allowed;
  std::vector<std::int64_t> offsets, lengths;
  AttendOptions options;
  bool last;  // (B, n, H·d) rather than (B, H, n, d)

  explicit Problem(Random& random, int most_rows = 40) {
    B = random.size(1, 3);
    H_kv = random.size(1, 3);
    H = H_kv * random.size(1, 5);
    T = random.size(1, most_rows);
    S = random.size(1, most_rows);
    d_k = random.size(1, 20);
    d_v = random.size(1, 20);
    last = random.coin();
    q = random.numbers(B * H * T * d_k);
    k = random.numbers(B * H_kv * S * d_k);
    v = random.numbers(B * H_kv * S * d_v);
    for (float& x : q) x *= 3;
    if (random.coin()) options.scale = random.number();
    if (random.coin()) options.softcap = 0.5f + std::fabs(random.number()) * 4;
    options.is_causal = random.coin();
    options.offset = random.whole(-5, 10);
    if (random.whole(0, 3) == 0) options.window_left = random.whole(0, 12);
    if (random.whole(0, 3) == 0) options.window_right = random.whole(0, 12);
    if (random.whole(0, 3) == 0) {
      for (std::size_t b = 0; b < B; ++b) offsets.push_back(random.whole(-5, 10));
      options.batch_offsets = offsets;
    }
    if (random.whole(0, 3) == 0) {
      for (std::size_t b = 0; b < B; ++b) lengths.push_back(random.whole(0, static_cast<int>(S)));
      options.key_lengths = lengths;
    }
    if (random.whole(0, 3) == 0) {
      slopes.resize(H);
      fill_alibi_slopes(slopes);
      options.alibi_slopes = slopes;
    }
    if (random.coin()) add_mask(random);
    if (random.whole(0, 4) == 0) options.dropout = std::fabs(random.number()) * 0.9f;
    options.dropout_seed = 7;
  }

  void add_mask(Random& random) {
    auto& n = options.mask.extents;
    n = {random.coin() ? B : 1, random.coin() ? H : 1, random.coin() ? T : 1,
         random.whole(0, 3) == 0 ? random.size(1, static_cast<int>(S)) : S};
    const std::size_t count = n[0] * n[1] * n[2] * n[3];
    if (random.coin()) {
      for (std::size_t i = 0; i < count; ++i) allowed.push_back(random.whole(0, 3) != 0);
      options.mask.allowed = allowed.data();
    }
    if (random.coin()) {
      bias = random.numbers(count);
      for (float& x : bias) x = random.whole(0, 6) == 0 ? -kInfinity : x;
      options.mask.bias = bias.data();
    }
  }

  template <class T>
  Heads<T> view(T* data, std::size_t heads, std::size_t rows, std::size_t width) const {
    return last ? heads_last(data, B, rows, heads, width) : heads_first(data, B, heads, rows, width);
  }
  Heads<const float> query() const { return view(q.data(), H, T, d_k); }
  Heads<const float> key() const { return view(k.data(), H_kv, S, d_k); }
  Heads<const float> value() const { return view(v.data(), H_kv, S, d_v); }

  std::vector<float> context(const AttendStages& stages = {}) const {
    std::vector<float> out(B * H * T * d_v, 99.0f);
    Buffer scratch;
    const Error error = attend(query(), key(), value(), options, view(out.data(), H, T, d_v),
                               scratch, stages);
    INFO(message(error));
    REQUIRE_FALSE(error);
    return out;
  }
};

bool near(float got, double expected, double bound) {
  if (std::isinf(expected)) return double(got) == expected;
  return std::fabs(got - expected) <= bound * (1 + std::fabs(expected));
}

// Of `count` numbers. One assertion for all: one a number takes longer than the arithmetic.
template <class Expected>
void require_near(const float* got, const Expected* expected, std::size_t count, double bound) {
  std::size_t i = 0;
  while (i < count && near(got[i], static_cast<double>(expected[i]), bound)) ++i;
  if (i < count) FAIL("number " << i << " of " << count << " is " << got[i] << " and not " << expected[i]);
}

}  // namespace

TEST_CASE("attend equals the double reference at every stage, over random problems", "[attend]") {
  Random random(51);
  for (int trial = 0; trial < 300; ++trial) {
    const Problem p(random);
    const std::size_t count = p.B * p.H * p.T * p.S;
    std::vector<float> scores(count), scaled(count), capped(count), masked(count), weights(count),
        dropped(count);
    const auto context = p.context({scores.data(), scaled.data(), capped.data(), masked.data(),
                                    weights.data(), dropped.data()});
    const ReferenceAttend expected = reference_attend(p.query(), p.key(), p.value(), p.options);
    require_near(scores.data(), expected.scores.data(), count, 2e-6);
    require_near(scaled.data(), expected.scaled_scores.data(), count, 2e-6);
    require_near(capped.data(), expected.capped_scores.data(), count, 4e-6);
    require_near(masked.data(), expected.masked_scores.data(), count, 4e-6);
    require_near(weights.data(), expected.weights.data(), count, 2e-5);
    require_near(dropped.data(), expected.dropped_weights.data(), count, 2e-4);
    for (std::size_t b = 0; b < p.B; ++b)
      for (std::size_t h = 0; h < p.H; ++h)
        for (std::size_t t = 0; t < p.T; ++t)
          require_near(p.view(context.data(), p.H, p.T, p.d_v).row(b, h, t),
                       &expected.context[((b * p.H + h) * p.T + t) * p.d_v], p.d_v, 2e-4);
  }
}

TEST_CASE("the fused path is the path of the stages, to rounding", "[attend]") {
  Random random(52);
  for (int trial = 0; trial < 160; ++trial) {
    const Problem p(random, trial < 120 ? 40 : trial < 155 ? 300 : 1200);  // 512 keys make a block
    std::vector<float> weights(p.B * p.H * p.T * p.S);
    AttendStages stages;
    stages.weights = weights.data();
    const auto traced = p.context(stages), fused = p.context();
    require_near(fused.data(), traced.data(), traced.size(), 1e-5);
  }
}

TEST_CASE("the fused path equals the double reference around the edges of tiles and blocks", "[attend]") {
  Random random(57);
  for (const int rows : {1, 2, 3, 4, 5, 7, 8, 9, 12, 16, 17, 63, 64, 65, 511, 512, 513, 1025}) {
    for (int trial = 0; trial < (rows < 100 ? 12 : 3); ++trial) {
      Problem p(random, 1);
      p.T = static_cast<std::size_t>(random.coin() ? rows : random.whole(1, 20));
      p.S = static_cast<std::size_t>(rows);
      p.options.mask = {};
      p.options.batch_offsets = {};
      p.options.key_lengths = {};
      p.q = random.numbers(p.B * p.H * p.T * p.d_k);
      p.k = random.numbers(p.B * p.H_kv * p.S * p.d_k);
      p.v = random.numbers(p.B * p.H_kv * p.S * p.d_v);
      const auto context = p.context();
      const ReferenceAttend expected = reference_attend(p.query(), p.key(), p.value(), p.options);
      for (std::size_t b = 0; b < p.B; ++b)
        for (std::size_t h = 0; h < p.H; ++h)
          for (std::size_t t = 0; t < p.T; ++t)
            require_near(p.view(context.data(), p.H, p.T, p.d_v).row(b, h, t),
                         &expected.context[((b * p.H + h) * p.T + t) * p.d_v], p.d_v, 1e-5);
    }
  }
}

TEST_CASE("a query's context does not depend on the queries beside it", "[attend]") {
  Random random(53);
  for (int trial = 0; trial < 44; ++trial) {
    Problem p(random, trial < 40 ? 150 : 1200);
    p.options.mask = {};
    p.options.dropout = 0;
    const auto all = p.context();
    // One token against the same keys, as when decoding.
    const std::size_t t = random.size(0, static_cast<int>(p.T) - 1);
    AttendOptions one = p.options;
    one.offset += static_cast<std::int64_t>(t);
    std::vector<std::int64_t> moved(p.offsets);
    for (auto& offset : moved) offset += static_cast<std::int64_t>(t);
    one.batch_offsets = moved;
    Heads<const float> query = p.query();
    query.data = query.row(0, 0, t);
    query.rows = 1;
    std::vector<float> out(p.B * p.H * p.d_v);
    Buffer scratch;
    REQUIRE_FALSE(attend(query, p.key(), p.value(), one,
                         heads_first(out.data(), p.B, p.H, 1, p.d_v), scratch));
    for (std::size_t b = 0; b < p.B; ++b)
      for (std::size_t h = 0; h < p.H; ++h)
        for (std::size_t i = 0; i < p.d_v; ++i)
          REQUIRE(out[(b * p.H + h) * p.d_v + i] ==
                  *(p.view(all.data(), p.H, p.T, p.d_v).row(b, h, t) + i));
  }
}

TEST_CASE("one query against several blocks of keys has the bits of all queries at once", "[attend]") {
  Random random(58);
  constexpr std::size_t n = 1300, d = 24;
  for (int trial = 0; trial < 4; ++trial) {
    auto q = random.numbers(n * d), k = random.numbers(n * d), v = random.numbers(n * d);
    for (float& x : q) x *= 8;  // sharp, so that the maximum moves from block to block
    std::vector<float> all(n * d), one(d);
    AttendOptions options;
    options.is_causal = true;
    Buffer scratch;
    const auto view = [](auto* data, std::size_t rows) { return heads_first(data, 1, 1, rows, d); };
    const Heads<const float> keys = view(k.data(), n), values = view(v.data(), n);
    REQUIRE_FALSE(attend(view(q.data(), n), keys, values, options, view(all.data(), n), scratch));
    for (const std::size_t t : {0u, 510u, 511u, 512u, 700u, 1023u, 1024u, 1299u}) {
      options.offset = static_cast<std::int64_t>(t);
      REQUIRE_FALSE(attend(view(q.data() + t * d, 1), keys, values, options, view(one.data(), 1), scratch));
      REQUIRE(same_bits(one, std::vector<float>(all.begin() + static_cast<std::ptrdiff_t>(t * d),
                                                all.begin() + static_cast<std::ptrdiff_t>((t + 1) * d))));
    }
  }
}

TEST_CASE("dropout draws each weight by its own place, wherever a query's keys begin", "[attend]") {
  Random random(60);
  constexpr std::size_t S = 40, d = 3;
  const auto q = random.numbers(2 * S * d), k = random.numbers(2 * S * d), v = random.numbers(2 * S * d);
  AttendOptions options;
  options.dropout = 0.5f;
  options.window_left = 9;
  Buffer scratch;
  for (const std::size_t T : {1u, 2u, 20u}) {
    for (int offset = 0; offset < 40; ++offset) {
      options.offset = offset;
      const auto query = heads_first<const float>(q.data(), 2, 1, T, d);
      const auto key = heads_first<const float>(k.data(), 2, 1, S, d);
      const auto value = heads_first<const float>(v.data(), 2, 1, S, d);
      std::vector<float> out(2 * T * d);
      REQUIRE_FALSE(attend(query, key, value, options, heads_first(out.data(), 2, 1, T, d), scratch));
      const auto expected = reference_attend(query, key, value, options).context;
      require_near(out.data(), expected.data(), out.size(), 1e-5);
    }
  }
}

TEST_CASE("a bias of -infinity masks a score that is infinite", "[attend]") {
  const std::vector<float> k{3e38f, 1, 2}, v{7, 1, 1}, bias{-kInfinity, 0, 0};
  AttendOptions options;
  options.mask = {nullptr, bias.data(), {1, 1, 1, 3}};
  for (const std::size_t T : {1u, 2u, 9u}) {
    for (const bool is_staged : {false, true}) {
      const std::vector<float> q(T, 10.0f);
      std::vector<float> out(T), weights(3 * T);
      Buffer scratch;
      REQUIRE_FALSE(attend(heads_first(q.data(), 1, 1, T, 1), heads_first(k.data(), 1, 1, 3, 1),
                           heads_first(v.data(), 1, 1, 3, 1), options, heads_first(out.data(), 1, 1, T, 1), scratch,
                           {.weights = is_staged ? weights.data() : nullptr}));
      CHECK(out == std::vector<float>(T, 1.0f));
    }
  }
}

TEST_CASE("grouped heads equal repeated key and value heads", "[attend]") {
  Random random(54);
  for (int trial = 0; trial < 30; ++trial) {
    Problem p(random, 20);
    p.last = false;
    const auto grouped = p.context();
    const auto repeat = [&](std::vector<float>& heads, std::size_t size) {
      std::vector<float> out;
      for (std::size_t b = 0; b < p.B; ++b)
        for (std::size_t h = 0; h < p.H; ++h) {
          const auto from = heads.begin() + static_cast<std::ptrdiff_t>((b * p.H_kv + h / (p.H / p.H_kv)) * size);
          out.insert(out.end(), from, from + static_cast<std::ptrdiff_t>(size));
        }
      heads = out;
    };
    repeat(p.k, p.S * p.d_k);
    repeat(p.v, p.S * p.d_v);
    p.H_kv = p.H;
    CHECK(same_bits(p.context(), grouped));
  }
}

TEST_CASE("extreme scores and fully masked rows give what the definition gives", "[attend]") {
  const std::vector<float> q{1e15f, -1e15f}, k{1e15f, -1e15f, 0}, v{1, 2, 3};
  std::vector<float> out(2);
  Buffer scratch;
  AttendOptions o;
  o.scale = 1;
  const auto run = [&] {
    REQUIRE_FALSE(attend(heads_first(q.data(), 1, 1, 2, 1), heads_first(k.data(), 1, 1, 3, 1),
                         heads_first(v.data(), 1, 1, 3, 1), o, heads_first(out.data(), 1, 1, 2, 1),
                         scratch));
  };
  run();
  CHECK(out == std::vector<float>{1, 2});
  o.is_causal = true;
  o.offset = -1;  // query 0 sees nothing, query 1 sees key 0
  run();
  CHECK(out == std::vector<float>{0, 1});
  o = {};
  const std::vector<std::uint8_t> none{0, 0, 0};
  o.mask = {none.data(), nullptr, {1, 1, 1, 3}};
  run();
  CHECK(out == std::vector<float>{0, 0});
}

TEST_CASE("ALiBi slopes are the paper's", "[attend]") {
  std::vector<float> eight(8), twelve(12);
  fill_alibi_slopes(eight);
  CHECK(eight == std::vector<float>{0x1p-1f, 0x1p-2f, 0x1p-3f, 0x1p-4f, 0x1p-5f, 0x1p-6f, 0x1p-7f, 0x1p-8f});
  fill_alibi_slopes(twelve);
  // Eight slopes for eight heads, then the 1st, 3rd, 5th and 7th of sixteen.
  for (int h = 0; h < 8; ++h) CHECK(twelve[static_cast<std::size_t>(h)] == eight[static_cast<std::size_t>(h)]);
  for (int h = 0; h < 4; ++h) {
    CHECK(std::fabs(twelve[static_cast<std::size_t>(8 + h)] - std::exp2(-0.5 - h)) < 1e-7);
  }
}

TEST_CASE("a NaN is not hidden, whatever its bits, in whatever it stands", "[attend]") {
  constexpr std::size_t S = 21, d = 5;
  Random random(59);
  // One query, a few, and several panels; with stages and without.
  for (const std::size_t T : {1u, 2u, 3u, 40u}) {
    for (const float nan : test::nans()) {
      const auto q = random.numbers(T * d), k = random.numbers(S * d), v = random.numbers(S * d);
      AttendOptions options;
      options.softcap = random.coin() ? 0.0f : 4.0f;
      options.temperature = 0.5f * static_cast<float>(random.whole(0, 2));
      options.is_causal = true;
      options.offset = 3;
      const auto context = [&](const std::vector<float>& query, const std::vector<float>& key,
                               const std::vector<float>& value, bool is_staged) {
        std::vector<float> out(T * d), weights(T * S);
        Buffer scratch;
        REQUIRE_FALSE(attend(heads_first(query.data(), 1, 1, T, d), heads_first(key.data(), 1, 1, S, d),
                             heads_first(value.data(), 1, 1, S, d), options,
                             heads_first(out.data(), 1, 1, T, d), scratch,
                             {.weights = is_staged ? weights.data() : nullptr}));
        return out;
      };
      const std::size_t row = random.size(0, static_cast<int>(T) - 1), column = random.size(0, d - 1);
      const std::size_t last = std::min(row + 3, S - 1);
      const std::size_t key = random.size(0, static_cast<int>(last));
      auto nan_query = q, nan_key = k, nan_value = v;
      nan_query[row * d + column] = nan_key[key * d + column] = nan_value[key * d + column] = nan;
      for (const bool is_staged : {false, true}) {
        const auto of_query = context(nan_query, k, v, is_staged), of_key = context(q, nan_key, v, is_staged),
                   of_value = context(q, k, nan_value, is_staged);
        for (std::size_t i = 0; i < d; ++i) {
          REQUIRE(std::isnan(of_query[row * d + i]));
          REQUIRE(std::isnan(of_key[row * d + i]));
          REQUIRE(std::isnan(of_value[row * d + i]) == (i == column));
        }
      }
    }
  }
}

TEST_CASE("scores are counted only where they are kept", "[attend][errors]") {
  constexpr std::size_t kRows = (std::size_t{1} << 20) + 1;  // squared: beyond what a stage may hold
  std::vector<float> rows(kRows, 1.0f), context(kRows);
  const auto in = heads_first<const float>(rows.data(), 1, 1, kRows, 1);
  const auto out = heads_first(context.data(), 1, 1, kRows, 1);
  Buffer scratch;
  float score = 0;
  const Error error = attend(in, in, in, {}, out, scratch, {.scores = &score});
  CHECK(error.code() == ErrorCode::invalid_shape);
  CHECK(message(error).find("keep no stages") != std::string::npos);
  CHECK(score == 0);
}

TEST_CASE("what does not fit is refused before anything is written", "[attend][errors]") {
  std::vector<float> memory(64, 1.0f), out(64, 99.0f);
  Buffer scratch;
  const auto code = [&](auto change) {
    auto q = heads_first<const float>(memory.data(), 1, 2, 4, 4);
    auto k = q, v = q;
    auto c = heads_first(out.data(), 1, 2, 4, 4);
    AttendOptions o;
    change(q, k, v, c, o);
    const ErrorCode result = attend(q, k, v, o, c, scratch).code();
    CHECK(out == std::vector<float>(64, 99.0f));
    return result;
  };
  using Q = Heads<const float>&;
  using C = Heads<float>&;
  using O = AttendOptions&;
  const auto shape = ErrorCode::invalid_shape, option = ErrorCode::invalid_option;
  CHECK(code([](Q q, Q, Q, C, O) { q.width = 3; }) == shape);
  CHECK(code([](Q, Q k, Q, C, O) { k.heads = 3; }) == shape);
  CHECK(code([](Q, Q, Q v, C, O) { v.rows = 3; }) == shape);
  CHECK(code([](Q, Q, Q, C c, O) { c.width = 5; }) == shape);
  CHECK(code([](Q q, Q, Q, C, O) { q.data = nullptr; }) == shape);
  CHECK(code([](Q q, Q, Q, C, O) { q.rows = 0; }) == shape);
  CHECK(code([](Q q, Q, Q, C, O) { q.row_stride = 2; }) == shape);
  CHECK(code([](Q q, Q, Q, C, O) { q.rows = SIZE_MAX / 2; }) == shape);
  CHECK(code([](Q q, Q k, Q v, C c, O) {
          q.batch = k.batch = v.batch = c.batch = SIZE_MAX;
        }) == shape);
  CHECK(code([](Q q, Q, Q, C, O) {
          q.data = reinterpret_cast<const float*>(reinterpret_cast<std::uintptr_t>(q.data) + 1);
        }) == shape);
  CHECK(code([&](Q, Q, Q, C, O o) { o.mask = {nullptr, memory.data(), {1, 1, 3, 4}}; }) == shape);
  CHECK(code([&](Q, Q, Q, C, O o) { o.mask = {nullptr, memory.data(), {1, 1, 1, 5}}; }) == shape);
  CHECK(code([&](Q, Q, Q, C, O o) { o.mask = {nullptr, memory.data(), {1, 1, 1, 0}}; }) == shape);
  // Two batches that overlap, and sizes whose product wraps round to something small.
  const auto two_batches = [&](int which, std::size_t stride) {
    return code([=](Q q, Q k, Q v, C c, O) mutable {
      q.batch = k.batch = v.batch = c.batch = 2;
      for (std::size_t* each : {&q.batch_stride, &k.batch_stride, &v.batch_stride, &c.batch_stride}) {
        *each = which-- == 0 ? stride : 32;
      }
    });
  };
  for (int which = 0; which < 4; ++which) {
    CHECK(two_batches(which, 3) == shape);
    CHECK(two_batches(which, SIZE_MAX / 2 + 2) == shape);
  }
  CHECK(code([](Q q, Q, Q, C, O) { q.row_stride = SIZE_MAX / 2 + 2; }) == shape);
  CHECK(code([](Q q, Q, Q, C, O) { q.head_stride = SIZE_MAX / 2 + 2; }) == shape);
  CHECK(code([](Q q, Q k, Q v, C c, O) {
          q.batch = k.batch = v.batch = c.batch = 2;
          q.heads = k.heads = v.heads = c.heads = SIZE_MAX / 2 + 2;
        }) == shape);
  CHECK(code([](Q, Q, Q, C, O o) { o.scale = kInfinity; }) == option);
  CHECK(code([](Q, Q, Q, C, O o) { o.softcap = -1; }) == option);
  CHECK(code([](Q, Q, Q, C, O o) { o.dropout = 1; }) == option);
  CHECK(code([](Q, Q, Q, C, O o) { o.window_left = -2; }) == option);
  CHECK(code([](Q, Q, Q, C, O o) { o.offset = INT64_MAX; }) == option);
  const std::vector<std::int64_t> two{1, 1}, long_one{5};
  CHECK(code([&](Q, Q, Q, C, O o) { o.key_lengths = two; }) == option);
  CHECK(code([&](Q, Q, Q, C, O o) { o.key_lengths = long_one; }) == option);
  CHECK(code([&](Q, Q, Q, C, O o) { o.batch_offsets = two; }) == option);
}
