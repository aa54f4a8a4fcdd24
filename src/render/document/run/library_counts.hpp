// What an engine counted in the machine code of numerical libraries, beside what the textbook's
// formulas say of the calls. The two are compared, never added.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/value/profile.hpp"

namespace ridge::render {

struct CountedLibraries {
  std::string family;              ///< "BLAS and LAPACK"
  std::vector<std::string> files;  ///< "libopenblasp-r0.3.21.so": with flops, the most first
  std::uint64_t counted = 0;       ///< flops of all their regions themselves
  double modelled = 0.0;           ///< flops by the formulas, of the calls that have one
  /// Functions with calls that have no formula: where there are some nothing is compared.
  std::vector<std::string> without_formula;
  bool has_plans = false;  ///< transforms were planned: that is counted, and has no formula

  friend bool operator==(const CountedLibraries&, const CountedLibraries&) = default;
};

/// Families of libraries of which calls were recorded and code was counted. A library that serves
/// several of the called families (MKL) makes them one. Empty where some ranks, or some processes,
/// were not counted.
[[nodiscard]] std::vector<CountedLibraries> counted_libraries(const Profile& profile);

/// "BLAS and LAPACK: 13.9 GFlop counted in libopenblasp-r0.3.21.so, 0.3 % more than by the formulas
/// (modelled)".
[[nodiscard]] std::string words_of(const CountedLibraries& libraries);

}  // namespace ridge::render
