#include "attention/settings.h"

#include <array>
#include <cmath>
#include <limits>

namespace attention {

namespace {

constexpr std::array<std::string_view, 2> kMasks{"none", "causal"};
constexpr std::array<std::string_view, 3> kScales{"sqrt-dk", "none", "factor"};
constexpr std::array<std::string_view, 2> kPositions{"none", "sinusoidal"};

constexpr double kMaxSeed = std::numeric_limits<std::uint32_t>::max();

std::string text(auto number) { return std::to_string(number); }

std::string divisors_of(int number) {
  std::string list;
  for (int divisor = 1; divisor <= number; ++divisor) {
    if (number % divisor == 0) list += (list.empty() ? "" : ", ") + text(divisor);
  }
  return list;
}

int largest_divisor_up_to(int number, int most) {
  while (number % most != 0) --most;
  return most;
}

std::string d_model_rule() {
  return "d_model must be a whole number from 1 to " + text(kLimits.max_d_model) + ".";
}
std::string num_heads_rule(int d_model) {
  return "The number of heads must divide d_model = " + text(d_model) + ": choose one of " +
         divisors_of(d_model) + ".";
}
std::string scale_factor_rule() {
  const std::string most = text(static_cast<std::uint64_t>(kLimits.max_abs_scale_factor));
  return "The scale factor must be a number from -" + most + " to " + most + ".";
}
std::string seed_rule() {
  return "The seed must be a whole number from 0 to " + text(static_cast<std::uint64_t>(kMaxSeed)) +
         ".";
}
std::string id_rule(std::string_view field, std::span<const std::string_view> ids) {
  std::string rule = "The setting \"" + std::string(field) + "\" must be one of ";
  for (std::size_t i = 0; i < ids.size(); ++i) rule += (i > 0 ? ", " : "") + std::string(ids[i]);
  return rule + ".";
}

bool scale_factor_is_valid(double factor) {
  return std::isfinite(factor) && std::fabs(factor) <= kLimits.max_abs_scale_factor;
}

// The whole number in [least, most] nearest to `wanted`; `fallback` for NaN.
double nearest_whole(double wanted, double least, double most, double fallback) {
  if (std::isnan(wanted)) return fallback;
  if (wanted < least) return least;
  if (wanted > most) return most;
  return std::round(wanted);
}

// Index of `id`, or -1.
int find(std::span<const std::string_view> ids, std::string_view id) {
  for (std::size_t i = 0; i < ids.size(); ++i) {
    if (ids[i] == id) return static_cast<int>(i);
  }
  return -1;
}

}  // namespace

std::span<const std::string_view> masks() { return kMasks; }
std::span<const std::string_view> scales() { return kScales; }
std::span<const std::string_view> positions() { return kPositions; }

Error validate(const Settings& s) {
  const auto invalid = [](std::string rule) {
    return Error{ErrorCode::invalid_setting, std::move(rule)};
  };
  if (s.d_model < 1 || s.d_model > kLimits.max_d_model) return invalid(d_model_rule());
  if (s.num_heads < 1 || s.d_model % s.num_heads != 0) return invalid(num_heads_rule(s.d_model));
  if (!scale_factor_is_valid(s.scale_factor)) return invalid(scale_factor_rule());
  return {};
}

namespace {

struct Change {
  std::string rule, use;  // what was broken; what is taken instead
};

// The valid settings nearest to what was wanted; `changes` is empty when they are exactly that.
Settings nearest(const WantedSettings& wanted, std::vector<Change>& changes) {
  Settings s;
  const auto notice = [&](std::string rule, std::string_view field, std::string_view used) {
    changes.push_back({std::move(rule), std::string(field) + " " + std::string(used)});
  };
  const auto choose = [&](std::string_view field, std::span<const std::string_view> ids,
                          std::string_view id, int fallback) {
    const int index = find(ids, id);
    if (index >= 0) return index;
    notice(id_rule(field, ids), field, ids[static_cast<std::size_t>(fallback)]);
    return fallback;
  };

  s.d_model = static_cast<int>(nearest_whole(wanted.d_model, 1, kLimits.max_d_model, s.d_model));
  if (s.d_model != wanted.d_model) {
    notice(d_model_rule(), "d_model", text(s.d_model));
  }

  const double most_heads = nearest_whole(wanted.num_heads, 1, s.d_model, 1);
  s.num_heads = largest_divisor_up_to(s.d_model, static_cast<int>(most_heads));
  if (s.num_heads != wanted.num_heads) {
    notice(num_heads_rule(s.d_model), "heads", text(s.num_heads));
  }

  s.mask = static_cast<Mask>(choose("mask", kMasks, wanted.mask, static_cast<int>(s.mask)));
  s.scale = static_cast<Scale>(choose("scale", kScales, wanted.scale, static_cast<int>(s.scale)));
  s.positions = static_cast<Positions>(
      choose("positions", kPositions, wanted.positions, static_cast<int>(s.positions)));

  if (scale_factor_is_valid(wanted.scale_factor)) {
    s.scale_factor = static_cast<float>(wanted.scale_factor);
  } else {
    s.scale = s.scale == Scale::factor ? Scale::sqrt_dk : s.scale;
    notice(scale_factor_rule(), "scale", kScales[static_cast<std::size_t>(s.scale)]);
  }

  s.biases = wanted.biases;
  s.seed = static_cast<std::uint32_t>(nearest_whole(wanted.seed, 0, kMaxSeed, s.seed));
  if (s.seed != wanted.seed) notice(seed_rule(), "seed", text(s.seed));
  return s;
}

}  // namespace

ClampedSettings clamp(const WantedSettings& wanted) {
  std::vector<Change> changes;
  ClampedSettings out;
  out.settings = nearest(wanted, changes);
  for (const auto& [rule, use] : changes) out.notices.push_back(rule + " Using " + use + ".");
  return out;
}

Error exact(const WantedSettings& wanted, Settings& settings) {
  std::vector<Change> changes;
  const Settings found = nearest(wanted, changes);
  if (!changes.empty()) return {ErrorCode::invalid_setting, std::move(changes.front().rule)};
  settings = found;
  return {};
}

}  // namespace attention
