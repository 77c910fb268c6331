// The tasks that small models are trained on. A batch depends only on (task, settings, seed, step), so a run needs no
// generator state.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "attention/error.h"
#include "attention/export.h"
#include "attention/trainer.h"

namespace attention {

enum class Task : std::uint8_t {
  repeat,      // tokens, all different, again and again: what comes next is known once a token has been seen
  dice,        // throws of a die: what comes next is known to nobody
  dictionary,  // keys, each with a value in the same token; then keys alone: which value?
  relations,   // the token `back` places ago, and the one `back_2` places ago: two answers
  back,        // the token `back` places ago
  recall,      // key, value, key, value, …; then keys again, each followed by its value
  sort,        // tokens, all different, a separator, then the same in order
  brackets,    // of several kinds: which one is open here?
  text,        // a text's own tokens: what comes next?
  stands_for,  // English sentences of two nouns and "it": which noun is it?
  who          // English sentences of a deed, at whose verb two are asked for: who did it, and to whom?
};
ATTENTION_API std::string_view name(Task task);

// Each task reads its own fields.
struct TaskSettings {
  std::uint32_t length = 32;                          // tokens of a text; of recall and sort twice what follows
  std::uint32_t symbols = 32;                         // of which texts are made: faces, keys, values
  std::uint32_t least_period = 6, most_period = 16;   // repeat
  std::uint32_t back = 1, back_2 = 3;                 // back, relations
  std::uint32_t pairs = 8;                            // recall: as many are asked
  std::uint32_t kinds = 3, depth = 6;                 // brackets
  std::span<const std::int32_t> text{};               // text: ids from 0 to symbols - 1
  // stands_for, who: pairs of nouns, and of a noun and an adjective, that are drawn at no other time. Texts 2n and
  // 2n + 1 of stands_for are then the same but for the adjective, and stand for the other noun.
  bool is_held_out = false;
  bool asks_at_end = false;  // stands_for: at the full stop, too
};

// The words of stands_for and who, by their ids.
ATTENTION_API std::span<const std::string_view> task_words();

// What a model needs for a task: TrainerShape's fields of the same names.
struct TaskShape {
  std::uint32_t vocabulary = 0, length = 0, slots = 1;
};
ATTENTION_API TaskShape shape_of(Task task, const TaskSettings& settings);

// A batch with its memory. For each token, the places that the task's one or two relations point to: what a
// head that has learnt them looks at, -1 = nowhere.
struct TaskBatch {
  std::size_t texts = 0;
  std::vector<std::int32_t> tokens, second, targets;  // as TrainBatch; second is empty where no token has one
  std::vector<std::int32_t> first_places, second_places;  // [texts, length]
  std::vector<std::uint32_t> lengths;                     // as TrainBatch

  TrainBatch view() const { return {tokens, second, targets, texts, lengths}; }
};

// Text t of step s is drawn by Philox at (t, s) with the seed. Settings that do not suit a task are rejected, and the
// batch is unchanged.
ATTENTION_API Error make_batch(Task task, const TaskSettings& settings, std::size_t texts, std::uint32_t seed,
                               std::uint32_t step, TaskBatch& batch);

}  // namespace attention
