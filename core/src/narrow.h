// Matrices whose numbers are not float32: how each type is widened, and their rows. The bits are those of the widened matrix.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>

#include "kernels.h"
#include "tile.h"

namespace attention::kernels::inline ATTENTION_SET {

// Vectors of the compiler's own, which convert numbers of any width: of kLanes numbers, and filling a register.
using Bits __attribute__((vector_size(4 * kLanes))) = std::int32_t;
using Floats __attribute__((vector_size(4 * kLanes))) = float;
using Shorts __attribute__((vector_size(2 * kLanes))) = std::int16_t;
using Bytes __attribute__((vector_size(kLanes))) = std::int8_t;
using AllShorts __attribute__((vector_size(4 * kLanes))) = std::int16_t;
using AllBytes __attribute__((vector_size(4 * kLanes))) = std::int8_t;

template <class Vector>
inline Lanes as_lanes(Vector vector) { return std::bit_cast<Lanes::register_type>(vector); }
inline Bits as_bits(Lanes lanes) { return std::bit_cast<Bits>(static_cast<Lanes::register_type>(lanes)); }

template <class Vector>
constexpr std::size_t kNumbersOf = sizeof(Vector) / sizeof(std::declval<Vector&>()[0]);

// a[0] b[0] a[1] b[1] …, from number `kFirst` of each on.
template <std::size_t kFirst, class Vector, std::size_t... kAt>
inline Vector zip(Vector a, Vector b, std::index_sequence<kAt...>) {
  return __builtin_shufflevector(a, b, (kFirst + kAt / 2 + kAt % 2 * sizeof...(kAt))...);
}
template <class Vector>
inline Vector zip_lower(Vector a, Vector b) { return zip<0>(a, b, std::make_index_sequence<kNumbersOf<Vector>>()); }
template <class Vector>
inline Vector zip_upper(Vector a, Vector b) { return zip<kNumbersOf<Vector> / 2>(a, b, std::make_index_sequence<kNumbersOf<Vector>>()); }

template <class To, class Vector, std::size_t... kAt>
inline std::array<To, 2> halves(Vector all, std::index_sequence<kAt...>) {
  return {__builtin_convertvector(__builtin_shufflevector(all, all, kAt...), To),
          __builtin_convertvector(__builtin_shufflevector(all, all, (sizeof...(kAt) + kAt)...), To)};
}
// Its lower and its upper numbers, each as a wider one.
template <class To, class Vector>
inline std::array<To, 2> halves(Vector all) { return halves<To>(all, std::make_index_sequence<kNumbersOf<Vector> / 2>()); }

// What numbers of int8 are multiplied by, in each lane of as many registers.
template <std::size_t kCount>
using Scales = std::array<Lanes, kCount>;

// Of each type: widen() takes kLanes numbers, already of 32 bits; widen_all() those of a whole register, in order; part() the
// two or four that each 32 bits of a register hold, the lowest of all first. By what widen_all() and part() give a product
// multiplies factor(x) for x; number() is the number itself.
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
  static std::array<Lanes, 2> part(Bits two, Lanes) { return {as_lanes(two << 16), as_lanes(two & ~0xffff)}; }
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
  static std::array<Lanes, 2> part(Bits two, Lanes) { return {from((two << 16) >> 3), from(two >> 3)}; }

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
  static Lanes widen(Bits half, Lanes) { return as_lanes(((half << 13) & kKept)) * 0x1p112f; }
  static std::array<Lanes, 2> widen_all(All half, const Scales<2>&) {
    const All upper = (half >> 3) & static_cast<std::int16_t>(0x8fff), lower = half << 13;
    return {as_lanes(zip_lower(lower, upper)), as_lanes(zip_upper(lower, upper))};
  }
  static std::array<Lanes, 2> part(Bits two, Lanes) { return {as_lanes(((two << 16) >> 3) & kKept), as_lanes((two >> 3) & kKept)}; }
  static Lanes factor(Lanes x) { return x * 0x1p112f; }
  static Lanes number(Lanes x) { return x * 0x1p112f; }
  // Times 2^112 it is within float32.
  static constexpr float kMost = 0x1p15f;

 private:
  static constexpr auto kKept = static_cast<std::int32_t>(0x8fffe000u);
};
struct I8 : Widened {
  using Number = std::int8_t;
  using Vector = Bytes;
  using All = AllBytes;
  static Lanes widen(Bits whole, Lanes scale) { return as_lanes(__builtin_convertvector(whole, Floats)) * scale; }
  static std::array<Lanes, 4> widen_all(All whole, const Scales<4>& scales) {
    std::array<Lanes, 4> wide;
    const auto shorts = halves<AllShorts>(whole);
    for (std::size_t i = 0; i < 4; ++i) {
      wide[i] = as_lanes(__builtin_convertvector(halves<Bits>(shorts[i / 2])[i % 2], Floats)) * scales[i];
    }
    return wide;
  }
  static std::array<Lanes, 4> part(Bits four, Lanes scale) {
    std::array<Lanes, 4> wide;
    for (int i = 0; i < 4; ++i) wide[static_cast<std::size_t>(i)] = as_lanes(__builtin_convertvector((four << (24 - 8 * i)) >> 24, Floats)) * scale;
    return wide;
  }
};

