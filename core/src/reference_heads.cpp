// What heads do, by plain loops in double.
#include <cmath>

#include "attention/head_measures.h"

namespace attention {

std::vector<double> reference_head_facts(const float* weights, std::size_t heads, std::span<const std::int32_t> tokens) {
  const std::size_t T = tokens.size();
  std::vector<double> facts;
  for (std::size_t head = 0; head < heads; ++head) {
    const auto weight = [&](std::size_t query, std::size_t key) { return static_cast<double>(weights[(head * T + query) * T + key]); };
    double previous = 0, start = 0, self = 0, induction = 0, entropy = 0, rows = 0, repeated = 0;
    for (std::size_t t = 1; t < T; ++t) {
      ++rows;
      previous += weight(t, t - 1);
      start += weight(t, 0);
      self += weight(t, t);
      for (std::size_t k = 0; k < T; ++k) {
        if (weight(t, k) > 0) entropy -= weight(t, k) * std::log2(weight(t, k));
      }
      std::size_t last = T;  // the last earlier token of the same id that another one follows
      for (std::size_t p = 0; p + 1 < t; ++p) {
        if (tokens[p] == tokens[t]) last = p;
      }
      if (last == T) continue;
      ++repeated;
      induction += weight(t, last + 1);
    }
    facts.insert(facts.end(), {previous / rows, start / rows, self / rows, induction / repeated, entropy / rows});
  }
  return facts;
}

std::vector<double> reference_rollout(const float* weights, std::size_t layers, std::size_t heads, std::size_t T) {
  std::vector<double> all, below(T * T, 0);
  for (std::size_t t = 0; t < T; ++t) below[t * T + t] = 1;
  for (std::size_t layer = 0; layer < layers; ++layer) {
    std::vector<double> mixed(T * T, 0), out(T * T, 0);
    for (std::size_t t = 0; t < T; ++t) {
      double sum = 0;
      for (std::size_t k = 0; k < T; ++k) {
        double mean = 0;
        for (std::size_t head = 0; head < heads; ++head) mean += static_cast<double>(weights[((layer * heads + head) * T + t) * T + k]);
        mixed[t * T + k] = 0.5 * mean / static_cast<double>(heads) + (t == k ? 0.5 : 0);
        sum += mixed[t * T + k];
      }
      for (std::size_t k = 0; k < T; ++k) mixed[t * T + k] /= sum;
    }
    for (std::size_t t = 0; t < T; ++t)
      for (std::size_t k = 0; k < T; ++k)
        for (std::size_t j = 0; j < T; ++j) out[t * T + k] += mixed[t * T + j] * below[j * T + k];
    all.insert(all.end(), out.begin(), out.end());
    below = out;
  }
  return all;
}

}  // namespace attention
