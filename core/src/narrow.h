// Matrices whose numbers are not float32 or not in rows: how each type is widened, their rows and groups of rows. The bits
// are those of the widened matrix in rows.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>

#include "kernels.h"
#include "tile.h"

namespace attention::kernels::inline ATTENTION_SET {

namespace {  // for kernels.cpp alone: no function may be shared with code for other vectors

// Vectors of the compiler's own, which convert numbers of any width: of kLanes numbers, and filling a register.
using Bits __attribute__((vector_size(4 * kLanes))) = std::int32_t;
using Floats __attribute__((vector_size(4 * kLanes))) = float;
using Shorts __attribute__((vector_size(2 * kLanes))) = std::int16_t;
using Bytes __attribute__((vector_size(kLanes))) = std::int8_t;
using AllShorts __attribute__((vector_size(4 * kLanes))) = std::int16_t;
using AllBytes __attribute__((vector_size(4 * kLanes))) = std::int8_t;

template <class Vector>
inline Lanes as_lanes(Vector vector) { return std::bit_cast<Lanes::register_type>(vector); }

template <class Vector>
constexpr std::size_t kNumbersOf = sizeof(Vector) / sizeof(std::declval<Vector&>()[0]);
template <class Vector, std::size_t kCount>
constexpr std::size_t kNumbersOf<std::array<Vector, kCount>> = kCount * kNumbersOf<Vector>;

// By way of 16 bits: GCC takes bytes one by one otherwise.
template <class Vector>
inline Bits each_of_32(Vector numbers) { return __builtin_convertvector(__builtin_convertvector(numbers, Shorts), Bits); }
template <>
inline Bits each_of_32(Bits numbers) { return numbers; }

// a[0] b[0] a[1] b[1] …, from number `kFirst` of each on.
template <std::size_t kFirst, class Vector, std::size_t... kAt>
inline Vector zip(Vector a, Vector b, std::index_sequence<kAt...>) {
  return __builtin_shufflevector(a, b, (kFirst + kAt / 2 + kAt % 2 * sizeof...(kAt))...);
}
template <class Vector>
inline Vector zip_lower(Vector a, Vector b) { return zip<0>(a, b, std::make_index_sequence<kNumbersOf<Vector>>()); }
template <class Vector>
inline Vector zip_upper(Vector a, Vector b) { return zip<kNumbersOf<Vector> / 2>(a, b, std::make_index_sequence<kNumbersOf<Vector>>()); }

// What numbers of int8 are multiplied by, in each lane of as many registers.
template <std::size_t kCount>
using Scales = std::array<Lanes, kCount>;

// Of each type: widen() takes kLanes numbers, already of 32 bits; widen_all() those of a whole register, in order. By what they
// give a product multiplies factor(x) for x; number() is the number itself.
struct Widened {  // wholly: products multiply x, and what they get is the number
  static Lanes factor(Lanes x) { return x; }
  static Lanes number(Lanes x) { return x; }
};
struct F32 : Widened {
  using Number = float;
  using Vector = Bits;
  using All = Bits;
  static Lanes widen(Bits bits, Lanes) { return as_lanes(bits); }
  static std::array<Lanes, 1> widen_all(All bits, const Scales<1>&) { return {as_lanes(bits)}; }
};
struct Bf16 : Widened {
  using Number = std::int16_t;
  using Vector = Shorts;
  using All = AllShorts;
  static Lanes widen(Bits bits, Lanes) { return as_lanes(bits << 16); }
  static std::array<Lanes, 2> widen_all(All bits, const Scales<2>&) {
    const All zero{};
    return {as_lanes(zip_lower(zero, bits)), as_lanes(zip_upper(zero, bits))};
  }
};
struct F16 : Widened {
  using Number = std::int16_t;
  using Vector = Shorts;
  using All = AllShorts;
  static Lanes widen(Bits half, Lanes) { return from(half << 13); }
  // As from(), with half as many operations: the upper and lower 16 bits are made apart, infinite before the product.
  static std::array<Lanes, 2> widen_all(All half, const Scales<2>&) {
    const All size = half & 0x7fff, is_infinite = size > 0x7bff;
    const All upper = (half ^ size) | (size >> 3) | (is_infinite & 0x7f80), lower = size << 13;
    return {as_lanes(zip_lower(lower, upper)) * 0x1p112f, as_lanes(zip_upper(lower, upper)) * 0x1p112f};
  }

