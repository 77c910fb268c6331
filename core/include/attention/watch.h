// Observing a model in training: what its heads attend to, its accuracy on held-out questions, and the text that it
// generates.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "attention/error.h"
#include "attention/export.h"
#include "attention/tasks.h"
#include "attention/trainer.h"

namespace attention {

// Of one head, over the rows of a batch.
struct HeadScore {
  double first, second;  // mean weight on the task's first and second place, of the rows that have one; NaN = none
  double decided;        // share of the asked rows with more than 0.95 on one key
  double derivative;     // their mean of 1 - sum of p^2: how far the weights still follow the scores
};
// One for each head of the first layer, then of the next. `batch` is that of the trainer's last forward pass.
ATTENTION_API std::vector<HeadScore> head_scores(const Trainer& trainer, const TaskBatch& batch);

// Reads each prefix of each text of `batch` alone and asks for the next token, so that no answer can be seen. The
// loss is the mean over all questions.
ATTENTION_API Error fair_test(Trainer& trainer, const TaskBatch& batch, const TrainerRule& rule, StepReport& report);

// Continues `text` by `count` tokens, each the likeliest, or drawn with the seed at a temperature above 0. The model
// reads the last `context` tokens. `probabilities` gets the probability of each new token.
struct Continuation {
  std::vector<std::int32_t> tokens;
  std::vector<float> probabilities;
};
ATTENTION_API Error continue_text(Trainer& trainer, const TrainerRule& rule, std::span<const std::int32_t> text,
                                  std::size_t count, float temperature, std::uint32_t seed, Continuation& made);

}  // namespace attention
