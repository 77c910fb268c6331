#include "attention/settings.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "text.h"

namespace attention {

namespace {

constexpr std::array<std::string_view, 3> kMasks{"none", "causal", "window"};
constexpr std::array<std::string_view, 3> kScales{"sqrt-dk", "none", "factor"};
constexpr std::array<std::string_view, 5> kPositions{"none", "sinusoidal", "learned", "rope",
                                                     "alibi"};
constexpr std::array<std::string_view, 3> kTies{"none", "qk", "qkv"};

constexpr double kMaxSeed = std::numeric_limits<std::uint32_t>::max();

std::string divisors_of(int number) {
  std::string list = "1";
  for (int divisor = 2; divisor <= number; ++divisor) {
    if (number % divisor == 0) list.append(join({", ", text(divisor)}));
  }
  return list;
}

int largest_divisor_up_to(int number, int most) {
  while (number % most != 0) --most;
  return most;
}

std::string whole_rule(std::string_view subject, double least, double most) {
  return join({subject, " must be a whole number from ", text(static_cast<std::int64_t>(least)), " to ",
               text(static_cast<std::int64_t>(most)), "."});
}
std::string divisor_rule(std::string_view subject, std::string_view of, int number) {
  return join({subject, " must divide ", of, " = ", text(number), ": choose one of ",
               divisors_of(number), "."});
}
std::string id_rule(std::string_view field, std::span<const std::string_view> ids) {
  std::string rule = join({"The setting \"", field, "\" must be one of ", ids[0]});
  for (const std::string_view id : ids.subspan(1)) rule.append(join({", ", id}));
  rule.push_back('.');
  return rule;
}

// The whole number in [least, most] nearest to `wanted`; `fallback` for NaN.
double nearest_whole(double wanted, double least, double most, double fallback) {
  if (std::isnan(wanted)) return fallback;
  if (wanted < least) return least;
  if (wanted > most) return most;
  return std::floor(wanted + 0.5);
}

// Index of `id`, or -1.
int find(std::span<const std::string_view> ids, std::string_view id) {
  for (std::size_t i = 0; i < ids.size(); ++i) {
    if (ids[i] == id) return static_cast<int>(i);
  }
  return -1;
}

// "" for what is no enumerator.
std::string id_of(std::span<const std::string_view> ids, auto enumerator) {
  const auto index = static_cast<std::size_t>(enumerator);
  return std::string(index < ids.size() ? ids[index] : "");
}

// What was broken, and the sentence that says what is taken instead.
struct Changes {
  std::vector<std::string> rules, notices;
};

// One field after another, each brought to the nearest value that its rule and the fields before allow.
class Nearest {
 public:
  Nearest(const WantedSettings& wanted, Changes& changes) : w_(wanted), changes_(changes) {}

  Settings settings() {
    sizes();
    words();
    numbers();
    combinations();
    return s_;
  }

 private:
  using Parts = std::initializer_list<std::string_view>;

  void notice(Parts rule, std::string_view field, std::string_view used) {
    changes_.rules.push_back(join(rule));
    changes_.notices.push_back(join({changes_.rules.back(), " Using ", field, " ", used, "."}));
  }

  double whole(double wanted, double least, double most, double fallback, std::string_view field,
               std::string_view subject) {
    const double used = nearest_whole(wanted, least, most, fallback);
    if (used != wanted) {
      notice({whole_rule(subject, least, most)}, field, text(static_cast<std::int64_t>(used)));
    }
    return used;
  }
  int count(double wanted, int least, int most, int fallback, std::string_view field,
            std::string_view subject) {
    return static_cast<int>(whole(wanted, least, most, fallback, field, subject));
  }
  std::uint32_t seed(double wanted, std::string_view field, std::string_view subject) {
    return static_cast<std::uint32_t>(whole(wanted, 0, kMaxSeed, 1, field, subject));
  }

  template <class Id>
  void choose(Id& used, std::string_view field, std::span<const std::string_view> ids,
              std::string_view id) {
    used = static_cast<Id>(choice(static_cast<int>(used), field, ids, id));
  }
  int choice(int fallback, std::string_view field, std::span<const std::string_view> ids,
             std::string_view id) {
    const int index = find(ids, id);
    if (index >= 0) return index;
    notice({id_rule(field, ids)}, field, ids[static_cast<std::size_t>(fallback)]);
    return fallback;
  }

