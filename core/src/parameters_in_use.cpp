#include "parameters_in_use.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "attention/stages.h"
#include "text.h"

namespace attention {

namespace {

Error invalid(std::string rule) { return {ErrorCode::invalid_request, std::move(rule)}; }

constexpr std::array<std::string_view, 5> kGivenStages{"content", "key_content", "query", "key",
                                                       "value"};

std::string count(std::size_t number) { return text(static_cast<std::int64_t>(number)); }

std::string extents_of(std::span<const Axis> axes, const Shape& shape) {
  std::string list;
  for (const Axis axis : axes) {
    if (axis == Axis::none) continue;
    list.append(join({list.empty() ? "" : " x ", count(extent(axis, shape))}));
  }
  return list;
}

struct Place {
  std::string shape;
  std::size_t count = 0;
};

// Where numbers of this id go in a run; count 0 when it has no such place.
Place place_of(std::string_view id, const Settings& s, const Shape& shape, bool is_cross) {
  if (const ParameterArray* array = find_parameter(id)) {
    const bool is_own = is_settable(*array, s) && &holder(*array, s) == array;
    if (!is_own) return {};
    return {extents_of(array->axes, shape), count_of(*array, shape)};
  }
  const Stage* stage = find_stage(id);
  const bool is_open = std::find(kGivenStages.begin(), kGivenStages.end(), id) != kGivenStages.end();
  if (stage == nullptr || !is_open || !is_present(*stage, s, is_cross)) return {};
  return {extents_of(stage->axes, shape), count_of(*stage, shape)};
}

Error check_given(const Given& given, const Settings& s, const Shape& shape, bool is_cross) {
  const Place place = place_of(given.array, s, shape, is_cross);
  if (place.count == 0) {
    return invalid(join({"\"", given.array,
                         "\" was given, but this run has no place for it. Leave it out, or change the "
                         "settings that leave it out."}));
  }
  if (given.numbers.size() != place.count) {
    return invalid(join({given.array, " must have ", place.shape, " = ", count(place.count),
                         " numbers; ", count(given.numbers.size()),
                         " were given. Give as many, or choose other settings."}));
  }
  for (std::size_t i = 0; i < given.numbers.size(); ++i) {
    if (std::isfinite(given.numbers[i])) continue;
    return invalid(join({given.array, "[", count(i), "] is not a finite number. Give a finite one."}));
  }
  return {};
}

Error check_edit(const Edit& edit) {
  if (!edit.array.empty() && find_parameter(edit.array) == nullptr) {
    return invalid(join({"\"", edit.array, "\" is no parameter that can be set by hand. Choose one of those "
                         "in the schema."}));
  }
  if (std::isfinite(edit.value)) return {};
  const std::string_view where = edit.array.empty() ? "the word's content" : std::string_view(edit.array);
  return invalid(join({"The number set by hand in ", where, ", column ", text(edit.column),
                       ", is not finite. Set a finite one."}));
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
      return {ErrorCode::out_of_memory, join({"There is not enough memory for a copy of ",
                                             array.id, ". Choose a smaller d_model."})};
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
