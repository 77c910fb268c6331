// Makes the texts of tasks: random numbers from seed, step and text, the text that they fill, and the tasks in simple
// English, whose sentences are drawn from frames.
#pragma once

#include <array>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

#include "attention/generator.h"
#include "attention/tasks.h"

namespace attention {

using Ids = std::span<std::int32_t>;

inline constexpr std::int32_t id(std::size_t n) { return static_cast<std::int32_t>(n); }

// The random numbers of one text.
class Draws {
 public:
  Draws(Task task, std::uint32_t seed, std::uint32_t step, std::uint32_t text)
      : key_{seed, static_cast<std::uint32_t>(Drawn::batch)},
        counter_{0, text, step, static_cast<std::uint32_t>(task)} {}

  // From 0 to n - 1.
  std::uint32_t below(std::uint32_t n) {
    if (next_ == words_.size()) {
      words_ = philox(counter_, key_);
      ++counter_[0];
      next_ = 0;
    }
    return static_cast<std::uint32_t>((std::uint64_t{words_[next_++]} * n) >> 32);
  }
  std::uint32_t from_to(std::uint32_t least, std::uint32_t most) { return least + below(most - least + 1); }

  // The first `count` of a shuffled 0 … n - 1.
  std::vector<std::int32_t> some_of(std::uint32_t n, std::uint32_t count) {
    std::vector<std::int32_t> all(n);
    std::iota(all.begin(), all.end(), 0);
    for (std::uint32_t i = 0; i < count; ++i) std::swap(all[i], all[i + below(n - i)]);
    all.resize(count);
    return all;
  }

 private:
  std::array<std::uint32_t, 2> key_;
  std::array<std::uint32_t, 4> counter_, words_{};
  std::size_t next_ = 4;
};

// One text, to be filled: targets and places are -1 beforehand, tokens 0.
struct Text {
  Ids x, second, y, first_places, second_places;
  std::uint32_t& read;  // tokens before the filler, where a task has any
  bool is_odd;          // its number in the batch
  std::size_t length() const { return x.size(); }
};

}  // namespace attention

namespace attention::words {

inline constexpr std::uint32_t kMostWords = 32;  // of a sentence

std::uint32_t vocabulary();

void stands_for(const TaskSettings& settings, Draws& draws, const Text& text);
void who(const TaskSettings& settings, Draws& draws, const Text& text);

}  // namespace attention::words
