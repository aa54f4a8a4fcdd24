// Instruction sets, by which ceilings, limits and kernels are told apart: text, family, width and
// rank in one table.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>

namespace ridge {

/// `sse` is the 128-bit width in VEX encoding, as compilers emit it for any CPU since 2011.
/// `sse_legacy` is the two-operand encoding of 1999 (packed, no FMA): what a program runs that was
/// built without -march. `amx` works on tiles of 1 KiB. Within a family narrow to wide.
enum class Isa { scalar, sse_legacy, sse, avx2, avx512, amx, neon, sve, vsx };

/// `generic`: one element at a time, which every family has.
enum class IsaFamily { generic, x86, arm, power };

struct IsaProperties {
  Isa isa;
  std::string_view text;  ///< in files, in ids of ceilings, on command lines
  std::string_view name;  ///< as people write it
  IsaFamily family;
  /// Of a register. Absent: it holds one element (scalar), or its width is the CPU's choice (SVE).
  std::optional<unsigned> vector_bits;
  /// Position by width within the family. Absent: no step of that order (another encoding, tiles).
  std::optional<unsigned> rank;
  bool matrix = false;  ///< multiplies tiles, on pipes of their own
};

/// In the order of the enumerators.
inline constexpr std::array<IsaProperties, 9> kIsaTable{
    {{Isa::scalar, "scalar", "Scalar", IsaFamily::generic, std::nullopt, 0},
     {Isa::sse_legacy, "sse-legacy", "sse-legacy", IsaFamily::x86, 128, std::nullopt},
     {Isa::sse, "sse", "SSE", IsaFamily::x86, 128, 1},
     {Isa::avx2, "avx2", "AVX2", IsaFamily::x86, 256, 2},
     {Isa::avx512, "avx512", "AVX-512", IsaFamily::x86, 512, 3},
     {Isa::amx, "amx", "AMX", IsaFamily::x86, 8192, std::nullopt, true},
     {Isa::neon, "neon", "NEON", IsaFamily::arm, 128, 1},
     {Isa::sve, "sve", "SVE", IsaFamily::arm, std::nullopt, 2},
     {Isa::vsx, "vsx", "VSX", IsaFamily::power, 128, 1}}};

[[nodiscard]] constexpr const IsaProperties& properties_of(Isa isa) {
  return kIsaTable[static_cast<std::size_t>(isa)];
}

/// "avx512": as files and ids of ceilings spell it.
[[nodiscard]] constexpr std::string_view to_string(Isa isa) {
  return properties_of(isa).text;
}

/// The reverse of to_string; nullopt for any other text.
[[nodiscard]] constexpr std::optional<Isa> parse_isa(std::string_view text) {
  for (const IsaProperties& properties : kIsaTable) {
    if (properties.text == text) {
      return properties.isa;
    }
  }
  return std::nullopt;
}

/// Elements of `element_bits` (64 for fp64) in one register; nullopt where the width is not fixed.
[[nodiscard]] constexpr std::optional<unsigned> lanes_of(Isa isa, unsigned element_bits) {
  const IsaProperties& properties = properties_of(isa);
  if (properties.family == IsaFamily::generic) {
    return 1;
  }
  return properties.vector_bits ? std::optional(*properties.vector_bits / element_bits)
                                : std::nullopt;
}

/// Steps between two in the order of widths; nullopt for two families, and for what has no rank.
[[nodiscard]] constexpr std::optional<unsigned> rank_distance(Isa a, Isa b) {
  const IsaProperties& first = properties_of(a);
  const IsaProperties& second = properties_of(b);
  const bool related = first.family == second.family || first.family == IsaFamily::generic ||
                       second.family == IsaFamily::generic;
  if (!related || !first.rank || !second.rank) {
    return std::nullopt;
  }
  return *first.rank > *second.rank ? *first.rank - *second.rank : *second.rank - *first.rank;
}

/// The ranked one of highest rank; `scalar` of the generic family.
[[nodiscard]] constexpr Isa widest_of(IsaFamily family) {
  Isa widest = Isa::scalar;
  for (const IsaProperties& properties : kIsaTable) {
    if (properties.family == family && properties.rank) {
      widest = properties.isa;
    }
  }
  return widest;
}

/// The narrowest ranked one whose registers hold `bits`, the widest where none does. An operation
/// on a single element is `scalar`.
[[nodiscard]] constexpr Isa isa_holding(IsaFamily family, unsigned bits, unsigned element_bits) {
  if (bits <= element_bits) {
    return Isa::scalar;
  }
  for (const IsaProperties& properties : kIsaTable) {
    if (properties.family == family && properties.rank &&
        properties.vector_bits.value_or(0) >= bits) {
      return properties.isa;
    }
  }
  return widest_of(family);
}

}  // namespace ridge
