#include "attention/block.h"
#include "attention/vectors.h"

#include <algorithm>
#include <bit>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <cstdint>
#include <map>
#include <string>

#include "random_layer.h"

using namespace attention;
using test::kContext;
using test::Random;
using test::RandomDecoder;
using test::same_bits;

namespace {

using Doubles = std::vector<double>;

bool same_number(float a, float b) { return std::bit_cast<std::uint32_t>(a) == std::bit_cast<std::uint32_t>(b); }

// The same bits in builds of four lanes; wider kernels fuse multiplication and addition.
bool is_near(float a, float b) {
  return vectors() == Vectors::four_lanes ? same_number(a, b) : std::fabs(a - b) < 1e-5f * std::fmax(1.0f, std::fabs(b));
}

// A random block with its memory.
struct Parts {
  std::size_t D, H, H_kv, d_k, d_v, hidden;
  std::vector<std::vector<float>> memory;
  Block block;

  explicit Parts(Random& random) {
    H_kv = random.size(1, 3);
    H = H_kv * random.size(1, 2);
    d_k = random.size(1, 9);
    d_v = random.size(1, 9);
    D = random.size(2, 30);
    hidden = random.size(1, 50);
    memory.reserve(32);
    const auto numbers = [&](std::size_t count) {
      memory.push_back(random.numbers(count));
      return memory.back().data();
    };
    const auto linear = [&](std::size_t in, std::size_t out) {
      return Linear{numbers(in * out), random.coin() ? numbers(out) : nullptr, in, out,
                    random.coin() ? Layout::in_out : Layout::out_in, 0};
    };
    block.norm_1 = {numbers(D), numbers(D), D};
    block.norm_2 = {numbers(D), nullptr, D};
    block.norm_1.is_rms = random.coin();
    block.norm_2.is_rms = random.coin();
    block.is_parallel = random.coin();
    block.is_post_norm = !block.is_parallel && random.coin();
    block.attention.query = linear(D, H * d_k);
    block.attention.key = linear(D, H_kv * d_k);
    block.attention.value = linear(D, H_kv * d_v);
    block.attention.out_proj = linear(H * d_v, D);
    block.up = linear(D, hidden);
    block.down = linear(hidden, D);
    if (random.coin()) block.gate = linear(D, hidden);
    block.gelu = random.coin() ? Gelu::erf : Gelu::tanh;
    block.attention.heads = H;
    block.attention.key_heads = H_kv;
  }

