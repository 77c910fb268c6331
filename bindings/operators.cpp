// The operators' functions: attention, projections, a cache and the multi-head layer over tensors that stay in the
// module's memory. Each function converts its arguments, calls the core once, and converts the result; an error is
// null on success.
#include <emscripten/bind.h>
#include <emscripten/heap.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "attend_options.h"
#include "attention/attend.h"
#include "attention/key_value_cache.h"
#include "attention/ops.h"
#include "attention/vectors.h"
#ifdef ATTENTION_THREADS
#include "attention/workers.h"
#endif
#include "convert.h"
#include "layer.h"
#include "tensor.h"
#include "values.h"

EMSCRIPTEN_DECLARE_VAL_TYPE(Uint8Array)

namespace {

using namespace attention;
using attention::js::ByteTensor;
using attention::js::FloatTensor;
using attention::js::Layer;
using attention::js::MatrixTensor;
using attention::js::ReadAttendOptions;
using attention::js::Tensor;
using attention::js::WantedAttendOptions;
using attention::js::result;
using attention::js::tensor_or_null;
using emscripten::val;

template <class T>
MaybeError set_shape(Tensor<T>& tensor, const NumberList& shape) {
  return result(tensor.set_shape(emscripten::convertJSArrayToNumberVector<double>(shape)));
}

template <class Any>
NumberList shape(const Any& tensor) {
  val extents = val::array();
  for (const std::size_t extent : tensor.shape()) extents.call<void>("push", extent);
  return NumberList(extents);
}

// Ok when `numbers` has as many elements as the tensor.
template <class T, class Array>
Error check_length(const Tensor<T>& tensor, const Array& numbers) {
  const auto count = numbers["length"].template as<std::size_t>();
  if (count == tensor.numbers().size()) return {};
  return error(Rule::js_tensor_count, {tensor.numbers().size(), count});
}

template <class T>
val view(const T& numbers) {
  return val(emscripten::typed_memory_view(numbers.size(), numbers.data()));
}

// `numbers` in place of those from number `at` on.
template <class T, class Array>
MaybeError write_from(std::span<T> held, const Array& numbers, double at) {
  const auto count = numbers["length"].template as<std::size_t>();
  const auto size = static_cast<double>(held.size());
  if (!(at >= 0 && at == std::floor(at) && at + static_cast<double>(count) <= size)) {
    return result(error(Rule::js_tensor_part, {held.size(), count, at}));
  }
  view(held.subspan(static_cast<std::size_t>(at), count)).template call<void>("set", numbers);
  return result({});
}

template <class T, class Array>
MaybeError write(Tensor<T>& tensor, const Array& numbers) {
  if (const Error error = check_length(tensor, numbers)) return result(error);
  return write_from(tensor.numbers(), numbers, 0);
}

template <class T, class Array>
MaybeError write_part(Tensor<T>& tensor, const Array& numbers, double at) {
  return write_from(tensor.numbers(), numbers, at);
}

template <class T, class Array>
MaybeError read_into(const Tensor<T>& tensor, const Array& numbers) {
  if (const Error error = check_length(tensor, numbers)) return result(error);
  numbers.template call<void>("set", view(tensor.numbers()));
  return result({});
}

template <class T, class Array>
Array read(const Tensor<T>& tensor) {
  return Array(view(tensor.numbers()).template call<val>("slice"));
}

// type: 0 float32, 1 bf16, 2 f16, 3 int8, 4 Q8_0, as in NumberType.
MaybeError set_matrix_shape(MatrixTensor& tensor, int type, bool is_interleaved, const NumberList& shape) {
  return result(tensor.set_shape(static_cast<NumberType>(std::clamp(type, 0, 4)), is_interleaved ? Order::interleaved : Order::rows,
                                 emscripten::convertJSArrayToNumberVector<double>(shape)));
}

// Numbers that are copied to be interleaved, at a time.
constexpr std::size_t kInterleavedAtOnce = 1 << 16;

void write_interleaved(MatrixTensor& tensor, const Uint8Array& bytes, std::size_t at, std::size_t count, Layout given) {
  static std::array<std::uint8_t, kInterleavedAtOnce * sizeof(float)> part;
  const NumberType type = tensor.type();
  for (const std::size_t end = at + count, first = at; at < end; at += kInterleavedAtOnce) {
    const std::size_t numbers = std::min(end - at, kInterleavedAtOnce);
    const std::span copied = std::span(part).first(bytes_of(type, numbers));
    view(copied).call<void>("set", bytes.call<val>("subarray", bytes_of(type, at - first), bytes_of(type, at - first + numbers)));
    interleave(type, given, part.data(), numbers, at, tensor.shape()[1], tensor.shape()[0], tensor.bytes().data());
    tensor.note_written(copied);
  }
}

// In place of the numbers from number `at` on, of the matrix itself or of the (in, out) one that it is made of.
MaybeError write_bytes(MatrixTensor& tensor, const Uint8Array& bytes, double at, bool is_in_out) {
  const NumberType type = tensor.type();
  const bool has_scales = type == NumberType::i8 || type == NumberType::q8_0;
  if (is_in_out && (!tensor.is_interleaved() || has_scales)) return result(error(Rule::js_tensor_layout));
  const std::size_t step = type == NumberType::q8_0 ? kBlockNumbers : 1, count = bytes["length"].as<std::size_t>();
  const double first = std::fmod(at, step) == 0 ? at / step * bytes_of(type, step) : -1;
  if (!(first >= 0 && first + count <= tensor.byte_count())) return result(error(Rule::js_tensor_part, {tensor.byte_count(), count, first}));
  if (tensor.is_interleaved()) {
    write_interleaved(tensor, bytes, static_cast<std::size_t>(at), count / bytes_of(type, step) * step, is_in_out ? Layout::in_out : Layout::out_in);
  } else {
    const std::span to = tensor.bytes().subspan(static_cast<std::size_t>(first), count);
    view(to).call<void>("set", bytes);
    tensor.note_written(to);
  }
  return result({});
}

MaybeError write_scales(MatrixTensor& tensor, const Float32Array& scales) {
  if (scales["length"].as<std::size_t>() == tensor.scales().size()) return write_from(tensor.scales(), scales, 0);
  return result(error(Rule::js_tensor_count, {tensor.scales().size(), scales["length"].as<double>()}));
}

// Widened, from number `row` · width on.
MaybeError read_rows(MatrixTensor& tensor, double row, const Float32Array& numbers) {
  const auto count = numbers["length"].as<std::size_t>(), rows = tensor.shape()[0], width = tensor.shape()[1];
  if (!(row >= 0 && row == std::floor(row) && count % width == 0 && row + static_cast<double>(count / width) <= static_cast<double>(rows))) {
    return result(error(Rule::js_tensor_part, {rows * width, count, row * static_cast<double>(width)}));
  }
  Buffer one;
  if (!one.resize(width)) return result(error(Rule::js_tensor_memory));
  for (std::size_t r = 0; r < count / width; ++r) {
    widen(tensor.weight(), width, static_cast<std::size_t>(row) + r, 0, width, one.floats().data());
    numbers.call<void>("set", view(one.floats()), static_cast<double>(r * width));
  }
  return result({});
}

#ifdef ATTENTION_THREADS
std::unique_ptr<Workers> started;

bool is_alone(void* asked) { return (*static_cast<val*>(asked))().as<bool>(); }

// Once, before the first call; 1 or more. Returns how many there are. `asked`, unless undefined, says whether the
// caller's thread goes on alone.
int start_workers(int count, val asked) {
  started = std::make_unique<Workers>(static_cast<std::size_t>(count));
  if (!asked.isUndefined()) started->ask(is_alone, new val(std::move(asked)));  // for as long as the module lives
  return static_cast<int>(started->count());
}

void end_workers() { started->end_threads(); }

void apply_rows(const Linear& linear, const float* x, std::size_t rows, float* y) {
  apply(linear, x, rows, y, *started);
}

Error attend_heads(Heads<const float> query, Heads<const float> key, Heads<const float> value,
                   const AttendOptions& options, Heads<float> context) {
  return attend(query, key, value, options, context, *started);
}
#else
void apply_rows(const Linear& linear, const float* x, std::size_t rows, float* y) { apply(linear, x, rows, y); }

Error attend_heads(Heads<const float> query, Heads<const float> key, Heads<const float> value,
                   const AttendOptions& options, Heads<float> context) {
  static Buffer scratch;
  return attend(query, key, value, options, context, scratch);
}
#endif

MaybeError attend_tensors(const Tensor<float>& query, const Tensor<float>& key,
                          const Tensor<float>& value,
                          const WantedAttendOptions& wanted, Tensor<float>& context) {
  ReadAttendOptions read;
  if (const Error error = read.read(wanted)) return result(error);
  return result(
      attend_heads(query.heads(), key.heads(), value.heads(), read.options(), context.heads()));
}

MaybeError reserve(KeyValueCache& cache, double key_heads, double capacity, double key_width,
                   double value_width, double batch) {
  for (const double size : {key_heads, capacity, key_width, value_width, batch}) {
    if (!(size >= 1 && size <= js::kMaxNumbers && size == std::floor(size))) {
      return result(error(Rule::js_cache_sizes));
    }
  }
  const auto size = [](double number) { return static_cast<std::size_t>(number); };
  return result(cache.reserve(size(key_heads), size(capacity), size(key_width), size(value_width),
                              size(batch)));
}

// key and value hold rows of all heads side by side: (batch, rows, key_heads * width).
MaybeError append(KeyValueCache& cache, const Tensor<float>& key, const Tensor<float>& value) {
  const auto [one, batch, rows, width] = key.extents();
  const auto [value_one, value_batch, value_rows, value_width] = value.extents();
  const bool fits = one == 1 && value_one == 1 && batch == cache.batch() &&
                    value_batch == batch && value_rows == rows &&
                    width == cache.key_heads() * cache.key_width() &&
                    value_width == cache.key_heads() * cache.value_width();
  if (!fits) return result(error(Rule::js_cache_rows));
  const std::size_t heads = cache.key_heads();
  return result(cache.append(heads_last(key.numbers().data(), batch, rows, heads, cache.key_width()),
                             heads_last(value.numbers().data(), batch, rows, heads, cache.value_width())));
}

MaybeError attend_cached(const KeyValueCache& cache, const Tensor<float>& query,
                         const WantedAttendOptions& wanted, Tensor<float>& context) {
  ReadAttendOptions read;
  if (const Error error = read.read(wanted)) return result(error);
  return result(
      attend_heads(query.heads(), cache.keys(), cache.values(), read.options(), context.heads()));
}

MaybeError apply_linear(const Tensor<float>& x, const AnyTensor& weight, const MaybeFloats& bias,
                        bool is_out_in, Tensor<float>& y) {
  js::HeldLinear held;
  if (const Error error = held.set(js::weight_of(weight), tensor_or_null(bias), is_out_in, 0, 1)) return result(error);
  const std::size_t rows = x.numbers().size() / x.extents()[3];
  if (x.extents()[3] != held.linear().in || y.numbers().size() != rows * held.linear().out) {
    return result(error(Rule::js_linear_rows));
  }
  const float* const out = y.numbers().data();
  if (out == x.numbers().data() || held.linear().weight == out || out == held.linear().bias) {
    return result(error(Rule::result_overlaps, "y"));
  }
  apply_rows(held.linear(), x.numbers().data(), rows, y.numbers().data());
  return result({});
}

MaybeError set_heads(Layer& layer, double heads, double key_heads) {
  return result(layer.set_heads(heads, key_heads));
}

MaybeError set_linear(Layer& layer, const std::string& name, const AnyTensor& weight,
                      const MaybeFloats& bias, bool is_out_in, int part, int parts) {
  return result(layer.set(name, js::weight_of(weight), tensor_or_null(bias), is_out_in, part, parts));
}

MaybeError set_rotary(Layer& layer, const FloatTensor& cosines, const FloatTensor& sines, bool is_interleaved) {
  return result(layer.set_rotary(cosines, sines, is_interleaved ? RotaryPairs::interleaved : RotaryPairs::halved));
}

void set_head_norm(Layer& layer, bool is_key, const FloatTensor& gain, float epsilon) {
  layer.set_head_norm(is_key, gain, epsilon);
}

MaybeError run_layer(Layer& layer, const Tensor<float>& x, const MaybeFloats& keys,
                     const MaybeFloats& values, KeyValueCache* cache,
                     const WantedAttendOptions& wanted, const NumberList& positions,
                     const NumberList& key_positions, Tensor<float>& y) {
  ReadAttendOptions read;
  if (const Error error = read.read(wanted)) return result(error);
  std::vector<std::int64_t> places, key_places;
  if (const Error error = js::whole(positions, "positions", places)) return result(error);
  if (const Error error = js::whole(key_positions, "keyPositions", key_places)) return result(error);
  const FloatTensor held_keys = tensor_or_null(keys), held_values = tensor_or_null(values);
  MultiHeadInput input;
  input.positions = places;
  input.key_positions = key_places;
  return result(layer.run(x, held_keys.get(), held_values.get(), cache, read.options(), y, input));
}

// (batch, key_heads, length, width), contiguous.
Float32Array held(Heads<const float> rows) {
  std::vector<float> numbers;
  numbers.reserve(rows.batch * rows.heads * rows.rows * rows.width);
  for (std::size_t b = 0; b < rows.batch; ++b) {
    for (std::size_t h = 0; h < rows.heads; ++h) {
      const float* first = rows.row(b, h, 0);
      numbers.insert(numbers.end(), first, first + rows.rows * rows.width);
    }
  }
  return js::copy(numbers);
}
Float32Array keys(const KeyValueCache& cache) { return held(cache.keys()); }
Float32Array values(const KeyValueCache& cache) { return held(cache.values()); }

double length(const KeyValueCache& cache) { return static_cast<double>(cache.length()); }
void truncate(KeyValueCache& cache, double length) {
  if (length >= 0) cache.truncate(static_cast<std::size_t>(std::min(length, js::kMaxNumbers)));
}

std::string architecture() { return std::string(simd_architecture()); }
double heap_bytes() { return static_cast<double>(emscripten_get_heap_size()); }

}  // namespace

