// The module's functions: each converts its arguments, calls the core once, and converts the result.
#include <emscripten/bind.h>

#include <array>
#include <utility>

#include "attention/form.h"
#include "attention/layer/request.h"
#include "attention/layer/session.h"
#include "attention/layer/trace.h"
#include "attention/measures.h"
#include "attention/ops.h"
#include "attention/vectors.h"
#include "convert.h"

// Settings and a request as engine.ts sends them, to the core's: `given` as entries, edits and settings with every field.
namespace attention::js {
namespace {

WantedSettings settings(const Object& v) {
  WantedSettings w;
  each_field([&]<class Field>(const char* name, Field WantedSettings::*field) { w.*field = v[name].as<Field>(); });
  return w;
}

// The items of a list that may be left out, each read by read(item).
template <class Item>
std::vector<Item> list(const val& items, Item (*read)(const val&)) {
  if (items.isUndefined()) return {};
  std::vector<Item> out(items["length"].as<std::size_t>());
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = read(items[i]);
  return out;
}

// A row, column, query or key; -1, which is out of range, for anything but a whole number from 0.
int place(const val& number) {
  const double at = number.as<double>();
  return at >= 0 && at < 0x1p31 && at == static_cast<int>(at) ? static_cast<int>(at) : -1;
}

Edit edit(const val& v) {
  Edit e;
  e.column = place(v["column"]);
  e.value = v["value"].as<float>();
  e.array = v["array"].as<std::string>();
  e.token = v["token"].as<std::string>();
  e.row = place(v["row"]);
  return e;
}

MaskEdit mask_edit(const val& v) { return {place(v["query"]), place(v["key"])}; }

Given given(const val& entry) { return {entry[0].as<std::string>(), floats(entry[1])}; }

Request request(const Object& v) {
  Request out;
  out.tokens = emscripten::vecFromJSArray<std::string>(v["tokens"]);
  if (!v["keyTokens"].isUndefined()) {
    out.key_tokens = emscripten::vecFromJSArray<std::string>(v["keyTokens"]);
  }
  out.mask_edits = list(v["maskEdits"], mask_edit);
  out.edits = list(v["edits"], edit);
  out.given = list(v["given"], given);
  return out;
}

}  // namespace
}  // namespace attention::js

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

constexpr js::Field kLimitFields[] = {{"max_tokens", kLimits.max_tokens},
                                      {"max_d_model", kMaxTypedWidth},
                                      {"max_width", kLimits.max_width},
                                      {"max_trace_bytes", static_cast<double>(kLimits.max_trace_bytes)},
                                      {"max_abs_scale_factor", kLimits.max_abs_scale_factor},
                                      {"min_softcap", kLimits.min_softcap},
                                      {"max_softcap", kLimits.max_softcap},
                                      {"min_temperature", kLimits.min_temperature},
                                      {"max_temperature", kLimits.max_temperature},
                                      {"max_dropout", kLimits.max_dropout},
                                      {"max_seed", UINT32_MAX}};

constexpr js::Member<Shape, std::size_t> kShapeFields[] = {
    {"T", &Shape::T},     {"S", &Shape::S},     {"D", &Shape::D}, {"H", &Shape::H}, {"H_kv", &Shape::H_kv},
    {"d_k", &Shape::d_k}, {"d_v", &Shape::d_v}, {"r", &Shape::r}};

constexpr js::Member<Comparison, float> kComparisonFields[] = {{"dot", &Comparison::dot},
                                                               {"norm_a", &Comparison::norm_a},
                                                               {"norm_b", &Comparison::norm_b},
                                                               {"cosine", &Comparison::cosine}};

Object schema() {
  val all = val::array();
  for (const Stage& stage : stages()) js::push(all, describe(stage));
  val object = val::object();
  val arrays = val::array();
  for (const ParameterArray& array : parameter_arrays()) js::push(arrays, describe(array));
  js::put(object, "stages", all);
  js::put(object, "parameters", arrays);
  js::put(object, "masks", js::strings(mask_ids()));
  js::put(object, "scales", js::strings(scale_ids()));
  js::put(object, "positions", js::strings(position_ids()));
  js::put(object, "ties", js::strings(tie_ids()));
  val limits = val::object();
  js::put(limits, kLimitFields);
  js::put(object, "limits", limits);
  js::put(object, "arch", std::string(simd_architecture()));
  return Object(object);
}