 private:
  // Sign, exponent and fraction at their places in a float32, whose exponents count from another number: a product corrects
  // that, of subnormal numbers, too. Infinities and NaN have the largest exponent. Other bits are not looked at.
  static Lanes from(Bits placed) {
    constexpr auto kKept = static_cast<std::int32_t>(0x8fffe000u), kMost = 31 << 23, kInfinite = 255 << 23;
    const Bits bits = placed & kKept, is_infinite = (bits & kMost) == kMost;
    return as_lanes(std::bit_cast<Bits>(std::bit_cast<Floats>(bits) * 0x1p112f) | (is_infinite & kInfinite));
  }
};
// Where none is infinite or NaN, and what they are multiplied by is below kMost: the factor makes up for the exponent, so that
// each number need only have its bits at their places. A power of 2 rounds nothing.
struct FiniteF16 : F16 {
  static Lanes widen(Bits half, Lanes) { return as_lanes((half << 13) & kKept); }
  static std::array<Lanes, 2> widen_all(All half, const Scales<2>&) {
    const All upper = (half >> 3) & static_cast<std::int16_t>(0x8fff), lower = half << 13;
    return {as_lanes(zip_lower(lower, upper)), as_lanes(zip_upper(lower, upper))};
  }
  static Lanes factor(Lanes x) { return x * 0x1p112f; }
  static Lanes number(Lanes x) { return x * 0x1p112f; }
  // Times 2^112 it is within float32.
  static constexpr float kMost = 0x1p15f;

 private:
  static constexpr auto kKept = static_cast<std::int32_t>(0x8fffe000u);
};
// On four lanes a number is put into the upper 8 bits of 32, which takes fewer operations than to extend its sign, and its
// scale is divided by 2^24. Wider registers have an instruction that widens bytes.
struct I8 : Widened {
  static constexpr bool kIsUpper = kLanes == 4;
  static constexpr float kScaleFactor = kIsUpper ? 0x1p-24f : 1;
  using Number = std::int8_t;
  using Vector = Bytes;
  using All = std::conditional_t<kIsUpper, AllBytes, std::array<Bytes, 4>>;
  static Lanes widen(Bits whole, Lanes scale) { return from(kIsUpper ? whole << 24 : whole, scale); }
  // On four lanes.
  static std::array<Lanes, 4> widen_all(AllBytes whole, const Scales<4>& scales) {
    const AllBytes none{};
    const std::array shorts{std::bit_cast<AllShorts>(zip_lower(none, whole)), std::bit_cast<AllShorts>(zip_upper(none, whole))};
    std::array<Lanes, 4> wide;
    for (std::size_t i = 0; i < 4; i += 2) {
      wide[i] = from(std::bit_cast<Bits>(zip_lower(AllShorts{}, shorts[i / 2])), scales[i]);
      wide[i + 1] = from(std::bit_cast<Bits>(zip_upper(AllShorts{}, shorts[i / 2])), scales[i + 1]);
    }
    return wide;
  }
  // On more.
  static std::array<Lanes, 4> widen_all(const std::array<Bytes, 4>& whole, const Scales<4>& scales) {
    std::array<Lanes, 4> wide;
    for (std::size_t i = 0; i < 4; ++i) wide[i] = widen(each_of_32(whole[i]), scales[i]);
    return wide;
  }

 private:
  static Lanes from(Bits upper, Lanes scale) { return as_lanes(__builtin_convertvector(upper, Floats)) * scale; }
};

// --- their rows ----------------------------------------------------------------------------------------------------

template <class Type>
struct NarrowRow {
  using All = typename Type::All;
  static constexpr std::size_t kWide = kNumbersOf<All>;
  const typename Type::Number* numbers;
  float scale;