// --- their rows ----------------------------------------------------------------------------------------------------

// Reads a byte of each cache line: what is missing is waited for together, and not line after line.
inline void touch_lines(const void* from, std::size_t bytes) {
  const auto* const first = static_cast<const volatile char*>(from);
  for (std::size_t i = 0; i < bytes; i += 64) static_cast<void>(first[i]);
}

template <class Type>
struct NarrowRow {
  using All = typename Type::All;
  static constexpr std::size_t kWide = kNumbersOf<All>;
  const typename Type::Number* numbers;
  float scale;

  explicit NarrowRow(const Weight& weight)
      : numbers(static_cast<const typename Type::Number*>(weight.data)), scale(weight.scales != nullptr ? *weight.scales : 1) {}
  NarrowRow() = default;
  Lanes load(std::size_t k) const {
    return Type::widen(__builtin_convertvector(vector<typename Type::Vector>(k), Bits), Lanes(scale));
  }
  std::array<Lanes, kWide / kLanes> load_wide(std::size_t k) const {
    Scales<kWide / kLanes> scales;
    scales.fill(Lanes(scale));
    return Type::widen_all(vector<All>(k), scales);
  }
  static Lanes factor(float x) { return Type::factor(Lanes(x)); }
  static Lanes number(Lanes x) { return Type::number(x); }
  void touch(std::size_t k, std::size_t count) const { touch_lines(numbers + k, count * sizeof *numbers); }
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
  // Rows are turned to columns by 32 bits, before numbers are widened: fewer registers have to be turned.
  class Turned {
   public:
    using Row = NarrowRow<Type>;
    static constexpr std::size_t kWide = Row::kWide, kParts = kWide / kLanes;
    void set(std::size_t r, const Row& row) {
      rows_[r] = row;
      scales_[r] = row.scale;
    }
    void load(std::size_t k) {
      for (std::size_t r = 0; r < kLanes; ++r) block_[r] = as_lanes(rows_[r].template vector<typename Type::All>(k));
      transpose(block_);
    }
    std::array<Lanes, kParts> columns(std::size_t i) const {
      return Type::part(as_bits(block_[i]), Lanes::load_unaligned(scales_.data()));
    }

   private:
    std::array<Row, kLanes> rows_;
    std::array<float, kLanes> scales_;
    std::array<Lanes, kLanes> block_;
  };
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
    if (n % kWide + kLanes <= kWide) return I8::widen(__builtin_convertvector(vector<Bytes>(n), Bits), Lanes(scale(n)));
    std::array<float, kLanes> lanes;
    for (std::size_t i = 0; i < kLanes; ++i) lanes[i] = (*this)[k + i];
    return Lanes::load_unaligned(lanes.data());
  }
  std::array<Lanes, kWide / kLanes> load_wide(std::size_t k) const {
    std::array<Lanes, kWide / kLanes> wide;
    const Lanes own(scale(k));
    for (std::size_t i = 0; i < wide.size(); ++i) wide[i] = I8::widen(__builtin_convertvector(vector<Bytes>(k + i * kLanes), Bits), own);
    return wide;
  }
  static Lanes factor(float x) { return Lanes(x); }
  static Lanes number(Lanes x) { return x; }
  void touch(std::size_t k, std::size_t count) const { touch_lines(block(first_ + k), count / kWide * kBlockBytes); }

  // The scale of the block that holds number n, as it is written; signed, as F16 takes it.
  std::int16_t half(std::size_t n) const {
    std::int16_t bits;
    std::memcpy(&bits, block(n), sizeof bits);
    return bits;
  }
  template <class Vector>
  Vector vector(std::size_t n) const {
    Vector loaded;
    std::memcpy(&loaded, numbers(n), sizeof loaded);
    return loaded;
  }

 private:
  float scale(std::size_t n) const { return F16::widen(Bits{half(n)}, Lanes(1.0f)).get(0); }
  const std::byte* block(std::size_t n) const { return blocks_ + n / kWide * kBlockBytes; }
  const std::byte* numbers(std::size_t n) const { return block(n) + sizeof(std::uint16_t) + n % kWide; }

  const std::byte* blocks_;
  std::size_t first_;
};

