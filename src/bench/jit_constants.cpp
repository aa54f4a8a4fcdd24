// The numbers that kernels calculate with.
#include <cstdint>
#include <cstring>

#include "bench/jit_emitter.hpp"

namespace ridge::bench {
namespace {

using Vector = std::array<std::byte, kVectorBytes>;

template <class Element>
void put(Vector& vector, Element element) {
  for (std::size_t at = 0; at < kVectorBytes; at += sizeof(Element)) {
    std::memcpy(vector.data() + at, &element, sizeof(Element));
  }
}

/// A normal number in 16 bits, `exponent_bits` of them for the exponent (fp16: 5, bf16: 8); what
/// does not fit is cut off.
std::uint16_t cut(double value, unsigned exponent_bits) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof bits);
  const unsigned mantissa_bits = 15 - exponent_bits;
  const std::uint64_t bias = (std::uint64_t{1} << (exponent_bits - 1)) - 1;
  const std::uint64_t exponent = (bits >> 52U & 0x7FFU) + bias - 1023;
  const std::uint64_t mantissa = (bits & ((std::uint64_t{1} << 52U) - 1)) >> (52 - mantissa_bits);
  return static_cast<std::uint16_t>(exponent << mantissa_bits | mantissa);
}

void put_number(Vector& vector, Precision precision, double value) {
  constexpr unsigned kHalfExponent = 5;
  constexpr unsigned kBrainExponent = 8;
  switch (precision) {
    case Precision::fp64:
      return put(vector, value);
    case Precision::fp32:
      return put(vector, static_cast<float>(value));
    case Precision::fp16:
      return put(vector, cut(value, kHalfExponent));
    case Precision::bf16:
      return put(vector, cut(value, kBrainExponent));
  }
}

/// Palette 1: eight tiles of 16 rows of 64 bytes.
void put_tile_shape(Vector& tiles) {
  constexpr std::size_t kRowBytesAt = 16;  // 16 bits each
  constexpr std::size_t kRowsAt = 48;      // 8 bits each
  constexpr std::uint16_t kRowBytes = 64;
  tiles[0] = std::byte{1};
  for (std::size_t tile = 0; tile < 8; ++tile) {
    std::memcpy(&tiles.at(kRowBytesAt + 2 * tile), &kRowBytes, sizeof kRowBytes);
    tiles.at(kRowsAt + tile) = std::byte{16};
  }
}

struct Pair {
  double factor;
  double summand;
};

/// fp16 cannot hold a factor that near to 1: there products stay and sums stop growing where the
/// summand is too small to count.
Pair numbers_of(Precision precision) {
  if (precision == Precision::fp16) {
    return {1.0, 0x1p-10};
  }
  return precision == Precision::bf16 ? Pair{1.0, 0x1p-20} : Pair{1.0 - 0x1p-24, 0x1p-20};
}

void put_integer(Vector& vector, Precision precision, std::uint64_t value) {
  precision == Precision::fp64 ? put(vector, value)
                               : put(vector, static_cast<std::uint32_t>(value));
}

/// Odd numbers: no product becomes 0.
Constants make_integers(const Variant& variant) {
  constexpr std::uint64_t kFactor = 0x9E3779B97F4A7C15;
  constexpr std::uint64_t kSummand = 0x0123456789ABCDEF;
  Constants constants;
  for (unsigned i = 0; i < free_registers(variant.isa); ++i) {
    put_integer(constants.registers.at(i), variant.precision, 2 * i + 1);
  }
  put_integer(constants.registers.at(factor_register(variant.isa)), variant.precision, kFactor);
  put_integer(constants.registers.at(summand_register(variant.isa)), variant.precision, kSummand);
  return constants;
}

}  // namespace

Constants make_constants(const Variant& variant) {
  if (variant.kernel->is_integer()) {
    return make_integers(variant);
  }
  Constants constants;
  const unsigned free = free_registers(variant.isa);
  const bool dot = variant.kernel->has(StepKind::dot);
  for (unsigned i = 0; i < free; ++i) {
    put_number(constants.registers.at(i), dot ? Precision::fp32 : variant.precision,
               1.0 + static_cast<double>(i) / 64.0);
  }
  const Pair numbers = numbers_of(variant.precision);
  put_number(constants.registers.at(factor_register(variant.isa)), variant.precision,
             numbers.factor);
  put_number(constants.registers.at(summand_register(variant.isa)), variant.precision,
             numbers.summand);
  if (variant.kernel->numbers == Numbers::int8) {
    put(constants.registers.at(factor_register(variant.isa)), std::uint8_t{1});
    put(constants.registers.at(summand_register(variant.isa)), std::uint8_t{3});
  }
  put_tile_shape(constants.tiles);
  return constants;
}

}  // namespace ridge::bench
