#include "train/gradient_kernels.h"

#include "lanes.h"

// A second path through attention, for speed in training: a whole head of a short text in one product, without
// options, with all weights kept. The tests of whole models compare it with reference_attend() and its gradient.
namespace attention::kernels {

namespace {

// Smaller weights count as none: beside the largest they round away, and their products would be denormal
// numbers, which take a processor a hundred times as long.
constexpr float kLeast = 0x1p-64f;

// The first `count` lanes of x, and `rest` in the others.
Lanes first_lanes(Lanes x, std::size_t count, float rest) {
  std::array<float, kLanes> places;
  for (std::size_t i = 0; i < kLanes; ++i) places[i] = static_cast<float>(i);
  return xsimd::select(Lanes::load_unaligned(places.data()) < Lanes(static_cast<float>(count)), x, Lanes(rest));
}

// row[0 … seen) becomes softmax(factor · row), the rest up to `width` 0, in whole registers: the row has
// room for one beyond.
void weigh(float* row, std::size_t seen, std::size_t width, float factor) {
  const std::size_t whole = seen / kLanes * kLanes, rest = seen - whole;
  const Lanes by(factor);
  Lanes most(kMinusInfinity);
  for (std::size_t i = 0; i < whole; i += kLanes) most = larger(most, Lanes::load_unaligned(row + i) * by);
  if (rest > 0) {
    most = larger(most, first_lanes(Lanes::load_unaligned(row + whole) * by, rest, kMinusInfinity));
  }
  const Lanes max(largest_of(most));
  Lanes sums(0.0f);
  for (std::size_t i = 0; i < seen; i += kLanes) {
    const Lanes scores = Lanes::load_unaligned(row + i) * by - max;
    const Lanes e = exp_nonpositive(i < whole ? scores : first_lanes(scores, rest, kMinusInfinity));
    e.store_unaligned(row + i);
    sums = sums + e;
  }
  const Lanes share(1 / sum_of(sums));
  std::size_t i = 0;
  for (; i < seen; i += kLanes) {
    const Lanes w = Lanes::load_unaligned(row + i) * share;
    xsimd::select(w < Lanes(kLeast), Lanes(0.0f), w).store_unaligned(row + i);
  }
  for (; i < width; i += kLanes) Lanes(0.0f).store_unaligned(row + i);
}

// dweights[0 … seen) becomes factor · weights ∘ (dweights - weights · dweights), the rest up to `width` 0.
// Weights beyond `seen` are 0.
void weigh_backward(const float* weights, float* dweights, std::size_t seen, std::size_t width, float factor) {
  const std::size_t whole = seen / kLanes * kLanes, rest = seen - whole;
  if (rest > 0) {  // what nobody wrote there may be no number
    first_lanes(Lanes::load_unaligned(dweights + whole), rest, 0).store_unaligned(dweights + whole);
  }
  Lanes sums(0.0f);
  for (std::size_t i = 0; i < seen; i += kLanes) {
    sums = sums + Lanes::load_unaligned(weights + i) * Lanes::load_unaligned(dweights + i);
  }
  const Lanes sum(sum_of(sums)), by(factor);
  std::size_t i = 0;
  for (; i < seen; i += kLanes) {
    const Lanes d = Lanes::load_unaligned(dweights + i) - sum;
    (Lanes::load_unaligned(weights + i) * d * by).store_unaligned(dweights + i);
  }
  for (; i < width; i += kLanes) Lanes(0.0f).store_unaligned(dweights + i);
}

std::size_t seen_by(const HeadRule& rule, std::size_t query) { return rule.is_causal ? query + 1 : rule.length; }

}  // namespace

ATTENTION_KERNEL void weigh_rows(float* weights, const HeadRule& rule) {
  for (std::size_t q = 0; q < rule.length; ++q) {
    weigh(weights + q * rule.stride, seen_by(rule, q), rule.length, rule.factor);
  }
}

ATTENTION_KERNEL void weigh_rows_backward(const float* weights, float* dweights, const HeadRule& rule) {
  for (std::size_t q = 0; q < rule.length; ++q) {
    weigh_backward(weights + q * rule.stride, dweights + q * rule.stride, seen_by(rule, q), rule.length, rule.factor);
  }
}

void attend_head(const HeadMatrices& head, const HeadRule& rule, float* weights, Matrix context) {
  const Matrix scores{weights, rule.length, rule.length, rule.stride};
  matmul(scores, head.query, head.key, Turned::right, Sums::begin, {.columns = rule.to_here});
  weigh_rows(weights, rule);
  matmul(context, {weights, rule.length, rule.length, rule.stride}, head.value, Turned::none, Sums::begin,
         {.depth = rule.to_here});
}

void attend_head_backward(const HeadMatrices& head, const HeadRule& rule, const float* weights, ConstMatrix dcontext,
                          const HeadGradients& gradients, float* scratch) {
  const ConstMatrix mixed{weights, rule.length, rule.length, rule.stride};
  const ConstMatrix dscores{scratch, rule.length, rule.length, rule.stride};
  matmul(gradients.value, mixed, dcontext, Turned::left, Sums::begin, {.depth = rule.from_here});
  matmul({scratch, rule.length, rule.length, rule.stride}, dcontext, head.value, Turned::right, Sums::begin,
         {.columns = rule.to_here});
  weigh_rows_backward(weights, scratch, rule);
  matmul(gradients.query, dscores, head.key, Turned::none, Sums::begin, {.depth = rule.to_here});
  matmul(gradients.key, dscores, head.query, Turned::left, Sums::begin, {.depth = rule.from_here});
}

}  // namespace attention::kernels
