#include "attention/form.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <type_traits>
#include <utility>

#include "text.h"

namespace attention {

namespace {

constexpr double kMaxSeed = std::numeric_limits<std::uint32_t>::max();
constexpr Settings kDefaults;

// -1, which is never valid, for anything but a whole number.
int whole(double wanted) {
  return wanted >= 0 && wanted <= std::numeric_limits<int>::max() && wanted == std::floor(wanted)
             ? static_cast<int>(wanted)
             : -1;
}

// Never 0 for what is not.
float real(double wanted) {
  const auto near = static_cast<float>(std::clamp(wanted, -1e9, 1e9));
  return near == 0 && wanted != 0 ? std::numeric_limits<float>::denorm_min() : near;
}

// An enumerator of no name for an unknown id.
template <class Id>
Id named(std::span<const std::string_view> ids, std::string_view id) {
  return static_cast<Id>(std::find(ids.begin(), ids.end(), id) - ids.begin());
}

std::string_view id_of(std::span<const std::string_view> ids, auto enumerator) {
  return ids[static_cast<std::size_t>(enumerator)];
}

// The wanted settings in the types of Settings; values that these cannot hold become invalid.
Settings typed(const WantedSettings& w) {
  Settings s{.d_model = whole(w.d_model),
             .num_heads = whole(w.num_heads),
             .num_kv_heads = whole(w.num_kv_heads),
             .d_k = whole(w.d_k),
             .d_v = whole(w.d_v),
             .mask = named<Mask>(mask_ids(), w.mask),
             .scale = named<Scale>(scale_ids(), w.scale),
             .scale_factor = real(w.scale_factor),
             .softcap = real(w.softcap),
             .temperature = real(w.temperature),
             .positions = named<Positions>(position_ids(), w.positions),
             .tie = named<Tie>(tie_ids(), w.tie),
             .value_rank = whole(w.value_rank),
             .biases = w.biases,
             .dropout = real(w.dropout),
             .out_proj = w.out_proj,
             .residual = w.residual};
  for (const auto& [name, field] : mask_numbers()) s.*field = whole(w.*number_field(name));
  return s;
}

// The whole number in [least, most] nearest to `wanted`; `fallback` for NaN.
double nearest_whole(double wanted, double least, double most, double fallback) {
  if (std::isnan(wanted)) return fallback;
  if (wanted < least) return least;
  if (wanted > most) return most;
  return std::floor(wanted + 0.5);
}

// Fixes one broken rule after the other.
class Mender {
 public:
  Mender(const WantedSettings& wanted, int max_width) : w_(wanted), s_(typed(wanted)), max_width_(max_width) {}

  ClampedSettings clamped() {
    s_.seed = seed(Rule::setting_seed, "seed", w_.seed);
    s_.dropout_seed = seed(Rule::setting_dropout_seed, "dropout_seed", w_.dropout_seed);
    while (const Error error = broken()) notices_.push_back(mend(error));
    return {s_, std::move(notices_)};
  }

