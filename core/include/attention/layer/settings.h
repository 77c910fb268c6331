// The settings of the page's attention layer.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "attention/error.h"
#include "attention/export.h"

namespace attention {

// Which keys a query may look at: all, those up to its own place, or those from window_left before to
// window_right after it; or the first prefix_length keys and those up to its own place. Places are counted in
// each text from 0. Ids: "none", "causal", "window", "prefix".
enum class Mask { none, causal, window, prefix };

// The factor between scores and scaled_scores: 1/sqrt(d_k), 1, or Settings::scale_factor.
// Ids: "sqrt-dk", "none", "factor".
enum class Scale { sqrt_dk, none, factor };

// How positions are encoded. Added to the content: Vaswani's sinusoids, or a table like a learned one, here random.
// Rotating queries and keys (RoPE, pairs 2i and 2i + 1, base 10,000). Subtracted from scores by distance, in both
// directions (ALiBi). Ids: "none", "sinusoidal", "learned", "rope", "alibi".
enum class Positions { none, sinusoidal, learned, rope, alibi };

// Which projections share their matrices and biases: W_K = W_Q, or W_V = W_K = W_Q. Ids: "none", "qk", "qkv".
enum class Tie { none, qk, qkv };

struct Settings {
  int d_model = 64;  // width of a token's vector
  int num_heads = 4;  // H; divides d_model unless d_k and d_v are both set
  int num_kv_heads = 0;  // H_kv, divides num_heads: query head h reads h / (H / H_kv); 0 = num_heads
  int d_k = 0;  // width of a query and of a key; 0 = d_model / num_heads
  int d_v = 0;  // width of a value; 0 = d_model / num_heads
  Mask mask = Mask::causal;
  int window_left = 4;  // used when mask == Mask::window; both ends included
  int window_right = 0;
  int prefix_length = 3;  // used when mask == Mask::prefix
  Scale scale = Scale::sqrt_dk;
  float scale_factor = 1;  // used when scale == Scale::factor; what is below float32, 1e-45, is 0
  float softcap = 0;  // capped_scores = softcap · tanh(scaled_scores / softcap); 0 = off
  float temperature = 1;  // weights = softmax(masked_scores / temperature); 0 = arg-max, ties share
  Positions positions = Positions::sinusoidal;
  Tie tie = Tie::none;
  int value_rank = 0;  // W_V = W_V_down[D, r] · W_V_up[r, H_kv·d_v]; 0 = one full matrix
  bool biases = false;  // add b_Q, b_K, b_V and b_O
  float dropout = 0;  // share of weights set to 0, the others times 1 / (1 - dropout)
  std::uint32_t dropout_seed = 1;
  bool out_proj = true;  // off: output = concat, so that H·d_v must be d_model
  bool residual = true;  // off: the layer ends with its output
  std::uint32_t seed = 1;  // of the random parameters and embeddings

  bool operator==(const Settings&) const = default;
};

struct Limits {
  int max_tokens = 4096;
  int max_d_model = 4096;  // and of d_k and d_v; the form takes less: see form.h
  int max_width = 4096;  // of all heads together: H·d_k, H·d_v
  std::uint64_t max_trace_bytes = std::uint64_t{1} << 30;
  float max_abs_scale_factor = 10000;
  float min_softcap = 0.001f, max_softcap = 10000;  // when not 0
  float min_temperature = 0.001f, max_temperature = 10000;  // when not 0
  float max_dropout = 0.95f;
};
inline constexpr Limits kLimits;

// No error, or the first rule that `settings` breaks; enumerators outside their lists are errors too.
ATTENTION_API Error validate(const Settings& settings);

// The value used where a setting is 0; `settings` must be valid.
ATTENTION_API int key_heads(const Settings& settings);
ATTENTION_API int key_width(const Settings& settings);    // d_k
ATTENTION_API int value_width(const Settings& settings);  // d_v

// Ids in the order of the enumerators: mask_ids()[int(Mask::causal)] == "causal".
ATTENTION_API std::span<const std::string_view> mask_ids();
ATTENTION_API std::span<const std::string_view> scale_ids();
ATTENTION_API std::span<const std::string_view> position_ids();
ATTENTION_API std::span<const std::string_view> tie_ids();

// The numbers that masks read, as settings of their own: whole, from 0 to kLimits.max_tokens.
struct MaskNumber {
  std::string_view name;  // the field's
  int Settings::*field;
};
ATTENTION_API std::span<const MaskNumber> mask_numbers();

// --- the letters of every shape -----------------------------------------------------------------

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
ATTENTION_API Shape shape_of(const Settings& settings, std::size_t query_tokens, std::size_t key_tokens);

// A dimension of a buffer. `places` are the rows of position tables, max(T, S).
enum class Axis { none, H, H_kv, T, S, D, d_k, d_v, r, H_d_k, H_kv_d_k, H_d_v, H_kv_d_v, places, half_d_k };

ATTENTION_API std::string_view name(Axis axis);
ATTENTION_API std::size_t extent(Axis axis, const Shape& shape);

}  // namespace attention
