#include "parameters_in_use.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "attention/stages.h"

namespace attention {

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
Place place_of(std::string_view id, const Settings& s, const Shape& shape, bool is_cross) {
  if (const ParameterArray* array = find_parameter(id)) {
    const bool is_own = is_settable(*array, s) && &holder(*array, s) == array;
    if (!is_own) return {};
    return {array->axes, count_of(*array, shape)};
  }
  const Stage* stage = find_stage(id);
  const bool is_open = std::find(kGivenStages.begin(), kGivenStages.end(), id) != kGivenStages.end();
  if (stage == nullptr || !is_open || !is_present(*stage, s, is_cross)) return {};
  return {stage->axes, count_of(*stage, shape)};
}

Error check_given(const Given& given, const Settings& s, const Shape& shape, bool is_cross) {
  const Place place = place_of(given.array, s, shape, is_cross);
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
  if (Error error = random_.draw(s)) return error;
  view_ = random_.view();
  if (Error error = tables_.fill(s, shape, view_)) return error;

  const std::span<const ParameterArray> arrays = parameter_arrays();
  for (std::size_t i = 0; i < arrays.size(); ++i) {
    const ParameterArray& array = arrays[i];
    const float* given = request.find_given(array.id);
    const bool is_edited = std::any_of(request.edits.begin(), request.edits.end(),
                                       [&](const Edit& edit) { return is_of(edit, array, s); });
    if (!is_settable(array, s) || (given == nullptr && !is_edited)) continue;

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
      if (is_of(edit, array, s) && row < rows && column < columns) own[row * columns + column] = edit.value;
    }
    view = own;
  }
  for (const ParameterArray& array : arrays) view_.*array.view = view_.*holder(array, s).view;
  return {};
}

}  // namespace attention