 private:
  // The first rule that is broken: of what is typed, widths come first, which may be less than the layer's.
  Error broken() const {
    if (Error error = width_rule(Rule::setting_d_model, s_.d_model, 1)) return error;
    if (Error error = width_rule(Rule::setting_d_k, s_.d_k, 0)) return error;
    if (Error error = width_rule(Rule::setting_d_v, s_.d_v, 0)) return error;
    return validate(s_);
  }
  Error width_rule(Rule rule, int width, int least) const {
    return width >= least && width <= max_width_ ? Error{} : error(rule, {least, max_width_});
  }
  Notice mend(const Error& e) {
    switch (e.rule) {
      case Rule::setting_d_model: return count(e, "d_model", s_.d_model, w_.d_model, kDefaults.d_model);
      case Rule::setting_d_k: return count(e, "d_k", s_.d_k, w_.d_k, 0);
      case Rule::setting_d_v: return count(e, "d_v", s_.d_v, w_.d_v, 0);
      case Rule::setting_heads: return count(e, "num_heads", s_.num_heads, w_.num_heads, 1);
      case Rule::setting_heads_divide: return divisor(e, "num_heads", s_.num_heads, w_.num_heads);
      case Rule::setting_key_width: return width(e, "d_k", s_.d_k);
      case Rule::setting_value_width: return width(e, "d_v", s_.d_v);
      case Rule::setting_key_heads: return count(e, "num_kv_heads", s_.num_kv_heads, w_.num_kv_heads, 0);
      case Rule::setting_key_heads_divide: return divisor(e, "num_kv_heads", s_.num_kv_heads, s_.num_kv_heads);
      case Rule::setting_mask: return {e, "mask", 0, id_of(mask_ids(), s_.mask = kDefaults.mask)};
      case Rule::setting_scale: return {e, "scale", 0, id_of(scale_ids(), s_.scale = kDefaults.scale)};
      case Rule::setting_positions:
        return {e, "positions", 0, id_of(position_ids(), s_.positions = kDefaults.positions)};
      case Rule::setting_tie: return {e, "tie", 0, id_of(tie_ids(), s_.tie = kDefaults.tie)};
      case Rule::setting_scale_factor:
        s_.scale_factor = kDefaults.scale_factor;
        if (s_.scale == Scale::factor) s_.scale = kDefaults.scale;
        return {e, "scale", 0, id_of(scale_ids(), s_.scale)};
      case Rule::setting_softcap: return number(e, "softcap", s_.softcap, w_.softcap, kDefaults.softcap);
      case Rule::setting_temperature:
        return number(e, "temperature", s_.temperature, w_.temperature, kDefaults.temperature);
      case Rule::setting_dropout: return number(e, "dropout", s_.dropout, w_.dropout, kDefaults.dropout);
      case Rule::setting_mask_number:
        return mask_number(e);
      case Rule::setting_tied_key_heads:
        s_.num_kv_heads = 0;
        return {e, "num_kv_heads", static_cast<double>(s_.num_heads), {}};
      case Rule::setting_tied_value_width:
        s_.d_v = s_.d_k;
        return {e, "d_v", static_cast<double>(key_width(s_)), {}};
      case Rule::setting_value_rank: return count(e, "value_rank", s_.value_rank, w_.value_rank, 0);
      case Rule::setting_tied_value_rank: return {e, "value_rank", static_cast<double>(s_.value_rank = 0), {}};
      case Rule::setting_out_proj:
        s_.out_proj = true;
        return {e, "out_proj", 0, "on"};
      case Rule::setting_rotary_width:
        return {e, "positions", 0, id_of(position_ids(), s_.positions = Positions::none)};
      default:  // no rule of validate(); whatever came, this ends
        s_ = kDefaults;
        return {e, "d_model", static_cast<double>(s_.d_model), {}};
    }
  }

  // Within the least and the most that the rule names.
  static Notice count(const Error& e, std::string_view field, int& used, double wanted, int fallback) {
    used = static_cast<int>(nearest_whole(wanted, e.numbers[0], e.numbers[1], fallback));
    return {e, field, static_cast<double>(used), {}};
  }
  Notice mask_number(const Error& e) {
    const auto numbers = mask_numbers();
    const auto& [name, field] = *std::find_if(
        numbers.begin(), numbers.end(), [&](const MaskNumber& n) { return n.name == e.name(); });
    return count(e, name, s_.*field, w_.*number_field(name), kDefaults.*field);
  }
  // Of the number that the rule names: its largest divisor not above what was wanted.
  static Notice divisor(const Error& e, std::string_view field, int& used, double wanted) {
    const auto of = static_cast<int>(e.numbers[0]);
    used = static_cast<int>(nearest_whole(wanted, 1, of, 1));
    while (of % used != 0) --used;
    return {e, field, static_cast<double>(used), {}};
  }
  // So wide that all heads together keep to the rule.
  Notice width(const Error& e, std::string_view field, int& of_one) const {
    of_one = static_cast<int>(e.numbers[0]) / s_.num_heads;
    return {e, field, static_cast<double>(of_one), {}};
  }
  // 0, or within the least and the most that the rule names.
  static Notice number(const Error& e, std::string_view field, float& used, double wanted, float fallback) {
    const auto least = static_cast<float>(e.numbers[0]), most = static_cast<float>(e.numbers[1]);
    used = static_cast<float>(std::clamp(std::isnan(wanted) ? fallback : wanted, 0.0, e.numbers[1]));
    used = std::min(used, most);
    if (used > 0 && used < least) used = used < least / 2 ? 0 : least;
    return {e, field, used, {}};
  }

