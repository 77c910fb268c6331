#include <catch2/catch_test_macros.hpp>

#include "../random.h"
#include "attention/backward.h"
#include "differences.h"

using namespace attention;
using test::distance;
using test::Doubles;
using test::doubles;
using test::Random;

namespace {

struct Problem {
  std::size_t B, H, H_kv, T, S, d_k, d_v;
  std::vector<float> query, key, value, dcontext, bias, slopes;
  std::vector<std::uint8_t> allowed;
  std::vector<std::int64_t> offsets, lengths;
  std::vector<KeyRange> ranges;
  AttendOptions options;

  Problem(Random& random, int most_queries, int most_keys)
      : B(random.size(1, 2)),
        H_kv(random.size(1, 2)),
        T(random.size(1, most_queries)),
        S(random.size(1, most_keys)),
        d_k(random.size(1, 9)),
        d_v(random.size(1, 9)) {
    H = H_kv * random.size(1, 2);
    query = random.numbers(B * T * H * d_k);
    key = random.numbers(B * S * H_kv * d_k);
    value = random.numbers(B * S * H_kv * d_v);
    dcontext = random.numbers(B * T * H * d_v);
    AttendOptions& o = options;
    if (random.coin()) o.scale = random.number() * 3;
    if (random.coin()) o.softcap = 0.5f + std::fabs(random.number());
    o.is_causal = random.coin();
    o.offset = random.whole(-2, 4);
    if (random.coin()) o.window_left = random.whole(0, 5);
    if (random.coin()) o.window_right = random.whole(0, 5);
    if (random.whole(0, 3) == 0) {
      for (std::size_t b = 0; b < B; ++b) offsets.push_back(random.whole(-2, 4));
      o.batch_offsets = offsets;
    }
    if (random.whole(0, 3) == 0) {
      for (std::size_t b = 0; b < B; ++b) lengths.push_back(random.whole(0, static_cast<int>(S)));
      o.key_lengths = lengths;
    }
    if (random.whole(0, 3) == 0) {
      for (std::size_t t = 0; t < T; ++t) {
        const std::size_t begin = random.size(0, static_cast<int>(S));
        ranges.push_back({begin, begin + random.size(0, static_cast<int>(S - begin))});
      }
      o.key_ranges = ranges;
    }
    if (random.coin()) {
      o.mask.extents = {random.coin() ? B : 1, random.coin() ? H : 1, random.coin() ? T : 1,
                        random.coin() ? S : random.size(1, static_cast<int>(S))};
      const auto& n = o.mask.extents;
      bias = random.numbers(n[0] * n[1] * n[2] * n[3]);
      if (random.coin()) bias[0] = -INFINITY;
      o.mask.bias = bias.data();
      if (random.coin()) {
        for (std::size_t i = 0; i < bias.size(); ++i) allowed.push_back(random.whole(0, 3) > 0);
        o.mask.allowed = allowed.data();
      }
    }
    if (random.coin()) slopes = random.numbers(H), o.alibi_slopes = slopes;
    const float temperatures[] = {1, 1, 0.5f, 2};
    o.temperature = temperatures[random.whole(0, 3)];
    if (random.coin()) o.dropout = 0.3f, o.dropout_seed = 5;
  }

  Heads<const float> q() const { return heads_last(query.data(), B, T, H, d_k); }
  Heads<const float> k() const { return heads_last(key.data(), B, S, H_kv, d_k); }
  Heads<const float> v() const { return heads_last(value.data(), B, S, H_kv, d_v); }
  Heads<const float> by() const { return heads_last(dcontext.data(), B, T, H, d_v); }

  double loss() const {
    const ReferenceAttend made = reference_attend(q(), k(), v(), options);
    double sum = 0;
    for (std::size_t at = 0; at < made.context.size(); ++at) {
      const std::size_t i = at % d_v, t = at / d_v % T, h = at / d_v / T % H, b = at / d_v / T / H;
      sum += made.context[at] * static_cast<double>(by().row(b, h, t)[i]);
    }
    return sum;
  }
  // By steps that float32 holds exactly enough: their true size is what counts.
  Doubles slopes_of(std::vector<float>& numbers) {
    Doubles found;
    for (float& x : numbers) {
      const float kept = x, above = kept + 0x1p-9f, below = kept - 0x1p-9f;
      if (std::isinf(kept)) {
        found.push_back(0);
        continue;
      }
      x = above;
      const double more = loss();
      x = below;
      found.push_back((more - loss()) / (static_cast<double>(above) - static_cast<double>(below)));
      x = kept;
    }
    return found;
  }
  // (B, rows, heads · width) from (B, heads, rows, width), as reference gradients lie.
  static Doubles last(const Doubles& first, std::size_t heads, std::size_t rows, std::size_t width) {
    Doubles out(first.size());
    for (std::size_t at = 0; at < first.size(); ++at) {
      const std::size_t i = at % width, r = at / width % rows, h = at / width / rows % heads,
                        b = at / width / rows / heads;
      out[((b * rows + r) * heads + h) * width + i] = first[at];
    }
    return out;
  }
};

struct Found {
  std::vector<float> query, key, value, bias;

