#include "attention/trainer.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <new>

#include "attention/backward.h"
#include "train/model.h"

namespace attention {

namespace {

Error check(const TrainerRule& rule) {
  if (rule.optimizer > Optimizer::sgd) return error(Rule::train_optimizer, "adamw, sgd");
  const struct {
    std::string_view name;
    float value;
  } numbers[] = {{"rate", rule.rate}, {"decay", rule.decay}, {"clip", rule.clip}};
  for (const auto& [name, value] : numbers) {
    if (!std::isfinite(value) || value < 0) return error(Rule::train_rule, name);
  }
  return {};
}

Error check_ids(std::string_view name, std::span<const std::int32_t> ids, std::int32_t least,
                std::uint32_t vocabulary) {
  for (const std::int32_t id : ids) {
    if (id < least || id >= static_cast<std::int32_t>(vocabulary)) {
      return error(Rule::train_token, name, {id, least, vocabulary - 1});
    }
  }
  return {};
}

Error check_lengths(const TrainBatch& b, std::size_t length, const TrainerShape& s) {
  if (b.lengths.empty()) return {};
  const Error bad = error(Rule::train_batch, {s.context, s.slots});
  if (b.lengths.size() != b.texts) return bad;
  for (std::size_t text = 0; text < b.texts; ++text) {
    const std::size_t read = b.lengths[text];
    if (read < 1 || read > length) return bad;
    const auto filler = b.targets.subspan((text * length + read) * s.slots, (length - read) * s.slots);
    if (std::ranges::any_of(filler, [](std::int32_t target) { return target >= 0; })) return bad;
  }
  return {};
}

Error check(const TrainBatch& b, const TrainerShape& s) {
  const std::size_t length = b.texts == 0 ? 0 : b.tokens.size() / b.texts;
  const bool fits = length >= 1 && length <= s.context && length * b.texts == b.tokens.size() &&
                    (b.second.empty() || b.second.size() == b.tokens.size()) && b.targets.size() % s.slots == 0 &&
                    b.targets.size() / s.slots == b.tokens.size();
  if (!fits) return error(Rule::train_batch, {s.context, s.slots});
  if (Error error = check_ids("Token", b.tokens, 0, s.vocabulary)) return error;
  if (Error error = check_ids("Second token", b.second, -1, s.vocabulary)) return error;
  if (Error error = check_ids("Target", b.targets, -1, s.vocabulary)) return error;
  return check_lengths(b, length, s);
}

// --- what is saved: words, then weights and moments ------------------------------------------------

constexpr std::uint32_t kMark = 0x31545441;  // "ATT1"
constexpr std::size_t kWords = 17;

using HeadWords = std::array<std::uint32_t, kWords>;

HeadWords words_of(const TrainerShape& s, std::uint32_t steps, double power_1, double power_2) {
  const auto bits_1 = std::bit_cast<std::array<std::uint32_t, 2>>(power_1);
  const auto bits_2 = std::bit_cast<std::array<std::uint32_t, 2>>(power_2);
  const std::uint32_t kinds = static_cast<std::uint32_t>(s.positions) * 2 + s.tied;
  return {kMark,     steps,     bits_1[0],    bits_1[1],
          bits_2[0], bits_2[1], s.vocabulary, s.context,
          s.slots,   s.d_model, s.heads,      s.d_k,
          s.layers,  s.hidden,  kinds,        std::bit_cast<std::uint32_t>(s.query_key_gain),
          std::bit_cast<std::uint32_t>(s.position_base)};
}

}  // namespace

Trainer::Trainer() = default;
Trainer::~Trainer() = default;
Trainer::Trainer(Trainer&&) noexcept = default;
Trainer& Trainer::operator=(Trainer&&) noexcept = default;

Error Trainer::start(const TrainerShape& shape, std::uint32_t seed) {
  std::unique_ptr<Model> made(new (std::nothrow) Model);
  if (made == nullptr) return error(Rule::train_memory, {0, 0});
  if (Error error = made->start(shape, seed)) return error;
  model_ = std::move(made);
  return {};
}

Error Trainer::forward(const TrainBatch& batch, const TrainerRule& rule, bool is_step, bool wants_gradient,
                       CrossEntropy& made) {
  if (model_ == nullptr) return error(Rule::train_not_started);
  if (Error error = check(rule)) return error;
  if (Error error = check(batch, model_->shape)) return error;
  if (Error error = model_->reserve(is_step, batch.texts, batch.tokens.size() / batch.texts)) return error;
  made = model_->forward(batch, rule, wants_gradient);
  return std::isfinite(made.loss) ? Error{} : error(Rule::train_diverged, {model_->steps});
}

Error Trainer::step(const TrainBatch& batch, const TrainerRule& rule, StepReport& report) {
  StepPart next = StepPart::forward;
  if (model_ != nullptr) model_->next = next;
  do {
    if (Error error = step_part(batch, rule, report, next)) return error;
  } while (next != StepPart::forward);
  return {};
}

Error Trainer::step_part(const TrainBatch& batch, const TrainerRule& rule, StepReport& report, StepPart& next) {
  next = StepPart::forward;
  if (model_ == nullptr || model_->next == StepPart::forward) {
    CrossEntropy made;
    if (Error error = forward(batch, rule, true, true, made)) return error;
    model_->made = made;
    next = model_->next = StepPart::backward;
    return {};
  }
  if (model_->next == StepPart::backward) {
    model_->backward(batch, rule);
    next = model_->next = StepPart::update;
    return {};
  }
  model_->next = StepPart::forward;
  const double norm = std::sqrt(squared_norm(model_->gradients.floats()));
  if (!std::isfinite(norm)) return error(Rule::train_diverged, {model_->steps});
  model_->update(rule, norm);
  report = {model_->made.loss, model_->made.asked, model_->made.right, static_cast<float>(norm)};
  return {};
}

Error Trainer::measure(const TrainBatch& batch, const TrainerRule& rule, StepReport& report) {
  CrossEntropy made;
  if (Error error = forward(batch, rule, false, false, made)) return error;
  report = {made.loss, made.asked, made.right, 0};
  return {};
}

Error Trainer::trace(const TrainBatch& batch, const TrainerRule& rule, StepReport& report, TracedPass& pass) {
  if (batch.texts != 1 && model_ != nullptr) return error(Rule::train_batch, {model_->shape.context, model_->shape.slots});
  StepReport measured;
  if (Error error = measure(batch, rule, measured)) return error;
  const std::span<const float> made = logits();
  pass.logits.values.assign(made.begin(), made.end());
  CrossEntropy again;
  if (Error error = forward(batch, rule, false, true, again)) return error;
  model_->backward(batch, rule, &pass);
  const double norm = std::sqrt(squared_norm(model_->gradients.floats()));
  report = {again.loss, again.asked, again.right, static_cast<float>(norm)};
  return std::isfinite(norm) ? Error{} : error(Rule::train_diverged, {model_->steps});
}

std::span<const float> Trainer::logits() const {
  if (model_ == nullptr || model_->pass->activations.layers.empty()) return {};
  return {model_->pass->activations.logits, model_->pass->activations.rows() * model_->outputs()};
}

const TrainerShape& Trainer::shape() const {
  static const TrainerShape kNone{};
  return model_ == nullptr ? kNone : model_->shape;
}
std::uint32_t Trainer::steps() const { return model_ == nullptr ? 0 : model_->steps; }
std::size_t Trainer::parameter_count() const { return model_ == nullptr ? 0 : model_->count; }
std::span<const TrainedArray> Trainer::arrays() const {
  if (model_ == nullptr) return {};
  return model_->arrays;
}

Decoder Trainer::view(std::size_t slot) const {
  Decoder d;
  if (model_ == nullptr) return d;
  Model& m = *model_;
  d.embeddings = m.weight(m.parameters.embeddings);
  d.vocabulary = m.shape.vocabulary;
  d.d_model = m.D();
  if (m.shape.positions == PositionKind::added) {
    d.positions = {m.weight(m.parameters.positions), m.parameters.positions.count()};
  }
  d.blocks = m.blocks;
  d.final_norm = {m.weight(m.parameters.final_gain), m.weight(m.parameters.final_bias), m.D()};
  if (!m.shape.tied) d.output = slice(m.output_linear(), slot, m.shape.slots);
  return d;
}

Trainer::Weights Trainer::attention(std::size_t layer) const {
  if (model_ == nullptr || layer >= model_->pass->activations.layers.size()) return {};
  const Activations& a = model_->pass->activations;
  return {a.layers[layer].weights, a.texts, model_->shape.heads, a.length, a.stride};
}

Error Trainer::save(Buffer& saved) const {
  if (model_ == nullptr) return error(Rule::train_not_started);
  const Model& m = *model_;
  if (!saved.resize(kWords + 3 * m.count)) return error(Rule::train_memory, {m.count, 0});
  const HeadWords words = words_of(m.shape, m.steps, m.power_1, m.power_2);
  float* const to = saved.floats().data();
  std::memcpy(to, words.data(), sizeof(words));
  std::memcpy(to + kWords, m.weights.floats().data(), m.count * sizeof(float));
  std::memcpy(to + kWords + m.count, m.moments.floats().data(), 2 * m.count * sizeof(float));
  return {};
}

Error Trainer::restore(std::span<const float> saved) {
  if (model_ == nullptr) return error(Rule::train_not_started);
  Model& m = *model_;
  if (saved.size() != kWords + 3 * m.count) return error(Rule::train_state);
  HeadWords words;
  std::memcpy(words.data(), saved.data(), sizeof(words));
  const auto power = [&](std::size_t i) { return std::bit_cast<double>(std::array{words[i], words[i + 1]}); };
  if (words != words_of(m.shape, words[1], power(2), power(4))) return error(Rule::train_state);
  m.next = StepPart::forward;
  m.steps = words[1];
  m.power_1 = power(2);
  m.power_2 = power(4);
  const float* const from = saved.data() + kWords;
  std::memcpy(m.weights.floats().data(), from, m.count * sizeof(float));
  std::memcpy(m.moments.floats().data(), from + m.count, 2 * m.count * sizeof(float));
  return {};
}

std::uint64_t weights_hash(const Trainer& trainer) {
  std::uint64_t h = 0xCBF29CE484222325;
  for (const TrainedArray& array : trainer.arrays()) {
    const auto bytes = std::as_bytes(array.weights);
    for (const std::byte byte : bytes) h = (h ^ static_cast<std::uint64_t>(byte)) * 0x100000001B3;
  }
  return h;
}

}  // namespace attention