#ifdef ATTENTION_THREADS
attention::Workers* attention::js::workers() { return started.get(); }
#endif

EMSCRIPTEN_BINDINGS(attention_operators) {
  using namespace emscripten;

  register_type<Float32Array>("Float32Array");
  register_type<Uint8Array>("Uint8Array");
  register_type<NumberList>("ArrayLike<number> | null");
  register_type<MaybeBytes>("ByteTensor | null");
  register_type<MaybeFloats>("FloatTensor | null");
  register_type<AnyTensor>("FloatTensor | MatrixTensor");
  register_type<MaybeError>("{ code: string; rule: number; name: string; numbers: number[] } | null");
  register_optional<double>();

  value_object<WantedAttendOptions>("WantedAttendOptions")
      .field("scale", &WantedAttendOptions::scale)
      .field("softcap", &WantedAttendOptions::softcap)
      .field("is_causal", &WantedAttendOptions::is_causal)
      .field("offset", &WantedAttendOptions::offset)
      .field("batch_offsets", &WantedAttendOptions::batch_offsets)
      .field("window_left", &WantedAttendOptions::window_left)
      .field("window_right", &WantedAttendOptions::window_right)
      .field("key_ranges", &WantedAttendOptions::key_ranges)
      .field("key_lengths", &WantedAttendOptions::key_lengths)
      .field("allowed", &WantedAttendOptions::allowed)
      .field("bias", &WantedAttendOptions::bias)
      .field("alibi_slopes", &WantedAttendOptions::alibi_slopes)
      .field("temperature", &WantedAttendOptions::temperature)
      .field("dropout", &WantedAttendOptions::dropout)
      .field("dropout_seed", &WantedAttendOptions::dropout_seed);

  class_<Tensor<float>>("FloatTensor")
      .smart_ptr_constructor("FloatTensor", &std::make_shared<Tensor<float>>)
      .function("setShape(shape)", &set_shape<float>)
      .function("shape()", &shape<Tensor<float>>)
      .function("write(numbers)", &write<float, Float32Array>)
      .function("writePart(numbers, at)", &write_part<float, Float32Array>)
      .function("read()", &read<float, Float32Array>)
      .function("readInto(numbers)", &read_into<float, Float32Array>);
  class_<Tensor<std::uint8_t>>("ByteTensor")
      .smart_ptr_constructor("ByteTensor", &std::make_shared<Tensor<std::uint8_t>>)
      .function("setShape(shape)", &set_shape<std::uint8_t>)
      .function("shape()", &shape<Tensor<std::uint8_t>>)
      .function("write(numbers)", &write<std::uint8_t, Uint8Array>)
      .function("read()", &read<std::uint8_t, Uint8Array>)
      .function("readInto(numbers)", &read_into<std::uint8_t, Uint8Array>);

  class_<MatrixTensor>("MatrixTensor")
      .smart_ptr_constructor("MatrixTensor", &std::make_shared<MatrixTensor>)
      .function("setShape(type, is_interleaved, shape)", &set_matrix_shape)
      .function("shape()", &shape<MatrixTensor>)
      .function("writeBytes(bytes, at, is_in_out)", &write_bytes)
      .function("writeScales(scales)", &write_scales)
      .function("readRows(row, numbers)", &read_rows);

  class_<KeyValueCache>("KeyValueCache")
      .constructor<>()
      .function("reserve(key_heads, capacity, key_width, value_width, batch)", &reserve)
      .function("length()", &length)
      .function("append(key, value)", &append)
      .function("truncate(length)", &truncate)
      .function("attend(query, options, context)", &attend_cached)
      .function("keys()", &keys)
      .function("values()", &values);

  class_<Layer>("Layer")
      .constructor<>()
      .function("setHeads(heads, key_heads)", &set_heads)
      .function("setLinear(name, weight, bias, is_out_in, part, parts)", &set_linear)
      .function("setRotary(cosines, sines, is_interleaved)", &set_rotary)
      .function("setHeadNorm(is_key, gain, epsilon)", &set_head_norm)
      .function("run(x, keys, values, cache, options, positions, key_positions, y)", &run_layer,
                allow_raw_pointers());

  function("linear(x, weight, bias, is_out_in, y)", &apply_linear);
  function("attend(query, key, value, options, context)", &attend_tensors);
#ifdef ATTENTION_THREADS
  function("startWorkers(count, asked)", &start_workers);
  function("endWorkers()", &end_workers);
#endif
  function("architecture()", &architecture);
  function("heapBytes()", &heap_bytes);
}
