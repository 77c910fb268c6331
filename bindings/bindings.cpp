// The module's surface: each function translates, calls the core once, and translates back.
#include <emscripten/bind.h>

#include <array>

#include "attention/architecture.h"
#include "attention/measures.h"
#include "attention/session.h"
#include "attention/stages.h"
#include "convert.h"
#include "request.h"

namespace {

using namespace attention;
using emscripten::val;

val names(std::span<const Axis> axes) {
  val list = val::array();
  for (const Axis axis : axes) {
    if (axis != Axis::none) js::push(list, val(std::string(name(axis))));
  }
  return list;
}

val describe(const ParameterArray& array) {
  val object = val::object();
  js::put(object, "id", array.id);
  js::put(object, "axes", names(array.axes));
  return object;
}

val describe(const Stage& stage) {
  val object = val::object();
  js::put(object, "id", stage.id);
  js::put(object, "label", stage.label);
  js::put(object, "symbol", stage.symbol);
  js::put(object, "formula", stage.formula);
  js::put(object, "axes", names(stage.axes));
  return object;
}

val describe(const Limits& limits) {
  val object = val::object();
  js::put(object, {{"max_tokens", static_cast<double>(limits.max_tokens)},
                   {"max_d_model", static_cast<double>(limits.max_d_model)},
                   {"max_width", static_cast<double>(limits.max_width)},
                   {"max_trace_bytes", static_cast<double>(limits.max_trace_bytes)},
                   {"max_abs_scale_factor", limits.max_abs_scale_factor},
                   {"min_softcap", limits.min_softcap},
                   {"max_softcap", limits.max_softcap},
                   {"min_temperature", limits.min_temperature},
                   {"max_temperature", limits.max_temperature},
                   {"max_dropout", limits.max_dropout},
                   {"max_seed", static_cast<double>(UINT32_MAX)}});
  return object;
}

SchemaValue schema() {
  val all = val::array();
  for (const Stage& stage : stages()) js::push(all, describe(stage));
  val object = val::object();
  val arrays = val::array();
  for (const ParameterArray& array : parameter_arrays()) js::push(arrays, describe(array));
  js::put(object, "stages", all);
  js::put(object, "parameters", arrays);
  js::put(object, "masks", js::strings(masks()));
  js::put(object, "scales", js::strings(scales()));
  js::put(object, "positions", js::strings(positions()));
  js::put(object, "ties", js::strings(ties()));
  js::put(object, "limits", describe(kLimits));
  js::put(object, "arch", std::string(simd_architecture()));
  return SchemaValue(object);
}

ClampedValue clamp_settings(const WantedSettings& w) {
  const ClampedSettings clamped = clamp(w);
  val object = val::object();
  js::put(object, "settings", val(wanted(clamped.settings)));
  js::put(object, "notices", js::strings(clamped.notices));
  return ClampedValue(object);
}

ErrorValue run(Session& session, RequestValue request, const WantedSettings& w) {
  Settings settings;
  if (const Error error = exact(w, settings)) return js::error(error);
  return js::error(session.run(js::request(request), settings));
}

ShapeValue shape(const Session& session) {
  const Shape& s = session.trace().shape;
  const auto count = [](std::size_t n) { return static_cast<double>(n); };
  val object = val::object();
  js::put(object, {{"T", count(s.T)}, {"S", count(s.S)}, {"D", count(s.D)}, {"H", count(s.H)},
                   {"H_kv", count(s.H_kv)}, {"d_k", count(s.d_k)}, {"d_v", count(s.d_v)}, {"r", count(s.r)}});
  return ShapeValue(object);
}

// Of a stage or parameter of the last run; empty for what it does not have.
NumberArray extents(const Session& session, const std::string& id) {
  const Shape& shape = session.trace().shape;
  val list = val::array();
  const auto push = [&](std::span<const Axis> axes) {
    for (const Axis axis : axes) {
      if (axis != Axis::none) js::push(list, val(extent(axis, shape)));
    }
  };
  if (const Stage* stage = find_stage(id)) {
    if (is_present(*stage, session.settings(), session.request().is_cross())) push(stage->axes);
  } else if (const ParameterArray* array = find_parameter(id)) {
    if (is_present(*array, session.settings())) push(array->axes);
  }
  return NumberArray(list);
}

float factor(const Session& session) { return session.trace().factor; }

// Empty for an id that names no buffer.
Float32Array stage(const Session& session, const std::string& id) {
  const Stage* found = find_stage(id);
  if (found == nullptr || found->buffer == nullptr) return js::copy({});
  return js::copy(session.trace().*found->buffer);
}

// The part of one head, for stages that begin with H or H_kv; empty where there is none.
Float32Array head(const Session& session, const std::string& id, int head) {
  const Stage* found = find_stage(id);
  if (found == nullptr || found->buffer == nullptr) return js::copy({});
  const bool is_split = found->axes[0] == Axis::H || found->axes[0] == Axis::H_kv;
  const std::size_t heads = is_split ? extent(found->axes[0], session.trace().shape) : 0;
  if (head < 0 || static_cast<std::size_t>(head) >= heads) return js::copy({});
  const std::span<const float> all = session.trace().*found->buffer;
  return js::copy(all.subspan(all.size() / heads * static_cast<std::size_t>(head), all.size() / heads));
}

Float32Array parameter(const Session& session, const std::string& id) {
  const ParameterArray* found = find_parameter(id);
  return js::copy(found == nullptr ? std::vector<float>{} : session.parameter(*found));
}

// Flat, so that thousands of terms cross at once: `arrays` names each side of each kind of term, and
// term i is numbers[4i …] = left, right, product, partial sum, at places[3i + 1], places[3i + 2] of
// arrays[2 · places[3i]] and arrays[2 · places[3i] + 1].
ExplanationValue explain(const Session& session, const std::string& id, double index) {
  Explanation e;
  const bool is_index = index >= 0 && index < 0x1p32;
  const Error error = session.explain(id, is_index ? static_cast<std::size_t>(index) : SIZE_MAX, e);
  val object = val::object();
  js::put(object, "error", js::error(error));
  if (error) return ExplanationValue(object);

  std::vector<std::string_view> arrays;
  std::vector<int> places;
  std::vector<float> numbers;
  for (const Term& term : e.terms) {
    const std::size_t last = arrays.size();
    if (last == 0 || arrays[last - 2] != term.left.array || arrays[last - 1] != term.right.array) {
      arrays.insert(arrays.end(), {term.left.array, term.right.array});
    }
    places.insert(places.end(), {static_cast<int>(arrays.size() / 2 - 1), static_cast<int>(term.left.index),
                                 static_cast<int>(term.right.index)});
    numbers.insert(numbers.end(), {term.left.value, term.right.value, term.product, term.partial_sum});
  }
  val constants = val::object();
  for (const auto& [key, value] : e.constants) js::put(constants, key, value);
  val bias = val::object();
  js::put(bias, "array", e.bias.array);
  js::put(bias, {{"index", static_cast<double>(e.bias.index)}, {"value", e.bias.value}});
  js::put(object, "rule", e.rule);
  js::put(object, "arrays", js::strings(arrays));
  js::put(object, "places", js::copy_whole(places));
  js::put(object, "numbers", js::copy(numbers));
  js::put(object, "bias", bias);
  js::put(object, "constants", constants);
  js::put(object, "result", e.result);
  return ExplanationValue(object);
}

CellValue cell(const Session& session, int head, int query, int key) {
  CellArithmetic c;
  const Error error = session.cell(head, query, key, c);
  val object = val::object();
  js::put(object, "error", js::error(error));
  if (error) return CellValue(object);
  js::put(object, "query_row", js::copy(c.query_row));
  js::put(object, "key_row", js::copy(c.key_row));
  js::put(object, "products", js::copy(c.products));
  js::put(object, "partial_sums", js::copy(c.partial_sums));
  js::put(object, "exps", js::copy(c.exps));
  js::put(object, "allowed", val(c.allowed));
  js::put(object, {{"score", c.score}, {"factor", c.factor}, {"scaled_score", c.scaled_score},
                   {"masked_score", c.masked_score}, {"row_max", c.row_max}, {"exp_sum", c.exp_sum},
                   {"weight", c.weight}});
  return CellValue(object);
}

// Empty for a head or query outside the last run.
Float32Array weighted_values(const Session& session, int head, int query) {
  std::vector<float> values;
  if (session.weighted_values(head, query, values)) return js::copy({});
  return js::copy(values);
}

// Empty for a head or query outside the last run.
Float32Array summed(const Session& session, int head, NumberArray queries) {
  std::vector<float> sums;
  const std::vector<int> rows = emscripten::convertJSArrayToNumberVector<int>(queries);
  if (session.summed_weights(head, rows, sums)) return js::copy({});
  return js::copy(sums);
}

// Empty for a head outside the last run.
MeasuresValue measures(const Session& session, int head) {
  RowMeasures rows;
  if (session.measure_rows(head, rows)) rows = {};
  val object = val::object();
  js::put(object, "entropy", js::copy(rows.entropy));
  js::put(object, "largest", js::copy(rows.largest));
  js::put(object, "largestKey", js::copy_whole(rows.largest_key));
  return MeasuresValue(object);
}

// Both as long as the shorter one.
Float32Array subtract_arrays(Float32Array a, Float32Array b) {
  std::vector<float> x = js::floats(a), y = js::floats(b);
  x.resize(std::min(x.size(), y.size()));
  subtract(x, y, x);
  return js::copy(x);
}

ComparisonValue compare_arrays(Float32Array a, Float32Array b) {
  std::vector<float> x = js::floats(a), y = js::floats(b);
  x.resize(std::min(x.size(), y.size()));
  const Comparison c = compare(x, y);
  val object = val::object();
  js::put(object, {{"dot", c.dot}, {"norm_a", c.norm_a}, {"norm_b", c.norm_b}, {"cosine", c.cosine}});
  return ComparisonValue(object);
}

}  // namespace

