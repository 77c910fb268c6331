#include "attention/layer/parameters.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "attention/layer/trace.h"
#include "kernels.h"
#include "session_memory.h"

namespace attention {

namespace {

using A = Axis;
using P = Parameters;
using S = const Settings&;

bool is_biased(S s) { return s.biases; }
bool is_low_rank(S s) { return s.value_rank > 0; }
bool is_projected(S s) { return s.out_proj; }
bool is_biased_projection(S s) { return s.biases && s.out_proj; }
bool is_rotary(S s) { return s.positions == Positions::rope; }
bool is_alibi(S s) { return s.positions == Positions::alibi; }

constexpr Drawn kNotDrawn = Drawn::content;

// A new parameter is a field of Parameters and a line here.
constexpr std::array kArrays = std::to_array<ParameterArray>({
    {"W_Q", {A::D, A::H_d_k}, &P::W_Q, Drawn::W_Q, nullptr},
    {"W_K", {A::D, A::H_kv_d_k}, &P::W_K, Drawn::W_K, nullptr},
    {"W_V", {A::D, A::H_kv_d_v}, &P::W_V, Drawn::W_V, nullptr},
    {"W_V_down", {A::D, A::r}, &P::W_V_down, Drawn::W_V_down, is_low_rank},
    {"W_V_up", {A::r, A::H_kv_d_v}, &P::W_V_up, Drawn::W_V_up, is_low_rank},
    {"W_O", {A::H_d_v, A::D}, &P::W_O, Drawn::W_O, is_projected},
    {"b_Q", {A::none, A::H_d_k}, &P::b_Q, Drawn::b_Q, is_biased},
    {"b_K", {A::none, A::H_kv_d_k}, &P::b_K, Drawn::b_K, is_biased},
    {"b_V", {A::none, A::H_kv_d_v}, &P::b_V, Drawn::b_V, is_biased},
    {"b_O", {A::none, A::D}, &P::b_O, Drawn::b_O, is_biased_projection},
    {"P", {A::places, A::D}, &P::P, Drawn::P, nullptr},
    {"cos", {A::places, A::half_d_k}, &P::cos, kNotDrawn, is_rotary},
    {"sin", {A::places, A::half_d_k}, &P::sin, kNotDrawn, is_rotary},
    {"slopes", {A::none, A::H}, &P::slopes, kNotDrawn, is_alibi},
});

bool is_table(const ParameterArray& array) { return array.drawn == kNotDrawn; }

// Models may use other rotary angles than this layer.
bool is_turn(const ParameterArray& array) { return array.view == &P::cos || array.view == &P::sin; }

// The settings that decide the random numbers.
bool draws_alike(S a, S b) {
  const Shape x = shape_of(a, 1, 1), y = shape_of(b, 1, 1);
  return a.seed == b.seed && a.biases == b.biases && x.D == y.D && x.r == y.r &&
         x.H * x.d_k == y.H * y.d_k && x.H * x.d_v == y.H * y.d_v &&
         x.H_kv * x.d_k == y.H_kv * y.d_k && x.H_kv * x.d_v == y.H_kv * y.d_v;
}

// Zeros, without biases.
bool is_off(const ParameterArray& array, S s) { return array.axes[0] == Axis::none && !s.biases; }

bool is_drawn_here(const ParameterArray& array, S s) {
  if (is_table(array) || array.drawn == Drawn::P) return false;
  const bool is_replaced = array.drawn == Drawn::W_V && is_low_rank(s);
  const bool is_factor = array.drawn == Drawn::W_V_down || array.drawn == Drawn::W_V_up;
  return !is_replaced && (!is_factor || is_low_rank(s));
}

}  // namespace

std::span<const ParameterArray> parameter_arrays() { return kArrays; }

const ParameterArray* find_parameter(std::string_view id) {
  for (const ParameterArray& array : kArrays) {
    if (array.id == id) return &array;
  }
  return nullptr;
}

std::size_t count_of(const ParameterArray& array, const Shape& shape) {
  return extent(array.axes[0], shape) * extent(array.axes[1], shape);
}

bool is_present(const ParameterArray& array, S s) {
  return array.present == nullptr || array.present(s);
}

bool is_settable(const ParameterArray& array, S s) {
  const bool is_product = array.drawn == Drawn::W_V && is_low_rank(s);
  return is_present(array, s) && !is_table(array) && !is_product;
}

bool is_givable(const ParameterArray& array, S s) {
  return is_settable(array, s) || (is_turn(array) && is_present(array, s));
}

const ParameterArray& holder(const ParameterArray& array, S s) {
  struct Tied { Drawn drawn; std::string_view to; Tie from; };
  static constexpr Tied kTied[] = {{Drawn::W_K, "W_Q", Tie::qk}, {Drawn::b_K, "b_Q", Tie::qk},
                                   {Drawn::W_V, "W_Q", Tie::qkv}, {Drawn::b_V, "b_Q", Tie::qkv}};
  for (const Tied& tied : kTied) {
    if (array.drawn == tied.drawn && s.tie >= tied.from) return *find_parameter(tied.to);
  }
  return array;
}

RandomParameters::RandomParameters(RandomParameters&& other) noexcept { *this = std::move(other); }

RandomParameters& RandomParameters::operator=(RandomParameters&& other) noexcept {
  memory_ = std::move(other.memory_);
  view_ = std::exchange(other.view_, {});
  drawn_for_ = other.drawn_for_;
  is_drawn_ = std::exchange(other.is_drawn_, false);
  return *this;
}

Error RandomParameters::draw(S s) {
  if (is_drawn_ && draws_alike(s, drawn_for_)) return {};

  const Shape shape = shape_of(s, 1, 1);
  std::size_t count = 0;
  for (const ParameterArray& array : kArrays) {
    if (is_drawn_here(array, s)) count += count_of(array, shape);
  }
  view_ = {};
  is_drawn_ = false;  // until all is drawn, nothing counts as drawn
  if (!memory_.resize(count)) {
    return error(Rule::parameter_memory, {s.d_model});
  }

  float* next = memory_.floats().data();
  for (const ParameterArray& array : kArrays) {
    if (!is_drawn_here(array, s)) continue;
    const std::size_t rows = extent(array.axes[0], shape), columns = extent(array.axes[1], shape);
    const std::size_t variance_of = array.drawn == Drawn::W_V_up ? shape.r : shape.D;
    const float deviation = 1.0f / std::sqrt(static_cast<float>(variance_of));
    view_.*array.view = {next, rows * columns};
    for (std::size_t row = 0; row < rows; ++row, next += columns) {
      if (is_off(array, s)) {
        std::fill_n(next, columns, 0.0f);
      } else {
        fill_normal({next, columns}, s.seed, array.drawn, static_cast<std::uint32_t>(row));
        kernels::scale(next, next, deviation, columns);
      }
    }
  }
  drawn_for_ = s;
  is_drawn_ = true;
  return {};
}

namespace {

constexpr std::array<std::string_view, 5> kGivenStages{"content", "key_content", "query", "key",
                                                       "value"};

struct Place {
  std::span<const Axis> axes;
  std::size_t count = 0;
};

Error wrong_count(const Given& given, const Place& place, const Shape& shape) {
  std::array<std::size_t, 3> n{};
  std::size_t axes = 0;
  for (const Axis axis : place.axes) {
    if (axis != Axis::none) n[axes++] = extent(axis, shape);
  }
  const std::size_t count = given.numbers.size();
  if (axes == 1) return error(Rule::given_vector, given.array, {place.count, count});
  if (axes == 2) return error(Rule::given_matrix, given.array, {n[0], n[1], place.count, count});
  return error(Rule::given_tensor, given.array, {n[0], n[1], n[2], place.count, count});
}

// Where numbers of this id go in a run; count 0 when it has no such place.
Place find_array(std::string_view id, const Settings& s, const Shape& shape, bool is_cross) {
  if (const ParameterArray* array = find_parameter(id)) {
    const bool is_own = is_givable(*array, s) && &holder(*array, s) == array;
    if (!is_own) return {};
    return {array->axes, count_of(*array, shape)};
  }
  static constexpr std::array kOne{Axis::d_k};
  if (id == "query_norm" || id == "key_norm") return {kOne, shape.d_k + 1};
  const Stage* stage = find_stage(id);
  const bool is_open = std::find(kGivenStages.begin(), kGivenStages.end(), id) != kGivenStages.end();
  if (stage == nullptr || !is_open || !is_present(*stage, s, is_cross)) return {};
  return {stage->axes, count_of(*stage, shape)};
}

Error check_given(const Given& given, const Settings& s, const Shape& shape, bool is_cross) {
  const Place place = find_array(given.array, s, shape, is_cross);
  if (place.count == 0) return error(Rule::given_array, given.array);
  if (given.numbers.size() != place.count) return wrong_count(given, place, shape);
  for (std::size_t i = 0; i < given.numbers.size(); ++i) {
    if (!std::isfinite(given.numbers[i])) return error(Rule::given_number, given.array, {i});
  }
  return {};
}

Error check_edit(const Edit& edit) {
  if (!edit.array.empty() && find_parameter(edit.array) == nullptr) {
    return error(Rule::edit_array, edit.array);
  }
  if (std::isfinite(edit.value)) return {};
  if (edit.array.empty()) return error(Rule::word_edit_number, {edit.column});
  return error(Rule::edit_number, edit.array, {edit.column});
}

// Whether `edit` is of this array, in this run.
bool is_of(const Edit& edit, const ParameterArray& array, const Settings& s) {
  const ParameterArray* named = find_parameter(edit.array);
  return named != nullptr && &holder(*named, s) == &array;
}

}  // namespace

Error check_request(const Request& request, const Settings& s, const Shape& shape) {
  for (const Given& given : request.given) {
    if (Error error = check_given(given, s, shape, request.is_cross())) return error;
  }
  for (const Edit& edit : request.edits) {
    if (Error error = check_edit(edit)) return error;
  }
  return {};
}

bool is_edited(const Request& request, const Settings& s, const ParameterArray& array,
               std::size_t row, std::size_t column) {
  return std::any_of(request.edits.begin(), request.edits.end(), [&](const Edit& edit) {
    return is_of(edit, array, s) && static_cast<std::size_t>(edit.row) == row &&
           static_cast<std::size_t>(edit.column) == column;
  });
}

bool is_edited(const Request& request, std::string_view token, std::size_t column) {
  return std::any_of(request.edits.begin(), request.edits.end(), [&](const Edit& edit) {
    return edit.array.empty() && edit.token == token && static_cast<std::size_t>(edit.column) == column;
  });
}

Error ParametersInUse::set(const Request& request, const Settings& s, const Shape& shape) {
  const std::span<const ParameterArray> arrays = parameter_arrays();
  const auto needs_draw = [&](const ParameterArray& a) {
    return is_drawn_here(a, s) && !is_off(a, s) && request.find_given(a.id) == nullptr;
  };
  // If all numbers are given, nothing is drawn: drawing takes longer than running the layer.
  const bool draws = std::any_of(arrays.begin(), arrays.end(), needs_draw);
  if (draws) {
    if (Error error = random_.draw(s)) return error;
  }
  view_ = draws ? random_.view() : Parameters{};
  if (Error error = tables_.fill(s, shape, view_)) return error;

  for (std::size_t i = 0; i < arrays.size(); ++i) {
    const ParameterArray& array = arrays[i];
    if (!draws && is_drawn_here(array, s) && is_off(array, s)) {
      if (!own_[i].resize(count_of(array, shape))) return error(Rule::copy_memory, array.id);
      const std::span<float> zeros = own_[i].floats();
      std::fill(zeros.begin(), zeros.end(), 0.0f);
      view_.*array.view = zeros;
      continue;
    }
    const float* given = request.find_given(array.id);
    const bool takes_edits = is_settable(array, s);
    const bool is_edited = takes_edits && std::any_of(request.edits.begin(), request.edits.end(),
                                                      [&](const Edit& edit) { return is_of(edit, array, s); });
    if (!is_givable(array, s) || (given == nullptr && !is_edited)) continue;

    std::span<const float>& view = view_.*array.view;
    const float* const from = given != nullptr ? given : view.data();
    if (!own_[i].resize(count_of(array, shape))) {
      return error(Rule::copy_memory, array.id);
    }
    const std::span<float> own = own_[i].floats();
    std::copy_n(from, own.size(), own.begin());
    const std::size_t rows = extent(array.axes[0], shape), columns = extent(array.axes[1], shape);
    for (const Edit& edit : request.edits) {
      const auto row = static_cast<std::size_t>(edit.row), column = static_cast<std::size_t>(edit.column);
      if (takes_edits && is_of(edit, array, s) && row < rows && column < columns) own[row * columns + column] = edit.value;
    }
    view = own;
  }
  for (const ParameterArray& array : arrays) view_.*array.view = view_.*holder(array, s).view;
  return {};
}

}  // namespace attention
