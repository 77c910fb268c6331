// The lessons on how attention learns, as data: one line for each run. The configurations were found by search;
// similar ones are not all as robust. Tests check every promise with all its seeds.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "attention/export.h"
#include "attention/tasks.h"
#include "attention/trainer.h"

namespace attention {

// What a run does with every seed from 1 on. Accuracy is the mean of the last 20 steps.
struct Promise {
  float reaches = 0;          // the accuracy passes this …
  std::uint32_t by_step = 0;  // … at this step or before; 0 = no such promise
  float never_passes = 1;     // it stays at or below this over `steps` steps
  std::uint32_t seeds = 10;
};

struct Lesson {
  std::string_view id, run;  // "look_back", "two_layers"
  Task task;
  TaskSettings settings;  // a text and its symbols are the reader's: with_text()
  TrainerShape shape;     // of the task's vocabulary, slots and length
  TrainerRule rule;
  std::uint32_t texts = 16, steps = 600;  // texts of a batch
  Promise promise;
  std::uint32_t seed = 1;  // to begin with; not 1 where it was chosen, for a picture that some seeds lack
};

// 1 look_back   repeated sequences: layers 2, 1
// 2 mask        dice and the reader's characters: mask on, off
// 3 scale       a soft dictionary: d_k 16, 64, 256, divided by sqrt(d_k) or not; or smaller first weights instead
// 4 heads       two relations at once: heads 1, 2, 4; then in English, who did it and to whom: heads 1, 2
// 5 words       the reader's own paragraph by words
// 6 positions   two words back: positions on, off
// 7 stands_for  English sentences with "it": every word seen, those so far, one layer
ATTENTION_API std::span<const Lesson> lessons();

// The lesson with that name, or null.
ATTENTION_API const Lesson* find_lesson(std::string_view id, std::string_view run);

// The same lesson for a text with so many different tokens; shorter texts have a shorter window.
ATTENTION_API Lesson with_text(const Lesson& lesson, std::span<const std::int32_t> text, std::uint32_t symbols);

}  // namespace attention
