// The operators' other functions: positions, norms, GELU and whole decoders.
#include <emscripten/bind.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "attention/block.h"
#include "attention/ops.h"
#include "attention/positions.h"
#include "attention/sample.h"
#include "held_decoder.h"
#include "values.h"

namespace {

using namespace attention;
using attention::js::FloatTensor;
using attention::js::HeldBlock;
using emscripten::val;
using attention::js::HeldDecoder;
using attention::js::HeldInterventions;
using attention::js::WantedAttendOptions;
using attention::js::Tensor;
using attention::js::result;
using attention::js::tensor_or_null;

MaybeError same_shape(const Tensor<float>& x, const Tensor<float>& y) {
  if (x.shape() == y.shape()) return result({});
  return result(error(Rule::js_result));
}

Error rows_of(const Tensor<float>& tensor, Rows& rows) {
  const auto [one, batch, count, width] = tensor.extents();
  if (one != 1) return error(Rule::js_rows, "x");
  rows = {tensor.numbers().data(), batch, count, width};
  return {};
}

MaybeError layer_norm(const Tensor<float>& x, const FloatTensor& gain, const MaybeFloats& bias, float epsilon,
                      bool is_rms, Tensor<float>& y) {
  js::HeldNorm held;
  if (const Error error = held.set(gain, tensor_or_null(bias), epsilon, is_rms)) return result(error);
  const std::size_t width = x.extents()[3];
  if (held.norm().width != width) {
    return result(error(Rule::js_norm_width));
  }
  MaybeError shapes = same_shape(x, y);
  if (!shapes.isNull()) return shapes;
  apply(held.norm(), x.numbers().data(), x.numbers().size() / width, y.numbers().data());
  return shapes;
}

MaybeError gelu(const Tensor<float>& x, bool is_erf, Tensor<float>& y) {
  MaybeError shapes = same_shape(x, y);
  if (shapes.isNull()) apply(is_erf ? Gelu::erf : Gelu::tanh, x.numbers().data(), x.numbers().size(), y.numbers().data());
  return shapes;
}

MaybeError softmax_rows(const Tensor<float>& x, Tensor<float>& y) {
  MaybeError shapes = same_shape(x, y);
  const std::size_t width = x.extents()[3];
  if (shapes.isNull()) softmax(x.numbers().data(), x.numbers().size() / width, width, y.numbers().data());
  return shapes;
}

bool is_word(double number) { return number >= 0 && number <= UINT32_MAX && number == std::floor(number); }

MaybeError sample_row(const Tensor<float>& logits, float temperature, double top_k, float top_p, Tensor<float>& shares) {
  if (!is_word(top_k)) return result(error(Rule::js_seed, "topK"));
  MaybeError shapes = same_shape(logits, shares);
  if (!shapes.isNull()) return shapes;
  return result(sample_shares(logits.numbers(), {temperature, static_cast<std::size_t>(top_k), top_p}, shares.numbers()));
}

double draw_of(const Tensor<float>& shares, std::uint32_t seed, std::uint32_t place) {
  return static_cast<double>(draw_token(shares.numbers(), seed, place));
}

void sinusoids(Tensor<float>& table) {
  const std::size_t width = table.extents()[3];
  fill_sinusoids(table.numbers().data(), table.numbers().size() / width, width);
}

MaybeError rotary_tables(double base, double factor, double original_context, double low_turns, double high_turns,
                         bool by_pairs, bool whole_pairs, double amplitude, Tensor<float>& cosines, Tensor<float>& sines) {
  if (const Error error = js::check_tables(cosines, sines)) return result(error);
  return result(
      fill_rotary(cosines.numbers(), sines.numbers(), cosines.shape()[0], 2 * cosines.shape()[1], base,
                  {factor, original_context, low_turns, high_turns, by_pairs, whole_pairs, amplitude}));
}

MaybeError rotate_heads(const Tensor<float>& x, const Tensor<float>& cosines, const Tensor<float>& sines,
                        const NumberList& positions, bool is_interleaved, Tensor<float>& y) {
  if (const Error error = js::check_tables(cosines, sines)) return result(error);
  std::vector<std::int64_t> places;
  if (const Error error = js::whole(positions, "positions", places)) return result(error);
  return result(rotate(x.heads(), y.heads(), cosines.numbers(), sines.numbers(), cosines.shape()[1], places,
                       is_interleaved ? RotaryPairs::interleaved : RotaryPairs::halved));
}

MaybeError add_rows(const Tensor<float>& x, const Tensor<float>& table, const NumberList& positions, Tensor<float>& y) {
  Rows rows;
  if (const Error error = rows_of(x, rows)) return result(error);
  std::vector<std::int64_t> places;
  if (const Error error = js::whole(positions, "positions", places)) return result(error);
  MaybeError shapes = same_shape(x, y);
  if (!shapes.isNull()) return shapes;
  return result(add_positions(rows, table.numbers(), places, 0, y.numbers().data()));
}

// --- blocks and decoders ---------------------------------------------------------------------------
MaybeError set_norm(HeldBlock& block, const std::string& name, const FloatTensor& gain, const MaybeFloats& bias,
                    float epsilon, bool is_rms) {
  return result(block.set_norm(name, gain, tensor_or_null(bias), epsilon, is_rms));
}
MaybeError set_linear(HeldBlock& block, const std::string& name, const AnyTensor& weight, const MaybeFloats& bias,
                      bool is_out_in, int part, int parts) {
  return result(block.set(name, js::weight_of(weight), tensor_or_null(bias), is_out_in, part, parts));
}
MaybeError set_heads(HeldBlock& block, double heads, double key_heads) {
  return result(block.attention().set_heads(heads, key_heads));
}
MaybeError set_rotary(HeldBlock& block, const FloatTensor& cosines, const FloatTensor& sines, bool is_interleaved) {
  return result(block.attention().set_rotary(cosines, sines,
                                             is_interleaved ? RotaryPairs::interleaved : RotaryPairs::halved));
}
void set_head_norm(HeldBlock& block, bool is_key, const FloatTensor& gain, float epsilon) {
  block.attention().set_head_norm(is_key, gain, epsilon);
}
void set_erf(HeldBlock& block, bool is_erf) { block.set_gelu(is_erf ? Gelu::erf : Gelu::tanh); }
void set_shape(HeldBlock& block, bool is_parallel, bool is_post_norm, bool is_causal) {
  block.set_shape(is_parallel, is_post_norm, is_causal);
}
void set_slopes(HeldBlock& block, const NumberList& slopes) { block.set_slopes(js::floats(slopes)); }
void set_query_key_positions(HeldBlock& block, const FloatTensor& rows) { block.set_query_key_positions(rows); }

MaybeError set_embeddings(HeldDecoder& decoder, const AnyTensor& rows) {
  return result(decoder.set_embeddings(js::weight_of(rows)));
}
void set_positions(HeldDecoder& decoder, const FloatTensor& rows) { decoder.set_positions(rows); }
MaybeError set_embeddings_norm(HeldDecoder& decoder, const FloatTensor& gain, const MaybeFloats& bias, float epsilon,
                               bool is_rms) {
  return result(decoder.set_embeddings_norm(gain, tensor_or_null(bias), epsilon, is_rms));
}
MaybeError set_transform(HeldDecoder& decoder, const AnyTensor& weight, const MaybeFloats& bias, bool is_out_in,
                         bool is_erf) {
  return result(decoder.set_transform(js::weight_of(weight), tensor_or_null(bias), is_out_in, is_erf ? Gelu::erf : Gelu::tanh));
}
MaybeError set_final_norm(HeldDecoder& decoder, const FloatTensor& gain, const MaybeFloats& bias, float epsilon,
                          bool is_rms) {
  return result(decoder.set_final_norm(gain, tensor_or_null(bias), epsilon, is_rms));
}
MaybeError set_output(HeldDecoder& decoder, const AnyTensor& weight, const MaybeFloats& bias, bool is_out_in) {
  return result(decoder.set_output(js::weight_of(weight), tensor_or_null(bias), is_out_in));
}
void add_block(HeldDecoder& decoder, const std::shared_ptr<HeldBlock>& block) { decoder.add(block); }

MaybeError reserve(HeldDecoder& decoder, double capacity) {
  if (!(capacity >= 1 && capacity <= js::kMaxNumbers && capacity == std::floor(capacity))) {
    return result(error(Rule::js_capacity));
  }
  return result(decoder.reserve(static_cast<std::size_t>(capacity)));
}

Error read_ids(const NumberList& tokens, std::vector<std::int32_t>& ids) {
  std::vector<std::int64_t> numbers;
  if (Error error = js::whole(tokens, "tokens", numbers)) return error;
  for (const std::int64_t number : numbers) {
    // Beyond 32 bits, so beyond any vocabulary: run() says so.
    ids.push_back(number < 0 || number > INT32_MAX ? -1 : static_cast<std::int32_t>(number));
  }
  return {};
}

MaybeError run_decoder(HeldDecoder& decoder, const NumberList& tokens, Tensor<float>& logits, const MaybeFloats& weights) {
  std::vector<std::int32_t> ids;
  if (const Error error = read_ids(tokens, ids)) return result(error);
  const FloatTensor kept = tensor_or_null(weights);
  return result(decoder.run(ids, logits, kept.get()));
}

MaybeError explore(HeldDecoder& decoder, const NumberList& tokens, const HeldInterventions* changes,
                   const MaybeFloats& embeddings, const MaybeFloats& residuals, const MaybeFloats& weights,
                   const MaybeFloats& values, const MaybeFloats& contexts, int first, int last, int after, const NumberList& places) {
  std::vector<std::int32_t> ids;
  if (const Error error = read_ids(tokens, ids)) return result(error);
  std::vector<std::int64_t> rows;
  if (const Error error = js::whole(places, "places", rows)) return result(error);
  const FloatTensor kept[] = {tensor_or_null(embeddings), tensor_or_null(residuals), tensor_or_null(weights),
                              tensor_or_null(values), tensor_or_null(contexts)};
  return result(decoder.explore(ids, changes, {kept[0].get(), kept[1].get(), kept[2].get(), kept[3].get(), kept[4].get()},
                                {static_cast<std::size_t>(first), static_cast<std::size_t>(last)}, static_cast<std::size_t>(after), rows));
}

MaybeError weigh_block(const HeldDecoder& decoder, double block, const Tensor<float>& weights, const Tensor<float>& values,
                       Tensor<float>& weighted) {
  return result(decoder.weigh(block, weights, values, weighted));
}
double part_count(const HeldDecoder& decoder) { return static_cast<double>(decoder.logit_parts()); }
MaybeError take_apart(const HeldDecoder& decoder, const Tensor<float>& embeddings, const Tensor<float>& residuals,
                      const Tensor<float>& contexts, double token, Tensor<float>& parts) {
  return result(decoder.take_apart(embeddings, residuals, contexts, token, parts));
}

// Flat, so that thousands of terms cross at once: operand i is arrays[places[2i]] at places[2i + 1], left and right of each term
// and then the bias, -1 for none; numbers[4i …] are left, right, product and partial sum of term i, and the bias behind them.
Object flat(const Error& error, const Explanation& e) {
  val object = val::object();
  js::put(object, "error", error ? val(js::error(error)) : val::null());
  if (error) return Object(object);
  std::vector<std::string_view> arrays;
  std::vector<int> places;
  std::vector<float> numbers;
  const auto put = [&](const Operand& operand) {
    const auto found = std::find(arrays.begin(), arrays.end(), operand.array);
    places.push_back(operand.array.empty() ? -1 : static_cast<int>(found - arrays.begin()));
    places.push_back(static_cast<int>(operand.index));
    if (found == arrays.end() && !operand.array.empty()) arrays.push_back(operand.array);
  };
  for (const auto& [left, right, product, partial_sum] : e.terms) {
    put(left);
    put(right);
    numbers.insert(numbers.end(), {left.value, right.value, product, partial_sum});
  }
  put(e.bias);
  numbers.push_back(e.bias.value);
  val constants = val::object();
  for (const auto& [key, value] : e.constants) js::put(constants, key, value);
  js::put(object, "rule", e.rule);
  js::put(object, "arrays", js::strings(arrays));
  js::put(object, "places", js::copy_whole(places));
  js::put(object, "numbers", js::copy(numbers));
  js::put(object, "constants", constants);
  js::put(object, "result", e.result);
  return Object(object);
}
Object explain_number(const HeldDecoder& decoder, double block, const Tensor<float>& x, const Tensor<float>& contexts,
                      const std::string& stage, double index) {
  Explanation e;
  const Error error = decoder.explain(block, x, contexts, stage, index, e);
  return flat(error, e);
}
Object explain_ends(const HeldDecoder& decoder, double token, double place, const Tensor<float>& x, const std::string& stage,
                    double index) {
  Explanation e;
  const Error error = decoder.explain_ends(token, place, x, stage, index, e);
  return flat(error, e);
}

MaybeError set_options(HeldInterventions& changes, double block, const WantedAttendOptions& wanted) {
  return result(changes.set_options(block, wanted));
}
MaybeError set_gains(HeldInterventions& changes, double block, const NumberList& gains) {
  return result(changes.set_gains(block, js::floats(gains)));
}
MaybeError add_patch(HeldInterventions& changes, double block, double head, const FloatTensor& weights) {
  return result(changes.add_patch(block, head, weights));
}

double length(const HeldDecoder& decoder) { return static_cast<double>(decoder.length()); }
void truncate(HeldDecoder& decoder, double length) {
  if (length >= 0) decoder.truncate(static_cast<std::size_t>(std::min(length, js::kMaxNumbers)));
}

}  // namespace

