// The one entry point that runs the whole layer.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "attention/error.h"
#include "attention/parameters.h"
#include "attention/settings.h"
#include "attention/trace.h"

namespace attention {

// How one cell of the matrix came about; every number is the engine's own float32, in the order its
// kernels add. Shapes: d_k for the four vectors of the dot product, S for `exps`.
struct CellArithmetic {
  std::span<const float> query_row;
  std::span<const float> key_row;
  std::vector<float> products;      // query_row[i] * key_row[i]
  std::vector<float> partial_sums;  // products added one after another; the last one is `score`
  float score = 0;
  float factor = 0;
  float scaled_score = 0;
  bool allowed = false;
  float masked_score = 0;   // -infinity when not allowed
  float row_max = 0;        // over the query's row; -infinity when the row is fully masked
  std::vector<float> exps;  // exp(masked_score - row_max) over the query's row
  float exp_sum = 0;
  float weight = 0;
};

// Owns the parameters and the trace, so that a keystroke draws and allocates only what is new.
// Not safe for use from two threads at once.
class Session {
 public:
  // Runs every stage over `tokens` (UTF-8, in reading order). After an error the trace is empty.
  Error run(std::span<const std::string> tokens, const Settings& settings);

  const Trace& trace() const { return trace_; }
  const Settings& settings() const { return settings_; }  // of the last run
  const Parameters& parameters() const { return parameters_.view(); }

  // The arithmetic of one cell of the last run.
  Error cell(int head, int query, int key, CellArithmetic& out) const;

  // weights[query, key] * value[key, :] for one head and query: [S, d_v]. Their sum over keys is the
  // context row; kept apart, they show what each key contributes.
  Error weighted_values(int head, int query, std::vector<float>& out) const;

 private:
  Error check_index(int head, int query, int key) const;

  Settings settings_;
  RandomParameters parameters_;
  Trace trace_;
};

}  // namespace attention
