#include "attention/layer/settings.h"

#include <algorithm>
#include <array>

#include "text.h"

namespace attention {

namespace {

constexpr std::array<std::string_view, 3> kScales{"sqrt-dk", "none", "factor"};
constexpr std::array<std::string_view, 5> kPositions{"none", "sinusoidal", "learned", "rope",
                                                     "alibi"};
constexpr std::array<std::string_view, 3> kTies{"none", "qk", "qkv"};

using S = const Settings&;

// False for NaN.
bool is_within(double value, double least, double most) { return value >= least && value <= most; }

Error within(Rule rule, double value, double least, double most) {
  return is_within(value, least, most) ? Error{} : error(rule, {least, most});
}
Error zero_or_within(Rule rule, double value, double least, double most) {
  return value == 0 ? Error{} : within(rule, value, least, most);
}
Error holds(bool is_so, Rule rule, std::initializer_list<ErrorNumber> numbers = {}) {
  return is_so ? Error{} : error(rule, numbers);
}

template <class Id>
Error known(Rule rule, Id id, std::span<const std::string_view> ids) {
  return static_cast<std::size_t>(id) < ids.size() ? Error{} : error(rule, listed(ids));
}

Error heads_rule(S s) {
  if (s.d_k > 0 && s.d_v > 0) return within(Rule::setting_heads, s.num_heads, 1, s.d_model);
  const bool divides = is_within(s.num_heads, 1, s.d_model) && s.d_model % s.num_heads == 0;
  return holds(divides, Rule::setting_heads_divide, {s.d_model});
}

Error mask_numbers_rule(S s) {
  for (const auto& [name, field] : mask_numbers()) {
    if (!is_within(s.*field, 0, kLimits.max_tokens)) {
      return error(Rule::setting_mask_number, name, {0, kLimits.max_tokens});
    }
  }
  return {};
}

// In this order: each may count on those before it.
constexpr Error (*kRulesInOrder[])(S) = {
    [](S s) { return within(Rule::setting_d_model, s.d_model, 1, kLimits.max_d_model); },
    [](S s) { return within(Rule::setting_d_k, s.d_k, 0, kLimits.max_d_model); },
    [](S s) { return within(Rule::setting_d_v, s.d_v, 0, kLimits.max_d_model); },
    heads_rule,
    [](S s) {
      return holds(s.num_heads * key_width(s) <= kLimits.max_width, Rule::setting_key_width, {kLimits.max_width});
    },
    [](S s) {
      return holds(s.num_heads * value_width(s) <= kLimits.max_width, Rule::setting_value_width,
                   {kLimits.max_width});
    },
    [](S s) { return within(Rule::setting_key_heads, s.num_kv_heads, 0, s.num_heads); },
    [](S s) {
      return holds(s.num_heads % key_heads(s) == 0, Rule::setting_key_heads_divide, {s.num_heads});
    },
    [](S s) { return known(Rule::setting_mask, s.mask, mask_ids()); },
    [](S s) { return known(Rule::setting_scale, s.scale, kScales); },
    [](S s) { return known(Rule::setting_positions, s.positions, kPositions); },
    [](S s) { return known(Rule::setting_tie, s.tie, kTies); },
    [](S s) {
      const double most = kLimits.max_abs_scale_factor;
      return within(Rule::setting_scale_factor, s.scale_factor, -most, most);
    },
    [](S s) {
      return zero_or_within(Rule::setting_softcap, s.softcap, kLimits.min_softcap,
                            kLimits.max_softcap);
    },
    [](S s) {
      return zero_or_within(Rule::setting_temperature, s.temperature, kLimits.min_temperature,
                            kLimits.max_temperature);
    },
    [](S s) { return within(Rule::setting_dropout, s.dropout, 0, kLimits.max_dropout); },
    mask_numbers_rule,
    [](S s) {
      return holds(s.tie == Tie::none || key_heads(s) == s.num_heads, Rule::setting_tied_key_heads);
    },
    [](S s) {
      return holds(s.tie != Tie::qkv || value_width(s) == key_width(s), Rule::setting_tied_value_width);
    },
    [](S s) {
      return within(Rule::setting_value_rank, s.value_rank, 0, std::min(s.d_model, key_heads(s) * value_width(s)));
    },
    [](S s) {
      return holds(s.tie != Tie::qkv || s.value_rank == 0, Rule::setting_tied_value_rank);
    },
    [](S s) {
      return holds(s.out_proj || s.num_heads * value_width(s) == s.d_model, Rule::setting_out_proj, {s.d_model});
    },
    [](S s) {
      return holds(s.positions != Positions::rope || key_width(s) >= 2, Rule::setting_rotary_width);
    },
};

}  // namespace

std::span<const std::string_view> scale_ids() { return kScales; }
std::span<const std::string_view> position_ids() { return kPositions; }
std::span<const std::string_view> tie_ids() { return kTies; }

int key_heads(const Settings& s) { return s.num_kv_heads > 0 ? s.num_kv_heads : s.num_heads; }
int key_width(const Settings& s) { return s.d_k > 0 ? s.d_k : s.d_model / s.num_heads; }
int value_width(const Settings& s) { return s.d_v > 0 ? s.d_v : s.d_model / s.num_heads; }

Error validate(const Settings& settings) {
  for (const auto rule : kRulesInOrder) {
    if (Error error = rule(settings)) return error;
  }
  return {};
}

Shape shape_of(const Settings& s, std::size_t query_tokens, std::size_t key_tokens) {
  Shape shape;
  shape.T = query_tokens;
  shape.S = key_tokens;
  shape.D = static_cast<std::size_t>(s.d_model);
  shape.H = static_cast<std::size_t>(s.num_heads);
  shape.H_kv = static_cast<std::size_t>(key_heads(s));
  shape.d_k = static_cast<std::size_t>(key_width(s));
  shape.d_v = static_cast<std::size_t>(value_width(s));
  shape.r = static_cast<std::size_t>(s.value_rank);
  return shape;
}

std::string_view name(Axis axis) {
  switch (axis) {
    case Axis::none: return "";
    case Axis::H: return "H";
    case Axis::H_kv: return "H_kv";
    case Axis::T: return "T";
    case Axis::S: return "S";
    case Axis::D: return "D";
    case Axis::d_k: return "d_k";
    case Axis::d_v: return "d_v";
    case Axis::r: return "r";
    case Axis::H_d_k: return "H·d_k";
    case Axis::H_kv_d_k: return "H_kv·d_k";
    case Axis::H_d_v: return "H·d_v";
    case Axis::H_kv_d_v: return "H_kv·d_v";
    case Axis::places: return "max(T, S)";
    case Axis::half_d_k: return "⌊d_k/2⌋";
  }
  return "";
}

std::size_t extent(Axis axis, const Shape& s) {
  switch (axis) {
    case Axis::none: return 1;
    case Axis::H: return s.H;
    case Axis::H_kv: return s.H_kv;
    case Axis::T: return s.T;
    case Axis::S: return s.S;
    case Axis::D: return s.D;
    case Axis::d_k: return s.d_k;
    case Axis::d_v: return s.d_v;
    case Axis::r: return s.r;
    case Axis::H_d_k: return s.H * s.d_k;
    case Axis::H_kv_d_k: return s.H_kv * s.d_k;
    case Axis::H_d_v: return s.H * s.d_v;
    case Axis::H_kv_d_v: return s.H_kv * s.d_v;
    case Axis::places: return s.places();
    case Axis::half_d_k: return s.d_k / 2;
  }
  return 1;
}

}  // namespace attention
