// What a run of the attention layer is asked to do.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "attention/error.h"

namespace attention {

// Which keys a query may look at. Ids: "none", "causal".
enum class Mask { none, causal };

// The factor between scores and scaled_scores: 1/sqrt(d_k), 1, or Settings::scale_factor.
// Ids: "sqrt-dk", "none", "factor".
enum class Scale { sqrt_dk, none, factor };

// What is added to a token's content vector to say where it stands. Ids: "none", "sinusoidal".
enum class Positions { none, sinusoidal };

struct Settings {
  int d_model = 64;  // width of a token's vector
  int num_heads = 4;  // divides d_model; d_k = d_v = d_model / num_heads
  Mask mask = Mask::causal;
  Scale scale = Scale::sqrt_dk;
  float scale_factor = 1;  // used when scale == Scale::factor
  Positions positions = Positions::sinusoidal;
  bool biases = false;  // add b_Q, b_K, b_V and b_O
  std::uint32_t seed = 1;  // of the random parameters and embeddings

  bool operator==(const Settings&) const = default;
};

struct Limits {
  int max_tokens = 4096;
  int max_d_model = 1024;
  std::uint64_t max_trace_bytes = std::uint64_t{1} << 30;
  float max_abs_scale_factor = 10000;
};
inline constexpr Limits kLimits;

// Ok, or invalid_setting with the rule that `settings` breaks.
Error validate(const Settings& settings);

// Ids in the order of the enumerators: masks()[int(Mask::causal)] == "causal".
std::span<const std::string_view> masks();
std::span<const std::string_view> scales();
std::span<const std::string_view> positions();

// Settings as a person, an attribute or a link gives them: any number, any word.
struct WantedSettings {
  double d_model = 64;
  double num_heads = 4;
  std::string mask = "causal";
  std::string scale = "sqrt-dk";
  double scale_factor = 1;
  std::string positions = "sinusoidal";
  bool biases = false;
  double seed = 1;
};

// The settings nearest to what was wanted, always valid, with one sentence for each change made.
struct ClampedSettings {
  Settings settings;
  std::vector<std::string> notices;
};
ClampedSettings clamp(const WantedSettings& wanted);

// The settings that say exactly what was wanted; an error when there are none.
Error exact(const WantedSettings& wanted, Settings& settings);

}  // namespace attention