  KeyValueCache cache(std::size_t capacity) const {
    KeyValueCache c;
    REQUIRE_FALSE(c.reserve(H_kv, capacity, d_k, d_v));
    return c;
  }
};

Doubles norm(const LayerNorm& n, const Doubles& x) {
  Doubles y(x.size());
  for (std::size_t row = 0; row < x.size(); row += n.width) {
    double mean = 0, variance = 0;
    for (std::size_t i = 0; i < n.width; ++i) mean += n.is_rms ? 0 : x[row + i] / double(n.width);
    for (std::size_t i = 0; i < n.width; ++i) variance += std::pow(x[row + i] - mean, 2) / double(n.width);
    for (std::size_t i = 0; i < n.width; ++i) {
      y[row + i] = (x[row + i] - mean) / std::sqrt(variance + double(n.epsilon)) * n.gain[i] +
                   (n.bias ? n.bias[i] : 0);
    }
  }
  return y;
}

Doubles linear(const Linear& l, const Doubles& x) {
  const std::size_t rows = x.size() / l.in;
  Doubles y(rows * l.out);
  for (std::size_t r = 0; r < rows; ++r)
    for (std::size_t o = 0; o < l.out; ++o) {
      double sum = l.bias ? l.bias[o] : 0;
      for (std::size_t i = 0; i < l.in; ++i) {
        const std::size_t at = l.layout == Layout::in_out ? i * l.out + o : o * l.in + i;
        sum += x[r * l.in + i] * l.weight.floats()[at];
      }
      y[r * l.out + o] = sum;
    }
  return y;
}

double gelu(Gelu kind, double x) {
  if (kind == Gelu::erf) return 0.5 * x * (1 + std::erf(x / std::sqrt(2.0)));
  return 0.5 * x * (1 + std::tanh(std::sqrt(2 / M_PI) * (x + 0.044715 * x * x * x)));
}

double silu(double x) { return x >= 0 ? x / (1 + std::exp(-x)) : x * std::exp(x) / (1 + std::exp(x)); }

// The whole block in double, with attention by its own definition.
Doubles reference(const Parts& p, Doubles x) {
  const std::size_t n = x.size() / p.D;
  const bool is_post = p.block.is_post_norm;
  const Doubles normed = is_post ? x : norm(p.block.norm_1, x);
  const Doubles q = linear(p.block.attention.query, normed), k = linear(p.block.attention.key, normed);
  const Doubles v = linear(p.block.attention.value, normed);
  Doubles context(n * p.H * p.d_v, 0.0);
  for (std::size_t h = 0; h < p.H; ++h) {
    const std::size_t g = h / (p.H / p.H_kv);
    for (std::size_t t = 0; t < n; ++t) {
      const std::size_t seen = p.block.is_causal ? t + 1 : n;
      Doubles e(seen);
      double max = -1e300, sum = 0;
      for (std::size_t s = 0; s < seen; ++s) {
        for (std::size_t i = 0; i < p.d_k; ++i) {
          e[s] += q[(t * p.H + h) * p.d_k + i] * k[(s * p.H_kv + g) * p.d_k + i];
        }
        e[s] /= std::sqrt(double(p.d_k));
        max = std::fmax(max, e[s]);
      }
      for (double& x_s : e) sum += x_s = std::exp(x_s - max);
      for (std::size_t s = 0; s < seen; ++s)
        for (std::size_t i = 0; i < p.d_v; ++i)
          context[(t * p.H + h) * p.d_v + i] += e[s] / sum * v[(s * p.H_kv + g) * p.d_v + i];
    }
  }
  const Doubles attended = linear(p.block.attention.out_proj, context), before = x;
  for (std::size_t i = 0; i < x.size(); ++i) x[i] += attended[i];
  if (is_post) x = norm(p.block.norm_1, x);
  if (p.block.up.weight == nullptr) return x;
  const Doubles normed_2 = is_post ? x : norm(p.block.norm_2, p.block.is_parallel ? before : x);
  Doubles hidden = linear(p.block.up, normed_2);
  if (p.block.gate.weight != nullptr) {
    const Doubles gate = linear(p.block.gate, normed_2);
    for (std::size_t i = 0; i < hidden.size(); ++i) hidden[i] *= silu(gate[i]);
  } else {
    for (double& y : hidden) y = gelu(p.block.gelu, y);
  }
  const Doubles mlp = linear(p.block.down, hidden);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] += mlp[i];
  return is_post ? norm(p.block.norm_2, x) : x;
}

}  // namespace

TEST_CASE("a block equals the same block in double", "[block]") {
  Random random(81);
  for (int trial = 0; trial < 80; ++trial) {
    Parts p(random);
    p.block.is_causal = trial % 3 > 0;
    if (trial % 4 == 0) p.block.up = p.block.down = p.block.gate = {}, p.block.norm_2 = {};  // no MLP
    const std::size_t n = random.size(1, 25);
    auto x = random.numbers(n * p.D);
    const Doubles expected = reference(p, Doubles(x.begin(), x.end()));
    const Doubles plain = reference_run(p.block, Doubles(x.begin(), x.end()));
    for (std::size_t i = 0; i < plain.size(); ++i) {
      REQUIRE(std::fabs(plain[i] - expected[i]) < 1e-7 * (1 + std::fabs(expected[i])));
    }
    KeyValueCache cache = p.cache(n);
    BlockScratch scratch;
    REQUIRE_FALSE(run(p.block, x.data(), n, cache, scratch));
    double scale = 1;
    for (const double y : expected) scale = std::fmax(scale, std::fabs(y));
    for (std::size_t i = 0; i < x.size(); ++i) REQUIRE(std::fabs(x[i] - expected[i]) < 1e-4 * scale);
  }
}