  explicit Found(const Problem& p)
      : query(p.query.size()), key(p.key.size()), value(p.value.size()), bias(p.bias.size()) {}
  AttendGradients views(const Problem& p) {
    return {heads_last(query.data(), p.B, p.T, p.H, p.d_k), heads_last(key.data(), p.B, p.S, p.H_kv, p.d_k),
            heads_last(value.data(), p.B, p.S, p.H_kv, p.d_v), bias.empty() ? nullptr : bias.data()};
  }
};

void check_against_reference(const Problem& p) {
  const auto reference = reference_attend_backward(p.q(), p.k(), p.v(), p.options, p.by());
  Found found(p);
  Buffer scratch;
  REQUIRE_FALSE(attend_backward(p.q(), p.k(), p.v(), p.options, p.by(), found.views(p), scratch));
  CHECK(distance(found.query, Problem::last(reference.query, p.H, p.T, p.d_k), 0.5) < 2e-5);
  CHECK(distance(found.key, Problem::last(reference.key, p.H_kv, p.S, p.d_k), 0.5) < 2e-5);
  CHECK(distance(found.value, Problem::last(reference.value, p.H_kv, p.S, p.d_v), 0.5) < 2e-5);
  CHECK(distance(found.bias, reference.bias, 0.5) < 2e-5);
}

}  // namespace

TEST_CASE("attention's gradient in double is what finite differences say", "[train][attend_backward]") {
  Random random(21);
  for (int trial = 0; trial < 60; ++trial) {
    Problem p(random, 6, 7);
    const auto g = reference_attend_backward(p.q(), p.k(), p.v(), p.options, p.by());
    INFO("trial " << trial);
    CHECK(distance(Problem::last(g.query, p.H, p.T, p.d_k), p.slopes_of(p.query), 0.1) < 2e-4);
    CHECK(distance(Problem::last(g.key, p.H_kv, p.S, p.d_k), p.slopes_of(p.key), 0.1) < 2e-4);
    CHECK(distance(Problem::last(g.value, p.H_kv, p.S, p.d_v), p.slopes_of(p.value), 0.1) < 2e-4);
    CHECK(distance(g.bias, p.slopes_of(p.bias), 0.1) < 2e-4);
  }
}

TEST_CASE("attention's gradient in float32 is that in double, with every option", "[train][attend_backward]") {
  Random random(22);
  for (int trial = 0; trial < 200; ++trial) {
    const Problem p(random, trial % 4 == 0 ? 150 : 20, trial % 5 == 0 ? 300 : 30);
    INFO("trial " << trial);
    check_against_reference(p);
  }
}

TEST_CASE("at temperature 0 only values have a gradient", "[train][attend_backward]") {
  Random random(23);
  Problem p(random, 20, 20);
  p.options.temperature = 0;
  check_against_reference(p);
  const auto g = reference_attend_backward(p.q(), p.k(), p.v(), p.options, p.by());
  CHECK(distance(g.query, Doubles(g.query.size())) == 0);
}

TEST_CASE("attention's gradients are added to what is there", "[train][attend_backward]") {
  Random random(24);
  const Problem p(random, 70, 20);
  Found once(p), twice(p);
  Buffer scratch;
  REQUIRE_FALSE(attend_backward(p.q(), p.k(), p.v(), p.options, p.by(), once.views(p), scratch));
  for (int i = 0; i < 2; ++i) {
    REQUIRE_FALSE(attend_backward(p.q(), p.k(), p.v(), p.options, p.by(), twice.views(p), scratch));
  }
  for (float& x : once.query) x *= 2;
  for (float& x : once.value) x *= 2;
  CHECK(distance(twice.query, once.query, 0.1) < 1e-6);
  CHECK(distance(twice.value, once.value, 0.1) < 1e-6);
}

