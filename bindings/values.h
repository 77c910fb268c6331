// Argument and result types of the operators' functions.
#pragma once

#include <emscripten/val.h>

#include "attend_options.h"
#include "convert.h"
#include "tensor.h"

EMSCRIPTEN_DECLARE_VAL_TYPE(MaybeError)

namespace attention::js {

// Null on success.
inline MaybeError result(const Error& error) {
  if (!error) return MaybeError(val::null());
  const val object = js::error(error);
  return MaybeError(object);
}

inline FloatTensor tensor_or_null(const MaybeFloats& tensor) {
  return tensor.isNull() ? nullptr : tensor.as<FloatTensor>();
}

inline HeldWeight weight_of(const AnyTensor& tensor) {
  if (tensor.instanceof(val::module_property("MatrixTensor"))) {
    const auto matrix = tensor.as<std::shared_ptr<MatrixTensor>>();
    return {matrix, matrix->weight(), matrix->shape()};
  }
  const auto floats = tensor.as<FloatTensor>();
  return {floats, floats->numbers().data(), floats->shape()};
}

}  // namespace attention::js
