#include "attention/watch.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "attention/ops.h"
#include "attention/sample.h"
#include "train/gradient_kernels.h"

namespace attention {

namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

struct Mean {
  double sum = 0;
  std::size_t count = 0;
  void add(double number) { sum += number, ++count; }
  double value() const { return count == 0 ? kNone : sum / static_cast<double>(count); }
};

HeadScore score(const Trainer::Weights& w, std::size_t head, const TaskBatch& batch) {
  Mean first, second, decided, derivative;
  const std::size_t slots = batch.targets.size() / batch.tokens.size();
  for (std::size_t i = 0; i < batch.tokens.size(); ++i) {
    const std::size_t text = i / w.length, query = i % w.length;
    const float* const row = w.row(text, head, query);
    const auto on = [&](std::int32_t place, Mean& mean) {
      if (place >= 0) mean.add(static_cast<double>(row[place]));
    };
    on(batch.first_places[i], first);
    on(batch.second_places[i], second);
    const auto targets = std::span(batch.targets).subspan(i * slots, slots);
    if (std::ranges::all_of(targets, [](std::int32_t target) { return target < 0; })) continue;
    const std::size_t keys = batch.lengths.empty() ? w.length : batch.lengths[text];
    Lanes squares(0.0f), most(0.0f);
    kernels::each_register(keys, [&](auto load, auto) {
      const Lanes weights = load(row);
      squares = squares + weights * weights;
      most = larger(most, weights);
    });
    decided.add(kernels::largest_of(most) > 0.95f);
    derivative.add(1 - static_cast<double>(sum_of(squares)));
  }
  return {first.value(), second.value(), decided.value(), derivative.value()};
}

}  // namespace

std::vector<HeadScore> head_scores(const Trainer& trainer, const TaskBatch& batch) {
  std::vector<HeadScore> scores;
  for (std::size_t layer = 0; layer < trainer.shape().layers; ++layer) {
    const Trainer::Weights weights = trainer.attention(layer);
    if (weights.texts * weights.length != batch.tokens.size()) return {};
    for (std::size_t head = 0; head < weights.heads; ++head) scores.push_back(score(weights, head, batch));
  }
  return scores;
}

Error fair_test(Trainer& trainer, const TaskBatch& batch, const TrainerRule& rule, StepReport& report) {
  const std::size_t length = batch.texts == 0 ? 0 : batch.tokens.size() / batch.texts;
  const std::size_t slots = trainer.shape().slots;
  StepReport all;
  for (std::size_t end = 1; end <= length; ++end) {
    TaskBatch prefixes;
    for (std::size_t text = 0; text < batch.texts; ++text) {
      if (!batch.lengths.empty() && batch.lengths[text] < end) continue;
      ++prefixes.texts;
      const auto take = [&](const std::vector<std::int32_t>& from, std::vector<std::int32_t>& to, std::size_t each) {
        if (from.empty()) return;
        const auto begin = from.begin() + static_cast<std::ptrdiff_t>(text * length * each);
        to.insert(to.end(), begin, begin + static_cast<std::ptrdiff_t>(end * each));
      };
      take(batch.tokens, prefixes.tokens, 1);
      take(batch.second, prefixes.second, 1);
      take(batch.targets, prefixes.targets, slots);
      std::fill_n(prefixes.targets.end() - static_cast<std::ptrdiff_t>(end * slots), (end - 1) * slots, -1);
    }
    if (prefixes.texts == 0) break;
    StepReport some;
    if (Error error = trainer.measure(prefixes.view(), rule, some)) return error;
    all.loss += some.loss * some.asked;
    all.asked += some.asked;
    all.right += some.right;
  }
  if (all.asked > 0) all.loss /= all.asked;
  report = all;
  return {};
}

Error continue_text(Trainer& trainer, const TrainerRule& rule, std::span<const std::int32_t> text, std::size_t count,
                    float temperature, std::uint32_t seed, Continuation& made) {
  if (!std::isfinite(temperature) || temperature < 0) return error(Rule::train_rule, "temperature");
  const TrainerShape& shape = trainer.shape();
  Continuation found;
  std::vector<std::int32_t> all(text.begin(), text.end());
  std::vector<float> shares(shape.vocabulary);
  for (std::size_t n = 0; n < count; ++n) {
    const std::size_t read = std::min<std::size_t>(all.size(), shape.context);
    const std::vector<std::int32_t> unasked(read * shape.slots, -1);
    StepReport report;
    if (Error error = trainer.measure({std::span(all).last(read), {}, unasked, 1}, rule, report)) return error;
    const auto logits = trainer.logits().subspan((read - 1) * shape.slots * shape.vocabulary, shape.vocabulary);
    if (Error error = sample_shares(logits, {.temperature = temperature}, shares)) return error;
    const auto token = static_cast<std::int32_t>(draw_token(shares, seed, static_cast<std::uint32_t>(n)));
    if (token == static_cast<std::int32_t>(shares.size())) return error(Rule::train_diverged, {trainer.steps()});
    softmax(logits.data(), 1, shares.size(), shares.data());
    found.probabilities.push_back(shares[static_cast<std::size_t>(token)]);
    found.tokens.push_back(token);
    all.push_back(token);
  }
  made = std::move(found);
  return {};
}

}  // namespace attention