TEST_CASE("attention's gradient holds no square of the text's length", "[train][attend_backward]") {
  constexpr std::size_t n = 3000;
  const std::vector<float> x(n * 2, 0.5f);
  std::vector<float> dq(n * 2), dk(n * 2), dv(n * 2);
  const auto view = heads_first(x.data(), 1, 1, n, 2);
  AttendOptions options;
  options.window_left = options.window_right = 3;
  Buffer scratch;
  REQUIRE_FALSE(attend_backward(
      view, view, view, options, view,
      {heads_first(dq.data(), 1, 1, n, 2), heads_first(dk.data(), 1, 1, n, 2), heads_first(dv.data(), 1, 1, n, 2)},
      scratch));
  CHECK(scratch.floats().size() < 64 * n * 4);
}

TEST_CASE("gradients that do not fit are refused, and nothing is written", "[train][attend_backward][errors]") {
  Random random(25);
  Problem p(random, 9, 9);
  p.options = {};
  p.bias.clear();
  Found found(p);
  Buffer scratch;
  const auto code = [&](auto change, AttendOptions options = {}) {
    AttendGradients views = found.views(p);
    change(views);
    return attend_backward(p.q(), p.k(), p.v(), options, p.by(), views, scratch).rule;
  };
  const auto none = [](AttendGradients&) {};
  CHECK(code([](AttendGradients& g) { --g.query.width, g.query.row_stride += 9; }) != Rule::none);
  CHECK(code([](AttendGradients& g) { g.key.rows += 1; }) == Rule::gradient_shape);
  CHECK(code([](AttendGradients& g) { g.value.data = nullptr; }) == Rule::no_data);
  CHECK(code([](AttendGradients& g) { g.value.heads += 1; }) != Rule::none);
  float bias = 0;
  CHECK(code([&](AttendGradients& g) { g.bias = &bias; }) == Rule::gradient_bias);
  AttendOptions wrong;
  wrong.dropout = 1;
  CHECK(code(none, wrong) == Rule::option_dropout);
  for (const auto* numbers : {&found.query, &found.key, &found.value}) {
    CHECK(distance(*numbers, Doubles(numbers->size())) == 0);
  }
}

TEST_CASE("whatever a masked key and its value hold, the gradients have the same bits", "[train][attend_backward]") {
  Random random(37);
  auto poison = test::nans();
  poison.insert(poison.end(), {INFINITY, -INFINITY, 3e38f});
  std::size_t masked_everywhere = 0, masked_somewhere = 0;
  for (int trial = 0; trial < 400; ++trial) {
    Problem p(random, 80, 12);
    const std::size_t b = random.size(0, p.B - 1), key_head = random.size(0, p.H_kv - 1), j = random.size(0, p.S - 1);
    const auto scores = reference_attend(p.q(), p.k(), p.v(), p.options).masked_scores;
    std::vector<std::array<std::size_t, 2>> without;  // heads and queries that do not see it
    const std::size_t group = p.H / p.H_kv;
    for (std::size_t h = key_head * group; h < (key_head + 1) * group; ++h)
      for (std::size_t t = 0; t < p.T; ++t)
        if (scores[((b * p.H + h) * p.T + t) * p.S + j] == -INFINITY) without.push_back({h, t});
    const auto gradients = [&p] {
      Found found(p);
      Buffer scratch;
      REQUIRE_FALSE(attend_backward(p.q(), p.k(), p.v(), p.options, p.by(), found.views(p), scratch));
      return found;
    };
    const Found before = gradients();
    const float bad = poison[random.size(0, poison.size() - 1)];
    p.key[((b * p.S + j) * p.H_kv + key_head) * p.d_k + random.size(0, p.d_k - 1)] = bad;
    std::fill_n(&p.value[((b * p.S + j) * p.H_kv + key_head) * p.d_v], p.d_v, bad);
    const Found after = gradients();
    for (const auto& [h, t] : without) {
      const std::size_t from = ((b * p.T + t) * p.H + h) * p.d_k;
      REQUIRE(test::same_bits(std::span(before.query).subspan(from, p.d_k), std::span(after.query).subspan(from, p.d_k)));
    }
    masked_somewhere += without.empty() ? 0 : 1;
    if (without.size() < group * p.T) continue;
    ++masked_everywhere;
    REQUIRE(test::same_bits(before.query, after.query));
    REQUIRE(test::same_bits(before.key, after.key));
    REQUIRE(test::same_bits(before.value, after.value));
    REQUIRE(test::same_bits(before.bias, after.bias));
  }
  CHECK(masked_everywhere > 20);
  CHECK(masked_somewhere > 100);
}
