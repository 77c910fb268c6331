// Everything one run computed, stage by stage.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "attention/buffer.h"
#include "attention/error.h"
#include "attention/settings.h"

namespace attention {

// The legend of every shape in this library. All buffers are row-major, last index contiguous;
// row = query, column = key. Batch is 1 and left out.
struct Shape {
  std::size_t T = 0;    // query tokens
  std::size_t S = 0;    // key tokens; S = T in self-attention
  std::size_t D = 0;    // d_model
  std::size_t H = 0;    // heads
  std::size_t d_k = 0;  // width of a query and of a key
  std::size_t d_v = 0;  // width of a value

  bool operator==(const Shape&) const = default;
};

// One buffer a stage; the table in stages.h names them. A view is valid until the next allocate().
struct Trace {
  Shape shape;
  float factor = 1;  // scaled_scores = scores * factor

  std::vector<std::string> tokens;  // [T], UTF-8

  std::span<float> content;        // [T, D]
  std::span<float> position;       // [T, D]
  std::span<float> embeddings;     // [T, D]
  std::span<float> query;          // [H, T, d_k]
  std::span<float> key;            // [H, S, d_k]
  std::span<float> value;          // [H, S, d_v]
  std::span<float> scores;         // [H, T, S]
  std::span<float> scaled_scores;  // [H, T, S]
  std::span<float> masked_scores;  // [H, T, S], -infinity where the key is not allowed
  std::span<float> weights;        // [H, T, S], rows sum to 1, or are 0 when fully masked
  std::span<float> context;        // [H, T, d_v]
  std::span<float> concat;         // [T, H*d_v]
  std::span<float> output;         // [T, D]
  std::span<float> residual;       // [T, D]

  // Gives every stage its buffer for `shape`. Refuses what is over kLimits.max_trace_bytes before
  // asking for memory; after an error the trace is empty.
  Error allocate(const Shape& shape);
  void clear();

 private:
  Buffer memory_;
};

// Bytes that Trace::allocate(shape) needs.
std::uint64_t trace_bytes(const Shape& shape);

}  // namespace attention