  explicit NarrowRow(const Weight& weight)
      : numbers(static_cast<const typename Type::Number*>(weight.data)), scale(weight.scales != nullptr ? *weight.scales * I8::kScaleFactor : 1) {}
  NarrowRow() = default;
  Lanes load(std::size_t k) const {
    return Type::number(Type::widen(each_of_32(vector<typename Type::Vector>(k)), Lanes(scale)));
  }
  std::array<Lanes, kWide / kLanes> load_wide(std::size_t k) const {
    Scales<kWide / kLanes> scales;
    scales.fill(Lanes(scale));
    return Type::widen_all(vector<All>(k), scales);
  }
  static Lanes factor(float x) { return Type::factor(Lanes(x)); }
  float operator[](std::size_t k) const {
    std::array<typename Type::Number, kLanes> one{numbers[k]};
    NarrowRow alone = *this;
    alone.numbers = one.data();
    return alone.load(0).get(0);
  }
  template <class Vector>
  Vector vector(std::size_t k) const {
    Vector loaded;
    std::memcpy(&loaded, numbers + k, sizeof loaded);
    return loaded;
  }
};

template <class Type>
struct NarrowRows : WeightMatrix {
  using Row = NarrowRow<Type>;
  Row row(std::size_t r) const { return Row(weight.from(r, 0, stride)); }
};

// Blocks of int8, each behind its scale. What takes kWide numbers at a time takes whole blocks.
struct Q8 {};
template <>
class NarrowRow<Q8> {
 public:
  static constexpr std::size_t kWide = kBlockNumbers;

  explicit NarrowRow(const Weight& weight) : blocks_(static_cast<const std::byte*>(weight.data)), first_(weight.first) {}
  NarrowRow() = default;
  float operator[](std::size_t k) const {
    const std::size_t n = first_ + k;
    return scale(n) * static_cast<float>(static_cast<std::int8_t>(*numbers(n)));
  }
  Lanes load(std::size_t k) const {
    const std::size_t n = first_ + k;
    if (n % kWide + kLanes <= kWide) return I8::widen(each_of_32(vector(n)), Lanes(scale(n) * I8::kScaleFactor));
    std::array<float, kLanes> lanes;
    for (std::size_t i = 0; i < kLanes; ++i) lanes[i] = (*this)[k + i];
    return Lanes::load_unaligned(lanes.data());
  }
  std::array<Lanes, kWide / kLanes> load_wide(std::size_t k) const {
    std::array<Lanes, kWide / kLanes> wide;
    const Lanes own(scale(k) * I8::kScaleFactor);
    for (std::size_t i = 0; i < wide.size(); ++i) wide[i] = I8::widen(each_of_32(vector(k + i * kLanes)), own);
    return wide;
  }
  static Lanes factor(float x) { return Lanes(x); }

 private:
  float scale(std::size_t n) const {
    std::int16_t bits;  // signed, as F16 takes it
    std::memcpy(&bits, block(n), sizeof bits);
    return F16::widen(Bits{bits}, Lanes(1.0f)).get(0);
  }
  Bytes vector(std::size_t n) const {
    Bytes loaded;
    std::memcpy(&loaded, numbers(n), sizeof loaded);
    return loaded;
  }
  const std::byte* block(std::size_t n) const { return blocks_ + n / kWide * kBlockBytes; }
  const std::byte* numbers(std::size_t n) const { return block(n) + sizeof(std::uint16_t) + n % kWide; }

  const std::byte* blocks_;
  std::size_t first_;
};

// --- interleaved matrices ------------------------------------------------------------------------------------------

// The kGroupRows rows that lie side by side where an interleaved matrix or a part of it begins.
template <class Type>
class Group {
 public:
  static constexpr std::size_t kRegisters = kGroupRows / kLanes;
  using Column = std::array<Lanes, kRegisters>;  // a number of each row

  explicit Group(const Weight& weight) : Group(static_cast<const std::byte*>(weight.data)) {
    for (std::size_t i = 0; weight.scales != nullptr && i < kRegisters; ++i) {
      scales_[i] = Lanes::load_unaligned(weight.scales - weight.first + i * kLanes) * I8::kScaleFactor;
    }
  }
  explicit Group(const std::byte* numbers) : numbers_(numbers) { scales_.fill(Lanes(1.0f)); }

