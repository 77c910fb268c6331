// The paths of attend(), each for one batch and one key head with the query heads that share it.
#pragma once

#include "attention/attend.h"
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
  std::size_t key_head_of(std::size_t h) const { return h / group(); }
};

// Keys are taken in blocks, so that what is packed of them stays in the second-level cache. Every path
// without stages rescales its sums at the same keys; its bits then do not depend on the path.
inline constexpr std::size_t kKeyBlock = 512;

// A path of attend(): the size of its scratch memory in floats, and its function. Only the plain path keeps stages.
struct AttendPath {
  std::uint64_t (*scratch)(const AttendProblem& problem);
  void (*run)(const AttendProblem& problem, std::size_t b, std::size_t key_head, float* scratch,
              const AttendStages& stages);
};
AttendPath path_of(const AttendProblem& problem, bool keeps_stages);
Error attend_by(AttendPath path, const AttendProblem& problem, Buffer& scratch, const AttendStages& stages);

// Panels of queries against packed blocks of keys: for many queries.
inline namespace ATTENTION_SET {
AttendPath panels_path();
}

// Query by query, straight from the keys' own memory: for a few, as in decoding.
std::uint64_t rows_scratch(const AttendProblem& problem);
void attend_rows(const AttendProblem& problem, std::size_t b, std::size_t key_head, float* scratch,
                 const AttendStages& stages);
// One query whose context is not finite, once more: masked keys are passed over. `scores` holds
// rows_scratch() floats.
void attend_row_again(const AttendProblem& problem, std::size_t b, std::size_t h, std::size_t query,
                      float* scores);

// Whole rows of scores, every stage kept that is asked for; the path of arg-max, too.
std::uint64_t plain_scratch(const AttendProblem& problem);
void attend_plain(const AttendProblem& problem, std::size_t b, std::size_t key_head, float* scratch,
                  const AttendStages& stages);
inline constexpr AttendPath kPlainPath{plain_scratch, attend_plain};

// attend() with arguments that check_attend() has accepted: by the fastest path, or always by the plain one.
Error attend_checked(Heads<const float> query, Heads<const float> key, Heads<const float> value,
                     const AttendOptions& options, Heads<float> context, Buffer& scratch,
                     const AttendStages& stages);
Error attend_plainly(Heads<const float> query, Heads<const float> key, Heads<const float> value,
                     const AttendOptions& options, Heads<float> context, Buffer& scratch,
                     const AttendStages& stages);

// A stretch of one query's scores: keys [key, key + keys).
struct ScoreRow {
  std::size_t b, h, query, key, keys;
  float* scores;
};
// ALiBi, bias and masks, as `problem` has them: capped_scores become masked_scores.
void mask_scores(const AttendProblem& problem, const ScoreRow& row);
// out = softmax(in / temperature), in -infinity but for the keys that `seen` reaches. out may be in.
inline namespace ATTENTION_SET {
void weigh_row(float* out, const float* in, std::size_t count, KeyRange seen, float temperature);
}
// Dropout: weights become dropped_weights.
void drop_weights(const AttendProblem& problem, const ScoreRow& row);
// The query's context = rescale · context + row.scores · value, over the keys that it may see.
void add_seen_values(const AttendProblem& problem, const ScoreRow& row, float rescale);

// The keys that a query may look at, without the mask tensor.
KeyRange key_range(const AttendOptions& options, std::size_t batch, std::size_t query,
                   std::size_t keys);

// The position of a query among the keys.
std::int64_t place_of(const AttendOptions& options, std::size_t batch, std::size_t query);

// Row (b, h, q) of a mask of `elements`; null when there is none.
template <class T>
const T* mask_row(const MaskTensor& mask, const T* elements, std::size_t b, std::size_t h,
                  std::size_t q) {
  if (elements == nullptr) return nullptr;
  const auto& n = mask.extents;
  const auto at = [&](std::size_t axis, std::size_t i) { return n[axis] == 1 ? 0 : i; };
  return elements + ((at(0, b) * n[1] + at(1, h)) * n[2] + at(2, q)) * n[3];
}

float scale_of(const AttendOptions& options, std::size_t key_width);

// Whether any stage is to be kept.
bool any(const AttendStages& stages);

// The keys that one query may look at.
struct SeenKeys {
  KeyRange range;
  const std::uint8_t* allowed;  // [S], or null
  const float* bias;            // [S], or null

  SeenKeys(const AttendProblem& problem, std::size_t b, std::size_t h, std::size_t query);
  bool has(std::size_t key) const;
};

}  // namespace attention
