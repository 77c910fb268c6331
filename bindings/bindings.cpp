// The module's surface: each function translates, calls the core once, and translates back.
#include <emscripten/bind.h>

#include <array>

#include "attention/architecture.h"
#include "attention/session.h"
#include "attention/stages.h"
#include "convert.h"

namespace {

using namespace attention;
using emscripten::val;

val describe(const Stage& stage) {
  val axes = val::array();
  for (const Axis axis : stage.axes) {
    if (axis != Axis::none) axes.call<void>("push", std::string(name(axis)));
  }
  val object = val::object();
  object.set("id", std::string(stage.id));
  object.set("label", std::string(stage.label));
  object.set("symbol", std::string(stage.symbol));
  object.set("formula", std::string(stage.formula));
  object.set("axes", axes);
  return object;
}

val describe(const Limits& limits) {
  val object = val::object();
  object.set("max_tokens", limits.max_tokens);
  object.set("max_d_model", limits.max_d_model);
  object.set("max_trace_bytes", static_cast<double>(limits.max_trace_bytes));
  object.set("max_abs_scale_factor", limits.max_abs_scale_factor);
  object.set("max_width", limits.max_width);
  object.set("min_softcap", limits.min_softcap);
  object.set("max_softcap", limits.max_softcap);
  object.set("min_temperature", limits.min_temperature);
  object.set("max_temperature", limits.max_temperature);
  object.set("max_dropout", limits.max_dropout);
  object.set("max_seed", static_cast<double>(UINT32_MAX));
  return object;
}

SchemaValue schema() {
  val all = val::array();
  for (const Stage& stage : stages()) all.call<void>("push", describe(stage));
  val object = val::object();
  object.set("stages", all);
  object.set("masks", js::strings(masks()));
  object.set("scales", js::strings(scales()));
  object.set("positions", js::strings(positions()));
  object.set("ties", js::strings(ties()));
  object.set("limits", describe(kLimits));
  object.set("arch", std::string(simd_architecture()));
  return SchemaValue(object);
}

ClampedValue clamp_settings(const WantedSettings& w) {
  const ClampedSettings clamped = clamp(w);
  val object = val::object();
  object.set("settings", wanted(clamped.settings));
  object.set("notices", js::strings(clamped.notices));
  return ClampedValue(object);
}

ErrorValue run(Session& session, StringArray tokens, const WantedSettings& w) {
  Settings settings;
  if (const Error error = exact(w, settings)) return js::error(error);
  return js::error(session.run(emscripten::vecFromJSArray<std::string>(tokens), settings));
}

ShapeValue shape(const Session& session) {
  const Shape& s = session.trace().shape;
  val object = val::object();
  object.set("T", s.T);
  object.set("S", s.S);
  object.set("D", s.D);
  object.set("H", s.H);
  object.set("d_k", s.d_k);
  object.set("d_v", s.d_v);
  return ShapeValue(object);
}

float factor(const Session& session) { return session.trace().factor; }

// Empty for an id that names no buffer.
Float32Array stage(const Session& session, const std::string& id) {
  const Stage* found = find_stage(id);
  if (found == nullptr || found->buffer == nullptr) return js::copy({});
  return js::copy(session.trace().*found->buffer);
}

CellValue cell(const Session& session, int head, int query, int key) {
  CellArithmetic c;
  const Error error = session.cell(head, query, key, c);
  val object = val::object();
  object.set("error", js::error(error));
  if (error) return CellValue(object);
  object.set("query_row", js::copy(c.query_row));
  object.set("key_row", js::copy(c.key_row));
  object.set("products", js::copy(c.products));
  object.set("partial_sums", js::copy(c.partial_sums));
  object.set("score", c.score);
  object.set("factor", c.factor);
  object.set("scaled_score", c.scaled_score);
  object.set("allowed", c.allowed);
  object.set("masked_score", c.masked_score);
  object.set("row_max", c.row_max);
  object.set("exps", js::copy(c.exps));
  object.set("exp_sum", c.exp_sum);
  object.set("weight", c.weight);
  return CellValue(object);
}

// Empty for a head or query outside the last run.
Float32Array weighted_values(const Session& session, int head, int query) {
  std::vector<float> values;
  if (session.weighted_values(head, query, values)) return js::copy({});
  return js::copy(values);
}

}  // namespace

EMSCRIPTEN_BINDINGS(attention) {
  using namespace emscripten;

  register_type<Float32Array>("Float32Array");
  register_type<StringArray>("readonly string[]");
  register_type<ErrorValue>("{ code: string; message: string }");
  register_type<SchemaValue>(
      "{ stages: { id: string; label: string; symbol: string; formula: string; axes: string[] }[]; "
      "masks: string[]; scales: string[]; positions: string[]; ties: string[]; arch: string; "
      "limits: { max_tokens: number; max_d_model: number; max_trace_bytes: number; "
      "max_abs_scale_factor: number; max_width: number; min_softcap: number; max_softcap: number; "
      "min_temperature: number; max_temperature: number; max_dropout: number; max_seed: number } }");
  register_type<ClampedValue>("{ settings: WantedSettings; notices: string[] }");
  register_type<ShapeValue>(
      "{ T: number; S: number; D: number; H: number; d_k: number; d_v: number }");
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

  class_<Session>("Session")
      .constructor<>()
      .function("run(tokens, settings)", &run)
      .function("shape()", &shape)
      .function("factor()", &factor)
      .function("stage(id)", &stage)
      .function("cell(head, query, key)", &cell)
      .function("weightedValues(head, query)", &weighted_values);
}