Object clamp_settings(Object w, bool is_file) {
  const ClampedSettings clamped = clamp(js::settings(w), is_file ? kLimits.max_d_model : kMaxTypedWidth);
  const WantedSettings used = wanted(clamped.settings);
  val settings = val::object();
  each_field([&](const char* name, auto field) { js::put(settings, name, val(used.*field)); });
  val object = val::object();
  js::put(object, "settings", settings);
  val notices = val::array();
  for (const auto& [error, field, number, id] : clamped.notices) {
    val notice = val::object();
    js::put(notice, "broken", js::error(error));
    js::put(notice, "field", field);
    js::put(notice, "used", id.empty() ? val(number) : val(std::string(id)));
    js::push(notices, notice);
  }
  js::put(object, "notices", notices);
  return Object(object);
}

Object run(Session& session, Object request, Object w) {
  Settings settings;
  if (const Error error = exact(js::settings(w), settings)) return js::error(error);
  return js::error(session.run(js::request(request), settings));
}

Object take(Session& session, Object request, Object w, Object stages) {
  Settings settings;
  if (const Error error = exact(js::settings(w), settings)) return js::error(error);
  return js::error(session.take(js::request(request), settings, js::list(stages, js::given)));
}

Object shape(const Session& session) {
  val object = val::object();
  js::put<Shape, std::size_t>(object, session.trace().shape, kShapeFields);
  return Object(object);
}