EMSCRIPTEN_BINDINGS(attention) {
  using namespace emscripten;

  register_type<Float32Array>("Float32Array");
  register_type<StringArray>("readonly string[]");
  register_type<Int32Array>("Int32Array");
  register_type<NumberArray>("readonly number[]");
  register_type<RequestValue>("object");      // engine.ts types these two,
  register_type<ExplanationValue>("object");  // so that every reader need not load their words
  register_type<MeasuresValue>(
      "{ entropy: Float32Array; largest: Float32Array; largestKey: Int32Array }");
  register_type<ComparisonValue>(
      "{ dot: number; norm_a: number; norm_b: number; cosine: number }");
  register_type<ErrorValue>("{ code: string; message: string }");
  register_type<SchemaValue>(
      "{ stages: { id: string; label: string; symbol: string; formula: string; axes: string[] }[]; "
      "parameters: { id: string; axes: string[] }[]; "
      "masks: string[]; scales: string[]; positions: string[]; ties: string[]; arch: string; "
      "limits: { max_tokens: number; max_d_model: number; max_trace_bytes: number; "
      "max_abs_scale_factor: number; max_width: number; min_softcap: number; max_softcap: number; "
      "min_temperature: number; max_temperature: number; max_dropout: number; max_seed: number } }");
  register_type<ClampedValue>("{ settings: WantedSettings; notices: string[] }");
  register_type<ShapeValue>(
      "{ T: number; S: number; D: number; H: number; H_kv: number; d_k: number; d_v: number; "
      "r: number }");
  register_type<CellValue>(
      "{ error: { code: string; message: string }; query_row: Float32Array; "
      "key_row: Float32Array; products: Float32Array; partial_sums: Float32Array; score: number; "
      "factor: number; scaled_score: number; allowed: boolean; masked_score: number; "
      "row_max: number; exps: Float32Array; exp_sum: number; weight: number }");

  value_object<WantedSettings>("WantedSettings")
      .field("d_model", &WantedSettings::d_model)
      .field("num_heads", &WantedSettings::num_heads)
      .field("num_kv_heads", &WantedSettings::num_kv_heads)
      .field("d_k", &WantedSettings::d_k)
      .field("d_v", &WantedSettings::d_v)
      .field("mask", &WantedSettings::mask)
      .field("window_left", &WantedSettings::window_left)
      .field("window_right", &WantedSettings::window_right)
      .field("scale", &WantedSettings::scale)
      .field("scale_factor", &WantedSettings::scale_factor)
      .field("softcap", &WantedSettings::softcap)
      .field("temperature", &WantedSettings::temperature)
      .field("positions", &WantedSettings::positions)
      .field("tie", &WantedSettings::tie)
      .field("value_rank", &WantedSettings::value_rank)
      .field("biases", &WantedSettings::biases)
      .field("dropout", &WantedSettings::dropout)
      .field("dropout_seed", &WantedSettings::dropout_seed)
      .field("out_proj", &WantedSettings::out_proj)
      .field("residual", &WantedSettings::residual)
      .field("seed", &WantedSettings::seed);

  function("schema()", &schema);
  function("clamp(wanted)", &clamp_settings);
  function("subtract(a, b)", &subtract_arrays);
  function("compare(a, b)", &compare_arrays);

  class_<Session>("Session")
      .constructor<>()
      .function("run(request, settings)", &run)
      .function("shape()", &shape)
      .function("factor()", &factor)
      .function("extents(id)", &extents)
      .function("stage(id)", &stage)
      .function("head(id, head)", &head)
      .function("parameter(id)", &parameter)
      .function("explain(id, index)", &explain)
      .function("summed(head, queries)", &summed)
      .function("measures(head)", &measures)
      .function("cell(head, query, key)", &cell)
      .function("weightedValues(head, query)", &weighted_values);
}
