#include "attention/workers.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <catch2/catch_test_macros.hpp>
#include <chrono>
#include <thread>
#include <vector>

#include "attention/decoder.h"
#include "random.h"
#include "random_layer.h"

using namespace attention;
using test::Random;
using test::same_bits;

namespace {

struct Problem {
  std::size_t B, H, H_kv, T, S, d_k, d_v;
  std::vector<float> q, k, v, bias, slopes;
  std::vector<std::uint8_t> allowed;
  std::vector<std::int64_t> offsets, lengths;
  std::vector<KeyRange> ranges;
  AttendOptions options;

  Problem(Random& random, int most_rows) {
    B = random.size(1, 4);
    H_kv = random.size(1, 3);
    H = H_kv * random.size(1, 2);
    T = random.size(1, most_rows);
    S = random.size(1, most_rows);
    d_k = random.size(1, 20);
    d_v = random.size(1, 20);
    q = random.numbers(B * H * T * d_k);
    k = random.numbers(B * H_kv * S * d_k);
    v = random.numbers(B * H_kv * S * d_v);
    options.is_causal = random.coin();
    options.offset = random.whole(-5, 10);
    if (random.coin()) options.softcap = 2;
    if (random.coin()) options.window_left = random.whole(0, most_rows);
    for (std::size_t b = 0; b < B; ++b) {  // each its own
      offsets.push_back(random.whole(-5, 10) + most_rows / 2 * int(b));
      lengths.push_back(random.whole(0, int(S)));
    }
    if (random.coin()) options.batch_offsets = offsets;
    if (random.coin()) options.key_lengths = lengths;
    if (random.whole(0, 2) == 0) {
      for (std::size_t q = 0; q < T; ++q) {
        const std::size_t begin = random.size(0, int(S));
        ranges.push_back({begin, random.size(int(begin), int(S))});
      }
      options.key_ranges = ranges;
    }
    if (random.whole(0, 2) == 0) options.temperature = 0.5f * static_cast<float>(random.whole(0, 4));
    if (random.coin()) slopes.resize(H), fill_alibi_slopes(slopes), options.alibi_slopes = slopes;
    if (random.whole(0, 3) == 0) options.dropout = 0.3f;
    auto& n = options.mask.extents;
    n = {random.coin() ? B : 1, random.coin() ? H : 1, random.coin() ? T : 1, random.size(1, int(S))};
    if (random.coin()) {
      for (std::size_t i = 0; i < n[0] * n[1] * n[2] * n[3]; ++i) allowed.push_back(random.coin());
      options.mask.allowed = allowed.data();
    }
    if (random.coin()) {
      bias = random.numbers(n[0] * n[1] * n[2] * n[3]);
      options.mask.bias = bias.data();
    }
  }

  // By attend() with whatever comes last: a scratch memory, or workers.
  template <class With>
  std::vector<float> context(With& with) const {
    std::vector<float> out(B * H * T * d_v, 99.0f);
    const Error error = attend(heads_first<const float>(q.data(), B, H, T, d_k),
                               heads_first<const float>(k.data(), B, H_kv, S, d_k),
                               heads_first<const float>(v.data(), B, H_kv, S, d_v), options,
                               heads_first(out.data(), B, H, T, d_v), with);
    INFO(message(error));
    REQUIRE_FALSE(error);
    return out;
  }
};

// Whether any of them has computed attention: each does in memory of its own.
bool have_attended(Workers& workers) {
  std::size_t floats = 0;
  for (std::size_t i = 0; i < workers.count(); ++i) floats += workers.scratch(i).floats().size();
  return floats > 0;
}

}  // namespace

TEST_CASE("several threads give the bits of one", "[workers]") {
  Random random(81);
  Workers two(2), five(5);
  for (int trial = 0; trial < 120; ++trial) {
    const Problem p(random, trial < 100 ? 300 : 700);
    Buffer scratch;
    const std::vector<float> expected = p.context(scratch);
    REQUIRE(same_bits(p.context(two), expected));
    REQUIRE(same_bits(p.context(five), expected));
  }
}

TEST_CASE("workers do every task once, and wait for the last", "[workers]") {
  for (const std::size_t count : {1, 2, 7}) {
    Workers workers(count);
    REQUIRE(workers.count() == count);
    for (std::size_t tasks = 0; tasks < 60; ++tasks) {
      struct Tally {
        std::vector<std::atomic<int>> done;
        std::atomic<bool> is_known = true;
        std::size_t workers;
      } tally{std::vector<std::atomic<int>>(tasks), true, count};
      workers.run(tasks, [](void* context, std::size_t i, std::size_t worker) {
        auto& all = *static_cast<Tally*>(context);
        ++all.done[i];
        if (worker >= all.workers) all.is_known = false;
      }, &tally);
      for (const auto& times : tally.done) REQUIRE(times == 1);
      REQUIRE(tally.is_known);
    }
  }
}