TEST_CASE("decoding token by token gives the bits of reading at once", "[block][cache]") {
  Random random(82);
  for (int trial = 0; trial < 40; ++trial) {
    const Parts p(random);
    const std::size_t n = random.size(2, 90);
    const auto x = random.numbers(n * p.D);
    auto at_once = x, by_parts = x;
    BlockScratch scratch;
    KeyValueCache whole = p.cache(n), parts = p.cache(n);
    REQUIRE_FALSE(run(p.block, at_once.data(), n, whole, scratch));
    for (std::size_t row = 0; row < n;) {
      const std::size_t rows = std::min(n - row, random.size(1, 7));
      REQUIRE_FALSE(run(p.block, by_parts.data() + row * p.D, rows, parts, scratch));
      row += rows;
    }
    CHECK(same_bits(at_once, by_parts));
  }
}

TEST_CASE("gelu is within 4e-7 of its definition, in both forms", "[block]") {
  std::vector<float> in, out;
  for (float x = -12; x < 12; x += 0.0031f) in.push_back(x);
  out.resize(in.size());
  for (const Gelu kind : {Gelu::erf, Gelu::tanh}) {
    apply(kind, in.data(), in.size(), out.data());
    for (std::size_t i = 0; i < in.size(); ++i) {
      REQUIRE(std::fabs(out[i] - gelu(kind, in[i])) <= 4e-7 * (1 + std::fabs(in[i])));
    }
  }
}

TEST_CASE("silu is within 4 units of its definition, far out as well", "[block]") {
  std::vector<float> in, out;
  for (float x = -120; x < 120; x += 0.0173f) in.push_back(x);
  for (float x : {0.0f, -0.0f, 1e-30f, -1e-30f, 3e38f, -3e38f}) in.push_back(x);
  out.resize(in.size());
  silu(in.data(), in.size(), out.data());
  for (std::size_t i = 0; i < in.size(); ++i) {
    const double expected = silu(static_cast<double>(in[i]));
    // Below -86.6 softmax's exponential is 0.
    REQUIRE(std::fabs(out[i] - expected) <= 4 * 0x1p-24 * std::fabs(expected) + 1e-35);
  }
}

TEST_CASE("gelu and silu hide no NaN, whatever its bits", "[block]") {
  for (const Gelu kind : {Gelu::erf, Gelu::tanh}) {
    for (const float nan : test::nans()) {
      const std::vector<float> in{1, 2, nan, 3, nan};  // in lanes and behind them
      std::vector<float> out(5);
      apply(kind, in.data(), 5, out.data());
      for (std::size_t i = 0; i < 5; ++i) REQUIRE(std::isnan(out[i]) == std::isnan(in[i]));
      silu(in.data(), 5, out.data());
      for (std::size_t i = 0; i < 5; ++i) REQUIRE(std::isnan(out[i]) == std::isnan(in[i]));
    }
  }
}

TEST_CASE("a full cache and a block that does not fit are refused", "[block][errors]") {
  Random random(83);
  Parts p(random);
  KeyValueCache cache = p.cache(3);
  BlockScratch scratch;
  auto x = random.numbers(4 * p.D);
  CHECK(run(p.block, x.data(), 4, cache, scratch).code() == ErrorCode::invalid_shape);
  CHECK(cache.length() == 0);
  for (Linear Block::*half : {&Block::up, &Block::down}) {  // half an MLP
    Block lacks = p.block;
    lacks.*half = {};
    CHECK(run(lacks, x.data(), 1, cache, scratch).code() == ErrorCode::invalid_shape);
    CHECK(cache.length() == 0);
  }
  Block both = p.block;
  both.is_parallel = both.is_post_norm = true;
  CHECK(run(both, x.data(), 1, cache, scratch).rule == Rule::block_norms);
  p.block.attention.heads = 0;
  CHECK(run(p.block, x.data(), 1, cache, scratch).code() == ErrorCode::invalid_shape);
  CHECK(cache.reserve(SIZE_MAX, 2, 2, 2).code() == ErrorCode::invalid_shape);
  CHECK(cache.reserve(2, SIZE_MAX, 2, 2).code() == ErrorCode::invalid_shape);
  CHECK(cache.reserve(1, 1, SIZE_MAX, 1).code() == ErrorCode::invalid_shape);
  // Whose product would wrap round to something small.
  CHECK(cache.reserve(2, SIZE_MAX / 2 + 2, 1, 1).code() == ErrorCode::invalid_shape);
  CHECK(cache.reserve(1, 2, SIZE_MAX / 2 + 2, 1).code() == ErrorCode::invalid_shape);
  CHECK(cache.reserve(1, 1, SIZE_MAX / 2 + 2, SIZE_MAX / 2 + 2).code() == ErrorCode::invalid_shape);
}

