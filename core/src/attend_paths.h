// The three ways through attend(), each for one batch and one key head with the query heads that share it.
#pragma once

#include "attend_options.h"
#include "kernels.h"

namespace attention {

struct AttendProblem {
  Heads<const float> query, key, value;
  const AttendOptions& options;
  Heads<float> context;
  float factor;  // scaled_scores = factor · scores

  std::size_t group() const { return query.heads / key.heads; }  // query heads to a key head
  std::size_t rows() const { return group() * query.rows; }      // queries that share a key head
  // Row r of them: query r % T of the r / T-th head of the group.
  std::size_t head_of(std::size_t key_head, std::size_t r) const { return key_head * group() + r / query.rows; }
  std::size_t query_of(std::size_t r) const { return r % query.rows; }
};

// Keys are taken in blocks, so that what is packed of them stays in the second-level cache. Every path
// without stages rescales its sums at the same keys; its bits then do not depend on the path.
inline constexpr std::size_t kKeyBlock = 512;

// Panels of queries against packed blocks of keys: for many queries. `scratch` holds
// panels_scratch() floats.
std::uint64_t panels_scratch(const AttendProblem& problem);
void attend_panels(const AttendProblem& problem, std::size_t b, std::size_t key_head, float* scratch);

// Query by query, straight from the keys' own memory: for a few, as in decoding.
std::uint64_t rows_scratch(const AttendProblem& problem);
void attend_rows(const AttendProblem& problem, std::size_t b, std::size_t key_head, float* scratch);

// Rows of scores over all keys, every stage kept that is asked for.
std::uint64_t stages_scratch(const AttendProblem& problem);
void attend_stages(const AttendProblem& problem, std::size_t b, std::size_t key_head, float* scratch,
                   const AttendStages& stages);

// A stretch of one query's scores: keys [key, key + keys).
struct ScoreRow {
  std::size_t b, h, query, key, keys;
  float* scores;
};
// ALiBi, bias and masks, as `problem` has them: capped_scores become masked_scores.
void mask_scores(const AttendProblem& problem, const ScoreRow& row);
// Dropout: weights become dropped_weights.
void drop_weights(const AttendProblem& problem, const ScoreRow& row);

}  // namespace attention