template <>
struct NarrowRows<Q8> : WeightMatrix {
  using Row = NarrowRow<Q8>;
  class Turned {
   public:
    using Row = NarrowRow<Q8>;
    static constexpr std::size_t kWide = kBlockNumbers, kParts = 4;
    void set(std::size_t r, const Row& row) { rows_[r] = row; }
    void load(std::size_t k) {
      Bits halves;
      for (std::size_t r = 0; r < kLanes; ++r) halves[r] = rows_[r].half(k);
      scales_ = F16::widen(halves, Lanes(1.0f));
      for (std::size_t at = 0; at < kWide; at += 4 * kLanes) {
        std::array<Lanes, kLanes> part;
        for (std::size_t r = 0; r < kLanes; ++r) part[r] = loaded(rows_[r], k + at);
        transpose(part);
        for (std::size_t i = 0; i < kLanes && at / 4 + i < block_.size(); ++i) block_[at / 4 + i] = part[i];
      }
    }
    std::array<Lanes, kParts> columns(std::size_t i) const { return I8::part(as_bits(block_[i]), scales_); }

   private:
    // A register of numbers, or a block, where that is less.
    static Lanes loaded(const Row& row, std::size_t n) {
      if constexpr (sizeof(AllBytes) <= kWide) {
        return as_lanes(row.template vector<AllBytes>(n));
      } else {
        AllBytes all{};
        const auto half = row.template vector<std::array<std::int8_t, kWide>>(n);
        std::memcpy(&all, &half, sizeof half);
        return as_lanes(all);
      }
    }
    std::array<Row, kLanes> rows_;
    Lanes scales_;
    std::array<Lanes, kWide / 4> block_;
  };
  Row row(std::size_t r) const { return Row(weight.from(r, 0, stride)); }
};

// --- interleaved matrices ------------------------------------------------------------------------------------------

// The kGroupRows rows that lie side by side where an interleaved matrix or a part of it begins.
template <class Type>
class Group {
 public:
  static constexpr std::size_t kRegisters = kGroupRows / kLanes;
  using Column = std::array<Lanes, kRegisters>;  // a number of each row

  explicit Group(const Weight& weight) : numbers_(static_cast<const typename Type::Number*>(weight.data)) {
    scales_.fill(Lanes(1.0f));
    if (weight.scales == nullptr) return;
    for (std::size_t i = 0; i < kRegisters; ++i) scales_[i] = Lanes::load_unaligned(weight.scales - weight.first + i * kLanes);
  }
  // What factor(x) is multiplied by.
  Column column(std::size_t k) const {
    Column column;
    for (std::size_t i = 0; i < kRegisters; i += kAtOnce) {
      Scales<kWide / kLanes> scales;
      scales.fill(scales_[0]);
      std::copy_n(scales_.begin() + i, kAtOnce, scales.begin());
      typename Type::All all{};
      std::memcpy(&all, at(k, i), std::min(sizeof all, kGroupRows * sizeof *numbers_));
      const auto wide = Type::widen_all(all, scales);
      std::copy_n(wide.begin(), kAtOnce, column.begin() + i);
    }
    return column;
  }
  // Of register i the numbers themselves.
  Lanes numbers(std::size_t k, std::size_t i) const {
    typename Type::Vector vector;
    std::memcpy(&vector, at(k, i), sizeof vector);
    return Type::widen(__builtin_convertvector(vector, Bits), scales_[i]);
  }

 private:
  static constexpr std::size_t kWide = kNumbersOf<typename Type::All>, kAtOnce = std::min(kWide / kLanes, kRegisters);

  const typename Type::Number* at(std::size_t k, std::size_t i) const { return numbers_ + k * kGroupRows + i * kLanes; }

  const typename Type::Number* numbers_;
  Scales<kRegisters> scales_;
};

// Whether every row begins with a block, so that what is read at once never lies in two.
inline bool has_whole_blocks(const WeightMatrix& b) {
  return b.weight.type != NumberType::q8_0 || (b.weight.first == 0 && b.stride % kBlockNumbers == 0);
}

// The first row of an interleaved matrix.
template <class Type>
inline void widen_apart(float* out, const Weight& from, std::size_t count) {
  const NarrowRow<Type> numbers(from);
  for (std::size_t i = 0; i < count; ++i) out[i] = numbers[i * kGroupRows + from.first];
}

template <class Type>
inline void widen_each(float* out, NarrowRow<Type> from, std::size_t count) {
  std::size_t i = 0;
  for (; i + kLanes <= count; i += kLanes) from.load(i).store_unaligned(out + i);
  for (; i < count; ++i) out[i] = from[i];
}

}  // namespace attention::kernels::inline ATTENTION_SET
