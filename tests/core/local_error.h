// What float32 computed, stage by stage, held to double computed from the stage's own float32 inputs: rounding
// alone decides the bound, however much later stages magnify what earlier ones rounded.
#pragma once

#include <span>
#include <string_view>

#include "attention/decoder.h"

namespace attention::test {

// Errors are counted in units of 2^-24 of the stage's own terms: sum of |x·w| + |b| for products, |x| + |y|
// for sums, furthest |x - mean| / deviation · |gain| + |bias| for norms, w · (1 + max - score) for weights.
// A stage may err by 8 of them, and by one more for each term that it adds up.
class LocalError {
 public:
  bool holds() const { return worst_ <= 1; }
  double worst() const { return worst_; }                // of its bound
  std::string_view stage() const { return worst_stage_; }  // where

  void linear(std::string_view stage, const Linear& l, const float* x, std::size_t rows, const float* y);
  void norm(std::string_view stage, const LayerNorm& n, const float* x, std::size_t rows, const float* y);
  void sum(std::string_view stage, const float* x, const float* y, std::size_t count, const float* out);
  void gelu(Gelu kind, const float* x, std::size_t count, const float* y);
  void silu(const float* x, std::size_t count, const float* y);
  // Pairs of rows (batch, row, head, number), row r at positions[batch, r], or at r where these are empty.
  void rotary(const RotaryTables& tables, std::span<const std::int64_t> positions, const float* x,
              std::size_t batch, std::size_t rows, std::size_t heads, std::size_t width, const float* y);

  // All stages that attend() keeps; `context` is their product with the values.
  void attend_stages(Heads<const float> query, Heads<const float> key, Heads<const float> value,
                     const AttendOptions& options, const AttendStages& stages, Heads<const float> context);
  // The context of attend() without stages, as one stage: bounded by how far the roundings of its scores,
  // exponentials and sums can move it.
  void attend(Heads<const float> query, Heads<const float> key, Heads<const float> value,
              const AttendOptions& options, Heads<const float> context);

  // A layer without cache and changes, run with those stages: all of MultiHeadStages but for `attend`, which
  // has all or none.
  void multi_head(const MultiHead& layer, const MultiHeadInput& input, const AttendOptions& options,
                  const MultiHeadStages& stages, const float* y);

  // Everything between `tokens`, read at once without interventions, and logits. Stages that no run keeps are
  // computed here from those before them, and must lead to the same bits as the run's own.
  void decoder(const Decoder& decoder, std::span<const std::int32_t> tokens, bool keeps_scores);

 private:
  // A layer's queries or keys: their projection, and the norm of each head's rows where there is one.
  void projected(std::string_view stage, const Linear& l, const HeadNorm& n, const float* x, std::size_t rows, const float* y);
  void see(std::string_view stage, double got, double exact, double terms, double units);
  void same(std::string_view stage, const float* got, const float* expected, std::size_t count);

  double worst_ = 0;
  std::string_view worst_stage_ = "none";
};

}  // namespace attention::test