  // 0, or within [least, most].
  float zero_or(double wanted, float least, float most, float fallback, std::string_view field,
                std::string_view subject) {
    const auto near = static_cast<float>(std::isnan(wanted) ? fallback : std::clamp(wanted, -1e9, 1e9));
    float used = std::clamp(near, 0.0f, most);
    if (used > 0 && used < least) used = used < least / 2 ? 0 : least;
    const bool is_lost = least > 0 && near == 0 && wanted != 0;  // less than float32 can say
    if (std::isnan(wanted) || used != near || is_lost) {
      const std::string_view rule = least > 0 ? " must be 0, or a number from " : " must be a number from ";
      notice({subject, rule, decimal(least), " to ", decimal(most), "."}, field, decimal(used));
    }
    return used;
  }

  void sizes() {
    s_.d_model = count(w_.d_model, 1, kLimits.max_d_model, s_.d_model, "d_model", "d_model");
    s_.d_k = count(w_.d_k, 0, kLimits.max_d_model, 0, "d_k", "d_k (0 = d_model / heads)");
    s_.d_v = count(w_.d_v, 0, kLimits.max_d_model, 0, "d_v", "d_v (0 = d_model / heads)");

    const int most = static_cast<int>(nearest_whole(w_.num_heads, 1, s_.d_model, 1));
    const bool is_free = s_.d_k > 0 && s_.d_v > 0;
    s_.num_heads = is_free ? most : largest_divisor_up_to(s_.d_model, most);
    if (s_.num_heads != w_.num_heads) {
      const std::string_view subject = "The number of heads";
      notice({is_free ? whole_rule(subject, 1, s_.d_model) : divisor_rule(subject, "d_model", s_.d_model)},
             "heads", text(s_.num_heads));
    }
    width(s_.d_k, "d_k");
    width(s_.d_v, "d_v");

    s_.num_kv_heads =
        count(w_.num_kv_heads, 0, s_.num_heads, 0, "key heads", "The number of key heads");
    if (s_.num_kv_heads > 0 && s_.num_heads % s_.num_kv_heads != 0) {
      s_.num_kv_heads = largest_divisor_up_to(s_.num_heads, s_.num_kv_heads);
      notice({divisor_rule("The number of key heads", "the number of heads", s_.num_heads)}, "key heads",
             text(s_.num_kv_heads));
    }
  }

  void width(int& of_one, std::string_view field) {
    const int most = kLimits.max_width / s_.num_heads;
    if (of_one <= most) return;
    of_one = most;
    notice({field, " times the number of heads must be at most ", text(kLimits.max_width), "."},
           field, text(most));
  }

  void words() {
    choose(s_.mask, "mask", kMasks, w_.mask);
    choose(s_.scale, "scale", kScales, w_.scale);
    choose(s_.positions, "positions", kPositions, w_.positions);
    choose(s_.tie, "tie", kTies, w_.tie);
  }

  void numbers() {
    const float most = kLimits.max_abs_scale_factor;
    if (std::isfinite(w_.scale_factor) && std::fabs(w_.scale_factor) <= most) {
      s_.scale_factor = static_cast<float>(w_.scale_factor);
    } else {
      s_.scale = s_.scale == Scale::factor ? Scale::sqrt_dk : s_.scale;
      notice({"The scale factor must be a number from -", decimal(most), " to ", decimal(most), "."},
             "scale", id_of(kScales, s_.scale));
    }
    s_.softcap = zero_or(w_.softcap, kLimits.min_softcap, kLimits.max_softcap, 0, "softcap",
                         "The softcap (0 = off)");
    s_.temperature = zero_or(w_.temperature, kLimits.min_temperature, kLimits.max_temperature, 1,
                             "temperature", "The temperature");
    s_.dropout = zero_or(w_.dropout, 0, kLimits.max_dropout, 0, "dropout", "The dropout rate");
    s_.window_left = count(w_.window_left, 0, kLimits.max_tokens, s_.window_left, "window, before",
                           "The window's reach before a word");
    s_.window_right = count(w_.window_right, 0, kLimits.max_tokens, s_.window_right, "window, after",
                            "The window's reach after a word");
    s_.biases = w_.biases;
    s_.residual = w_.residual;
    s_.seed = seed(w_.seed, "seed", "The seed");
    s_.dropout_seed = seed(w_.dropout_seed, "dropout seed", "The dropout seed");
  }

