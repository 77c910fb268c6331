// For builds with several sets of kernels: chooses the set in use. Builds with one set use vectors.cpp instead.
#include <array>
#include <atomic>

#include "attention/vectors.h"
#include "kernel_set.h"

namespace attention {

namespace {

struct Choice {
  Vectors vectors;
  const KernelSet* set;
  bool (*is_there)();  // on this processor, and kept by its system
};

constexpr std::array<Choice, 3> kChoices{{
    {Vectors::sixteen_lanes, &set_of_sixteen_lanes,
     [] {
       return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512cd") &&
              __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw") &&
              __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("fma");
     }},
    {Vectors::eight_lanes, &set_of_eight_lanes,
     [] { return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"); }},
    {Vectors::four_lanes, &set_of_four_lanes, [] { return true; }},
}};

const Choice* find(Vectors wanted) {
  __builtin_cpu_init();  // this may run before other constructors
  for (const Choice& choice : kChoices) {
    if (choice.vectors == wanted && choice.is_there()) return &choice;
  }
  return nullptr;
}

const KernelSet& widest() {
  __builtin_cpu_init();
  const Choice* choice = kChoices.data();
  while (!choice->is_there()) ++choice;
  return *choice->set;
}

constinit std::atomic<const KernelSet*> chosen = nullptr;  // until the first call

const KernelSet& set() {
  if (const KernelSet* const now = chosen.load(std::memory_order_relaxed)) return *now;
  const KernelSet* none = nullptr;
  chosen.compare_exchange_strong(none, &widest(), std::memory_order_relaxed);
  return *chosen.load(std::memory_order_relaxed);
}

}  // namespace

Vectors vectors() {
  return static_cast<Vectors>(set().lanes);
}

bool has_vectors(Vectors wanted) {
  return find(wanted) != nullptr;
}

bool use_vectors(Vectors wanted) {
  const Choice* const choice = find(wanted);
  if (choice != nullptr) chosen.store(choice->set, std::memory_order_relaxed);
  return choice != nullptr;
}

std::string_view simd_architecture() {
  return set().architecture;
}

int simd_lanes() {
  return set().lanes;
}

inline namespace in_use {

AttendPath panels_path() {
  return set().panels_path();
}

void weigh_row(float* out, const float* in, std::size_t count, KeyRange seen, float temperature) {
  set().weigh_row(out, in, count, seen, temperature);
}

}  // namespace in_use

namespace kernels::inline in_use {

void matmul_nn(Matrix out, ConstMatrix a, ConstMatrix b) {
  set().matmul_nn(out, a, b);
}

void matmul_nt(Matrix out, ConstMatrix a, ConstMatrix b) {
  set().matmul_nt(out, a, b);
}

void add(float* out, const float* a, const float* b, std::size_t count) {
  set().add(out, a, b, count);
}

void scale(float* out, const float* in, float factor, std::size_t count) {
  set().scale(out, in, factor, count);
}

void softcap(float* out, const float* in, float cap, std::size_t count) {
  set().softcap(out, in, cap, count);
}

void gelu_erf(float* out, const float* in, std::size_t count) {
  set().gelu_erf(out, in, count);
}

void gelu_tanh(float* out, const float* in, std::size_t count) {
  set().gelu_tanh(out, in, count);
}

void silu(float* out, const float* in, std::size_t count) {
  set().silu(out, in, count);
}

void multiply(float* out, const float* a, const float* b, std::size_t count) {
  set().multiply(out, a, b, count);
}

void add_bias(float* out, const float* in, const float* bias, std::size_t count) {
  set().add_bias(out, in, bias, count);
}

bool is_finite(const float* numbers, std::size_t count) {
  return set().is_finite(numbers, count);
}
float row_max(const float* in, std::size_t count) {
  return set().row_max(in, count);
}

float exp_row(float* out, const float* in, float max, std::size_t count) {
  return set().exp_row(out, in, max, count);
}

float running_softmax(float* row, std::size_t count, float& max, float& sum) {
  return set().running_softmax(row, count, max, sum);
}

void add_values(float* out, std::size_t count, float rescale, const float* row, ConstMatrix b) {
  set().add_values(out, count, rescale, row, b);
}

void divide(float* out, const float* in, float divisor, std::size_t count) {
  set().divide(out, in, divisor, count);
}

void layer_norm(const LayerNorm& norm, const float* in, std::size_t rows, float* out) {
  set().layer_norm(norm, in, rows, out);
}

void softmax_row(float* out, const float* in, std::size_t count) {
  set().softmax_row(out, in, count);
}

void matmul_nn_widened(Matrix out, ConstMatrix a, WeightMatrix b) {
  set().matmul_nn_widened(out, a, b);
}

void matmul_nt_widened(Matrix out, ConstMatrix a, WeightMatrix b) {
  set().matmul_nt_widened(out, a, b);
}

void widen_row(float* out, const Weight& from, std::size_t count) {
  set().widen_row(out, from, count);
}

}  // namespace kernels::inline in_use

}  // namespace attention