TEST_CASE("Every number of a row's way through a block is explained to its bits, and as double has it") {
  Random random(91);
  for (int round = 0; round < 60; ++round) {
    Parts p(random);
    if (round % 10 == 0) p.block.up.weight = p.block.down.weight = p.block.gate.weight = Weight{};
    const bool has_mlp = p.block.up.weight != nullptr, has_gate = has_mlp && p.block.gate.weight != nullptr, is_post = p.block.is_post_norm;
    const std::size_t T = random.size(1, 5), row = random.size(0, T - 1), width = p.H * p.d_v;
    const std::vector<float> before = random.numbers(T * p.D);
    std::vector<float> after = before, concat(T * width);
    KeyValueCache cache = p.cache(T);
    BlockScratch scratch;
    MultiHeadStages stages;
    stages.concat = concat.data();
    REQUIRE_FALSE(run(p.block, after.data(), T, cache, scratch, stages));
    const BlockRow of{before.data() + row * p.D, concat.data() + row * width};

    // The chain in double.
    std::map<std::string, Doubles> expected;
    expected["x"] = Doubles(of.x, of.x + p.D);
    expected["contexts"] = Doubles(of.contexts, of.contexts + width);
    const auto sum = [](Doubles a, const Doubles& b) {
      for (std::size_t i = 0; i < a.size(); ++i) a[i] += b[i];
      return a;
    };
    expected["attention"] = linear(p.block.attention.out_proj, expected["contexts"]);
    expected["sum_1"] = sum(expected["x"], expected["attention"]);
    expected["norm_1"] = norm(p.block.norm_1, expected[is_post ? "sum_1" : "x"]);
    if (has_mlp) {
      if (!is_post) expected["norm_2"] = norm(p.block.norm_2, expected[p.block.is_parallel ? "x" : "sum_1"]);
      const Doubles read = expected[is_post ? "norm_1" : "norm_2"];
      expected["up"] = linear(p.block.up, read);
      expected["active"] = expected["up"];
      if (has_gate) expected["active"] = expected["gate"] = linear(p.block.gate, read);
      for (double& y : expected["active"]) y = has_gate ? silu(y) : gelu(p.block.gelu, y);
      if (has_gate) {
        expected["hidden"] = expected["up"];
        for (std::size_t i = 0; i < p.hidden; ++i) expected["hidden"][i] *= expected["active"][i];
      }
      expected["mlp"] = linear(p.block.down, expected[has_gate ? "hidden" : "active"]);
      expected["sum_2"] = sum(expected[is_post ? "norm_1" : "sum_1"], expected["mlp"]);
      if (is_post) expected["norm_2"] = norm(p.block.norm_2, expected["sum_2"]);
    }

    const std::string last = !has_mlp ? (is_post ? "norm_1" : "sum_1") : is_post ? "norm_2" : "sum_2";
    for (const auto& [stage, numbers] : expected) {
      CAPTURE(round, stage);
      Explanation e, other;
      CHECK(explain(p.block, of, stage, numbers.size(), e).rule == Rule::number_index);
      for (std::size_t i = 0; i < numbers.size(); ++i) {
        REQUIRE_FALSE(explain(p.block, of, stage, i, e));
        CHECK(std::fabs(double(e.result) - numbers[i]) < 2e-5 * std::fmax(1, std::fabs(numbers[i])) * (stage == "norm_2" || stage == "norm_1" ? 50 : 1));
        if (stage == last) CHECK(same_number(e.result, after[row * p.D + i]));
        if (e.rule == "given") {
          CHECK((stage == "x" || stage == "contexts"));
          continue;
        }
        REQUIRE_FALSE(e.terms.empty());
        // Its operands are numbers of the same names.
        for (const Term& term : e.terms) {
          if (expected.find(std::string(term.left.array)) == expected.end()) FAIL("no such stage");
          if (i > 0) continue;  // the same for every number
          REQUIRE_FALSE(explain(p.block, of, term.left.array, term.left.index, other));
          CHECK(same_number(other.result, term.left.value));
        }
        const float bias = e.bias.array.empty() ? 0 : e.bias.value;
        const double left = e.terms[0].left.value;
        if (e.rule == "silu" || e.rule == "gelu") {
          CHECK(std::fabs(left * e.constants[0].value - double(e.result)) < 1e-6 * std::fmax(1, std::fabs(left)));
          CHECK(e.constants[0].name == std::string_view("share"));
        } else {
          const float made = e.terms.back().partial_sum;
          // Wider kernels fuse multiplication and addition.
          if (vectors() == Vectors::four_lanes) CHECK(same_number(e.bias.array.empty() ? made : made + bias, e.result));
        }
        if (e.rule == "layer-norm" || e.rule == "rms-norm") {
          const bool is_rms = e.rule == "rms-norm";
          const double mean = is_rms ? 0 : e.constants[0].value, deviation = e.constants[is_rms ? 0 : 1].value;
          const Doubles& read = expected[std::string(e.terms[0].left.array)];
          double own = 0, squares = 0;
          for (const double x : read) own += is_rms ? 0 : x / double(p.D);
          for (const double x : read) squares += (x - own) * (x - own) / double(p.D);
          CHECK(std::fabs(mean - own) < 1e-5);
          CHECK(std::fabs(deviation - std::sqrt(squares + 1e-5)) < 1e-4 * deviation);
        }
      }
    }
    Explanation e;
    CHECK(explain(p.block, of, "none", 0, e).rule == Rule::number_array);
    CHECK(explain(p.block, {of.x, nullptr}, "x", 0, e).rule == Rule::no_data);
  }
}

