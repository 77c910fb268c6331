// The kernels for one width of vectors, as a table of functions.
#pragma once

#include "attend_paths.h"
#include "kernels.h"

// Every kernel of kernels.h that the rest of the core calls.
#define ATTENTION_EACH_KERNEL(of)                                                                       \
  of(matmul_nn) of(matmul_nt) of(add) of(scale) of(softcap) of(gelu_erf) of(gelu_tanh) of(silu)         \
  of(multiply) of(add_bias) of(row_max) of(exp_row) of(running_softmax) of(add_values) of(divide)       \
  of(is_finite) of(layer_norm) of(softmax_row) of(matmul_nn_widened) of(matmul_nt_widened) of(widen_row)

namespace attention {

struct KernelSet {
  int lanes;
  const char* architecture;
  decltype(&attention::panels_path) panels_path;
  decltype(&attention::weigh_row) weigh_row;
#define ATTENTION_FIELD(name) decltype(&kernels::name) name;
  ATTENTION_EACH_KERNEL(ATTENTION_FIELD)
#undef ATTENTION_FIELD
};

extern const KernelSet set_of_four_lanes, set_of_eight_lanes, set_of_sixteen_lanes;

}  // namespace attention