TEST_CASE("several threads refuse what one refuses", "[workers][errors]") {
  Workers workers(2);
  std::vector<float> numbers(64, 1.0f), out(64, 99.0f);
  const auto rows = [&](std::size_t width) { return heads_first<const float>(numbers.data(), 1, 1, 2, width); };
  const Error error = attend(rows(4), rows(5), rows(4), {}, heads_first(out.data(), 1, 1, 2, 4), workers);
  REQUIRE(error.code() == ErrorCode::invalid_shape);
  REQUIRE(out == std::vector<float>(64, 99.0f));
  const auto in = rows(4);
  REQUIRE(attend(in, in, in, {}, heads_first(numbers.data() + 4, 1, 1, 2, 4), workers).code() == ErrorCode::invalid_shape);
  REQUIRE(numbers == std::vector<float>(64, 1.0f));
}

namespace {

// Large enough that every product of it is divided, by rows and by columns.
struct LargeDecoder {
  static constexpr std::size_t D = 96, kHidden = 400, kVocabulary = 5000;
  Random random{82};
  test::Memory memory{random};
  std::vector<Block> blocks{2};
  Decoder decoder;

  LargeDecoder() {
    const auto norm = [&] { return LayerNorm{memory.numbers(D), memory.numbers(D), D}; };
    for (Block& b : blocks) {
      b.norm_1 = norm();
      b.norm_2 = norm();
      b.attention.query = memory.linear(D, D);
      b.attention.key = memory.linear(D, D / 2);
      b.attention.value = memory.linear(D, D / 2);
      b.attention.out_proj = memory.linear(D, D);
      b.attention.heads = 6;
      b.attention.key_heads = 3;
      b.up = memory.linear(D, kHidden);
      b.down = memory.linear(kHidden, D);
    }
    decoder.embeddings = memory.numbers(kVocabulary * D);
    decoder.vocabulary = kVocabulary;
    decoder.d_model = D;
    decoder.blocks = blocks;
    decoder.final_norm = norm();
  }

  // Of a text in one call, and of a token after it.
  std::vector<float> logits(Workers* workers, LogitsOf wanted, std::size_t length) {
    std::vector<std::int32_t> tokens;
    for (std::size_t i = 0; i < length; ++i) tokens.push_back(static_cast<std::int32_t>(i * 37 % kVocabulary));
    DecoderState state;
    REQUIRE_FALSE(state.reserve(decoder, length + 1));
    state.use(workers);
    std::vector<float> out((wanted == LogitsOf::every_token ? length : 1) * kVocabulary), next(kVocabulary);
    REQUIRE_FALSE(run(decoder, tokens, state, out.data(), wanted));
    REQUIRE_FALSE(run(decoder, std::array{std::int32_t{7}}, state, next.data()));
    out.insert(out.end(), next.begin(), next.end());
    return out;
  }
};

}  // namespace

TEST_CASE("a decoder divided among threads gives the bits of one", "[workers]") {
  LargeDecoder model;
  Workers one(1), two(2), five(5);
  for (const std::size_t length : {1, 2, 3, 47, 170, 430}) {
    for (const LogitsOf wanted : {LogitsOf::last_token, LogitsOf::every_token}) {
      if (wanted == LogitsOf::every_token && length > 170) continue;
      const std::vector<float> expected = model.logits(nullptr, wanted, length);
      for (Workers* const workers : {&one, &two, &five}) {
        REQUIRE(same_bits(model.logits(workers, wanted, length), expected));
      }
    }
  }
  REQUIRE_FALSE(have_attended(one));  // nothing is divided by one
  REQUIRE(have_attended(two));
  REQUIRE(have_attended(five));
}

TEST_CASE("a multi-head layer divided among threads gives the bits of one, stages and all", "[workers]") {
  LargeDecoder model;
  Random random(83);
  Workers three(3);
  constexpr std::size_t D = LargeDecoder::D, B = 2, T = 130, S = 210;
  MultiHead layer = model.blocks[0].attention;
  const std::vector<float> x = random.numbers(B * T * D), keys = random.numbers(B * S * D);
  for (const bool keeps : {false, true}) {
    for (const HeadLayout layout : {HeadLayout::last, HeadLayout::first}) {
      const auto result = [&](Workers* workers) {
        std::vector<float> y(B * T * D), weights(B * 6 * T * S), query(B * T * D);
        MultiHeadInput input;
        input.x = {x.data(), B, T, D};
        input.keys = {keys.data(), B, S, D};
        MultiHeadScratch scratch;
        scratch.workers = workers;
        MultiHeadStages stages;
        stages.layout = layout;
        stages.query = query.data();
        if (keeps) stages.attend.weights = weights.data();
        REQUIRE_FALSE(run(layer, input, {}, y.data(), scratch, stages));
        y.insert(y.end(), query.begin(), query.end());
        y.insert(y.end(), weights.begin(), weights.end());
        return y;
      };
      REQUIRE(same_bits(result(&three), result(nullptr)));
    }
  }
  REQUIRE(have_attended(three));
}