TEST_CASE("Every number before the blocks and behind them is explained to its bits, and as double has it") {
  Random random(92);
  for (int round = 0; round < 60; ++round) {
    CAPTURE(round);
    const RandomDecoder p(random, round % 2 == 0);
    const Decoder& d = p.decoder;
    const auto tokens = p.tokens(random, random.size(1, 6));
    const std::size_t T = tokens.size(), D = d.d_model, V = d.vocabulary, row = random.size(0, T - 1);
    DecoderState state;
    REQUIRE_FALSE(state.reserve(d, T));
    std::vector<float> logits(T * V), embeddings(T * D);
    std::vector<std::vector<float>> residuals(d.blocks.size(), std::vector<float>(T * D));
    std::vector<float*> kept;
    for (auto& each : residuals) kept.push_back(each.data());
    REQUIRE_FALSE(run(d, tokens, state, logits.data(), LogitsOf::every_token, {embeddings.data(), {}, kept}));
    const float* const x = residuals.back().data() + row * D;
    const DecoderRow of{tokens[row], row, x};

    // The chain in double.
    std::map<std::string, Doubles> expected;
    std::map<std::string, std::vector<float>> parameters;
    Doubles sum(D);
    for (std::size_t i = 0; i < D; ++i) {
      sum[i] = double(d.embeddings.floats()[static_cast<std::size_t>(tokens[row]) * D + i]) + (d.positions.empty() ? 0.0 : double(d.positions[row * D + i]));
    }
    if (d.embeddings_norm.gain != nullptr) expected["placed"] = sum;
    expected["embedding"] = d.embeddings_norm.gain != nullptr ? norm(d.embeddings_norm, sum) : sum;
    Doubles read = expected["last"] = Doubles(x, x + D);
    if (d.transform.weight) {
      read = expected["transformed"] = linear(d.transform, read);
      for (double& y : read) y = gelu(d.transform_gelu, y);
      expected["activated"] = read;
    }
    if (d.final_norm.gain != nullptr) read = expected["final"] = norm(d.final_norm, read);
    expected["logit"] = linear(output_of(d), read);
    Doubles chances = expected["logit"];
    const double most = *std::max_element(chances.begin(), chances.end());
    double all = 0;
    for (double& each : chances) all += each = std::exp(each - most);
    for (double& each : chances) each /= all;
    expected["chance"] = chances;

    std::vector<float> shares(V);
    softmax(logits.data() + row * V, 1, V, shares.data());
    for (const std::string stage : {"placed", "embedding", "last", "transformed", "activated", "final", "logit", "chance"}) {
      CAPTURE(stage);
      Explanation e, other;
      const auto found = expected.find(stage);
      if (found == expected.end()) {
        CHECK(explain(d, of, stage, 0, e).rule == Rule::number_array);
        continue;
      }
      const Doubles& numbers = found->second;
      CHECK(explain(d, of, stage, numbers.size(), e).rule == Rule::number_index);
      for (std::size_t i = 0; i < numbers.size(); ++i) {
        REQUIRE_FALSE(explain(d, of, stage, i, e));
        const bool is_normed = (stage == "embedding" && d.embeddings_norm.gain != nullptr) || stage == "final" || stage == "logit" || stage == "chance";
        CHECK(std::fabs(double(e.result) - numbers[i]) < 2e-5 * std::fmax(1, std::fabs(numbers[i])) * (is_normed ? 50 : 1));
        if (stage == "embedding") CHECK(same_number(e.result, embeddings[row * D + i]));
        if (stage == "logit") CHECK(is_near(e.result, logits[row * V + i]));
        if (stage == "chance") CHECK(is_near(e.result, shares[i]));
        if (stage == "last") {
          CHECK(e.rule == "given");
          continue;
        }
        REQUIRE_FALSE(e.terms.empty());
        for (const Term& term : e.terms) {
          if (term.left.array == "E") {
            CHECK(term.left.index == static_cast<std::size_t>(tokens[row]) * D + i);
            CHECK(same_number(term.left.value, d.embeddings.floats()[term.left.index]));
          } else if (term.left.array == "P") {
            CHECK(term.left.index == row * D + i);
            CHECK(same_number(term.left.value, d.positions[term.left.index]));
          } else if (i == 0) {
            REQUIRE_FALSE(explain(d, of, term.left.array, term.left.index, other));
            CHECK(same_number(other.result, term.left.value));
          }
          if (term.right.array == "W_U") CHECK(term.right.index % V == i);
        }
        const float made = e.terms.back().partial_sum;
        if (e.rule == "gelu") {
          CHECK(std::fabs(double(e.terms[0].left.value) * e.constants[0].value - double(e.result)) < 1e-6 * std::fmax(1, std::fabs(double(e.result))));
        } else if (e.rule == "softmax") {
          const double exp_sum = e.constants[2].value;
          CHECK(e.constants[3].value == double(i));
          CHECK(same_number(e.terms[i].product / static_cast<float>(exp_sum), e.result));
          double together = 0;
          for (const Term& term : e.terms) together += double(term.product);
          CHECK(std::fabs(together - exp_sum) < 1e-5 * exp_sum);
        } else if (vectors() == Vectors::four_lanes) {
          CHECK(same_number(e.bias.array.empty() ? made : made + e.bias.value, e.result));
        }
      }
    }
    Explanation e;
    CHECK(explain(d, of, "none", 0, e).rule == Rule::number_array);
    CHECK(explain(d, {tokens[row], row, nullptr}, "last", 0, e).rule == Rule::no_data);
    CHECK(explain(d, {static_cast<std::int32_t>(V), row, x}, "last", 0, e).rule == Rule::decoder_token);
    CHECK(explain(d, {-1, row, x}, "last", 0, e).rule == Rule::decoder_token);
    if (!d.positions.empty()) CHECK(explain(d, {tokens[row], kContext, x}, "embedding", 0, e).rule == Rule::number_index);
  }
}
