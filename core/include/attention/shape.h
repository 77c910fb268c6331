// The legend of every shape in a session.
#pragma once

#include <cstddef>
#include <string_view>

#include "attention/settings.h"

namespace attention {

// All buffers are row-major, last index contiguous; row = query, column = key. Batch is 1 and left out.
struct Shape {
  std::size_t T = 0;     // query tokens
  std::size_t S = 0;     // key tokens; S = T in self-attention
  std::size_t D = 0;     // d_model
  std::size_t H = 0;     // heads
  std::size_t H_kv = 0;  // heads of keys and values; H unless grouped
  std::size_t d_k = 0;   // width of a query and of a key
  std::size_t d_v = 0;   // width of a value
  std::size_t r = 0;     // value_rank; 0 = full

  std::size_t places() const { return T > S ? T : S; }
  std::size_t key_head(std::size_t h) const { return h / (H / H_kv); }

  bool operator==(const Shape&) const = default;
};

// Of a run of `settings`, which are valid, over that many tokens.
Shape shape_of(const Settings& settings, std::size_t query_tokens, std::size_t key_tokens);

// A dimension of a buffer. `places` are the rows of position tables, max(T, S).
enum class Axis { none, H, H_kv, T, S, D, d_k, d_v, r, H_d_k, H_kv_d_k, H_d_v, H_kv_d_v, places, half_d_k };

std::string_view name(Axis axis);
std::size_t extent(Axis axis, const Shape& shape);

}  // namespace attention