  void combinations() {
    const bool is_grouped = key_heads(s_) != s_.num_heads;
    if (s_.tie != Tie::none && is_grouped) {
      s_.num_kv_heads = 0;
      notice({"Tied queries and keys need as many key heads as heads."}, "key heads",
             text(s_.num_heads));
    }
    if (s_.tie == Tie::qkv && value_width(s_) != key_width(s_)) {
      s_.d_v = s_.d_k;
      notice({"Tied values must be as wide as keys."}, "d_v", text(key_width(s_)));
    }

    const int most_rank = std::min(s_.d_model, key_heads(s_) * value_width(s_));
    s_.value_rank = count(w_.value_rank, 0, most_rank, 0, "value rank", "The rank of W_V (0 = full)");
    if (s_.tie == Tie::qkv && s_.value_rank > 0) {
      s_.value_rank = 0;
      notice({"Tied values have the queries' matrix, which has no rank of its own."}, "value rank", "0");
    }

    s_.out_proj = w_.out_proj || s_.num_heads * value_width(s_) != s_.d_model;
    if (s_.out_proj != w_.out_proj) {
      notice({"Without the output projection, heads times d_v must be d_model = ", text(s_.d_model), "."},
             "output projection", "on");
    }
    if (s_.positions == Positions::rope && key_width(s_) < 2) {
      s_.positions = Positions::none;
      notice({"Rotary positions turn pairs of numbers, so d_k must be at least 2."}, "positions", "none");
    }
  }

  const WantedSettings& w_;
  Changes& changes_;
  Settings s_;
};

}  // namespace

std::span<const std::string_view> masks() { return kMasks; }
std::span<const std::string_view> scales() { return kScales; }
std::span<const std::string_view> positions() { return kPositions; }
std::span<const std::string_view> ties() { return kTies; }

int key_heads(const Settings& s) { return s.num_kv_heads > 0 ? s.num_kv_heads : s.num_heads; }
int key_width(const Settings& s) { return s.d_k > 0 ? s.d_k : s.d_model / s.num_heads; }
int value_width(const Settings& s) { return s.d_v > 0 ? s.d_v : s.d_model / s.num_heads; }

Error validate(const Settings& settings) {
  Settings same;
  return exact(wanted(settings), same);
}

ClampedSettings clamp(const WantedSettings& wanted) {
  Changes changes;
  const Settings settings = Nearest(wanted, changes).settings();
  return {settings, std::move(changes.notices)};
}

Error exact(const WantedSettings& wanted, Settings& settings) {
  Changes changes;
  const Settings found = Nearest(wanted, changes).settings();
  if (!changes.rules.empty()) return {ErrorCode::invalid_setting, std::move(changes.rules.front())};
  settings = found;
  return {};
}

WantedSettings wanted(const Settings& s) {
  return {.d_model = static_cast<double>(s.d_model),
          .num_heads = static_cast<double>(s.num_heads),
          .num_kv_heads = static_cast<double>(s.num_kv_heads),
          .d_k = static_cast<double>(s.d_k),
          .d_v = static_cast<double>(s.d_v),
          .mask = id_of(kMasks, s.mask),
          .window_left = static_cast<double>(s.window_left),
          .window_right = static_cast<double>(s.window_right),
          .scale = id_of(kScales, s.scale),
          .scale_factor = s.scale_factor,
          .softcap = s.softcap,
          .temperature = s.temperature,
          .positions = id_of(kPositions, s.positions),
          .tie = id_of(kTies, s.tie),
          .value_rank = static_cast<double>(s.value_rank),
          .biases = s.biases,
          .dropout = s.dropout,
          .dropout_seed = static_cast<double>(s.dropout_seed),
          .out_proj = s.out_proj,
          .residual = s.residual,
          .seed = static_cast<double>(s.seed)};
}

}  // namespace attention