// Of a stage or parameter of the last run; empty for what it does not have.
Int32Array extents(const Session& session, const std::string& id) {
  const Shape& shape = session.trace().shape;
  std::array<int, 3> list;
  std::size_t count = 0;
  const auto add = [&](std::span<const Axis> axes) {
    for (const Axis axis : axes) {
      if (axis != Axis::none) list[count++] = static_cast<int>(extent(axis, shape));
    }
  };
  if (const Stage* stage = find_stage(id)) {
    if (is_present(*stage, session.settings(), session.request().is_cross())) add(stage->axes);
  } else if (const ParameterArray* array = find_parameter(id)) {
    if (is_present(*array, session.settings())) add(array->axes);
  }
  return js::copy_whole(std::span(list).first(count));
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

// An operand's array as a number: -1 for none, else its line in the table of stages, or, counted on
// behind those, of parameters.
int number_of(std::string_view array) {
  int number = 0;
  for (const Stage& stage : stages()) {
    if (stage.id == array) return number;
    ++number;
  }
  for (const ParameterArray& parameter : parameter_arrays()) {
    if (parameter.id == array) return number;
    ++number;
  }
  return -1;
}

// Flat, so that thousands of terms cross at once: term i is places[4i …] = left array, left index,
// right array, right index, and numbers[4i …] = left, right, product, partial sum. A bias follows as
// one more left operand.
Object explain(const Session& session, const std::string& id, double index) {
  Explanation e;
  const bool is_index = index >= 0 && index < 0x1p32;
  const Error error = session.explain(id, is_index ? static_cast<std::size_t>(index) : SIZE_MAX, e);
  val object = val::object();
  js::put(object, "error", js::error(error));
  if (error) return Object(object);

  const std::size_t count = e.terms.size();
  std::vector<int> places(4 * count + 4);
  std::vector<float> numbers(4 * count + 4);
  const auto set = [&](std::size_t side, const Operand& operand) {
    places[2 * side] = number_of(operand.array);
    places[2 * side + 1] = static_cast<int>(operand.index);
  };
  for (std::size_t i = 0; i < count; ++i) {
    const auto& [left, right, product, partial_sum] = e.terms[i];
    set(2 * i, left);
    set(2 * i + 1, right);
    float* const four = &numbers[4 * i];
    four[0] = left.value, four[1] = right.value, four[2] = product, four[3] = partial_sum;
  }
  set(2 * count, e.bias);
  numbers[4 * count] = e.bias.value;

  val constants = val::object();
  for (const auto& [key, value] : e.constants) js::put(constants, key, value);
  js::put(object, "rule", e.rule);
  js::put(object, "places", js::copy_whole(places));
  js::put(object, "numbers", js::copy(numbers));
  js::put(object, "constants", constants);
  js::put(object, "result", e.result);
  return Object(object);
}

// Empty for a head or query outside the last run.
Float32Array weighted_values(const Session& session, int head, int query) {
  std::vector<float> values;
  if (session.weighted_values(head, query, values)) return js::copy({});
  return js::copy(values);
}

// Empty for a head or query outside the last run.
Float32Array summed(const Session& session, int head, Float32Array queries) {
  const std::vector<float> places = js::floats(queries);
  const std::vector<int> rows(places.begin(), places.end());
  std::vector<float> sums;
  if (session.summed_weights(head, rows, sums)) return js::copy({});
  return js::copy(sums);
}

// Empty for a head outside the last run.
Object measures(const Session& session, int head) {
  RowMeasures rows;
  if (session.measure_rows(head, rows)) rows = {};
  val object = val::object();
  js::put(object, "entropy", js::copy(rows.entropy));
  js::put(object, "largest", js::copy(rows.largest));
  js::put(object, "largestKey", js::copy_whole(rows.largest_key));
  return Object(object);
}

// Both as long as the shorter one.
Float32Array subtract_arrays(Float32Array a, Float32Array b) {
  std::vector<float> x = js::floats(a), y = js::floats(b);
  x.resize(std::min(x.size(), y.size()));
  subtract(x, y, x);
  return js::copy(x);
}

Object compare_arrays(Float32Array a, Float32Array b) {
  std::vector<float> x = js::floats(a), y = js::floats(b);
  x.resize(std::min(x.size(), y.size()));
  const Comparison c = compare(x, y);
  val object = val::object();
  js::put<Comparison, float>(object, c, kComparisonFields);
  return Object(object);
}

// JavaScript holds a session by its address, which engine.ts alone sees, and gives back once. Embind's
// classes, with their inheritance and shared pointers, would be a third of the script around the module.
using Handle = std::size_t;

Handle new_session() { return reinterpret_cast<Handle>(new Session); }
void free_session(Handle session) { delete reinterpret_cast<Session*>(session); }

// Turns a function of a session into one of its handle.
template <auto function>
struct Held;
template <class Result, class Owner, class... Rest, Result (*function)(Owner&, Rest...)>
struct Held<function> {
  static Result call(Handle session, Rest... rest) {
    return function(*reinterpret_cast<Owner*>(session), std::forward<Rest>(rest)...);
  }
};

}  // namespace

EMSCRIPTEN_BINDINGS(attention) {
  using namespace emscripten;

  register_type<Float32Array>("Float32Array");
  register_type<Int32Array>("Int32Array");
  // The fields of objects are described in engine.ts: descriptions here would be part of the module.
  register_type<Object>("object");

  function("schema()", &schema);
  function("clamp(wanted, is_file)", &clamp_settings);
  function("subtract(a, b)", &subtract_arrays);
  function("compare(a, b)", &compare_arrays);

  function("newSession()", &new_session);
  function("freeSession(session)", &free_session);
  function("run(session, request, settings)", &Held<run>::call);
  function("take(session, request, settings, stages)", &Held<take>::call);
  function("shape(session)", &Held<shape>::call);
  function("factor(session)", &Held<factor>::call);
  function("extents(session, id)", &Held<extents>::call);
  function("stage(session, id)", &Held<stage>::call);
  function("head(session, id, head)", &Held<head>::call);
  function("parameter(session, id)", &Held<parameter>::call);
  function("explain(session, id, index)", &Held<explain>::call);
  function("summed(session, head, queries)", &Held<summed>::call);
  function("measures(session, head)", &Held<measures>::call);
  function("weightedValues(session, head, query)", &Held<weighted_values>::call);
}
