// The settings form of the page: turns settings given as texts and any numbers into the nearest valid settings. The
// rules are those of validate(); this says only how each is met.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "attention/error.h"
#include "attention/layer/settings.h"

namespace attention {

// Settings as a person, an attribute or a link gives them: any number, any word.
struct WantedSettings {
  double d_model = 64;
  double num_heads = 4;
  double num_kv_heads = 0;
  double d_k = 0;
  double d_v = 0;
  std::string mask = "causal";
  double window_left = 4;
  double window_right = 0;
  double prefix_length = 3;
  std::string scale = "sqrt-dk";
  double scale_factor = 1;
  double softcap = 0;
  double temperature = 1;
  std::string positions = "sinusoidal";
  std::string tie = "none";
  double value_rank = 0;
  bool biases = false;
  double dropout = 0;
  double dropout_seed = 1;
  bool out_proj = true;
  bool residual = true;
  double seed = 1;
};

// Calls visit(name, member) for every field.
template <class Visit>
void each_field(Visit&& visit) {
  using W = WantedSettings;
  visit("d_model", &W::d_model);
  visit("num_heads", &W::num_heads);
  visit("num_kv_heads", &W::num_kv_heads);
  visit("d_k", &W::d_k);
  visit("d_v", &W::d_v);
  visit("mask", &W::mask);
  visit("window_left", &W::window_left);
  visit("window_right", &W::window_right);
  visit("prefix_length", &W::prefix_length);
  visit("scale", &W::scale);
  visit("scale_factor", &W::scale_factor);
  visit("softcap", &W::softcap);
  visit("temperature", &W::temperature);
  visit("positions", &W::positions);
  visit("tie", &W::tie);
  visit("value_rank", &W::value_rank);
  visit("biases", &W::biases);
  visit("dropout", &W::dropout);
  visit("dropout_seed", &W::dropout_seed);
  visit("out_proj", &W::out_proj);
  visit("residual", &W::residual);
  visit("seed", &W::seed);
}

// The number with that name, or null.
double WantedSettings::*number_field(std::string_view name);

// A rule that a wanted setting breaks, and the value used instead.
struct Notice {
  Error error;
  std::string_view field;  // of WantedSettings
  double number = 0;       // used in that field, where `id` is empty
  std::string_view id;     // one of mask_ids(), scale_ids(), position_ids() or tie_ids(), or "on"
};

// "The softcap must be … Using softcap 0."
std::string message(const Notice& notice);

// The most that d_model, d_k and d_v may be where a person or a link says them: parameters of more take long to
// draw. A file's may be as wide as the layer takes.
inline constexpr int kMaxTypedWidth = 1024;

// The nearest valid settings, with a notice for each change. A tie also sets what it needs: as many key heads as
// heads, values as wide as keys, no value_rank.
struct ClampedSettings {
  Settings settings;
  std::vector<Notice> notices;
};
ClampedSettings clamp(const WantedSettings& wanted, int max_width = kMaxTypedWidth);

// Exactly the wanted settings, up to the layer's limits; an error if they are not valid.
Error exact(const WantedSettings& wanted, Settings& settings);

// `settings` as they would be wanted: exact(wanted(s)) is s.
WantedSettings wanted(const Settings& settings);

}  // namespace attention