EMSCRIPTEN_BINDINGS(attention_decoder) {
  using namespace emscripten;

  register_type<Object>("object");
  class_<HeldBlock>("Block")
      .smart_ptr_constructor("Block", &std::make_shared<HeldBlock>)
      .function("setHeads(heads, key_heads)", &set_heads)
      .function("setNorm(name, gain, bias, epsilon, is_rms)", &set_norm)
      .function("setLinear(name, weight, bias, is_out_in, part, parts)", &set_linear)
      .function("setRotary(cosines, sines, is_interleaved)", &set_rotary)
      .function("setHeadNorm(is_key, gain, epsilon)", &set_head_norm)
      .function("setErf(is_erf)", &set_erf)
      .function("setShape(is_parallel, is_post_norm, is_causal)", &set_shape)
      .function("setSlopes(slopes)", &set_slopes)
      .function("setQueryKeyPositions(rows)", &set_query_key_positions);
  class_<HeldInterventions>("Interventions")
      .constructor<int>()
      .function("setOptions(block, options)", &set_options)
      .function("setGains(block, gains)", &set_gains)
      .function("addPatch(block, head, weights)", &add_patch);
  class_<HeldDecoder>("Decoder")
      .constructor<>()
      .function("setEmbeddings(rows)", &set_embeddings)
      .function("setPositions(rows)", &set_positions)
      .function("setEmbeddingsNorm(gain, bias, epsilon, is_rms)", &set_embeddings_norm)
      .function("setTransform(weight, bias, is_out_in, is_erf)", &set_transform)
      .function("setFinalNorm(gain, bias, epsilon, is_rms)", &set_final_norm)
      .function("setOutput(weight, bias, is_out_in)", &set_output)
      .function("addBlock(block)", &add_block)
      .function("reserve(capacity)", &reserve)
      .function("run(tokens, logits, weights)", &run_decoder)
      .function("explore(tokens, interventions, embeddings, residuals, weights, values, contexts, first, last, after, places)", &explore, allow_raw_pointers())
      .function("weighValues(block, weights, values, weighted)", &weigh_block)
      .function("partCount()", &part_count)
      .function("logitParts(embeddings, residuals, contexts, token, parts)", &take_apart)
      .function("explain(block, x, contexts, stage, index)", &explain_number)
      .function("explainEnds(token, place, x, stage, index)", &explain_ends)
      .function("length()", &length)
      .function("truncate(length)", &truncate);

  function("layerNorm(x, gain, bias, epsilon, is_rms, y)", &layer_norm);
  function("gelu(x, is_erf, y)", &gelu);
  function("softmax(x, y)", &softmax_rows);
  function("sampleShares(logits, temperature, top_k, top_p, shares)", &sample_row);
  function("drawToken(shares, seed, place)", &draw_of);
  function("sinusoids(table)", &sinusoids);
  function("rotaryTables(base, factor, original_context, low_turns, high_turns, by_pairs, whole_pairs, amplitude, cosines, sines)", &rotary_tables);
  function("rotate(x, cosines, sines, positions, is_interleaved, y)", &rotate_heads);
  function("addPositions(x, table, positions, y)", &add_rows);
}