  // Any number of its type is valid.
  std::uint32_t seed(Rule rule, std::string_view field, double wanted) {
    const double used = nearest_whole(wanted, 0, kMaxSeed, 1);
    if (used != wanted) notices_.push_back({error(rule, {0, kMaxSeed}), field, used, {}});
    return static_cast<std::uint32_t>(used);
  }

  const WantedSettings& w_;
  Settings s_;
  int max_width_;
  std::vector<Notice> notices_;
};

// Names of fields in sentences, where these differ.
constexpr std::pair<std::string_view, std::string_view> kFieldWords[] = {
    {"num_heads", "heads"},
    {"num_kv_heads", "key heads"},
    {"dropout_seed", "dropout seed"},
    {"value_rank", "value rank"},
    {"out_proj", "output projection"}};

std::string_view field_words(std::string_view field) {
  for (const auto& [name, words] : kFieldWords) {
    if (name == field) return words;
  }
  return field;
}

}  // namespace

std::string message(const Notice& n) {
  std::string text = message(n.error);
  text.append(" Using ").append(field_words(n.field)).append(" ");
  return text.append(n.id.empty() ? decimal(n.number) : n.id).append(".");
}

double WantedSettings::*number_field(std::string_view name) {
  double WantedSettings::*found = nullptr;
  each_field([&](std::string_view each, auto field) {
    if constexpr (std::is_same_v<decltype(field), double WantedSettings::*>) {
      if (each == name) found = field;
    }
  });
  return found;
}

ClampedSettings clamp(const WantedSettings& wanted, int max_width) {
  return Mender(wanted, max_width).clamped();
}

Error exact(const WantedSettings& wanted, Settings& settings) {
  const ClampedSettings nearest = clamp(wanted, kLimits.max_d_model);
  if (!nearest.notices.empty()) return nearest.notices.front().error;
  settings = nearest.settings;
  return {};
}

WantedSettings wanted(const Settings& s) {
  WantedSettings w{.d_model = static_cast<double>(s.d_model),
                   .num_heads = static_cast<double>(s.num_heads),
                   .num_kv_heads = static_cast<double>(s.num_kv_heads),
                   .d_k = static_cast<double>(s.d_k),
                   .d_v = static_cast<double>(s.d_v),
                   .mask = std::string(id_of(mask_ids(), s.mask)),
                   .scale = std::string(id_of(scale_ids(), s.scale)),
                   .scale_factor = s.scale_factor,
                   .softcap = s.softcap,
                   .temperature = s.temperature,
                   .positions = std::string(id_of(position_ids(), s.positions)),
                   .tie = std::string(id_of(tie_ids(), s.tie)),
                   .value_rank = static_cast<double>(s.value_rank),
                   .biases = s.biases,
                   .dropout = s.dropout,
                   .dropout_seed = static_cast<double>(s.dropout_seed),
                   .out_proj = s.out_proj,
                   .residual = s.residual,
                   .seed = static_cast<double>(s.seed)};
  for (const auto& [name, field] : mask_numbers()) w.*number_field(name) = s.*field;
  return w;
}

}  // namespace attention