TEST_CASE("threads that are asked to rest take no further task, and others of them later", "[workers]") {
  struct Tally {
    std::atomic<bool> is_alone = true;
    std::atomic<int> asked = 0, others = 0;
    bool waits = false;
    std::chrono::steady_clock::time_point until = std::chrono::steady_clock::now() + std::chrono::seconds(10);
  };
  for (const std::size_t count : {2, 5}) {
    Workers workers(count);
    Tally tally;
    workers.ask([](void* context) {
      auto& all = *static_cast<Tally*>(context);
      ++all.asked;
      return all.is_alone.load();
    }, &tally);
    // The caller waits, ten seconds at most, for a task of another thread where there should be one.
    const auto run_some = [&](std::size_t tasks) {
      tally.asked = tally.others = 0;
      workers.run(tasks, [](void* context, std::size_t, std::size_t worker) {
        auto& all = *static_cast<Tally*>(context);
        if (worker != 0) ++all.others;
        while (worker == 0 && all.waits && all.others == 0 && std::chrono::steady_clock::now() < all.until) std::this_thread::yield();
      }, &tally);
    };
    for (int trial = 0; trial < 20; ++trial) {
      tally.is_alone = true;
      tally.waits = false;
      run_some(200);
      REQUIRE(tally.others == 0);
      REQUIRE(tally.asked == 200);  // before each
      tally.is_alone = false;
      tally.waits = true;
      run_some(2);
      REQUIRE(tally.others > 0);
    }
  }
}

TEST_CASE("a rest in the middle of a call: each other thread ends its task, rests, and comes back", "[workers]") {
  struct Tally {
    std::atomic<int> done = 0, others_at_rest = 0, others_after = 0;
    std::atomic<bool> wanted = false, is_rest = false;  // wanted, and since when the caller's own task shows that it holds
    std::chrono::steady_clock::time_point until = std::chrono::steady_clock::now() + std::chrono::seconds(10);
  } tally;
  Workers workers(3);
  workers.ask([](void* context) {
    auto& all = *static_cast<Tally*>(context);
    const int done = all.done;
    all.wanted = done >= 100 && done < 300;
    if (!all.wanted) all.is_rest = false;
    return all.wanted.load();
  }, &tally);
  workers.run(500, [](void* context, std::size_t, std::size_t worker) {
    auto& all = *static_cast<Tally*>(context);
    if (worker == 0) all.is_rest = all.wanted.load();
    else ++(all.is_rest ? all.others_at_rest : all.others_after);
    if (worker == 0 && all.done == 200) std::this_thread::sleep_for(std::chrono::milliseconds(50));  // the others are asleep
    while (worker == 0 && all.done >= 300 && all.others_after == 0 && std::chrono::steady_clock::now() < all.until) std::this_thread::yield();
    ++all.done;
    if (all.done == 300) all.others_after = 0;
  }, &tally);
  REQUIRE(tally.done == 500);
  REQUIRE(tally.others_at_rest <= 2);  // one each, taken just before
  REQUIRE(tally.others_after > 0);
}

TEST_CASE("whatever rests, the bits are those of one thread, and none is left at the end", "[workers]") {
  LargeDecoder model;
  const std::vector<float> expected = model.logits(nullptr, LogitsOf::every_token, 170);
  Workers workers(4);
  Random random(84);
  workers.ask([](void* context) { return static_cast<Random*>(context)->coin(); }, &random);
  for (int trial = 0; trial < 10; ++trial) REQUIRE(same_bits(model.logits(&workers, LogitsOf::every_token, 170), expected));
  workers.end_threads();
  REQUIRE(workers.count() == 1);
  REQUIRE(same_bits(model.logits(&workers, LogitsOf::every_token, 170), expected));
}

TEST_CASE("a large product is divided into parts of milliseconds, a small one evenly, with the bits of one", "[workers]") {
  Random random(85);
  test::Memory memory(random);
  struct Product {
    std::size_t rows, in, out;
    int parts;  // at least
  };
  // 9, 14 and 5 steps of columns or rows; then more than two parts for each thread.
  for (const auto& [rows, in, out, parts] : {Product{64, 576, 576, 4}, {64, 300, 896, 4}, {240, 64, 64, 4},
                                             {1, 512, 40000, 5}, {70, 600, 8000, 5}, {2000, 512, 300, 5}}) {
    const Linear linear = memory.linear(in, out);
    const std::vector<float> x = random.numbers(rows * in);
    std::vector<float> expected(rows * out), y(rows * out, 99.0f);
    apply(linear, x.data(), rows, expected.data());
    Workers workers(2);
    int asked = 0;
    workers.ask([](void* context) { return ++*static_cast<int*>(context), true; }, &asked);
    apply(linear, x.data(), rows, y.data(), workers);
    REQUIRE(same_bits(y, expected));
    REQUIRE(asked >= parts);
    for (const std::size_t count : {3, 4, 7}) {
      Workers more(count);
      std::fill(y.begin(), y.end(), 99.0f);
      apply(linear, x.data(), rows, y.data(), more);
      REQUIRE(same_bits(y, expected));
    }
  }
}
