// The parameters of a trained model: their layout, their initial values and the decoder's view of them.
#include "train/model.h"

#include <algorithm>
#include <cmath>

#include "attention/generator.h"
#include "attention/positions.h"
#include "checks.h"
#include "train/gradient_kernels.h"

namespace attention {

namespace {

// How an array begins: all numbers `value`, or normal ones of that deviation.
struct First {
  float value = 0, deviation = 0;
};

class Places {
 public:
  Places(std::vector<TrainedArray>& arrays, std::vector<First>& firsts) : arrays_(arrays), firsts_(firsts) {}

  Parameter take(std::string_view name, std::uint64_t rows, std::uint64_t columns, bool decays, First first) {
    const Parameter made{static_cast<std::size_t>(count_), static_cast<std::size_t>(rows),
                         static_cast<std::size_t>(columns)};
    if (rows == 0 || columns == 0) return {made.at, 0, 0};
    count_ = sum({count_, product({rows, columns})});
    arrays_.push_back({std::string(name), made.rows, made.columns, {}, {}, decays});
    firsts_.push_back(first);
    return made;
  }
  std::uint64_t count() const { return count_; }

 private:
  std::uint64_t count_ = 0;
  std::vector<TrainedArray>& arrays_;
  std::vector<First>& firsts_;
};

float one_over_root(std::uint64_t inputs) { return 1 / std::sqrt(static_cast<float>(inputs)); }

ModelParameters lay_out(const TrainerShape& s, Places& places) {
  constexpr First kOnes{.value = 1}, kZeros{};
  const std::uint64_t D = s.d_model, keys = std::uint64_t{s.heads} * s.d_k;
  const float matrix = one_over_root(D);
  const bool are_added = s.positions == PositionKind::added;
  ModelParameters p;
  p.embeddings = places.take("embeddings", s.vocabulary, D, false, {.deviation = 0.5f});
  p.positions = places.take("positions", s.positions == PositionKind::none ? 0 : s.context, D, false,
                            {.deviation = are_added ? 0.5f : 1.0f});
  for (std::uint32_t i = 0; i < s.layers; ++i) {
    // One function, not one at each place that calls it.
    const auto take = [&](const char* name, std::uint64_t rows, std::uint64_t columns, bool decays, First first)
                          __attribute__((noinline)) {
      return places.take("block_" + std::to_string(i) + "." + name, rows, columns, decays, first);
    };
    LayerParameters l;
    l.norm_1_gain = take("norm_1.gain", 1, D, false, kOnes);
    l.norm_1_bias = take("norm_1.bias", 1, D, false, kZeros);
    l.query = take("query", D, keys, true, {.deviation = matrix * s.query_key_gain});
    l.key = take("key", D, keys, true, {.deviation = matrix * s.query_key_gain});
    l.value = take("value", D, D, true, {.deviation = matrix});
    l.out_proj = take("out_proj", D, D, true, {.deviation = matrix});
    if (s.hidden > 0) {
      l.norm_2_gain = take("norm_2.gain", 1, D, false, kOnes);
      l.norm_2_bias = take("norm_2.bias", 1, D, false, kZeros);
      l.up = take("up", D, s.hidden, true, {.deviation = matrix});
      l.down = take("down", s.hidden, D, true, {.deviation = one_over_root(s.hidden)});
    }
    p.layers.push_back(l);
  }
  p.final_gain = places.take("final_norm.gain", 1, D, false, kOnes);
  p.final_bias = places.take("final_norm.bias", 1, D, false, kZeros);
  p.output =
      places.take("output", s.tied ? 0 : D, std::uint64_t{s.slots} * s.vocabulary, true, {.deviation = 0.3f * matrix});
  return p;
}

// Sinusoids: position t has sin and cos of t · base^(-2i / columns) by turns.
void draw_sinusoids(const TrainedArray& array, float base, float* to) {
  constexpr float kAmplitude = 0.7f;
  const std::size_t half = (array.columns + 1) / 2;
  std::vector<float> cosines(array.rows * half), sines(array.rows * half);
  // An odd width leaves a cosine out; its base is that of the next even one.
  if (fill_rotary(cosines, sines, array.rows, 2 * half, static_cast<double>(base))) return;
  for (std::size_t t = 0; t < array.rows; ++t) {
    for (std::size_t c = 0; c < array.columns; ++c, ++to) {
      *to = kAmplitude * (c % 2 == 0 ? sines : cosines)[t * half + c / 2];
    }
  }
}

void draw(const TrainedArray& array, First first, std::uint32_t seed, float* to) {
  if (first.deviation == 0) {
    std::fill_n(to, array.rows * array.columns, first.value);
    return;
  }
  const std::uint64_t salt = token_hash(array.name);
  for (std::size_t r = 0; r < array.rows; ++r, to += array.columns) {
    fill_normal({to, array.columns}, seed, Drawn::trained, static_cast<std::uint32_t>(r), salt);
    kernels::scale(to, to, first.deviation, array.columns);
  }
}

Error check(const TrainerShape& s) {
  const struct {
    std::string_view name;
    std::uint32_t value, least;
  } sizes[] = {{"vocabulary", s.vocabulary, 1}, {"context", s.context, 1}, {"slots", s.slots, 1},
               {"d_model", s.d_model, 1},       {"heads", s.heads, 1},     {"d_k", s.d_k, 1},
               {"layers", s.layers, 1},         {"hidden", s.hidden, 0}};
  for (const auto& [name, value, least] : sizes) {
    if (value < least || value > kMostTrained) return error(Rule::train_size, name, {least, kMostTrained});
  }
  if (s.d_model % s.heads != 0) return error(Rule::train_heads, {s.d_model});
  if (s.positions > PositionKind::in_queries_and_keys) return error(Rule::train_size, "positions", {0, 2});
  if (s.position_base != 0 && !(std::isfinite(s.position_base) && s.position_base >= 1)) {
    return error(Rule::train_rule, "position_base");
  }
  if (s.tied && s.slots != 1) return error(Rule::train_size, "slots, tied,", {1, 1});
  if (!std::isfinite(s.query_key_gain) || s.query_key_gain < 0) return error(Rule::train_rule, "query_key_gain");
  return {};
}

}  // namespace

Error Trainer::Model::start(const TrainerShape& wanted, std::uint32_t seed) {
  shape = wanted;
  if (shape.d_k == 0 && shape.heads != 0) shape.d_k = std::max(1u, shape.d_model / shape.heads);
  if (Error error = check(shape)) return error;
  std::vector<First> firsts;
  Places places(arrays, firsts);
  parameters = lay_out(shape, places);
  const std::uint64_t P = places.count();
  if (product({P, 3}) > kMaxFloats || !weights.resize(static_cast<std::size_t>(P)) ||
      !gradients.resize(static_cast<std::size_t>(P)) || !moments.resize(static_cast<std::size_t>(2 * P))) {
    return error(Rule::train_memory, {P, 0});
  }
  count = static_cast<std::size_t>(P);
  std::ranges::fill(gradients.floats(), 0.0f);
  std::ranges::fill(moments.floats(), 0.0f);
  std::size_t at = 0;
  for (std::size_t i = 0; i < arrays.size(); ++i) {
    TrainedArray& array = arrays[i];
    const std::size_t numbers = array.rows * array.columns;
    float* const to = weights.floats().data() + at;
    if (shape.position_base != 0 && array.name == "positions") {
      draw_sinusoids(array, shape.position_base, to);
    } else {
      draw(array, firsts[i], seed, to);
    }
    array.weights = weights.floats().subspan(at, numbers);
    array.gradients = gradients.floats().subspan(at, numbers);
    at += numbers;
  }

  for (const LayerParameters& l : parameters.layers) {
    Block block;
    block.norm_1 = {weight(l.norm_1_gain), weight(l.norm_1_bias), D()};
    block.attention.query = linear(l.query);
    block.attention.key = linear(l.key);
    block.attention.value = linear(l.value);
    block.attention.out_proj = linear(l.out_proj);
    block.attention.heads = block.attention.key_heads = shape.heads;
    if (shape.hidden > 0) {
      block.norm_2 = {weight(l.norm_2_gain), weight(l.norm_2_bias), D()};
      block.up = linear(l.up);
      block.down = linear(l.down);
    }
    if (shape.positions == PositionKind::in_queries_and_keys) {
      block.query_key_positions = {weight(parameters.positions), parameters.positions.count()};
    }
    blocks.push_back(block);
  }
  return {};
}

Linear Trainer::Model::output_linear() {
  if (!shape.tied) return linear(parameters.output);
  return {weight(parameters.embeddings), nullptr, D(), shape.vocabulary, Layout::out_in};
}

Error Trainer::Model::reserve(bool is_step, std::size_t texts, std::size_t length) {
  next = StepPart::forward;
  pass = &passes[is_step ? 0 : 1];
  Activations& a = pass->activations;
  Buffer& memory = pass->memory;
  if (a.texts == texts && a.length == length) return {};
  const std::uint64_t N = product({texts, length}), rows = product({N, D()}), keys = product({N, queries_width()});
  const std::uint64_t stride = kernels::tiles_of(length) * kernels::kTileRows + kernels::kTileCols;
  const std::uint64_t cells = product({texts, shape.heads, length, stride}), hidden = product({N, shape.hidden});
  const std::uint64_t statistics = product({N, sizeof(kernels::NormStatistics) / sizeof(float)});
  const bool has_mlp = shape.hidden > 0, is_placed = shape.positions == PositionKind::in_queries_and_keys;

  float* first = nullptr;  // where the next piece lies; at first its distance from the beginning alone
  std::uint64_t needed = 0;
  const auto take = [&](auto*& piece, std::uint64_t floats) {
    using Piece = std::remove_reference_t<decltype(*piece)>;
    piece = first == nullptr ? nullptr : reinterpret_cast<Piece*>(first + needed);
    needed = sum({needed, floats});
  };
  const auto part = [&](Activations& to) {
    needed = 0;
    to.layers.resize(shape.layers);
    for (LayerActivations& l : to.layers) {
      take(l.x, rows);
      take(l.normed, rows);
      l.placed = l.normed;
      if (is_placed) take(l.placed, rows);
      take(l.norm_1, statistics);
      take(l.query, keys);
      take(l.key, keys);
      take(l.value, rows);
      take(l.weights, cells);
      take(l.context, rows);
      take(l.between, has_mlp ? rows : 0);
      take(l.normed_2, has_mlp ? rows : 0);
      take(l.norm_2, has_mlp ? statistics : 0);
      take(l.slope, hidden);
      take(l.hidden, hidden);
    }
    for (float** const piece : {&to.x, &to.normed, &to.dx, &to.dnormed, &to.dvalue, &to.dcontext}) take(*piece, rows);
    take(to.final_norm, statistics);
    take(to.logits, product({N, outputs()}));
    take(to.dquery, keys);
    take(to.dkey, keys);
    take(to.dhidden, hidden);
    take(to.dweights, product({length, stride}));
  };
  Activations parted;
  part(parted);
  const Error no_memory = error(Rule::train_memory, {count, N});
  if (needed > kMaxFloats) return no_memory;
  a = {};  // what it pointed to goes
  if (!memory.resize(static_cast<std::size_t>(needed))) return no_memory;
  first = memory.floats().data();
  std::ranges::fill(memory.floats(), 0.0f);  // so that memory that no pass writes holds finite numbers
  part(parted);
  parted.texts = texts;
  parted.length = length;
  parted.stride = static_cast<std::size_t>(stride);
  a = std::move(parted);
  return {};
}

}  // namespace attention