  // Calls task(part, k, end) for columns [k, end), part after part: column 0 of `part` is column k.
  template <class Do>
  void each_part(std::size_t columns, Do task) const { task(*this, std::size_t{0}, columns); }

  // Column k; what factor(x) is multiplied by.
  Column column(std::size_t k) const {
    Column column;
    if constexpr (kWide > kGroupRows) {
      for (std::size_t i = 0; i < kRegisters; ++i) column[i] = part(k, i);
    } else {
      for (std::size_t i = 0; i < kRegisters; i += kWide / kLanes) {
        Scales<kWide / kLanes> scales;
        std::copy_n(scales_.begin() + i, scales.size(), scales.begin());
        const auto wide = Type::widen_all(loaded<typename Type::All>(k, i), scales);
        std::copy(wide.begin(), wide.end(), column.begin() + i);
      }
    }
    return column;
  }
  static Lanes factor(float x) { return Type::factor(Lanes(x)); }
  static Lanes number(Lanes x) { return Type::number(x); }
  // Exactly, a NaN's bits, too.
  float number(std::size_t k, std::size_t row) const {
    std::array<float, kLanes> lanes;
    Type::number(part(k, row / kLanes)).store_unaligned(lanes.data());
    return lanes[row % kLanes];
  }

 private:
  friend class Group<Q8>;
  static constexpr std::size_t kWide = kNumbersOf<typename Type::All>;

  template <class Vector>
  Vector loaded(std::size_t k, std::size_t i) const {
    Vector vector;
    std::memcpy(&vector, numbers_ + (k * kGroupRows + i * kLanes) * sizeof(typename Type::Number), sizeof vector);
    return vector;
  }
  Lanes part(std::size_t k, std::size_t i) const {
    return Type::widen(each_of_32(loaded<typename Type::Vector>(k, i)), scales_[i]);
  }

  const std::byte* numbers_;  // of any alignment, as Q8_0's scales
  Scales<kRegisters> scales_;
};

// A block of each row: sixteen scales, then a number of each row, and the next of each.
template <>
class Group<Q8> {
 public:
  using Column = Group<I8>::Column;

  explicit Group(const Weight& weight) : blocks_(static_cast<const std::byte*>(weight.data)), first_(weight.first_column) {}
  template <class Do>
  void each_part(std::size_t columns, Do task) const {
    for (std::size_t k = 0; k < columns;) {
      const std::size_t n = first_ + k, within = n % kBlockNumbers, end = std::min(columns, k + kBlockNumbers - within);
      task(block(blocks_ + n / kBlockNumbers * kGroupRows * kBlockBytes, within), k, end);
      k = end;
    }
  }
  static Lanes factor(float x) { return Lanes(x); }
  static Lanes number(Lanes x) { return x; }

 private:
  static Group<I8> block(const std::byte* from, std::size_t within) {
    Group<I8> block(from + kGroupRows * (kBlockBytes - kBlockNumbers + within));
    const Column scales = Group<F16>(from).column(0);
    for (std::size_t i = 0; i < scales.size(); ++i) block.scales_[i] = scales[i] * I8::kScaleFactor;
    return block;
  }

  const std::byte* blocks_;
  std::size_t first_;
};

// The first row of an interleaved matrix.
template <class Type>
inline void widen_apart(float* out, const Weight& from, std::size_t count) {
  Group<Type>(from).each_part(count, [&](const auto& group, std::size_t k, std::size_t end) {
    for (std::size_t i = k; i < end; ++i) out[i] = group.number(i - k, from.first);
  });
}

template <class Type>
inline void widen_each(float* out, NarrowRow<Type> from, std::size_t count) {
  std::size_t i = 0;
  for (; i + kLanes <= count; i += kLanes) from.load(i).store_unaligned(out + i);
  for (; i < count; ++i) out[i] = from[i];
}

}  // namespace

}  // namespace attention::kernels::inline ATTENTION_SET
