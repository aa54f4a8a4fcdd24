// What the textbook says of a call of BLAS, LAPACK or FFTW: its work, the bytes of its operands.
// Pure.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "abi/call_record.h"

namespace ridge::measure {

struct LibraryWork {
  std::string sizes;  ///< "4096 x 4096 x 256"; empty: it has none
  /// Of one call, by the multiplications and additions of LAPACK Working Note 41, appendix C (a
  /// complex multiplication is 6 flops, an addition 2); of transforms 5 N log2 N, half for real
  /// ones. nullopt: there is no such formula.
  std::optional<double> flops;
  std::optional<double> bytes;  ///< of the operands, each once; nullopt: unknown

  friend bool operator==(const LibraryWork&, const LibraryWork&) = default;
};

/// `name` and `sizes` as the layer records them (instrument/calls/libraries_functions.py): "dgemm"
/// and m, n, k. Of a name that is none of them: nothing.
[[nodiscard]] LibraryWork library_work(std::string_view name,
                                       const std::array<std::uint64_t, RIDGE_CALL_SIZES>& sizes);

}  // namespace ridge::measure
